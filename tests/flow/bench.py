"""`make bench-flow`: what one request costs from its issue to its delivery, and many at once."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

from tests.flow.world import Story, World
from tests.twin.running import SEED, Twin

ANSWER, WHOLE, PROCESSOR, FACTOR = 15, 120, 1.5, 1.2
"""The targets: requests for an answer and in all, seconds per event, cost of many over one."""
HOURLY = 1000
SAID = re.compile(r"(\d+) requests to GitHub, (\d+) of them free, ([\d.]+) s")
HANDLED = re.compile(r'"workflow_id": "wf_(\d+)", "event": "request\.handled"')
WRAPPER = """#!/bin/bash
{python} "$@"
code=$?
echo "$*" > {folder}/$$.time
times >> {folder}/$$.time
exit $code
"""


@dataclass(frozen=True)
class Event:
    """One run of the bot: why it ran, and what it cost."""

    name: str
    issue: int
    requests: int
    free: int
    seconds: float


def python(folder: Path) -> Path:
    """An environment whose `python` writes down the processor time of each of its runs."""
    (folder / "bin").mkdir()
    script = folder / "bin" / "python"
    script.write_text(WRAPPER.format(python=sys.executable, folder=folder))
    script.chmod(0o755)
    os.environ["VIRTUAL_ENV"] = str(folder)
    return folder


def processor(folder: Path) -> Iterator[tuple[str, float]]:
    """What was run, and the seconds of its processor: user and system."""
    for file in sorted(folder.glob("*.time")):
        command, _, spent = file.read_text().strip().splitlines()
        minutes = re.findall(r"(\d+)m([\d.]+)s", spent)
        words = [w for w in command.split() if not w.startswith("-")]
        name = " ".join(words[:2]) + (f" {words[2]}" if words[1] == "handle" else "")
        yield name, sum(60 * int(m) + float(s) for m, s in minutes)


def events(there: World) -> list[Event]:
    """Oldest first."""
    found = []
    for run in reversed(list(there.repo().get_workflow_runs())):
        for job in run.jobs():
            if job.name not in ("handle", "finish"):
                continue
            log = there.desk.api("GET", there.desk.at(f"/actions/jobs/{job.id}/logs")).text
            told, of = SAID.search(log), HANDLED.search(log)
            if told and of:
                kind = run.display_title.partition(" ")[2].split("-")[0]
                name = f"{run.event}" if job.name == "handle" else f"finish {kind}"
                costs = int(told[1]), int(told[2]), float(told[3])
                found.append(Event(name, int(of[1]), *costs))
    return found


def delivered(there: World, count: int, patience: int) -> list[Story]:
    there.patience = patience
    stories = [there.ask(title=f"RSI dips {n}") for n in range(count)]
    for story in stories:
        story.comes_to("planned", "needs-human")
        story.say("/approve")
    for done, story in enumerate(stories, 1):
        story.comes_to("delivering", "needs-human")
        if done % 10 == 0:
            print(f"{done} of {count} delivered", file=sys.stderr, flush=True)
    there.rest()
    return stories


def show(found: list[Event], count: int) -> float:
    """A row per kind of event; what one request cost in all."""
    print(f"\n{count} at once" if count > 1 else "\nOne request")
    print(f"{'event':<24}{'runs':>6}{'requests':>10}{'at most':>9}{'free':>7}{'seconds':>9}")
    for name in dict.fromkeys(e.name for e in found):
        of = [e for e in found if e.name == name]
        print(
            f"{name:<24}{len(of):>6}{mean(e.requests for e in of):>10.1f}"
            f"{max(e.requests for e in of):>9}{mean(e.free for e in of):>7.1f}"
            f"{median(e.seconds for e in of):>9.2f}"
        )
    each = sum(e.requests for e in found) / count
    print(f"requests for each, in all: {each:.1f}")
    return each


def _verdict(name: str, value: float, target: float) -> bool:
    print(f"{'ok' if value <= target else 'OVER':<6}{name:<52}{value:>8.2f} of {target:g}")
    return value <= target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1, help="how many at once, after the one")
    parser.add_argument("--patience", type=int, default=3600, help="seconds to wait for each")
    args = parser.parse_args()
    with TemporaryDirectory(prefix="bench-flow-") as name:
        folder = Path(name)
        times = python(folder)
        with Twin(folder, SEED, "--executor", "quick") as twin:
            started = time.monotonic()
            alone = World(twin, folder)
            delivered(alone, 1, args.patience)
            took = time.monotonic() - started
            found, spent = events(alone), list(processor(times))
            one = show(found, 1)
            print(f"from the issue to the delivery: {took:.0f} s")
            _spent(spent)
            good = [
                _verdict("requests to answer a command", answers(found), ANSWER),
                _verdict("requests in all", one, WHOLE),
                _verdict("processor seconds of an event", _slowest(spent), PROCESSOR),
            ]
            if args.requests > 1:
                crowd = World(twin, folder).many()
                delivered(crowd, args.requests, args.patience)
                many = show(events(crowd), args.requests)
                hours = many * args.requests / HOURLY
                print(
                    f"GitHub gives the jobs of one repository {HOURLY} an hour: {hours:.0f} hours"
                )
                good.append(_verdict("cost of each among many, over one", many / one, FACTOR))
    return 0 if all(good) else 1


def answers(found: list[Event]) -> float:
    return max(e.requests for e in found if e.name == "issue_comment")


def _spent(rows: list[tuple[str, float]]) -> None:
    print(f"\n{'program':<34}{'runs':>6}{'processor, median':>19}{'at most':>9}{'in all':>8}")
    for name in dict.fromkeys(n for n, _ in rows):
        of = [s for n, s in rows if n == name]
        print(f"{name:<34}{len(of):>6}{median(of):>17.2f} s{max(of):>7.2f} s{sum(of):>6.1f} s")
    print()


def _slowest(rows: list[tuple[str, float]]) -> float:
    """By the middle of each kind: one that had to wait for a busy machine says nothing."""
    kinds = {name for name, _ in rows if name.startswith(("bot handle", "bot finish"))}
    return max(median(s for n, s in rows if n == name) for name in kinds)


if __name__ == "__main__":
    sys.exit(main())
