"""Reads the facts of the live gate from GitHub, at this moment, and changes nothing."""

from __future__ import annotations

from typing import Any

from bot import engine
from bot.gate import ENVIRONMENT, Code, Earlier, Review, Run
from bot.io.github.settings import listed, live_from, read, reviewers, seen
from bot.io.github.wire import Wire

PAGE, PAGES = 100, 100
"""How far back from the default branch a commit is looked for: 10,000 commits."""
SIGNS = "sign"
"""The job of deploy.yml that runs only after the gate has opened."""
WRITERS = {"admin", "maintain", "write"}


def run(wire: Wire, repo: str, run_id: int) -> Run | None:
    told = seen(wire, f"/repos/{repo}/actions/runs/{run_id}")
    if told is None:
        return None
    return Run(
        id=int(told["id"]), attempt=int(told.get("run_attempt") or 0), event=str(told["event"]),
        path=str(told["path"]), branch=str(told["head_branch"]),
        title=str(told.get("display_title") or ""), actor=_account(told, "actor"),
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
    tip = _tip(wire, repo, branch)
    merged, first_parent = _standing(wire, repo, tip, sha) if tip else (False, False)
    then, now = (_trees(wire, repo, at) for at in (sha, tip))
    rows = seen(wire, f"/repos/{repo}/git/matching-refs/tags/live/{strategy}/") or ()
    tags = {row["ref"].removeprefix("refs/tags/"): _commit(wire, repo, row) for row in rows}
    folder = _folder(then, strategy)
    return Code(
        merged=merged, first_parent=first_parent,
        same_now=bool(folder) and folder == _folder(now, strategy),
        checkout="", files=(), tags=tags, engine=engine.of(*then), engine_now=engine.of(*now),
    )  # fmt: skip


def earlier(wire: Wire, repo: str, number: int, sha: str, run_id: int) -> Earlier:
    """What GitHub has on record of the run that is said to have approved this commit."""
    jobs = listed(wire, f"/repos/{repo}/actions/runs/{run_id}/jobs", "jobs") or ()
    return Earlier(
        number=number, sha=sha, engine=engine.of(*_trees(wire, repo, sha)),
        run=run(wire, repo, run_id), reviews=reviews(wire, repo, run_id),
        signed=any((job["name"], job["conclusion"]) == (SIGNS, "success") for job in jobs),
    )  # fmt: skip


def _tip(wire: Wire, repo: str, branch: str) -> str:
    """By its full name: a tag may be called like the branch."""
    told = seen(wire, f"/repos/{repo}/git/ref/heads/{branch}")
    return str(told["object"]["sha"]) if told else ""


def _standing(wire: Wire, repo: str, tip: str, sha: str) -> tuple[bool, bool]:
    """Whether the branch contains the commit, and whether its first parents lead there.

    Of all commits since then, each one's first parent: what is followed beyond them must be the
    commit itself. Where there are more than we read, the way ends elsewhere."""
    first: dict[str, str] = {}
    for page in range(1, PAGES + 1):
        url = f"/repos/{repo}/compare/{sha}...{tip}?per_page={PAGE}&page={page}"
        told = seen(wire, url)
        if told is None or told["status"] not in ("ahead", "identical"):
            return False, False
        first |= {c["sha"]: c["parents"][0]["sha"] if c["parents"] else "" for c in told["commits"]}
        if not told["commits"] or len(first) >= told["total_commits"]:
            break
    at = tip
    while at in first:
        at = first[at]
    return True, at == sha


Entries = tuple[engine.Entry, ...]


def _trees(wire: Wire, repo: str, sha: str) -> tuple[Entries, Entries]:
    """The root of a commit and its folder of strategies. Empty: it cannot be read whole."""
    root = _tree(wire, repo, sha) if sha else ()
    below = next((e for e in root if e.name == engine.STRATEGIES and not e.is_file), None)
    return root, _tree(wire, repo, below.git_id) if below else ()


def _tree(wire: Wire, repo: str, git_id: str) -> Entries:
    told = seen(wire, f"/repos/{repo}/git/trees/{git_id}")
    if told is None or told["truncated"]:
        return ()
    return tuple(
        engine.Entry(str(row["path"]), str(row["mode"]).startswith("100"), str(row["sha"]))
        for row in told["tree"]
    )


def _folder(trees: tuple[Entries, Entries], strategy: str) -> str:
    """The name that git gives to the strategy's folder and all that is in it."""
    found = (e.git_id for e in trees[1] if e.name == strategy and not e.is_file)
    return next(found, "")


def _commit(wire: Wire, repo: str, row: Any) -> str:
    """An annotated tag counts as what it points at."""
    if row["object"]["type"] != "tag":
        return str(row["object"]["sha"])
    told = read(wire, f"/repos/{repo}/git/tags/{row['object']['sha']}")
    return str(told["object"]["sha"])
