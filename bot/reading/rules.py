"""Joins actions with their conditions, sentence by sentence: who enters or leaves, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.candles import either, every
from bot.reading.conditions import Cond, condition, earlier, reaches
from bot.reading.cursor import Cursor
from bot.reading.extract import Settings, Wrap, extract
from bot.reading.layout import Statement
from bot.reading.levels import Put, level
from bot.reading.lexer import Token, tokens
from bot.reading.operands import operand
from schemas import contract as c

MEANT = {"cmp", "cross", "break", "candle", "unsupported", "flip", "extreme", "highest", "lowest",
         "sign_cross", "between", "clock", "weekday", "stop", "target", "trail", "revert",
         "bullish_cross", "other_side", "or_more", "or_less"}  # fmt: skip
"""Tokens that say a rule. One that nothing was made of is asked about."""
MOVING = (*AVERAGES, *CHANNELS, "vwap", "ichimoku")
"""A target on one of these moves with it, so it is looked at on each close."""
LINKS = ("if", "only", "unless", "and", "or", "then", "comma", "not", "mean")
Parts = list[tuple[str, Cond]]


@dataclass
class Rule:
    """`act` is enter, exit or sell (which of the two depends on the whole request)."""

    act: str
    side: str | None
    parts: Parts
    said: str
    limit: c.Operand | None = None
    role: str = "-"

    @property
    def when(self) -> Cond | None:
        return join(self.parts) if self.parts else None


@dataclass
class Told:
    """Everything that was read, before it is put together."""

    settings: Settings = field(default_factory=Settings)
    rules: list[Rule] = field(default_factory=list)
    filters: list[tuple[str | None, Cond]] = field(default_factory=list)
    puts: list[Put] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    waiting: Parts = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    unsupported: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Line:
    """One sentence on the way."""

    cur: Cursor
    role: str
    text: str
    slots: list[Cond | Wrap | None]
    act: tuple[str, str | None] | None = None
    rule: Rule | None = None
    made: list[Rule] = field(default_factory=list)
    pending: Parts = field(default_factory=list)
    link: str = ""
    paused: bool = False
    shared: Parts | None = None
    opened: bool = False
    filter_side: str | None = None
    prefix: Parts = field(default_factory=list)
    ended: list[Cond | Wrap | None] = field(default_factory=list)
    last: Parts | None = None


def read_statement(statement: Statement, told: Told, book: Book) -> None:
    text, candle = _definition(statement.text)
    text, name = _naming(text)
    if name:
        extract(statement.text, statement.role, Settings(), book)
    text, ended = _endings(text, book)
    sentence = extract(text, statement.role, told.settings, book)
    line = _Line(
        Cursor(_known(tokens(sentence.text), book), book),
        statement.role,
        statement.text,
        sentence.slots,
    )
    line.ended = ended
    _role_first(line, told)
    if (
        re.search(
            r"^(?:in that case|if so|then|when that happens|in this case)\b|on such an? (?:day|bar)",
            statement.text,
        )
        and told.waiting
    ):
        told.filters.append((None, join(told.waiting)))
        told.waiting = []
    while not line.cur.done():
        _step(line, told)
    if candle and line.pending:
        book.defined[candle] = join(line.pending).node
    if name and line.pending and not line.made:
        book.names[name] = join(line.pending)
        line.cur.read.update(range(len(line.cur.tokens)))
        return
    _finish(line, told)


def _naming(text: str) -> tuple[str, str]:
    """ "We have a squeeze when ...": a word of the person's own, used later."""
    found = re.match(
        r"^(?:we have|there is|i call it|call it|it is|this is) an? (\w+) (?:when|if|once)\s+", text
    )
    found = found or re.match(r"^(?:the )?market is (?:called )?(\w+) (?:when|if)\s+", text)
    found = found or re.match(
        r"^(?:an? |the )?(\w+) is (?:on|active|there|present|true) (?:when|if|once)\s+", text
    )
    if not found or [t for t in tokens(found[1]) if t.kind != "word"]:
        return text, ""
    rest = text[found.end() :]
    exact = rest.partition(":")[2]
    return exact if re.search(r"[<>]|above|below", exact) else rest, found[1]


