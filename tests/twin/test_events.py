"""Every kind of event that the twin tells, against GitHub's own description of webhooks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.twin.desk import Desk
from tests.twin.listener import Listener
from tests.twin.openapi import check_event, description
from tests.twin.stories import code, heard, ship, talk
from tests.twin.waiting import until


def test_every_event_is_as_github_describes_it(desk: Desk, listener: Listener) -> None:
    for story in (talk, code, ship):
        story(desk)
    seen = set()
    for name, payload in heard(listener, "repository_dispatch"):
        check_event(name, payload)
        full = f"{name}-{payload['action']}" if "action" in payload else name
        seen.add(full.replace("_", "-"))
    told = {n for n in description()["events"] if not n.startswith("repository-dispatch")}
    never = {"issue-comment-pinned", "issue-comment-unpinned"}
    assert told - never - seen == set()


def test_a_wrong_event_is_found_out(desk: Desk, listener: Listener) -> None:
    desk.repo().create_issue("x")
    until(lambda: len(listener.got), lambda n: n == 2)
    name, payload = listener.events()[1]
    broken: dict[str, Any] = json.loads(json.dumps(payload))
    del broken["issue"]["number"]
    with pytest.raises(AssertionError, match="number"):
        check_event(name, broken)
    with pytest.raises(AssertionError, match="no event"):
        check_event("gossip", payload)
