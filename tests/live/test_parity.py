"""The parity monitor: what looks ahead or remembers is found on its bar; what is clean never is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from adapters.live.adapter import frame
from adapters.live.decide import Inputs, decide
from adapters.live.parity import first_difference
from adapters.live.port import Bar
from bot.live import repository
from schemas import codec
from schemas.live import Incident
from tests.live import restless
from tests.live.stage import Stage, add_strategy, commit, exchange, git

RESTLESS = Path(restless.__file__).read_text()
LEAKY = RESTLESS.replace('df["Close"].rolling(3)', 'df["Close"].shift(-1).ffill().rolling(3)')
REMEMBERS = RESTLESS.replace(
    'close, mean = df["Close"].iloc[idx], indicators["mean"].iloc[idx]',
    'Strategy.calls = getattr(Strategy, "calls", 0) + 1\n'
    '        close, mean = df["Close"].iloc[idx], 0.0 if Strategy.calls % 2 else 1e9',
)
BARS = [Bar(n * 86_400_000_000, 10 + n % 7, 12 + n % 7, 9, 10 + n % 5, 1.0) for n in range(1, 30)]
CFG = {"symbol": "AAPL"}


def records(until: int) -> list[dict[str, object]]:
    """A journal whose decisions are the right ones."""
    told: list[dict[str, object]] = []
    for idx, bar in enumerate(BARS[:until]):
        told.append({"kind": "bar", **{n: getattr(bar, n) for n in bar.__slots__}})
        inputs = Inputs(idx, 1000.0, 1000.0, ())
        made = decide(restless.Strategy, CFG, BARS[: idx + 1], inputs, 1)  # type: ignore[arg-type]
        stored = {"idx": idx, "balance": 1000.0, "equity": 1000.0, "positions": []}
        decision = json.loads(made.spell())
        told.append({"kind": "decided", "inputs": stored, "decision": decision})
    return told


def test_right_decisions_are_had_again() -> None:
    found = first_difference(restless.Strategy, CFG, 1, records(29))  # type: ignore[arg-type]
    assert found is None


def test_the_first_difference_is_told_with_bar_and_values() -> None:
    told = records(20)
    for idx in (7, 12):
        told[2 * idx + 1]["decision"] = {"exits": [], "entry": None}
    found = first_difference(restless.Strategy, CFG, 1, told)  # type: ignore[arg-type]
    assert found is not None and (found.bar, found.bar_time) == (7, "1970-01-09T00:00:00")
    assert json.loads(found.live)["entry"] is None
    assert json.loads(found.offline)["entry"]["symbol"] == "AAPL"
    later = first_difference(restless.Strategy, CFG, 1, told, since=8)  # type: ignore[arg-type]
    assert later is not None and later.bar == 12


def test_a_bar_that_was_stored_otherwise_is_noticed() -> None:
    told = records(20)
    told[20]["close"] = 2.0 * float(str(told[20]["close"]))
    assert first_difference(restless.Strategy, CFG, 1, told) is not None  # type: ignore[arg-type]


def test_the_bars_of_a_strategy_are_those_of_a_backtest() -> None:
    df = frame(BARS[:3])
    assert list(df.columns) == ["Open", "High", "Low", "Close", "Volume"]
    assert str(df.index[0]) == "1970-01-02 00:00:00" and df["Close"].tolist() == [11, 12, 13]


@pytest.mark.parametrize(("name", "source"), [("leaky", LEAKY), ("remembers", REMEMBERS)])
def test_a_run_stops_at_the_first_difference(
    root: Path, tmp_path: Path, name: str, source: str
) -> None:
    assert source != RESTLESS
    own = tmp_path / "checkout"
    shutil.copytree(root, own, symlinks=True)
    add_strategy(own, name, source)
    git(own, "add", ".")
    commit(own, "one more")
    stage = Stage.build(own, tmp_path / "state", name)
    with exchange(stage, "--most", "90"):
        code, _, err = stage.run(stage.launch(dry_run=True))
        assert code == 1 and "parity_difference" in err and "Read incident.json" in err
        incident = codec.load(Incident, (stage.home / "paper/incident.json").read_bytes())
        assert incident.strategy == name and incident.bar >= 59
        assert incident.live != incident.offline
        assert not (stage.home / "rehearsed").exists(), "this was no good dry run"
        code, _, err = stage.run(stage.launch(dry_run=True))
        assert code == 1 and "halted" in err


def test_a_live_run_leaves_its_difference_in_the_repository_once(
    root: Path, tmp_path: Path
) -> None:
    add_strategy(root, "leaky", LEAKY)
    git(root, "add", ".")
    commit(root, "one more")
    git(root, "tag", "live/leaky/1")
    git(root, "push", "-q", "origin", "HEAD:refs/heads/main", "--tags")
    stage = Stage.build(root, tmp_path / "state", "leaky").rehearsed()
    name = "refs/tags/incident/leaky/1"
    with exchange(stage, "--most", "90"):
        code, _, err = stage.run(stage.launch(token=stage.token()))
        assert code == 1 and "parity_difference" in err, err
    told = git(root.parent / "origin.git", "log", "-1", "--format=%B", name)
    assert told == (stage.home / "incident.json").read_text().strip()
    assert codec.load(Incident, told.encode()).commit_sha == git(root, "rev-parse", "HEAD")
    (row,) = (row for row in stage.audit() if row["event"] == "incident")
    assert row["told"] is True and row["what"] == "decision"
    told_bars = codec.load(Incident, told.encode())
    assert told_bars.bar_time in told_bars.bars[-1] and "parity_difference" in str(told_bars.audit)
    assert not repository.leave(root, name, "another"), "the first is what counts"
    assert git(root.parent / "origin.git", "log", "-1", "--format=%B", name) == told
