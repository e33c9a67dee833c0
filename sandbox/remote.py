"""The harness's side of the pipe: a strategy elsewhere, asked question by question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position
from sandbox.answers import Answer, Raised, read
from sandbox.job import Lost, Running
from simbroker.decisions import Decision, decision

SECONDS = 20.0
"""How long one question may take. An honest bar takes milliseconds."""
COLUMNS = {"o": "Open", "h": "High", "l": "Low", "c": "Close", "v": "Volume"}

Bars = dict[str, list[Any]]
"""Column -> values, as a question carries them."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked on a close: which of these positions to leave, then what to enter.

    `money` is what the account has; None where no entry is asked for.
    """

    held: Sequence[Mapping[str, Any]]
    money: Mapping[str, float] | None

    def on(self, idx: int) -> dict[str, Any]:
        entry = self.money is not None
        return {"idx": idx, "held": list(self.held), "money": self.money or {}, "entry": entry}


def columns(df: pd.DataFrame) -> Bars:
    more: Bars = {k: df[name].tolist() for k, name in COLUMNS.items()}
    return {**more, "t": pd.DatetimeIndex(df.index).as_unit("us").asi8.tolist()}


def zone(df: pd.DataFrame) -> str | None:
    found = pd.DatetimeIndex(df.index).tz
    return str(found) if found else None


class NotReady(Lost):
    """The worker ended before it had loaded anything, so it is no fault of the strategy."""


class Remote:
    """One strategy in one container."""

    def __init__(self, running: Running, source: str, cfg: Config) -> None:
        self.running, self.cfg, self.n = running, cfg, 0
        try:
            hello = json.loads(running.receive(60.0))
        except Lost as lost:
            raise NotReady(lost.why) from None
        except ValueError:
            raise NotReady("ended") from None
        self.locked = isinstance(hello, dict) and hello.get("locked") is True
        self._ask({"op": "load", "source": source, "cfg": dict(cfg)})

    def fresh(self) -> None:
        self._ask({"op": "fresh"})

    def see(self, df: pd.DataFrame) -> None:
        """More bars; the strategy prepares its indicators on all that it has seen."""
        self._ask({"op": "bars", "more": columns(df), "zone": zone(df), "aside": False})

    def step(
        self, bar: Bars, zone: str | None, idx: int, question: Question, aside: bool
    ) -> Decision:
        """One more bar and what is decided on it. The strategy prepares its indicators again, or
        another one does so `aside`, for a strategy that forgets when it prepares."""
        more = {"op": "step", "more": bar, "zone": zone, "aside": aside}
        return self._decided({**more, **question.on(idx)}, len(question.held))

    def exits(self, idx: int, held: Sequence[Mapping[str, Any]]) -> Answer:
        return self._ask({"op": "exits", "idx": idx, "held": [told(p) for p in held]}, len(held))

    def entry(self, idx: int) -> dict[str, Any] | None:
        return self._ask({"op": "entry", "idx": idx, "money": self.money()}).entry

    def ask(self, idx: int, question: Question) -> Decision:
        """Exits and an entry in one question. An exception is a fact about the strategy."""
        return self._decided({"op": "ask", **question.on(idx)}, len(question.held))

    def replay(self, positions: int) -> Decision:
        """What a new strategy decides on the newest bar, asked about every bar before it."""
        return self._decided({"op": "replay"}, positions)

    def _decided(self, question: dict[str, Any], positions: int) -> Decision:
        try:
            answer = self._ask(question, positions)
        except Raised as error:
            return Decision(error=error.kind)
        return decision(answer.entry, answer.exits)

    def money(self) -> dict[str, float]:
        return {k: float(self.cfg[k]) for k in ("balance", "equity") if k in self.cfg}

    def _ask(self, question: dict[str, Any], positions: int = 0) -> Answer:
        self.n += 1
        self.running.send(json.dumps({"n": self.n, **question}).encode())
        return read(self.running.receive(SECONDS), self.n, positions)


class Proxy:
    """A remote strategy as the loop wants it: bars are seen at once, then decided on one by one."""

    def __init__(self, remote: Remote) -> None:
        self.remote, self.bar = remote, 0

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.remote.fresh()
        self.remote.see(df)
        return {}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        self.bar = idx
        return self.remote.entry(idx)  # type: ignore[return-value]

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        self.bar = idx
        return self.remote.exits(idx, [position]).exits[0]  # type: ignore[return-value]


def told(position: Mapping[str, Any]) -> dict[str, Any]:
    names = ("position_id", "symbol", "volume", "sl", "tp", "comment")
    return {
        **{name: position[name] for name in names},
        "side": 1 if position["action"] == "BUY" else -1,
        "price": position["entry_price"],
        "idx": position["entry_idx"],
        "time": pd.Timestamp(position["entry_time"]).as_unit("us").value,
    }
