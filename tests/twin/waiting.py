"""Waits for something that another process does, by looking, and gives up loudly."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 600
"""Only what will never come is waited for in vain: a busy machine is no fault of the code."""
LOOK = 0.05


def until(
    look: Callable[[], T],
    good: Callable[[T], bool],
    patience: float = PATIENCE,
    pause: float = LOOK,
) -> T:
    """The first thing seen that is good. How long it took is nobody's business."""
    end = time.monotonic() + patience
    while not good(found := look()):
        assert time.monotonic() < end, f"still {found!r} after {patience} s"
        time.sleep(pause)
    return found
