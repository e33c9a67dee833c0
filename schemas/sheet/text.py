"""From the text of a sheet to its statements. Columns stay those of the text as it was typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_LINES, MOST_CHARACTERS = 400, 20_000
SAME = str.maketrans(
    {"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\t": " ", "\u2212": "-", "\u2013": "-",
     "\u2014": "-", "\u2011": "-", "\uff05": "%", "\u2217": "*", "\u00d7": "*", "\u00f7": "/",
     "\u2044": "/", "\uff1d": "=", "\u200b": " ", "\ufeff": " "}
)  # fmt: skip
"""What editors and web pages put in place of plain characters, one for one."""
COMMENT = re.compile(r"(#|//).*")
FOLLOWS = re.compile(r"\s*(and|or)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """`text` may stretch over several lines of the sheet; `starts` says where each began in it."""

    line: int
    text: str
    typed: tuple[str, ...]
    starts: tuple[int, ...]

    def place(self, column: int) -> tuple[int, int, str]:
        """Line and column in the sheet, both from 1, and that line as it was typed."""
        n = max(i for i, start in enumerate(self.starts) if start <= max(column, 0))
        inside = min(max(column, 0) - self.starts[n], len(self.typed[n]))
        return self.line + n, inside + 1, self.typed[n]


def plain(text: str) -> str:
    """The same with plain characters and plain line ends."""
    ended = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n")
    return ended.translate(SAME)


def statements(text: str) -> list[Statement]:
    """One for each line that says something. A line that begins with "and" or "or", or that follows
    an open bracket, goes on with the one above it."""
    found: list[Statement] = []
    deep = 0
    above = 0
    for number, typed in enumerate(plain(text).split("\n"), 1):
        said = COMMENT.sub("", typed).rstrip()
        if not said.strip():
            continue
        goes_on = found and above == number - 1 and (deep > 0 or FOLLOWS.match(said))
        if goes_on:
            found[-1] = _joined(found[-1], said, typed)
        else:
            found.append(Statement(number, said, (typed,), (0,)))
            deep = 0
        deep += said.count("(") - said.count(")")
        above = number
    return found


def _joined(first: Statement, said: str, typed: str) -> Statement:
    start = len(first.text) + 1
    return Statement(
        first.line, f"{first.text} {said}", (*first.typed, typed), (*first.starts, start)
    )
