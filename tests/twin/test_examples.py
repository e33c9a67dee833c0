"""GitHub's own examples of webhooks: the bot reads them all, the twin's events have their parts."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from bot.events import Event, Identity, Tick
from bot.payloads import parse
from schemas.workflow import Policy
from tests.twin.desk import Desk
from tests.twin.examples import EVENTS, examples
from tests.twin.listener import Listener
from tests.twin.stories import code, heard, ship, talk

ME = Identity(bot_id=1)
Name = tuple[str, str | None]
WITHOUT = {
    r"\.installation": "of an app, and the twin has none",
    r"\.organization|\.repository\.organization": "of an organisation, and the twin has none",
    r"\.check_run\.app\.permissions\.\w+": "another app may do other things",
    r"\.check_run(\.check_suite)?\.deployment": "only where a job has an environment",
    r"\.workflow_run|\.check_run": "of a deployment that a job made",
    r"\.hook\.app_id": "of a hook that an app made",
    r"\.hook\.config\.secret": "the hook of this test has none",
    r"\.changes": "of an issue that came from another repository",
    r"\.issue\.draft": "a pull request's part of an issue, which others do not have any more",
    r"\.release\.discussion_url": "there are no discussions",
    r"\.pull_request\.(base|head)\.repo\.(allow_(merge_commit|rebase_merge|squash_merge)"
    r"|delete_branch_on_merge)": "settings, which are not every listener's business",
}


def test_the_bot_reads_every_example() -> None:
    found = [parse(name, row, ME, Policy()) for name, rows in examples().items() for row in rows]
    kinds = Counter(type(event).__name__ for event in found)
    assert kinds == {"NoneType": 108, "CommentPosted": 5, "IssueOpened": 4, "Tick": 8}
    assert set(examples()) == set(EVENTS)


def test_an_example_of_our_own_pull_request_wakes_its_request() -> None:
    woken: list[Event | None] = []
    for row in examples()["pull_request"]:
        head = {**row["pull_request"]["head"], "ref": "ai/generated/wf_7/t1"}
        payload = {**row, "pull_request": {**row["pull_request"], "head": head}}
        woken.append(parse("pull_request", payload, ME, Policy()))
    assert {(type(e), e.issue) for e in woken if e} == {(Tick, 7)}
    assert sum(e is not None for e in woken) == 5


def parts(value: Any, at: str = "") -> set[str]:
    """The path of every key; what is null or empty has none below it."""
    if isinstance(value, dict):
        below = (parts(v, f"{at}.{k}") for k, v in value.items())
        return {f"{at}.{k}" for k in value}.union(*below)
    if isinstance(value, list):
        return set[str]().union(*(parts(v, f"{at}[]") for v in value))
    return set()


def empty(value: Any, at: str = "") -> set[str]:
    if value in (None, [], {}):
        return {at}
    if isinstance(value, dict):
        return set[str]().union(*(empty(v, f"{at}.{k}") for k, v in value.items()))
    if isinstance(value, list):
        return set[str]().union(*(empty(v, f"{at}[]") for v in value))
    return set()


def named(name: str, payload: dict[str, Any]) -> Name:
    """The action of a repository's dispatch is the sender's own word."""
    return name, None if name == "repository_dispatch" else payload.get("action")


def lacking(theirs: list[Any], ours: list[Any]) -> set[str]:
    wanted = set[str]().union(*map(parts, theirs)) - set[str]().union(*map(parts, ours))
    unfilled = set[str]().union(*map(empty, ours))
    wanted = {w for w in wanted if not any(w.startswith((f"{e}.", f"{e}[]")) for e in unfilled)}
    return {w for w in wanted if w.rpartition(".")[0] not in wanted}


def test_the_twins_events_have_every_part_of_the_examples(desk: Desk, listener: Listener) -> None:
    for story in (talk, code, ship):
        story(desk)
    ours: dict[Name, list[Any]] = {}
    for name, payload in heard(listener, "repository_dispatch"):
        ours.setdefault(named(name, payload), []).append(payload)
    theirs: dict[Name, list[Any]] = {}
    for name, rows in examples().items():
        for row in rows:
            theirs.setdefault(named(name, row), []).append(row)
    found = {f"{k}: {part}" for k in ours.keys() & theirs for part in lacking(theirs[k], ours[k])}
    used = {
        rule for rule in WITHOUT for row in found if re.search(rf": (?:{rule})(?:$|[.\[])", row)
    }
    explained = re.compile(f": (?:{'|'.join(WITHOUT)})(?:$|[.\\[])")
    assert sorted(row for row in found if not explained.search(row)) == []
    assert set(WITHOUT) - used == set()
    assert len(ours.keys() & theirs) >= 20
