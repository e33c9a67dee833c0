"""Our real workflow files on the twin, with both executors: who is heard, and what is answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from github.Issue import Issue
from github.WorkflowRun import WorkflowRun

from tests.twin.desk import TOKENS, Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import SEED, Twin
from tests.twin.waiting import until
from tests.workflows.project import push

REQUEST = "Buy SPY when RSI(2) is below 10. Sell when it is above 70. Daily, long only, no stop."
BRANCH = "ai/generated/wf_1/t1_data"


@pytest.fixture(scope="module", params=["quick", pytest.param("act", marks=pytest.mark.soak)])
def twin(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("flow"), SEED, "--executor", request.param) as running:
        yield running


@pytest.fixture
def desk(twin: Twin, tmp_path: Path) -> Iterator[Desk]:
    with checked_exchanges():
        desk = Desk(twin, tmp_path)
        desk.unlimited()
        push(twin.url, desk.full_name, f"{TOKENS}octocat")
        desk.repo().create_variable("STRATBOT_SPACING", "0")
        yield desk


def runs_of(desk: Desk, name: str, count: int) -> list[WorkflowRun]:
    """Oldest first, when so many are over."""
    found = until(
        lambda: list(desk.repo().get_workflow(f"{name}.yml").get_runs()),
        lambda runs: len(runs) >= count and all(r.status == "completed" for r in runs),
    )
    return found[::-1]


def ends(desk: Desk, run: WorkflowRun) -> dict[str, str]:
    return {job.name: job.conclusion or "" for job in run.jobs()}


def log(desk: Desk, run: WorkflowRun) -> str:
    logs = (desk.api("GET", desk.at(f"/actions/jobs/{job.id}/logs")).text for job in run.jobs())
    return "\n".join(logs)


def said(issue: Issue) -> list[str]:
    return [c.body for c in issue.get_comments() if c.user.login == "github-actions[bot]"]


def test_a_request_and_a_command_are_answered(desk: Desk) -> None:
    issue = desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    [run] = runs_of(desk, "stratbot", 1)
    assert ends(desk, run) == {"filter": "success", "handle": "success"}, log(desk, run)
    assert '"correlation_id": "corr_1"' in log(desk, run)
    assert '"message": "opened; ' in log(desk, run)
    put = [e.label.name for e in issue.get_events() if e.event == "labeled"]
    assert put[0] == "stratbot:opened" and "stratbot:status" in said(issue)[0]
    mark = f"<!-- stratbot:reply={issue.create_comment('/help').id} -->"
    [answer] = until(lambda: [b for b in said(issue) if b.startswith(mark)], bool)
    assert "/approve" in answer and "/cancel" in answer
    [work] = runs_of(desk, "stratbot-work", 1)
    assert work.display_title.startswith("wf_1 plan-")
    wanted = {"draft": "success", "test": "skipped", "finish": "success"}
    assert ends(desk, work) == wanted, log(desk, work)
    labels = {x.name for x in desk.repo().get_issue(1).labels}
    assert labels == {"stratbot:planned", "stratbot:needs-human"}


def test_work_that_fails_is_told(desk: Desk) -> None:
    desk.repo().create_variable("STRATBOT_WRITER", "nobody")
    issue = desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    tried = runs_of(desk, "stratbot-work", 3)
    wanted = {"draft": "failure", "test": "skipped", "finish": "success"}
    assert [ends(desk, run) for run in tried] == [wanted] * 3, log(desk, tried[0])
    [status, told] = said(issue)
    assert told.startswith("<!-- stratbot:tell=escalated/") and "@stranger" in told
    assert f"/actions/runs/{tried[-1].id}" in status and "gave no result" in status
    labels = {x.name for x in desk.repo().get_issue(1).labels}
    assert labels == {"stratbot:escalated", "stratbot:needs-human"}


def test_a_command_is_seen_and_answered_though_the_bot_cannot_start(desk: Desk) -> None:
    """So the receipt is the filter's, and the answer that of the workflow alone."""
    desk.repo().create_variable("STRATBOT_POLICY", "no policy at all")
    issue = desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    words = ("/help", "   /help!", "/tmp/file is gone", "/revise.py breaks", "/2 of it")
    typed = [issue.create_comment(body) for body in words]
    runs = runs_of(desk, "stratbot", 1 + len(words))
    assert {ends(desk, run)["handle"] for run in runs} == {"failure"}
    found = [[r.content for r in comment.get_reactions()] for comment in typed]
    assert found == [*[["eyes", "confused"]] * 2, [], [], []], log(desk, runs[-1])
    told = said(issue)
    assert len(told) == 2, told
    for body in told:
        assert "My run failed before its end" in body and f"{desk.full_name}/actions/runs/" in body
        assert "`stratbot doctor`" in body and "within half an hour and do what" in body


def test_what_is_not_for_the_bot_starts_nothing(desk: Desk) -> None:
    incident = desk.repo().create_issue("Broken", body="x", labels=["incident"])
    talk = desk.repo().create_issue("Not one", labels=["not-a-request"])
    talk.create_comment("/help")
    for run in runs_of(desk, "stratbot", 3):
        assert (run.conclusion, ends(desk, run)["handle"]) == ("skipped", "skipped")
    assert not said(incident) and not said(talk)