def _endings(text: str, book: Book) -> tuple[str, list[Cond | Wrap | None]]:
    """ "the first bar where the squeeze is no longer on": it was true before and is not now."""
    found: list[Cond | Wrap | None] = []
    for name, cond in book.names.items():
        over = rf"(?:on |at )?(?:the )?(?:1st bar (?:where|when|on which) )?(?:the )?{name} (?:is no longer (?:on|active|there|true)|ends|is released|releases|fires|turns off)(?: after[^:,;]*)?"
        if re.search(over, text):
            found.append(Cond(every(c.Never(of=cond.node), earlier(cond.node, 1))))
            text = re.sub(over, f" ⟦{ENDED + len(found)}⟧ ", text)
    return text, found


ENDED = 900


def _definition(text: str) -> tuple[str, str]:
    """ "My definition of a hammer: ..." is the person's own; ours is not used then."""
    found = re.match(
        r"^.*?\b(?:definition of|define)\s+(?:an? |the )?([^:=]{3,40}?)\s*(?::|=| is| as)\s*", text
    )
    if not found:
        found = re.match(
            r"^(?:an? |the |my )?((?:\w+[ -]){1,3}\w+|\w+)\s*(?:=|means|is when|is defined as|:)\s+(?=.*\b(?:is|are|closes?|opens?|touches|above|below|[<>])\b)",
            text,
        )
        if (
            not found
            or not [t for t in tokens(found[1]) if t.kind in ("candle", "word", "trend", "body")]
            or re.search(r"buy|sell|long|short|exit|entry|stop|target", found[1])
        ):
            return text, ""
    named = [t for t in tokens(found[1]) if t.kind == "candle"]
    return text[found.end() :], str(named[0].value) if named else ""


def _known(found: list[Token], book: Book) -> list[Token]:
    """The word "signal" is MACD's line only where MACD is spoken of, and not before a price."""
    kept = []
    for i, token in enumerate(found):
        following = found[i + 1].kind if i + 1 < len(found) else ""
        if (
            token.kind == "ind"
            and token.text == "signal"
            and (not book.has_macd or following in ("price", "word", "then"))
        ):
            continue
        kept.append(token)
    return kept


ROLES = {
    "entry": ("enter", None), "long_entry": ("enter", "long"), "short_entry": ("enter", "short"),
    "exit": ("exit", None), "long_exit": ("exit", "long"), "short_exit": ("exit", "short"),
}  # fmt: skip
LEVELS = {"stop": "stop", "target": "target", "long_stop": "stop", "short_stop": "stop",
          "long_target": "target", "short_target": "target"}  # fmt: skip


def _role_first(line: _Line, told: Told) -> None:
    """Under a heading the action is said already; a stop's heading says what the distance is."""
    line.act = ROLES.get(line.role)
    word = LEVELS.get(line.role)
    has = any(
        t.kind
        in (
            "num",
            "amount",
            "price",
            "ind",
            "band",
            "range_low",
            "range_high",
            "lowest",
            "highest",
            "lower_of",
        )
        for t in line.cur.tokens
    )
    if word and has and not any(t.kind in ("stop", "target", "trail") for t in line.cur.tokens):
        line.cur.tokens.insert(0, Token(word, None, word))
        side = line.role.split("_")[0]
        if side in ("long", "short"):
            line.cur.tokens.insert(1, Token("side", side, side))


