"""From the report of a run, as summary.json holds it, to the document. One place knows both."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from schemas.report import REASON, Ending, EndKind, Summary


def summary_of(told: Mapping[str, Any]) -> Summary:
    """Raises `KeyError`, `TypeError` or `ValueError` where it is no such report."""
    stress = told["cost_stress"]
    doubled = stress.get("total_pnl") if isinstance(stress, dict) else None
    return Summary(
        total_trades=int(told["total_trades"]),
        net_pnl=money(told["total_pnl"]),
        win_rate=float(told["win_rate"] or 0.0),
        max_drawdown=money(told["max_drawdown"]),
        profit_factor=real(told["profit_factor"]),
        sharpe=real(told["sharpe"]),
        buy_and_hold=money(told["buy_and_hold_pnl"]),
        net_pnl_at_double_costs=some_money(doubled),
        returns=int(told.get("daily_returns", 0)),
        return_pct=real(told["total_return_pct"]),
        cagr_pct=real(told["cagr_pct"]),
        max_drawdown_pct=real(told["max_drawdown_pct"]),
        max_drawdown_days=real(told["max_drawdown_days"]),
        average_trade=money(told["average_trade"]),
        average_bars=real(told["average_bars"]),
        longest_losing_streak=int(told["longest_losing_streak"]),
        sortino=real(told["sortino"]),
        exposure_pct=real(told["exposure_pct"]),
        best_trade=some_money(told.get("best_trade")),
        worst_trade=some_money(told.get("worst_trade")),
        hold_sharpe=real(told.get("buy_and_hold_sharpe")),
        hold_drawdown_pct=real(told.get("buy_and_hold_max_drawdown_pct")),
        endings=tuple(map(_ending, told.get("exits", ()))),
    )


def _ending(told: Mapping[str, Any]) -> Ending:
    return Ending(
        kind=EndKind(told["kind"]),
        reason=str(told["reason"])[:REASON],
        trades=int(told["trades"]),
        win_rate=float(told["win_rate"]),
        net=money(told["total_pnl"]),
        average=money(told["average_trade"]),
    )


def some_money(value: float | None) -> Decimal | None:
    return None if value is None else money(value)


def money(value: float) -> Decimal:
    return Decimal(str(round(max(-1e14, min(1e14, float(value))), 2)))


def real(value: float | None) -> float | None:
    return None if value is None else round(max(-1e12, min(1e12, float(value))), 6)
