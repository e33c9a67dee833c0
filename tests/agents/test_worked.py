"""The worked example of the plan, against the broker of the tests and the code that is written."""

from __future__ import annotations

import pytest

from adapters.config import BALANCE, LEVERAGE, config
from bot.agents import coder, worked
from bot.agents.sheet_plan import planned
from schemas import codec
from schemas.contract import Contract, Side
from schemas.work import PlanMade
from simbroker.broker import SimBroker
from simbroker.terms import Terms
from tests.agents.test_sheet_plan import order

HEAD = "symbol SPY\ntimeframe D1\nenter {side} when close > open\nexit when close < open\n"


def contract(lines: str, side: str = "long") -> Contract:
    made = planned(order(f"```sheet\n{HEAD.format(side=side)}{lines}\n```"))
    assert isinstance(made, PlanMade), made
    return made.contract


def test_money_and_leverage_are_those_of_the_tests() -> None:
    assert (worked.BALANCE, worked.LEVERAGE) == (BALANCE, LEVERAGE)
    for size in ("units 100", "units 0.5", "cash 500", "equity_percent 95"):
        made = contract(f"size {size}")
        assert worked.balance(made) == config(codec.dump(made))["initial_balance"]


@pytest.mark.parametrize("side", ["long", "short"])
@pytest.mark.parametrize(
    "lines",
    [
        "stop 5 % from fill\nsize equity_percent 95\ncommission 0.05 %",
        "stop 5 % from signal close\nsize risk_percent 1\nspread 0.02\nslippage 0.01",
        "stop 2.5 points from fill\ntarget 2 R\nsize risk_cash 250\ncommission 1 per trade",
        "stop 4 points from signal close\nsize cash 5000\ncommission 0.005 per share",
        "stop 3 % from fill\nsize units 7\ncosts none",
        "stop 2 * atr(14) from fill\nsize risk_percent 1\ncosts none",
    ],
)
def test_the_broker_books_the_same_trade(lines: str, side: str) -> None:
    made = contract(lines, side)
    trade = worked.worked(made)
    assert trade.stop is not None and trade.result is not None
    broker = SimBroker(Terms.read(config(codec.dump(made))))
    away = 10.0 * (-1 if side == "long" else 1)
    broker.step_bar(bar("2024-01-01", 100, 100, 100, 100))
    placed = broker.place_order(
        {"action": "BUY" if side == "long" else "SELL", "symbol": "SPY", "type": "MARKET",
         "volume": trade.units, "sl": trade.stop, "comment": ""}
    )  # fmt: skip
    assert placed["success"], placed
    broker.step_bar(bar("2024-01-02", 100, 100, 100, 100))
    broker.step_bar(bar("2024-01-03", 100, max(100, 100 + away), min(100, 100 + away), 100))
    (done,) = broker.trades
    assert broker.balance - trade.balance == pytest.approx(trade.result, abs=1e-6)
    assert done.exit_price == pytest.approx(trade.stop)


def bar(at: str, first: float, high: float, low: float, close: float) -> dict[str, object]:
    return {"timestamp": at, "Open": first, "High": high, "Low": low, "Close": close, "Volume": 1.0}


@pytest.mark.parametrize(
    "size", ["equity_percent 95", "risk_percent 1", "risk_cash 250", "cash 5000", "units 7"]
)
def test_the_written_code_orders_the_same_size(size: str) -> None:
    made = contract(f"stop 5 % from signal close\nsize {size}")
    found: dict[str, object] = {}
    exec(compile(coder.write_strategy(made), "strategy.py", "exec"), found)
    written = found["Strategy"](config(codec.dump(made)))  # type: ignore[operator]
    given = {"equity_percent": (100.0,), "cash": (100.0,), "units": ()}
    volume = written._volume(*given.get(size.split()[0], (100.0, 95.0)))
    assert volume == pytest.approx(worked.worked(made).units)


def test_what_only_bars_can_tell_is_not_made_up() -> None:
    trade = worked.worked(contract("stop at lowest(low, 10)[1]\nsize equity_percent 50"))
    assert (trade.stop, trade.result, trade.side) == (None, None, Side.LONG)
    assert trade.units == 50.0
    taken = worked.worked(contract("stop at lowest(low, 10)[1]\nsize risk_percent 1"))
    assert taken.stop_taken and taken.units == pytest.approx(50.0)
