"""Cut a text to what GitHub takes, so that a long one is shown in part instead of refused."""

from __future__ import annotations

import re

LIMIT = 65_536
NOTE = "\n\n**Cut here**: GitHub takes 65,536 characters. The run that wrote this has the rest.\n"
TAIL = 200
"""Room for what closes the cut: a fence, a few folds, and the note."""

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
SECTIONS = ("\n# ", "\n## ", "\n### ", "\n<details")


def fit(body: str, limit: int = LIMIT) -> str:
    if len(body) <= limit:
        return body
    kept = _uncommented(body[: _cut(body, limit - len(NOTE) - TAIL)])
    fence = _open_fence(kept)
    folds = min(kept.count("<details") - kept.count("</details>"), 10)
    return kept + (f"\n{fence}" if fence else "") + "\n\n</details>" * folds + NOTE


def _cut(body: str, room: int) -> int:
    """Between two sections, else between two lines, unless that would throw away half of it."""
    section = max(body.rfind(mark, 0, room) for mark in SECTIONS)
    line = body.rfind("\n", 0, room)
    return next((at for at in (section, line) if at > room // 2), room)


def _uncommented(text: str) -> str:
    """A comment that is left open would hide the note."""
    start = text.rfind("<!--")
    return text if "-->" in text[start:] or start < 0 else text[:start]


def _open_fence(text: str) -> str | None:
    fence: str | None = None
    for line in text.splitlines():
        mark = FENCE.match(line)
        if mark is None:
            continue
        if fence is None:
            fence = mark[1][:100]
        elif mark[1].startswith(fence) and not mark[2].strip():
            fence = None
    return fence
