"""Finds what a sentence says and no rule was made of: a number, an earlier bar. Pure."""

from __future__ import annotations

from bot.reading.lexer import Amount, Token
from bot.reading.rules.line import Line

COUNTED = ("percent", "pips", "price", "money", "ticks", "bars", "days", "weeks", "hours",
           "minutes", "r", "lots", "units", "months")  # fmt: skip
"""Units of a rule. A number without one, beside no indicator, may be anything."""
RULES = {"cmp", "cross", "break", "candle", "flip", "sign_cross", "enter", "exit", "sell", "stop",
         "target", "trail", "limit"}  # fmt: skip
DENIES_ON = {"comma", "or", "ind", "slash", "num", "amount"}
"""What a "no" goes on over: "no RSI, no 200 day SMA or ADX"."""
EARLIER = {"back", "prev", "since_entry", "inside", "outside", "cloud"}


def loses(line: Line) -> bool:
    """A number or an earlier bar in a sentence of rules that nothing was made of."""
    if not makes(line):
        return False
    if _leaves_at_nothing(line) or _only_names_its_signal(line):
        return True
    known = _known_numbers(line)
    for i, token in enumerate(line.cur.tokens):
        if i in line.cur.read or i in line.cur.named:
            continue
        if token.kind in EARLIER and not (_of_a_trail(line, token) or _says_again(line, i, known)):
            return True
        if _number(token) not in known and not _divides(line, i):
            return True
    return False


def makes(line: Line) -> bool:
    """Is anything of a strategy in this sentence?"""
    return bool(line.made or line.pending or line.rule or _says_a_rule(line))


def _leaves_at_nothing(line: Line) -> bool:
    """ "Exit at the stochastic": an exit that names an indicator and says nothing of it."""
    if any(t.kind in ("opposite", "slot", "else_flat", "reverse") for t in line.cur.tokens):
        return False
    spoken = any(line.cur.tokens[i].kind == "ind" for i in line.cur.named)
    return spoken and any(r.act != "enter" and not r.parts for r in line.made)


def _only_names_its_signal(line: Line) -> bool:
    """ "Take RSI buy signals", "near the lower band": of what the rule is, nobody says."""
    cur = line.cur
    enters = any(r.act == "enter" and r.parts for r in line.made)
    for i in cur.named - cur.read:
        after = cur.tokens[i + 1 : i + 3]
        if after and after[0].kind in ("enter", "sell") and any("signal" in t.text for t in after):
            return True
        if enters and _is_a_band(cur.tokens[i]):
            return True
    return False


def _is_a_band(token: Token) -> bool:
    output = token.value[1] if isinstance(token.value, tuple) else ""
    return token.kind == "band" or output in ("upper", "lower", "middle")


def named(line: Line) -> list[tuple[str, str]]:
    """The indicators of this sentence that it does not rule out, each as it was written."""
    found, denied, depth = list[tuple[str, str]](), False, 0
    for token in line.cur.tokens:
        depth += {"lp": 1, "rp": -1}.get(token.kind, 0)
        if depth > 0:
            continue
        denied = token.kind == "not" or denied and token.kind in DENIES_ON
        if token.kind == "ind" and isinstance(token.value, tuple) and not denied:
            found.append((str(token.value[0]), token.text))
    return found


def _says_a_rule(line: Line) -> bool:
    return any(t.kind in RULES and i in line.cur.read for i, t in enumerate(line.cur.tokens))


def _known_numbers(line: Line) -> set[float | None]:
    """Said again: a setting of an indicator, or a number that was read in this sentence."""
    known: set[float | None] = {None, 1.0}
    for about in line.cur.book.used.values():
        known |= {p.value for p in about.parameters}
    for values in line.cur.book.given.values():
        known |= set(values.values())
    known |= {_number(t) for i, t in enumerate(line.cur.tokens) if i in line.cur.read}
    return known


def _of_a_trail(line: Line, token: Token) -> bool:
    """ "trailing stop 40 pips from the best close since entry": a trail is counted from there."""
    return token.kind == "since_entry" and any(t.kind == "trail" for t in line.cur.tokens)


def _says_again(line: Line, at: int, known: set[float | None]) -> bool:
    """ "(the previous 20 bars)" after the channel of 20 bars."""
    after = line.cur.tokens[at + 1 : at + 2]
    return bool(after) and _number(after[0]) is not None and _number(after[0]) in known


def _divides(line: Line, at: int) -> bool:
    """ "(upper + lower) / 2" says again what a middle is."""
    return at > 1 and [t.kind for t in line.cur.tokens[at - 2 : at]] == ["rp", "slash"]


def _number(token: Token) -> float | None:
    if isinstance(token.value, Amount) and token.value.unit in COUNTED:
        return token.value.value
    return float(token.value) if token.kind == "num" and isinstance(token.value, float) else None
