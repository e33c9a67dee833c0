"""The report of a run: every figure by name, and the assumptions that flatter it."""

from dataclasses import replace

from simbroker.clock import iso
from simbroker.exits import endings
from simbroker.fills import to_money
from simbroker.luck import lacks
from simbroker.run import Run
from simbroker.statistics import (
    bought_and_held,
    buy_and_hold,
    cagr,
    calmar,
    daily_returns,
    drawdown,
    expectancy,
    exposure_percent,
    longest_losing_streak,
    mean,
    periods_per_year,
    pnls_at,
    profit_factor,
    sharpe,
    sortino,
    win_rate,
)

STRESS = 2.0


def report(run: Run) -> dict[str, object]:
    """Money is in the account's currency, rates are 0 to 1, `_pct` is percent, None is unknown."""
    run = replace(run, trades=list(run.trades))  # rows of the array path are read once, not often
    trades, start = run.trades, run.terms.initial_balance
    pnls = [t.pnl for t in trades]
    down, growth, returns = drawdown(run), cagr(run), daily_returns(run)
    sound = bool((run.equity > 0.0).all())  # a return on nothing has no meaning
    periods = periods_per_year(run)
    total = to_money(run.final_balance - start)
    hold = buy_and_hold(run)
    return {
        "symbol": run.symbol,
        "timeframe": run.terms.timeframe,
        "bars": len(run.times),
        "first_bar": iso(int(run.times[0]), run.zone) if len(run.times) else None,
        "last_bar": iso(int(run.times[-1]), run.zone) if len(run.times) else None,
        "initial_balance": start,
        "final_balance": run.final_balance,
        "total_pnl": total,
        "total_return_pct": 100.0 * total / start,
        "cagr_pct": None if growth is None else 100.0 * growth,
        "total_trades": len(trades),
        "long_trades": sum(t.side > 0 for t in trades),
        "short_trades": sum(t.side < 0 for t in trades),
        "open_at_end": sum(t.kind == "open" for t in trades),
        "win_rate": win_rate(pnls),
        "profit_factor": profit_factor(pnls),
        "expectancy": expectancy(pnls),
        "average_trade": mean(pnls),
        "average_trade_pct": mean(
            [_percent(t.pnl, t.entry_price * t.volume * run.terms.contract_size) for t in trades]
        ),
        "average_win": mean([p for p in pnls if p > 0]),
        "average_loss": mean([p for p in pnls if p < 0]),
        "best_trade": max(pnls, default=None),
        "worst_trade": min(pnls, default=None),
        "average_bars": mean([t.exit_idx - t.entry_idx for t in trades]),
        "longest_losing_streak": longest_losing_streak(pnls),
        "average_mae": mean([t.mae for t in trades]),
        "average_mfe": mean([t.mfe for t in trades]),
        "worst_mae": min((t.mae for t in trades), default=0.0),
        "best_mfe": max((t.mfe for t in trades), default=0.0),
        "max_drawdown": down.money,
        "max_drawdown_pct": down.percent,
        "max_drawdown_bars": down.bars,
        "max_drawdown_days": down.days,
        "daily_returns": len(returns),
        "periods_per_year": periods,
        "sharpe": sharpe(returns, periods) if sound else None,
        "sortino": sortino(returns, periods) if sound else None,
        "calmar": calmar(growth, down.percent) if sound else None,
        "exposure_pct": exposure_percent(run),
        "buy_and_hold_pnl": hold,
        "buy_and_hold_return_pct": 100.0 * hold / start,
        **hold_risk(run, periods),
        "exits": [ending._asdict() for ending in endings(trades)],
        "commission": to_money(sum(t.commission for t in trades)),
        "spread": to_money(sum(t.spread for t in trades)),
        "slippage": to_money(sum(t.slippage for t in trades)),
        "cost_stress": cost_stress(run),
        "orders_refused": run.refused,
        "first_refusals": [{"bar": r.idx, "reason": r.reason} for r in run.refusals[:5]],
        "warnings": warnings(run),
    }


def hold_risk(run: Run, periods: int) -> dict[str, object]:
    """What holding would have asked of the nerves, by the same formulas as the strategy's."""
    held = bought_and_held(run)
    return {
        "buy_and_hold_max_drawdown_pct": drawdown(held).percent if held else None,
        "buy_and_hold_sharpe": sharpe(daily_returns(held), periods) if held else None,
    }


def cost_stress(run: Run) -> dict[str, object]:
    """The same decisions at twice the costs: does anything remain?"""
    pnls = pnls_at(run.trades, STRESS)
    total = to_money(sum(pnls))
    return {
        "factor": STRESS,
        "total_pnl": total,
        "final_balance": to_money(run.terms.initial_balance + total),
        "win_rate": win_rate(pnls),
        "profit_factor": profit_factor(pnls),
        "expectancy": expectancy(pnls),
    }


def warnings(run: Run) -> list[str]:
    """What makes these figures look better or firmer than they are."""
    found = []
    costs = run.terms.costs
    if costs.zero:
        found.append("All costs are zero: this flatters the result. Set costs in the contract.")
    elif costs.spread + costs.slippage + costs.slippage_percent_of_range == 0.0:
        found.append("Spread and slippage are zero: this flatters the result.")
    losses = sum(t.pnl <= 0 for t in run.trades)
    found += lacks(len(daily_returns(run)), len(run.trades), losses)
    if run.refused:
        found.append(f"{run.refused} orders were refused; the first reasons are listed.")
    if any(t.kind == "open" for t in run.trades):
        found.append("The data ended with a position open: closed at the last close.")
    if not bool((run.equity > 0.0).all()):
        found.append("The account fell to zero or below: no broker would have let it run on.")
    return found


def _percent(part: float, whole: float) -> float:
    return 100.0 * part / whole
