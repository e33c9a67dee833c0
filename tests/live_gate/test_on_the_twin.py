"""The rows of the table that a real server can play: its runs, environments, reviews, people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from github.WorkflowRun import WorkflowRun

from bot.gate import Open
from bot.why import Shut, Why
from schemas.live import Deployment, Gate, Stage
from schemas.workflow import Phase, Policy
from tests.live_gate.door import HOME, NAME, Door
from tests.twin.waiting import until
from tests.twin.workflows import ended

Played = Open | Shut


def no_environment(door: Door) -> Played:
    """GitHub's trap: a run makes the environment, without protection. It is judged before that."""
    run = door.start("other.yml")
    ended(door.desk, run)
    door.desk.api("DELETE", door.desk.at("/environments/live"))
    run = door.start()
    door.desk.api("DELETE", door.desk.at("/environments/live"))
    return door.judge(run)


def made_by_its_own_run(door: Door) -> Played:
    run = door.start()
    ended(door.desk, run)
    return door.judge(run)


def not_reviewed_yet(door: Door) -> Played:
    door.protect("hubot")
    run = door.start()
    ended(door.desk, run, "waiting")
    return door.judge(run)


def protected_after_the_run(door: Door) -> Played:
    run = door.start()
    ended(door.desk, run)
    door.protect("hubot")
    return door.judge(run)


def rejected(door: Door) -> Played:
    door.protect("hubot")
    run = door.start()
    door.review(run, "hubot", "rejected")
    return door.judge(run)


def self_review(door: Door) -> Played:
    return door.judge(door.reviewed("octocat"))


def reviewer_without_permission(door: Door) -> Played:
    return door.judge(door.reviewed("monalisa"))


def permission_lost_since(door: Door) -> Played:
    run = door.reviewed()
    door.desk.repo().remove_from_collaborators("hubot")
    return door.judge(run)


def approval_of_another_run(door: Door) -> Played:
    door.reviewed()
    run = door.start()
    ended(door.desk, run, "waiting")
    return door.judge(run)


def a_run_of_another_file(door: Door) -> Played:
    door.protect("hubot")
    run = door.start("other.yml")
    door.review(run, "hubot")
    return door.judge(run)


def a_run_on_another_branch(door: Door) -> Played:
    """It was reviewed while every branch could ask, and is judged when none but one can."""
    door.let_all("hubot")
    door.desk.repo().create_git_ref("refs/heads/feature", door.sha)
    run = door.start(branch="feature")
    door.review(run, "hubot")
    door.protect("hubot")
    return door.judge(run)


def a_dispatch_from_another_branch(door: Door) -> Played:
    """GitHub ends it before anybody is asked, and gives it no secret."""
    door.protect("hubot")
    door.desk.repo().create_git_ref("refs/heads/feature", door.sha)
    run = ended(door.desk, door.start(branch="feature"))
    assert run.conclusion == "failure"
    log = door.desk.api("GET", door.desk.at(f"/actions/jobs/{run.jobs()[0].id}/logs")).text
    assert log.startswith('Branch "feature" is not allowed to deploy to live')
    return door.judge(run)


def a_dispatch_from_a_tag_of_the_branchs_name(door: Door) -> Played:
    """GitHub tells the same `head_branch` of both."""
    door.protect("hubot")
    door.desk.repo().create_git_ref("refs/tags/main", door.sha)
    run = ended(door.desk, door.start(branch="refs/tags/main"))
    assert (run.conclusion, run.head_branch) == ("failure", "main")
    return door.judge(run)


def every_branch_may_ask(door: Door) -> Played:
    door.let_all("hubot")
    run = door.start()
    door.review(run, "hubot")
    return door.judge(run)


def a_run_that_a_push_started(door: Door) -> Played:
    door.protect("hubot")
    door.desk.repo().create_git_ref("refs/heads/pushed", door.sha)
    door.write("note.txt", "x", "pushed")

    def look() -> list[WorkflowRun]:
        return [r for r in door.desk.repo().get_workflow_runs() if r.event == "push"]

    run = next(r for r in until(look, bool) if r.name == "deploy")
    return door.judge(run)


def run_again(door: Door) -> Played:
    run = door.reviewed()
    assert run.rerun()
    ended(door.desk, run, "waiting")
    return door.judge(run)


def started_by_a_person(door: Door) -> Played:
    """All else is in order: by a state that anybody can push, another person asked for it."""
    door.protect("hubot")
    asked = door.deployment(requested_by="octocat", requester_id=door.ident("octocat"))
    run = door.start_by_hand("hubot")
    door.review(run, "hubot")
    return door.judge(run, deployments=(asked,))


def pushed_after_the_approval(door: Door) -> Played:
    run = door.reviewed()
    door.write(f"{HOME}/strategy.py", "x = 2\n")
    return door.judge(run)


def force_pushed_away(door: Door) -> Played:
    run = door.reviewed()
    first = list(door.desk.repo().get_commits())[-1]
    door.desk.repo().get_git_ref("heads/main").edit(first.sha, force=True)
    return door.judge(run)


def another_commit_is_checked_out(door: Door) -> Played:
    run = door.reviewed()
    parent = door.desk.repo().get_commit(door.sha).parents[0].sha
    return door.judge(run, at=parent)


def the_tag_is_elsewhere(door: Door) -> Played:
    run = door.reviewed()
    first = list(door.desk.repo().get_commits())[-1]
    door.desk.repo().create_git_ref(f"refs/tags/live/{NAME}/1", first.sha)
    return door.judge(run)


