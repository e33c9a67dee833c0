"""Ends a sentence: what waits gets its place, and what nothing was made of is noted."""

from __future__ import annotations

from bot.reading.lexer import Token
from bot.reading.rules.join import Parts, join
from bot.reading.rules.line import ROLES, Line
from bot.reading.rules.lost import loses, makes, named
from bot.reading.rules.overlooked import demands, overlooked
from bot.reading.rules.told import Rule, Told
from schemas import contract as c

MEANT = {"cmp", "cross", "break", "candle", "flip", "extreme", "highest", "lowest", "sign_cross",
         "between", "clock", "weekday", "stop", "target", "trail", "revert", "bullish_cross",
         "other_side", "or_more", "or_less", "slope", "average", "range", "body", "last", "higher",
         "lower_wick", "upper_wick", "trend"}  # fmt: skip
"""Tokens that say a rule. One that nothing was made of is asked about."""


def finish(line: Line, told: Told) -> None:
    if line.always:
        told.filters.append((None, join(line.always)))
    _prefixed(line)
    if line.pending:
        _placed(line, told)
    _dated(line)
    _bare(line, told)
    _noted(line, told)


def _prefixed(line: Line) -> None:
    """What stood before the colon holds for every rule after it."""
    if all(x.either for _, x in line.prefix) and any(r.parts for r in line.made):
        line.prefix = []  # "Donchian(20) breakout: close above ... -> long" names the idea
    if not line.prefix:
        return
    for rule in line.made:
        rule.parts = [*line.prefix, *((link or "and", x) for link, x in rule.parts)]
    if not line.made:
        line.pending = [*line.prefix, *(() if _is_named(line.prefix) else line.pending)]


def _is_named(parts: Parts) -> bool:
    """A candle by its name: what follows the colon says the same in other words."""
    return isinstance(parts[-1][1].node, c.Every)


def _placed(line: Line, told: Told) -> None:
    """Conditions without an action: those of their heading, a filter, or left waiting."""
    if line.role in ROLES or (line.act and line.rule is None):
        _under_heading(line, told)
    elif line.role == "filter":
        told.filters.append((None, join(line.pending)))
    else:
        told.waiting += [
            ("and" if told.waiting and not link else link, x)
            for link, x in line.pending
            if not x.calendar
        ]


def _under_heading(line: Line, told: Told) -> None:
    """Several sentences under one heading of an entry are one rule."""
    kind, side = line.act or ROLES[line.role]
    before = told.rules[-1] if told.rules else None
    goes_on = before is not None and (before.role, before.side) == (line.role, side)
    if before is not None and kind == "enter" and goes_on and not line.made:
        before.parts += [(link or "also", x) for link, x in line.pending]
        line.rule = before
        return
    line.rule = Rule(kind, side, line.pending, line.text, role=line.role)
    told.rules.append(line.rule)


def _dated(line: Line) -> None:
    """A day or an hour that one entry of the sentence has is meant for all of them."""
    dated = [x for r in line.made for _, x in r.parts if x.calendar and r.act == "enter"]
    for rule in line.made if dated else ():
        own = any(x.calendar for _, x in rule.parts)
        if rule.act in ("enter", "sell") and rule.parts and not own:
            rule.parts.append(("also", dated[0]))


def _bare(line: Line, told: Told) -> None:
    """ "Then buy.": on what was said before."""
    bare = [r for r in line.made if not r.parts and r.act in ("enter", "sell")]
    if bare and told.waiting:
        for rule in bare:
            rule.parts = list(told.waiting)
        told.waiting = []


def _noted(line: Line, told: Told) -> None:
    """What we cannot read yet, and the first token of meaning that was skipped."""
    depth, missed = 0, False
    for i, token in enumerate(line.cur.tokens):
        depth += {"lp": 1, "rp": -1}.get(token.kind, 0)
        if token.kind == "unsupported" and not _is_denied(line, i):
            told.unsupported.append((str(token.value), line.text))
        elif token.kind in MEANT and i not in line.cur.read and depth <= 0:
            missed |= not _is_said_elsewhere(line, token, i)
    for kind, words in named(line):
        told.named.setdefault(kind, words)
    if missed or loses(line):
        told.unread.append(line.text)
    elif makes(line) or demands(line.text):
        told.vague += overlooked(line.left, line.text, line.cur)


def _is_denied(line: Line, at: int) -> bool:
    """ "no divergences please": what is ruled out needs not be read."""
    return at > 0 and line.cur.tokens[at - 1].kind == "not"


def _is_said_elsewhere(line: Line, token: Token, at: int) -> bool:
    """A word whose meaning another place gave: a form took it, or it only names the idea."""
    match token.kind:
        case "stop" | "target":
            return [t.kind for t in line.cur.tokens[at + 1 : at + 2]] == ["slot"]
        case "trend" | "trail":
            return any(w in token.text for w in ("trend", "chandelier", "shows up"))
        case "range":
            return "opening_range" in line.cur.book.given
    return token.kind == "break" and token.value is None
