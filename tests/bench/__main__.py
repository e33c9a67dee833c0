"""Runs the benchmark: every engine in a process of its own, one after the other, in rounds.

python -m tests.bench [--json bench.json] [--sizes 10000,100000] [--engines obvious,vectorbt]
"""

import argparse
import importlib.util
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from tests.bench.engines import ENGINES, NEEDS, SLOW
from tests.bench.report import judged, table
from tests.bench.workloads import TITLES, make_bars

ROUNDS = {10_000: 3, 100_000: 5, 1_000_000: 2}
SLOW_ROUNDS = {10_000: 2, 100_000: 5, 1_000_000: 1}  # the targets at 100,000 compare best with best


def child(engine: str, workload: str, file: str) -> None:
    """One measurement. Prints seconds, trades and the peak of this process's memory."""
    df = pd.read_pickle(file)  # nosec: written by the parent a moment ago
    seconds, trades = ENGINES[engine](workload, df)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "trades": trades, "peak_mb": peak}))


def measure(engine: str, workload: str, file: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--child", engine, workload, str(file)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    if done.returncode:
        raise SystemExit(f"{engine} failed on {workload}:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def bench(sizes: list[int], engines: list[str]) -> list[dict[str, Any]]:
    rows: dict[tuple[str, int, str], dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            file = Path(folder) / f"{size}.pickle"
            make_bars(size).to_pickle(file)
            for turn in range(ROUNDS.get(size, 3)):
                for workload in TITLES:
                    for engine in engines:
                        if engine in SLOW and turn >= SLOW_ROUNDS.get(size, 1):
                            continue
                        got = measure(engine, workload, file)
                        row = rows.setdefault((workload, size, engine), {**got, "runs": 0})
                        row["seconds"] = min(row["seconds"], got["seconds"])
                        row["peak_mb"] = min(row["peak_mb"], got["peak_mb"])
                        row["runs"] += 1
                        told = (
                            f"{workload} {size:>9,} {engine:18} {size / got['seconds']:>13,.0f}/s"
                        )
                        print(told, file=sys.stderr, flush=True)
    return [
        {"workload": w, "bars": n, "engine": e, **row, "bars_per_second": n / row["seconds"]}
        for (w, n, e), row in rows.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare speed, memory and trades.")
    parser.add_argument("--json", default="", help="write the figures to this file")
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--child", nargs=3, metavar=("ENGINE", "WORKLOAD", "FILE"))
    args = parser.parse_args()
    if args.child:
        child(*args.child)
        return 0
    wanted = args.engines.split(",")
    absent = [e for e, needs in NEEDS.items() if importlib.util.find_spec(needs) is None]
    rows = bench([int(s) for s in args.sizes.split(",")], [e for e in wanted if e not in absent])
    targets = judged(rows)
    print(table(rows, targets, absent))
    if args.json:
        machine = f"{platform.machine()}, Python {platform.python_version()}"
        told = {"machine": machine, "rows": rows, "targets": targets, "absent": absent}
        Path(args.json).write_text(json.dumps(told, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
