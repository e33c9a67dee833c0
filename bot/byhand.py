"""A pull request that is not the bot's: what its required status says. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bot.text.byhand import has_strategy, no_strategy
from schemas.acts import CommitStatus

HOME = "strategies/"
MOST = 300
"""GitHub names no more files of a comparison: of a longer one nobody knows them all."""


def standing(sha: str, paths: Iterable[str]) -> CommitStatus:
    """Nothing is green untested but what no test of ours is about."""
    found = list(paths)
    if len(found) < MOST and not any(path.startswith(HOME) for path in found):
        return CommitStatus(sha=sha, state="success", description=no_strategy())
    return CommitStatus(sha=sha, state="failure", description=has_strategy())
