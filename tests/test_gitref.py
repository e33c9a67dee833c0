"""Store conformance: one suite for the fake and for the real one on a real git remote."""

from __future__ import annotations

import multiprocessing
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bot.io.gitref import GitRefStore, ref
from bot.journal import record
from bot.ports import Conflict, Store, Unavailable
from schemas.codec import Invalid
from schemas.workflow import Phase, Record, Workflow
from tests.fakes import MemoryStore


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "r.git")], check=True)
    return tmp_path / "r.git"


@pytest.fixture(params=["memory", "git"])
def store(request: pytest.FixtureRequest, remote: Path) -> Store:
    return MemoryStore() if request.param == "memory" else GitRefStore(str(remote))


def line(workflow: Workflow) -> Record:
    return record(workflow, workflow, ())


def put(store: Store, workflow: Workflow, expected: str) -> str:
    return store.write(workflow, expected, line(workflow))


def test_an_unknown_request_is_new(store: Store) -> None:
    assert store.read(7) == (Workflow(issue=7), "")


def test_what_is_written_is_read(store: Store) -> None:
    at = put(store, Workflow(issue=7, phase=Phase.PLANNED), "")
    assert store.read(7) == (Workflow(issue=7, phase=Phase.PLANNED), at)


def test_only_one_creator_wins(store: Store) -> None:
    put(store, Workflow(issue=7), "")
    with pytest.raises(Conflict):
        put(store, Workflow(issue=7, phase=Phase.LIVE), "")


def test_a_stale_writer_is_refused_and_changes_nothing(store: Store) -> None:
    first = put(store, Workflow(issue=7), "")
    second = put(store, Workflow(issue=7, phase=Phase.PLANNED), first)
    with pytest.raises(Conflict):
        put(store, Workflow(issue=7, phase=Phase.LIVE), first)
    assert store.read(7) == (Workflow(issue=7, phase=Phase.PLANNED), second)


def test_requests_do_not_contend(store: Store) -> None:
    put(store, Workflow(issue=7), "")
    put(store, Workflow(issue=8), "")
    assert store.issues() == (7, 8)


def test_history_tells_every_state_oldest_first(store: Store) -> None:
    at = put(store, Workflow(issue=7), "")
    put(store, Workflow(issue=7, phase=Phase.PLANNED), at)
    assert [w.phase for _, _, w in store.history(7)] == [Phase.OPENED, Phase.PLANNED]
    assert [r.correlation_id for _, r, _ in store.history(7)] == ["corr_7", "corr_7"]


def add_many(remote: str, times: int) -> None:
    """Another process: each success adds one; whoever loses reads again."""
    store, done = GitRefStore(remote), 0
    while done < times:
        workflow, at = store.read(7)
        more = replace(workflow, trials=workflow.trials + 1)
        try:
            put(store, more, at)
            done += 1
        except Conflict:
            continue


def test_eight_processes_lose_no_update(remote: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=add_many, args=(str(remote), 5)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    assert GitRefStore(str(remote)).read(7)[0].trials == 40
    assert len(list(GitRefStore(str(remote)).history(7))) == 40


def test_another_process_is_seen_through_the_cache(remote: Path) -> None:
    mine, other = GitRefStore(str(remote)), GitRefStore(str(remote))
    at = put(mine, Workflow(issue=7), "")
    put(other, Workflow(issue=7, phase=Phase.LIVE), other.read(7)[1])
    assert mine.read(7)[0].phase is Phase.LIVE
    with pytest.raises(Conflict):
        put(mine, Workflow(issue=7), at)


def test_a_truncated_state_names_its_place_and_is_not_overwritten(remote: Path) -> None:
    store = GitRefStore(str(remote))
    put(store, Workflow(issue=7), "")
    broken = plant(remote, "workflow.json", '{"issue": 7, "pha')
    with pytest.raises(Invalid, match=rf"refs/stratbot/wf_7 at {broken[:12]}.*not JSON"):
        GitRefStore(str(remote)).read(7)
    assert git(remote, "rev-parse", ref(7)) == broken


def test_a_state_of_a_later_version_is_refused(remote: Path) -> None:
    plant(remote, "workflow.json", '{"issue": 7, "schema": 99}')
    with pytest.raises(Invalid, match=r"\$.schema: version 99 is unknown"):
        GitRefStore(str(remote)).read(7)


def test_no_remote_is_unavailable_not_new(tmp_path: Path) -> None:
    """Taking "cannot read" for "does not exist" would start every request again."""
    with pytest.raises(Unavailable):
        GitRefStore(str(tmp_path / "gone.git")).read(7)


def plant(remote: Path, name: str, text: str) -> str:
    blob = git(remote, "hash-object", "-w", "--stdin", stdin=text)
    tree = git(remote, "mktree", stdin=f"100644 blob {blob}\t{name}\n")
    commit = git(remote, "commit-tree", tree, "-m", "planted")
    git(remote, "update-ref", ref(7), commit)
    return commit


def git(remote: Path, *args: str, stdin: str = "") -> str:
    who = ["-c", "user.name=octocat", "-c", "user.email=octocat@example.com"]
    command = ["git", "-C", str(remote), *who, *args]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=True)
    return done.stdout.strip()
