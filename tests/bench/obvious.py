"""The owner's template written the obvious way: rows of pandas, positions as dictionaries."""

from typing import Any

import pandas as pd


class ObviousBroker:
    """Market orders, stop, target, exits at the next open. No costs, checks or statistics."""

    def __init__(self) -> None:
        self.positions: list[dict[str, Any]] = []
        self.trades: list[dict[str, Any]] = []
        self.equity: list[dict[str, Any]] = []
        self.order: dict[str, Any] | None = None
        self.balance = 1e6

    def place_order(self, order_request: dict[str, Any]) -> dict[str, Any]:
        self.order = order_request
        return {"success": True}

    def close_position(self, pos_id: int) -> None:
        for position in self.positions:
            if position["position_id"] == pos_id:
                position["leaving"] = True

    def get_positions(self) -> list[dict[str, Any]]:
        return [dict(position) for position in self.positions]

    def _close(self, position: dict[str, Any], price: float, time: Any) -> None:
        self.positions.remove(position)
        sign = 1 if position["action"] == "BUY" else -1
        pnl = sign * (price - position["entry_price"]) * position["volume"]
        self.balance += pnl
        self.trades.append({**position, "exit_price": price, "exit_time": time, "pnl": pnl})

    def step_bar(self, bar: "pd.Series[float]") -> list[dict[str, Any]]:
        for position in list(self.positions):
            if position["leaving"]:
                self._close(position, bar["Open"], bar.name)
        if self.order is not None:
            self.positions.append(
                {
                    **self.order,
                    "position_id": len(self.trades),
                    "entry_price": bar["Open"],
                    "entry_time": bar.name,
                    "leaving": False,
                }
            )
            self.order = None
        for position in list(self.positions):
            sl, tp = position.get("sl"), position.get("tp")
            if position["action"] != "BUY" or sl is None or tp is None:
                continue
            if bar["Low"] <= sl:
                self._close(position, min(bar["Open"], sl), bar.name)
            elif bar["High"] >= tp:
                self._close(position, max(bar["Open"], tp), bar.name)
        worth = self.balance
        for position in self.positions:
            sign = 1 if position["action"] == "BUY" else -1
            worth += sign * (bar["Close"] - position["entry_price"]) * position["volume"]
        self.equity.append({"time": bar.name, "equity": worth})
        return []


def run(strategy: Any, df: pd.DataFrame, indicators: Any) -> int:
    """The obvious loop. Returns the number of trades."""
    broker = ObviousBroker()
    for idx in range(len(df)):
        broker.step_bar(df.iloc[idx])
        if idx == len(df) - 1:
            break
        staying = 0
        for position in broker.get_positions():
            leave = strategy.find_exits(position, df, indicators, idx)
            if leave:
                broker.close_position(leave["position_id"])
            else:
                staying += 1
        if not staying:
            order = strategy.find_entries(df, indicators, idx)
            if order:
                broker.place_order(order)
    return len(broker.trades) + len(broker.positions)
