"""What is said between the delivery and the live run, and on the way back."""

from __future__ import annotations

from bot.text.base import POSITIONS, inert_line
from schemas.live import Approval, Deployment, Gate, Incident, OnRollback, Stage
from schemas.workflow import Workflow

WEAKER = "This is the weaker gate: two comments, and no review of the run itself."
HALT_HEARD = (
    "A machine that runs it looks here every 20 seconds. It then sends no more orders and calls "
    "off entries that wait; open positions stay at the broker with their stops."
)
CUT_OFF = (
    "A machine that cannot reach this repository does not hear it, and opens nothing new after "
    "300 seconds. Its owner can change both times."
)


def paper_started(gate: Gate) -> str:
    if gate is Gate.COMMENT:
        return f"A paper run starts. No orders are sent. Then two people approve. {WEAKER}"
    return "A paper run starts. No orders are sent. Then a deploy run waits for your review."


def paper_not_isolated() -> str:
    return "The paper run was not isolated, so it does not count. Run it with Docker: `/deploy`."


def name_the_sha(workflow: Workflow) -> str:
    newest = workflow.deployments[-1].commit_sha if workflow.deployments else None
    return (
        "Name the commit that you looked at, all 40 characters. "
        f"The one that is meant is `{newest or workflow.delivered_sha}`."
    )


def is_live_already(trading: Deployment) -> str:
    return f"`{trading.commit_sha[:12]}` is live already. `/deploy` with a newer commit changes it."


def too_many_deployments() -> str:
    return "This request was deployed too often. Open a new request for the next version."


def review_the_run() -> str:
    return (
        "The gate of this repository is the environment `live`: open the waiting run of deploy "
        "under Actions and review it there. `/status` says where this request stands."
    )


def is_being_signed() -> str:
    return "It is approved and confirmed; the deploy run is signing it. `/status` says how it went."


def second_person() -> str:
    return "You have approved it already. A second person with write permission must confirm."


def live_approved(workflow: Workflow) -> str:
    if len(workflow.deployments[-1].approvers) > 1:
        return f"Confirmed. The deploy run checks everything once more and signs. {WEAKER}"
    return "Approved. A second person confirms with the same command and the same commit."


def waits_for(workflow: Workflow) -> str:
    """What a person does while it waits at the gate."""
    newest = workflow.deployments[-1]
    commit = f"`{newest.strategy}` at `{newest.commit_sha}`, paper run of {newest.paper_bars} bars"
    if workflow.policy.gate is Gate.ENVIRONMENT:
        where = f"[Review the deploy run]({workflow.policy.home}/actions/workflows/deploy.yml)"
        return f"{commit}. {where}: somebody else than {inert_line(newest.requested_by, 100)}."
    missing = "confirmed and being signed" if len(newest.approvers) > 1 else (
        "approved once; a second person types `/approve-live` and the commit" if newest.approvers
        else "two people type `/approve-live` and the commit"
    )  # fmt: skip
    return f"{commit}: {missing}. {WEAKER}"


def token_is_there(workflow: Workflow) -> str:
    newest = workflow.deployments[-1]
    weaker = f" {WEAKER}" if newest.gate is Gate.COMMENT else ""
    return (
        f"Approved by {', '.join(inert_line(a, 100) for a in newest.approvers)} and tagged "
        f"`{newest.tag}`. The token is the artifact `token` of the deploy run; on your machine: "
        f"`stratbot live run --strategy {newest.strategy} --broker sim`.{weaker}"
    )


def live_tag(workflow: Workflow, approval: Approval) -> str:
    rows = [
        f"Live approval of {approval.strategy} for request {workflow.issue}",
        "",
        f"Correlation-Id: {workflow.correlation_id}",
        f"Gate: {approval.gate}",
        *(f"Approved-By: {login}" for login in approval.approvers),
        f"Run: {approval.run_id}",
        f"Expires: {approval.expires_at}",
    ]
    return "\n".join(rows)


def nothing_is_live(trading: Deployment | None) -> str:
    if trading:
        return f"`{trading.tag}` is halted already. `/rollback flatten`, `hold` or `handover` next."
    return "Nothing of this request is live. `/status` says where it stands."


def halted(trading: Deployment) -> str:
    return (
        f"Halted: `{trading.tag}` has no leave to trade any more. {HALT_HEARD} {CUT_OFF} "
        f"`stratbot live halt --strategy {trading.strategy}` on it stops it at once. To trade "
        "again: `/deploy` and a new approval. To take it back: `/rollback flatten`, `hold` or "
        "`handover`."
    )


