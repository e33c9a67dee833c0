"""What a strategy decided on one bar, in a form that can be compared, digested and sent."""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

TOLERANCE = 1e-9


class Decider(Protocol):
    """The part of a strategy that decides; a proxy for one that runs elsewhere will do."""

    def prepare_indicators(self, df: Any) -> Any: ...
    def find_entries(self, df: Any, indicators: Any, idx: int) -> Any: ...
    def find_exits(self, position: Any, df: Any, indicators: Any, idx: int) -> Any: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """`entry` is the order's fields as text, `exits` the positions to close and why.

    `error` is the name of the exception if the strategy raised one.
    """

    entry: tuple[tuple[str, str], ...] = ()
    exits: tuple[tuple[str, str], ...] = ()
    error: str = ""

    @property
    def nothing(self) -> bool:
        return not self.entry and not self.exits and not self.error

    def __str__(self) -> str:
        if self.error:
            return f"raises {self.error}"
        said = [" ".join(f"{k}={v}" for k, v in self.entry)] if self.entry else []
        said += [f"close {position} ({reason})" for position, reason in self.exits]
        return ", ".join(said) or "nothing"


NOTHING = Decision()


def ask(
    strategy: Decider, df: Any, indicators: Any, idx: int, positions: Iterable[Any]
) -> Decision:
    """Ask about every position first and then about an entry, as a run does."""
    try:
        exits = [strategy.find_exits(position, df, indicators, idx) for position in positions]
        entry = strategy.find_entries(df, indicators, idx)
    except Exception as error:  # whatever a strange strategy raises is a fact about it
        return Decision(error=type(error).__name__)
    return decision(entry, exits)


def decision(entry: object, exits: Iterable[object]) -> Decision:
    """From what the strategy returned. Anything that is no dictionary is kept as its text."""
    closes = []
    for leave in exits:
        if leave:
            told = leave if isinstance(leave, Mapping) else {"position_id": repr(leave)}
            closes.append((str(told.get("position_id", "")), str(told.get("reason", ""))))
    if not entry:
        return Decision((), tuple(closes))
    fields = entry if isinstance(entry, Mapping) else {"order": repr(entry)}
    return Decision(tuple(sorted((str(k), _text(v)) for k, v in fields.items())), tuple(closes))


def same(one: Decision, other: Decision) -> bool:
    """The same trade. Numbers may differ by rounding, and words trade nothing."""
    if one == other:
        return True
    if one.error != other.error or [p for p, _ in one.exits] != [p for p, _ in other.exits]:
        return False
    mine, theirs = ({k: v for k, v in d.entry if k != "comment"} for d in (one, other))
    return mine.keys() == theirs.keys() and all(_close(mine[k], theirs[k]) for k in mine)


def digest(decisions: Sequence[Decision]) -> str:
    """One value for a whole run: the same decisions on the same bars, to the last digit."""
    rows = [[i, d.entry, d.exits, d.error] for i, d in enumerate(decisions) if not d.nothing]
    return hashlib.sha256(json.dumps([len(decisions), rows]).encode()).hexdigest()


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return repr(float(value))


def _close(one: str, other: str) -> bool:
    try:
        a, b = float(one), float(other)
    except ValueError:
        return one == other
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=TOLERANCE)
