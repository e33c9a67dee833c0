"""Every way in which the gate stays shut, with its reason; and the few in which it opens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.gate import Facts, Open, judge, may_wait
from bot.text.gate import SAYS, shut, what_runs
from bot.why import Shut, Why
from schemas import codec
from schemas.live import Approval, Gate, Stage
from schemas.workflow import Delivery, Phase, Policy, Workflow
from tests import samples
from tests.live_gate.facts import (
    ASKER,
    BOT,
    CHANGED,
    ENGINE,
    FILES,
    HEAD,
    HUBOT,
    MONA,
    NAME,
    NOW,
    OLD,
    RUN,
    SHA,
    back_to,
    by_comments,
    deploy_run,
    deployment,
    earlier,
    facts,
    review,
    with_code,
    with_deployment,
    with_run,
    workflow,
)

TWO = (("octocat", ASKER), ("hubot", HUBOT))
LIVE_BEFORE = (
    deployment(commit_sha=SHA, stage=Stage.REPLACED, approval=samples.approval()),
    deployment(commit_sha=OLD, stage=Stage.ROLLED_BACK, approval=samples.approval(7, OLD)),
    deployment(),
)
BEFORE: dict[str, tuple[Facts, Why]] = {
    "no such request": (facts(workflow=Workflow(issue=7)), Why.NO_REQUEST),
    "a request without a contract": (facts(workflow=workflow(contract=None)), Why.NO_REQUEST),
    "no deployment": (facts(workflow=workflow(deployments=())), Why.NO_DEPLOYMENT),
    "a deployment that is not there": (facts(deployment=2), Why.NO_DEPLOYMENT),
    "deployment zero": (facts(deployment=0), Why.NO_DEPLOYMENT),
    "a newer deployment": (
        facts(workflow=workflow(deployments=(deployment(), deployment()))),
        Why.SUPERSEDED,
    ),
    "a cancelled request": (facts(workflow=workflow(phase=Phase.CANCELLED)), Why.CANCELLED),
    "a request on hold": (facts(workflow=workflow(held=True)), Why.HELD),
    "the paper run is under way": (with_deployment(stage=Stage.PAPER), Why.NO_PAPER_RUN),
    "the paper run was never done": (with_deployment(paper_bars=0), Why.NO_PAPER_RUN),
    "live already": (with_deployment(stage=Stage.LIVE), Why.ANSWERED),
    "taken back": (with_deployment(stage=Stage.ROLLED_BACK), Why.ANSWERED),
    "halted": (with_deployment(stage=Stage.HALTED), Why.ANSWERED),
    "refused before": (with_deployment(stage=Stage.FAILED), Why.ANSWERED),
    "the request is elsewhere": (facts(workflow=workflow(phase=Phase.DELIVERED)), Why.ANSWERED),
    "another commit": (facts(sha=OLD), Why.OTHER_COMMIT),
    "the start of a commit": (facts(sha=SHA[:12]), Why.OTHER_COMMIT),
    "merged untested": (
        facts(workflow=workflow(delivery=Delivery(head=HEAD, passed_sha=OLD))),
        Why.UNTESTED,
    ),
    "never tested": (facts(workflow=workflow(delivery=Delivery())), Why.UNTESTED),
    "the clock moved back": (facts(now=NOW - 7200), Why.CLOCK_BACK),
    "it waited for 31 days": (facts(now=NOW + 31 * 86_400), Why.WAITED_TOO_LONG),
    "no such run": (facts(run=None), Why.OTHER_RUN),
    "another run": (with_run(id=RUN + 1), Why.OTHER_RUN),
    "a run of another file": (with_run(path=".github/workflows/mine.yml"), Why.OTHER_WORKFLOW),
    "a run that a push started": (with_run(event="push"), Why.NOT_DISPATCHED),
    "a dispatch from another branch": (with_run(branch="feature"), Why.OTHER_BRANCH),
    "the run was run again": (with_run(attempt=2), Why.RUN_AGAIN),
    "a run that a person started": (with_run(actor=MONA, triggering_actor=MONA), Why.NOT_THE_BOT),
    "a run that a person took over": (with_run(triggering_actor=MONA), Why.NOT_THE_BOT),
    "a run of a person, started by the bot": (with_run(actor=MONA), Why.NOT_THE_BOT),
    "a run of nobody": (with_run(actor=0), Why.NOT_THE_BOT),
    "a run that nobody started": (with_run(triggering_actor=0), Why.NOT_THE_BOT),
    "a run of another bot than the configured one": (facts(bot_id=BOT + 1), Why.NOT_THE_BOT),
    "the commit is not in the branch": (with_code(merged=False), Why.NOT_MERGED),
    "a commit inside a merged pull request": (
        with_code(first_parent=False),
        Why.NOT_FIRST_PARENT,
    ),
    "approved before, and no first parent any more": (
        back_to(earlier(), first_parent=False),
        Why.NOT_FIRST_PARENT,
    ),
    "another engine": (with_code(engine=CHANGED), Why.OTHER_ENGINE),
    "a part more": (with_code(engine={**ENGINE, "pandas.py": "4" * 40}), Why.OTHER_ENGINE),
    "a part less": (with_code(engine={"bot": ENGINE["bot"]}), Why.OTHER_ENGINE),
    "no engine can be read": (with_code(engine={}), Why.OTHER_ENGINE),
    "no engine can be read on either side": (
        with_code(engine={}, engine_now={}),
        Why.OTHER_ENGINE,
    ),
    "the engine approved before is a third one": (
        back_to(earlier(engine={"bot": "5" * 40})),
        Why.OTHER_ENGINE,
    ),
    "approved, but GitHub has no such run": (back_to(earlier(run=None)), Why.OTHER_ENGINE),
    "approved, but nothing was signed": (back_to(earlier(signed=False)), Why.OTHER_ENGINE),
    "approved, but nobody reviewed": (back_to(earlier(reviews=())), Why.OTHER_ENGINE),
    "approved for another environment": (
        back_to(earlier(reviews=(review(environments=frozenset({"paper"})),))),
        Why.OTHER_ENGINE,
    ),
    "approved, and rejected as well": (
        back_to(earlier(reviews=(review(), review("mona", MONA, state="rejected")))),
        Why.OTHER_ENGINE,
    ),
    "approved by a bot": (back_to(earlier(reviews=(review(person=False),))), Why.OTHER_ENGINE),
    "approved in a run of another commit": (
        back_to(earlier(run=deploy_run(1, OLD))),
        Why.OTHER_ENGINE,
    ),
    "approved in a run of another deployment": (
        back_to(earlier(run=deploy_run(9))),
        Why.OTHER_ENGINE,
    ),
    "approved in a run of another request": (
        back_to(earlier(run=deploy_run(title=f"wf_8 gate-1 {SHA}"))),
        Why.OTHER_ENGINE,
    ),
    "approved in a run that a person started": (
        back_to(earlier(run=deploy_run(actor=MONA, triggering_actor=MONA))),
        Why.OTHER_ENGINE,
    ),
    "approved in a run of another file": (
        back_to(earlier(run=deploy_run(path=".github/workflows/mine.yml"))),
        Why.OTHER_ENGINE,
    ),
    "the state alone says that it was live before": (
        facts(
            workflow=workflow(deployments=LIVE_BEFORE),
            deployment=3,
            code=replace(facts().code, same_now=False),
        ),
        Why.CHANGED_SINCE,
    ),
    "pushed after it": (with_code(same_now=False), Why.CHANGED_SINCE),
    "its tag is elsewhere": (with_code(tags={f"live/{NAME}/1": OLD}), Why.TAG_TAKEN),
    "no environment": (facts(reviewers=None), Why.NO_ENVIRONMENT),
    "no reviewers": (facts(reviewers=0), Why.NO_REVIEWERS),
    "any branch may ask for live": (
        facts(live_from=frozenset({"every branch and tag"})),
        Why.ANY_BRANCH,
    ),
    "a tag of the branch's name may ask for live": (
        facts(live_from=frozenset({"refs/heads/main", "refs/tags/main"})),
        Why.ANY_BRANCH,
    ),
    "no branch may ask for live": (facts(live_from=frozenset()), Why.ANY_BRANCH),
    "comments, but the repository wants a review now": (
        by_comments(*TWO, now=Policy()),
        Why.NO_ENVIRONMENT,
    ),
    "comments, but the request wanted a review": (
        facts(reviewers=0, policy=Policy(gate=Gate.COMMENT)),
        Why.NO_REVIEWERS,
    ),
}
"""Refused before anybody is asked, and again after the wait."""

AFTER: dict[str, tuple[Facts, Why]] = {
    "nobody reviewed": (facts(reviews=()), Why.NOT_REVIEWED),
    "a review that is pending": (facts(reviews=(review(state="pending"),)), Why.NOT_REVIEWED),
    "rejected": (facts(reviews=(review(state="rejected"),)), Why.REJECTED),
    "approved and rejected": (
        facts(reviews=(review(), review("mona", MONA, state="rejected"))),
        Why.REJECTED,
    ),
    "only another environment": (
        facts(reviews=(review(environments=frozenset({"paper"})),)),
        Why.OTHER_ENVIRONMENT,
    ),
    "reviewed by a bot": (facts(reviews=(review(person=False),)), Why.NOT_A_PERSON),
    "reviewed by the account that starts the runs": (
        facts(reviews=(review("machine", BOT),), writers=frozenset({BOT})),
        Why.NOT_A_PERSON,
    ),
    "self review": (facts(reviews=(review("octocat", ASKER),)), Why.SELF_REVIEW),
    "self review under a new name": (facts(reviews=(review("other", ASKER),)), Why.SELF_REVIEW),
    "solo only since today": (
        facts(reviews=(review("octocat", ASKER),), policy=Policy(solo=True)),
        Why.SELF_REVIEW,
    ),
    "solo no longer": (
        facts(reviews=(review("octocat", ASKER),), workflow=workflow(policy=Policy(solo=True))),
        Why.SELF_REVIEW,
    ),
    "a reviewer who may not write": (facts(reviews=(review("mona", MONA),)), Why.NO_PERMISSION),
    "one of two reviewers may not write": (
        facts(reviews=(review(), review("mona", MONA))),
        Why.NO_PERMISSION,
    ),
    "comments where people must review": (
        by_comments(*TWO, reviewers=1),
        Why.NOT_REVIEWED,
    ),
    "no comment": (by_comments(), Why.NOT_CONFIRMED),
    "one comment": (by_comments(TWO[0]), Why.NOT_CONFIRMED),
    "one comment, working alone": (by_comments(TWO[0], solo=True), Why.NOT_CONFIRMED),
    "one person twice": (by_comments(TWO[0], TWO[0]), Why.ONE_PERSON),
    "one person under two names": (by_comments(TWO[0], ("octo2", ASKER)), Why.ONE_PERSON),
    "confirmed without permission": (
        by_comments(TWO[0], ("mona", MONA)),
        Why.NO_PERMISSION,
    ),
    "approved by one who lost permission": (
        by_comments(*TWO, writers=frozenset({HUBOT})),
        Why.NO_PERMISSION,
    ),
    "another checkout": (with_code(checkout=OLD), Why.OTHER_CHECKOUT),
    "no checkout": (with_code(checkout=""), Why.OTHER_CHECKOUT),
    "no strategy in it": (with_code(files=FILES[:1]), Why.MISSING_FILE),
    "nothing in it": (with_code(files=()), Why.MISSING_FILE),
}
"""What only the wait can show."""

OPENS: dict[str, tuple[Facts, Gate, tuple[str, ...]]] = {
    "reviewed by somebody else": (facts(), Gate.ENVIRONMENT, ("hubot",)),
    "reviewed by two": (
        facts(reviews=(review(), review("mona", MONA)), writers=frozenset({HUBOT, MONA})),
        Gate.ENVIRONMENT,
        ("hubot", "mona"),
    ),
    "working alone, and it was said so": (
        facts(
            reviews=(review("octocat", ASKER),),
            policy=Policy(solo=True),
            workflow=workflow(policy=Policy(solo=True)),
        ),
        Gate.ENVIRONMENT,
        ("octocat",),
    ),
    "approved and confirmed by comments": (by_comments(*TWO), Gate.COMMENT, ("octocat", "hubot")),
    "by comments, working alone": (
        by_comments(TWO[0], TWO[0], solo=True),
        Gate.COMMENT,
        ("octocat",),
    ),
    "comments are allowed, and it was reviewed": (
        by_comments(reviewers=2, reviews=(review(),)),
        Gate.ENVIRONMENT,
        ("hubot",),
    ),
    "going back to what was live before": (
        facts(
            workflow=workflow(deployments=LIVE_BEFORE),
            deployment=3,
            code=replace(facts().code, same_now=False),
            earlier=(earlier(engine=ENGINE),),
        ),
        Gate.ENVIRONMENT,
        ("hubot",),
    ),
    "going back to an engine that was approved": (
        back_to(earlier()),
        Gate.ENVIRONMENT,
        ("hubot",),
    ),
    "a newer strategy on an engine that was approved": (
        back_to(earlier(sha=OLD)),
        Gate.ENVIRONMENT,
        ("hubot",),
    ),
    "going back, where the newest approval has another engine": (
        back_to(earlier(sha=OLD, engine=ENGINE), earlier()),
        Gate.ENVIRONMENT,
        ("hubot",),
    ),
    "going back, where comments are the gate": (
        by_comments(
            *TWO, earlier=(earlier(reviews=()),), code=replace(facts().code, engine=CHANGED)
        ),
        Gate.COMMENT,
        ("octocat", "hubot"),
    ),
}
ALL = {**BEFORE, **AFTER}


def test_the_table_has_every_reason() -> None:
    assert {why for _, why in ALL.values()} == set(Why) - {Why.NO_ANSWER}
    assert len(ALL) >= 25


@pytest.mark.parametrize("name", ALL)
def test_it_stays_shut(name: str) -> None:
    found = judge(ALL[name][0])
    assert isinstance(found, Shut), found
    assert found.why is ALL[name][1], found


@pytest.mark.parametrize("name", BEFORE)
def test_nobody_is_asked_in_vain(name: str) -> None:
    found = may_wait(BEFORE[name][0])
    assert found and found.why is BEFORE[name][1]


@pytest.mark.parametrize("name", [*AFTER, *OPENS])
def test_what_may_open_is_waited_for(name: str) -> None:
    assert may_wait((AFTER | OPENS)[name][0]) is None


@pytest.mark.parametrize("name", OPENS)
def test_it_opens(name: str) -> None:
    asked, gate, people = OPENS[name]
    found = judge(asked)
    assert isinstance(found, Open), found
    approval = codec.load(Approval, codec.dump(found.approval))
    assert (approval.gate, approval.approvers, approval.run_id) == (gate, people, RUN)
    assert (approval.commit_sha, approval.files) == (SHA, FILES)
    assert (approval.granted_at, approval.expires_at) == (NOW, NOW + 30 * 86_400)
    assert found.tag == f"live/{NAME}/{asked.deployment}"


def test_the_reviewer_sees_what_will_run_and_what_differs() -> None:
    first = what_runs(facts())
    assert SHA in first and "no record of an earlier approval" in first
    assert f"| `bot` | `{'2' * 12}` | same | **not there** |" in first
    again = what_runs(back_to(earlier(OLD, ENGINE)))
    assert f"/compare/{OLD}...{SHA}" in again and "differs in: adapters." in again
    row = f"| `adapters` | `{'3' * 12}` | **`{'1' * 12}`** | **`{'1' * 12}`** |"
    assert row in again and f"| `bot` | `{'2' * 12}` | same | same |" in again
    forged = what_runs(back_to(earlier(OLD, CHANGED, run=None)))
    assert "no record of an earlier approval" in forged and OLD not in forged


@pytest.mark.parametrize("why", Why)
def test_every_reason_says_what_to_do_next(why: Why) -> None:
    words = shut(Shut(why, "a <b> @c"))
    assert words.startswith(f"`{why}`: ") and "<b>" not in words and "@c" not in words
    assert len(SAYS[why][1]) > 20 and words.endswith(".")
