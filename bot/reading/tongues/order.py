"""English words in the order of another language, put into the order that the reader knows. Pure."""

from __future__ import annotations

import re

LINK = r"(?:and|or|when|if|then|buy|sell|exit|but|only|go|close the|as soon as|while|unless)"
X = rf"((?:\([^()\n]*\)|(?<=\d)\.(?=\d)|(?!(?<!\w){LINK}(?!\w))[^,.;:()\n]){{1,80}}?)"
END = rf"(?=\s*(?:$|[,.;:()\n]|->|(?<!\w){LINK}(?!\w)))"
SIDE = r"(above|below|greater than|less than|at least|at most|higher than|lower than|back above|back below)"
VERB = r"(falls|rises|closes|crosses|breaks|is|goes|moves|stays|turns|opens)"
CROSS = r"(crosses above|crosses below|breaks above|breaks below|touches|reaches)"
INDICATOR = r"(?:ema|sma|wma|hma|rsi|macd|adx|cci|roc|mfi|vwap|atr|%k|%d|\+di|-di)"
SPAN = r"(days|bars|candles|hours|weeks|sessions|minutes|periods|months|closes|day|bar|candle)"

ORDER: tuple[tuple[str, str], ...] = (
    (r"\b(above|below|greater than|less than|breakout|reaches|touches) of(?: the)?\b", r"\1 the"),
    (r"\bbreakout (?:upwards|above)(?: of)?\b", "breaks above"),
    (r"\bbreakout (?:downwards|below)(?: of)?\b", "breaks below"),
    (rf"\bcrosses {X} (?:from below to above|from below upwards|from below|upwards)\b", r"crosses above \1"),
    (rf"\bcrosses {X} (?:from above to below|from above downwards|from above|downwards)\b", r"crosses below \1"),
    (rf"\bbreaks {X} (?:from below to above|from below|upwards)\b", r"breaks above \1"),
    (rf"\bbreaks {X} (?:from above to below|from above|downwards)\b", r"breaks below \1"),
    (r"\btouches (?=(?:the )?(?:lower|lowest|low)\b)", "touches or goes below "),
    (r"\btouches (?=(?:the )?(?:upper|highest|high)\b)", "touches or goes above "),
    (r"\b(?:from below to above|from below upwards|from below|upwards) (crosses|breaks)\b(?! (?:above|below))", r"\1 above"),
    (r"\b(?:from above to below|from above downwards|from above|downwards) (crosses|breaks)\b(?! (?:above|below))", r"\1 below"),
    (r"\b(crosses|breaks) (?:from below to above|from below|upwards)\b", r"\1 above"),
    (r"\b(crosses|breaks) (?:from above to below|from above|downwards)\b", r"\1 below"),
    (r"\bbreaks (?=(?:the )?(?:lower|lowest|low|previous day's low|previous bar's low|range low|support)\b)", "breaks below "),
    (r"\bbreaks (?!above|below|out|up|down|then|when|if|and|or|buy|sell)(?=[a-z(\d])", "breaks above "),
    (rf"\b(?:fast|slow) ({INDICATOR}|(?:exponential |simple )?moving average)(?= ?\(? ?\d| of \d)", r"\1"),
    (rf"\b({INDICATOR}|(?:exponential |simple )?moving average) (?:fast|slow)(?= ?\(? ?\d| of \d)", r"\1"),
    (r"\b(average|ema|sma|line) (fast|slow)\b", r"\2 \1"),
    (rf"({INDICATOR} ?\(?[\d, ]*\)?) ({INDICATOR} ?\(?[\d, ]*\)?) {CROSS}\b{END}", r"\1 \3 \2"),
    (rf"(?<=[\w)%] )(?<!when )(?<!if )(?<!and )(?<!or )(?<!soon as )(?<!of )(?<!above )(?<!below )(?<!\bat )the ((?:of the |(?!\bthe\b|\bwhen\b|\bif\b)[^,.;:\n]){{1,60}}?) {CROSS}\b{END}", r"\2 the \1"),
    (rf"\b{SIDE} {X} {VERB}\b(?! (?:above|below|not))", r"\3 \1 \2"),
    (rf"(?m)(^|[.;!?:] +){VERB} (?:then |afterwards |now |thereafter )*{X} {SIDE}\b", r"\1when \3 \2 \4"),
    (rf"\b(\d+) (previous|last) {SPAN}\b", r"\2 \1 \3"),
    (rf"\b(\d+) {SPAN} (?:previous|prior)\b", r"previous \1 \2"),
    (rf"\b(\d+) {SPAN} last\b", r"last \1 \2"),
    (r"\b(closes?|open|high|low|bar|candle|day|week|session|volume) (previous|last)\b(?! \d)", r"\2 \1"),
    (r" ?\((?:it )?(?:is )?(?:a )?(?:crosses|cross|crossing|falls|rises)(?: (?:above|below|upwards|downwards))?\)", ""),
    (r" ?\((?:(?:on|at|the|a|close|closes|or|above|below|beyond|basis|only|equal|to|closing) ?)+\)", ""),
    (r" ?\((?:a |the )?(?:golden|death) cross\)", ""),
    (r"\b(green|red|bullish|bearish|positive|negative|up|down) (?:is |to )?turns\b", r"turns \1"),
    (r"(?m)(^|[.;!?:,] +)turns (it|the [\w ]{2,30}?) (?:to )?(green|red|bullish|bearish|positive|negative|up|down)\b", r"\1when \2 turns \3"),
    (rf"\b(\d+) {SPAN} in a row (falls|rises|closes)(?: is| has)?\b", r"\3 \1 \2 in a row"),
    (rf"\bfalls (?:for )?(\d+) {SPAN} in a row", r"falls lower for \1 \2 in a row"),
    (rf"\brises (?:for )?(\d+) {SPAN} in a row", r"rises higher for \1 \2 in a row"),
    (r"\b(oversold|overbought|positive|negative|rising|falling) is\b", r"is \1"),
    (r"day(,| and| or|, and|, or) on (?=(?:mon|tues|wednes|thurs|fri)day)", r"day\1 "),
    (r"\bvolume (?:breaks|rises|falls|crosses) (above|below)\b", r"volume is \1"),
    (r"(?m)^(\W*)(?:symbol|market|stock|instrument|timeframe|chart|asset) ?: ?(.*[.;] \S.*)$", r"\1\2"),
    (r"\b(?:is|are) (is|crosses|breaks|falls|rises|closes|turns)\b", r"\1"),
    (r"\b(close|price|open|high|low) at (least|most)\b", r"\1 is at \2"),
    (r"\b(stop|target|exit) in\b", r"\1 at"),
    (r"\bthe the\b", "the"),
    (r"\bit it\b", "it"),
    (r"\b(of|at|by) (?:the|a) (?=\d)", r"\1 "),
    (r"\bof (?:the )?of\b", "of"),
)  # fmt: skip
_COMPILED = tuple((re.compile(said), meant) for said, meant in ORDER)


def put_in_order(text: str) -> str:
    text = _tidy(text)
    for pattern, meant in _COMPILED:
        text = pattern.sub(meant, text)
    return _tidy(text)


def _tidy(text: str) -> str:
    text = re.sub(r"[^\S\n]+", " ", text)
    text = re.sub(r" +(?=[,.;:)\n])|(?<=\n) +", "", text)
    return re.sub(r",(?:,| ,)+", ",", text)
