"""The other side, the other direction, so many deviations away: what is told by what it is not. Pure."""

from __future__ import annotations

import re

from bot.reading.phrases import replaced

_OPPOSITE = (
    r"(?:the |exact(?:ly)? |just |simply |everything |all )*(?:opposite|reverse[d]?|invert(?:ed)?"
    r"|inverse|mirror(?:ed)?|vice versa|other way (?:a)?round|same (?:but )?(?:reversed|inverted|mirrored))"
)
_SHORT_SIDE = re.compile(
    rf"(?m)((?:^|[.;\n])\s*(?:[-*]\s+)?)(?:go )?shorts?(?: side| entry| entries| trades?)?\s*(?::|=|->|-|is|are)\s*{_OPPOSITE}(?: conditions?| rules?| setup| of (?:the )?longs?| for shorts?)*(?=\s*(?:[.,;\n(]|$))"
)
_LEAVE = r"(?:exit|exits|leave|close|get out|close the trade|exit the trade|exit trades?)"
_TURNS = re.compile(
    rf"\b({_LEAVE}) (?:when|if|once|as soon as) (?P<left>(?:[^.,;\n]|\.(?=\d)){{2,40}}?) cross(?:es)? (?:the |over |through |back over |back through )*(?P<right>(?:[^.,;\n]|\.(?=\d)){{2,40}}?) (?:in|to|from) the (?:other|opposite|reverse) (?:direction|way|side)"
)
_DEVIATIONS = re.compile(
    r"(?:(?:more than|at least|over) )?(?P<many>\d+(?:\.\d+)?) ?(?:standard deviations?|std\.? ?dev(?:iation)?s?|stdevs?|stds?|sigmas?|sds?) (?:or more )?(?P<way>below|under|beneath|above|over) "
    r"(?:the |its |their )?(?:(?P<a>\d+)[- ]?(?:day|bar|period|hour|week)?s? ?(?:simple )?(?:moving average|ma|sma|average|mean)|(?:sma|ma|simple moving average|moving average) ?\(?(?P<b>\d+)\)?|(?P<vwap>vwap))\b\)?"
)
_HOURS = r"(?:between|from) (\d{1,2}:\d{2}) (?:and|to|until|till|-) (\d{1,2}:\d{2})"
_MARK = re.compile(
    rf"\b(?:mark|note|take|record|measure|draw)(?: down)? (?:the )?(?:(?:asian|overnight|night|session|morning) )?(?:high and (?:the )?low|high/low|range)(?: of the (?:asian |overnight |night )?(?:session|range))? {_HOURS}"
)
_NAMED_RANGE = re.compile(r"\b(asian|overnight|tokyo|night)(?: session| range)?('s)? (high|low)\b")
_EACH_HIGHER = re.compile(
    r"\b(\d) (green|red|up|down|bullish|bearish) (bars|candles|days)( in a row)?,? (?:each|all|every one) (?:of them )?(?:closing|with a close) (higher|lower|above|below)(?: than)?(?: the (?:previous|prior|last|one before|one)(?: before)?(?: (?:one|close|bar|candle|day))?(?:'s close)?)?"
)
_CHANDELIER = re.compile(
    r"\b(\d+(?:\.\d+)?) ?(?:x |times )?(atr(?: ?\(\d+\))?) chandelier(?: stop| exit)?"
)
_PLAINER = (
    (
        r"\b(?:if|when) (?P<p>[^.;\n]{8,60}?) and (?P<q>(?:today |price |it |the close )?(?:closes|breaks|is) (?:above|below)[^.;\n]{3,40}?),? (?P<a>buy|go long|long)[;,.] (?:and )?(?:if|when) (?:it |price |today )(?P<r>(?:closes|breaks|is) (?:above|below)[^.;\n]{3,40}?),? (?P<b>go short|short|sell short)\b",
        r"\g<a> when \g<p> and \g<q>. \g<b> when \g<p> and price \g<r>",
    ),
    (
        r"\b((?:\d+[- ](?:period|day|bar) )?(?:rsi|cci|adx|mfi|stochastic|williams %r|macd)(?: ?\([^)]*\))?) clos(?:es|ed) (above|below|over|under)\b",
        r"\1 is \2",
    ),
    (
        r"\bwithin (\d+(?:\.\d+)?) ?% of (?:the |its |a )?(\d+)[- ](day|week|bar|month) high\b",
        r"at most \1% below the highest high of the last \2 \3s",
    ),
    (
        r"\bwithin (\d+(?:\.\d+)?) ?% of (?:the |its |a )?(\d+)[- ](day|week|bar|month) low\b",
        r"at most \1% above the lowest low of the last \2 \3s",
    ),
    (
        r"\buse (?:all|100 ?%|everything)(?: of)?(?: the| my)?(?: equity| capital| account| money)?(?=\s*[.\n]|$)",
        "size 100% of equity",
    ),
    (r"(?<![\w.$])(\d{4,7}) (?=(?:per|each|for each|in each) (?:trade|position)\b)", r"$\1 "),
    (
        r"(?m)((?:^|[.;\n])\s*(?:[-*] )?)(?:(?:position size|position|size): ?|(?:position )?size(?: is| of)? )[$€£]? ?(\d[\d,]*) ?(?:usd|dollars?|eur|euros?|bucks)(?: per trade)?(?=\s*(?:[.,;\n]|$))",
        r"\1$\2 per trade",
    ),
    (
        r"(\d ?%) (above|below) the (\d+)[- ](day|bar|week|period) (high|low)\b",
        r"\1 \2 the previous \3 \4 \5",
    ),
    (
        r"\bthe (?:market|stock|index|pair|etf|share|coin|asset|instrument)(?= (?:is|closes|trades|must|has to|was|stays|remains) )",
        "the close",
    ),
    (
        r"\b(?:sell|exit|get out|leave|out)(?: it| when price is| if price falls| when it falls| at)* (\d+(?:\.\d+)? ?%) (?:below|under|off|from) (?:the |its )?(highest close|highest high|peak|high) since (?:the |my )?(?:entry|fill|purchase)\b",
        r"trailing stop \1 from the \2 since entry",
    ),
    (
        r"\b((?:sma|ema|wma|ma) ?\(?\d+\)?)(?:'s)? slope (?:is )?(?:positive|up|rising|upwards?) \((?:it is )?(?:higher|above)(?: than)? (\d+) (bars|days) ago\)",
        r"\1 is above \1 \2 \3 ago",
    ),
    (
        r"\b((?:\d+[- ](?:day |bar |period )?)?(?:sma|ema|wma|ma)(?: ?\(?\d+\)?)?)(?:'s)? slope (?:is )?(?:positive|up|rising|upwards?)\b",
        r"\1 is rising",
    ),
    (
        r"\b((?:\d+[- ](?:day |bar |period )?)?(?:sma|ema|wma|ma)(?: ?\(?\d+\)?)?)(?:'s)? slope (?:is )?(?:negative|down|falling|downwards?)\b",
        r"\1 is falling",
    ),
    (
        r"(\bcross(?:es|ed|ing)? (?:above|over|up|up through|through) [^.,;\n]{2,30}?) from (?:below|underneath|under)\b",
        r"\1",
    ),
    (
        r"(\bcross(?:es|ed|ing)? (?:below|under|down|down through) [^.,;\n]{2,30}?) from above\b",
        r"\1",
    ),
    (r"\b(\d+) (days|bars|closes|candles|sessions) running\b", r"\1 \2 in a row"),
    (r"\b(?:exit|sell|out|leave|flat|cash) otherwise\b", "otherwise out"),
    (
        r"\b(?:close|exit|leave|get out)(?: the)?(?: trades?| positions?| it)? (?:at|on|with|upon) (?:the |an? )?(?:opposite|reverse|other|contrary) (?:entry )?signals?\b",
        "exit on the opposite signal",
    ),
    (
        r"\bpull(?:s|ing)?[- ]?back (?:to|into) (?:the )?(?P<line>[\w() ]{3,24}?)(?: \([^)]*\))?,? (?:and |then |but )*(?:a )?close[sd]? back (?P<way>above|over)(?: it)?(?=\s*(?:->|=|[,.;\n]|$|go\b|buy\b|long\b))",
        r"the low is at or below \g<line> and the close is above \g<line>",
    ),
    (
        r"(?P<first>(?:[^.,;\n:]|\.(?=\d)){5,70}), then (?P<up>(?:[^.,;\n]|\.(?=\d)){4,50}?) ?(?:->|=|:) ?(?P<a>long|buy), ?(?P<down>(?:[^.,;\n]|\.(?=\d)){4,50}?) ?(?:->|=|:) ?(?P<b>short|sell short|sell)\b",
        r"\g<a> when \g<first> and \g<up>. \g<b> when \g<first> and \g<down>",
    ),
)
"""Words that add nothing, or that stand for a whole rule."""
_NOT_FAR = re.compile(
    r"(?:\bis )?(?:at most|no more than|not more than|less than|within) (\d+(?:\.\d+)?) ?% (below|under|above|over) (?=(?:the |its )?(?:highest|lowest|sma|ema|\d+[- ]))"
)
REST = "deviations around vwap"
"""No such bands are known: what asks for them is asked about."""


