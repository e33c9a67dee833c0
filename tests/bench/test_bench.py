"""The benchmark compares engines that trade alike; no time is asserted here."""

import pytest

from tests.bench.engines import ENGINES
from tests.bench.report import judged, table
from tests.bench.workloads import TITLES, make_bars

OURS = ["obvious", "stratbot callback", "stratbot arrays"]


@pytest.mark.parametrize("workload", TITLES)
def test_the_obvious_way_and_both_paths_trade_alike(workload: str) -> None:
    bars = make_bars(3000)
    trades = {ENGINES[engine](workload, bars)[1] for engine in OURS}
    assert len(trades) == 1 and trades.pop() > 5


def test_a_missed_target_is_called_missed() -> None:
    def row(engine: str, size: int, speed: float) -> dict[str, object]:
        return {"workload": "rsi", "bars": size, "engine": engine, "bars_per_second": speed,
                "peak_mb": 500.0, "trades": 7, "runs": 1}  # fmt: skip

    rows = [row("backtesting.py", 100_000, 100.0), row("stratbot callback", 100_000, 700.0),
            row("stratbot callback", 1_000_000, 650.0)]  # fmt: skip
    targets = judged(rows)
    assert [t["met"] for t in targets if "backtesting.py" in t["target"]] == [False]
    assert [t["met"] for t in targets if "peak" in t["target"]] == [False]
    assert "MISSED" in table(rows, targets, ["vectorbt"])
