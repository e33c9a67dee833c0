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
from simbroker.run import Run

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
    """What happened and when, in the order of a bar: exits, the entry, stops, refused orders."""
    found: list[tuple[int, int, int, dict[str, object]]] = []
    for t in run.trades:
        about = {"position_id": t.position_id, "symbol": run.symbol, "action": t.action}
        opened = {"event": "position_opened", **about, "price": t.entry_price, "volume": t.volume}
        found.append((t.entry_idx, 1, t.entry_micros, opened))
        rank = 0 if t.kind == "signal" else 2
        if t.kind in ("sl", "tp"):
            hit = {"event": f"{t.kind}_hit", **about, "price": t.exit_price}
            found.append((t.exit_idx, rank, t.exit_micros, hit))
        closed = {"event": "position_closed", **about, "price": t.exit_price, "pnl": t.pnl,
                  "reason": t.reason or t.kind}  # fmt: skip
        found.append((t.exit_idx, rank, t.exit_micros, closed))
    for refusal in run.refusals:
        at = int(run.times[max(refusal.idx, 0)])
        refused: dict[str, object] = {"event": "order_rejected", "reason": refusal.reason}
        found.append((refusal.idx, 3, at, refused))
    return [(at, event) for _, _, at, event in sorted(found, key=lambda f: f[:2])]


def _table(path: Path, names: tuple[str, ...], rows: Iterator[list[object]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