def _step(line: _Line, told: Told) -> None:
    cur = line.cur
    token = cur.peek()
    if token.kind == "slot":
        cur.at += 1
        number = int(str(token.value))
        slot = line.ended[number - ENDED - 1] if number > ENDED else line.slots[number]
        if isinstance(slot, Wrap):
            _wrap(line, slot)
        elif slot is not None:
            _add(line, told, slot)
        return
    if token.kind == "plus":
        token = Token("and", None, token.text)
    if token.text == ":" and line.pending and _condition_before_action(line):
        line.prefix, line.pending = line.pending, []
    if token.kind in LINKS:
        _linked(line, token)
        cur.at += 1
        return
    if token.kind == "limit" and re.search(r"\b(?:buy|sell)\b", token.text):
        line.link = ""
        _act(line, told, "enter", "long" if "buy" in token.text else "short")
    if token.kind == "lp" and _restated(line):
        return
    if put := level(cur, _current_side(line)):
        _put(line, told, put)
        return
    if _action(line, told, token):
        return
    if token.kind == "lp" and _group(line, told):
        return
    place = cur.at
    found = condition(cur)
    if found is not None and cur.at > place:
        _add(line, told, found)
        return
    cur.back_to(place)
    spoken = operand(cur)
    if isinstance(spoken, c.Series) and cur.at > place:
        leaving = line.rule is not None and line.rule.act == "exit" and not line.rule.parts
        if leaving and cur.book.is_price(spoken):
            cur.book.object = spoken
            cur.read.update(range(place, cur.at))
            _add(line, told, reaches(spoken))
        else:
            cur.book.subject = spoken
        return
    cur.back_to(place)
    cur.at += 1


def _restated(line: _Line) -> bool:
    """ "(close < open)" after a rule says it again: the exact words win over a new high's name."""
    cur, start = line.cur, line.cur.at
    if not line.last or start == 0 or start - 1 not in cur.read:
        return False
    if cur.peek(1).kind in (
        "only",
        "if",
        "and",
        "or",
        "side",
        "unless",
        "slot",
        "not",
        "enter",
        "exit",
    ):
        return False
    end = next((i for i in range(start, len(cur.tokens)) if cur.tokens[i].kind == "rp"), None)
    if end is None:
        return False
    cur.at += 1
    found = condition(cur)
    node = line.last[-1][1].node
    if (
        found is not None
        and cur.at == end
        and isinstance(node, c.Compare)
        and cur.book.kind(node.right) in ("highest", "lowest")
    ):
        line.last[-1] = (line.last[-1][0], found)
    cur.read.update(range(start, end + 1))
    cur.back_to(end + 1)
    return True


def _group(line: _Line, told: Told) -> bool:
    """ "(A or B)": one condition, whatever stands beside it."""
    cur, start = line.cur, line.cur.at
    cur.at += 1
    parts: Parts = []
    link = ""
    while True:
        if token := cur.take("and", "or"):
            link = token.kind
        found = condition(cur)
        if found is None:
            break
        parts.append((link, found))
        link = ""
        if cur.take("rp"):
            if len(parts) > 1:
                _add(line, told, join(parts))
                cur.read.update(range(start, cur.at))
                return True
            break
    cur.back_to(start)
    return False


def _wrap(line: _Line, wrap: Wrap) -> None:
    """What a phrase after a condition makes of it: within some bars, in a row, for the first time."""
    parts = line.last
    if not parts:
        return
    link, found = parts[-1]
    node = wrapped(found.node, wrap)
    other = wrapped(found.other, wrap) if found.other else None
    parts[-1] = (link, replace(found, node=node, other=other))


def wrapped(node: c.Condition, wrap: Wrap) -> c.Condition:
    if wrap.kind == "within":
        return c.Within(bars=wrap.bars, of=node)
    if wrap.kind == "row":
        return c.InARow(bars=wrap.bars, of=node)
    return every(node, c.Never(of=earlier(node, 1)))


