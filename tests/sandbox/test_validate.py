"""The four files of a real backtest: valid as they are, invalid where two of them disagree."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.validate import problems

ROOT = Path(__file__).parent.parent.parent
AAPL = ROOT / "fixtures/sample_aapl.csv"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    command = [sys.executable, str(ROOT / "strategies/sma_cross/strategy.py"), "--mode", "backtest"]
    done = subprocess.run(
        [*command, "--data", str(AAPL), "--out", str(tmp_path)], cwd=ROOT, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    return tmp_path


def only_its_header(text: str) -> str:
    return text.splitlines(keepends=True)[0]


def one_trade_less(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-1])


def one_trade_more(text: str) -> str:
    return text + text.splitlines(keepends=True)[-1]


def test_what_a_backtest_writes_is_valid(results: Path) -> None:
    assert problems(results) == []


@pytest.mark.parametrize("change", [only_its_header, one_trade_less, one_trade_more])
def test_trades_that_differ_from_the_summary_are_invalid(
    results: Path, change: Callable[[str], str]
) -> None:
    total = json.loads((results / "summary.json").read_text())["total_trades"]
    changed = change((results / "trades.csv").read_text())
    (results / "trades.csv").write_text(changed)
    rows = changed.count("\n") - 1
    assert total > 1 and problems(results) == [
        f"trades.csv: it has {rows} rows, but summary.json says total_trades {total}"
    ]


def without(event: str) -> Callable[[str], str]:
    """The log without the first line of that kind."""

    def change(text: str) -> str:
        lines = text.splitlines(keepends=True)
        first = next(n for n, line in enumerate(lines) if json.loads(line)["event"] == event)
        return "".join(lines[:first] + lines[first + 1 :])

    return change


@pytest.mark.parametrize("event", ["position_opened", "position_closed"])
def test_a_trade_that_is_not_in_the_log_makes_it_invalid(results: Path, event: str) -> None:
    changed = without(event)((results / "events.log").read_text())
    (results / "events.log").write_text(changed)
    (found,) = problems(results)
    assert found.startswith(f"events.log: its {event} lines and trades.csv disagree about pos_")
