"""Reads the facts of the live gate from GitHub, at this moment, and changes nothing."""

from __future__ import annotations

from typing import Any

from bot.gate import ENVIRONMENT, Code, Review, Run
from bot.io.github.settings import live_from, read, reviewers, seen
from bot.io.github.wire import Refused, Wire

WRITERS = {"admin", "maintain", "write"}


def run(wire: Wire, repo: str, run_id: int) -> Run | None:
    told = seen(wire, f"/repos/{repo}/actions/runs/{run_id}")
    if told is None:
        return None
    return Run(
        id=int(told["id"]), attempt=int(told.get("run_attempt") or 0), event=str(told["event"]),
        path=str(told["path"]), branch=str(told["head_branch"]), actor=_account(told, "actor"),
        triggering_actor=_account(told, "triggering_actor"),
    )  # fmt: skip


def _account(told: Any, part: str) -> int:
    """0 is nobody's account: an account that GitHub does not name is not the bot's."""
    return int((told.get(part) or {}).get("id") or 0)


def environment(wire: Wire, repo: str) -> tuple[int | None, frozenset[str]]:
    """How many must review, and from which refs it can be reached.

    None: there is no environment, or it may not be looked at; both keep the gate shut."""
    told = seen(wire, f"/repos/{repo}/environments/{ENVIRONMENT}")
    if told is None:
        return None, frozenset()
    return reviewers(told), live_from(wire, repo, told)


def reviews(wire: Wire, repo: str, run_id: int) -> tuple[Review, ...]:
    rows = seen(wire, f"/repos/{repo}/actions/runs/{run_id}/approvals") or ()
    return tuple(_review(row) for row in rows)


def _review(row: Any) -> Review:
    user = row.get("user") or {}
    return Review(
        login=str(user.get("login") or "ghost"), user_id=int(user.get("id") or 0),
        person=user.get("type") == "User", state=str(row["state"]),
        environments=frozenset(str(e["name"]) for e in row["environments"]),
    )  # fmt: skip


def writers(wire: Wire, repo: str, people: dict[int, str]) -> frozenset[int]:
    """Who of them may write, asked by name; the answer must be about the same person."""
    found = set()
    for ident, login in people.items():
        told = seen(wire, f"/repos/{repo}/collaborators/{login}/permission")
        if told and told["permission"] in WRITERS and told["user"]["id"] == ident:
            found.add(ident)
    return frozenset(found)


def code(wire: Wire, repo: str, branch: str, sha: str, strategy: str) -> Code:
    """How the default branch stands to the commit. The checkout itself is looked at elsewhere."""
    merged = _merged(wire, repo, branch, sha)
    then, now = (_tree(wire, repo, at, strategy) for at in (sha, branch))
    rows = seen(wire, f"/repos/{repo}/git/matching-refs/tags/live/{strategy}/") or ()
    tags = {row["ref"].removeprefix("refs/tags/"): _commit(wire, repo, row) for row in rows}
    return Code(merged, bool(then) and then == now, "", (), tags)


def _merged(wire: Wire, repo: str, branch: str, sha: str) -> bool:
    told = seen(wire, f"/repos/{repo}/compare/{sha}...{branch}?per_page=1")
    return told is not None and told["status"] in ("ahead", "identical")


def _tree(wire: Wire, repo: str, at: str, strategy: str) -> str | None:
    """The name that git gives to the strategy's folder and all that is in it, at this commit."""
    try:
        rows = read(wire, f"/repos/{repo}/contents/strategies?ref={at}")
    except Refused:
        return None
    found = (row["sha"] for row in rows if row["name"] == strategy and row["type"] == "dir")
    return next(found, None)


def _commit(wire: Wire, repo: str, row: Any) -> str:
    """An annotated tag counts as what it points at."""
    if row["object"]["type"] != "tag":
        return str(row["object"]["sha"])
    told = read(wire, f"/repos/{repo}/git/tags/{row['object']['sha']}")
    return str(told["object"]["sha"])
