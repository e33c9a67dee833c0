"""Candles that a request counts: "1st candle red, 2nd candle ..." as bars before this one. Pure."""

from __future__ import annotations

import re

MOST = 5
_BAR = r"(?:candles?|bars?|days?|candlesticks?)"
_NUMBERED = re.compile(
    rf"(?<![\w:.])(?:the )?(?:(?P<nth>[1-{MOST}])(?:st|nd|rd|th) {_BAR}"
    rf"|(?:candle|bar|day) (?:no\.? ?|number |#)?(?P<at>[1-{MOST}])(?!\d|[:%]|\.\d| (?:bar|day|candle|atr|%|pip|point|hour)))"
    rf"(?P<own>'s)?(?![\w-])(?! (?:of (?:the|each|every|a) (?:day|session|month|week|year)|after|that|whose|where|when|on which|in the trade))"
)
_MARK = re.compile(r"barminus(\d)(?:'s)?")
_THING = r"(body|range|lower wick|upper wick|lower shadow|upper shadow|high|low|open|close)"
_BRACKETS = re.compile(
    rf"(barminus\d)(?: has| with| having|:)?,? (?:an? |the )?(?:small |large |long |big |tiny )?{_THING}(?: is)? \(([^()]*)\)"
)
SHOWN = re.compile(r"\bbarminus(\d)\b")


_PATTERN = re.compile(
    r"(?m)^(?P<before>[^\n]*?)(?:(?:an? |the |my )?[2-5][ -](?:candle|bar|day) (?:pattern|setup|formation|reversal)[^\n:]{0,40}):[ \t]*\n+(?P<items>(?:[ \t]*\d[.)][ \t]+[^\n]+(?:\n|$)){2,5})"
)
_COLOUR = r"(red|green|bullish|bearish|black|white|up|down)"


def _listed(found: re.Match[str]) -> str:
    """A pattern as a list of its candles, the oldest first."""
    items = [re.sub(r"^\s*\d[.)]\s+", "", x).rstrip(".,; ") for x in found["items"].splitlines()]
    said = [_candle(n + 1, item) for n, item in enumerate(x for x in items if x)]
    return f"{found['before']}{' and '.join(said)}.\n"


def _candle(number: int, item: str) -> str:
    nth = f"{number}{('st', 'nd', 'rd', 'th', 'th')[number - 1]} candle"
    item = re.sub(
        r"\b([1-5])(st|nd|rd|th) (body|range|high|low|open|close)\b", r"\1\2 candle's \3", item
    )
    if re.search(rf"\b{nth}\b", item[: len(nth) + 5]):
        return item
    item = re.sub(
        rf"^an? {_COLOUR} (?:candle|bar|day)(?:,| with| that| which| and)?",
        rf"{nth} is \1 and with",
        item,
    )
    item = re.sub(r" and with(?= closes| opens| is)", " and", item).removesuffix(" and with")
    item = re.sub(
        r"^(?:an? )?(?:small |tiny |large |big )?(?:candle|bar|day),?(?: with)? ",
        f"{nth} with ",
        item,
    )
    item = re.sub(
        r"\b(body|range) of (?=at least|at most|more|less|no more|not more)", r"\1 ", item
    )
    return item if nth in item else f"{nth} with {item}"


def counted_back(text: str) -> str:
    """The last of the numbered candles is the one that just closed."""
    text = re.sub(r"\b(day|candle|bar) one\b", r"\1 1", _PATTERN.sub(_listed, text))
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
    words = re.sub(r" of (?:its own|that|the same) (?:bar|candle|day)\b", "", words)
    if bar != "barminus0":
        words = re.sub(r"\b(?:it )?(close|open)s\b", rf"{bar}'s \1 is", words)
    return words


def in_words(text: str) -> str:
    """For people: the mark as they would say it."""
    return SHOWN.sub(lambda m: f"the bar {m[1]} before" if m[1] != "0" else "this bar", text)
