"""Sentences that say two things at once, or take something back, as what they mean. Pure."""

from __future__ import annotations

import re

INSTEAD = re.compile(
    r"\b(?:use|make it|make that|take|with) (\d+)(?: and (\d+))? instead of (\d+)(?: and (\d+))?"
)
_HOLD = r"\bhold (?:it |the trade |the position |on )?until (?:the )?(\d{1,2}:\d{2})( bar)?"
_STOP, _TARGET = r"(?:sl|stop|stop loss)", r"(?:tp|target|take profit)"
_BOTH = r" (?:are )?(?:both )?(?:at |of )?(?=\d)([^.;\n]*)"
_SINGLE = r"(pip|tick|point|dollar|cent|percent|%)"
_AT = r"(?:at|on) (?:the )?\d{1,2}:\d{2}(?: bar)?"
REWRITES = (
    (rf"\b(?:a|one) {_SINGLE} (?=below|above|under|over|beyond|beneath|away)", r"1 \1 "),
    (rf"(?m)((?:^|[.\n] ?){_AT}[,:]? if [^.;\n]*); (?:and )?(?=if )", r"\1, "),
    (rf"(?m)((?:^|[.\n] ?)at \d{{1,2}}:\d{{2}})(?=[,:]? (?:if|when|buy|sell|go) )", r"\1 bar"),
    (_HOLD + r" unless\b", r"exit at \1 or exit when"),
    (_HOLD, r"exit at \1"),
    (rf"\b{_TARGET} and {_STOP}{_BOTH}", r"target \1. stop \1"),
    (rf"\b{_STOP} and {_TARGET}{_BOTH}", r"stop \1. target \1"),
)


def rewritten(text: str) -> str:
    text = _changed(text)
    for pattern, plainer in REWRITES:
        text = re.sub(pattern, plainer, text)
    return text


def _changed(text: str) -> str:
    """ "use 15 and 45 instead of 20 and 50": the numbers before are not meant any more."""
    for found in list(INSTEAD.finditer(text))[:10]:
        for new, old in ((found[1], found[3]), (found[2], found[4])):
            if new and old:
                text = re.sub(rf"(?<![\d.]){old}(?![\d.])", new, text)
    return INSTEAD.sub(" ", text)
