"""Bars of another length than the chart's: "the weekly RSI" on a daily chart. Pure."""

from __future__ import annotations

import re

from bot.reading.book import MINUTES
from bot.reading.market import Timeframe

FRAMES = {
    "monthly": 43200, "weekly": 10080, "w1": 10080, "1w": 10080, "daily": 1440, "d1": 1440,
    "1d": 1440, "4h": 240, "h4": 240, "4-hour": 240, "4 hour": 240, "hourly": 60, "h1": 60,
    "1h": 60, "15 minute": 15, "15min": 15, "m15": 15, "5 minute": 5, "5min": 5, "m5": 5,
}  # fmt: skip
_NAMES = "|".join(sorted(map(re.escape, FRAMES), key=len, reverse=True))
_OF_BARS = (
    r"(?:rsi|sma|ema|wma|hma|ma|macd|atr|adx|cci|stochastics?|bollinger|keltner|donchian|supertrend"
    r"|ichimoku|trend|moving average|average|momentum|roc|obv|mfi|histogram|50|100|200)"
)
_OF_WEEKS = rf"(?:{_OF_BARS}|open|close|candle|bar|vwap|pivots?)"
_BEFORE = re.compile(rf"(?<![\w-])(?:the )?({_NAMES})(?:'s)? ((?:\d+ )?(?:\w+ )?{_OF_BARS})(?!\w)")
_LONGER = re.compile(rf"(?<![\w-])(?:the )?(weekly|monthly) ((?:\w+ )?{_OF_WEEKS})(?!\w)")
_AFTER = re.compile(
    rf"{_OF_BARS}(?: ?\(?\d+\)?)? (?:\w+ ){{0,3}}?on (?:the |a )?({_NAMES})(?: (?:chart|timeframe|bars|candles|tf))?(?!\w)"
)
_CHART = re.compile(
    r"\bon (?:the |a )?(weekly|monthly)(?: (?:chart|timeframe|bars|candles|tf))?(?!\w)"
)


def other_frame(sentence: str, frame: Timeframe) -> str | None:
    """The words that speak of bars of another length, in a sentence of rules."""
    for pattern in (_BEFORE, _LONGER, _AFTER, _CHART):
        for found in pattern.finditer(sentence):
            if FRAMES[found[1]] != MINUTES[frame]:
                return found[0]
    return None
