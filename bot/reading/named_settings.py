"""Settings of a channel that are said by name, as the numbers in brackets that all know. Pure."""

from __future__ import annotations

import re

N = r"\d+(?:\.\d+)?"
_OF = r"(?: length| period| lookback)?\s*(?:of|:|=)?\s*"
_ITEM = (
    rf"(?:(?P<w{{0}}>{N})\s*(?:x|times|\*)?\s*atrs?(?:\s*\(\s*(?P<a{{0}}>\d+)\s*\)|\s+(?P<c{{0}}>\d+))?(?! ?length| ?period)"
    rf"|(?P<s{{0}}>{N})\s*(?:standard deviations?|std ?devs?|stdevs?|sd|sigmas?|deviations?)"
    rf"|(?:multiplier|mult|factor|width|deviations?|std ?dev){_OF}(?P<m{{0}}>{N})"
    rf"|atr{_OF}\(?(?P<b{{0}}>\d+)\)?(?! ?x)"
    rf"|(?:ema|sma|ma|basis|average|length|period|lookback){_OF}\(?(?P<l{{0}}>\d+)\)?"
    rf"|(?P<k{{0}}>\d+)(?:[ -](?:period|bar|day)s?)?(?: ema| sma| ma)?)"
)
_BETWEEN = r"\s*(?:,|/|and|with|plus/minus|\+|an?|the|\s)+\s*"
_SAID = re.compile(
    r"\b(?P<kind>keltner(?: channels?| bands?)?|super ?trend|bollinger(?: bands?)?)"
    r"(?P<lead>(?:\s*(?:settings?|parameters?|params|with|using|of|is|are|has|:|=|,|an?|the|\()\s*)*)"
    rf"\s*{_ITEM.format(1)}{_BETWEEN}{_ITEM.format(2)}(?:{_BETWEEN}{_ITEM.format(3)})?(?P<end>\))?(?![\w%])"
)


def with_settings(text: str) -> str:
    """ "Keltner with EMA 20, ATR 14 and multiplier 2.5" is Keltner(20, 2.5, 14)."""
    return _SAID.sub(_numbers, text)


def _numbers(said: re.Match[str]) -> str:
    named = {
        key[0]: value for key, value in said.groupdict().items() if value and key[-1].isdigit()
    }
    if not set(named) - {"k"}:
        return said[0]
    opened, closed = said["lead"].count("("), bool(said["end"])
    if opened != closed:
        return said[0]
    width = named.get("m") or named.get("w") or named.get("s")
    atr = named.get("a") or named.get("b") or named.get("c")
    length = named.get("l") or named.get("k")
    if said["kind"].startswith("super"):
        length, atr = atr or length, None
    numbers = [x for x in (length, width, atr) if x]
    return f"{said['kind']} ({', '.join(numbers)})" if length and width else said[0]
