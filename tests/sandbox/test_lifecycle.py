"""A run to its end, cancelled, killed, and after its controller died: state, containers, retry."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandbox import lifecycle, orphans, owner, state
from sandbox.engine import Cancelled, CannotRun, Ended
from sandbox.job import Order
from sandbox.state import Phase
from tests.sandbox.conftest import containers_of, folders_of
from tests.sandbox.controller import chosen
from tests.sandbox.jobs import python, why

ROOT = Path(__file__).parent.parent.parent
ENDS: tuple[tuple[Order, bool], ...] = (("cancelled", False), ("killed", True))


@pytest.fixture(params=["docker", "process"])
def image(request: pytest.FixtureRequest) -> str:
    """What a controller is told to use: the tag of an image, or the word process."""
    if request.param == "process":
        return "process"
    return str(request.getfixturevalue("sandbox_image"))


@contextlib.contextmanager
def controller(out: Path, image: str, deaf: str = "") -> Iterator[subprocess.Popen[str]]:
    """Another process whose worker is up and waits."""
    command = [sys.executable, "-m", "tests.sandbox.controller", str(out), image, deaf]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout and process.stdout.readline() == "up\n"
            yield process
        finally:
            process.kill()


def phases(out: Path) -> list[Phase]:
    known = state.read(out)
    assert known and known.containers == ()
    return [phase for phase, _ in known.history]


def complete(out: Path, image: str) -> Ended:
    with lifecycle.run(out) as run:
        ended = chosen(image, run).run(python("print('done')"))
        run.finish("passed")
    return ended


def test_a_run_to_its_end(tmp_path: Path, image: str) -> None:
    with lifecycle.run(tmp_path) as run:
        seen = state.read(tmp_path)
        assert seen and seen.state == "running" and seen.owner_pid == os.getpid()
        with chosen(image, run).start(python("print(input())")) as running:
            seen = state.read(tmp_path)
            assert seen and len(seen.containers) == 1
            running.send(b"done")
            assert running.wait().stdout == b"done\n"
        assert run.finish("passed") == "passed"
    assert phases(tmp_path) == ["queued", "running", "passed"]
    assert json.loads((tmp_path / "state.json").read_text())["run"] == run.id


@pytest.mark.parametrize(("end", "force"), ENDS)
@pytest.mark.parametrize("deaf", ["", "deaf"])
def test_ended_by_another_process(
    tmp_path: Path, image: str, end: Order, force: bool, deaf: str
) -> None:
    with controller(tmp_path, image, deaf) as process:
        before = state.read(tmp_path)
        assert before and before.state == "running"
        assert lifecycle.cancel(tmp_path, force=force).state == end
        assert process.stdout and process.stdout.readline() == f"{end}\n"
        assert process.wait(20) == 0
    assert phases(tmp_path) == ["queued", "running", end]
    assert not containers_of(before.owner) and not folders_of(before.owner)
    assert complete(tmp_path, image).stdout == b"done\n"
    assert phases(tmp_path) == ["queued", "running", "passed"]


def test_after_sigkill_the_next_start_cleans_up(tmp_path: Path, image: str) -> None:
    dead, other = tmp_path / "dead", tmp_path / "other"
    with controller(dead, image, "deaf") as process:
        process.kill()
        process.wait()
    before = state.read(dead)
    assert before and before.state == "running"
    assert folders_of(before.owner)
    if image != "process":
        assert containers_of(before.owner)
    assert complete(other, image).reason == "exited"
    assert phases(dead) == ["queued", "running", "killed"]
    assert not containers_of(before.owner) and not folders_of(before.owner)
    assert not any(alive(name) for name in before.containers)
    assert complete(dead, image).reason == "exited"


def alive(name: str) -> bool:
    kind, pid, start = name.split("-")[:3]
    return kind == "process" and owner.started_at(int(pid)) == start


def test_cancelling_a_dead_run_buries_it(tmp_path: Path, image: str) -> None:
    with controller(tmp_path, image, "deaf") as process:
        process.kill()
        process.wait()
    assert lifecycle.cancel(tmp_path).state == "killed"
    assert phases(tmp_path) == ["queued", "running", "killed"]


def test_a_controller_that_is_told_to_end_leaves_nothing(tmp_path: Path, image: str) -> None:
    with controller(tmp_path, image, "deaf") as process:
        before = state.read(tmp_path)
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    assert phases(tmp_path) == ["queued", "running", "cancelled"]
    assert before and not containers_of(before.owner) and not folders_of(before.owner)


def test_the_living_are_left_alone(tmp_path: Path, image: str) -> None:
    with controller(tmp_path, image) as process:
        orphans.sweep()
        known = state.read(tmp_path)
        assert known and known.state == "running"
        lifecycle.cancel(tmp_path, force=True)
        assert process.stdout and process.stdout.readline() == "killed\n"


def test_what_nobody_closed_ends_with_the_run(tmp_path: Path, image: str) -> None:
    with lifecycle.run(tmp_path) as run:
        forgotten = chosen(image, run).start(python("while True: pass"))
    assert phases(tmp_path) == ["queued", "running", "failed"]
    assert not containers_of(owner.me())
    assert why(forgotten, 10) == "ended"
    forgotten.close()


def test_a_cancelled_run_starts_nothing_more(tmp_path: Path, image: str) -> None:
    with lifecycle.run(tmp_path) as run:
        canceller = threading.Thread(target=lifecycle.cancel, args=(tmp_path,))
        canceller.start()
        while run.ordered() is None:
            canceller.join(0.01)
        with pytest.raises(Cancelled):
            chosen(image, run).run(python(""))
        assert run.finish("passed") == "cancelled"
    canceller.join()
    assert phases(tmp_path) == ["queued", "running", "cancelled"]


def test_an_order_for_an_earlier_run_is_not_for_this_one(tmp_path: Path) -> None:
    with lifecycle.run(tmp_path) as run:
        state.put(tmp_path / lifecycle.ORDER, b"earlier killed")
        assert run.ordered() is None
        run.finish("failed")
    assert lifecycle.cancel(tmp_path, force=True).state == "failed"


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with lifecycle.run(tmp_path) as run:
        with pytest.raises(CannotRun, match="another run"), lifecycle.run(tmp_path):
            pass
        run.finish("timed_out")
    assert phases(tmp_path) == ["queued", "running", "timed_out"]


@pytest.mark.parametrize(
    ("error", "end"), [(ValueError, "failed"), (KeyboardInterrupt, "cancelled")]
)
def test_a_controller_that_fails_says_so(
    tmp_path: Path, error: type[BaseException], end: Phase
) -> None:
    with pytest.raises(error), lifecycle.run(tmp_path):
        raise error
    assert phases(tmp_path) == ["queued", "running", end]


def test_where_nothing_was_run_there_is_nothing_to_cancel(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="nothing was run"):
        lifecycle.cancel(tmp_path / "no")


def test_the_state_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    with lifecycle.run(tmp_path) as run, ThreadPoolExecutor(4) as pool:
        writes = [pool.submit(run.opened, f"process-0-{n}") for n in range(100)]
        while not all(w.done() for w in writes):
            assert state.read(tmp_path) is not None
        known = state.read(tmp_path)
        assert known and len(known.containers) == 100
        run.finish("passed")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", "state.json"]
