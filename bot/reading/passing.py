"""Rules that are told in passing, as people talk of their own trading, as plain rules. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.reading.phrases import replaced

_I = r"(?:i|we)"
_END = r"(?=\s*(?:$|[.,;\n]))"


def _each_side(said: re.Match[str]) -> str:
    """ "Price over the SMA = only longs; under = only shorts"."""
    line = said[2]
    return f"only {said[3]}s when the close is {said[1]} {line}. only {said[5]}s when the close is {said[4]} {line}"


_LEVEL = r"((?:target|take profit|tp|stop|stop loss|sl)(?: is| at|:| =)*)"
_ONLY = r"(?: ?(?:=|:|->|means|is)+ ?| )(?:only )?(?:take |go |trade )?"
_NTH = r"(?:the |a |an )?(\d+)[- ](bar|day|candle|period)s?"
_SHORTS = r"(?:for )?(?:shorts?|sells?)(?: (?:entry|entries|trades?|setups?|side|rules?|signals?))?"
_MIRROR = r"(?:exact |exactly the |just the )?(?:opposite|reverse|inverse|mirror(?: image)?|same (?:but )?(?:reversed|mirrored|inverted)|vice versa)"
SAID: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        rf"\b(?:but )?{_I} (?:don't|do not|never|won't) (?:trade|enter|open (?:new )?(?:trades|positions)|take (?:new )?(?:trades|entries))(?= (?:before|after) \d)",
        "no trades",
    ),
    (
        r"\botherwise,? (?:(?:we're|we are|i'm|i am|we|i|it's|it is|the position is|just) )?(?:(?:stay|be|go|remain|sit) )?(?:flat|out|in cash)\b(?: of the market)?",
        "otherwise flat",
    ),
    (
        r"\b(?:my |the )?(stop(?: loss)?|sl|target|take profit) (?:goes|sits|is placed|is set|gets placed|is|lies|belongs)(?: just| right)? (?:at|below|under|above|over|beneath) (?=the (?:lowest|highest|low|high)\b)",
        r"\1 at ",
    ),
    (
        rf"\b{_LEVEL} (?:equal to|the same as|as far as|as big as|the size of) (?:the |that )?(?:height of the |size of the |width of the )?range(?:'s)?(?: height| size| width)?{_END}",
        r"\1 1 times the range",
    ),
    (r"\b(?:the )?(?:opening )?range(?:'s)? (?:height|size|width)\b", "the range"),
    (
        r"\b(buy|sell|short|go long|go short|enter)(?: on)? a close at (?=a new \d)",
        r"\1 when the close is ",
    ),
    (
        rf"\b(?:{_I} )?(?:compute|calculate|use|take|look at|watch) (?:the )?z[ -]?score of (?:the )?(?:close|price|closing prices?)(?: over| of| with| using| for| on)* (?:the )?(?:last |past )?(\d+) (?:days|bars|periods|candles)",
        r"z-score(\1)",
    ),
    (
        r"\bz[ -]?score of (?:the )?(?:close|price|closing prices?) (?:over|of|with|using|for) (?:the )?(?:last |past )?(\d+) (?:days|bars|periods|candles)",
        r"z-score(\1)",
    ),
    (
        rf"\b(?:the )?(?:price|close)(?: is)? (above|over|below|under) ((?:the )?[\w ()]{{2,25}}?){_ONLY}(long|short)s?(?: only)?[;,.\n] ?(?:and )?(?:(?:price|close)(?: is)? )?(above|over|below|under)(?: it)?{_ONLY}(long|short)s?(?: only)?{_END}",
        lambda m: _each_side(m) if "only" in m[0] else m[0],
    ),
    (
        r"\bcrosses ((?:the )?[\d.]+(?: line| level)?) in (?:the )?(?:direction of the trend|trend(?:'s)? direction|that direction|the same direction)",
        r"crosses \1, both directions",
    ),
    (
        r"\b(?:go )?short (?:on )?(?:the )?(?:opposite|reverse|inverse|mirror image)(?: (?:signal|setup|rule|case))?(?: (?:at|on|with) the (?:upper|lower) (?:bollinger |keltner )?(?:band|channel))?"
        + _END,
        "vice versa",
    ),
    (
        rf"\bexits?:? (?:at |on )?{_NTH} low for longs?,? (?:and )?{_NTH} high for shorts?",
        r"exit longs when the close is below the lowest low of the previous \1 \2s. exit shorts when the close is above the highest high of the previous \3 \4s",
    ),
    (
        rf"(?m)((?:^|[.;\n]) ?(?:[-*] )?){_SHORTS} ?(?:=|:|are|is|it's|it is) ?(?:the |just the |simply the |an? )?{_MIRROR}(?: of (?:the |that|it|this)?(?: ?longs?)?| conditions?| rules?)?{_END}",
        r"\1mirror image for shorts",
    ),
    (
        r"\b(?:exits?|leave|get out|close)(?: when| if|:)* (?:the )?(close|price) crosses ((?:the )?[\w ()]{2,25}?) against (?:the position|the trade|me|us|you)\b",
        r"exit longs when the \1 crosses below \2, exit shorts when the \1 crosses above \2",
    ),
    (r"\bno positions? (?=(?:after|past|beyond) \d)", "no open positions "),
    (
        r"\b(?:exit|out|close|get out|leave|sell)(?: it| the trade)? (?:at|when|on) (?:a )?\+ ?(\d+(?:\.\d+)?) ?%,? (?:or|and|/) (?:at )?(?:a )?- ?(\d+(?:\.\d+)?) ?%",
        r"target \1%, stop \2%, exit",
    ),
    (
        rf"\b(?:go )?shorts? (?:when|if) (?:all|everything|all of (?:that|this)|it)(?: is| are)? (?:reversed|mirrored|inverted|the other way a?round){_END}",
        "mirror image for shorts",
    ),
    (
        r"\bcross(?:es|ing|ed)?(?: through| over)? ((?:the |its )?(?!above|below|over|under|up|down)[\w ()%-]{1,25}?) from (?:below|underneath)\b(?: to above)?",
        r"crosses above \1",
    ),
    (
        r"\bcross(?:es|ing|ed)?(?: through| over)? ((?:the |its )?(?!above|below|over|under|up|down)[\w ()%-]{1,25}?) from above\b(?: to below)?",
        r"crosses below \1",
    ),
    (r"\bgo(?:es)? (?:in)?to cash (?=when|if|once)", "exit "),
    (r",? (?:and|or) none (?=(?:after|before) \d)", ". no trades "),
    (
        r"\b(?:the )?(?:last )?(\d+)[- ](bar|day|candle)s? range \((?:the )?highest high (?:minus|-) (?:the )?lowest low\)",
        r"highest high of the last \1 \2s minus lowest low of the last \1 \2s",
    ),
)
_LOOKED_FOR = re.compile(
    rf"\b{_I} (?:look for|am looking for|wait for|want to see|like to see|watch for)(?! (?:a|an|the) (?:next|better)| \w+ to\b)"
)
_CONDITION = re.compile(
    r"(?:^|(?<=[.;\n] )|(?<=[.;\n]))(?:[-*] )?(?:condition|rule) [1-9] ?[:.)] ?([^;\n]+?)[.;]?(?=\s*(?:$|\n|[.;] ))",
    re.M,
)
_OPENS = re.compile(r"\b(?:buy|go long|go short|sell short|enter)\b")
_RANGE = re.compile(
    r"\b(?:opening |asian |overnight |london )?range ?(?:=|is|:)|\bmark (?:the )?(?:range|high and (?:the )?low)\b"
)


def in_plain_rules(text: str) -> str:
    if not re.search(r"\b(?:buy|go long|long when|enter)\b", text):
        text = _LOOKED_FOR.sub("buy when", text, count=1)
    text = replaced(text, SAID)
    if re.search(r"super ?trend", text):
        text = re.sub(r"\b(above|below|over|under) the line\b", r"\1 the supertrend line", text)
    return _of_the_range(_numbered_conditions(text))


def _numbered_conditions(text: str) -> str:
    """ "Condition 1: A. Condition 2: B." where nothing else says when to enter: both."""
    found = _CONDITION.findall(text)
    if len(found) < 2 or _OPENS.search(text):
        return text
    rest = _CONDITION.sub(" ", text)
    return f"{rest}\nentry: {' and '.join(x.strip() for x in found)}\n"


def _of_the_range(text: str) -> str:
    """ "A later bar closes above its high": above the range's, no bar can close above its own."""
    if not _RANGE.search(text):
        return text
    text = re.sub(
        r"\bthe (?:asian|overnight|london|morning) (?=(?:high|low)\b)", "the range ", text
    )
    text = re.sub(
        r"\bmark (?:the )?high and (?:the )?low (?=(?:between|from|of) )", "the range is ", text
    )
    text = re.sub(
        r"\b(?:an?y?|the) (?:later|subsequent|following|next) (bar|candle)\b", r"a \1", text
    )
    return re.sub(
        r"\bcloses? (above|below|over|under) (?:its (high|low)|the (high|low)(?: of (?:it|that bar))?)(?=\s*(?:[.,;:\n]|$|->|and\b|or\b))",
        lambda m: f"close {m[1]} the range {m[2] or m[3]}",
        text,
    )
