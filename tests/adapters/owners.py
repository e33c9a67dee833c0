"""A broker written from the owner's specification alone: its eight methods, its keys, no more.

Prices and fills are the rules of the backtest without costs, so that its trades can be compared
with those of SimBroker: an order fills from the next open on, the stop before the target.
"""

import json
from pathlib import Path
from typing import Any

import pandas as pd

ORDER_KEYS = {"action", "symbol", "volume", "type", "price", "sl", "tp", "comment"}


class OwnersAdapter:
    """Every signature is copied from section C of the specification."""

    def __init__(self, events: bool = True) -> None:
        self._tells, self._bars, self._made = events, 0, 0
        self._order: dict[str, Any] | None = None
        self._open: list[dict[str, Any]] = []
        self._leaving: set[str] = set()
        self._last = 0.0
        self.trades: list[dict[str, Any]] = []

    def place_order(self, order_request: dict[str, Any]) -> dict[str, Any]:
        assert set(order_request) <= ORDER_KEYS, f"not in the specification: {order_request}"
        assert order_request["type"] in ("MARKET", "LIMIT")
        self._made += 1
        self._order = {**order_request, "position_id": f"p{self._made}"}
        return {"success": True, "order_id": f"o{self._made}", "position_id": f"p{self._made}",
                "fill_price": self._last}  # fmt: skip

    def cancel_order(self, order_id: str) -> bool:
        found = self._order is not None and order_id == f"o{self._made}"
        self._order = None if found else self._order
        return found

    def close_position(self, pos_id: str, price: float | None = None) -> dict[str, Any]:
        found = any(p["position_id"] == pos_id for p in self._open)
        self._leaving |= {pos_id} if found else set()
        return {"success": found}

    def step_bar(self, bar: "pd.Series[float]") -> list[dict[str, Any]]:
        assert type(bar) is pd.Series, f"a bar is a pd.Series, not a {type(bar).__name__}"
        events: list[dict[str, Any]] = []
        for position in [p for p in self._open if p["position_id"] in self._leaving]:
            self._close(position, float(bar["Open"]), "position_closed", events)
        if self._order is not None:
            self._fill(self._order, bar, events)
            self._order = None
        for position in list(self._open):
            self._levels(position, bar, events)
        self._bars, self._last = self._bars + 1, float(bar["Close"])
        return events if self._tells else []

    def get_positions(self) -> list[dict[str, Any]]:
        return [dict(p) for p in self._open]

    def get_account(self) -> dict[str, Any]:
        balance = 10_000.0 + sum(t["pnl"] for t in self.trades)
        held = sum(_won(p, self._last) for p in self._open)
        return {"balance": balance, "equity": balance + held}

    def generate_report(self) -> dict[str, Any]:
        won = [t["pnl"] for t in self.trades]
        rate = sum(x > 0 for x in won) / len(won) if won else 0.0
        return {"total_trades": len(won), "total_pnl": sum(won), "win_rate": rate}

    def save_report(self, out_dir: str) -> dict[str, str]:
        file = Path(out_dir) / "summary.json"
        file.write_text(json.dumps(self.generate_report()))
        return {"summary": str(file)}

    # -------------------------------------------------------------------- how it fills
    def _fill(self, order: dict[str, Any], bar: Any, events: list[dict[str, Any]]) -> None:
        price, inside = float(bar["Open"]), False
        if order["type"] == "LIMIT":
            limit, side = float(order["price"]), 1 if order["action"] == "BUY" else -1
            if side * price > side * limit:
                best = bar["Low"] if side > 0 else bar["High"]
                if side * best > side * limit:
                    return
                price, inside = limit, True
        names = ("position_id", "symbol", "action", "volume")
        opened = {**{n: order[n] for n in names}, "sl": order.get("sl"), "tp": order.get("tp"),
                  "entry_price": price, "entry_idx": self._bars, "entry_time": bar.name,
                  "inside": inside}  # fmt: skip
        self._open.append(opened)
        events.append({"event": "position_opened", "position_id": opened["position_id"]})

    def _levels(self, p: dict[str, Any], bar: Any, events: list[dict[str, Any]]) -> None:
        side, first = (1 if p["action"] == "BUY" else -1), float(bar["Open"])
        worst, best = (bar["Low"], bar["High"]) if side > 0 else (bar["High"], bar["Low"])
        filled_inside = p["inside"] and p["entry_idx"] == self._bars
        if p["tp"] and side * first >= side * p["tp"] and not filled_inside:
            self._close(p, first, "tp_hit", events)
        elif p["sl"] and side * worst <= side * p["sl"]:
            gap = side * first < side * p["sl"] and not filled_inside
            self._close(p, first if gap else float(p["sl"]), "sl_hit", events)
        elif p["tp"] and side * best >= side * p["tp"] and not filled_inside:
            self._close(p, float(p["tp"]), "tp_hit", events)

    def _close(
        self, p: dict[str, Any], price: float, why: str, events: list[dict[str, Any]]
    ) -> None:
        self._open.remove(p)
        self.trades.append(
            {**p, "exit_price": price, "exit_idx": self._bars, "pnl": _won(p, price)}
        )
        events.append({"event": why, "position_id": p["position_id"]})


def _won(p: dict[str, Any], price: float) -> float:
    side = 1 if p["action"] == "BUY" else -1
    return float(side * (price - p["entry_price"]) * p["volume"])