def cancelled(door: Door) -> Played:
    return door.judge(door.reviewed(), phase=Phase.CANCELLED)


def held(door: Door) -> Played:
    return door.judge(door.reviewed(), held=True)


def never_ran_on_paper(door: Door) -> Played:
    return door.judge(door.reviewed(), deployments=(door.deployment(paper_bars=0),))


def the_request_names_another_commit(door: Door) -> Played:
    return door.judge(door.reviewed(), deployments=(door.deployment(commit_sha="e" * 40),))


def halted_since(door: Door) -> Played:
    return door.judge(door.reviewed(), deployments=(door.deployment(stage=Stage.HALTED),))


def comments_are_not_the_gate_here(door: Door) -> Played:
    door.protect()
    run = door.start()
    return door.judge(run, deployments=(approved_by(door, "octocat", "hubot"),))


def one_comment(door: Door) -> Played:
    return commented(door, "octocat")


def one_person_twice(door: Door) -> Played:
    return commented(door, "octocat", "octocat")


def a_comment_of_one_who_may_not_write(door: Door) -> Played:
    return commented(door, "octocat", "monalisa")


def commented(door: Door, *logins: str) -> Played:
    door.protect()
    given = replace(door.policy, gate=Gate.COMMENT)
    rows = (approved_by(door, *logins),)
    return door.judge(door.start(), policy=given, deployments=rows)


def approved_by(door: Door, *logins: str) -> Deployment:
    ids = tuple(door.ident(login) for login in logins)
    return door.deployment(approvers=logins, approver_ids=ids, gate=Gate.COMMENT)


SHUT: dict[Callable[[Door], Played], Why] = {
    no_environment: Why.NO_ENVIRONMENT,
    made_by_its_own_run: Why.NO_REVIEWERS,
    not_reviewed_yet: Why.NOT_REVIEWED,
    protected_after_the_run: Why.NOT_REVIEWED,
    rejected: Why.REJECTED,
    self_review: Why.SELF_REVIEW,
    reviewer_without_permission: Why.NO_PERMISSION,
    permission_lost_since: Why.NO_PERMISSION,
    approval_of_another_run: Why.NOT_REVIEWED,
    a_run_of_another_file: Why.OTHER_WORKFLOW,
    a_run_on_another_branch: Why.OTHER_BRANCH,
    a_dispatch_from_another_branch: Why.OTHER_BRANCH,
    a_dispatch_from_a_tag_of_the_branchs_name: Why.NOT_REVIEWED,
    every_branch_may_ask: Why.ANY_BRANCH,
    a_run_that_a_push_started: Why.NOT_DISPATCHED,
    run_again: Why.RUN_AGAIN,
    started_by_a_person: Why.NOT_THE_BOT,
    pushed_after_the_approval: Why.CHANGED_SINCE,
    force_pushed_away: Why.NOT_MERGED,
    another_commit_is_checked_out: Why.OTHER_CHECKOUT,
    the_tag_is_elsewhere: Why.TAG_TAKEN,
    cancelled: Why.CANCELLED,
    held: Why.HELD,
    never_ran_on_paper: Why.NO_PAPER_RUN,
    the_request_names_another_commit: Why.OTHER_COMMIT,
    halted_since: Why.ANSWERED,
    comments_are_not_the_gate_here: Why.NO_REVIEWERS,
    one_comment: Why.NOT_CONFIRMED,
    one_person_twice: Why.ONE_PERSON,
    a_comment_of_one_who_may_not_write: Why.NO_PERMISSION,
}


@pytest.mark.parametrize("play", SHUT, ids=lambda f: f.__name__)
def test_it_stays_shut(door: Door, play: Callable[[Door], Played]) -> None:
    found = play(door)
    assert isinstance(found, Shut) and found.why is SHUT[play], found


def test_a_review_by_somebody_else_opens_it(door: Door) -> None:
    found = door.judge(door.reviewed())
    assert isinstance(found, Open), found
    approval = found.approval
    assert (approval.approvers, approval.gate) == (("hubot",), Gate.ENVIRONMENT)
    assert [f.path for f in approval.files] == [f"{HOME}/contract.json", f"{HOME}/strategy.py"]
    assert (approval.commit_sha, found.tag) == (door.sha, f"live/{NAME}/1")


def test_other_work_on_the_branch_does_not_shut_it(door: Door) -> None:
    run = door.reviewed()
    door.write("README.md", "something else")
    assert isinstance(door.judge(run), Open)


def test_working_alone_must_be_said(door: Door) -> None:
    found = door.judge(door.reviewed("octocat"), policy=replace(door.policy, solo=True))
    assert isinstance(found, Open) and found.approval.approvers == ("octocat",), found


def test_two_comments_open_the_weaker_gate(door: Door) -> None:
    found = commented(door, "octocat", "hubot")
    assert isinstance(found, Open), found
    assert (found.approval.gate, found.approval.approvers) == (Gate.COMMENT, ("octocat", "hubot"))


def test_comments_do_not_pass_reviewers(door: Door) -> None:
    door.protect("hubot")
    policy = Policy(gate=Gate.COMMENT, home=door.policy.home)
    run = door.start()
    ended(door.desk, run, "waiting")
    rows = (approved_by(door, "octocat", "hubot"),)
    found = door.judge(run, policy=policy, deployments=rows)
    assert isinstance(found, Shut) and found.why is Why.NOT_REVIEWED, found
