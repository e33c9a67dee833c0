"""A halt on GitHub reaches a run that only reads; what it does when it cannot hear."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapters.live.__main__ import may_start
from bot.live.audit import Audit
from bot.live.launch import Launch
from bot.live.redact import Redactor
from bot.live.refused import Code, Refused
from bot.live.watch import Watch
from bot.text.golive import CUT_OFF, HALT_HEARD
from bot.text.live import SAYS
from schemas import codec
from schemas.live import Incident, Limits
from tests.live.stage import Stage, asked, exchange, git, publish

NAME = "restless"


@pytest.fixture
def stage(root: Path, tmp_path: Path) -> Stage:
    """A clone of its own, and a repository of its own that can be taken away."""
    git(tmp_path, "clone", "-q", str(root), "checkout")
    git(tmp_path / "checkout", "remote", "remove", "origin")
    publish(tmp_path / "checkout", tmp_path / "origin.git")
    return Stage.build(tmp_path / "checkout", tmp_path / "state", NAME).rehearsed()


@contextmanager
def running(stage: Stage, pace: str = "0.02", **other: object) -> Iterator[subprocess.Popen[str]]:
    with exchange(stage, "--pace", pace):
        run = stage.start(stage.launch(token=stage.token(), listen=0.05, **other))
        try:
            until(stage, lambda rows: "order_sent" in rows, run)
            yield run
        finally:
            run.kill()


def until(stage: Stage, good: Callable[[list[str]], bool], run: subprocess.Popen[str]) -> list[str]:
    end = time.monotonic() + 60
    while time.monotonic() < end and run.poll() is None:
        file = stage.home / "audit.jsonl"
        rows = [r["event"] for r in stage.audit()] if file.exists() else []
        if good(rows):
            return rows
        time.sleep(0.02)
    raise AssertionError(run.communicate())


def test_a_halt_in_the_repository_ends_the_run_for_good(stage: Stage) -> None:
    with running(stage, pace="600") as run:  # the next bar is far away, and an entry waits for it
        git(stage.root, "push", "-q", "origin", f"HEAD:refs/tags/halt/{NAME}/1")
        _, err = run.communicate(timeout=60)
        assert run.returncode == 1 and f"halted_on_github: {SAYS[Code.HALTED_THERE][0]}" in err
        assert "open positions stay" in err and "/deploy" in err
        sent = len(asked(stage, "received"))
        events = [row["event"] for row in stage.audit()]
        assert events[-4:] == ["calling_off", "cancelled", "halted", "run_ended"]
        assert [o["standing"] for o in asked(stage, "orders")] == ["cancelled"]
        assert events.index("halted") > max(n for n, e in enumerate(events) if e == "order_sent")

        assert (stage.home / "HALT").read_text() == f"halted_on_github: halt/{NAME}/1\n"
        assert len(asked(stage, "received")) == sent
    assert "the halt is off (halted_on_github" in stage.cli("resume", "--strategy", NAME).stdout
    with pytest.raises(Refused, match="halted_on_github"):  # the file alone is no resume
        may_start(stage.launch(token=stage.token()), int(time.time()), {})
    git(stage.root, "tag", f"live/{NAME}/2")
    git(stage.root, "push", "-q", "origin", "--tags")
    assert may_start(stage.launch(token=stage.token()), int(time.time()), {}).number == 2
    again = stage.cli("resume", "--strategy", NAME)
    assert "nothing to resume" in str(again.exception)


def test_a_run_that_was_taken_back_tells_what_it_decided(stage: Stage) -> None:
    with running(stage) as run:
        git(stage.root, "push", "-q", "origin", f"HEAD:refs/tags/back/{NAME}/1/flatten")
        _, err = run.communicate(timeout=60)
        assert run.returncode == 1 and "rolled_back" in err, err
    remote = stage.root.parent / "origin.git"
    told = git(remote, "log", "-1", "--format=%B", f"refs/tags/incident/{NAME}/1")
    incident = codec.load(Incident, told.encode())
    assert incident.what == "rollback" and incident.live == incident.offline
    assert '"entry": {' in incident.live or '"position_id"' in incident.live, "what it did last"
    assert incident.bar_time in incident.bars[-1] and "close " in incident.bars[-1]
    assert '"flatten"' in incident.audit[-1] or "rolled_back" in incident.audit[-1]
    assert not any('"hash"' in line for line in incident.audit)


def test_what_the_bot_promises_are_the_defaults(stage: Stage) -> None:
    launch = Launch.__dataclass_fields__["listen"].default
    limits = Limits.__dataclass_fields__["max_unheard"].default
    assert f"every {launch:.0f} seconds" in HALT_HEARD and f"after {limits:.0f} seconds" in CUT_OFF


def test_who_cannot_hear_opens_nothing_says_so_and_goes_on_later(stage: Stage) -> None:
    remote = stage.root.parent / "origin.git"
    with running(stage, limits=stage.limits(max_unheard=0.5)) as run:
        remote.rename(remote.with_suffix(".away"))
        until(stage, lambda rows: "unheard" in rows and refused(stage) > 0, run)
        before = entries(stage)
        until(stage, lambda rows: refused(stage) > 2, run)
        assert entries(stage) == before
        remote.with_suffix(".away").rename(remote)
        until(stage, lambda rows: "order_sent" in rows[last(rows, "heard_again") :], run)
        stage.cli("stop", "--strategy", NAME)
        _, err = run.communicate(timeout=60)
        assert run.returncode == 0 and "halt_unheard: " in err and "heard_again: " in err
        assert "Exits are still sent" in err
    rows = stage.audit()
    deaf = next(row for row in rows if row["event"] == "unheard")
    assert "git ls-remote" in deaf["why"]


def test_a_newer_approval_leaves_the_older_run_its_exits_alone(stage: Stage) -> None:
    """Another machine may trade the newer one by now: two must never enter for one strategy."""
    with running(stage) as run:
        git(stage.root, "push", "-q", "origin", f"HEAD:refs/tags/live/{NAME}/2")
        until(stage, lambda rows: "superseded" in rows, run)
        before = entries(stage)
        until(stage, lambda rows: refused(stage, "superseded") > 2, run)
        assert entries(stage) == before
        git(stage.root, "push", "-q", "origin", f"HEAD:refs/tags/halt/{NAME}/2")
        _, err = run.communicate(timeout=60)
        assert run.returncode == 1 and "halted_on_github" in err
        assert err.count(f"superseded: {SAYS[Code.SUPERSEDED][0]} (live/{NAME}/2)") == 1


def entries(stage: Stage) -> int:
    sent = [row for row in stage.audit() if row["event"] == "order_sent"]
    return sum(row["order"] == "entry" for row in sent)


def refused(stage: Stage, code: str = "halt_unheard") -> int:
    return sum(code in row.get("why", "") for row in stage.audit())


def last(rows: list[str], event: str) -> int:
    return max((n for n, row in enumerate(rows) if row == event), default=len(rows))


def test_another_repository_is_not_listened_to(stage: Stage) -> None:
    """One that does not know the approval would never tell of a halt."""
    with running(stage, limits=stage.limits(max_unheard=0.3)) as run:
        git(stage.root, "init", "-q", "--bare", str(stage.root.parent / "other.git"))
        git(stage.root, "remote", "set-url", "origin", str(stage.root.parent / "other.git"))
        until(stage, lambda rows: "unheard" in rows, run)
    deaf = next(row for row in stage.audit() if row["event"] == "unheard")
    assert f"no live/{NAME}/1" in deaf["why"]


def test_a_run_whose_log_was_cut_does_not_start(stage: Stage) -> None:
    file = stage.home / "audit.jsonl"
    audit = Audit(file, "corr_7", Redactor(), time.time)
    audit.write("run_started")
    audit.write("run_ended")
    audit.close()
    assert "whole, 2 lines" in stage.cli("audit", "--strategy", NAME, "--verify").stdout
    file.write_text(f"{file.read_text().splitlines()[0]}\n")
    told = stage.cli("audit", "--strategy", NAME, "--verify")
    assert "1 of 2 lines were cut off the end" in str(told.exception)
    code, _, err = stage.run(stage.launch(token=stage.token(), bars=1))
    assert code == 1 and "audit_log_changed" in err and "Keep a copy" in err


# ------------------------------------------------------------------------------- the watch itself
def test_a_restart_is_no_answer(stage: Stage) -> None:
    """Started without the repository, it opens nothing before it has been answered once."""
    remote = stage.root.parent / "origin.git"
    remote.rename(remote.with_suffix(".away"))
    with exchange(stage):
        launch = stage.launch(token=stage.token(), unclaimed=True, bars=4, listen=0.05)
        code, _, err = stage.run(launch)
        assert code == 0 and "halt_unheard" in err and "weaker" in err, err
        assert asked(stage, "received") == []
    assert "repository_unreachable" in stage.audit()[0]["unclaimed"]


def test_a_look_that_hangs_holds_up_nobody() -> None:
    hangs, at = threading.Event(), [0.0]

    def look() -> str:
        hangs.wait(30)
        return ""

    watch = Watch(look, 0.0, clock=lambda: at[0])
    watch.start()
    at[0] = 77.0
    assert watch.word().unheard == 77.0, "and it is counted"
    hangs.set()


def test_a_halt_that_was_heard_stays_heard_and_a_failure_is_counted() -> None:
    said: list[object] = ["", RuntimeError("no"), "halt/x/1", "", OSError("gone")]
    at = [0.0]

    def look() -> str:
        word = said.pop(0)
        if isinstance(word, Exception):
            raise word
        return str(word)

    watch, seen = Watch(look, 0.0, clock=lambda: at[0]), []
    while said:
        at[0] += 10.0
        watch.once()
        seen.append((watch.word().halted, watch.word().unheard, watch.word().why))
    assert seen == [
        ("", 0.0, ""), ("", 10.0, "RuntimeError: no"), ("halt/x/1", 0.0, ""),
        ("halt/x/1", 0.0, ""), ("halt/x/1", 10.0, "OSError: gone"),
    ]  # fmt: skip
