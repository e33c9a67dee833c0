"""Words that call somebody, and issues that come back: once each, in any order, however torn."""

from __future__ import annotations

import threading

import pytest

from schemas.acts import Attempt, CloseIssue, OpenIssue, StatusComment, Tell
from tests.io.desk import Desk

PLANNED = Tell(name="planned/1", body="@octocat: the plan is ready.")
READY = Tell(name="delivering/1", body="@octocat: it is ready.")
TOPIC = "debug-t1_data-1"


def opened(turn: int) -> OpenIssue:
    return OpenIssue(topic=TOPIC, title="t1 fails", body=f"Seen {turn}", label="debug", turn=turn)


def closed(turn: int) -> CloseIssue:
    return CloseIssue(topic=TOPIC, body=f"Mended {turn}", turn=turn)


def tells(desk: Desk) -> list[str]:
    return [body for body in desk.bodies() if body.startswith("<!-- stratbot:tell=")]


def test_a_wait_is_told_once_and_costs_one_request_after_a_listing(desk: Desk) -> None:
    desk.hub.news(desk.workflow)
    with desk.server.count(1):
        desk.hub.show(desk.workflow, PLANNED)
    with desk.server.count(0):
        desk.hub.show(desk.workflow, PLANNED)
    with desk.server.count(1):
        desk.another().show(desk.workflow, PLANNED)
    assert tells(desk) == [f"<!-- stratbot:tell=planned/1 -->\n{PLANNED.body}"]


def test_the_status_is_still_drawn_without_a_listing_of_its_own(desk: Desk) -> None:
    desk.hub.show(desk.workflow, StatusComment(body="## Opened"))
    desk.hub.news(desk.workflow)
    with desk.server.count(2):
        desk.hub.show(desk.workflow, PLANNED)
        desk.hub.show(desk.workflow, StatusComment(body="## Planned"))


def test_a_wait_whose_answer_was_lost_is_not_told_again(desk: Desk) -> None:
    desk.once_however_torn(lambda hub: hub.show(desk.workflow, PLANNED), "POST", "/comments$")
    assert len(tells(desk)) == 1


@pytest.mark.parametrize("verb,path", [("POST", "/comments$"), ("DELETE", "/comments/")])
def test_the_next_wait_takes_the_place_of_the_one_before(desk: Desk, verb: str, path: str) -> None:
    desk.another().show(desk.workflow, PLANNED)
    desk.once_however_torn(lambda hub: hub.show(desk.workflow, READY), verb, path)
    assert tells(desk) == [f"<!-- stratbot:tell=delivering/1 -->\n{READY.body}"]


def test_when_nobody_is_waited_for_nobody_is_told(desk: Desk) -> None:
    desk.another().show(desk.workflow, PLANNED)
    desk.once_however_torn(lambda hub: hub.show(desk.workflow, Tell()), "DELETE", "/comments/")
    assert not tells(desk)
    with desk.server.count(1):
        desk.another().show(desk.workflow, Tell())


def test_other_words_for_the_same_wait_call_nobody_again(desk: Desk) -> None:
    desk.another().show(desk.workflow, PLANNED)
    [before] = desk.world.comments
    desk.another().show(desk.workflow, Tell(name="planned/1", body="@octocat: and the cap."))
    assert list(desk.world.comments) == [before] and "and the cap" in tells(desk)[0]


def test_a_strangers_words_with_our_mark_are_left_alone(desk: Desk) -> None:
    desk.world.comment(desk.stranger, 1, "<!-- stratbot:tell=planned/1 -->\nfake")
    desk.hub.show(desk.workflow, PLANNED)
    desk.another().show(desk.workflow, Tell())
    assert tells(desk) == ["<!-- stratbot:tell=planned/1 -->\nfake"]


def test_of_two_that_told_at_once_the_next_run_leaves_one(desk: Desk) -> None:
    desk.fault("POST", "/comments$", meet=threading.Barrier(2), times=2)
    hubs = [
        threading.Thread(target=lambda: desk.another().show(desk.workflow, PLANNED)) for _ in "ab"
    ]
    for hub in hubs:
        hub.start()
    for hub in hubs:
        hub.join()
    assert len(tells(desk)) == 2
    desk.another().show(desk.workflow, PLANNED)
    assert len(tells(desk)) == 1


def test_an_attempt_is_told_once_on_the_issue_of_its_failure(desk: Desk) -> None:
    act = Attempt(topic=TOPIC, turn=1001, body="**Attempt 1.** I pushed `abc`.")
    assert desk.hub.perform(desk.workflow, act) is None  # the issue is gone: nobody to tell
    desk.hub.perform(desk.workflow, opened(1001))
    desk.once_however_torn(
        lambda hub: hub.perform(desk.workflow, act), "POST", "/issues/2/comments$"
    )
    assert desk.bodies(2) == [f"<!-- stratbot:attempt=wf_1/{TOPIC}/1001 -->\n{act.body}"]


@pytest.mark.parametrize("verb,path", [("POST", "/2/comments$"), ("PATCH", "/issues/2$")])
def test_a_failure_that_is_back_opens_its_issue_again(desk: Desk, verb: str, path: str) -> None:
    for act in (opened(1001), closed(1001)):
        desk.another().perform(desk.workflow, act)
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, opened(1002)), verb, path)
    assert desk.second().issue("acme", "desk", 2).state == "open"
    assert [b.partition("\n")[2] for b in desk.bodies(2)] == ["Mended 1001", "Seen 1002"]
    desk.another().perform(desk.workflow, closed(1002))
    assert desk.second().issue("acme", "desk", 2).state == "closed"
    assert desk.bodies(2)[-1].endswith("Mended 1002")


def test_what_comes_late_neither_opens_nor_closes(desk: Desk) -> None:
    for act in (opened(1001), closed(1001), opened(1001)):
        desk.another().perform(desk.workflow, act)
    assert desk.second().issue("acme", "desk", 2).state == "closed"
    for act in (opened(1002), closed(1001)):
        desk.another().perform(desk.workflow, act)
    assert desk.second().issue("acme", "desk", 2).state == "open"
    assert len(desk.bodies(2)) == 2
