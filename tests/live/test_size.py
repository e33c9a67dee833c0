"""The size of the contract is what a dry run and a live run order, and what the limits allow."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.config import config
from tests.drafted import KEYS, SETS, changed, draft
from tests.live.stage import Stage, asked, commit, exchange, git, regenerate, teach

RICH = ("--balance", "1000000", "--most", "150")


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draft(tmp_path_factory.mktemp("drafted"))


def staged(root: Path, written: Path, tmp_path: Path, sizing: str = "", probe: str = "") -> Stage:
    """The drafted strategy, approved. Without --limits."""
    home = root / "strategies" / "hundred_shares"
    shutil.copytree(written, home)
    (home / "__init__.py").write_text("")
    if sizing:
        file = home / "contract.json"
        file.write_text(file.read_text().replace('"fixed_units"', f'"{sizing}"'))
        regenerate(root, "hundred_shares")
    if probe:
        changed(home, SETS, probe)
        name = json.loads((home / "contract.json").read_text())["name"]
        teach(root, name, (home / "strategy.py").read_text())
    git(root, "add", ".")
    commit(root, "hundred shares")
    git(root, "tag", "live/hundred_shares/1")
    git(root, "push", "-q", "origin", "HEAD:refs/heads/main", "--tags")
    return Stage.build(root, tmp_path / "state", "hundred_shares")


def test_a_dry_run_and_a_live_run_order_100_shares(
    root: Path, written: Path, tmp_path: Path
) -> None:
    stage = staged(root, written, tmp_path)
    with exchange(stage, *RICH):
        dry = replace(stage.launch(dry_run=True), limits="")
        code, _, err = stage.run(dry)
        assert code == 0, err
        assert asked(stage, "received") == []
        journal = dry.folder / "journal.jsonl"
        fills = [json.loads(line) for line in journal.read_text().splitlines()]
        assert {f["volume"] for f in fills if f["kind"] == "fill"} == {100.0}
    with exchange(stage, *RICH):
        code, _, err = stage.run(replace(stage.launch(token=stage.token()), limits=""))
        assert code == 0, err
        assert {t["volume"] for t in asked(stage, "received")} == {100.0}
    events = [line["event"] for line in stage.audit()]
    assert "order_sent" in events and "order_refused" not in events


def test_a_live_strategy_is_told_what_was_told_in_the_sandbox(
    root: Path, written: Path, tmp_path: Path
) -> None:
    stage = staged(root, written, tmp_path, probe=KEYS)
    with exchange(stage, *RICH):
        code, _, err = stage.run(stage.launch(dry_run=True))
    expected = "cfg has " + " ".join(config((written / "contract.json").read_text()))
    assert code != 0 and expected in err.splitlines()[-1]


@pytest.mark.parametrize("dry_run", [True, False])
def test_without_limits_a_size_that_is_not_known_is_refused_with_what_to_write(
    root: Path, written: Path, tmp_path: Path, dry_run: bool
) -> None:
    stage = staged(root, written, tmp_path, sizing="percent_of_equity").rehearsed()
    with exchange(stage, *RICH):
        token = "" if dry_run else stage.token()
        code, _, err = stage.run(replace(stage.launch(token=token, dry_run=dry_run), limits=""))
        assert code == 1 and "no_limits" in err and "--limits limits.json" in err, err
        sample = err[err.index("{") : err.index("}") + 1]
        assert json.loads(sample)["max_order"] == 10.0
        file = tmp_path / "limits.json"
        file.write_text(sample)
        code, _, err = stage.run(stage.launch(token=token, dry_run=dry_run, limits=str(file)))
        assert code == 0, err
