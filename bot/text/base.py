"""Words that more than one sentence needs, and how somebody else's words are made harmless."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from schemas.base import TaskId
from schemas.live import OnRollback
from schemas.work import WorkKind
from schemas.workflow import Phase, Role, Step, Workflow


class Reason(StrEnum):
    """Why a command was not done. Stable: people search for them."""

    BAD_ARGUMENT = "bad_argument"
    EDITED = "edited"
    HELD = "held"
    NOTHING_TO_DO = "nothing_to_do"
    NOT_A_REQUEST = "not_a_request"
    NOT_OPTIONAL = "not_optional"
    NO_PERMISSION = "no_permission"
    OTHER_GATE = "other_gate"
    OVER_BUDGET = "over_budget"
    SELF_REVIEW = "self_review"
    STALE_SHA = "stale_sha"
    TOO_EARLY = "too_early"
    TOO_MANY = "too_many"
    UNKNOWN_COMMAND = "unknown_command"
    WRONG_PHASE = "wrong_phase"


STANDS: dict[Phase, str] = {
    Phase.OPENED: "I am reading the request and writing a plan. `/cancel` stops me.",
    Phase.ASKING: "I have questions. Answer them with `/answer` and your words.",
    Phase.DECLINED: "I cannot build this. Edit the text of this issue, and I read it again; "
    "`/revise` only adds words to it.",
    Phase.PLANNED: "The plan is ready. Read it, then `/approve` it or `/revise` it.",
    Phase.BUILDING: "I am building. There is nothing to do for you; `/hold` and `/cancel` stop me.",
    Phase.DELIVERING: "The strategy is ready. Review and merge the delivery pull request.",
    Phase.DELIVERED: "The strategy is merged. `/deploy` starts a paper run.",
    Phase.PAPER: "A paper run is under way. No orders are sent. `/cancel` stops it.",
    Phase.WAITING: "The paper run matched. Going live waits for the review of its run, or for "
    "`/approve-live` where comments are the gate.",
    Phase.LIVE: "It is live. `/rollback flatten`, `hold` or `handover` takes it back.",
    Phase.ROLLED_BACK: "It was taken back. `/revise` changes the plan, `/debug` builds it again, "
    "`/deploy` starts a paper run.",
    Phase.ESCALATED: "I need a person. When the reason is mended, `/retry` goes on.",
    Phase.CANCELLED: "It was cancelled; nothing is running. People with write permission go on "
    "with `/retry`.",
}

TITLES: dict[TaskId, str] = {
    TaskId.DATA: "Load the data",
    TaskId.INDICATORS: "Compute the indicators",
    TaskId.ENTRY: "Enter positions",
    TaskId.EXIT: "Leave positions",
    TaskId.TESTS: "Add the tests that are missing",
    TaskId.DELIVERY: "Deliver the whole strategy",
}

DOING: dict[Step, str] = {
    Step.WAITING: "waiting",
    Step.DRAFTING: "being written",
    Step.PUBLISHING: "being pushed",
    Step.TESTING: "in the sandbox",
    Step.REPAIRING: "being repaired",
    Step.MERGING: "passed, waiting for its merge",
    Step.MERGED: "merged",
    Step.SKIPPED: "left out",
}

WORKING: dict[WorkKind, str] = {
    WorkKind.PLAN: "the plan",
    WorkKind.DRAFT: "the code",
    WorkKind.REPAIR: "a repair",
    WorkKind.TEST: "the sandbox run",
    WorkKind.PLAN_TESTS: "more tests",
    WorkKind.BUILD_TESTS: "more tests",
    WorkKind.PAPER: "the paper run",
}
"""What the status comment calls the work that is under way."""

WHO: dict[Role, str] = {
    Role.READ: "everybody",
    Role.AUTHOR: "the author of the request and people with write permission",
    Role.WRITE: "people with write permission",
}


POSITIONS: dict[OnRollback, str] = {
    OnRollback.FLATTEN: "Open positions are closed at the market.",
    OnRollback.HOLD: "Open positions are kept as they are, with their stops.",
    OnRollback.HANDOVER: "Open positions are yours: nothing of mine touches them any more.",
}


GAP = "\u200b"
"""Nobody sees it, and it ends a mention. An entity does not: GitHub decodes those first."""
ESCAPES = {c: f"&#{ord(c)};" for c in "`[]|#\\"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
ALIVE = (
    (re.compile(r"@"), f"@{GAP}"),
    (re.compile(r"#(?=\w)"), f"#{GAP}"),
    (re.compile(r"(?i)GH-"), f"GH{GAP}-"),
    (re.compile(r"://"), f":{GAP}//"),
    (re.compile(r"(?i)(www)\."), rf"\1{GAP}."),
    (re.compile(r"(?m)^([ \t]*)(?=::)"), rf"\1{GAP}"),
    (re.compile(r"(?m)^([ \t]*)(?=~~~|[-=]+[ \t]*$|([-*_][ \t]*){3,}$)"), rf"\1{GAP}"),
)
"""Mentions, references by number and by address, and the lines that make a command to Actions, a
fence or a rule."""


def inert(words: str, limit: int = 2000) -> str:
    """Somebody else's words, made harmless: no mention, HTML, hidden text, marker or fence."""
    seen = (c for c in words[: limit * 2] if c == "\n" or unicodedata.category(c)[0] != "C")
    kept = "".join(seen)[:limit]
    for pattern, safe in ALIVE:
        kept = pattern.sub(safe, kept)
    kept = "".join(ESCAPES.get(c, c) for c in kept)
    return re.sub(r"(?m)^(\s*)/", r"\1&#47;", kept)


def cut(lines: list[str], limit: int = 40_000) -> str:
    """A long text as far as GitHub takes it. What is cut here is in the contract, on the branch."""
    whole = "\n".join(lines)
    if len(whole) <= limit:
        return whole
    return whole[: whole.rfind("\n", 0, limit)] + "\n\nToo long to show: `contract.json` has all."


def inert_line(words: str, limit: int = 500) -> str:
    """The same on one line, for what stands inside a sentence, a list or a title."""
    return inert(" ".join(words.split()), limit)


def code(text: str) -> str:
    """A statement of a sheet, inside a sentence or a row of a table."""
    kept = "".join(x for x in text if x.isprintable()).replace("`", "'").replace("|", "/")
    return f"`{kept[:1000]}`"


def who_resumes(workflow: Workflow) -> str:
    """Of a request that is on hold: only their own hold is the author's to end."""
    if workflow.held_by_author:
        return "`/resume` goes on."
    return "`/resume` of somebody with write permission goes on."
