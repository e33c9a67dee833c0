"""Where a candle stands, and the edges of its whole pattern: "a hammer at a 10-day low". Pure."""

from __future__ import annotations

import re

from bot.reading.own_words import NAME

_BARS = {
    3: r"morning star|evening star|white soldiers|black crows",
    2: r"engulfing|harami|piercing line|dark cloud cover|tweezer",
}
_OF = r"(?: candles?| bars?| days?| pattern)?(?: ?\([^()]*\))?"
_AT_EXTREME = re.compile(
    rf"\b(?P<candle>{NAME}{_OF}) (?:at|on|near) (?:a|the|its) (?:new )?(?P<length>\d+)[ -](?P<unit>day|bar|candle)s? (?P<side>low|high)\b"
)
_AT_BAND = re.compile(
    rf"\b(?P<candle>{NAME}{_OF}) (?:at|on|off|from) (?P<line>(?:the |its )?(?P<side>lower|upper) (?:bollinger |keltner |donchian )?(?:band|channel))\b"
)
_PATTERN = (
    r"(?:the |this |that |its )?(?:whole |entire |3 candle |3 bar |2 candle )?(?:pattern|formation)"
)
_EDGE = re.compile(
    rf"(?<!'s )(?:the )?(?:lowest |highest )?(?P<side>low|high) of {_PATTERN}\b|{_PATTERN}(?:'s)? (?:lowest |highest )?(?P<own>low|high)\b"
)


def placed(text: str) -> str:
    text = _AT_EXTREME.sub(_at_extreme, text)
    text = _AT_BAND.sub(_at_band, text)
    bars = {n for n, names in _BARS.items() if re.search(rf"\b(?:{names})\b", text)}
    bars |= set() if bars or not re.search(rf"\b{NAME}\b", text) else {1}
    return _EDGE.sub(lambda m: _edge(m, bars.copy()), text)


def _at_extreme(found: re.Match[str]) -> str:
    side = found["side"]
    return f"{found['candle']} and the {side} is the {side}est {side} of the last {found['length']} {found['unit']}s"


def _at_band(found: re.Match[str]) -> str:
    side = "low is at or below" if found["side"] == "lower" else "high is at or above"
    return f"{found['candle']} and the {side} {found['line']}"


def _edge(found: re.Match[str], bars: set[int]) -> str:
    """Of all the bars of the one pattern that is spoken of; else as it was said."""
    side = found["side"] or found["own"]
    if len(bars) != 1:
        return found[0]
    length = bars.pop()
    return f"the {side}est {side} of the last {length} bars" if length > 1 else f"the {side}"
