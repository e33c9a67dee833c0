"""Commits, pull requests, merges, statuses and runs, read by a second client."""

from dataclasses import replace
from typing import Any

import pytest

from bot.events import BranchGone, BranchMoved, Published, PullMerged, PullOpened
from bot.io.github import GitHubHub
from bot.ports import Rejected, Unavailable
from schemas.acts import CommitStatus, MergePull, OpenPull, ReportComment, StopWork
from schemas.base import TaskId
from schemas.workflow import Delivery, Step, Task
from tests.io.desk import BRANCH, DELIVER, Desk, order, publish

PULL = OpenPull(branch=BRANCH, base=DELIVER, title="Data", body="The data step.")
HOUR = 3600


def merge(desk: Desk) -> MergePull:
    desk.hub.perform(desk.workflow, publish())
    desk.hub.perform(desk.workflow, PULL)
    return MergePull(branch=BRANCH, base=DELIVER, sha=desk.world.refs[BRANCH])


def own_commits(desk: Desk) -> list[str]:
    repo = desk.second().repository("acme", "desk")
    return [c.sha for c in repo.commits(sha=BRANCH) if "Stratbot-Act: publish/" in c.message]


def test_a_draft_is_committed_on_a_new_branch(desk: Desk) -> None:
    with desk.server.count(7):
        made = desk.hub.perform(desk.workflow, publish())
    assert made == Published(BRANCH, desk.world.refs[BRANCH])
    assert desk.world.refs[DELIVER] == desk.world.refs["main"]
    tree = desk.world.trees[desk.world.commits[desk.world.refs[BRANCH]]["tree"]]
    assert tree == {"README.md": "desk\n", "strategies/wf_1/strategy.py": "x = 1\n"}
    with desk.server.count(1):
        assert desk.another().perform(desk.workflow, publish()) == made


def test_what_an_earlier_build_added_is_removed_where_it_is(desk: Desk) -> None:
    old = "strategies/wf_1/tests/test_added.py"
    desk.world.commit("main", {old: "def test_old(): ...\n"}, "delivered")
    act = replace(publish(), removes=(old, "strategies/wf_1/tests/test_never.py"))
    desk.hub.perform(desk.workflow, act)
    tree = desk.world.trees[desk.world.commits[desk.world.refs[BRANCH]]["tree"]]
    assert old not in tree and "strategies/wf_1/strategy.py" in tree


@pytest.mark.parametrize("path", ["/git/trees$", "/git/commits$", "/git/refs$"])
def test_a_commit_whose_answer_was_lost_is_found(desk: Desk, path: str) -> None:
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, publish()), "POST", path)
    assert len(own_commits(desk)) == 1


def test_a_repeat_finds_its_commit_below_a_persons(desk: Desk) -> None:
    made = desk.hub.perform(desk.workflow, publish())
    desk.world.commit(BRANCH, {"notes.md": "mine\n"}, "a person's")
    assert desk.another().perform(desk.workflow, publish()) == made


