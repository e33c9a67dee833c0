"""A number that the contract does not have, or has in a part that its sentence does not speak of."""

from __future__ import annotations

import re

from bot.reading.accounting import texts
from bot.reading.accounting.grammar import ENTER, IF, LEAVE, LEVEL, is_rule
from bot.reading.accounting.said import Said
from bot.reading.accounting.values import Values, counts, has, values
from schemas import contract as c

_NUMBER = re.compile(
    r"(?<![\w.:/])[-+]?[$€£]?\s?(\d+(?:\.\d+)?)(?![\d:]|\.\d|s\b|(?:st|nd|rd|th)\b|\s?[ap]\.?m\b)"
    r"(?:[\s-]*([a-z%]+))?"
)
_TRIVIAL = {0.0, 1.0}
"""Nearly every contract has them, said or not."""
_WORKED_OUT = re.compile(
    r"\b(?:volume|units|size) = [^;]*|\b0 to 100\b|\btick(?: size)? = [\d.]+|\+ ?c(?:lose)?\)? ?(?:over|/) ?3\b"
)
"""Says again how a thing is worked out: its size, its scale, its tick, the pivot."""


def lost_number(sentence: Said, contract: c.Contract) -> str | None:
    if not is_rule(sentence.plain):
        return None
    known, text = values(contract), _WORKED_OUT.sub(" ", sentence.plain)
    for found in _NUMBER.finditer(text):
        value, unit = float(found[1]), found[2] or ""
        named = sentence.role == "title" and unit not in ("%", "percent", "bars", "pips")
        if value not in _TRIVIAL and not named and not has(known.all, value, unit):
            return texts.lost(found[0].strip(), sentence)
    lost = (_lost_count, _lost_delay)
    asked = next((q for check in lost if (q := check(text, sentence, contract))), None)
    return asked or _bare_level(sentence, contract)


_NTH = re.compile(r"(?<!top )(?<!bottom )(?<!upper )(?<!lower )\b(\d+)(?:nd|rd|th)\b(?: \w+){0,3}")
_ROW = re.compile(
    r"\b(?:in a row|straight (?:bar|day|candle|close|loss|win)\w*|consecutive\w*|days straight)\b"
)


def _lost_count(text: str, sentence: Said, contract: c.Contract) -> str | None:
    """The third one, or three in a row, where the contract counts nothing."""
    known, shown = values(contract), repr((contract.entries, contract.exits))
    for found in _NTH.finditer(text):
        if sentence.role != "title" and not has(known.all, float(found[1]), ""):
            return texts.lost(found[0], sentence)
    row = _ROW.search(text)
    if row and "InARow(" not in shown and not re.search(r"shift=[1-9]", shown):
        return texts.lost(row[0], sentence)
    return None


_DELAY = re.compile(
    r"\b(?P<n>\d+)[ -](?P<unit>bar|day|candle|session|week|month|hour|minute)s?"
    r" (?:after|afterwards|later|ago|earlier|before)\b"
    r"|\bwait\w*(?: for)?(?: another)? (?P<wait>\d+) \w+"
    r"|\b(?P<nth>\d+)(?:nd|rd|th) (?:day|bar|candle|session)(?! of\b)"
)


def _lost_delay(text: str, sentence: Said, contract: c.Contract) -> str | None:
    """ "3 days after RSI(2) is below 10": the length of an indicator is no delay."""
    known, timed = counts(contract), contract.risk.exit_at or "Session(" in repr(contract.entries)
    for found in _DELAY.finditer(text):
        number, unit = found["n"] or found["wait"] or found["nth"], found["unit"] or "day"
        by_the_clock = timed and unit in ("hour", "minute")
        if (
            float(number) not in _TRIVIAL
            and not by_the_clock
            and not has(known, float(number), unit)
        ):
            return texts.lost(found[0].strip(), sentence)
    return None


_BARE = re.compile(
    r"\b(?:sl|tp|stop(?:[ -]?loss)?|target|take[ -]profit)\s*[:=]?\s*(\d+(?:\.\d+)?)(?=\s*(?:$|[,;.)]|tp\b|and\b|target\b|sl\b|stop\b))"
)


def _bare_level(sentence: Said, contract: c.Contract) -> str | None:
    """ "sl 10": of what? Taken for a price, it may never be reached."""
    fixed = [x.price for x in (*contract.risk.stops, *contract.risk.targets) if x.price]
    found = _BARE.search(sentence.plain)
    if found and any(isinstance(x, c.Constant) and x.value == float(found[1]) for x in fixed):
        return texts.which_unit(found[0], sentence)
    return None


def misplaced_number(sentence: Said, contract: c.Contract) -> str | None:
    """A number in the condition of an entry stands in an entry, that of an exit in an exit."""
    known = values(contract)
    shorts = any(e.side is c.Side.SHORT for e in contract.entries)
    for part, action in _clauses(sentence.plain):
        if action.startswith("sell") and shorts or contract.reverse:
            continue  # "sell" may be either
        leaves = re.fullmatch(LEAVE, action) is not None
        for found in _NUMBER.finditer(part):
            value, unit = float(found[1]), found[2] or ""
            if value not in _TRIVIAL and not _stands(known, value, unit, leaves):
                return texts.misplaced(found[0].strip(), sentence, "exit" if leaves else "entry")
    return None


def _stands(known: Values, value: float, unit: str, leaves: bool) -> bool:
    if leaves:
        return has(known.exits | known.risk | known.told, value, unit)
    if unit in ("%", "percent"):
        return has(known.entries, value, unit)
    return has(known.entries | known.risk | known.told, value, unit)


_ACTION = re.compile(f"{ENTER}|{LEAVE}")
_END = re.compile(rf",|->|:(?!\d)|\bthen\b|\band\b(?=[^,]*(?:{ENTER}|{LEAVE}))|{LEVEL}")


def _clauses(text: str) -> list[tuple[str, str]]:
    """The conditions whose action is plain: what stands before the first action of a sentence that
    begins with "when", and what follows "when" right after an action; each with that action."""
    actions = list(_ACTION.finditer(text))
    if not actions:
        return []
    found = list[tuple[str, str]]()
    before = text[: actions[0].start()]
    opening = re.match(rf"\W*(?:{IF})", before)
    if opening and not re.search(rf"{LEVEL}|\bafter\b", before):
        found.append((before, actions[0][0]))
    for at, action in enumerate(actions):
        until = actions[at + 1].start() if at + 1 < len(actions) else len(text)
        after = text[action.end() : until]
        when = re.search(r"\b(?:if|when|whenever|once)\b", after)
        if when and not opening:
            clause = after[when.end() :]
            end = _END.search(clause)
            whole = clause[: end.start()] if end else clause
            if not (end and re.match(LEVEL, end[0])):
                found.append((whole, action[0]))
    return found
