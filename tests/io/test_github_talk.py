"""Comments, reactions, labels and linked issues, against real HTTP and read by a second client."""

import threading
from dataclasses import replace

import pytest

from bot.events import IssueMade
from bot.ports import Unavailable
from schemas.acts import Act, CloseIssue, Labels, OpenIssue, React, Reply, StatusComment
from tests.io.desk import Desk

REPLY = Reply(number=1, comment_id=500, body="Planned. Type `/approve` to go on.")
STATUS = StatusComment(body="## Planned\n- [ ] data")
DEBUG = OpenIssue(topic="debug-t1_data-1", title="t1 fails", body="It fails.", label="debug")
CLOSE = CloseIssue(topic="debug-t1_data-1", body="Repaired.")


def status(desk: Desk, body: str) -> None:
    desk.another().show(desk.workflow, StatusComment(body=body))


def test_a_reply_is_posted_once(desk: Desk) -> None:
    with desk.server.count(3):
        assert desk.hub.perform(desk.workflow, REPLY) is None
    with desk.server.count(1):
        assert desk.another().perform(desk.workflow, REPLY) is None
    assert desk.bodies() == [f"<!-- stratbot:reply=500 -->\n{REPLY.body}"]


def test_a_reply_whose_answer_was_lost_is_not_posted_again(desk: Desk) -> None:
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, REPLY), "POST", "/comments$")
    assert len(desk.bodies()) == 1


def test_a_strangers_comment_with_our_marker_is_not_ours(desk: Desk) -> None:
    desk.world.comment(desk.stranger, 1, "<!-- stratbot:reply=500 -->\nfake")
    desk.world.comment(desk.stranger, 1, "<!-- stratbot:status -->\nfake")
    desk.hub.perform(desk.workflow, REPLY)
    desk.hub.show(desk.workflow, STATUS)
    assert len(desk.bodies()) == 4
    assert sum("fake" in body for body in desk.bodies()) == 2


def test_a_marker_that_we_only_quote_signs_nothing(desk: Desk) -> None:
    desk.hub.perform(
        desk.workflow, replace(REPLY, comment_id=400, body="> <!-- stratbot:reply=500 -->")
    )
    desk.hub.perform(desk.workflow, REPLY)
    assert len(desk.bodies()) == 2


def test_a_reaction_is_given_once(desk: Desk) -> None:
    comment = desk.world.comment(desk.octocat, 1, "/plan")
    act = React(comment_id=comment["id"], content="eyes")
    with desk.server.count(1):
        desk.hub.perform(desk.workflow, act)
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, act), "POST", "/reactions$")
    assert [r["content"] for r in desk.world.reactions] == ["eyes"]


def test_a_reaction_to_a_deleted_comment_is_moot(desk: Desk) -> None:
    assert desk.hub.perform(desk.workflow, React(comment_id=123456, content="eyes")) is None


def test_the_status_is_one_comment_edited_in_place(desk: Desk) -> None:
    with desk.server.count(3):
        desk.hub.show(desk.workflow, STATUS)
    with desk.server.count(2):
        desk.hub.show(desk.workflow, StatusComment(body="## Building"))
    assert desk.bodies() == ["<!-- stratbot:status -->\n## Building"]


def test_an_unchanged_status_is_not_written_and_its_listing_is_free(desk: Desk) -> None:
    desk.hub.show(desk.workflow, STATUS)
    with desk.server.count(1) as made:
        desk.hub.show(desk.workflow, STATUS)
    assert [s.status for s in made] == [304]


def test_a_deleted_status_comes_back(desk: Desk) -> None:
    desk.hub.show(desk.workflow, STATUS)
    desk.world.comments.clear()
    desk.hub.show(desk.workflow, STATUS)
    assert len(desk.bodies()) == 1


def test_a_status_deleted_while_it_is_drawn_is_for_the_next_run(desk: Desk) -> None:
    desk.hub.show(desk.workflow, STATUS)
    desk.fault("PATCH", "/comments/", do=desk.world.comments.clear)
    with pytest.raises(Unavailable):
        desk.hub.show(desk.workflow, StatusComment(body="## Building"))
    desk.hub.show(desk.workflow, StatusComment(body="## Building"))
    assert len(desk.bodies()) == 1


def test_two_hubs_that_both_found_no_status_leave_one(desk: Desk) -> None:
    desk.fault("POST", "/comments$", meet=threading.Barrier(2), times=2)
    hubs = [threading.Thread(target=status, args=(desk, body)) for body in ("## A", "## B")]
    for hub in hubs:
        hub.start()
    for hub in hubs:
        hub.join()
    assert desk.server.writes("/comments$") == 2
    assert len(desk.bodies()) == 1
    assert desk.bodies()[0] in ("<!-- stratbot:status -->\n## A", "<!-- stratbot:status -->\n## B")


