"""One thing after another: "3 green candles and then a doji" as bars before this one. Pure."""

from __future__ import annotations

import re

_WAY = r"(?:lower|higher|down|up|red|green|bearish|bullish|black|white)"
_WHAT = r"(?:closes?|days?|bars?|candles?|highs?|lows?)"
_RUN = (
    rf"\d+ (?:consecutive |straight |successive )?{_WAY} {_WHAT}(?: in a row| straight| running)?"
)
_THEN = r",? (?:(?:and |and are |are |is )?(?:then|followed by|directly followed by|immediately followed by)|and after that|and right after that)(?: there is| we get| comes| came|:)?,? "
_LATER_RUN = re.compile(rf"({_RUN}){_THEN}(?:by )?(?:the |another )?(\d+) ((?:{_WAY}) {_WHAT})")
_LATER_ONE = re.compile(rf"({_RUN}){_THEN}(?:by )?(?:the |an? )?(?:1st |single |one |1 )?(?=\w)")
_AFTER = re.compile(
    r"\b(?:right |directly |immediately )?after (?:at least )?(\d+) (?:straight|consecutive|successive) closes (above|below|over|under) ((?:the )?[\w()]+(?: [\w()]+){0,2}?)(?=\s*(?:[.,;\n:]|$|->| and | then |buy|sell|short|long))"
)


def in_order(text: str) -> str:
    text = re.sub(rf"({_THEN}(?:the |an? )?(?:1st )?{_WAY}) one\b", r"\1 candle", text)
    text = _LATER_RUN.sub(lambda m: f"{m[1]} barminus{min(int(m[2]), 9)} and {m[2]} {m[3]}", text)
    text = _LATER_ONE.sub(_one_bar_later, text)
    return _AFTER.sub(r"and the close is \2 \3 for \1 bars barminus1", text)


def _one_bar_later(found: re.Match[str]) -> str:
    """An action that follows is none: "3 red candles in a row, then buy"."""
    rest = found.string[found.end() :]
    if re.search(r"\b(?:an?|the) $", found[0]):
        return f"{found[1]} barminus1 and "
    if re.match(r"(?:buy|sell|go|enter|exit|short|long|close|i |we |it |cover|out|place)\b", rest):
        return found[0]
    one = "1 " if re.match(rf"{_WAY} (?:close|high|low)", rest) else ""
    return f"{found[1]} barminus1 and {one}"
