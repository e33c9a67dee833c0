"""A run that is told to end does so in every check, though the check itself would never end."""

import signal
from pathlib import Path

import pytest

from sandbox import state
from schemas.report import CheckName
from tests.sandbox.conftest import containers_of, folders_of
from tests.sandbox.stuck import CHECKS, JOBS, under_way
from tests.sandbox.test_lifecycle import alive, phases

OWN = {CheckName.INTAKE, CheckName.SECRETS, CheckName.ARTIFACTS}
GUARD = 40  # seconds until this test gives up; the stuck job has an hour


def ends(out: Path, image: str, check: str, number: signal.Signals) -> None:
    with under_way(out, image, check) as process:
        before = state.read(out)
        assert before and before.state == "running"
        assert bool(before.containers) or check in OWN
        process.send_signal(number)
        assert process.wait(GUARD) == 130
    assert phases(out) == ["queued", "running", "cancelled"]
    assert not containers_of(before.owner) and not folders_of(before.owner)
    assert not any(alive(name) for name in before.containers)
    assert not (out / "test_report.json").exists()


def test_every_check_has_its_job_or_is_made_by_the_controller() -> None:
    assert {*JOBS, *OWN} == {*CheckName}


@pytest.mark.parametrize("check", CHECKS)
def test_told_to_end_in_a_check(tmp_path: Path, check: str) -> None:
    ends(tmp_path, "process", check, signal.SIGTERM)


@pytest.mark.parametrize("check", [CheckName.FLAKE8, CheckName.CAUSALITY, CheckName.INTAKE])
def test_ctrl_c_in_a_check(tmp_path: Path, check: CheckName) -> None:
    ends(tmp_path, "process", str(check), signal.SIGINT)


@pytest.mark.parametrize("check", [CheckName.MYPY, CheckName.PYTEST, CheckName.CAUSALITY])
def test_told_to_end_while_a_container_is_stuck(
    tmp_path: Path, sandbox_image: str, check: CheckName
) -> None:
    ends(tmp_path, sandbox_image, str(check), signal.SIGTERM)