def told_otherwise(text: str) -> str:
    text = _SHORT_SIDE.sub(r"\1mirror image for shorts", text)
    text = _TURNS.sub(_both_ways if "short" in text else _down, text)
    text = _DEVIATIONS.sub(_band, text)
    text = _EACH_HIGHER.sub(_each, text)
    text = re.sub(rf"\btrail with an? (?={_CHANDELIER.pattern[2:]})", "", text)
    text = _CHANDELIER.sub(r"chandelier exit \1 \2", text)
    text = replaced(text, _PLAINER)
    text = _NOT_FAR.sub(_at_least, text)
    return _ranges(text)


def _at_least(found: re.Match[str]) -> str:
    """ "At most 1% below it": at or above 0.99 times it."""
    below, part = found[2] in ("below", "under"), float(found[1]) / 100
    side, times = ("at or above", 1 - part) if below else ("at or below", 1 + part)
    return f"is {side} {round(times, 6):g} times "


def _both_ways(found: re.Match[str]) -> str:
    left, right = found["left"], found["right"]
    return (
        f"exit long when {left} crosses below {right}. exit short when {left} crosses above {right}"
    )


def _down(found: re.Match[str]) -> str:
    return f"{found[1]} when {found['left']} crosses below {found['right']}"


def _band(found: re.Match[str]) -> str:
    if found["vwap"]:
        return f"{found['way']} {REST}"
    low = found["way"] not in ("above", "over")
    length = found["a"] or found["b"]
    band = f"{'lower' if low else 'upper'} bollinger band ({length}, {found['many']})"
    return f"{'below' if low else 'above'} the {band}"


def _each(found: re.Match[str]) -> str:
    way = "higher" if found[5] in ("higher", "above") else "lower"
    return f"{found[1]} {found[2]} {found[3]} in a row and {found[1]} {way} closes in a row"


def _ranges(text: str) -> str:
    """A range by the clock, and its ends by its name."""
    text = _MARK.sub(r"the range is the high and low from \1 to \2", text)
    if not re.search(rf"\bhigh and low {_HOURS}|\brange\b[^.\n]*{_HOURS}", text):
        return text
    return _NAMED_RANGE.sub(r"range \3", text)
