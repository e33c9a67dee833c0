"""The twin's time: the machine's, plus what a test asked to skip."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache


@dataclass
class Clock:
    skipped: float = 0

    def now(self) -> float:
        return time.time() + self.skipped

    def stamp(self) -> str:
        return stamp(self.now())


def stamp(seconds: float) -> str:
    """As GitHub writes a time: whole seconds, UTC."""
    return _written(int(seconds))


@lru_cache(maxsize=64)
def _written(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def instant(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
