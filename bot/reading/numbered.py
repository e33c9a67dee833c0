"""Candles that a request counts: "1st candle red, 2nd candle ..." as bars before this one. Pure."""

from __future__ import annotations

import re

MOST = 5
_BAR = r"(?:candles?|bars?|days?|candlesticks?)"
_NUMBERED = re.compile(
    rf"(?<![\w:.])(?:the )?(?:(?P<nth>[1-{MOST}])(?:st|nd|rd|th) {_BAR}"
    rf"|(?:candle|bar|day) (?:no\.? ?|number |#)?(?P<at>[1-{MOST}])(?![\d:.%]| (?:bar|day|candle|atr|%|pip|point|hour)))"
    rf"(?P<own>'s)?(?![\w-])(?! (?:of (?:the|each|every|a) (?:day|session|month|week|year)|after|that|whose|where|when|on which|in the trade))"
)
_MARK = re.compile(r"barminus(\d)(?:'s)?")
_THING = r"(body|range|lower wick|upper wick|lower shadow|upper shadow|high|low|open|close)"
_BRACKETS = re.compile(
    rf"(barminus\d)(?: has| with| having|:)?,? (?:an? |the )?(?:small |large |long |big |tiny )?{_THING}(?: is)? \(([^()]*)\)"
)
SHOWN = re.compile(r"\bbarminus(\d)\b")


def counted_back(text: str) -> str:
    """The last of the numbered candles is the one that just closed."""
    found = {int(m["nth"] or m["at"]) for m in _NUMBERED.finditer(text)}
    if not {1, 2} <= found:
        return text
    last = max(found)

    def mark(match: re.Match[str]) -> str:
        return f"barminus{last - int(match['nth'] or match['at'])}{match['own'] or ''}"

    return "".join(_of_its_bar(s) for s in re.split(r"((?<=[.;\n])\s*)", _NUMBERED.sub(mark, text)))


def _of_its_bar(sentence: str) -> str:
    """What follows a candle's number is of that candle: its body, a close of it."""
    sentence = _BRACKETS.sub(r"\1's \2 \3", sentence)
    marks = list(_MARK.finditer(sentence))
    parts = [sentence[: marks[0].start()]] if marks else [sentence]
    subject = ""
    for mark, end in zip(marks, [*(m.start() for m in marks[1:]), len(sentence)], strict=False):
        own = mark[0].endswith("'s") or re.search(r"\bof (?:the )?$", sentence[: mark.start()])
        subject = subject if own and subject else f"barminus{mark[1]}"
        parts.append(_said_of(sentence[mark.start() : end], subject))
    return "".join(parts)


def _said_of(words: str, bar: str) -> str:
    words = re.sub(
        rf"^(barminus\d) (?:has|with|having) (?:an? |the )?{_THING}\b", r"\1's \2", words
    )
    words = re.sub(
        rf"(?<!\w)(?:its|with (?:an? |the )?)\s*(?:own )?{_THING}\b(?= |$)", rf"{bar}'s \1", words
    )
    if bar != "barminus0":
        words = re.sub(r"\b(?:it )?(close|open)s\b", rf"{bar}'s \1 is", words)
    return words


def in_words(text: str) -> str:
    """For people: the mark as they would say it."""
    return SHOWN.sub(lambda m: f"the bar {m[1]} before" if m[1] != "0" else "this bar", text)
