"""Weather for a twin: kills, faults, disturbed deliveries; and what must be the same after it."""

from __future__ import annotations

import copy
import os
import random
import re
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.flow.world import Story, World

ONCE = {"Retry-After": "1"}
KINDS: tuple[dict[str, Any], ...] = (
    {"status": 500}, {"status": 500, "after": True}, {"tear": True}, {"status": 502},
    {"tear": True, "after": True}, {"status": 503, "headers": ONCE}, {"delay": 0.5},
    {"status": 504, "after": True}, {"status": 403, "headers": ONCE},
    {"status": 429, "headers": ONCE},
)  # fmt: skip
"""Every way in which an answer can fail to come, before or after its effect."""
BROKEN = r"^/(repos/|[^/]+/[^/]+\.git/)"
SWEEP = 15
"""Seconds between two looks by the clock."""


def by_the_back_door(world: World) -> World:
    """People's own requests take a path that the faults leave alone."""
    door = copy.copy(world.desk.twin)
    door.url = f"{door.url}/api/v3"
    world.desk.twin = door
    world.people.clear()
    return world


def break_calls(world: World, share: int = 10) -> None:
    """One call of `share` fails, each time in the next way: of the API, and of git's own."""
    every = share * len(KINDS)
    for n, kind in enumerate(KINDS):
        fault = {"path": BROKEN, "times": 10_000, "every": every, "seen": share * n, **kind}
        assert world.desk.api("POST", "/_twin/faults", "root", **fault).status_code == 201


def disturb(world: World, count: int) -> None:
    """The next events come twice, or after those that follow them."""
    for n in range(count):
        how = {"event": "*", "how": "hold" if n % 3 == 2 else "double", "times": 1}
        assert world.desk.api("POST", "/_twin/events", "root", **how).status_code == 201


def calm(world: World) -> None:
    world.desk.api("DELETE", "/_twin/faults", "root")


def jobs(twin: int) -> list[int]:
    """Processes of running jobs: below the twin, in sessions of their own."""
    parents = {pid: parent for pid, parent in _processes()}
    below = [pid for pid in parents if twin in _ancestors(pid, parents)]
    return [pid for pid in below if _session(pid) not in (None, os.getsid(twin))]


def _processes() -> list[tuple[int, int]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                rest = (entry / "stat").read_text().rpartition(")")[2].split()
                found.append((int(entry.name), int(rest[1])))
    return found


def _ancestors(pid: int, parents: dict[int, int]) -> set[int]:
    found: set[int] = set()
    while (pid := parents.get(pid, 0)) and pid not in found:
        found.add(pid)
    return found


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


def kill_one(world: World, dice: random.Random) -> bool:
    running = jobs(world.desk.twin.process.pid)
    if not running:
        return False
    with suppress(ProcessLookupError):
        os.kill(dice.choice(running), signal.SIGKILL)
    return True


def survive(
    world: World, stories: list[Story], end: set[str], kills: int, dice: random.Random
) -> int:
    """Until every story is at its end and nothing moves; a person says go on where one is asked.

    How many kills are left: there was nothing more to kill.
    """
    last, limit = 0.0, time.monotonic() + world.patience
    while True:
        assert time.monotonic() < limit, [(s.labels, s.status) for s in stories]
        time.sleep(dice.uniform(0.1, 1.0))
        if kills and kill_one(world, dice):
            kills -= 1
        idle = not world.busy()
        if idle and all(s.labels == end for s in stories):
            return kills
        for story in stories:
            _go_on(story)
        if idle or time.monotonic() - last > SWEEP:
            last = time.monotonic()
            world.desk.api("POST", f"/_twin/schedules/{world.name}", "root")


def _go_on(story: Story) -> None:
    """Work that was lost three times is for a person."""
    asked = [c["body"] for c in story.world.get(f"/issues/{story.number}/comments?per_page=100")]
    if "escalated" in story.labels and asked[-1] != "/retry":
        story.say("/retry")


def seen(story: Story) -> dict[str, Any]:
    """What people see, without times, numbers, commits and what a person had to say again."""
    world, number = story.world, story.number
    pulls = world.get("/pulls?state=all&per_page=100")
    ours = [p for p in pulls if p["head"]["ref"].startswith(f"ai/generated/wf_{number}/")]
    return {
        "labels": sorted(story.labels),
        "stands": story.status.partition("\n")[0],
        "boxes": {k: _plain(box) for k, box in story.boxes.items()},
        "pulls": sorted(_pull(story, p) for p in ours),
        "files": {p["head"]["ref"].rpartition("/")[2]: _files(story, p["number"]) for p in ours},
        "issue": world.get(f"/issues/{number}")["state"],
        "debug": len(story.debug_issues()),
        "tags": len(world.get("/tags")),
    }


def _plain(text: str) -> str:
    return re.sub(r"#\d+", "#", re.sub(r", failed .*", "", text))


def _pull(story: Story, pull: dict[str, Any]) -> tuple[str, ...]:
    report = story.report(story.world.repo().get_pull(pull["number"]))
    head = next(line for line in report.splitlines() if line.startswith("###"))
    refs = pull["head"]["ref"].rpartition("/")[2], pull["base"]["ref"].rpartition("/")[2]
    return (*refs, pull["state"], str(bool(pull["merged_at"])), re.sub("`.*`", "", head))


def _files(story: Story, number: int) -> list[tuple[str, str]]:
    """By name and content; what a test left behind names its commit, so only by name."""
    rows = story.world.get(f"/pulls/{number}/files?per_page=100")
    return sorted((r["filename"], "" if _names_it(r["filename"]) else r["sha"]) for r in rows)


def _names_it(name: str) -> bool:
    return "/results/" in name or name.endswith(("passport.json", "contract.json"))


def answered_once(story: Story) -> None:
    """Each command has exactly one answer, and its last reaction."""
    rows = story.world.get(f"/issues/{story.number}/comments?per_page=100")
    said = [r for r in rows if r["body"].startswith("/")]
    for row in said:
        assert len(story.marked(f"<!-- stratbot:reply={row['id']} -->")) == 1, row["body"]
        marks = story.world.get(f"/issues/comments/{row['id']}/reactions")
        assert {m["content"] for m in marks} & {"rocket", "confused"}, row["body"]
    assert len(story.marked("<!-- stratbot:status -->")) == 1
    assert sum(w.startswith("<!-- stratbot:tell=") for w in story.words()) == 1
