"""Commits, branches, tags and commit statuses. Nothing here is ever forced."""

from __future__ import annotations

from itertools import islice

from github.Commit import Commit
from github.GitCommit import GitCommit
from github.GitRef import GitRef
from github.GitTree import GitTree
from github.InputGitTreeElement import InputGitTreeElement

from bot.events import BranchMoved, Published
from bot.io.github.settings import seen
from bot.io.github.site import Site
from bot.io.github.wire import PAGE, Refused
from bot.ports import Rejected
from schemas.acts import CheckRun, CommitStatus, Publish, TagCommit
from schemas.workflow import Task, Workflow

CONTEXT = "stratbot/sandbox"
BY_NAME = ("halt/", "back/")
"""Tags that machines know by their name alone."""
CHECK = "stratbot report"
TRAILER = "Stratbot-Act"
DESCRIPTION = 140
TAKEN = (409, 422)
"""What GitHub says when a ref is there already, or has moved on."""


def publish(site: Site, workflow: Workflow, act: Publish) -> Published | BranchMoved | None:
    """None where the branch is no longer where it must be: the next look finds why."""
    if act.parent is None and any(t.head is None and _is_on(t, act) for t in workflow.tasks):
        begun = _begin(site, workflow, act)
        if begun:
            return begun
    history = commits_of(site, act.branch)
    done = _done(history, act)
    if done:
        return Published(act.branch, done)
    if act.parent and _is_elsewhere(act, history):
        return _left_alone(act, history)
    parent = history[0] if history else _base(site, act.base, workflow.policy.default_branch)
    sha = _commit(site, parent, act)
    try:
        (_advance if history else create)(site, act.branch, sha)
    except Refused as no:
        if no.status not in TAKEN:
            raise
        history = commits_of(site, act.branch)
        raced = _done(history, act)
        if raced is None and act.parent:
            return _left_alone(act, history)
        if raced is None:
            raise Rejected(f"somebody pushed to {act.branch} meanwhile; look at it first") from no
        return Published(act.branch, raced)
    return Published(act.branch, sha)


def _is_elsewhere(act: Publish, history: list[Commit]) -> bool:
    """Somebody else's commit is on top, or what was to be added to is gone."""
    return history[0].sha != act.parent if history else act.branch == act.base


def _left_alone(act: Publish, history: list[Commit]) -> BranchMoved | None:
    """A repair gives way to what somebody pushed. The next look finds a branch that is gone."""
    return BranchMoved(act.branch, history[0].sha) if history else None


def _begin(site: Site, workflow: Workflow, act: Publish) -> Published | None:
    """A first commit seldom finds its branch there; if it does, the careful way finds out why."""
    first = workflow.delivery.head is None  # then nothing was merged yet, and its branch is new
    below = (start if first else _base)(site, act.base, workflow.policy.default_branch)
    sha = _commit(site, below, act)
    try:
        create(site, act.branch, sha)
    except Refused as no:
        if no.status not in TAKEN:
            raise
        return None
    return Published(act.branch, sha)


def show_status(site: Site, view: CommitStatus) -> None:
    commit = Commit(
        site.wire, attributes={"url": f"{site.url}/commits/{view.sha}", "sha": view.sha}
    )
    text = view.description[:DESCRIPTION]
    there = () if view.sha in site.made else commit.get_combined_status().statuses
    for status in there:
        if status.context == CONTEXT and (status.state, status.description) == (view.state, text):
            return
    site.made.discard(view.sha)
    commit.create_status(view.state, description=text, context=CONTEXT)


def check(site: Site, act: CheckRun) -> None:
    """The newest of a name is what GitHub shows, so a repeat does no harm."""
    notes = [
        {
            "path": a.path, "start_line": a.line, "end_line": a.line,
            "annotation_level": "notice" if act.passed else "failure",
            "title": a.title[:255], "message": a.message,
        }
        for a in act.annotations
    ]  # fmt: skip
    output = {"title": act.title[:255], "summary": act.summary, "annotations": notes}
    given = {
        "name": CHECK, "head_sha": act.sha, "status": "completed", "external_id": act.key,
        "conclusion": "success" if act.passed else "failure", "output": output,
    }  # fmt: skip
    site.wire.requestJsonAndCheck("POST", f"{site.url}/check-runs", input=given)


