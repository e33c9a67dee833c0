"""Stops, trails, flips and pauses as people say them in passing, in sentences of their own. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.reading.phrases import replaced

_AMOUNT = r"\d+(?:\.\d+)? ?(?:%|percent|pips?|points?|ticks?|x atr|atr|r)?"
_UNIT = r"(?:%|percent|pips?|points?|ticks?|atr|x atr)"
_LINE = (
    r"((?:lower |upper |middle )?(?:donchian|keltner|bollinger)(?: channel| band)?s?(?: ?\([^)]*\))?"
    r"|\d+[- ](?:day|bar|period) (?:ema|sma|wma|low|moving average)|\d+ (?:ema|sma|wma)"
    r"|(?:ema|sma|wma) ?\(?\d+\)?)"
)
_UP = r"(?:being |we are |we're |it is |it's |the trade is |position is |i am |i'm )*(?:up|ahead|in profit(?: by)?|in the money(?: by)?)(?: by| at least)*"
_FALLS = r"(?:dips?|falls?|drops?|goes|moves?|sinks?|gets)"
_RISES = r"(?:rises?|climbs?|goes|moves?|jumps?|gets|shoots?)"
_RETURNS = (
    r",? (?:and|but|then|and then|before)(?: then)? (?:comes?|gets?|climbs?|rises?|goes|moves?|crosses|closes|turns?|falls?|drops?|coming|getting|rising|falling)"
    r"(?: back)"
)
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_CLOCK = r"(\d{1,2}:\d{2})"
_FLIP = r"\b(?:exit|close|leave|get out|out)(?: trades?| it| the trade| the position)? (?:on|at|with) (?:the |an? )*(?:next|opposite|reverse|other) (?:sar |psar |supertrend |parabolic sar )?flip\b"
SAID: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bib (?=fees?|commissions?|costs?|pricing|rates?)", "broker "),
    (
        rf"\btrail(?:ing)?(?: stop)? (\d+(?:\.\d+)? ?{_UNIT}) after \+?(\d+(?:\.\d+)? ?(?:{_UNIT}|r))(?: (?:of )?(?:profit|gain))?",
        r"\1 trailing stop, active once the trade is up \2",
    ),
    (
        r"\bwith (?:an? |the )?(rising|falling) ((?:\d+[- ](?:day |bar |period )?)?(?:sma|ema|wma|moving average|adx|obv)(?: ?\(?\d+\)?)?)",
        r"and \2 is \1",
    ),
    (
        r"(?m)((?:^|[.\n])\s*)(?:the )?(?:1st|first|opening) (\d+) min(?:ute)?s?(?:'s?)? (?:high ?/ ?low|high and low|range)(?=\s*[.\n])",
        r"\1the opening range is the high/low of the 1st \2 minutes",
    ),
    (
        rf"\b({_AMOUNT}) (stop loss|stop|sl) and (?:an? |the )?(take profit|target|tp)(?: is| of| at)? (?=\d)",
        r"\1 \2. \3 ",
    ),
    (
        rf"\b({_AMOUNT}) (take profit|target|tp) and (?:an? |the )?(stop loss|stop|sl)(?: is| of| at)? (?=\d)",
        r"\1 \2. \3 ",
    ),
    (r",? (?:and |with )?(?:an? |the )?(?:initial|hard|protective) (stop(?: loss)?|sl) (?=\d)", r". \1 "),
    (
        rf"\btrail(?:ing)?(?: the)?(?: stop)?(?: by| of| at)? (\d+(?:\.\d+)? ?{_UNIT})(?: stop)? (?:after|once|when|as soon as) {_UP} ?(\d+(?:\.\d+)? ?(?:{_UNIT}|r))",
        r"\1 trailing stop, active once the trade is up \2",
    ),
    (
        rf"{_FALLS} (?:below|under) {_NUMBER}{_RETURNS} (?:above|over|up through|through)(?: (?:it|that|that level|\1))?(?![\w.])",
        r"crosses above \1",
    ),
    (
        rf"{_RISES} (?:above|over) {_NUMBER}{_RETURNS} (?:below|under|down through|through)(?: (?:it|that|that level|\1))?(?![\w.])",
        r"crosses below \1",
    ),
    (
        rf"\bno (?:new )?(?:trading|trades?|entries|positions?)(?: from| between)? {_CLOCK} ?(?:-|to|until|and) ?{_CLOCK}",
        r"no entries between \1 and \2",
    ),
    (
        r"\b(above|below|over|under) (?:the |its |their )?(50|100|150|200)[- ]?day(?=\s*(?:[.,;)\n]|$|and\b|or\b))",
        r"\1 the \2-day sma",
    ),
)  # fmt: skip


def in_passing(text: str) -> str:
    text = replaced(text, SAID)
    text = _of_the_range(_flips(text))
    if not re.search(r"\bshorts?\b", text):
        text = re.sub(
            rf",? (?:and )?\btrail(?:ing)?(?: the)?(?: stop| exit)? (?:it )?(?:by|with|at|along|under|below|using|on) (?:the |an? )?{_LINE}",
            r". exit when the close is below \1",
            text,
        )
    return text


def _of_the_range(text: str) -> str:
    """Where a range was told, the high that is broken is the range's: no bar breaks its own."""
    if not re.search(r"\brange is the high\b", text):
        return text
    broken = r"\bbreak(?:s|out)?(?: of| above| over| below| under| through)? (?:the|that|its) (high|low)(?=\s*(?:[.,;\n]|$|and\b|on\b|with\b|if\b))"
    return re.sub(
        broken,
        lambda m: f"when the close is {'above' if m[1] == 'high' else 'below'} the range {m[1]}",
        text,
    )


def _flips(text: str) -> str:
    """The line that the request speaks of turns to the other side."""
    if re.search(r"\b(?:p?sar|parabolic)\b", text):
        up, down = "sar flips below price", "sar flips above price"
    elif "supertrend" in text:
        up, down = "supertrend turns green", "supertrend turns red"
    else:
        return text
    both = f"exit longs when {down}. exit shorts when {up}"
    return re.sub(_FLIP, both if "short" in text else f"exit when {down}", text)