def _linked(line: _Line, token: Token) -> None:
    kind = token.kind
    if kind == "comma":
        line.paused = True
        return
    if line.link == "or" and kind in ("if", "and"):
        return
    if line.link in ("only", "unless") and kind in ("if", "and", "then"):
        return
    if kind == "and" and line.paused:
        line.link = "also"
        return
    if kind == "if" and line.link in ("and", "also"):
        return
    line.link = kind


def _current_side(line: _Line) -> str | None:
    if line.rule is not None:
        return line.rule.side if line.rule.act == "enter" else None
    return line.act[1] if line.act and line.act[0] == "enter" else None


def _put(line: _Line, told: Told, put: Put) -> None:
    if put.price is not None:
        line.cur.book.object = put.price
    if put.kind == "limit" and line.rule is not None:
        line.rule.limit = put.price
    elif put.kind == "target" and line.cur.book.kind(put.price) in MOVING:
        if not any(t.kind == "exit" for t in line.cur.tokens[line.cur.at :]):
            assert put.price is not None
            told.rules.append(Rule("exit", put.side, [("", reaches(put.price))], line.text))
    else:
        told.puts.append(put)
    line.link, line.paused = "", False


def _action(line: _Line, told: Told, token: Token) -> bool:
    cur = line.cur
    match token.kind:
        case "only_side":
            _only(line, told, str(token.value))
        case "no_entries":
            if line.pending:
                told.filters.append((None, _negative(join(line.pending))))
                line.pending = []
            else:
                line.link = "unless"
                cur.read.add(cur.at)
                cur.at += 1
                return True
        case "both" | "mirror" | "reverse" | "not_opposite" | "else_flat":
            negative = line.link == "not"
            told.flags.add(
                f"not_{token.kind}"
                if negative and token.kind in ("mirror", "reverse")
                else token.kind
            )
        case "opposite":
            negative = line.link == "not" or any(t.kind == "not" for t in cur.tokens[cur.at :])
            told.flags.add("not_opposite" if negative else "opposite")
            if negative:
                cur.read.update(range(len(cur.tokens)))
                cur.at = len(cur.tokens)
                return True
        case "enter" | "exit" | "sell":
            _act(line, told, token.kind, str(token.value) if token.value else None)
        case "price" if token.text == "close" and _is_verb(line):
            _act(line, told, "exit", None)
        case "side":
            _side(line, told, str(token.value))
        case _:
            return False
    cur.read.add(cur.at)
    cur.at += 1
    return True


def _is_verb(line: _Line) -> bool:
    """ "close when ..." and "..., close." are about the position, not the price."""
    following = line.cur.peek(1).kind
    return following == "if" and not line.link or following == "end" and bool(line.pending)


def _negative(found: Cond) -> Cond:
    return Cond(c.Never(of=found.node), c.Never(of=found.other) if found.other else None)


def _only(line: _Line, told: Told, side: str) -> None:
    """ "Longs only above the average" filters longs; "long only" is about the whole request."""
    if line.pending and line.cur.peek(1).kind in ("comma", "end", "enter"):
        told.filters.append((side, join(line.pending)))
        line.pending = []
        line.link = ""
    elif line.cur.peek(1).kind in ("cmp", "if", "only") or line.cur.peek(2).kind in ("cmp",):
        line.filter_side = side
    else:
        told.flags.add(f"only_{side}")


def _side(line: _Line, told: Told, side: str) -> None:
    """ "long" alone: an entry, or which side the exit that is spoken of is for."""
    exiting = line.rule.act == "exit" if line.rule else bool(line.act and line.act[0] == "exit")
    if (
        exiting
        and line.rule
        and line.rule.side is None
        and line.rule.parts
        and line.cur.peek(1).kind in ("rp", "end", "or")
    ):
        line.rule.side = side
        line.rule, line.act, line.opened = None, ("exit", None), False
        return
    if exiting and line.rule is None and line.act and line.act[1] is None and not line.pending:
        line.act = ("exit", side)
        _act(line, told, "exit", side)
        return
    _act(line, told, "exit" if exiting else "enter", side)


