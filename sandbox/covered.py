"""Which lines the tests reached, as the sandbox tells it: strictly read, or not known at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from schemas.report import MISSED

KEYS = {"lines", "missed"}


@dataclass(frozen=True, slots=True)
class Covered:
    """`percent` counts every missed line; `missed` names only as many as a report takes."""

    percent: float
    missed: tuple[int, ...] = ()


def read(told: object, strategy: bytes) -> Covered | None:
    """None for anything that cannot be about this file. A strategy that lies harms itself only."""
    try:
        said: Any = json.loads(told) if isinstance(told, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() != KEYS:
        return None
    lines, missed = said["lines"], said["missed"]
    last = strategy.count(b"\n") + 1
    if not (_is_line(lines, last) and isinstance(missed, list) and len(missed) <= lines):
        return None
    if not all(_is_line(n, last) for n in missed) or missed != sorted(set(missed)):
        return None
    return Covered(round(100.0 * (1.0 - len(missed) / lines), 2), tuple(missed[:MISSED]))


def _is_line(number: object, last: int) -> bool:
    return type(number) is int and 1 <= number <= last