def tag(site: Site, act: TagCommit) -> None:
    """It is never moved. One that is there is ours only if it is on the commit that we mean."""
    by_name = act.name.startswith(BY_NAME)
    if act.name.startswith("live/") and _tagged(site, act.name) == act.sha:
        return  # not sent again: GitHub may refuse today what it took then
    sha = _bare(site, act.message) if by_name else act.sha
    made = site.repo.create_git_tag(act.name, act.message, sha, "commit")
    try:
        site.repo.create_git_ref(f"refs/tags/{act.name}", made.sha)
    except Refused as no:
        there = _tagged(site, act.name) if no.status in TAKEN else None
        if there is None or not (by_name or there == act.sha):
            raise


def _bare(site: Site, message: str) -> str:
    """A commit of its own, below nothing: GitHub lets no job put a tag on a commit whose workflows
    are not those of today, and a kill switch must not depend on that."""
    note = InputGitTreeElement("SIGNAL", "100644", "blob", content=message)
    return site.repo.create_git_commit(message, site.repo.create_git_tree([note]), []).sha


def _tagged(site: Site, name: str) -> str | None:
    """The commit that the tag is on; None where there is no such tag after all."""
    try:
        _, ref = site.wire.requestJsonAndCheck("GET", f"{site.url}/git/ref/tags/{name}")
        if ref["object"]["type"] != "tag":
            return str(ref["object"]["sha"])
        _, made = site.wire.requestJsonAndCheck(
            "GET", f"{site.url}/git/tags/{ref['object']['sha']}"
        )
    except Refused as no:
        if no.status != 404:
            raise
        return None
    return str(made["object"]["sha"])


def _is_on(task: Task, act: Publish) -> bool:
    return act.branch.endswith(f"/{task.id}")


def commits_of(site: Site, branch: str) -> list[Commit]:
    """The newest commits; none when there is no such branch."""
    try:
        return list(islice(site.repo.get_commits(sha=branch), PAGE))
    except Refused as no:
        if no.status != 404:
            raise
        return []


def _done(history: list[Commit], act: Publish) -> str | None:
    """The commit of this act, among those that the branch itself was at."""
    by_sha = {commit.sha: commit for commit in history}
    here = history[0] if history else None
    while here is not None:
        if here.commit.message.rstrip().endswith(f"\n{TRAILER}: {act.key}"):
            return here.sha
        here = by_sha.get(here.parents[0].sha) if here.parents else None
    return None


def _base(site: Site, base: str, default: str) -> Commit:
    found = commits_of(site, base)
    return found[0] if found else start(site, base, default)


def start(site: Site, base: str, default: str) -> Commit:
    """A branch for what is to be delivered; where it is there already, its newest commit."""
    below = commits_of(site, default)
    if not below:
        raise Rejected(f"there is no branch {default} to start {base} from")
    try:
        create(site, base, below[0].sha)
    except Refused as no:
        found = commits_of(site, base)
        if no.status not in TAKEN or not found:
            raise
        return found[0]
    return below[0]


def _commit(site: Site, parent: Commit, act: Publish) -> str:
    files = [InputGitTreeElement(f.path, "100644", "blob", content=f.text) for f in act.files]
    gone = [path for path in act.removes if _is_there(site, parent.sha, path)]
    files += [InputGitTreeElement(path, "100644", "blob", sha=None) for path in gone]
    base = GitTree(site.wire, {}, {"sha": parent.commit.tree.sha}, completed=True)
    above = GitCommit(site.wire, {}, {"sha": parent.sha}, completed=True)
    tree = site.repo.create_git_tree(files, base)
    message = "\n".join([act.message, "", *act.trailers, f"{TRAILER}: {act.key}"])
    sha = site.repo.create_git_commit(message, tree, [above]).sha
    site.made.add(sha)
    return sha


def _is_there(site: Site, sha: str, path: str) -> bool:
    return seen(site.wire, f"{site.url}/contents/{path}?ref={sha}") is not None


def create(site: Site, branch: str, sha: str) -> None:
    site.repo.create_git_ref(f"refs/heads/{branch}", sha)


def _advance(site: Site, branch: str, sha: str) -> None:
    """Without force: a branch that moved meanwhile refuses."""
    GitRef(site.wire, url=f"{site.url}/git/refs/heads/{branch}").edit(sha, force=False)
