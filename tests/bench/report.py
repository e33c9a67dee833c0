"""The figures of a benchmark as a table, and whether the targets are met."""

from typing import Any

from tests.bench.workloads import TITLES

OURS, ARRAYS = "stratbot callback", "stratbot arrays"
RATIOS = [  # workload, engine, against, at least, at this many bars
    ("rsi", OURS, "backtesting.py", 8.0, 100_000),
    ("rsi", OURS, "obvious", 50.0, 100_000),
    ("sma", OURS, "backtesting.py", 4.0, 100_000),
    ("rsi", ARRAYS, "vectorbt", 5.0, 100_000),
]
SAME_FILLS = ("obvious", OURS, ARRAYS)
NOTES = """\
Peers have rules of their own (vectorbt measures stop and target from the fill price, not from the
close that was decided on), so trades are shown, not assumed to be equal.
Compared are the bars per second of the loop: the statistics and the progress bar of backtesting.py
are taken out of its time, as our report is out of ours. Of a flat bar's time in the callback path a
sixth makes the bar, a quarter is the broker's step, and the rest is the loop, the strategy's own
call and its read of an indicator. A trade costs as much as about forty flat bars."""


def judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each target with what was measured. A target whose engines did not run is left out."""
    by = {(r["workload"], r["bars"], r["engine"]): r for r in rows}
    found: list[dict[str, Any]] = []

    def add(what: str, value: float, limit: float, met: bool) -> None:
        found.append({"target": what, "value": round(value, 2), "limit": limit, "met": met})

    for workload, engine, against, least, size in RATIOS:
        a, b = by.get((workload, size, engine)), by.get((workload, size, against))
        if a and b:
            ratio = a["bars_per_second"] / b["bars_per_second"]
            add(f"{workload}: {engine} / {against} at {size:,}", ratio, least, ratio >= least)
    for workload in TITLES:
        for engine in (OURS, ARRAYS):
            few, many = by.get((workload, 10_000, engine)), by.get((workload, 1_000_000, engine))
            if few and many:
                ratio = few["bars_per_second"] / many["bars_per_second"]
                add(f"{workload}: {engine}, cost per bar 1M / 10k", ratio, 1.3, ratio <= 1.3)
            if many:
                peak = many["peak_mb"]
                add(f"{workload}: {engine}, peak MB at 1M", peak, 400.0, peak < 400.0)
        for size in sorted({r["bars"] for r in rows}):
            trades = {by[k]["trades"] for e in SAME_FILLS if (k := (workload, size, e)) in by}
            add(
                f"{workload}: same trades in our engines at {size:,}",
                len(trades),
                1,
                len(trades) == 1,
            )
    return found


def table(rows: list[dict[str, Any]], targets: list[dict[str, Any]], absent: list[str]) -> str:
    lines = []
    for workload, title in TITLES.items():
        lines += [f"\n{title}", f"{'bars':>9}  {'engine':18} {'bars/s':>13} {'vs obvious':>10}"
                  f" {'vs b.t.py':>9} {'peak MB':>8} {'trades':>7} {'runs':>4}"]  # fmt: skip
        for row in (r for r in rows if r["workload"] == workload):
            ratios = [_ratio(rows, row, e) for e in ("obvious", "backtesting.py")]
            lines.append(
                f"{row['bars']:>9,}  {row['engine']:18} {row['bars_per_second']:>13,.0f}"
                f" {ratios[0]:>10} {ratios[1]:>9} {row['peak_mb']:>8.0f} {row['trades']:>7,}"
                f" {row['runs']:>4}"
            )
    lines.append("\nTargets")
    for t in targets:
        mark = "met   " if t["met"] else "MISSED"
        lines.append(f"{mark}  {t['target']:58} {t['value']:>9,.2f}   (limit {t['limit']:g})")
    lines += [f"\nNot installed: {', '.join(absent)}"] if absent else []
    return "\n".join([*lines, "", NOTES])


def _ratio(rows: list[dict[str, Any]], row: dict[str, Any], engine: str) -> str:
    base = [r for r in rows if r["engine"] == engine
            and (r["workload"], r["bars"]) == (row["workload"], row["bars"])]  # fmt: skip
    return f"{row['bars_per_second'] / base[0]['bars_per_second']:.1f}" if base else ""
