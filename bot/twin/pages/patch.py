"""Git's own diff of a file, line by line, with the numbers that a reader needs."""

from __future__ import annotations

from dataclasses import dataclass

from bot.twin.gitrepo import HUNK

KINDS = {"+": "added", "-": "removed", "\\": "note"}


@dataclass(frozen=True)
class Line:
    kind: str
    text: str
    old: int | None = None
    new: int | None = None


def rows_of(patch: str) -> list[Line]:
    rows: list[Line] = []
    old = new = 0
    for text in patch.split("\n") if patch else ():
        head = HUNK.match(text)
        if head:
            old, new = int(head[1]), int(head[2])
            rows.append(Line("hunk", text))
            continue
        kind = KINDS.get(text[:1], "same")
        before, after = kind in ("same", "removed"), kind in ("same", "added")
        rows.append(Line(kind, text[1:], old if before else None, new if after else None))
        old, new = old + before, new + after
    return rows
