"""A job's token must not write the workflows that give it its rights: GitHub refuses that."""

from __future__ import annotations

from pygit2 import Commit, Repository, Tree

from bot.twin import gitrepo
from bot.twin.call import Call, Problem

FOLDER = ".github/workflows"
REFUSED = (
    "refusing to allow a GitHub App to create or update workflow files "
    f"in `{FOLDER}` without `workflows` permission"
)
HOOK = f"""
if [ -n "$TWIN_JOB" ]; then
  tree() {{ git rev-parse --quiet --verify "$1:{FOLDER}" || true; }}
  while read -r old new ref; do
    case "$new" in 0000000000000000000000000000000000000000) continue;; esac
    mine=$(tree "$new"); [ -n "$mine" ] || continue
    below=$(git merge-base "$TWIN_JOB" "$new" || true)
    same=; for tip in $below $(git for-each-ref --format='%(objectname)' refs/heads refs/tags); do
      if [ "$(tree "$tip")" = "$mine" ]; then same=yes; break; fi
    done
    if [ -z "$same" ]; then echo "{REFUSED.replace("`", "'")}" >&2; exit 1; fi
  done <"$TWIN_ASKED"
fi
"""
"""The same for a push, which only git itself can look into before it is taken."""


def check_workflows(call: Call, store: Repository, sha: str) -> None:
    """What is already on a branch, or was when this left the default branch, is not written."""
    head = store.get(sha)
    if not call.silent or not isinstance(head, Commit):
        return
    mine = _tree(head)
    if mine is None:
        return
    default = gitrepo.commit_of(store, f"refs/heads/{call.repo['default_branch']}")
    below = gitrepo.merge_base(store, default, head) if default else None
    tips = (gitrepo.commit_of(store, name) for name, _ in gitrepo.refs(store, "refs/heads/"))
    if mine not in {_tree(commit) for commit in (below, *tips) if commit is not None}:
        raise Problem(403, REFUSED)


def _tree(commit: Commit) -> str | None:
    try:
        found = commit.tree[FOLDER]
    except KeyError:
        return None
    return str(found.id) if isinstance(found, Tree) else None
