"""The other way in few words: "short on the opposite", "down: sell", "when it flips". Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.reading.phrases import replaced

_END = r"(?=\s*(?:$|[.,;\n)]))"
_OTHER = r"(?:opposite|reverse|inverse|contrary|other)"
_OF = r"(?: (?:cross(?:over|ing|es)?|signal|case|way|direction|condition|happens|occurs|is true|one|situation|applies|break|breakout))*"
_GO = r"(?:go |goes |enter |sell |open |take |and )*(?:a )?"
_EXIT = r"(exit|exits|leave|get out|out|close it|close the trade|close the position|close|flat)"
_FLIPS = r"(?:flips|flip|flips over|flips sides?|changes|changes (?:colou?r|direction|sides?|trend)|switches|switches sides?|turns|turns around|reverses)"
_DOWN, _UP = r"(?:down|downwards?|below|under)", r"(?:up|upwards?|above|over)"
_ACTS = r"(?= ?(?:->|=|:|,)? ?(?:go |goes |sell |and |we |i |a |enter )*(?:short|sell|exit|long|buy|out|close it|close|cover|leave|get out)\b)"
_CROSSED = (
    r"(\bcross\w*\b[^;\n]{0,120}?[.,;:/] ?(?:and |or |on the )?|\bcross\w*\b[^;\n]{0,120}?\n\W*)"
)

TURNS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (rf"\b{_GO}(?:short|long)s? (?:on|at|when|if|upon|with|in) (?:the |an? )?{_OTHER}{_OF}{_END}", "vice versa"),
    (rf"\b(?:on |at )?(?:the |an? )?(?:opposite|reverse|inverse){_OF} ?(?:->|=|:|,|means|is|then)+ ?{_GO}(?:short|long)\b(?: entry| signal| it)?{_END}", "vice versa"),
    (rf"(?:,|and|;) (?:the )?(?:other way (?:a?round)|reverse|opposite|vice versa|other direction),? (?:is |means |for |= ?|gives )?(?:a |an )?(?:short|sell)s?(?: entry| signal)?{_END}", ", vice versa"),
    (rf"{_CROSSED}{_DOWN}{_ACTS}", r"\1crosses below"),
    (rf"{_CROSSED}{_UP}{_ACTS}", r"\1crosses above"),
    (
        rf"\b{_EXIT}( \w+)? (?:when|if|once|as soon as|whenever) [^.,;\n]{{1,50}}? cross(?:es)? (?:back )?(?:the other way(?: (?:a?round))?|in the (?:other|opposite) direction|the opposite way|against (?:me|us|the trade)){_END}",
        r"\1 on the opposite cross",
    ),
    (
        rf"\b{_EXIT}(?: \w+)? (?:when|if|once|as soon as|whenever) (?:the )?(?:parabolic )?(?:p?sar|sar dots?|dots?) {_FLIPS}{_END}",
        r"exit longs when the sar flips above price, exit shorts when the sar flips below price",
    ),
    (
        rf"\b{_EXIT}(?: \w+)? (?:when|if|once|as soon as|whenever) (?:the )?([\w ()]{{2,30}}?) changes sign{_END}",
        r"exit longs when \2 crosses below 0, exit shorts when \2 crosses above 0",
    ),
    (
        rf"\b{_EXIT}(?: \w+)? (?:when|if|once|as soon as|whenever) (?:the )?super ?trend {_FLIPS}{_END}",
        r"exit longs when supertrend turns red, exit shorts when supertrend turns green",
    ),
    (
        r"\b(?:sar |psar |parabolic sar )?(?:dots?|sar) (?:jumps?|moves?|switch(?:es)?|go|goes|appears?)(?: to)? (below|under|above|over)(?: the)? (?:price|candles?|bars?)",
        r"sar flips \1 price",
    ),
    (
        r"\bwait for (?:a|the) close (below|above) (the (?:\([^()]*\)|[^.;,()\n]){3,40}?)[.;,] (?:and )?(?:then )?(?:when|once|as soon as|if) (?:the )?(?:price |it |close )?(?:then )?(?:closes|comes|gets|moves|is) back (?:inside|into|in|within)[^,.;()]*(?:\([^()]*\))?",
        lambda m: f"when the close crosses {'above' if m[1] == 'below' else 'below'} {m[2]}",
    ),
    (
        r"(?<= )(>|<|above|below|over|under) ((?:the |its )?[^()\n,;.]{1,30}?) ?\((?:a |the |fresh )*cross(?:over|ing)?(?: only)?\)",
        lambda m: f"crosses {'above' if m[1] in ('>', 'above', 'over') else 'below'} {m[2]}",
    ),
)  # fmt: skip


_REVERSE = re.compile(r"((?:^|[.;,\n]) ?)reverse (?:it |the position )?(when|if|once|as soon as)\b")


_SAME = re.compile(
    r"(?:\b(?:with|and|also|but) )?\(?(?:the )?\bsame (\w+) (?:condition|filter|rule|requirement)s?\b\)?"
)


def _again(said: re.Match[str], text: str) -> str:
    """ "with the same volume condition": as it was told before."""
    words = rf"\b(?:and|when|if|while|with) (?:the )?({said[1]}\b(?:\([^()]*\)|(?! and | -> | = )[^.,;:()\n]|\.(?=\d))*)"
    told = [m[1].strip() for m in re.finditer(words, text[: said.start()])]
    exact = [x for x in told if re.search(r"[<>]|above|below|over|under|than|at least|at most", x)]
    return f" and {exact[0]}" if exact else said[0]


def turned(text: str) -> str:
    text = replaced(text, TURNS)
    text = _SAME.sub(lambda m: _again(m, text), text)
    if re.search(r"\b(?:buy|long)\b", text) and not re.search(r"\bshort\b", text):
        text = _REVERSE.sub(r"\1stop and reverse, go short \2", text)
    return text
