"""The template's loop and command line: nothing fills early, and live does not start by itself."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from adapters.base_adapter import Config
from adapters.config import config
from adapters.loop import drive
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.bars import BadBars, tuples
from simbroker.broker import SimBroker
from simbroker.terms import FREE, Terms
from strategies import template
from tests.simbroker.scripted import Ask, Scripted, table
from tests.strategies.examples import NAMES, ROOT

AAPL = ROOT / "fixtures/sample_aapl.csv"


def command(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    file = ROOT / "strategies" / name / "strategy.py"
    return subprocess.run(
        [sys.executable, str(file), *arguments], capture_output=True, text=True, cwd=ROOT
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_backtest_from_the_command_line(name: str, tmp_path: Path) -> None:
    done = command(name, "--mode", "backtest", "--data", str(AAPL), "--out", str(tmp_path / "r"))
    assert done.returncode == 0, done.stderr
    written = {p.name for p in (tmp_path / "r").iterdir()}
    results = {"trades.csv", "equity_curve.csv", "events.log", "summary.json"}
    assert written == {*results, "bars.csv"}
    summary = json.loads((tmp_path / "r" / "summary.json").read_text())
    assert json.loads(done.stdout) == summary and summary["total_trades"] > 0


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for out in ("a", "b"):
        command(
            "sma_cross", "--mode", "backtest", "--data", str(AAPL), "--out", str(tmp_path / out)
        )
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


@pytest.mark.parametrize("token", ["", "yes", "human_verified_", "human_verified_soon"])
def test_live_refuses_without_a_token(token: str) -> None:
    given = ["--approval-token", token] if token else []
    done = command("sma_cross", "--mode", "live", *given)
    assert done.returncode == 3 and "--approval-token human_verified_<timestamp>" in done.stderr


def test_a_token_alone_does_not_start_live_trading() -> None:
    """Anybody can type a timestamp: the strategy file refuses all the same."""
    done = command("sma_cross", "--mode", "live", "--approval-token", "human_verified_1762525800")
    assert done.returncode == 3 and "approved deployment" in done.stderr


def test_bad_data_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    bad = ROOT / "fixtures/bad/high_below_low.csv"
    done = command(
        "sma_cross", "--mode", "backtest", "--data", str(bad), "--out", str(tmp_path / "r")
    )
    assert done.returncode == 2 and "row 1: High is below Low" in done.stderr
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--cfg", "{bad", "write JSON, as in"),
        ("--cfg", "[1]", "write JSON, as in"),
        ("--cfg", '{"initial_balance": -1}', "give a positive number"),
        ("--cfg", '{"params": 3}', "params is no object"),
        ("--cfg", '{"params": {"fest": 5}}', "no 'fest'; this strategy's are: fast, slow"),
        ("--cfg", '{"params": {"fast": "5"}}', "params fast is '5', which is no number"),
        ("--cfg", '{"params": {"fast": NaN}}', "params fast is nan, which is no number"),
        ("--cfg", '{"params": {"fast": 2.5}}', "it takes whole numbers from 1 on"),
        ("--cfg", '{"params": {"fast": 0}}', "it takes whole numbers from 1 on"),
        ("--data", "nowhere.csv", "nowhere.csv: No such file or directory\n"),
        ("--out", str(AAPL / "r"), "name another folder with --out"),
    ],
)
def test_a_wrong_option_is_answered_with_a_sentence(
    option: str, value: str, says: str, tmp_path: Path
) -> None:
    given = {"--data": str(AAPL), "--out": str(tmp_path / "r"), option: value}
    words = [word for pair in given.items() for word in pair]
    done = command("sma_cross", "--mode", "backtest", *words)
    assert done.returncode == 2 and says in done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "r").exists()


def by_hand(out: Path, params: dict[str, float]) -> dict[str, Any]:
    told = json.dumps({"params": params} if params else {})
    done = command(
        "sma_cross", "--mode", "backtest", "--data", str(AAPL), "--out", str(out), "--cfg", told
    )
    assert done.returncode == 0, done.stderr
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text())
    assert json.loads(done.stdout) == summary
    return summary


def test_a_backtest_by_hand_may_change_numbers_of_the_rules_and_says_which(tmp_path: Path) -> None:
    usual, same = by_hand(tmp_path / "a", {}), by_hand(tmp_path / "b", {"fast": 10, "slow": 30})
    other = by_hand(tmp_path / "c", {"fast": 5, "slow": 30})
    assert usual == same and "changed_params" not in usual
    assert other["total_trades"] != usual["total_trades"]
    assert other["changed_params"] == {"fast": {"contract": 10, "here": 5}}


def test_live_takes_no_other_numbers() -> None:
    told = json.dumps({"params": {"fast": 5}})
    done = command("sma_cross", "--mode", "live", "--cfg", told)
    assert done.returncode == 2 and "live runs the contract's own numbers" in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_gate_and_a_live_run_know_no_params(name: str) -> None:
    """Both take their cfg from here, whatever stands in the file."""
    contract = json.loads((ROOT / "strategies" / name / "contract.json").read_text())
    assert "params" not in config(json.dumps({**contract, "params": {"fast": 5}}))


def test_a_backtest_needs_data() -> None:
    assert "--data" in command("sma_cross", "--mode", "backtest").stderr


def test_the_template_itself_must_be_filled_in() -> None:
    with pytest.raises(NotImplementedError):
        template.run_backtest(SimBrokerAdapter(SimBroker()), pd.read_csv(AAPL), {})
    with pytest.raises(PermissionError):
        template.run_live(SimBrokerAdapter(SimBroker()), {})


class Curious(Scripted):
    """Notes what it is shown when it is asked for an entry."""

    def __init__(self, cfg: Any) -> None:
        super().__init__({0: Ask(1), 3: Ask(1)}, {1: "x"})
        self.cfg, self.seen = cfg, list[tuple[int, float, float]]()

    def find_entries(self, df: Any, indicators: Any, idx: int) -> Any:
        self.seen.append((idx, self.cfg["balance"], self.cfg["equity"]))
        return super().find_entries(df, indicators, idx)


BARS = [(100, 101, 99, 100), (101, 103, 100, 102), (112, 114, 98, 99), (95, 97, 94, 96),
        (110, 112, 109, 111)]  # fmt: skip


def test_entries_are_asked_when_flat_or_leaving_with_the_account_as_it_is() -> None:
    made: list[Curious] = []

    def make(cfg: Any) -> Curious:
        made.append(Curious(cfg))
        return made[0]

    adapter = SimBrokerAdapter(SimBroker(Terms(symbol="X", costs=FREE)))
    template.backtest(make, adapter, table(BARS), {"symbol": "X"})
    assert made[0].seen == [
        (0, 10_000.0, 10_000.0),
        (1, 10_000.0, 10_001.0),  # leaving: the reversal may be decided now
        (2, 10_011.0, 10_011.0),  # closed at 112
        (3, 10_011.0, 10_011.0),
    ]  # never on the last bar, whose orders could not fill


def test_bad_bars_do_not_reach_a_strategy() -> None:
    df = table(BARS)
    df.iloc[2, 1] = float("nan")
    with pytest.raises(BadBars, match="row 2"):
        template.backtest(Curious, SimBrokerAdapter(SimBroker()), df, {"symbol": "X"})


def test_the_strategy_prepares_on_a_copy() -> None:
    class Vandal(Curious):
        def prepare_indicators(self, df: pd.DataFrame) -> Any:
            df.iloc[1:, :] = 1.0
            df["Close"] = 1.0
            with pytest.raises(ValueError, match="read-only"):
                df["Open"].to_numpy()[0] = 1.0
            return {}

    df, adapter = table(BARS), SimBrokerAdapter(SimBroker())
    cfg: Config = {"symbol": "X", "balance": 1.0, "equity": 1.0}
    drive(Vandal(cfg), adapter, df, tuples(df), cfg)
    pd.testing.assert_frame_equal(df, table(BARS))
    assert adapter.run().last_close == 111.0
