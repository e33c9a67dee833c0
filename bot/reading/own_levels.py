"""Lines that a person makes of others: "upper line = SMA(20) + 2*ATR(14)". Pure."""

from __future__ import annotations

import re

_NAME = r"(?:(?:the |my )?(?:upper|lower|top|bottom|buy|sell|entry|exit|long|short|trigger) (?:line|level|band|trigger|threshold|channel|price)|upper|lower)"
_TOLD = re.compile(
    rf"(?:^|(?<=[.,;:\n]))\s*(?:and )?(?P<name>{_NAME}) ?(?:=|:=|is) ?"
    r"(?P<made>(?:the )?(?:sma|ema|wma|close|vwap|high|low|open|yesterday's \w+|previous \w+|highest|lowest)\b(?:[^.,;\n]|\.(?=\d)|,(?=\d))*? ?(?:[-+*]|plus|minus) ?(?:[^.,;\n]|\.(?=\d)|,(?=\d))+)",
    re.M,
)


def with_own_levels(text: str) -> str:
    """Each as it is made, wherever it is named; the definitions go."""
    told = {
        m["name"].removeprefix("the ").removeprefix("my "): m["made"].strip()
        for m in _TOLD.finditer(text)
    }
    if not told:
        return text
    rest = _TOLD.sub(" ", text)
    for name, made in told.items():
        rest = re.sub(rf"\b(?:the |my )?{name}\b", made.replace("\\", ""), rest)
    return rest
