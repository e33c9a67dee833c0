"""The public requests, written as contracts by hand, trade as the outside scorer expects."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.coder import write_strategy
from tests.agents.requests import REQUESTS

SCORER = Path(__file__).parents[3] / "shared" / "requests" / "score.py"


@pytest.mark.skipif(not SCORER.exists(), reason="the outside scorer is not here")
@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_passes_the_outside_scorer(name: str, tmp_path: Path) -> None:
    strategy = tmp_path / f"{name}.py"
    strategy.write_text(write_strategy(REQUESTS[name]))
    done = subprocess.run(
        [sys.executable, str(SCORER), "--id", name, "--strategy", str(strategy), "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["passed"] and told["score"] == 1.0, told
    assert told["reading"]["tier"] == "primary" and told["date_column_ok"], told
    assert not told["schema_errors"] and not told["truncation_sensitive_bars"], told
