"""Hours, weekdays and the moment of the fill, where the contract has others or none."""

from __future__ import annotations

import re

from bot.reading import market
from bot.reading.accounting import texts
from bot.reading.accounting.grammar import ENTER, LEAVE, is_rule
from bot.reading.accounting.said import Said
from bot.reading.accounting.values import clocks
from bot.reading.lexer import WEEKDAYS, tokens
from bot.reading.plain import plain
from schemas import contract as c

LONG_BARS = ("D1", "W1")


def lost_clock(sentence: Said, contract: c.Contract) -> str | None:
    """An hour of the clock; on daily bars there is none."""
    told = [t for t in tokens(sentence.plain) if t.kind == "clock"]
    if not told or not is_rule(f"trade {sentence.plain}"):
        return None
    if contract.timeframe in LONG_BARS:
        return texts.hours_on_long_bars(told[0].text, sentence, contract.timeframe)
    if any(i.kind == "opening_range" for i in contract.indicators):
        return None
    known = clocks(contract)
    for token in told:
        minute = int(str(token.value))
        if not known or min(abs(minute - x) for x in known) > 60:
            return texts.lost(token.text, sentence)
    return None


def lost_timeframe(sentence: Said, contract: c.Contract) -> str | None:
    """A rule "on the daily chart" beside hourly bars."""
    text = plain(sentence.own)
    frame, places = market.timeframe(text)
    on = [text[a:b].strip() for a, b in places if re.search(r"\bon (?:the |a )?$", text[:a])]
    if not on or frame == contract.timeframe or not is_rule(sentence.plain):
        return None
    return texts.other_bars(on[0], sentence, contract.timeframe)


_DAY = re.compile(rf"(?<!than )(?<!above )(?<!below )\b({'|'.join(WEEKDAYS)})s?(?:'s)?\b")


def lost_weekday(sentence: Said, contract: c.Contract) -> str | None:
    """The day itself, or the one before it where the order fills on its open."""
    if not is_rule(f"trade {sentence.plain}"):
        return None
    shown = repr((contract.entries, contract.exits))
    listed = re.findall(r"weekdays=\(([^)]*)\)", shown)
    days = {int(x) for part in listed for x in re.findall(r"\d", part)}
    days |= {int(x) for x in re.findall(r"'weekday'.{0,60}?Constant\(value=(\d)", shown)}
    for found in _DAY.finditer(sentence.plain):
        day = WEEKDAYS.index(found[1])
        if not days & {day, (day - 1) % 7, (day - 3) % 7 if day == 0 else day} and not _spans(
            sentence.plain
        ):
            return texts.lost(found[0], sentence)
    return None


def _spans(text: str) -> bool:
    """ "Monday to Friday" is the week."""
    return bool(re.search(r"monday (?:to|through|until|-) (?:friday|sunday)", text))


_CLOSE = re.compile(
    rf"\b(?:at|on|by|buy|sell|exit|cover|short) (?:it )?(?:(?:{'|'.join(WEEKDAYS)})'?s?|the|that day's|the day's|today's) close"
    r"(?=\s*(?:$|[.,;)]|the same|that (?:same )?day|if\b|and\b|when\b))"
    r"|\b(?:the )?same (?:day|session)(?='s close|\s*(?:$|[.,;]))|market on close|\bmoc\b"
)
_OPEN = re.compile(r"\bgap\w*\b.*\bat the open\b|\bat the open\b.*\bgap\w*\b")
_KNOWS = re.compile(r"next (?:day's )?open|fills?\b|following open")


def at_a_close(sentence: Said, contract: c.Contract) -> str | None:
    """Orders fill on the open after the bar that decides, which on daily bars is another day."""
    acts = re.search(f"{ENTER}|{LEAVE}", sentence.plain)
    if contract.timeframe not in LONG_BARS or not acts or _KNOWS.search(sentence.plain):
        return None
    if found := _CLOSE.search(sentence.plain):
        return texts.fills_later(found[0], sentence)
    if _OPEN.search(sentence.plain):
        return texts.fills_later("at the open", sentence)
    return None