def _act(line: _Line, told: Told, kind: str, side: str | None) -> None:
    if line.link == "not":
        line.link = ""
        return
    if kind == "enter" and side is None:
        if line.act is None or (line.act[0] == "exit" and line.rule is None):
            line.act = ("enter", None)
        return
    if kind == "exit" and side is None:
        entered = {r.side for r in line.made if r.act == "enter"}
        side = entered.pop() if len(entered) == 1 and line.link not in ("or",) else None
    if (
        line.link == "mean"
        and line.rule is not None
        and line.rule.side is None
        and line.rule.act == kind
    ):
        told.rules.remove(line.rule)
        line.made.remove(line.rule)
    if line.pending:
        parts, line.pending = line.pending, []
        line.shared, line.opened = parts, False
    elif (
        line.shared is not None
        and line.link in ("and", "also", "", "then")
        and not _if_follows(line)
    ):
        if kind in ("exit", "sell") and line.rule is not None and line.rule.act == "enter":
            if line.cur.peek(1).kind != "slot":
                return  # "buy and hold, then sell": when is said elsewhere
            parts, line.shared, line.opened = [], None, True
        else:
            parts = list(line.shared)
    else:
        parts = []
        line.shared, line.opened = None, True
    line.rule = Rule(kind, side, parts, line.text)
    told.rules.append(line.rule)
    line.made.append(line.rule)
    line.last = parts
    line.act, line.link, line.paused = (kind, side), "", False


def _condition_before_action(line: _Line) -> bool:
    """After "in this case:" comes another condition, so this one holds for all that follow."""
    for token in line.cur.tokens[line.cur.at + 1 :]:
        if token.kind in ("cmp", "cross", "break", "candle", "flip"):
            return True
        if token.kind in ("enter", "exit", "sell", "side"):
            return False
    return False


def _if_follows(line: _Line) -> bool:
    """Does a condition of its own come before the next action?"""
    for token in line.cur.tokens[line.cur.at + 1 :]:
        if token.kind in ("if", "cmp", "cross", "break", "candle", "flip", "revert", "sign_cross"):
            return True
        if token.kind in ("enter", "exit", "sell", "comma"):
            return False
    return False


def join(parts: Parts) -> Cond:
    """AND binds closer than OR; what follows ", and" or "only if" holds for all."""
    groups: list[list[Cond]] = [[]]
    always: list[Cond] = []
    has_or = any(link == "or" for link, _ in parts)
    for link, found in parts:
        if link == "or":
            groups.append([found])
        elif link in ("also", "only") and has_or:
            always.append(found)
        else:
            groups[-1].append(found)
    return _all([_any([_all(g) for g in groups if g]), *always])


def _all(conds: list[Cond]) -> Cond:
    return _combined(conds, every) if len(conds) > 1 else conds[0]


def _any(conds: list[Cond]) -> Cond:
    return _combined(conds, either) if len(conds) > 1 else conds[0]


def _combined(conds: list[Cond], how: object) -> Cond:
    assert callable(how)
    node = how(*(x.node for x in conds))
    other = how(*(x.other or x.node for x in conds)) if any(x.other for x in conds) else None
    return Cond(node, other, any(x.either for x in conds), any(x.bearish for x in conds))


def _add(line: _Line, told: Told, found: Cond) -> None:
    link = line.link
    line.link, line.paused = "", False
    if link in ("unless", "not"):
        found = Cond(c.Never(of=found.node), c.Never(of=found.other) if found.other else None)
        link = "only" if link == "unless" else "and"
    if line.filter_side:
        told.filters.append((line.filter_side, found))
        line.filter_side = None
        return
    rule = line.rule
    if link == "mean" and line.last:
        line.last[-1] = (line.last[-1][0], found)
    elif rule is not None and not rule.parts:
        _part(line, rule.parts, "", found)
    elif link == "only" and rule is not None:
        for made in line.made:
            if made.act != "exit" or made is rule:
                _part(line, made.parts, "only", found)
    elif link == "only" and not line.pending and line.role not in ROLES and line.act is None:
        told.filters.append((None, found))
        line.last = None
    elif rule is not None and _belongs(line, found, link):
        _part(line, rule.parts, link, found)
    else:
        _part(line, line.pending, link, found)


