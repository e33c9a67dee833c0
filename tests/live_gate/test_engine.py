"""Which code may trade: real commits on a real server, in every place that a merge can put them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot import engine
from bot.engine import Entry
from bot.gate import Open
from bot.why import Shut, Why
from schemas.live import Deployment, Stage
from tests.live_gate.door import HOME, Door
from tests.twin.desk import TOKENS

GUARDS, ON, OFF = "adapters/guards.py", "GUARDS = True\n", "GUARDS = False\n"
FILES = {
    "README.md": False, "Makefile": True, "pyproject.toml": True, "requirements.lock": True,
    "requirements-bench.lock": False, "setup.cfg": True, "pandas.py": True, "numpy.so": True,
    "CODEOWNERS": False, ".hidden.py": False,
}  # fmt: skip
FOLDERS = {
    "bot": True, "adapters": True, "simbroker": True, "schemas": True, "sandbox": True,
    "pandas": True, "tests": False, "fixtures": False, "docs": False, ".github": False,
    "strategies": False,
}  # fmt: skip
BELOW = {"template.py": True, "__init__.py": True, "pieces": True, "sma_cross": False}


def test_whatever_a_live_run_can_import_or_install_is_the_engine() -> None:
    root = [Entry(n, True, "1") for n in FILES] + [Entry(n, False, "1") for n in FOLDERS]
    below = [Entry(n, "." in n, "1") for n in BELOW]
    wanted = {n for n, part in {**FILES, **FOLDERS}.items() if part}
    wanted |= {f"strategies/{n}" for n, part in BELOW.items() if part}
    assert set(engine.of(tuple(root), tuple(below))) == wanted


def merged(door: Door, method: str) -> tuple[str, str, str]:
    """The attack: the first commit switches the guards off, the second takes it back. Reviewers
    see an empty difference. Gives both commits, and where the default branch is after it."""
    repo = door.desk.repo()
    repo.create_git_ref("refs/heads/side", door.head())
    door.write("notes.txt", "something to merge", "side")
    door.write(GUARDS, OFF, "side")
    off = door.head("side")
    door.write(GUARDS, ON, "side")
    on = door.head("side")
    pull = repo.create_pull(base="main", head="side", title="Tidy up", body="")
    assert pull.merge(merge_method=method).merged
    return off, on, door.head()


def deployed(door: Door, sha: str, *before: Deployment) -> Open | Shut:
    """`/deploy sha`, a run of the bot, a review by somebody else."""
    door.sha = sha
    door.state = replace(door.state, deployments=(*before, door.deployment()))
    return door.judge(door.reviewed())


def why(found: Open | Shut) -> Why | None:
    return found.why if isinstance(found, Shut) else None


@pytest.mark.parametrize("which", [0, 1], ids=["guards off", "guards on again"])
def test_a_commit_inside_a_merged_pull_request_is_refused(door: Door, which: int) -> None:
    assert why(deployed(door, merged(door, "merge")[which])) is Why.NOT_FIRST_PARENT


def test_the_merge_commit_may_trade(door: Door) -> None:
    assert isinstance(deployed(door, merged(door, "merge")[2]), Open)


def test_a_squashed_pull_request_leaves_nothing_to_deploy_but_itself(door: Door) -> None:
    off, _, squashed = merged(door, "squash")
    assert why(deployed(door, off)) is Why.NOT_MERGED
    assert isinstance(deployed(door, squashed), Open)


def test_rebasing_puts_the_bad_commit_on_the_branch_itself_and_it_is_refused(door: Door) -> None:
    _, _, tip = merged(door, "rebase")
    off = door.desk.repo().get_commit(tip).parents[0].sha
    found = deployed(door, off)
    assert why(found) is Why.OTHER_ENGINE and "adapters" in str(found), found
    assert isinstance(deployed(door, tip), Open)


def git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_side_of_an_octopus_is_refused_and_the_octopus_is_not(door: Door) -> None:
    """The sides have the engine and the strategy of the default branch: only their place is bad."""
    remote = f"{door.desk.twin.url}/{door.desk.full_name}.git"
    here = door.desk.folder / "octopus"
    git(door.desk.folder, "clone", "-q", remote.replace("://", f"://x:{TOKENS}octocat@"), str(here))
    author = ("-c", "user.name=octocat", "-c", "user.email=octocat@example.com")
    sides = []
    for name in ("left", "right"):
        git(here, "checkout", "-q", "-b", name, door.sha)
        git(here, *author, "commit", "-q", "--allow-empty", "-m", name)
        sides.append(git(here, "rev-parse", "HEAD"))
    git(here, "checkout", "-q", "main")
    git(here, *author, "merge", "-q", "--no-ff", "-m", "Both", "left", "right")
    git(here, "push", "-q", "origin", "main")
    for side in sides:
        assert why(deployed(door, side)) is Why.NOT_FIRST_PARENT
    assert isinstance(deployed(door, door.head()), Open)


def live_once(door: Door) -> Deployment:
    found = deployed(door, door.sha)
    assert isinstance(found, Open), found
    return replace(door.state.deployments[-1], stage=Stage.REPLACED, approval=found.approval)


@pytest.mark.parametrize("changed", [GUARDS, f"{HOME}/strategy.py"])
def test_what_was_approved_may_come_back_after_the_branch_went_on(door: Door, changed: str) -> None:
    first, sha = live_once(door), door.sha
    door.write(changed, "x = 3\n")
    assert isinstance(deployed(door, sha, first), Open)


def forged(door: Door, first: Deployment, sha: str) -> Deployment:
    """As anybody can push it: the approval of a commit that nobody approved."""
    assert first.approval
    return replace(first, commit_sha=sha, approval=replace(first.approval, commit_sha=sha))


def by_another_run(door: Door, first: Deployment, sha: str) -> Deployment:
    return forged(door, first, sha)


def by_no_run(door: Door, first: Deployment, sha: str) -> Deployment:
    made = forged(door, first, sha)
    assert made.approval
    return replace(made, approval=replace(made.approval, run_id=999_999))


def by_a_run_that_a_person_started(door: Door, first: Deployment, sha: str) -> Deployment:
    """Titled as it should be, reviewed by a person, and its job succeeded."""
    door.sha = sha
    door.state = replace(door.state, deployments=(door.deployment(),))
    run = door.start_by_hand("octocat")
    door.review(run, "hubot")
    made = forged(door, first, sha)
    assert made.approval
    return replace(made, approval=replace(made.approval, run_id=run.id))


Forgery = Callable[[Door, Deployment, str], Deployment]
FORGED: tuple[Forgery, ...] = (by_another_run, by_no_run, by_a_run_that_a_person_started)


@pytest.mark.parametrize("made", FORGED, ids=lambda f: f.__name__)
def test_an_engine_of_the_past_that_nobody_approved_stays_shut(door: Door, made: Forgery) -> None:
    first = live_once(door)
    door.write(GUARDS, OFF)
    bad = door.head()
    door.write(GUARDS, ON)
    assert why(deployed(door, bad, first)) is Why.OTHER_ENGINE
    assert why(deployed(door, bad, made(door, first, bad))) is Why.OTHER_ENGINE
