"""Listens for a halt in a thread of its own: a look that hangs or fails holds up nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

NEVER = 1e9
"""Seconds: as long as a limit can be. Whoever sets that limit trades without being heard."""


@dataclass(frozen=True, slots=True)
class Word:
    """What is known at this moment. `unheard`: seconds since the last look that was answered."""

    halted: str = ""
    unheard: float = 0.0
    why: str = ""
    newer: str = ""
    """The tag of an approval that came after this run's."""


def silence() -> Word:
    """For a run that sends no orders: there is nothing to halt."""
    return Word()


class Watch:
    """Whoever asks gets what the last look found. A halt that was heard stays heard."""

    def __init__(
        self,
        look: Callable[[], str],
        every: float,
        unheard: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`unheard`: how long nobody has answered already. A restart is no answer."""
        self._look, self._every, self._clock = look, every, clock
        self._last, self._halted, self._why = clock() - unheard, "", ""
        self._newer = ""

    def start(self) -> None:
        threading.Thread(target=self._go, name="listen", daemon=True).start()

    def word(self) -> Word:
        unheard = min(self._clock() - self._last, NEVER)
        return Word(self._halted, unheard, self._why, self._newer)

    def once(self) -> None:
        began = self._clock()
        try:
            said = self._look()
        except Exception as error:  # whatever it is: nothing was heard, and that is counted
            self._why = f"{type(error).__name__}: {error}"
            return
        if said.startswith("live/"):
            self._newer = said
        else:
            self._halted = self._halted or said
        self._last, self._why = began, ""

    def _go(self) -> None:
        while True:
            self.once()
            time.sleep(self._every)
