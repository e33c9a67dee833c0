"""Reads what the worker says with suspicion: small, typed, finite, or it is no answer."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from sandbox.outgoing import cell, tame
from simbroker.from_fill import FromFill

NUMBERS = ("volume", "price", "sl", "tp", "good_for", *FromFill._fields)
WORDS = ("action", "symbol", "type", "comment")
HUGE, LONGEST = 1e15, 200
OF_THE_CALLER = {"TypeError", "AttributeError", "KeyError", "ValueError"}
"""Raised on no line of the strategy, these say that it could not be called as the interface says,
or that what it returned could not be read."""


class BadAnswer(Exception):
    """Not what a worker of ours would say. The run ends."""


class Raised(Exception):
    """The strategy raised. `line` is a line of its file, 0 where that is unknown."""

    def __init__(self, kind: str, message: str, line: int, trace: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.line, self.trace = kind, message, line, trace


class WrongShape(Raised):
    """The strategy does not have the interface: it cannot be called, or returns something else."""


@dataclass(frozen=True, slots=True)
class Answer:
    exits: tuple[dict[str, str] | None, ...] = ()
    entry: dict[str, Any] | None = None


def read(line: bytes, n: int, positions: int) -> Answer:
    """The answer to question `n` about so many positions."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise BadAnswer("the worker's answer is not JSON") from None
    if not isinstance(told, dict) or type(told.get("n")) is not int or told["n"] != n:
        raise BadAnswer("the worker answered another question")
    if "error" in told:
        raise _raised(told["error"])
    exits = told.get("exits", [])
    if not isinstance(exits, list) or len(exits) not in (0, positions):
        raise BadAnswer("the worker answered about other positions")
    return Answer(tuple(_exit(x) for x in exits), _entry(told.get("entry")))


def _raised(error: Any) -> Raised:
    if not isinstance(error, dict):
        raise BadAnswer("the worker's error has no form")
    line = error.get("line")
    known = line if isinstance(line, int) and 0 <= line <= 100_000 else 0
    kind, message = cell(error.get("type", "Error"), 60), tame(error.get("message", ""), 600)
    trace = tame(error.get("trace", ""), 2000)
    outside = kind in OF_THE_CALLER and not known and not trace
    return (WrongShape if outside else Raised)(kind, message.strip(), known, trace)


def _exit(told: Any) -> dict[str, str] | None:
    if not told:
        return None
    if not isinstance(told, dict) or "position_id" not in told:
        raise WrongShape(
            "TypeError", "find_exits must return None or a dict with position_id", 0, ""
        )
    return {"position_id": cell(told["position_id"], 40), "reason": cell(told.get("reason", ""))}


def _entry(told: Any) -> dict[str, Any] | None:
    """Only the fields that an order has; a number that is none is left for the broker to refuse."""
    if told is None or told is False:
        return None
    if not isinstance(told, dict) or "not" in told:
        raise WrongShape("TypeError", "find_entries must return None or an order as a dict", 0, "")
    order: dict[str, Any] = {k: cell(told[k]) for k in WORDS if told.get(k) is not None}
    for name in order:
        if len(str(told[name])) > LONGEST:
            raise Raised("ValueError", f"{name} of an order has over {LONGEST} characters", 0, "")
    for name in NUMBERS:
        value = told.get(name)
        if value is None:
            continue
        real = isinstance(value, float | int) and not isinstance(value, bool)
        if not real or not math.isfinite(value) or abs(value) > HUGE:
            raise Raised("ValueError", f"{name} of an order must be a finite number", 0, "")
        order[name] = int(value) if name == "good_for" else float(value)
    return order
