"""What a person reads who drafts a request on their own machine."""

from __future__ import annotations

from collections.abc import Sequence


def asked(questions: Sequence[str]) -> str:
    rows = "\n".join(f"{n}. {question}" for n, question in enumerate(questions, 1))
    return f"Before a plan can be made, please answer:\n\n{rows}\n"


def declined(reason: str) -> str:
    return f"This cannot be built.\n\n{reason}\n"
