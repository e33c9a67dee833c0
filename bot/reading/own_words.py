"""Candles as people define them: in a list, after a colon, "for me". Pure."""

from __future__ import annotations

import re

_TREND = re.compile(
    r"(?m)(?:^|[.;\n] ?)(?:an? |the )?(up|down)[\s-]?trend ?(?:=|:|means|is when|is defined as|is if)\s"
)


def with_own_trend(text: str) -> str:
    """ "Uptrend = SMA 50 above SMA 200. In an uptrend buy ...": told once, it holds for all entries."""
    told = {found[1] for found in _TREND.finditer(text)}
    if len(told) != 1:
        return text
    way = told.pop()
    return re.sub(
        rf"\b(?:only )?(?:if|when|while|in|during) (?:we are in )?(?:an? |the )?{way}[\s-]?trend\b,?",
        " ",
        text,
    )


NAME = (
    r"(?:(?:bullish |bearish )?(?:pin ?bar|engulfing|harami|marubozu|hammer|key reversal|outside bar)"
    r"|inverted hammer|shooting star|morning star|evening star|(?:3 )?(?:white soldiers|black crows)"
    r"|inside (?:bar|day|candle)|outside (?:bar|day|candle)|doji|nr[47]|piercing line|dark cloud cover)"
)
_OF = r"(?: candles?| bars?| days?| pattern)?"
_HEAD = rf"(?:an? |the |my |our )?(?:[23] (?:candle|bar|day) )?(?P<name>{NAME}){_OF}"
_MINE = r"(?: for me| to me| here| in my book| in this strategy| in my world| on bodies|, simplified|, simple version)?"
_LIST = re.compile(
    rf"(?m)^(?P<before>[^\n:]*?\s)??{_HEAD}{_MINE}[^\n:.]{{0,30}}:[ \t]*\n+(?P<items>(?:[ \t]*(?:[-*+]|\d[.)])[ \t]+[^\n]+(?:\n|$)){{2,6}})"
)
_SAID = re.compile(
    rf"(?m)(?P<start>(?:^|[.:\n])\s*){_HEAD}{_MINE}"
    r" ?(?:=|:|means:?|is when|is defined as|needs|must have|has to have|is an? (?:bar|candle|day|candlestick) (?:whose|where|with|that has|which has|which|that))\s+"
    r"(?P<rest>[^.\n]*)"
)
_INLINE = re.compile(
    rf"(?P<before>\b(?:buy|sell|short|long|enter|entry|go)\b[^.:\n]*?\b{NAME}{_OF}) ?:(?=\s)(?P<rest>(?:[^.\n]|\.(?=\d))+)"
)
_ACTS = re.compile(r"\b(?:buy|sell|go (?:long|short)|enter|exit|stop|target|sl|tp|->)\b|->")
_OPPOSITE = re.compile(
    r"(?m)(?:^|(?<=[.\n]))\s*(?:an? )?engulfing(?: candle| bar)? ?(?:=|:|means|is when|is)[^.\n]*\bbody\b[^.\n]*\b(?:covers?|engulfs?|contains?)\b[^.\n]*\bbody\b[^.\n]*\b(?:opposite|different)\b[^.\n]*"
)


_MIRRORED = re.compile(
    rf"(?m)(?:^|(?<=[.\n]))\s*{_HEAD} (?:is|are) (?:the |an? )?(?:exact |just the )?(?:mirror(?: image)?|opposite|reverse)(?: of (?:it|that|this))?(?:\s*\([^()]*\))?(?:[:,]? (?:that's|that is|this is|and)? ?(?:an? |the )?(?:short|sell)(?: signal| entry)?)?(?=[.\n])"
)
_GAP = re.compile(
    r"(?m)(?:^|(?<=[.:\n]))\s*(?:an? )?gap (?P<way>up|down) ?(?:=|:|means:?|is when|is)\s*(?:when |if )?(?:the |today's |today )?opens?(?:ing price)?(?: is)? (?P<by>(?:at least |more than )?[\d.]+ ?% )?(?:above|below|over|under) (?:the )?(?:yesterday's|previous(?: day's| bar's)?|prior(?: day's| bar's)?) (?P<level>high|low|close)\.?"
)


def _with_own_gap(text: str) -> str:
    """ "Gap up = open above yesterday's high": from there it is counted wherever one is named."""
    for found in list(_GAP.finditer(text))[:2]:
        side = "above" if found["way"] == "up" else "below"
        exact = f" {found['by'] or ''}{side} yesterday's {found['level']}"
        start, end = found.span()
        rest = re.sub(
            rf"\bgap(?:s|ped|ping)? {found['way']}\b(?! [\d.]+ ?%)", rf"\g<0>{exact}", text[end:]
        )
        text = text[:start] + rest
    return text


def with_own_candles(text: str) -> str:
    """Every definition as one sentence that begins with "my definition of", or in brackets."""
    text = _with_own_gap(_OPPOSITE.sub("", text))
    text = _MIRRORED.sub(" mirror image for shorts", text)
    text = _LIST.sub(_in_one, text)
    text = _SAID.sub(_as_definition, text)
    return _INLINE.sub(_in_brackets, text)


def _in_one(found: re.Match[str]) -> str:
    items = [re.sub(r"^\s*(?:[-*+]|\d[.)])\s+", "", x) for x in found["items"].splitlines()]
    said = " and ".join(x.strip().rstrip(".,;") for x in items if x.strip())
    before = f"{found['before'].strip()}\n" if found["before"] else ""
    return f"{before}my definition of {found['name']}: {said}.\n"


def _as_definition(found: re.Match[str]) -> str:
    rest = re.sub(r"\b(?:and )?whose\b", lambda m: "and" if "and" in m[0] else "", found["rest"])
    if _ACTS.search(rest):
        return found[0]
    name = _of_one_side(found["name"], found.string)
    return f"{found['start']}my definition of {name}: {rest.replace(';', ' and')}"


def _of_one_side(name: str, text: str) -> str:
    """ "Engulfing" is the bearish one where only that is spoken of."""
    sides = {w for w in ("bullish", "bearish") if f"{w} {name}" in text}
    return f"{sides.pop()} {name}" if len(sides) == 1 else name


def _in_brackets(found: re.Match[str]) -> str:
    """ "Buy after a hammer: lower wick ..., close ...": theirs, not ours."""
    if _ACTS.search(found["rest"]) or "(" in found["rest"]:
        return found[0]
    return f"{found['before']} ({found['rest'].strip()})"
