"""One decision of a strategy, from inputs that can be stored and given again. Live and offline."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

import pandas as pd

from adapters.base_adapter import Config, OrderRequest, Position, Strategy
from adapters.frame import column
from adapters.frame import frame as quick
from adapters.live.adapter import frame
from adapters.live.port import Bar
from simbroker.clock import micros, stamp
from simbroker.positions import position

Make = Callable[[Config], Strategy]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a strategy sees besides the bars."""

    idx: int
    balance: float
    equity: float
    positions: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Decision:
    exits: tuple[Mapping[str, str], ...]
    entry: Mapping[str, Any] | None

    def spell(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


def decide(make: Make, cfg: Config, bars: list[Bar], inputs: Inputs, most: int) -> Decision:
    """What a new strategy does on the close of bar `idx`. It remembers nothing from bar to bar."""
    own: Config = {**cfg, "balance": inputs.balance, "equity": inputs.equity}
    strategy, df = make(own), frame(bars)
    indicators: dict[str, Any] = {
        name: column(series) if isinstance(series, pd.Series) else series
        for name, series in strategy.prepare_indicators(df.copy(deep=False)).items()
    }
    seen, exits = quick(df), []
    for stored in inputs.positions:
        leave = strategy.find_exits(_position(stored), seen, indicators, inputs.idx)
        if leave:
            reason = str(leave.get("reason", ""))
            exits.append({"position_id": str(leave["position_id"]), "reason": reason})
    entry: OrderRequest | None = None
    if len(inputs.positions) - len(exits) < most:
        entry = strategy.find_entries(seen, indicators, inputs.idx)
    return Decision(tuple(exits), plain(entry) if entry else None)


def stored(held: Position) -> dict[str, Any]:
    """The facts of a position that the others follow from."""
    names = ("position_id", "symbol", "volume", "entry_price", "entry_idx", "sl", "tp", "comment")
    facts: dict[str, Any] = {name: held.get(name) for name in names}
    return {**facts, "side": 1 if held["action"] == "BUY" else -1, "at": micros(held["entry_time"])}


def _position(facts: Mapping[str, Any]) -> Position:
    return cast(Position, position(
        facts["position_id"], facts["symbol"], facts["side"], facts["volume"],
        facts["entry_price"], facts["entry_idx"], stamp(facts["at"], None), facts["sl"],
        facts["tp"], facts["comment"],
    ))  # fmt: skip


def plain(order: OrderRequest) -> dict[str, Any]:
    """Numpy's numbers as Python's, so that what is stored is what is compared."""
    return {k: v.item() if hasattr(v, "item") else v for k, v in order.items()}
