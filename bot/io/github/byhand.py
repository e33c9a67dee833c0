"""Pull requests of people into the default branch: the status that the rules require of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.byhand import MOST, standing
from bot.io.github.code import CONTEXT, show_status
from bot.io.github.site import Site
from bot.io.github.wire import Refused
from bot.payloads import BRANCH
from schemas.acts import CommitStatus


def posted(site: Site) -> Iterator[tuple[int, CommitStatus]]:
    """Where there is none yet. Whoever posted one, the bot or a person, has the last word."""
    rows: Iterator[Any] = site.wire.rows(
        f"{site.url}/pulls", state="open", base=site.policy.default_branch
    )
    for pull in rows:
        sha = str(pull["head"]["sha"])
        if _is_ours(site, pull) or _has_one(site, sha):
            continue
        view = standing(sha, _paths(site, sha))
        show_status(site, view)
        yield int(pull["number"]), view


def _is_ours(site: Site, pull: Any) -> bool:
    """From a branch of the bot: that one is tested, and its status is drawn from the state."""
    home = (pull["head"]["repo"] or {}).get("full_name")
    return home == site.name and bool(BRANCH.fullmatch(pull["head"]["ref"]))


def _has_one(site: Site, sha: str) -> bool:
    _, found = site.wire.requestJsonAndCheck("GET", f"{site.url}/commits/{sha}/status")
    return any(status["context"] == CONTEXT for status in found["statuses"])


def _paths(site: Site, sha: str) -> list[str]:
    """Of this very commit: a pull request may have moved on since it was listed."""
    url = f"{site.url}/compare/{site.policy.default_branch}...{sha}"
    try:
        _, found = site.wire.requestJsonAndCheck("GET", url)
    except Refused as no:
        if no.status != 404:  # nothing in common with the default branch
            raise
        return [""] * MOST
    names = (file.get(key) for file in found["files"] for key in ("filename", "previous_filename"))
    return [str(name) for name in names if name]
