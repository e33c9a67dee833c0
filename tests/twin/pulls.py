"""How a test writes to a branch, opens a pull request and waits for its mergeability."""

from __future__ import annotations

from github.PullRequest import PullRequest

from tests.twin.desk import Desk
from tests.twin.waiting import until


def branch(desk: Desk, name: str, path: str, text: str, login: str = "hubot") -> str:
    repo = desk.repo(login)
    if name not in {b.name for b in repo.get_branches()}:
        repo.create_git_ref(f"refs/heads/{name}", repo.get_branch("main").commit.sha)
    made = repo.create_file(path, f"Write {path}", text, branch=name)
    return str(made["commit"].sha)


def opened(desk: Desk, name: str = "side", path: str = "side.txt", body: str = "") -> PullRequest:
    branch(desk, name, path, f"{name}\n")
    return desk.repo("hubot").create_pull("main", name, title=f"Merge {name}", body=body)


def mergeable(desk: Desk, number: int) -> tuple[bool | None, str]:
    """The first look makes the twin look; the answer comes with a later one, as on GitHub."""
    pull = until(lambda: desk.repo().get_pull(number), lambda p: p.mergeable is not None)
    return pull.mergeable, pull.mergeable_state
