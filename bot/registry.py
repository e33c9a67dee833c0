"""What a slash command is, how one is found in a comment, and the list of all of them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.events import CommentPosted
from bot.text import Reason
from schemas.workflow import Phase, Role, Workflow


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a command: who typed what, where things stand."""

    workflow: Workflow
    event: CommentPosted
    role: Role
    args: tuple[str, ...]
    rest: str

    @property
    def at(self) -> int:
        return self.event.at


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did. `reason` None means that it was done; no body means: said later."""

    workflow: Workflow
    body: str
    reason: Reason | None = None


Run = Callable[[Call], Answer]


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    who: Role
    when: frozenset[Phase]
    example: str
    takes: re.Pattern[str]
    while_held: bool
    run: Run

    @property
    def help(self) -> str:
        return (self.run.__doc__ or "").strip().splitlines()[0]


COMMANDS: dict[str, Command] = {}
ALWAYS = frozenset(Phase)
WORD = re.compile(r" {0,3}/([A-Za-z][A-Za-z0-9_-]{0,39})[.!]*(?![\w/.])")
"""Four spaces would make it a code block, and a dot inside it the name of a file."""


NOTHING, WORDS, MAYBE_WORDS, ONE_WORD = map(re.compile, (r"", r"(?s).+", r"(?s).*", r"\S*"))
"""What may follow a command. Words that it would not heed are refused, not passed over."""


def command(
    name: str, *, who: Role, when: frozenset[Phase], example: str,
    takes: re.Pattern[str] = NOTHING, while_held: bool = True,
) -> Callable[[Run], Run]:  # fmt: skip
    def register(run: Run) -> Run:
        if name in COMMANDS:
            raise ValueError(f"/{name} is already a command")
        COMMANDS[name] = Command(name, who, when, example, takes, while_held, run)
        return run

    return register


def parse(body: str) -> tuple[str, tuple[str, ...], str] | None:
    """The command in a comment: the first word of the first line, and nothing else is one."""
    found = WORD.match(body)
    if found is None:
        return None
    first, _, more = body[found.end() :].partition("\n")
    return found[1].lower(), tuple(first.split()), f"{first.strip()}\n{more}".strip()


def suggestion(name: str) -> str | None:
    return next(iter(difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.6)), None)


def done(workflow: Workflow, body: str) -> Answer:
    return Answer(workflow, body)


def refuse(call: Call, reason: Reason, why: str) -> Answer:
    return Answer(call.workflow, why, reason)
