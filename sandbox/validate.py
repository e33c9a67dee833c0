"""Are the artifacts of a run what they should be? `python -m sandbox.validate DIR` by hand."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from schemas import outside
from simbroker.save import TRADE_COLUMNS

REQUIRED = ("trades.csv", "equity_curve.csv", "events.log", "summary.json")
PRICES = "bars.csv"
"""The closes of the known bars, for pictures; nobody has to leave them behind."""
FIGURES = ("total_trades", "total_pnl", "win_rate", "max_drawdown")
MOST_BYTES = 50_000_000


def problems(folder: Path) -> list[str]:
    """What is wrong with the four files, as `name: sentence`."""
    checks: dict[str, Callable[[Path], str]] = {
        "trades.csv": _trades, "equity_curve.csv": _equity, "events.log": _events,
        "summary.json": _summary,
    }  # fmt: skip
    found = [
        f"{name}: {said}" for name in REQUIRED if (said := _checked(checks[name], folder / name))
    ]
    return found or _disagreements(folder)


def report_problems(folder: Path) -> list[str]:
    try:
        found = outside.problems("test_report", (folder / "test_report.json").read_bytes())
    except OSError as error:
        return [f"test_report.json: {error.strerror}"]
    return [f"test_report.json: {problem}" for problem in found[:5]]


def _checked(check: Callable[[Path], str], path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file():
            return "it is missing"
        if path.stat().st_size > MOST_BYTES:
            return "it is too large"
        return check(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"it cannot be read: {error}"


def _trades(path: Path) -> str:
    with path.open(newline="") as file:
        rows = csv.DictReader(file)
        if tuple(rows.fieldnames or ()) != TRADE_COLUMNS:
            return f"its columns are not {', '.join(TRADE_COLUMNS)}"
        for n, row in enumerate(rows, 1):
            if not row["position_id"] or float(row["entry_price"]) <= 0:
                return f"trade {n} has no id or no price"
    return ""


def _equity(path: Path) -> str:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return "it is empty"
    times = [datetime.fromisoformat(row["timestamp"]) for row in rows]
    if any(a >= b for a, b in zip(times, times[1:], strict=False)):
        return "its time does not go forward"
    return "" if all(float(r["equity"]) == float(r["equity"]) for r in rows) else "NaN in it"


def _events(path: Path) -> str:
    for n, line in enumerate(path.read_text().splitlines(), 1):
        event = json.loads(line)
        datetime.fromisoformat(event["timestamp"])
        if not event["correlation_id"] or not event["event"]:
            return f"line {n} has no correlation id or no event"
    return ""


def _summary(path: Path) -> str:
    summary = json.loads(path.read_text())
    missing = [name for name in FIGURES if name not in summary]
    return f"it lacks {missing[0]}" if missing else ""


def _disagreements(folder: Path) -> list[str]:
    """Files that are sound alone and contradict each other. Call it for readable files only."""
    with (folder / "trades.csv").open(newline="") as file:
        rows = sum(1 for _ in csv.DictReader(file))
    total = json.loads((folder / "summary.json").read_text())["total_trades"]
    if rows != total:
        return [f"trades.csv: it has {rows} rows, but summary.json says total_trades {total}"]
    return _other_positions(folder)


def _other_positions(folder: Path) -> list[str]:
    """Each trade was opened and closed in the log, and nothing else was."""
    with (folder / "trades.csv").open(newline="") as file:
        traded = sorted(row["position_id"] for row in csv.DictReader(file))
    events = [json.loads(line) for line in (folder / "events.log").read_text().splitlines()]
    for name in ("position_opened", "position_closed"):
        logged = sorted(str(e.get("position_id")) for e in events if e["event"] == name)
        if logged != traded:
            one = min(set(logged) ^ set(traded), default="one position")
            return [f"events.log: its {name} lines and trades.csv disagree about {one}"]
    return []


def main(argv: list[str]) -> int:
    if len(argv) != 1 or not Path(argv[0]).is_dir():
        print("usage: python -m sandbox.validate DIR", file=sys.stderr)
        return 2
    found = [*problems(Path(argv[0])), *report_problems(Path(argv[0]))]
    print(*(found or [f"{argv[0]}: all artifacts are valid"]), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
