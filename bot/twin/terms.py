"""In which form a client takes an answer, and whether it has it already."""

from __future__ import annotations

from bot.twin.asked import Asked
from bot.twin.call import Problem

FORMS = ("json", "github", "*/*", "application/*", "octet-stream", "text/html")
"""One of these in `Accept` is enough: `github` stands for its own, like `vnd.github.diff`."""


def check_terms(asked: Asked) -> None:
    accept = asked.headers.get("accept")
    if accept and not any(form in accept for form in FORMS):
        raise Problem(
            415, f"Unsupported 'Accept' header: '{accept}'. Must accept 'application/json'."
        )


def unchanged(asked: Asked, tag: str) -> bool:
    """Whether the client has this already: any of the tags it names, weak or strong."""
    named = asked.headers.get("if-none-match")
    if not named:
        return False
    bare = tag.removeprefix("W/")
    known = {part.strip().removeprefix("W/") for part in named.split(",")}
    return bare in known or "*" in known
