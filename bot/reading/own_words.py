"""Candles as people define them: in a list, after a colon, "for me". Pure."""

from __future__ import annotations

import re

NAME = (
    r"(?:(?:bullish |bearish )?(?:pin ?bar|engulfing|harami|marubozu|hammer|key reversal|outside bar)"
    r"|inverted hammer|shooting star|morning star|evening star|(?:3|three) (?:white soldiers|black crows)"
    r"|inside (?:bar|day|candle)|outside (?:bar|day|candle)|doji|nr[47]|piercing line|dark cloud cover)"
)
_OF = r"(?: candles?| bars?| days?| pattern)?"
_HEAD = rf"(?:an? |the |my |our )?(?:[23] (?:candle|bar|day) )?(?P<name>{NAME}){_OF}"
_MINE = r"(?: for me| to me| here| in my book| in this strategy| in my world)?"
_LIST = re.compile(
    rf"(?m)^(?P<before>[^\n:]*?\s)??{_HEAD}{_MINE}[^\n:.]{{0,30}}:[ \t]*\n+(?P<items>(?:[ \t]*(?:[-*+]|\d[.)])[ \t]+[^\n]+(?:\n|$)){{2,6}})"
)
_SAID = re.compile(
    rf"(?m)(?P<start>(?:^|[.\n])\s*){_HEAD}{_MINE}"
    r" ?(?:=|:|means|is when|is defined as|needs|must have|has to have|is an? (?:bar|candle|day|candlestick) (?:whose|where|with|that has|which has|which|that))\s+"
    r"(?P<rest>[^.\n]*)"
)
_INLINE = re.compile(
    rf"(?P<before>\b(?:buy|sell|short|long|enter|entry|go)\b[^.:\n]*?\b{NAME}{_OF}) ?:(?=\s)(?P<rest>(?:[^.\n]|\.(?=\d))+)"
)
_ACTS = re.compile(r"\b(?:buy|sell|go (?:long|short)|enter|exit|stop|target|sl|tp|->)\b|->")
_OPPOSITE = re.compile(
    r"(?m)(?:^|(?<=[.\n]))\s*(?:an? )?engulfing(?: candle| bar)? ?(?:=|:|means|is when|is)[^.\n]*\bbody\b[^.\n]*\b(?:covers?|engulfs?|contains?)\b[^.\n]*\bbody\b[^.\n]*\b(?:opposite|different)\b[^.\n]*"
)


def with_own_candles(text: str) -> str:
    """Every definition as one sentence that begins with "my definition of", or in brackets."""
    text = _OPPOSITE.sub("", text)
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
    return f"{found['start']}my definition of {found['name']}: {rest}"


def _in_brackets(found: re.Match[str]) -> str:
    """ "Buy after a hammer: lower wick ..., close ...": theirs, not ours."""
    if _ACTS.search(found["rest"]) or "(" in found["rest"]:
        return found[0]
    return f"{found['before']} ({found['rest'].strip()})"
