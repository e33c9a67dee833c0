"""A table of phrases and the plainer ones that they stand for, applied from its first row to its last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

Phrase = tuple[str, str | Callable[[re.Match[str]], str]]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Kept for good: the tables together have more patterns than `re` remembers."""
    return re.compile(pattern)


def replaced(text: str, table: Iterable[Phrase]) -> str:
    for pattern, plainer in table:
        text = _compiled(pattern).sub(plainer, text)
    return text
