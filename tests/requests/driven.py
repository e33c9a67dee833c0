"""A strategy file, loaded by itself and asked bar by bar."""

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from tests.requests.bars import Bars, bars_of
from tests.requests.corpus import Request
from tests.requests.engine import Book, Held, Order, Trade, play

Make = Callable[[dict[str, Any]], Any]


class BadDraft(Exception):
    """The file cannot be loaded, or what it answers is no order and no exit."""


def load(path: Path) -> Make:
    name = f"drafted_{abs(hash(path))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadDraft(f"{path} is no Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        made: Make = module.Strategy
    finally:
        del sys.modules[name]
    return made


def config(request: Request) -> dict[str, Any]:
    """The volume is given only where the text does not prescribe the size."""
    cfg: dict[str, Any] = {
        "symbol": request.symbol,
        "timeframe": request.timeframe,
        "pip_size": 0.0001 if request.timeframe == "H1" else 0.01,
        "initial_balance": 10_000.0,
        "balance": 10_000.0,
        "equity": 10_000.0,
    }
    return cfg if request.check_volume else {**cfg, "volume": 1.0}


@dataclass(frozen=True)
class Driven:
    """Answers for a strategy as a plan does for itself."""

    strategy: Any
    frame: pd.DataFrame
    indicators: Any
    symbol: str

    def leaves(self, held: Held, idx: int) -> bool:
        said = self.strategy.find_exits(self.view(held), self.frame, self.indicators, idx)
        if said is not None and str(said["position_id"]) != str(held.number):
            raise BadDraft(f"bar {idx}: asked about {held.number}, answered {said!r}")
        return said is not None

    def orders(self, idx: int, book: Book) -> Order | None:
        said = self.strategy.find_entries(self.frame, self.indicators, idx)
        return None if said is None else read_order(said, self.symbol, idx)

    def view(self, held: Held) -> dict[str, Any]:
        action = "BUY" if held.side > 0 else "SELL"
        at = self.frame.index[held.entry]
        number, bar, price = str(held.number), held.entry, held.price
        return {
            **dict.fromkeys(("position_id", "id", "ticket"), number),
            **dict.fromkeys(("action", "side", "direction", "type"), action),
            **dict.fromkeys(("entry_price", "price", "open_price", "price_open"), price),
            **dict.fromkeys(("entry_idx", "entry_index", "entry_bar", "open_idx"), bar),
            **dict.fromkeys(("entry_time", "open_time", "time"), at),
            "symbol": self.symbol,
            "volume": held.order.volume,
            "sl": held.order.stop,
            "tp": held.order.target,
            "comment": held.order.comment,
        }


def read_order(said: Mapping[str, Any], symbol: str, idx: int) -> Order:
    side = {"BUY": 1, "SELL": -1}.get(said["action"])
    volume = float(said["volume"])
    limit = _price(said, "price") if said["type"] == "LIMIT" else None
    wrong = side is None or said["symbol"] != symbol or not 0 < volume < float("inf")
    if wrong or (limit is None) != (said["type"] == "MARKET"):
        raise BadDraft(f"bar {idx}: no order: {dict(said)!r}")
    comment = str(said.get("comment", ""))
    return Order(side or 0, limit, _price(said, "sl"), _price(said, "tp"), volume, comment)


def _price(said: Mapping[str, Any], name: str) -> float | None:
    value = said.get(name)
    if value is None or not isfinite(value) or value == 0:
        return None
    return float(value)


def drive(make: Make, request: Request, bars: Bars) -> tuple[Trade, ...]:
    strategy = make(config(request))
    frame = bars.frame.copy()
    indicators = strategy.prepare_indicators(frame.copy())
    mind = Driven(strategy, frame, indicators, request.symbol)
    return play(bars, mind, request.max_positions)


def looks_ahead(make: Make, request: Request, bars: Bars, full: tuple[Trade, ...]) -> bool:
    """True if a trade that ended early changes when the last bars are taken away."""
    cut = len(bars.close) * 6 // 10
    short = drive(make, request, bars_of(bars.frame.iloc[:cut]))

    def early(run: tuple[Trade, ...]) -> set[tuple[int, int, int, str]]:
        return {(t.signal, t.side, t.exit, t.kind) for t in run if t.exit < cut - 1}

    return early(full) != early(short)
