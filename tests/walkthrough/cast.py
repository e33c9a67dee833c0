"""What a terminal showed and when: a file in the asciicast format (version 2), read and written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cast:
    """`shown` is (seconds since the start, what was printed then)."""

    command: str
    columns: int
    shown: tuple[tuple[float, str], ...]

    @property
    def seconds(self) -> float:
        return self.shown[-1][0]

    @property
    def text(self) -> str:
        return "".join(part for _, part in self.shown)


def write(cast: Cast, path: Path) -> None:
    rows = cast.text.count("\n") + 1
    head = {"version": 2, "width": cast.columns, "height": rows, "command": cast.command}
    body = [json.dumps([at, "o", part]) for at, part in cast.shown]
    path.write_text("\n".join([json.dumps(head), *body, ""]), encoding="utf-8")


def read(path: Path) -> Cast:
    head, *body = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    assert head["version"] == 2 and all(kind == "o" for _, kind, _ in body)
    return Cast(head["command"], head["width"], tuple((at, part) for at, _, part in body))