def halt_body(workflow: Workflow, trading: Deployment, login: str) -> str:
    return (
        f"{inert_line(login, 100)} halted `{trading.tag}` of #{workflow.issue} at "
        f"`{trading.commit_sha}`. {HALT_HEARD}\n\n{CUT_OFF} On it: `stratbot live halt --strategy "
        f"{trading.strategy}`.\n\nSay here what happened; `/rollback` on #{workflow.issue} is next."
    )


def not_heard(trading: Deployment, tag: str, why: str) -> str:
    return (
        f"NOT HEARD: GitHub refused the tag `{tag}`, so no machine can hear of it, and "
        f"`{trading.tag}` may still trade. On the machine that runs it, type now: `stratbot live "
        f"halt --strategy {trading.strategy}`. GitHub's reason: {inert_line(why)}. Mend that, then "
        "`/resume` here: it sends the tag again."
    )


def say_what_happens() -> str:
    return "Say what happens to open positions: `/rollback flatten`, `hold` or `handover`."


def rolled_back(trading: Deployment, how: OnRollback, what_next: str) -> str:
    return (
        f"Taken back. {POSITIONS[how]} {_on_the_machine(trading, how)} {what_next} "
        "The incident issue has the details."
    )


def _on_the_machine(trading: Deployment, how: OnRollback) -> str:
    if trading.stage is Stage.HALTED:
        left = "close them" if how is OnRollback.FLATTEN else "look at them"
        return (
            f"It was halted, so its run has ended: {left} in the broker's own program. Where it "
            f"still runs: `stratbot live stop --strategy {trading.strategy} --positions {how}`."
        )
    return (
        "A machine that runs it looks here every 20 seconds, makes it so and ends. Where it cannot "
        f"reach this repository: `stratbot live stop --strategy {trading.strategy} "
        f"--positions {how}` on it."
    )


def nothing_before() -> str:
    return (
        "Nothing was live before it. `/revise` and your words change the plan, `/debug` builds it "
        "again; what comes of it is tested and approved anew."
    )


def build_goes_on() -> str:
    return "The new build goes on; nothing else comes forward. `/deploy` it when it is merged."


def comes_forward(back: Deployment) -> str:
    return (
        f"`{back.tag}` comes forward again: a paper run, then its own approval. "
        "`/status` says how far it is."
    )


def put_forward(trading: Deployment, back: Deployment) -> str:
    return (
        f"`{trading.tag}` was taken back, so `{back.tag}` (`{back.commit_sha}`) comes forward. "
        "It needs a paper run and its own approval. `/cancel` leaves nothing live."
    )


def incident_title(workflow: Workflow) -> str:
    return f"Live trading of the strategy of #{workflow.issue} was stopped"


def incident_body(
    workflow: Workflow, trading: Deployment, how: OnRollback, login: str, what_next: str
) -> str:
    return (
        f"{inert_line(login, 100)} took back `{trading.tag}` of #{workflow.issue} at "
        f"`{trading.commit_sha}`. {POSITIONS[how]}\n\n{_on_the_machine(trading, how)}\n\n"
        f"{what_next}\n\n- [ ] {rollback_todo(trading, how)}\n\n"
        f"Say here what happened. Commands for #{workflow.issue} are heard here too."
    )


def parity_broke(trading: Deployment) -> str:
    return (
        f"`{trading.tag}` stopped itself: a decision was not the one that its stored inputs give. "
        "The incident issue has bar and values. `/rollback flatten`, `hold` or `handover` next."
    )


def parity_body(workflow: Workflow, trading: Deployment, incident: Incident) -> str:
    return (
        f"A machine that runs `{trading.tag}` of #{workflow.issue} at `{incident.commit_sha}` "
        f"decided otherwise than the same strategy does on the stored inputs, first on bar "
        f"{incident.bar} ({inert_line(incident.bar_time, 100)}). It has stopped; open positions "
        "stay at the broker with their stops.\n\n"
        f"- live: {inert_line(incident.live, 2_000)}\n"
        f"- offline: {inert_line(incident.offline, 2_000)}\n\n"
        "`incident.json` beside its audit log has all of it. Do not run this commit again before "
        f"the cause is known: `/rollback` on #{workflow.issue} is next."
    )


def rollback_todo(trading: Deployment, how: OnRollback) -> str:
    return (
        f"Find out why {trading.tag} was taken back ({how}): compare its audit log with the "
        "backtest, add a test that shows the fault, and deliver a mended commit."
    )
