"""Why the live gate stays shut: every reason, and one with its detail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """Why the gate stays shut. Stable: people search for these words."""

    # The request.
    NO_REQUEST = "no_request"
    NO_DEPLOYMENT = "no_deployment"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    HELD = "held"
    ANSWERED = "already_answered"
    NO_PAPER_RUN = "no_paper_run"
    OTHER_COMMIT = "other_commit"
    UNTESTED = "untested"
    CLOCK_BACK = "clock_moved_back"
    WAITED_TOO_LONG = "waited_too_long"
    # The run.
    OTHER_RUN = "other_run"
    OTHER_WORKFLOW = "other_workflow"
    NOT_DISPATCHED = "not_dispatched"
    OTHER_BRANCH = "other_branch"
    RUN_AGAIN = "run_again"
    NOT_THE_BOT = "not_started_by_the_bot"
    # The code.
    NOT_MERGED = "not_merged"
    NOT_FIRST_PARENT = "not_first_parent"
    CHANGED_SINCE = "changed_since"
    OTHER_ENGINE = "other_engine"
    OTHER_CHECKOUT = "other_checkout"
    MISSING_FILE = "missing_file"
    TAG_TAKEN = "tag_taken"
    # The environment and its reviews.
    NO_ENVIRONMENT = "no_environment"
    NO_REVIEWERS = "no_reviewers"
    ANY_BRANCH = "any_branch"
    NOT_REVIEWED = "not_reviewed"
    REJECTED = "rejected"
    OTHER_ENVIRONMENT = "other_environment"
    NOT_A_PERSON = "not_a_person"
    SELF_REVIEW = "self_review"
    NO_PERMISSION = "no_permission"
    # The comments.
    NOT_CONFIRMED = "not_confirmed"
    ONE_PERSON = "one_person"
    # When nobody came to an answer.
    NO_ANSWER = "no_answer"


@dataclass(frozen=True, slots=True)
class Shut:
    why: Why
    detail: str = ""
