"""What is said of an incident: what the machine saw, what follows from it, and what to type."""

from __future__ import annotations

import json

from bot.incident import Cause, differs
from bot.text.base import inert_line
from bot.verdict import Failure
from schemas.live import Deployment, Incident
from schemas.workflow import Workflow

Decision = tuple[str, str]
"""The entry and the exits of a decision, in words."""

FOLLOWS: dict[Cause, str] = {
    Cause.CODE: (
        "The code is not the one that the rules write from the contract today, so a new build can "
        "mend it: `/debug` and a hint builds the same plan again, with this incident in its "
        "orders. `/revise` and your words change the plan first."
    ),
    Cause.CONTRACT: (
        "The code is exactly what the rules write from the contract, so building it again would "
        "give the same code. If it did what nobody wanted, the contract says so: change it with "
        "`/revise` and your words, as in `/revise use a 2 % stop`."
    ),
    Cause.ENGINE: (
        "The code is exactly what the rules write from the contract, and still it decided "
        "otherwise than on the stored inputs. So the engine or the data of that machine is at "
        "fault, and building the strategy again would mend nothing. Compare the audit log with "
        "the bars of another source. `/revise` and your words take the rule out of the plan."
    ),
}


def analysis(incident: Incident | None, why: Cause) -> str:
    """What a debugger finds in it: the bars, the decisions, the difference, and what follows."""
    rows = ["### Analysis", ""]
    if incident is None:
        rows += [
            "No machine has told what it decided. Its audit log has it: `stratbot live audit`."
        ]
        return "\n".join([*rows, "", FOLLOWS[why]])
    live, offline = decision(incident.live), decision(incident.offline)
    rows += [
        f"Bar {incident.bar} ({inert_line(incident.bar_time, 100)}):",
        "",
        "| | live | on the stored inputs |",
        "|---|---|---|",
        f"| entry | {live[0]} | {offline[0]} |",
        f"| exits | {live[1]} | {offline[1]} |",
        "",
        f"{_difference(incident, live, offline)} {FOLLOWS[why]}",
        *_folded("The bars up to it", incident.bars),
        *_folded("The end of the machine's audit log", incident.audit),
    ]
    return "\n".join(rows)


def decision(spelled: str) -> Decision:
    """Anybody who may push can leave an incident: what is no decision is shown as it is."""
    try:
        told = json.loads(spelled)
        exits = "; ".join(_facts(one) for one in told["exits"])
        return _facts(told["entry"]) or "none", exits or "none"
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return inert_line(spelled, 500) or "none", "not told"


def _facts(order: dict[str, object] | None) -> str:
    return inert_line(", ".join(f"{k} {v}" for k, v in sorted((order or {}).items())), 500)


def _difference(incident: Incident, live: Decision, offline: Decision) -> str:
    if not differs(incident):
        return "Live and on the stored inputs it decided the same."
    what = [name for name, a, b in zip(("entry", "exits"), live, offline, strict=True) if a != b]
    return f"They differ in: {' and '.join(what) or 'details'}."


def _folded(title: str, rows: tuple[str, ...]) -> list[str]:
    if not rows:
        return []
    listed = [f"- {inert_line(row, 600)}" for row in rows]
    return ["", f"<details><summary>{title}</summary>", "", *listed, "", "</details>"]


def incident_todo(trading: Deployment, incident: Incident) -> str:
    live, offline = decision(incident.live), decision(incident.offline)
    return (
        f"{trading.tag} was stopped at bar {incident.bar} ({inert_line(incident.bar_time, 100)}). "
        f"Live: entry {live[0]}, exits {live[1]}. On the stored inputs: entry {offline[0]}, exits "
        f"{offline[1]}. Add a test that shows the fault, and deliver a mended commit."
    )


def red_todo(trading: Deployment, failures: tuple[Failure, ...]) -> str:
    return f"A test of {trading.tag}, which is live, failed. Mend: {_failed(failures)}"


def red_when_live(trading: Deployment) -> str:
    return (
        f"A test of `{trading.tag}`, which is live, failed. Nothing was closed or stopped: that is "
        "yours to decide. `/halt` stops new orders, `/rollback flatten` takes it back."
    )


def red_body(workflow: Workflow, trading: Deployment, failures: tuple[Failure, ...]) -> str:
    """Mentions the owners on purpose: money may be at stake."""
    called = f"{' '.join(workflow.policy.owners)}: " if workflow.policy.owners else ""
    return (
        f"{called}a test of `{trading.tag}` of #{workflow.issue} at `{trading.commit_sha}` failed, "
        f"and that commit is live.\n\n{_failed(failures)}\n\nNothing was traded, stopped or closed "
        "because of it: a person decides. Type `/halt` to stop new orders, or `/rollback flatten` "
        "to close positions and take it back; both are heard here too. `/backtest` tests it again."
    )


def _failed(failures: tuple[Failure, ...]) -> str:
    rows = [f"- {f.check}: {inert_line(f.message, 300)}" for f in failures[:10]]
    return "\n".join(rows)


def same_code_again(bad: Deployment, why: Cause) -> str:
    return f"A new build of `{bad.tag}` would mend nothing. {FOLLOWS[why]}"


def built_again(bad: Deployment) -> str:
    return (
        f"I build it anew, with what is known of `{bad.tag}` in the orders. What comes of it is "
        "tested like the first, and only a new approval puts it live."
    )


def nothing_comes_forward() -> str:
    return (
        "Cancelled: nothing comes forward, and nothing is live. `/revise` or `/debug` mends what "
        "was taken back; `/deploy` starts a paper run."
    )


def at_work_again(workflow: Workflow) -> str:
    return f"Work on #{workflow.issue} goes on after its incident. The status comment shows it."
