"""What a person takes back while writing: the later words are the ones meant. Pure."""

from __future__ import annotations

import re

INSTEAD = re.compile(
    r"(?:\bno,? wait,? )?\b(?:use|make it|make that|take|with) (\d+)(?: and (\d+))? instead of (\d+)(?: and (\d+))?"
)
_N = r"(?<![\w.:])(\d+(?:\.\d+)?)"
_UNIT = r"( ?(?:%|percent|pips?|points?|ticks?|bars?|days?|candles?|atrs?|r|x atr)(?!\w))"
_SORRY = r"(?:no,? wait|wait,? no|actually,? no|no, |wait|sorry|actually|make (?:that|it)|let's (?:say|make it)|i meant?|rather|edit|correction|scratch that|hmm+|oops|better)"
_ENDS = r"(?=\s*(?:[.,;)\n]|$|->|and\b|or\b))"
_AT_ONCE = re.compile(
    rf"{_N}{_UNIT}?(\))?(?:\s*(?:\.{{2,3}}|[,;(-])+\s*|\s+)(?:{_SORRY}[,:;.!]*\s*)+(?:to )?(\d+(?:\.\d+)?){_UNIT}?\)?{_ENDS}"
)
"""Said and mended in one breath: "stop 5%... no, 7%"."""
_LATER = re.compile(
    rf"(?:(?<=[.;\n])|^)\s*(?:{_SORRY}[,:;.!]*\s*)+(?:that |it |them |to |the averages? |the lengths? |with |use )*"
    rf"(\d+(?:\.\d+)?){_UNIT}?(?:(?: and | ?/ ?|, ?)(\d+))?(?=\s*(?:[.;\n]|$))"
)
"""A sentence of its own: "Actually make that 20 and 50."."""
_NAME = r"(?:(rsi|sma|ema|wma|atr|adx|cci|roc|macd|stop(?: loss)?|sl|target|tp) ?\(?)?"
_NOT = re.compile(
    rf"(?:(?<=[.;\n])|^)\s*{_SORRY}[^.;\n]*?\b{_NAME}(\d+(?:\.\d+)?){_UNIT}?\)?,? (?:and )?(?:not|instead of|rather than) (?:the )?{_NAME}(\d+(?:\.\d+)?){_UNIT}?\)?{_ENDS}"
)
"""Both named: "Sorry, I meant RSI(2), not RSI(14)."."""
_LENGTH = re.compile(
    r"\b(?:sma|ema|wma|ma)s? ?\(?(\d+)|(?<![\w.])(\d+)[ -]?(?:day|period|bar)?s? ?(?:sma|ema|wma|ma|average)\b"
)


def corrected(text: str) -> str:
    """The numbers before are not meant any more; what cannot be placed stays and is asked about."""
    text = _instead(text)
    text = _AT_ONCE.sub(lambda m: f"{m[4]}{m[5] or m[2] or ''}{m[3] or ''}", text)
    for told in (_NOT, _LATER):
        for _ in range(5):
            found = told.search(text)
            mended = (_named if told is _NOT else _last)(found, text) if found else None
            if mended is None:
                break
            text = mended
    return text


def _instead(text: str) -> str:
    """ "use 15 and 45 instead of 20 and 50"."""
    for found in list(INSTEAD.finditer(text))[:10]:
        for new, old in ((found[1], found[3]), (found[2], found[4])):
            if new and old:
                text = _exchanged(text, old, new)
    return INSTEAD.sub(" ", text)


def _named(found: re.Match[str], text: str) -> str | None:
    before, after = text[: found.start()], text[found.end() :]
    name = found[4] or found[1] or ""
    own = rf"(?<!\w)({re.escape(name)} ?\(?){re.escape(found[5])}(?![\w.]*\d)"
    mended = (
        re.sub(own, rf"\g<1>{found[2]}", before) if name else _exchanged(before, found[5], found[2])
    )
    return None if mended == before else f"{mended} {after}"


def _last(found: re.Match[str], text: str) -> str | None:
    """The number or the pair of the sentence before, if it is clear which."""
    head, after = text[: found.start()].rstrip(), text[found.end() :]
    start = max(head[:-1].rfind(mark) for mark in (". ", "\n", ";")) + 1
    said = head[start:]
    if found[3]:
        lengths = list(dict.fromkeys(a or b for a, b in _LENGTH.findall(said)))
        pairs = list(zip(lengths, (found[1], found[3]), strict=False)) if len(lengths) == 2 else []
    else:
        unit = re.escape((found[2] or "").strip().rstrip("s"))
        same = rf"{_N}(?= ?{unit})" if unit else _N
        numbers = list(dict.fromkeys(re.findall(same, said)))
        pairs = [(numbers[0], found[1])] if len(numbers) == 1 else []
    if not pairs:
        return None
    marks = {old: f"\x00{n}" for n, (old, _) in enumerate(pairs)}
    for old, mark in marks.items():
        said = _exchanged(said, old, mark)
    for n, (_, new) in enumerate(pairs):
        said = said.replace(f"\x00{n}", new)
    return f"{head[:start]}{said} {after}"


def _exchanged(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\d.]){re.escape(old)}(?![\d.]*\d)", new, text)