def test_of_two_statuses_the_lower_id_stays(desk: Desk) -> None:
    first = desk.world.comment(desk.token, 1, "<!-- stratbot:status -->\n## Old")
    desk.world.comment(desk.token, 1, "<!-- stratbot:status -->\n## Newer")
    desk.hub.show(desk.workflow, STATUS)
    assert list(desk.world.comments) == [first["id"]]
    assert desk.bodies() == [f"<!-- stratbot:status -->\n{STATUS.body}"]


def test_a_persons_label_is_left_alone(desk: Desk) -> None:
    issue = desk.world.issues[1]
    issue["labels"] = [desk.world.label("urgent"), desk.world.label("stratbot:opened")]
    with desk.server.count(3):
        desk.hub.show(desk.workflow, Labels(names=("stratbot:planned",)))
    labels = desk.second().issue("acme", "desk", 1).labels()
    assert {label.name for label in labels} == {"urgent", "stratbot:planned"}
    with desk.server.count(1):
        desk.another().show(desk.workflow, Labels(names=("stratbot:planned",)))


@pytest.mark.parametrize("before", ["planned", "building"])
def test_an_answered_call_goes_before_the_phase_that_called(desk: Desk, before: str) -> None:
    names = (f"stratbot:{before}", "stratbot:needs-human")
    desk.world.issues[1]["labels"] = [desk.world.label(name) for name in names]
    with desk.server.count(4) as made:
        desk.hub.show(desk.workflow, Labels(names=("stratbot:tested",)))
    assert [s.path.rsplit("stratbot", 1)[1] for s in made[-2:]] == [
        "%3Aneeds-human",
        f"%3A{before}",
    ]


@pytest.mark.parametrize("path", ["/issues$", "/sub_issues$"])
def test_a_linked_issue_is_opened_once(desk: Desk, path: str) -> None:
    made = desk.once_however_torn(lambda hub: hub.perform(desk.workflow, DEBUG), "POST", path)
    assert made == IssueMade("debug-t1_data-1", 2)
    issue = desk.second().issue("acme", "desk", 2)
    assert "Part of #1." in issue.body
    assert [label.name for label in issue.labels()] == ["debug"]
    assert (len(desk.world.issues), desk.world.subs) == (2, {1: [2]})


def test_a_linked_issue_costs_five_requests(desk: Desk) -> None:
    with desk.server.count(5):
        desk.hub.perform(desk.workflow, DEBUG)


def test_a_server_without_sub_issues_still_gets_the_mention(desk: Desk) -> None:
    desk.fault("GET", "/sub_issues$", status=404, message="Not Found")
    assert desk.hub.perform(desk.workflow, DEBUG) == IssueMade("debug-t1_data-1", 2)


def test_of_two_linked_issues_the_older_stays(desk: Desk) -> None:
    other = desk.another()
    desk.fault("POST", "/issues$", do=lambda: other.perform(desk.workflow, DEBUG))
    assert desk.hub.perform(desk.workflow, DEBUG) == IssueMade("debug-t1_data-1", 2)
    assert [i["state"] for i in desk.world.issues.values()] == ["open", "open", "closed"]


def test_a_strangers_issue_with_our_marker_is_not_ours(desk: Desk) -> None:
    desk.world.issue(
        desk.stranger, "x", "<!-- stratbot:topic=wf_1/debug-t1_data-1 -->\n", ["debug"]
    )
    assert desk.hub.perform(desk.workflow, DEBUG) == IssueMade("debug-t1_data-1", 3)


@pytest.mark.parametrize("verb,path", [("POST", "/2/comments$"), ("PATCH", "/issues/2$")])
def test_a_linked_issue_is_closed_with_one_word(desk: Desk, verb: str, path: str) -> None:
    desk.hub.perform(desk.workflow, DEBUG)
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, CLOSE), verb, path)
    assert desk.second().issue("acme", "desk", 2).state == "closed"
    assert len(desk.bodies(2)) == 1
    assert desk.server.writes("/issues/2$") == 1


@pytest.mark.parametrize("topic,most", [("request", 5), ("incident-1", 3)])
def test_closing_the_request_or_what_never_was(desk: Desk, topic: str, most: int) -> None:
    act: Act = CloseIssue(topic=topic, body="Delivered.")
    with desk.server.count(most):
        desk.hub.perform(desk.workflow, act)
    assert (desk.world.issues[1]["state"] == "closed") == (topic == "request")


def test_a_request_is_opened_again_for_its_fix_and_closed_with_it(desk: Desk) -> None:
    again = OpenIssue(topic="request", title="t", body="At work.", label="incident", turn=2)
    desk.hub.perform(desk.workflow, CloseIssue(topic="request", body="Delivered."))
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, again), "POST", "/1/comments$")
    assert desk.world.issues[1]["state"] == "open" and len(desk.world.issues) == 1
    closed = CloseIssue(topic="request", body="Delivered again.", turn=2)
    desk.another().perform(desk.workflow, closed)
    desk.another().perform(desk.workflow, again)
    assert desk.world.issues[1]["state"] == "closed", "a late repeat opens nothing"
    assert [b.split("\n")[-1] for b in desk.bodies()] == [
        "Delivered.", "At work.", "Delivered again."
    ]  # fmt: skip
