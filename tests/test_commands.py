"""Written once for all commands, present and future: the registry is the list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import registry, text
from bot.commands import COMMANDS
from bot.decide import decide
from bot.events import CommentPosted
from bot.registry import Command
from schemas import codec
from schemas.acts import OpenGate, React, Reply
from schemas.base import TaskId
from schemas.live import Deployment, Gate, Stage
from schemas.work import Request
from schemas.workflow import Phase, Policy, Role, Step, Task, Workflow
from tests import samples
from tests.fakes import user_id

EACH = pytest.mark.parametrize("cmd", COMMANDS.values(), ids=lambda c: c.name)
NAMES = (
    "help status plan approve revise answer retry debug cancel hold resume skip backtest cost "
    "deploy approve-live halt rollback"
)


def workflow_in(phase: Phase) -> Workflow:
    """A request that has everything a command may look at."""
    deployment = Deployment(
        strategy="rsi",
        workflow_id="wf_7",
        correlation_id="corr_7",
        commit_sha=samples.SHA,
        stage=Stage.WAITING,
        requested_by="octocat",
        since=0,
        tag="live/rsi/1",
    )
    todo = samples.branch_todo()
    live = replace(deployment, stage=Stage.LIVE, commit_sha="e" * 40, todo=todo)
    failing = Task(id=TaskId.TESTS, step=Step.REPAIRING, head=samples.SHA)
    return Workflow(
        issue=7,
        request=Request(title="t", body="b", author="monalisa"),
        author_id=user_id("monalisa"),
        phase=phase,
        stopped_in=Phase.BUILDING,
        contract=samples.contract(),
        contract_digest=codec.digest(samples.contract()),
        todo=samples.todo(),
        tasks=(failing,),
        draft=samples.draft(TaskId.EXIT),
        delivered_sha=samples.SHA,
        policy=Policy(gate=Gate.COMMENT),
        deployments=(live, deployment),
    )


def comment(body: str, login: str = "octocat", edited: bool = False) -> CommentPosted:
    return CommentPosted(7, 7, 55, login, user_id(login), body, 2_000_000, edited)


def replies(workflow: Workflow) -> list[str]:
    return [a.body for a in workflow.outbox if isinstance(a, Reply)]


def reactions(workflow: Workflow) -> list[str]:
    return [a.content for a in workflow.outbox if isinstance(a, React)]


def test_all_the_promised_commands_are_there() -> None:
    assert list(COMMANDS) == NAMES.split()


@EACH
def test_its_example_parses_to_itself(cmd: Command) -> None:
    parsed = registry.parse(cmd.example)
    assert parsed and parsed[0] == cmd.name


@EACH
def test_it_has_one_line_of_help(cmd: Command) -> None:
    assert cmd.help.endswith(".")
    assert cmd.example in replies(decide(workflow_in(Phase.OPENED), comment("/help"), Role.READ))[0]


@EACH
def test_its_example_is_answered_in_every_phase_it_claims(cmd: Command) -> None:
    example = cmd.example.replace("--force", "")
    for phase in cmd.when:
        before = replace(workflow_in(phase), held=cmd.name == "resume")
        after = decide(before, comment(example), Role.WRITE)
        assert "comment/55" in after.seen
        if cmd.name == "backtest":
            assert after.asked and not replies(after)  # it answers with the figures
        elif cmd.name == "revise":
            assert after.revising and not replies(after)  # it answers with what it changed
        else:
            assert len(replies(after)) == 1
        assert "confused" not in reactions(after), (phase, replies(after))


@EACH
def test_outside_its_phases_it_only_refuses(cmd: Command) -> None:
    for phase in set(Phase) - cmd.when:
        only_refused(workflow_in(phase), cmd, Role.WRITE, text.Reason.WRONG_PHASE)


@EACH
def test_without_permission_it_only_refuses(cmd: Command) -> None:
    weaker = {Role.READ: [], Role.AUTHOR: [Role.READ], Role.WRITE: [Role.READ, Role.AUTHOR]}
    for role in weaker[cmd.who]:
        for phase in cmd.when:
            only_refused(workflow_in(phase), cmd, role, text.Reason.NO_PERMISSION)


def only_refused(before: Workflow, cmd: Command, role: Role, reason: text.Reason) -> None:
    after = decide(before, comment(cmd.example), role)
    assert replies(after)[0].endswith(f"reason: `{reason}`</sub>")
    assert reactions(after) == ["confused"]
    changed = replace(after, seen=(), outbox=(), last=None)
    assert changed == before


@EACH
def test_an_edited_comment_is_refused(cmd: Command) -> None:
    for phase in cmd.when:
        after = decide(workflow_in(phase), comment(cmd.example, edited=True), Role.WRITE)
        assert "`edited`" in replies(after)[0]


def test_the_author_may_do_what_is_the_authors() -> None:
    after = decide(workflow_in(Phase.PLANNED), comment("/hold", "monalisa"), Role.READ)
    assert after.held
    after = decide(workflow_in(Phase.PLANNED), comment("/approve", "monalisa"), Role.READ)
    assert after.phase is Phase.PLANNED


@pytest.mark.parametrize(
    "body",
    ["", "approve", "> /approve", "please /approve", "`/approve`", "\n/approve", "    /approve",
     "```\n/approve\n```", "/approve/this", "/usr/bin/approve", "/", "//approve",
     "/approve.md", "\t/approve", "/2", "/_approve", "\u200b/approve", "<!-- -->/approve"],
)  # fmt: skip
def test_what_is_not_a_command_does_nothing(body: str) -> None:
    assert registry.parse(body) is None
    before = workflow_in(Phase.PLANNED)
    assert decide(before, comment(body), Role.WRITE) == before


@pytest.mark.parametrize(
    "body", ["/approve.", "/approve!", "/approve...", " /approve", "   /approve.\n", "/APPROVE!"]
)
def test_what_slips_in_while_typing_is_forgiven(body: str) -> None:
    assert registry.parse(body) == ("approve", (), "")
    after = decide(workflow_in(Phase.PLANNED), comment(body), Role.WRITE)
    assert after.phase is Phase.BUILDING and "rocket" in reactions(after)


def test_a_sentence_after_a_command_keeps_its_end() -> None:
    assert registry.parse("/revise use a 2 % stop.") == (
        "revise", ("use", "a", "2", "%", "stop."), "use a 2 % stop.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("/approve_live " + samples.SHA, "/approve-live"), ("/retry2", "/retry"),
     ("/cost10", "/cost"), ("/aprove", "/approve"), ("/stauts", "/status"), ("/cancle", "/cancel"),
     ("/approve-life", "/approve-live"), ("/roll-back", "/rollback"), ("/retri", "/retry")],
)  # fmt: skip
def test_a_typo_gets_a_suggestion(typed: str, meant: str) -> None:
    after = decide(workflow_in(Phase.PLANNED), comment(typed), Role.WRITE)
    assert f"Did you mean `{meant}`?" in replies(after)[0]
    assert "unknown_command" in replies(after)[0]


@pytest.mark.parametrize(
    "body",
    ["/cancel --now", "/cancel --force --force", "/cost x", "/cost -1", "/cost 1e9", "/cost NaN",
     "/revise", "/rollback", "/rollback all", "/rollback flatten hold",
     "/approve-live", "/approve-live " + samples.SHA[:39], "/approve-live " + "f" * 40],
)  # fmt: skip
def test_wrong_arguments_are_refused_with_an_example(body: str) -> None:
    name = body.split()[0][1:]
    for phase in COMMANDS[name].when:
        after = decide(workflow_in(phase), comment(body), Role.WRITE)
        assert reactions(after) == ["confused"]
        assert "`/" in replies(after)[0] or samples.SHA in replies(after)[0]


def test_one_person_cannot_be_both_looks() -> None:
    live = "/approve-live " + samples.SHA
    once = decide(workflow_in(Phase.WAITING), comment(live), Role.WRITE)
    assert once.phase is Phase.WAITING
    again = decide(replace(once, seen=(), outbox=()), comment(live), Role.WRITE)
    assert again.phase is Phase.WAITING and "self_review" in replies(again)[0]
    other = decide(replace(once, seen=(), outbox=()), comment(live, "hubot-owner"), Role.WRITE)
    assert other.phase is Phase.WAITING, "a run signs it first"
    assert [a.key for a in other.outbox if isinstance(a, OpenGate)] == [f"gate/2/{samples.SHA}"]


def test_one_person_with_two_names_is_one_person() -> None:
    live = "/approve-live " + samples.SHA
    once = decide(workflow_in(Phase.WAITING), comment(live), Role.WRITE)
    renamed = replace(comment(live), login="octocat-2", comment_id=56)
    again = decide(replace(once, outbox=()), renamed, Role.WRITE)
    assert again.phase is Phase.WAITING and "self_review" in replies(again)[0]


def test_a_first_approval_does_not_outlive_a_cancel() -> None:
    once = decide(workflow_in(Phase.WAITING), comment("/approve-live " + samples.SHA), Role.WRITE)
    assert once.deployments[-1].approvers == ("octocat",)
    stopped = decide(once, replace(comment("/cancel"), comment_id=56), Role.WRITE)
    newest = stopped.deployments[-1]
    assert (newest.approvers, newest.approver_ids) == ((), ())


@EACH
def test_while_held_nothing_is_promised(cmd: Command) -> None:
    if cmd.while_held:
        return
    for phase in cmd.when:
        held = replace(workflow_in(phase), held=True)
        only_refused(held, cmd, Role.WRITE, text.Reason.HELD)


@EACH
def test_words_that_it_would_not_heed_are_refused(cmd: Command) -> None:
    if cmd.takes.fullmatch("one two\nthree"):
        return
    for phase in cmd.when:
        for more in (" but change the stop", "\nbut change the stop"):
            after = decide(workflow_in(phase), comment(f"/{cmd.name} x{more}"), Role.WRITE)
            assert "bad_argument" in replies(after)[0] and cmd.example in replies(after)[0]


def test_what_starts_something_is_not_for_a_hold() -> None:
    assert {c.name for c in COMMANDS.values() if not c.while_held} == {
        "approve", "revise", "answer", "debug", "skip", "backtest", "deploy", "approve-live",
    }  # fmt: skip


def test_solo_is_a_declared_setting() -> None:
    before = workflow_in(Phase.WAITING)
    solo = replace(before, policy=replace(before.policy, solo=True))
    live = "/approve-live " + samples.SHA
    once = decide(solo, comment(live), Role.WRITE)
    again = decide(replace(once, seen=(), outbox=()), comment(live), Role.WRITE)
    assert [a.key for a in again.outbox if isinstance(a, OpenGate)] == [f"gate/2/{samples.SHA}"]


def test_every_reason_is_short_and_says_what_next() -> None:
    for cmd in COMMANDS.values():
        for phase in Phase:
            after = decide(workflow_in(phase), comment(cmd.example), Role.READ)
            for body in replies(after):
                assert len(body) < 3000
                assert any(hint in body for hint in ("`/", "Ask an owner", "Review and merge"))
