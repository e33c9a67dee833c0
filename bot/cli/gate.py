"""`stratbot gate`: what the deploy run asks before and after its wait, and tells the bot."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import click

from bot import gate, why
from bot.cli.front import Whole
from bot.cli.jobs import handled
from bot.cli.outside import hub, identity, need, number, policy, store, summarised
from bot.events import GateAnswered
from bot.io.github import gate as look
from bot.io.github.wire import Wire
from bot.live import machine
from bot.ports import Rejected
from bot.text.gate import shut, what_runs
from schemas import codec
from schemas.live import GateAnswer
from schemas.workflow import Policy, Workflow

ISSUE = click.option("--issue", required=True, type=click.IntRange(1), help="The request.")
NUMBER = click.option("--deployment", required=True, type=click.IntRange(1), help="Its number.")
SHA = click.option("--sha", required=True, help="The commit that is to trade.")
OUT = click.option("--out", required=True, type=click.Path(path_type=Path), help="For answer.json.")
SECONDS = 30
MOST_EARLIER = 20


@dataclass(frozen=True, slots=True)
class Here:
    """What the command line knows of its surroundings."""

    repo: str
    run_id: int
    policy: Policy
    bot_id: int
    wire: Wire
    read: Callable[[int], Workflow]
    tell: Callable[[GateAnswered], None]


@click.group("gate", cls=Whole)
def gates() -> None:
    """The live gate, for the deploy run. It opens nothing by itself."""


@gates.command("ask")
@ISSUE
@NUMBER
@SHA
@OUT
def ask(issue: int, deployment: int, sha: str, out: Path) -> None:
    """Before the wait: is there a gate at all, and is this what shall pass it?"""
    facts = gathered(_here(), issue, deployment, sha, None)
    summarised(what_runs(facts))
    found = gate.may_wait(facts)
    if found:
        _refuse(out, issue, deployment, sha, found)
    click.echo("The gate is there. The next job waits for its approval.")


@gates.command("judge")
@ISSUE
@NUMBER
@SHA
@OUT
@click.option("--tree", required=True, type=click.Path(path_type=Path), help="Its checkout.")
def judge(issue: int, deployment: int, sha: str, out: Path, tree: Path) -> None:
    """After the wait: writes the approval that is to be signed, or the reason why not."""
    facts = gathered(_here(), issue, deployment, sha, tree)
    summarised(what_runs(facts))
    found = gate.judge(facts)
    if isinstance(found, why.Shut):
        _refuse(out, issue, deployment, sha, found)
    answer = GateAnswer(
        issue=issue, deployment=deployment, commit_sha=sha, approval=found.approval,
        approver_ids=found.approver_ids, tag=found.tag,
    )  # fmt: skip
    _write(out / "answer.json", codec.dump(answer))
    _write(out / "approval.json", codec.dump(found.approval))
    click.echo(f"{found.tag}: approved by {', '.join(found.approval.approvers)}")


@gates.command("tell")
@ISSUE
@NUMBER
@SHA
@click.option("--answer", required=True, type=click.Path(path_type=Path))
@click.option("--lost", default="", help="Where there is no answer: how the jobs ended.")
def told(issue: int, deployment: int, sha: str, answer: Path, lost: str) -> None:
    """Bring the answer of the gate into the request."""
    if answer.exists():
        found = codec.load(GateAnswer, answer.read_bytes())
    else:
        judged = gate.judge(gathered(_here(), issue, deployment, sha, None))
        found = _shut(issue, deployment, sha, _silent(judged, lost))
    if (found.issue, found.deployment, found.commit_sha) != (issue, deployment, sha):
        raise Rejected(f"{answer}: the answer is about another deployment; look at the run")
    _here().tell(GateAnswered(found, int(time.time())))


def _here() -> Here:
    return Here(
        repo=need("GITHUB_REPOSITORY"),
        run_id=number("GITHUB_RUN_ID", need("GITHUB_RUN_ID")),
        policy=policy(),
        bot_id=identity().bot_id,
        wire=hub().site.wire,
        read=lambda issue: store().read(issue)[0],
        tell=handled,
    )


def gathered(
    here: Here, issue: int, deployment: int, sha: str, tree: Path | None
) -> gate.Facts:  # fmt: skip
    """Everything is read again at this moment: what was true before the wait proves nothing."""
    workflow, wire, repo = here.read(issue), here.wire, here.repo
    newest = workflow.deployments[-1] if workflow.deployments else None
    strategy = newest.strategy if newest else "none"
    code = look.code(wire, repo, here.policy.default_branch, sha, strategy)
    if tree is not None:
        code = replace(code, checkout=_head(tree), files=machine.files(tree, strategy))
    earlier = _earlier(here, workflow, code)
    reviews = look.reviews(wire, repo, here.run_id)
    people = {r.user_id: r.login for r in reviews}
    if newest:
        people |= dict(zip(newest.approver_ids, newest.approvers, strict=True))
    reviewers, live_from = look.environment(wire, repo)
    return gate.Facts(
        now=int(time.time()), workflow=workflow, deployment=deployment, sha=sha,
        policy=here.policy, run_id=here.run_id, run=look.run(wire, repo, here.run_id),
        bot_id=here.bot_id, reviewers=reviewers, live_from=live_from, reviews=reviews,
        writers=look.writers(wire, repo, people), code=code, earlier=earlier,
    )  # fmt: skip


def _earlier(here: Here, workflow: Workflow, code: gate.Code) -> tuple[gate.Earlier, ...]:
    """The state says where to look; GitHub says whether it is so. One is enough to compare with,
    unless an older one is what is gone back to."""
    rows = enumerate(workflow.deployments[:-1], start=1)
    found = [(n, d.commit_sha, d.approval.run_id) for n, d in rows if d.approval]
    as_now = code.same_now and code.engine == code.engine_now
    newest_first = found[::-1][: 1 if as_now else MOST_EARLIER]
    return tuple(
        look.earlier(here.wire, here.repo, number, sha, run_id)
        for number, sha, run_id in newest_first
        if run_id is not None
    )


def _head(tree: Path) -> str:
    """Asked of git itself: no hook and no setting of the checkout has a say."""
    line = ["git", "-c", "core.fsmonitor=false", "-C", str(tree), "rev-parse", "--verify", "HEAD"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _silent(judged: gate.Open | why.Shut, lost: str) -> why.Shut:
    """A rejected run never comes to its own answer; every other silence is a fault."""
    if isinstance(judged, why.Shut) and judged.why is why.Why.REJECTED:
        return judged
    return why.Shut(why.Why.NO_ANSWER, lost)


def _refuse(out: Path, issue: int, deployment: int, sha: str, found: why.Shut) -> NoReturn:
    _write(out / "answer.json", codec.dump(_shut(issue, deployment, sha, found)))
    raise Rejected(f"the gate stays shut. {shut(found)}")


def _shut(issue: int, deployment: int, sha: str, found: why.Shut) -> GateAnswer:
    return GateAnswer(
        issue=issue, deployment=deployment, commit_sha=sha, reason=found.why, message=shut(found)
    )


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
