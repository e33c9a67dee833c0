"""What the gate says when it stays shut: the reason, and what to do next."""

from __future__ import annotations

from bot import engine
from bot.gate import Earlier, Facts, approved
from bot.text.base import inert_line
from bot.why import Shut, Why

AGAIN = "Type `/deploy` in the request to start again."
WITH_WRITE = "Somebody else with write permission reviews the next run. " + AGAIN

SAYS: dict[Why, tuple[str, str]] = {
    Why.NO_REQUEST: ("There is no such request.", "Start from the request itself: `/deploy`."),
    Why.NO_DEPLOYMENT: ("The request has no such deployment.", AGAIN),
    Why.SUPERSEDED: (
        "A newer deployment of this request was started.",
        "Review the run of the newest one; reject this one.",
    ),
    Why.CANCELLED: (
        "The request was cancelled.",
        "If it shall go live after all: `/retry` in the request.",
    ),
    Why.HELD: ("The request is on hold.", "`/resume` it, then type `/deploy` again."),
    Why.ANSWERED: ("This deployment was answered before.", AGAIN),
    Why.NO_PAPER_RUN: (
        "No paper run of this commit has matched.",
        "Wait for the paper run, or type `/deploy` to start one.",
    ),
    Why.OTHER_COMMIT: ("The run names another commit than the request.", AGAIN),
    Why.UNTESTED: (
        "What was merged is not what passed the tests.",
        "Type `/backtest` and look at it; then deliver a commit that passed.",
    ),
    Why.CLOCK_BACK: (
        "The clock of the runner is behind the request.",
        "Set the clock of the runner. " + AGAIN,
    ),
    Why.WAITED_TOO_LONG: ("It waited for more than 30 days.", AGAIN),
    Why.OTHER_RUN: ("The approval belongs to another run.", AGAIN),
    Why.OTHER_WORKFLOW: ("The run is not one of deploy.yml.", AGAIN),
    Why.NOT_DISPATCHED: ("The run was not started by the bot's dispatch.", AGAIN),
    Why.OTHER_BRANCH: ("The run is not on the default branch.", AGAIN),
    Why.RUN_AGAIN: (
        "The run was run again, and GitHub does not say which try was approved.",
        AGAIN,
    ),
    Why.NOT_THE_BOT: (
        "The run was not started by the bot, so nobody checked who asked for it.",
        "Do not start deploy.yml by hand: type `/deploy` in the request.",
    ),
    Why.NOT_MERGED: (
        "The commit is not in the default branch.",
        "Merge it, or restore the branch. " + AGAIN,
    ),
    Why.NOT_FIRST_PARENT: (
        "The default branch was never at this commit: it stands inside a merged pull request, "
        "where nobody agreed to it by itself.",
        "Type `/deploy` with the merge commit, or with a newer commit of the default branch.",
    ),
    Why.OTHER_ENGINE: (
        "The code that runs the strategy is neither the default branch's nor one that was approved "
        "before.",
        "Type `/deploy` with the newest commit of the default branch.",
    ),
    Why.CHANGED_SINCE: (
        "The strategy was changed on the default branch after this commit.",
        "Look at the change, then type `/deploy` with the newer commit.",
    ),
    Why.OTHER_CHECKOUT: ("The checkout is not the commit that was reviewed.", AGAIN),
    Why.MISSING_FILE: (
        "The commit lacks a file of the strategy.",
        "Deliver the strategy whole. " + AGAIN,
    ),
    Why.TAG_TAKEN: (
        "The tag of this deployment is on another commit.",
        "Find out who set it, and delete it. " + AGAIN,
    ),
    Why.NO_ENVIRONMENT: (
        "There is no environment `live`.",
        "Make it in Settings, Environments, with required reviewers. " + AGAIN,
    ),
    Why.NO_REVIEWERS: (
        "The environment `live` asks nobody for a review.",
        "Tick Required reviewers in Settings, Environments, `live`, or, where the plan has none, "
        "set the gate to `comment` in STRATBOT_POLICY for new requests. " + AGAIN,
    ),
    Why.ANY_BRANCH: (
        "The environment `live` can be reached from elsewhere than the default branch.",
        "Run `stratbot setup`, or choose the default branch alone in Settings, Environments, "
        "`live`. " + AGAIN,
    ),
    Why.NOT_REVIEWED: (
        "No approval of this run is recorded.",
        "Look at the protection of the environment `live`. " + AGAIN,
    ),
    Why.REJECTED: ("The review said no.", "Talk to the reviewer. " + AGAIN),
    Why.OTHER_ENVIRONMENT: (
        "Only another environment was approved.",
        "Approve `live` itself. " + AGAIN,
    ),
    Why.NOT_A_PERSON: ("The approval is not a person's.", "Let a person review. " + AGAIN),
    Why.SELF_REVIEW: ("Who asked for it cannot be who approves it.", WITH_WRITE),
    Why.NO_PERMISSION: ("Who approved it has no write permission now.", WITH_WRITE),
    Why.NOT_CONFIRMED: (
        "The approval was not confirmed.",
        "A second person types `/approve-live` and the commit.",
    ),
    Why.ONE_PERSON: (
        "One person approved and confirmed.",
        "A second person confirms. Where there is only one, `solo` in STRATBOT_POLICY says so.",
    ),
    Why.NO_ANSWER: (
        "The deploy run ended without an answer.",
        "It was rejected or cancelled, or its job failed: look at the run. " + AGAIN,
    ),
}


def shut(found: Shut) -> str:
    """The sentence for a person: code, reason, the thing itself, next step."""
    why, what_next = SAYS[found.why]
    detail = f" ({inert_line(found.detail, 200)})" if found.detail else ""
    return f"`{found.why}`: {why[:-1]}{detail}. {what_next}"


def weaker() -> str:
    return (
        "The gate of this repository is the weaker one: two comments, no review of the run. "
        "Anybody who can write comments as a person with write permission can open it."
    )


def what_runs(facts: Facts) -> str:
    """For the page of the run: what will run, and how it differs from what was live last."""
    last = next(iter(approved(facts)), None)
    now, then = facts.code.engine_now, last.engine if last else {}
    rows = [
        f"| `{inert_line(name, 100)}` | {_short(facts.code.engine, name)} "
        f"| {_beside(facts.code.engine, now, name)} | {_beside(facts.code.engine, then, name)} |"
        for name in sorted({*facts.code.engine, *now, *then})
    ]
    return "\n".join([
        f"### What will run: `{inert_line(facts.sha, 64)}`", "", _since(facts, last), "",
        "| part of the engine | this commit | default branch | last approved |",
        "|---|---|---|---|",
        *rows,
    ])  # fmt: skip


def _since(facts: Facts, last: Earlier | None) -> str:
    if last is None:
        return (
            "GitHub has no record of an earlier approval in this request: look at all of it, the "
            "strategy and the engine."
        )
    link = f"{facts.policy.home}/compare/{last.sha}...{facts.sha}"
    differs = ", ".join(engine.differing(facts.code.engine, last.engine))
    said = f"The engine differs in: {inert_line(differs, 500)}." if differs else "Same engine."
    return f"Last approved: `{last.sha}`. {said} [All changes since then]({link})"


def _short(parts: engine.Engine, name: str) -> str:
    return f"`{parts[name][:12]}`" if name in parts else "not there"


def _beside(here: engine.Engine, other: engine.Engine, name: str) -> str:
    return "same" if here.get(name) == other.get(name) else f"**{_short(other, name)}**"
