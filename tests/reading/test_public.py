"""The public requests beside the repository, by their own scorer; skipped where they are absent."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bot.agents.clean import clean
from bot.desk import written_for
from bot.io.offline import OfflineWriter
from bot.reading.read import Reading, read
from tests.reading.drafts import Files, reply, strategy
from tests.requests.driven import load

FOLDER = Path(__file__).parents[3] / "shared" / "requests"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the public requests are not here")


def _rows() -> dict[str, dict[str, Any]]:
    if not FOLDER.exists():
        return {}
    lines = (FOLDER / "requests.jsonl").read_text().splitlines()
    rows = {row["id"]: row for row in map(json.loads, lines)}
    return {name: row for name, row in rows.items() if row["split"] == "public"}


def _scorer() -> Any:
    spec = importlib.util.spec_from_file_location("public_score", FOLDER / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VALID = sorted(name for name, row in _rows().items() if row["kind"] == "valid")
OTHERS = sorted(name for name, row in _rows().items() if row["kind"] != "valid")


def public_reading(name: str) -> Reading:
    row = _rows()[name]
    return read(clean(row["title"]), clean(row["body"]))


def public_draft(name: str) -> Files:
    row = _rows()[name]
    return written_for(OfflineWriter(), row["title"], row["body"])


@pytest.mark.parametrize("name", VALID)
def test_a_valid_public_request_trades_as_it_is_meant(name: str, tmp_path: Path) -> None:
    """On one of its data sets, in this process: the whole score takes ten seconds each."""
    found, scorer, row = public_draft(name), _scorer(), _rows()[name]
    path = strategy(found, tmp_path)
    assert path is not None, reply(found)
    expected = json.loads((FOLDER / "expected" / f"{name}.json").read_text())
    data, start = list(expected["start"].items())[-1]
    bars = pd.read_csv(FOLDER / "data" / f"{data}.csv", parse_dates=["Date"], index_col="Date")
    job = {"symbol": row["symbol"], "max_positions": row.get("max_positions", 1)}
    problems, make, cfg = scorer.Problems(), load(path), scorer.default_cfg(row)
    trades, _, _ = scorer.Runner(lambda: make(cfg), bars, job, problems).run(start)
    one = {**expected, "start": {data: start}}
    agreed, _, _ = scorer.best_reading({data: trades}, one, check_volume=row.get("check_volume"))
    assert problems.errors == 0, problems.first
    assert all(agreed[figure] >= least for figure, least in scorer.PASS.items()), agreed


@pytest.mark.soak
@pytest.mark.parametrize("name", VALID)
def test_a_valid_public_request_passes_its_scorer(name: str, tmp_path: Path) -> None:
    path = strategy(public_draft(name), tmp_path)
    got = _scorer().score_strategy(str(path), name)
    assert got["passed"], got["problems"] or got["agreement"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_public_request_to_refuse_is_refused_with_its_reason(name: str, tmp_path: Path) -> None:
    found = public_draft(name)
    path = strategy(found, tmp_path)
    got = _scorer().score_refusal(name, reply(found), str(path) if path else None)
    assert got["score"] == 1.0, got
