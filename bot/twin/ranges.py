"""What a pull request brings: its commits, its files, and how much of each."""

from __future__ import annotations

from pygit2 import Commit, Repository

from bot.twin import gitrepo
from bot.twin.store import Row


def commits_of(store: Repository, row: Row) -> list[Commit]:
    base, head = (gitrepo.commit_of(store, row[x]) for x in ("base_sha", "head_sha"))
    if head is None:
        return []
    return list(gitrepo.history(store, head, without=base))[::-1]


def files_of(store: Repository, row: Row) -> list[gitrepo.FileDiff]:
    """What the head changes since it left its base, not what the base did meanwhile."""
    base, head = (gitrepo.commit_of(store, row[x]) for x in ("base_sha", "head_sha"))
    if head is None:
        return []
    below = gitrepo.merge_base(store, base, head) if base else None
    return gitrepo.diff(store, below.tree if below else None, head.tree)


def counts(store: Repository, row: Row) -> dict[str, int]:
    files = files_of(store, row)
    return {
        "commits": len(commits_of(store, row)), "changed_files": len(files),
        "additions": sum(f.additions for f in files), "deletions": sum(f.deletions for f in files),
    }  # fmt: skip
