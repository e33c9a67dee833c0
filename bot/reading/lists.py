"""Several conditions or bars named in one breath, as the reader knows them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.reading.phrases import replaced

_OUT = r"(?:leave|exit|get out|out|sell|close)(?: it| the trade| the position)?"
_IN_BRACKETS = re.compile(r"\(([^()\n]*);([^()\n]*)\)")

LISTS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        r"\bon this bar or (?:on )?(?:any|one)(?: one)? of the (?:previous|last|prior|preceding) (\d+) (?:bars|days|candles)",
        lambda m: f"within the last {int(m[1]) + 1} bars",
    ),
    (r"\bon (?:each|every one|all) of the (?:last|past|previous) (\d+) (?:bars|days|candles)", r"for \1 bars in a row"),
    (
        r"\b(?:at least )?(?:one|1|any) of (?:these|the following)(?: \d+| two)?(?: conditions| signals)?(?: is true| holds| is met| must hold| happens| applies| are true)?: ?([^.;\n]+)",
        lambda m: f"({' or '.join(_parts(m[1]))})",
    ),
    (
        rf"\b{_OUT} (?:when|if|once|as soon as) (?:either|any|one)(?: one)?(?: of (?:them|these|the conditions|the 2|both))?(?: condition)? (?:fails|is no longer (?:true|met|given)|stops being true|is not met|breaks|no longer holds)",
        "exit when that is no longer true",
    ),
)  # fmt: skip


def listed(text: str) -> str:
    text = _IN_BRACKETS.sub(r"(\1,\2)", text)
    text = replaced(text, LISTS)
    return text


def _parts(said: str) -> list[str]:
    """What stands between commas, but for those of settings in brackets, and between "or"."""
    cut = re.split(r",\s*(?:or\s+)?(?![^()]*\))|\s+or\s+", said)
    return [part.strip() for part in cut if part.strip()]
