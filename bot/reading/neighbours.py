"""What a bar does and the bar before it did, told as two things: one cross. Pure."""

from __future__ import annotations

import re

_LINE = r"(?P<line>(?:the |its )?(?:[\w%()/-]|\.(?=\d)|,(?=\d)| (?!and\b|but\b|after\b)){2,30}?)"
_BAR = r"(?:bar|candle|day|one|close)"
_BEFORE = rf"(?:the )?(?:previous|prior|last|preceding) {_BAR}"
_SIDE = r"(?:above|below|over|under|outside)"
_UP = ("above", "over")
_WAS_THEN_IS = re.compile(
    rf"\b{_BEFORE}(?: had| was| has| is)? (?:closed|closes) (?P<was>{_SIDE}) {_LINE},? (?:and|but|then|and then) "
    rf"(?:the |this )?(?:current|this|latest|new|next|present)? ?{_BAR} (?:is |closes |closed )*(?:back )?"
    r"(?P<now>inside|within|above|below|over|under)(?P<again> (?:it|the bands?|the channel|that|again))?(?=\s*(?:[.,;:\n]|$|->|and\b|then\b))"
)
_IS_AFTER_WAS = re.compile(
    rf"\bclos(?:es|ing|ed?) (?:back )?(?P<now>above|below|over|under) {_LINE},? after (?:it |price |the close )?(?:having |had |has )?(?:closed|closing|been|being|was)"
    rf" (?P<was>{_SIDE}) (?:it|that)(?: (?:on|at) {_BEFORE}| the {_BAR} before)?"
)


def as_crosses(text: str) -> str:
    """ "The previous candle closed below the lower band and the current one closes back inside"."""
    return _IS_AFTER_WAS.sub(_crossed, _WAS_THEN_IS.sub(_crossed, text))


def _crossed(found: re.Match[str]) -> str:
    """Only where the two sides differ; "outside" is beyond the band that is named."""
    line, was, now = found["line"], found["was"], found["now"]
    was_up = "upper" in line if was == "outside" else was in _UP
    if now in ("above", "over", "below", "under") and was_up == (now in _UP):
        return found[0]
    return f"the close crosses {'below' if was_up else 'above'} {line}"
