"""Reads one sentence: who enters or leaves, and when."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import reaches
from bot.reading.conditions.condition import condition
from bot.reading.cursor import Cursor
from bot.reading.forms.form import Settings, Wrap, extract
from bot.reading.layout import Statement
from bot.reading.levels import level
from bot.reading.lexer import Token, tokens
from bot.reading.operands.operand import operand
from bot.reading.rules.actions import act, action
from bot.reading.rules.definitions import definition, named_states, naming
from bot.reading.rules.finish import finish
from bot.reading.rules.join import join
from bot.reading.rules.line import ROLES, Line, condition_before_action, current_side
from bot.reading.rules.parts import add, group, looked_back, put_level, restated, wrap
from bot.reading.rules.told import Told
from schemas import contract as c

LINKS = ("if", "only", "unless", "and", "or", "then", "comma", "not", "mean")
LEVELS = {"stop": "stop", "target": "target", "long_stop": "stop", "short_stop": "stop",
          "long_target": "target", "short_target": "target"}  # fmt: skip


LONGEST, MOST_BRACKETS = 1000, 30
"""Of a sentence. Nobody says one rule in more, and some forms take long over much more."""


def read_statement(statement: Statement, told: Told, book: Book) -> None:
    if len(statement.text) > LONGEST or sum(map(statement.text.count, "([")) > MOST_BRACKETS:
        told.unread.append(statement.text)
        return
    if _breaks_off(statement.text):
        told.unread.append(statement.text)
        return
    text, named = named_states(statement.text, book)
    text, side = _of_a_side(text)
    text, name = naming(text, book.text)
    text, candle = definition(text) if not name else (text, "")
    if name:
        extract(statement.text, statement.role, Settings(), book)
    sentence = extract(text, statement.role, told.settings, book, named)
    line = Line(
        Cursor(_known(tokens(sentence.text), book), book),
        statement.role,
        statement.text,
        sentence.slots,
        sentence.text,
    )
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
    if side and line.pending and not line.made:
        told.filters.append((side, join(line.pending)))
        line.pending = []
    finish(line, told)


def _of_a_side(text: str) -> tuple[str, str]:
    """ "Bullish: lower wick ...": what a long needs; "bearish: ..." a short."""
    found = re.match(r"^\W*(bullish|bearish)(?: (?:one|ones|case|version|setup))? ?[:=]\s+", text)
    if not found:
        return text, ""
    return text[found.end() :], "long" if found[1] == "bullish" else "short"


def _breaks_off(text: str) -> bool:
    """ "Exit when it trades back...": a rule that was left unsaid, or taken back."""
    kinds = {t.kind for t in tokens(text)} if text.endswith("..") else set()
    return bool(kinds & {"cmp", "cross", "break", "stop", "target", "exit", "sell", "if"})


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


def _role_first(line: Line, told: Told) -> None:
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
            "higher_of",
            "other_side",
            "entry_price",
            "range_mid",
        )
        for t in line.cur.tokens
    )
    if word and has and not any(t.kind in ("stop", "target", "trail") for t in line.cur.tokens):
        line.cur.tokens.insert(0, Token(word, None, word))
        side = line.role.split("_")[0]
        if side in ("long", "short"):
            line.cur.tokens.insert(1, Token("side", side, side))


def _step(line: Line, told: Told) -> None:
    cur = line.cur
    token = cur.peek()
    if token.kind == "slot":
        cur.at += 1
        slot = line.slots[int(str(token.value))]
        if isinstance(slot, Wrap):
            wrap(line, slot)
        elif slot is not None:
            add(line, told, slot)
        return
    if token.kind == "plus":
        token = Token("and", None, token.text)
    if token.text == ":" and line.pending and condition_before_action(line):
        line.prefix, line.pending = line.pending, []
    if token.kind in LINKS and not _says_either(line):
        _linked(line, token)
        cur.at += 1
        return
    if token.kind == "limit" and re.search(r"\b(?:buy|sell)\b", token.text):
        line.link = ""
        act(line, told, "enter", "long" if "buy" in token.text else "short")
    if token.kind == "lp" and restated(line):
        return
    if token.kind in ("back", "ago") and looked_back(line):
        return
    if put := level(cur, current_side(line)):
        put_level(line, told, put)
        return
    if action(line, told, token):
        return
    if token.kind == "lp" and group(line, told):
        return
    place = cur.at
    found = condition(cur)
    if found is not None and cur.at > place:
        add(line, told, found)
        return
    cur.back_to(place)
    spoken = operand(cur)
    if isinstance(spoken, c.Series) and cur.at > place:
        leaving = (
            line.rule is not None and line.rule.act in ("exit", "sell") and not line.rule.parts
        )
        if leaving and cur.book.is_price(spoken) and token.text not in ("it", "that"):
            cur.book.object = spoken
            cur.read.update(range(place, cur.at))
            add(line, told, reaches(spoken))
        else:
            cur.book.subject = spoken
            cur.named.update(range(place, cur.at))
        return
    cur.back_to(place)
    cur.at += 1


def _says_either(line: Line) -> bool:
    """ "if either is below 0", and not "either A or B"."""
    return line.cur.peek().text == "either" and line.cur.peek(1).kind in ("sign", "cmp")


def _linked(line: Line, token: Token) -> None:
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
