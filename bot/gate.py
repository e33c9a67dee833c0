"""May this commit trade live? Pure: facts in, `Open` or `Shut` with the first reason out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.engine import Engine, differing
from bot.why import Shut, Why
from schemas.live import Approval, Deployment, Gate, Stage
from schemas.report import Artifact
from schemas.workflow import Phase, Policy, Workflow

ENVIRONMENT = "live"
FILE = ".github/workflows/deploy.yml"
LONGEST_WAIT = 30 * 86_400
VALID = 30 * 86_400
"""Seconds for which an approval is good. The machine that trades takes no longer one."""
NEEDED = ("strategy.py", "contract.json")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a workflow as GitHub tells it."""

    id: int
    attempt: int
    event: str
    path: str
    branch: str
    title: str
    actor: int
    """The account that the run belongs to; 0: GitHub does not say."""
    triggering_actor: int
    """The account that started this attempt; 0: GitHub does not say."""


@dataclass(frozen=True, slots=True)
class Review:
    """One recorded answer to a run that waited. GitHub tells no time, no attempt and no job."""

    login: str
    user_id: int
    person: bool
    state: str
    environments: frozenset[str]


@dataclass(frozen=True, slots=True)
class Code:
    """The commit that is to trade, and how the default branch stands to it."""

    merged: bool
    first_parent: bool
    """The default branch itself was once at the commit. Nobody reviews the commits inside a pull
    request one by one, so what stands only there was never agreed to."""
    same_now: bool
    """The strategy's files on the default branch are still those of the commit."""
    checkout: str
    files: tuple[Artifact, ...]
    tags: Mapping[str, str]
    engine: Engine
    """Empty: it cannot be read."""
    engine_now: Engine
    """Of the default branch."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A deployment that the state calls approved, with GitHub's own record of the run that signed.

    Anybody who can push can write the state. Nobody can write the record of a run."""

    number: int
    sha: str
    engine: Engine
    run: Run | None
    signed: bool
    """The job that signs succeeded: the gate was open."""
    reviews: tuple[Review, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    now: int
    workflow: Workflow
    deployment: int
    sha: str
    policy: Policy
    """As the repository has it now."""
    run_id: int
    run: Run | None
    bot_id: int
    """The account of the bot. Only its dispatch follows from a `/deploy` that was checked."""
    reviewers: int | None
    """How many the environment asks for; None: there is no such environment."""
    live_from: frozenset[str]
    """The refs whose runs may reach the environment."""
    reviews: tuple[Review, ...]
    writers: frozenset[int]
    """Of all who approved: who may write, read at this moment."""
    code: Code
    earlier: tuple[Earlier, ...] = ()
    """Newest first."""

    @property
    def newest(self) -> Deployment:
        return self.workflow.deployments[-1]

    @property
    def solo(self) -> bool:
        """The stricter of then and now."""
        return self.policy.solo and self.workflow.policy.solo

    @property
    def gate(self) -> Gate:
        """Comments are enough only where both then and now say so, and nobody is to review."""
        both = {self.policy.gate, self.workflow.policy.gate} == {Gate.COMMENT}
        return Gate.COMMENT if both and not self.reviewers else Gate.ENVIRONMENT


@dataclass(frozen=True, slots=True)
class Open:
    approval: Approval
    approver_ids: tuple[int, ...]
    tag: str


def may_wait(facts: Facts) -> Shut | None:
    """Asked before anybody is bothered, and again after the wait."""
    return _first(facts, _request, _run, _code, _environment)


def judge(facts: Facts) -> Open | Shut:
    """Asked after the wait, by the job that signs."""
    by_review = facts.gate is Gate.ENVIRONMENT
    shut = may_wait(facts) or _first(facts, _reviewed if by_review else _confirmed, _files)
    return shut or _opened(facts)


def tag_of(facts: Facts) -> str:
    return f"live/{facts.newest.strategy}/{facts.deployment}"


def _first(facts: Facts, *questions: Callable[[Facts], Shut | None]) -> Shut | None:
    return next((shut for ask in questions if (shut := ask(facts))), None)


def _request(facts: Facts) -> Shut | None:
    workflow = facts.workflow
    if workflow.request is None or workflow.contract is None:
        return Shut(Why.NO_REQUEST)
    if not 1 <= facts.deployment <= len(workflow.deployments):
        return Shut(Why.NO_DEPLOYMENT, str(facts.deployment))
    if facts.deployment != len(workflow.deployments):
        return Shut(Why.SUPERSEDED, f"{len(workflow.deployments)} is the newest")
    if workflow.phase is Phase.CANCELLED:
        return Shut(Why.CANCELLED)
    if workflow.held:
        return Shut(Why.HELD)
    newest = facts.newest
    if newest.stage is Stage.PAPER or not newest.paper_bars:
        return Shut(Why.NO_PAPER_RUN)
    if workflow.phase is not Phase.WAITING or newest.stage is not Stage.WAITING:
        return Shut(Why.ANSWERED, str(newest.stage))
    if facts.sha != newest.commit_sha:
        return Shut(Why.OTHER_COMMIT, f"{facts.sha[:12]}, not {newest.commit_sha[:12]}")
    if newest.commit_sha == workflow.delivered_sha and not _passed(workflow):
        return Shut(Why.UNTESTED)
    return _in_time(facts)


def _passed(workflow: Workflow) -> bool:
    delivery = workflow.delivery
    return delivery.passed_sha is not None and delivery.head == delivery.passed_sha


def _in_time(facts: Facts) -> Shut | None:
    waited = facts.now - facts.newest.since
    if waited < 0:
        return Shut(Why.CLOCK_BACK, f"by {-waited} seconds")
    return Shut(Why.WAITED_TOO_LONG) if waited > LONGEST_WAIT else None


def _run(facts: Facts) -> Shut | None:
    if facts.run is None or facts.run.id != facts.run_id:
        return Shut(Why.OTHER_RUN)
    return _deploy_run(facts, facts.run)


def _deploy_run(facts: Facts, run: Run) -> Shut | None:
    """Holds for the run that asks now, and for each that is to prove an earlier approval."""
    if run.path.partition("@")[0] != FILE:
        return Shut(Why.OTHER_WORKFLOW, run.path)
    if run.event != "workflow_dispatch":
        return Shut(Why.NOT_DISPATCHED, run.event)
    if run.branch != facts.policy.default_branch:
        return Shut(Why.OTHER_BRANCH, run.branch)
    if run.attempt != 1:
        return Shut(Why.RUN_AGAIN, f"attempt {run.attempt}")
    return _starter(facts, run)


def _starter(facts: Facts, run: Run) -> Shut | None:
    other = next((who for who in (run.actor, run.triggering_actor) if who != facts.bot_id), None)
    if other is None:
        return None
    return Shut(Why.NOT_THE_BOT, f"account {other}, not {facts.bot_id}" if other else "unknown")


def _code(facts: Facts) -> Shut | None:
    """A commit that was live before may be behind: going back is what it is there for."""
    code, before = facts.code, approved(facts)
    if not code.merged:
        return Shut(Why.NOT_MERGED, facts.sha[:12])
    if not code.first_parent:
        return Shut(Why.NOT_FIRST_PARENT, facts.sha[:12])
    if not code.same_now and facts.sha not in {e.sha for e in before}:
        return Shut(Why.CHANGED_SINCE)
    known = (code.engine_now, *(e.engine for e in before))
    if not code.engine or code.engine not in known:
        differs = differing(code.engine, code.engine_now)
        return Shut(Why.OTHER_ENGINE, ", ".join(differs) or "it cannot be read")
    taken = facts.code.tags.get(tag_of(facts), facts.sha)
    return Shut(Why.TAG_TAKEN, tag_of(facts)) if taken != facts.sha else None


def approved(facts: Facts) -> tuple[Earlier, ...]:
    """Only those whose approval GitHub itself has on record."""
    return tuple(e for e in facts.earlier if _on_record(facts, e))


def _on_record(facts: Facts, earlier: Earlier) -> bool:
    run = earlier.run
    if run is None or not earlier.signed or _deploy_run(facts, run):
        return False
    if run.title != f"{facts.workflow.id} gate-{earlier.number} {earlier.sha}":
        return False
    here = [r for r in earlier.reviews if ENVIRONMENT in r.environments]
    reviewed = bool(here) and all(r.person and r.state == "approved" for r in here)
    return reviewed or facts.gate is Gate.COMMENT


def _environment(facts: Facts) -> Shut | None:
    if facts.gate is Gate.COMMENT:
        return None
    if facts.reviewers is None:
        return Shut(Why.NO_ENVIRONMENT)
    if not facts.reviewers:
        return Shut(Why.NO_REVIEWERS)
    if facts.live_from != {f"refs/heads/{facts.policy.default_branch}"}:
        return Shut(Why.ANY_BRANCH, ", ".join(sorted(facts.live_from)))
    return None


def _files(facts: Facts) -> Shut | None:
    if facts.code.checkout != facts.sha:
        return Shut(Why.OTHER_CHECKOUT, facts.code.checkout[:12])
    home = f"strategies/{facts.newest.strategy}"
    there = {file.path for file in facts.code.files}
    missing = [name for name in NEEDED if f"{home}/{name}" not in there]
    return Shut(Why.MISSING_FILE, missing[0]) if missing else None


def _reviewed(facts: Facts) -> Shut | None:
    if not facts.reviews:
        return Shut(Why.NOT_REVIEWED)
    here = [r for r in facts.reviews if ENVIRONMENT in r.environments]
    if not here:
        return Shut(Why.OTHER_ENVIRONMENT)
    no = next((r for r in here if r.state != "approved"), None)
    if no:
        return Shut(Why.REJECTED if no.state == "rejected" else Why.NOT_REVIEWED, no.login)
    return next((shut for r in here if (shut := _reviewer(facts, r))), None)


def _reviewer(facts: Facts, review: Review) -> Shut | None:
    newest = facts.newest
    if not review.person:
        return Shut(Why.NOT_A_PERSON, review.login)
    own = review.user_id == newest.requester_id or review.login == newest.requested_by
    if review.user_id == facts.bot_id:
        return Shut(Why.NOT_A_PERSON, review.login)
    if own and not facts.solo:
        return Shut(Why.SELF_REVIEW, review.login)
    return None if review.user_id in facts.writers else Shut(Why.NO_PERMISSION, review.login)


def _confirmed(facts: Facts) -> Shut | None:
    newest = facts.newest
    if len(newest.approver_ids) < 2:
        return Shut(Why.NOT_CONFIRMED)
    if len(set(newest.approver_ids)) < 2 and not facts.solo:
        return Shut(Why.ONE_PERSON, newest.approvers[0])
    people = zip(newest.approvers, newest.approver_ids, strict=True)
    lost = next((login for login, ident in people if ident not in facts.writers), None)
    return Shut(Why.NO_PERMISSION, lost) if lost else None


def _opened(facts: Facts) -> Open:
    newest, by_review = facts.newest, facts.gate is Gate.ENVIRONMENT
    people = {r.user_id: r.login for r in facts.reviews if ENVIRONMENT in r.environments}
    if not by_review:
        people = dict(zip(newest.approver_ids, newest.approvers, strict=True))
    approval = Approval(
        strategy=newest.strategy,
        workflow_id=newest.workflow_id,
        correlation_id=newest.correlation_id,
        commit_sha=facts.sha,
        files=facts.code.files,
        gate=facts.gate,
        approvers=tuple(people.values())[:6],
        run_id=facts.run_id,
        granted_at=facts.now,
        expires_at=facts.now + VALID,
    )
    return Open(approval, tuple(people)[:6], tag_of(facts))