def test_a_repair_goes_on_top(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    desk.once_however_torn(
        lambda hub: hub.perform(desk.workflow, publish("x = 2\n", "b")), "PATCH", "/git/refs/"
    )
    assert len(own_commits(desk)) == 2


def test_a_repair_is_not_put_over_somebodys_commit(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    act = replace(publish("x = 2\n", "b"), parent=desk.world.refs[BRANCH])
    mine = desk.world.commit(BRANCH, {"strategies/wf_1/strategy.py": "x = 3\n"}, "mine")
    assert desk.hub.perform(desk.workflow, act) == BranchMoved(BRANCH, mine)
    assert desk.world.refs[BRANCH] == mine


def test_a_repair_gives_way_to_a_push_at_that_moment(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    act = replace(publish("x = 2\n", "b"), parent=desk.world.refs[BRANCH])
    desk.fault("PATCH", "/git/refs", do=lambda: desk.world.commit(BRANCH, {"a": "b"}, "mine"))
    made = desk.hub.perform(desk.workflow, act)
    assert made == BranchMoved(BRANCH, desk.world.refs[BRANCH]) and len(own_commits(desk)) == 1


def test_a_repair_of_a_branch_that_is_gone_begins_it_again(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    act = replace(publish("x = 2\n", "b"), parent=desk.world.refs.pop(BRANCH))
    made = desk.hub.perform(desk.workflow, act)
    assert made == Published(BRANCH, desk.world.refs[BRANCH])
    results = replace(act, base=BRANCH, parent="d" * 40)
    desk.world.refs.pop(BRANCH)
    assert desk.hub.perform(desk.workflow, results) is None and BRANCH not in desk.world.refs


@pytest.mark.parametrize("verb", ["POST", "PATCH"])
def test_a_persons_push_at_that_moment_is_not_overwritten(desk: Desk, verb: str) -> None:
    act = publish()
    if verb == "PATCH":
        desk.hub.perform(desk.workflow, act)
        act = publish("x = 2\n", "b")
    pushed: list[str] = []
    desk.world.refs[DELIVER] = desk.world.refs["main"]
    desk.fault(
        verb, "/git/refs", do=lambda: pushed.append(desk.world.commit(BRANCH, {"a": "b"}, "mine"))
    )
    with pytest.raises(Rejected, match="somebody pushed"):
        desk.hub.perform(desk.workflow, act)
    assert desk.world.refs[BRANCH] == pushed[0]


def test_two_hubs_that_publish_the_same_agree_on_one_commit(desk: Desk) -> None:
    made: list[object] = []
    other = desk.another()
    desk.fault(
        "POST", "/git/trees$", do=lambda: made.append(other.perform(desk.workflow, publish()))
    )
    assert [desk.hub.perform(desk.workflow, publish())] == made
    assert len(own_commits(desk)) == 1


def test_a_pull_request_is_opened_once(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    with desk.server.count(8):
        made = desk.once_however_torn(
            lambda hub: hub.perform(desk.workflow, PULL), "POST", "/pulls$"
        )
    assert made == PullOpened(BRANCH, 2)
    pull = desk.second().pull_request("acme", "desk", 2)
    assert pull.body == "<!-- stratbot:request=1 -->\nThe data step."
    assert (pull.head.ref, pull.base.ref, len(desk.world.pulls)) == (BRANCH, DELIVER, 1)


def test_a_pull_request_that_somebody_opened_first_is_taken(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    desk.fault(
        "POST", "/pulls$", do=lambda: desk.world.pull(desk.octocat, BRANCH, DELIVER, "Mine", "")
    )
    assert desk.hub.perform(desk.workflow, PULL) == PullOpened(BRANCH, 2)


def test_nothing_to_pull_is_refused_with_githubs_words(desk: Desk) -> None:
    desk.world.refs[BRANCH] = desk.world.refs[DELIVER] = desk.world.refs["main"]
    with pytest.raises(Rejected, match="No commits between"):
        desk.hub.perform(desk.workflow, PULL)


def test_a_merge_happens_once(desk: Desk) -> None:
    act = merge(desk)
    made = desk.once_however_torn(lambda hub: hub.perform(desk.workflow, act), "PUT", "/merge$")
    assert made == PullMerged(BRANCH, desk.world.refs[DELIVER])
    assert desk.second().pull_request("acme", "desk", 2).merged
    assert desk.hub.perform(desk.workflow, PULL) == PullOpened(BRANCH, 2)


def test_a_merge_costs_two_requests(desk: Desk) -> None:
    act = merge(desk)
    with desk.server.count(2):
        desk.hub.perform(desk.workflow, act)


def passed(desk: Desk, act: MergePull) -> None:
    """The request knows the pull request of what was tested."""
    task = Task(id=TaskId.DATA, step=Step.MERGING, pull=2, head=act.sha, passed_sha=act.sha)
    desk.workflow = replace(desk.workflow, tasks=(task,))


def test_a_merge_and_its_report_cost_three_requests(desk: Desk) -> None:
    act = merge(desk)
    passed(desk, act)
    report = ReportComment(number=2, version=1, body="Passed.")
    with desk.server.count(3):
        made = desk.hub.perform(desk.workflow, act)
        desk.hub.perform(desk.workflow, report)
    assert made == PullMerged(BRANCH, desk.world.refs[DELIVER])
    for hub in (desk.hub, desk.another()):
        assert hub.perform(desk.workflow, act) == made
        hub.perform(desk.workflow, report)
    assert len(desk.bodies(2)) == 1


def test_a_report_whose_answer_was_lost_is_there_once(desk: Desk) -> None:
    act = merge(desk)
    passed(desk, act)
    report = ReportComment(number=2, version=1, body="Passed.")

    def both(hub: GitHubHub) -> object:
        made = hub.perform(desk.workflow, act)
        hub.perform(desk.workflow, report)
        return made

    desk.once_however_torn(both, "POST", "/issues/2/comments$")
    assert len(desk.bodies(2)) == 1


def test_a_merge_that_another_run_just_did_is_the_same_merge(desk: Desk) -> None:
    act, other = merge(desk), desk.another()
    desk.fault("PUT", "/merge$", do=lambda: other.perform(desk.workflow, act))
    assert desk.hub.perform(desk.workflow, act) == PullMerged(BRANCH, desk.world.refs[DELIVER])


def test_a_branch_that_moved_after_its_test_is_not_merged(desk: Desk) -> None:
    act = merge(desk)
    desk.world.commit(BRANCH, {"a": "b"}, "one more")
    assert desk.hub.perform(desk.workflow, act) is None
    assert desk.world.issues[2]["state"] == "open"


def test_a_merge_of_another_commit_is_not_ours(desk: Desk) -> None:
    act = merge(desk)
    head = desk.world.commit(BRANCH, {"a": "b"}, "one more")
    desk.hub.perform(desk.workflow, replace(act, sha=head))
    with pytest.raises(Rejected, match="no open pull request"):
        desk.hub.perform(desk.workflow, act)


def test_a_second_pull_request_from_the_same_branch_is_not_merged(desk: Desk) -> None:
    act = merge(desk)
    desk.world.pull(desk.octocat, BRANCH, "main", "Mine", "")
    before = desk.world.refs["main"]
    desk.hub.perform(desk.workflow, act)
    assert desk.world.refs["main"] == before
    assert [p["merged_at"] is None for p in desk.world.pulls.values()] == [False, True]


def test_a_pull_request_that_was_turned_to_another_base_is_not_merged(desk: Desk) -> None:
    act = merge(desk)
    passed(desk, act)
    desk.world.pulls[2]["base"] = "main"
    before = desk.world.refs["main"]
    with pytest.raises(Rejected, match="no open pull request into"):
        desk.hub.perform(desk.workflow, act)
    assert desk.world.refs["main"] == before
    desk.world.pulls[2].update(merged_at="2026-01-05T00:00:00Z", sha=act.sha)
    desk.world.issues[2]["state"] = "closed"
    with pytest.raises(Rejected, match="no open pull request into"):
        desk.hub.perform(desk.workflow, act)


@pytest.mark.parametrize("ways", [("squash",), ("rebase",), ("squash", "rebase")])
def test_a_repository_says_how_it_is_merged(desk: Desk, ways: tuple[str, ...]) -> None:
    act = merge(desk)
    desk.world.pulls[2]["ways"] = ways
    assert desk.hub.perform(desk.workflow, act) == PullMerged(BRANCH, desk.world.refs[DELIVER])


@pytest.mark.parametrize(
    "said,error",
    [
        ("At least 1 approving review is required", Rejected),
        ("Base branch was modified. Review and try the merge again.", Unavailable),
    ],
)
def test_an_unmergeable_pull_request(desk: Desk, said: str, error: type[Exception]) -> None:
    act = merge(desk)
    desk.world.pulls[2]["blocked"] = said
    with pytest.raises(error):
        desk.hub.perform(desk.workflow, act)


def test_a_status_is_posted_when_it_differs(desk: Desk) -> None:
    sha = desk.world.refs["main"]
    view = CommitStatus(sha=sha, state="pending", description="runs " * 60)
    for expected in (2, 1):
        with desk.server.count(expected):
            desk.another().show(desk.workflow, view)
    desk.hub.show(desk.workflow, replace(view, state="success"))
    assert [s["state"] for s in desk.world.statuses] == ["pending", "success"]
    assert {s["context"] for s in desk.world.statuses} == {"stratbot/sandbox"}


def test_a_commit_of_this_process_has_no_status_yet(desk: Desk) -> None:
    made = desk.hub.perform(desk.workflow, publish())
    assert isinstance(made, Published)
    view = CommitStatus(sha=made.sha, state="pending", description="runs")
    for expected in (1, 1):  # posted without a look, then looked at and left alone
        with desk.server.count(expected):
            desk.hub.show(desk.workflow, view)
    assert [s["state"] for s in desk.world.statuses] == ["pending"]


def test_work_is_started_once(desk: Desk) -> None:
    with desk.server.count(2):
        desk.hub.dispatch(order())
    with desk.server.count(1):
        desk.another().dispatch(order())
    [run] = desk.world.runs.values()
    assert run["asked"] == {
        "ref": "main",
        "inputs": {"issue": "1", "key": "plan-0123abcd", "kind": "plan", "head": ""},
    }


def test_work_not_listed_yet_is_not_started_again(desk: Desk) -> None:
    desk.hub.dispatch(order())
    desk.world.runs.clear()
    desk.hub.dispatch(order())
    assert desk.server.writes("/dispatches$") == 1


@pytest.mark.parametrize(
    "title,how,later,starts",
    [
        ("wf_1 plan-0123abcd", {"status": "in_progress"}, 0, 0),
        ("wf_1 plan-0123abcd", {"status": "completed", "conclusion": "success"}, 0, 0),
        ("wf_1 plan-0123abcd", {"status": "completed", "conclusion": "success"}, HOUR, 1),
        ("wf_1 plan-0123abcd", {"status": "completed", "conclusion": "failure"}, 0, 1),
        ("wf_1 plan-0123abcd", {"status": "completed", "conclusion": "cancelled"}, 0, 1),
        ("wf_1 plan-0123abcd", {"status": "in_progress", "branch": "theirs"}, 0, 1),
        ("wf_1 plan-9999", {"status": "in_progress"}, 0, 1),
        ("wf_11 plan-0123abcd", {"status": "in_progress"}, 0, 1),
    ],
)
def test_which_runs_stand_in_the_way(
    desk: Desk, title: str, how: dict[str, Any], later: int, starts: int
) -> None:
    desk.world.run(title, **how)
    desk.world.time += later
    desk.hub.dispatch(order())
    assert desk.server.writes("/dispatches$") == starts


def test_which_work_is_alive(desk: Desk) -> None:
    for title, how in {
        "wf_1 plan-1": {"status": "queued"},
        "wf_1 plan-2": {"status": "in_progress"},
        "wf_1 plan-3": {"status": "completed", "conclusion": "failure"},
        "wf_11 plan-4": {"status": "in_progress"},
        "wf_1": {"status": "in_progress"},
    }.items():
        desk.world.run(title, **how)
    asked = tuple(order(f"plan-{n}") for n in range(1, 6))
    with desk.server.count(2):
        assert desk.hub.alive(asked) == {"plan-1", "plan-2"}


@pytest.mark.parametrize("force,how", [(False, "cancel"), (True, "force-cancel")])
def test_stopping_stops_only_this_request(desk: Desk, force: bool, how: str) -> None:
    mine, over = desk.world.run("wf_1 a"), desk.world.run("wf_1 b", status="completed")
    others = desk.world.run("wf_11 a", status="in_progress")
    act = StopWork(comment_id=5, force=force)
    desk.once_however_torn(lambda hub: hub.perform(desk.workflow, act), "POST", f"/{how}$")
    assert (mine["conclusion"], mine["how"]) == ("cancelled", how)
    assert (over["conclusion"], others["conclusion"]) == (None, None)


def test_a_run_that_ended_by_itself_is_stopped_too(desk: Desk) -> None:
    run = desk.world.run("wf_1 a")
    desk.fault("POST", "/cancel$", do=lambda: run.update(status="completed"))
    assert desk.hub.perform(desk.workflow, StopWork(comment_id=5, force=False)) is None


def test_a_deleted_branch_is_made_again_where_it_stood(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    stood = desk.world.refs.pop(BRANCH)
    assert desk.hub.perform(desk.workflow, PULL) == BranchGone(BRANCH)
    made = desk.once_however_torn(
        lambda hub: hub.perform(desk.workflow, replace(PULL, sha=stood)), "POST", "/git/refs$"
    )
    assert isinstance(made, PullOpened) and desk.world.refs[BRANCH] == stood


def test_a_commit_that_is_gone_too_cannot_come_back(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    del desk.world.refs[BRANCH]
    lost = replace(PULL, sha="d" * 40)
    assert desk.hub.perform(desk.workflow, lost) == BranchGone(BRANCH)


@pytest.mark.parametrize("after", ["nothing", "a step"])
def test_a_deleted_branch_for_the_steps_is_made_again(desk: Desk, after: str) -> None:
    desk.hub.perform(desk.workflow, publish())
    stood = desk.world.refs.pop(DELIVER)
    if after == "a step":
        desk.world.commit("main", {"a": "b"}, "others went on")
        desk.workflow = replace(desk.workflow, delivery=Delivery(head=stood))
    assert isinstance(desk.hub.perform(desk.workflow, PULL), PullOpened)
    assert desk.world.refs[DELIVER] == stood


def test_a_branch_for_the_steps_that_cannot_come_back_is_told(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    del desk.world.refs[DELIVER]
    lost = replace(desk.workflow, delivery=Delivery(head="d" * 40))
    with pytest.raises(Rejected, match="git/refs"):
        desk.hub.perform(lost, PULL)
