"""All that is asked of a bare repository. libgit2 does the work; refs move by compare-and-swap."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2 import Commit, Oid, Repository, Signature, Tree
from pygit2.enums import DeltaStatus, FileMode, SortMode

ZERO = "0" * 40
HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)")
HOST = "users.noreply.github.com"
Entries = dict[str, tuple[str, int]]
STATES = {
    DeltaStatus.ADDED: "added", DeltaStatus.DELETED: "removed", DeltaStatus.MODIFIED: "modified",
    DeltaStatus.RENAMED: "renamed", DeltaStatus.COPIED: "copied", DeltaStatus.TYPECHANGE: "changed",
}  # fmt: skip


class Moved(Exception):
    """The ref is not where it was a moment ago."""


class Conflicts(Exception):
    """The two sides changed the same lines."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    path: str
    old_path: str
    status: str
    additions: int
    deletions: int
    patch: str
    sha: str


def init(folder: Path, branch: str) -> None:
    repo = pygit2.init_repository(str(folder), bare=True, initial_head=branch)
    repo.config["http.receivepack"] = True
    repo.config["uploadpack.allowAnySHA1InWant"] = True
    repo.config["receive.advertiseAtomic"] = True
    repo.config["transfer.hideRefs"] = "refs/twin"


def open_repo(folder: Path) -> Repository:
    return Repository(str(folder))


def person(login: str, at: float | None = None) -> Signature:
    return Signature(login, f"{login}@{HOST}", int(at or time.time()), 0)


def first_commit(folder: Path, branch: str, name: str, login: str) -> str:
    repo = open_repo(folder)
    tree = write_tree(
        repo, {"README.md": (str(repo.create_blob(f"# {name}\n".encode())), 0o100644)}
    )
    who = person(login)
    return str(repo.create_commit(f"refs/heads/{branch}", who, who, "Initial commit", tree, []))


def set_head(folder: Path, branch: str) -> None:
    open_repo(folder).set_head(f"refs/heads/{branch}")


def resolve(folder: Path, name: str) -> str | None:
    """A branch, a tag, a full ref or a sha -> the sha of its commit."""
    found = commit_of(open_repo(folder), name)
    return str(found.id) if found else None


def commit_of(repo: Repository, name: str) -> Commit | None:
    for full in (f"refs/heads/{name}", f"refs/tags/{name}", f"refs/{name}", name):
        try:
            if full.startswith("refs/"):
                found = repo.references[full].peel(Commit)
            else:
                found = repo[full].peel(Commit)
            return found
        except (KeyError, ValueError, pygit2.GitError):
            continue
    return None


def refs(repo: Repository, prefix: str) -> Iterator[tuple[str, str]]:
    for name in sorted(repo.references):
        if name.startswith(prefix):
            target = repo.references[name].target
            yield name, str(target)


def is_empty(repo: Repository) -> bool:
    return not list(repo.references)


def ref_target(repo: Repository, name: str) -> str | None:
    try:
        return str(repo.references[name].target)
    except (KeyError, ValueError):
        return None


def move_ref(repo: Repository, name: str, new: str, expected: str | None) -> None:
    """Only from where it is expected; None means that it must not be there yet."""
    try:
        if expected is None:
            repo.references.create(name, Oid(hex=new), force=False)
            return
        ref = repo.references[name]
        if str(ref.target) != expected:
            raise Moved(name)
        ref.set_target(Oid(hex=new))
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise Moved(name) from error


def delete_ref(repo: Repository, name: str) -> None:
    repo.references.delete(name)


def is_ancestor(repo: Repository, old: str, new: str) -> bool:
    return old == new or repo.descendant_of(Oid(hex=new), Oid(hex=old))


def write_tree(repo: Repository, files: Entries, base: Tree | None = None) -> Oid:
    """`files` maps a path to its object and mode, on top of `base`; an empty sha removes."""
    builder = repo.TreeBuilder(base) if base is not None else repo.TreeBuilder()
    below: dict[str, Entries] = {}
    for path, entry in files.items():
        first, _, rest = path.partition("/")
        if rest:
            below.setdefault(first, {})[rest] = entry
        elif entry[0]:
            builder.insert(first, Oid(hex=entry[0]), FileMode(entry[1]))
        elif builder.get(first) is not None:
            builder.remove(first)
    for name, entries in below.items():
        there = builder.get(name)
        sub = there if isinstance(there, Tree) else None
        made = write_tree(repo, entries, sub)
        if len(repo[made].peel(Tree)):
            builder.insert(name, made, FileMode.TREE)
        elif there is not None:
            builder.remove(name)
    return builder.write()


def blob_at(repo: Repository, commit: Commit, path: str) -> bytes | None:
    try:
        found = commit.tree[path]
    except KeyError:
        return None
    return found.data if isinstance(found, pygit2.Blob) else None


def history(repo: Repository, start: Commit, *, without: Commit | None = None) -> Iterator[Commit]:
    """Newest first; children always before parents."""
    walker = repo.walk(start.id, SortMode.TOPOLOGICAL | SortMode.TIME)
    if without is not None:
        walker.hide(without.id)
    yield from walker


def merge_base(repo: Repository, one: Commit, two: Commit) -> Commit | None:
    found = repo.merge_base(one.id, two.id)
    return repo[found].peel(Commit) if found else None


def merged_tree(repo: Repository, base: Commit, ours: Commit, theirs: Commit) -> Oid:
    index = repo.merge_trees(base.tree, ours.tree, theirs.tree)
    if index.conflicts is not None:
        raise Conflicts
    return index.write_tree(repo)


def diff(repo: Repository, old: Tree | None, new: Tree) -> list[FileDiff]:
    found = new.diff_to_tree(old, swap=True) if old is not None else new.diff_to_tree(swap=True)
    found.find_similar()
    return [_file(patch) for patch in found if patch is not None]


def hunk_at(patch: str, line: int, left: bool) -> tuple[str, int] | None:
    """The part of a patch that ends with this line, and how far down it is from the first hunk."""
    kept: list[str] = []
    old = new = 0
    for position, row in enumerate(patch.split("\n")):
        head = HUNK.match(row)
        if head:
            kept, old, new = [row], int(head[1]) - 1, int(head[2]) - 1
            continue
        kept.append(row)
        old, new = old + (row[:1] != "+"), new + (row[:1] != "-")
        if line == (old if left else new) and row[:1] != ("+" if left else "-"):
            return "\n".join(kept), position
    return None


def _file(patch: pygit2.Patch) -> FileDiff:
    delta = patch.delta
    _, additions, deletions = patch.line_stats
    text = patch.text or ""
    at = text.find("@@")
    gone = delta.status == DeltaStatus.DELETED
    return FileDiff(
        delta.new_file.path, delta.old_file.path, STATES.get(delta.status, "changed"), additions,
        deletions, text[at:].rstrip("\n") if at >= 0 else "",
        str(delta.old_file.id if gone else delta.new_file.id),
    )  # fmt: skip
