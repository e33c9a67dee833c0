"""Writes a run to files: trades.csv, equity_curve.csv, events.log, summary.json."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from simbroker.clock import iso
from simbroker.fills import to_money
from simbroker.report import report
from simbroker.run import Ordered, Run

TRADE_COLUMNS = (
    "position_id", "symbol", "action", "volume", "signal_bar", "entry_bar", "entry_time",
    "entry_price", "exit_bar", "exit_time", "exit_price", "exit_kind", "exit_reason", "sl", "tp",
    "gross_pnl", "commission", "spread", "slippage", "pnl", "mae", "mfe", "balance", "comment",
)  # fmt: skip


def save(run: Run, out_dir: str, correlation_id: str) -> dict[str, str]:
    """The paths by name. The same run writes the same bytes."""
    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    _table(folder / "trades.csv", TRADE_COLUMNS, trade_rows(run))
    equity_table(run).to_csv(folder / "equity_curve.csv", index=False, lineterminator="\n")
    lines = [json.dumps({"timestamp": iso(at, run.zone), "correlation_id": correlation_id, **event})
             for at, event in events(run)]  # fmt: skip
    (folder / "events.log").write_text("".join(f"{line}\n" for line in lines))
    summary = json.dumps(report(run), indent=2, allow_nan=False)
    (folder / "summary.json").write_text(summary + "\n")
    names = ("trades.csv", "equity_curve.csv", "events.log", "summary.json")
    return {name.split(".")[0]: str(folder / name) for name in names}


def trade_rows(run: Run) -> Iterator[list[object]]:
    balance = run.terms.initial_balance
    for t in run.trades:
        balance = to_money(balance + t.pnl)
        yield [t.position_id, run.symbol, t.action, t.volume, t.signal_idx, t.entry_idx,
               iso(t.entry_micros, run.zone), t.entry_price, t.exit_idx,
               iso(t.exit_micros, run.zone), t.exit_price, t.kind, t.reason, t.sl, t.tp, t.gross,
               t.commission, t.spread, t.slippage, t.pnl, t.mae, t.mfe, balance,
               t.comment]  # fmt: skip


def equity_table(run: Run) -> pd.DataFrame:
    """Equity at each close, and the balance: what has been booked by closed trades until then."""
    booked = np.zeros(len(run.times))
    for t in run.trades:
        booked[t.exit_idx] += t.pnl
    index = pd.DatetimeIndex(run.times.astype("datetime64[us]"))
    if run.zone is not None:
        index = index.tz_localize("UTC").tz_convert(run.zone)
    balance = np.round(run.terms.initial_balance + np.cumsum(booked), 8)
    return pd.DataFrame(
        {
            "timestamp": [at.isoformat() for at in index],
            "balance": balance,
            "equity": np.round(run.equity, 8),
        }
    )


def events(run: Run) -> list[tuple[int, dict[str, object]]]:
    """All that happened and when, in the order of a bar: exits, orders that end, the entry, stops
    and targets; on its close orders are refused, placed and cancelled."""
    found = [*_of_trades(run), *_of_orders(run), *_of_refusals(run)]
    return [(at, event) for _, _, at, event in sorted(found, key=lambda f: f[:2])]


Ranked = tuple[int, int, int, dict[str, object]]
"""The bar, the rank in it, the time, what happened."""


def _of_trades(run: Run) -> Iterator[Ranked]:
    for t in run.trades:
        about = {"position_id": t.position_id, "symbol": run.symbol, "action": t.action}
        opened = {"event": "position_opened", **about, "price": t.entry_price, "volume": t.volume}
        yield t.entry_idx, 1, t.entry_micros, opened
        rank = 0 if t.kind == "signal" else 2
        if t.kind in ("sl", "tp"):
            hit = {"event": f"{t.kind}_hit", **about, "price": t.exit_price}
            yield t.exit_idx, rank, t.exit_micros, hit
        closed = {"event": "position_closed", **about, "price": t.exit_price, "pnl": t.pnl,
                  "reason": t.reason or t.kind}  # fmt: skip
        yield t.exit_idx, rank, t.exit_micros, closed


RANKS = {"order_expired": 1, "order_cancelled": 4, "order_placed": 4}


def _of_orders(run: Run) -> Iterator[Ranked]:
    for o in run.orders:
        yield o.idx, RANKS[o.event], int(run.times[o.idx]), _about(run, o, o.event)


def _about(run: Run, o: Ordered, event: str) -> dict[str, object]:
    return {"event": event, "order_id": o.order_id, "position_id": o.position_id,
            "symbol": run.symbol, "action": o.action, "price": o.price,
            "volume": o.volume}  # fmt: skip


def _of_refusals(run: Run) -> Iterator[Ranked]:
    """An order that was refused when it was placed has no id; one that had no margin left at the
    open has."""
    placed = {o.order_id: o for o in run.orders}
    for r in run.refusals:
        order, at = placed.get(r.order_id), int(run.times[max(r.idx, 0)])
        about = (_about(run, order, "order_rejected") if order else
                 {"event": "order_rejected", "symbol": run.symbol})  # fmt: skip
        yield r.idx, 1 if order else 3, at, {**about, "reason": r.reason}


def _table(path: Path, names: tuple[str, ...], rows: Iterator[list[object]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
