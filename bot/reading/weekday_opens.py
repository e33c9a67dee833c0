"""Orders at the open of a weekday, on daily bars: decided on the day before. Pure."""

from __future__ import annotations

import re

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
_DAY = rf"({'|'.join(_DAYS)})"
_OPEN = re.compile(
    rf"\b(?:(?:at|on) (?:the )?(?:(?:next|following) )?{_DAY}(?:'s)? (?:open|opening|morning)"
    rf"|(?:at|on) the open(?:ing)? (?:on|of|every|each) (?:the )?(?:(?:next|following) )?{_DAY}s?"
    rf"|(?:on )?{_DAY}s? at the open(?:ing)?)\b(?! (?:is|was|gaps?)\b)"
)
_DAILY = re.compile(r"\b(?:daily|d1|1d|day chart|day bars)\b")
_COLOUR = re.compile(
    rf"\b{_DAY}(?:'s (?:bar|candle))? (?:is|was|closed|closes|ended|ends)(?: as)?(?: an?)? (red|green)(?: day| bar| candle)?\b"
)
_CLOSED = re.compile(
    rf"\b{_DAY} (?:closed|has closed|ended) (lower|higher|below|above)(?: than)? (?:the )?(?:previous |last )?{_DAY}(?:'s close)?"
)
_BEFORE = re.compile(
    r"((?:on|at) monday(?:'s)?(?: close)? (?:if|when) (?:the |it )?(?:close|closes)(?: is)? (?:lower|higher|below|above)(?: than)?) (?:on )?(?:the )?(?:last |previous )?friday(?:'s close)?"
)


def at_weekday_opens(text: str) -> str:
    """ "Buy at Tuesday's open if Monday closed lower than Friday": on Monday's close, that is."""
    text = _BEFORE.sub(r"\1 the previous close", text)
    text = _CLOSED.sub(r"it is \1 and the close is \2 than the previous close", text)
    text = _COLOUR.sub(r"it is \1 and the candle is \2", text)
    return _OPEN.sub(_day_before, text) if _DAILY.search(text) else text


def _day_before(found: re.Match[str]) -> str:
    day = next(x for x in found.groups() if x)
    return f"on {_DAYS[_DAYS.index(day) - 1]}"
