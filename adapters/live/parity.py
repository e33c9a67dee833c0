"""The parity monitor: every decision again, from the stored inputs, with the later bars known."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.base_adapter import Config
from adapters.live.book import when
from adapters.live.decide import Inputs, Make, decide
from adapters.live.journal import Record, read
from adapters.live.port import Bar


@dataclass(frozen=True, slots=True)
class Difference:
    bar: int
    bar_time: str
    live: str
    offline: str


def first_difference(
    make: Make, cfg: Config, most: int, records: Iterable[Record], since: int = 0, by: str = ""
) -> Difference | None:
    """The first bar from `since` on whose decision cannot be had again; those of others are theirs.

    Offline all bars are known at once and the strategy is new: what leaks from a later bar, and
    what a strategy keeps in its memory, shows here.
    """
    bars, decisions = [], []
    for record in records:
        if record["kind"] == "bar":
            facts: dict[str, Any] = {k: v for k, v in record.items() if k != "kind"}
            bars.append(Bar(**facts))
        elif record["kind"] == "decided" and record.get("by", by) == by:
            decisions.append(record)
    for record in decisions:
        inputs = Inputs(**record["inputs"])  # type: ignore[arg-type]
        if inputs.idx < since:
            continue
        offline = decide(make, cfg, bars, inputs, most).spell()
        live = json.dumps(record["decision"], sort_keys=True)
        if offline != live:
            return Difference(inputs.idx, when(bars[inputs.idx]), live, offline)
    return None


def check_file(
    make: Make, cfg: Config, most: int, file: Path, since: int, by: str
) -> Difference | None:
    """From the disk, not from memory: the stored inputs are what counts."""
    return first_difference(make, cfg, most, read(file), since, by)
