"""`strategy.py --mode live`: the real token is checked as the live runner does, and none trades."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.stage import Stage

TYPE = "stratbot live run --strategy sma_cross --token TOKEN --broker"


def asked(stage: Stage, given: str) -> str:
    """What the strategy file of this checkout answers; it always refuses to trade itself."""
    file = f"strategies/{stage.strategy}/strategy.py"
    done = subprocess.run(
        [sys.executable, "-B", file, "--mode", "live", "--approval-token", given],
        cwd=stage.root, env={**stage.env, "STRATBOT_LIVE": str(stage.state)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3 and done.stdout == "", done
    return done.stderr


def test_a_signed_token_is_checked_and_the_runner_is_named(root: Path, tmp_path: Path) -> None:
    stage = Stage.build(root, tmp_path)
    signed = stage.token()
    early = asked(stage, signed)
    assert early.startswith("no_dry_run") and TYPE in early, "the live runner's own check"
    stage.rehearsed()
    said = asked(stage, signed)
    assert said.startswith(f"The token is good for sma_cross at {stage.approval().commit_sha}")
    assert TYPE in said and signed not in said, "a token is a secret"
    assert not (stage.home / "audit.jsonl").exists() and not (stage.home / "used").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("human_verified_1762525800", "proves nothing alone"),
        ("{signed}x", "forged: "),
        ("human_verified_1762525800.0123456789abcdef.e30.e30", "wrong_key: "),
        ("human_verified_1762525800.no", "malformed: "),
    ],
)
def test_anything_else_is_refused_with_its_reason(
    root: Path, tmp_path: Path, given: str, said: str
) -> None:
    stage = Stage.build(root, tmp_path).rehearsed()
    told = asked(stage, given.format(signed=stage.token()))
    assert said in told and TYPE in told, told


def test_a_machine_without_the_public_key_says_so(root: Path, tmp_path: Path) -> None:
    stage = Stage.build(root, tmp_path).rehearsed()
    (stage.state / "approver.pub").unlink()
    assert "approver.pub" in asked(stage, stage.token())
