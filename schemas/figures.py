"""From the report of a run, as summary.json holds it, to the document. One place knows both."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from schemas.report import Summary


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
        net_pnl_at_double_costs=money(doubled) if doubled is not None else None,
        return_pct=real(told["total_return_pct"]),
        cagr_pct=real(told["cagr_pct"]),
        max_drawdown_pct=real(told["max_drawdown_pct"]),
        max_drawdown_days=real(told["max_drawdown_days"]),
        average_trade=money(told["average_trade"]),
        average_bars=real(told["average_bars"]),
        longest_losing_streak=int(told["longest_losing_streak"]),
        sortino=real(told["sortino"]),
        exposure_pct=real(told["exposure_pct"]),
    )


def money(value: float) -> Decimal:
    return Decimal(str(round(max(-1e14, min(1e14, float(value))), 2)))


def real(value: float | None) -> float | None:
    return None if value is None else round(max(-1e12, min(1e12, float(value))), 6)
