"""Pull requests: opened once, and merged only into the base and at the commit that were tested."""

from __future__ import annotations

from dataclasses import replace

from github.PullRequest import PullRequest

from bot.events import BranchGone, PullMerged, PullOpened
from bot.io.github.code import commits_of, create, start
from bot.io.github.site import Site, gone, marker
from bot.io.github.wire import Refused
from bot.ports import Rejected, Unavailable
from schemas.acts import MergePull, OpenPull
from schemas.workflow import Workflow

METHODS = ("merge", "squash", "rebase")
FORBIDDEN = "not allowed on this repository"
"""GitHub's words for a way of merging that is switched off."""


def open_pull(site: Site, workflow: Workflow, act: OpenPull) -> PullOpened | BranchGone:
    """GitHub refuses a second one by itself, so only its no needs a look."""
    body = site.signed(marker("request", workflow.issue), act.body)
    try:
        made = site.repo.create_pull(act.base, act.branch, title=act.title[:256], body=body)
    except Refused as no:
        if no.status != 422:
            raise
        pulls = _pulls(site, act.branch)  # there already, or merged so that nothing is left
        merged = (p for p in pulls if p.merged_at and p.base.ref == act.base)
        found = _open(pulls, act.base) or next(merged, None)
        if found is None and not commits_of(site, act.branch):
            return _open_again(site, workflow, act)
        if found is None and commits_of(site, act.base):
            raise
        if found is None:
            _bring_back(site, workflow, act.base)
            return open_pull(site, workflow, act)
        return PullOpened(act.branch, found.number)
    return PullOpened(act.branch, made.number)


def _bring_back(site: Site, workflow: Workflow, base: str) -> None:
    """Somebody deleted the branch that the steps go into: as it was after the newest of them."""
    if workflow.delivery.head is None:
        start(site, base, workflow.policy.default_branch)
    else:
        create(site, base, workflow.delivery.head)


def _open_again(site: Site, workflow: Workflow, act: OpenPull) -> PullOpened | BranchGone:
    """A branch that somebody deleted; its pull request keeps the commit that it stood on."""
    if act.sha is None:
        return BranchGone(act.branch)
    try:
        site.repo.create_git_ref(f"refs/heads/{act.branch}", act.sha)
    except Refused as no:
        if no.status != 422:
            raise
        if not commits_of(site, act.branch):  # GitHub no longer has the commit
            return BranchGone(act.branch)
    return open_pull(site, workflow, replace(act, sha=None))


def merge_pull(site: Site, workflow: Workflow, act: MergePull) -> PullMerged | None:
    """None where the branch got another commit after its test: the next look finds that commit.

    The pull request is looked at first: a person may have turned it to another base.
    """
    pull = _tested(site, workflow, act)
    if pull is None:
        pulls = _pulls(site, act.branch)
        done = _merged(pulls, act)
        if done:
            return done
        pull = _open(pulls, act.base)
    if pull is None:
        raise Rejected(f"{act.branch} has no open pull request into {act.base}")
    try:
        return PullMerged(act.branch, _merge(site, pull, act))
    except Refused as no:
        if no.status not in (405, 409):
            raise
        raced = _merged(_pulls(site, act.branch), act)
        if raced is None and no.status != 409:
            raise _unmerged(pull, no) from no
        return raced


def _tested(site: Site, workflow: Workflow, act: MergePull) -> PullRequest | None:
    """The one that passed, if it can be merged. The same look tells whether anybody wrote there."""
    number = next((t.pull for t in workflow.tasks if t.passed_sha == act.sha), None)
    if number is None:
        return None
    try:
        pull = site.repo.get_pull(number)
        if pull.comments == 0:
            site.silent(number)
        return _open([pull], act.base)
    except Refused as no:
        if not gone(no):
            raise
        return None


def _merge(site: Site, pull: PullRequest, act: MergePull, ways: tuple[str, ...] = METHODS) -> str:
    """In the first way that the repository allows."""
    way, *others = ways
    try:
        sha = pull.merge(sha=act.sha, merge_method=way).sha
    except Refused as no:
        if not others or FORBIDDEN not in str(no):
            raise
        return _merge(site, pull, act, tuple(others))
    site.made.add(sha)
    return sha


def _pulls(site: Site, branch: str) -> list[PullRequest]:
    """Newest first, open or not. The owner's name keeps forks out."""
    head = f"{site.name.split('/')[0]}:{branch}"
    return list(site.repo.get_pulls(state="all", head=head))


def _open(pulls: list[PullRequest], base: str) -> PullRequest | None:
    """Anybody may open a second one from our branch to somewhere else."""
    return next((p for p in pulls if p.state == "open" and p.base.ref == base), None)


def _merged(pulls: list[PullRequest], act: MergePull) -> PullMerged | None:
    """Merged at this very commit: what was merged at another one is not what was tested."""
    for pull in pulls:
        if pull.merged_at and (pull.head.sha, pull.base.ref) == (act.sha, act.base):
            return PullMerged(act.branch, pull.merge_commit_sha)
    return None


def _unmerged(pull: PullRequest, no: Refused) -> Rejected | Unavailable:
    if "base branch was modified" in str(no).lower():  # GitHub's 405 for "once more, please"
        return Unavailable(f"#{pull.number}: the branch below it moved during the merge")
    return Rejected(f"#{pull.number} cannot be merged: {no}")