def _belongs(line: _Line, found: Cond, link: str) -> bool:
    """Is this condition the last action's, or the next one's?"""
    if found.calendar and not link and not line.pending:
        return True
    if line.opened and (link in ("and", "also") or (link == "if" and not _acts_now(line))):
        return True
    return (line.opened or link in ("if", "and", "also")) and not _action_follows(line)


def _part(line: _Line, parts: Parts, link: str, found: Cond) -> None:
    parts.append((link, found))
    line.last = parts


def _is_named(parts: Parts) -> bool:
    """A candle by its name: what follows the colon says the same in other words."""
    return isinstance(parts[-1][1].node, c.Every)


def _acts_now(line: _Line) -> bool:
    return line.cur.peek().kind in ("enter", "exit", "sell", "side", "then")


def _action_follows(line: _Line) -> bool:
    """The next thing is an action, so this condition is its, not the last one's."""
    for token in line.cur.tokens[line.cur.at :]:
        if token.kind in ("enter", "exit", "sell", "side", "then"):
            return True
        if token.text == "close" and token is line.cur.tokens[-1]:
            return True
        if token.kind not in ("comma", "slot", "lp", "rp", "word"):
            return False
    return False


def _finish(line: _Line, told: Told) -> None:
    for rule in line.made:
        rule.parts = (
            [*line.prefix, *((k if k else "and", x) for k, x in rule.parts)]
            if line.prefix
            else rule.parts
        )
    if line.prefix and not line.made:
        line.pending = [*line.prefix, *(() if _is_named(line.prefix) else line.pending)]
    if line.pending:
        if line.role in ROLES or (line.act and line.rule is None):
            kind, side = line.act or ROLES[line.role]
            before = told.rules[-1] if told.rules else None
            if (
                kind == "enter"
                and before
                and before.role == line.role
                and before.side == side
                and not line.made
            ):
                before.parts += [(k if k else "also", x) for k, x in line.pending]
                line.rule = before
            else:
                line.rule = Rule(kind, side, line.pending, line.text, role=line.role)
                told.rules.append(line.rule)
        elif line.role == "filter":
            told.filters.append((None, join(line.pending)))
        else:
            told.waiting += [
                ("and" if told.waiting and not link else link, x)
                for link, x in line.pending
                if not x.calendar
            ]
    dated = [x for r in line.made for _, x in r.parts if x.calendar and r.act == "enter"]
    for rule in line.made:
        if (
            dated
            and rule.act in ("enter", "sell")
            and rule.parts
            and not any(x.calendar for _, x in rule.parts)
        ):
            rule.parts.append(("also", dated[0]))
    bare = [r for r in line.made if not r.parts and r.act in ("enter", "sell")]
    if bare and told.waiting:
        for rule in bare:
            rule.parts = list(told.waiting)
        told.waiting = []
    depth = 0
    for i, token in enumerate(line.cur.tokens):
        depth += {"lp": 1, "rp": -1}.get(token.kind, 0)
        if token.kind == "unsupported":
            told.unsupported.append((str(token.value), line.text))
        elif token.kind == "trail" and "chandelier" in token.text:
            told.flags.add("chandelier")
        elif (
            (
                token.kind in ("stop", "target")
                and line.cur.tokens[i + 1 : i + 2]
                and line.cur.tokens[i + 1].kind == "slot"
            )
            or token.kind == "break"
            and token.value is None
        ):
            continue
        elif token.kind in MEANT and i not in line.cur.read and depth <= 0:
            told.unread.append(line.text)
            break