def test_a_command_on_an_incident_is_not_met_with_silence(desk: Desk) -> None:
    issue = desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    incident = desk.repo().create_issue("Broken", body="x", labels=["incident"])
    incident.create_comment("/rollback flatten")
    [told] = until(lambda: said(incident), bool)
    assert "not_a_request" in told and "in the issue of the request" in told
    token = {"Authorization": f"token {desk.bot({'issues': 'write'})}"}
    mark = "<!-- stratbot:topic=wf_1/incident-halt-1 -->\nPart of #1."
    desk.api("POST", desk.at("/issues"), headers=token, title="x", body=mark, labels=["incident"])
    ours = desk.repo().get_issue(3)
    ours.create_comment("/cancel")
    [told] = until(lambda: said(ours), bool)
    assert "not_a_request" not in told and "cancel" in told.lower()
    until(
        lambda: [x.name for x in desk.repo().get_issue(1).labels], {"stratbot:cancelled"}.issubset
    )
    assert len(said(issue)) == 1, "the answer is where the command was typed"


def test_a_push_to_a_branch_of_the_bot_wakes_it(desk: Desk) -> None:
    repo = desk.repo("hubot")
    for name in (BRANCH, "feature"):
        repo.create_git_ref(f"refs/heads/{name}", repo.get_branch("main").commit.sha)
        # In one second the same words would make the same commit.
        repo.create_file("note.txt", f"Add a note to {name}", "x", branch=name)
        repo.create_pull(base="main", head=name, title=name)
        note = repo.get_contents("note.txt", name)
        assert not isinstance(note, list)
        repo.update_file("note.txt", "Say more", "y", note.sha, branch=name)
    ends_of = [ends(desk, run) for run in runs_of(desk, "stratbot-pulls", 4)]
    opened = {"wake": "skipped", "others": "skipped"}  # the bot opens its own, and that is no event
    assert ends_of == [
        opened, {**opened, "wake": "success"}, *[{**opened, "others": "success"}] * 2,
    ]  # fmt: skip
    [*_, checked] = runs_of(desk, "stratbot-checks", 1)
    assert checked.conclusion == "success", log(desk, checked)
    [status] = repo.get_branch("feature").commit.get_combined_status().statuses
    assert (status.context, status.state) == ("stratbot/sandbox", "success")
    assert not repo.get_branch(BRANCH).commit.get_combined_status().statuses
    [run] = runs_of(desk, "stratbot", 1)
    assert run.event == "workflow_dispatch"
    assert ends(desk, run) == {"filter": "success", "handle": "success"}, log(desk, run)


def test_a_wrong_number_wakes_nobody(desk: Desk) -> None:
    flow = desk.repo().get_workflow("stratbot.yml")
    assert flow.create_dispatch("main", {"issue": "1; touch /tmp/x"})
    [run] = runs_of(desk, "stratbot", 1)
    assert ends(desk, run) == {"filter": "failure", "handle": "skipped"}


def by_the_clock(desk: Desk) -> None:
    made = desk.api("POST", f"/_twin/schedules/{desk.full_name}", "root")
    assert made.status_code < 300, made.text


def swept(desk: Desk, count: int) -> str:
    """Of the newest of so many sweeps: whether it left its own schedule on."""
    run = runs_of(desk, "sweep", count)[-1]
    assert (run.event, run.conclusion) == ("schedule", "success"), log(desk, run)
    return str(desk.repo().get_workflow("sweep.yml").state)


def test_the_sweep_costs_nothing_while_nothing_is_open(desk: Desk) -> None:
    by_the_clock(desk)
    assert swept(desk, 1) == "disabled_manually"
    by_the_clock(desk)
    assert len(runs_of(desk, "sweep", 1)) == 1, "what is off is not started, and not billed"
    desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    runs_of(desk, "stratbot", 1)
    assert desk.repo().get_workflow("sweep.yml").state == "active"
    by_the_clock(desk)
    assert swept(desk, 2) == "active", "a request is open"


def test_the_sweep_is_on_though_the_bot_cannot_start(desk: Desk) -> None:
    """It was promised to whoever typed a command that it looks again."""
    by_the_clock(desk)
    assert swept(desk, 1) == "disabled_manually"
    desk.repo().create_variable("STRATBOT_POLICY", "no policy at all")
    desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    [run] = runs_of(desk, "stratbot", 1)
    assert ends(desk, run)["handle"] == "failure"
    assert desk.repo().get_workflow("sweep.yml").state == "active"


def test_a_request_that_was_never_heard_of_is_found_after_the_next_event(desk: Desk) -> None:
    by_the_clock(desk)
    assert swept(desk, 1) == "disabled_manually"
    desk.repo().get_workflow("stratbot.yml").disable()  # so its event is lost
    lost = desk.repo("stranger").create_issue("RSI dips", body=REQUEST)
    desk.repo().get_workflow("stratbot.yml").enable()
    desk.repo("stranger").create_issue("Another one", body=REQUEST)
    runs_of(desk, "stratbot", 1)
    assert not said(lost)
    by_the_clock(desk)
    assert swept(desk, 2) == "active" and said(lost)


def test_ci_is_skipped_where_its_variable_is_not_set(desk: Desk) -> None:
    [run] = runs_of(desk, "ci", 1)
    assert run.conclusion == "skipped"
