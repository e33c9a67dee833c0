"""A request as the reader and the coder answer it: a strategy file, or words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bot.agents.clean import clean
from bot.agents.coder import write_strategy
from bot.reading.read import Asked, Declined, Reading, read
from tests.requests.corpus import Question, Request, questions, requests


@cache
def reading(name: str) -> Reading:
    item: Request | Question = requests().get(name) or questions()[name]
    return read(clean(item.title), clean(item.body))


def reply(found: Reading) -> str:
    """The words of an answer; none where a strategy was built."""
    match found:
        case Asked(questions=asked):
            return "\n".join(asked)
        case Declined(reason=reason):
            return reason
    return ""


def strategy(found: Reading, folder: Path) -> Path | None:
    """The file that was built; None where the answer is words."""
    if isinstance(found, Asked | Declined):
        return None
    path = folder / "strategy.py"
    path.write_text(write_strategy(found))
    return path
