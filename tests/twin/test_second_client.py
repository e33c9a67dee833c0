"""The same twin through github3.py, which reads other fields and asks in other ways."""

from __future__ import annotations

import base64
from typing import Any

import github3
import pytest
from github3.exceptions import ForbiddenError, GitHubException, NotFoundError, UnprocessableEntity

from tests.twin.desk import Desk
from tests.twin.workflows import GATED, WORK, ended, write


def side(repo: Any, name: str = "side", path: str = "side.txt", text: bytes = b"x\n") -> str:
    head = repo.branch("main").commit.sha
    repo.create_ref(f"refs/heads/{name}", head)
    made = repo.create_file(path, f"Write {path}", text, branch=name)
    return str(made["commit"].sha)


def test_issues_and_comments(desk: Desk) -> None:
    repo = desk.other()
    issue = repo.create_issue("Breakout", body="Buy.", labels=["strategy"], assignees=["hubot"])
    assert (issue.number, issue.title, issue.state) == (1, "Breakout", "open")
    comment = issue.create_comment("/help")
    comment.edit("/help me")
    assert [c.body for c in issue.comments()] == ["/help me"]
    assert [x.name for x in issue.labels()] == ["strategy"]
    issue.add_labels("a", "b")
    issue.remove_label("a")
    assert sorted(x.name for x in issue.labels()) == ["b", "strategy"]
    issue.lock()
    with pytest.raises(ForbiddenError):
        desk.other("stranger").issue(1).create_comment("but")
    issue.unlock()
    issue.close()
    assert [e.event for e in issue.events()][-1] == "closed"
    assert [i.number for i in repo.issues(state="closed")] == [1]
    comment.delete()
    with pytest.raises(NotFoundError):
        repo.issue(99)
    with pytest.raises(UnprocessableEntity):
        issue.create_comment("x" * 65_537)


def test_a_listing_of_many_pages(desk: Desk) -> None:
    repo = desk.other()
    for n in range(5):
        repo.create_issue(f"issue {n}")
    first = repo.issues(number=-1)
    first.params["per_page"] = 2
    assert [i.number for i in first] == [5, 4, 3, 2, 1]
    etag = repo.issues()
    assert len(list(etag)) == 5
    etag.refresh(True)
    assert list(etag) == []


def test_labels_milestones_and_collaborators(desk: Desk) -> None:
    repo = desk.other()
    label = repo.create_label("bug", "ff0000")
    with pytest.raises(UnprocessableEntity):
        repo.create_label("Bug", "ff0000")
    label.update("bug", "00ff00")
    assert [(x.name, x.color) for x in repo.labels()] == [("bug", "00ff00")]
    milestone = repo.create_milestone("First")
    issue = repo.create_issue("x", milestone=milestone.number)
    assert issue.milestone.title == "First"
    milestone.update(state="closed")
    assert [m.title for m in repo.milestones(state="closed")] == ["First"]
    assert {c.login for c in repo.collaborators()} == {"octocat", "hubot", "monalisa"}
    assert repo.is_collaborator("hubot") and not repo.is_collaborator("stranger")
    with pytest.raises(ForbiddenError):
        desk.other("stranger").create_label("x", "ff0000")


def test_git_objects(desk: Desk) -> None:
    repo = desk.other("hubot")
    start = repo.branch("main").commit
    blob = repo.create_blob("x = 1\n", "utf-8")
    assert base64.b64decode(repo.blob(blob).content) == b"x = 1\n"
    part = {"path": "a.py", "mode": "100644", "type": "blob", "sha": blob}
    tree = repo.create_tree([part], base_tree=start.commit.tree.sha)
    author = {"name": "o", "email": "octocat@users.noreply.github.com"}
    commit = repo.create_commit("Add a", tree.sha, [start.sha], author=author)
    ref = repo.create_ref("refs/heads/ai/x", commit.sha)
    assert repo.ref("heads/ai/x").object.sha == commit.sha
    with pytest.raises(UnprocessableEntity):
        repo.create_ref("refs/heads/ai/x", commit.sha)
    with pytest.raises(UnprocessableEntity):
        repo.ref("heads/main").update("0" * 40)
    compared = repo.compare_commits("main", "ai/x")
    assert (compared.status, compared.ahead_by) == ("ahead", 1)
    assert repo.commit("ai/x").author["login"] == "octocat"
    assert repo.file_contents("a.py", "ai/x").decoded == b"x = 1\n"
    assert [name for name, _ in repo.directory_contents("", "ai/x")] == ["README.md", "a.py"]
    assert [c.sha for c in repo.commits("ai/x")] == [commit.sha, start.sha]
    assert ref.delete()
    tag = repo.create_tag(
        "v1", "First", start.sha, "commit", {**author, "date": "2026-01-01T00:00:00Z"}
    )
    assert tag.tag == "v1" and repo.ref("tags/v1").object.type == "tag"


def test_pull_requests(desk: Desk) -> None:
    repo = desk.other("hubot")
    sha = side(repo)
    pull = repo.create_pull("Side", "main", "side", body="Why.")
    with pytest.raises(UnprocessableEntity, match="422"):
        repo.create_pull("Again", "main", "side")
    assert (pull.number, pull.head.sha, repo.pull_request(1).commits_count) == (1, sha, 1)
    assert [f.filename for f in pull.files()] == ["side.txt"]
    assert [c.sha for c in pull.commits()] == [sha]
    assert b"+x" in pull.diff()
    with pytest.raises(UnprocessableEntity):
        pull.create_review(body="me", commit_id=sha, event="APPROVE")
    owner = desk.other().pull_request(1)
    owner.create_review(body="Good", commit_id=sha, event="APPROVE")
    assert [r.state for r in pull.reviews()] == ["APPROVED"]
    pull.create_review_comment("Here", sha, "side.txt", 1)
    assert [c.body for c in pull.review_comments()] == ["Here"]
    with pytest.raises(GitHubException, match="409"):
        pull.merge(sha="0" * 40)
    assert pull.merge(sha=sha, merge_method="squash")
    merged = repo.pull_request(1)
    assert merged.merged and merged.state == "closed" and merged.is_merged()
    with pytest.raises(GitHubException, match="405"):
        pull.merge()
    assert [p.number for p in repo.pull_requests(state="closed", head="octocat:side")] == [1]


def test_a_conflict(desk: Desk) -> None:
    repo = desk.other("hubot")
    side(repo)
    pull = repo.create_pull("Side", "main", "side")
    repo.create_file("side.txt", "Other", b"y\n", branch="main")
    with pytest.raises(GitHubException, match="405"):
        pull.merge()


def test_statuses_and_checks(desk: Desk) -> None:
    repo = desk.other("hubot")
    sha = repo.branch("main").commit.sha
    repo.create_status(sha, "pending", context="sandbox")
    repo.create_status(sha, "success", description="ok", context="sandbox")
    combined = repo.commit(sha).status()
    assert (combined.state, [s.description for s in combined.statuses]) == ("success", ["ok"])
    desk.repo().create_check_run(
        "lint", sha, conclusion="success"
    )  # github3.py wants an app for it
    assert [(c.name, c.conclusion) for c in repo.commit(sha).check_runs()] == [("lint", "success")]
    with pytest.raises(UnprocessableEntity):
        repo.create_status(sha, "success", description="x" * 141)


def test_releases_and_deployments(desk: Desk) -> None:
    repo = desk.other("hubot")
    release = repo.create_release("v1", name="One", body="Notes")
    assert repo.latest_release().tag_name == "v1" == repo.release_from_tag("v1").tag_name
    asset = release.upload_asset("text/plain", "a.txt", b"hello")
    assert [a.name for a in release.assets()] == ["a.txt"] and asset.size == 5
    assert release.delete()
    deployment = repo.create_deployment("main", environment="live")
    deployment.create_status("success")
    assert [s.state for s in deployment.statuses()] == ["success"]
    assert [d.environment for d in repo.deployments()] == ["live"]


def test_hooks_and_dispatch(desk: Desk) -> None:
    repo = desk.other()
    hook = repo.create_hook(
        "web", {"url": "http://127.0.0.1:1/x", "content_type": "json"}, ["push"]
    )
    assert [h.config["url"] for h in repo.hooks()] == ["http://127.0.0.1:1/x"]
    assert hook.ping() and hook.delete()
    with pytest.raises((ForbiddenError, NotFoundError)):
        list(desk.other("hubot").hooks())


def test_a_wrong_token(desk: Desk) -> None:
    client = github3.GitHub(token="nonsense")
    client.session.base_url = desk.twin.url
    with pytest.raises(github3.exceptions.AuthenticationFailed):
        client.repository("octocat", desk.name)


def test_who_may_see_a_private_repository(desk: Desk) -> None:
    desk.repo().edit(private=True)
    with pytest.raises(NotFoundError):
        desk.other("stranger")
    assert desk.other("hubot").private


def test_runs_are_seen_from_both_sides(desk: Desk) -> None:
    """github3.py knows no runs of its own; its session asks, PyGithub compares."""
    write(desk, WORK)
    write(desk, GATED.replace("exit 3", "true") % "live", "live.yml")
    session = desk.other("hubot").session
    url = f"{desk.twin.url}{desk.at('/actions/workflows/work.yml/dispatches')}"
    body = {"ref": "main", "inputs": {"issue": "3"}, "return_run_details": True}
    key = session.post(url, json=body).json()["workflow_run_id"]
    run = ended(desk, desk.repo().get_workflow_run(key))
    seen = session.get(f"{desk.twin.url}{desk.at(f'/actions/runs/{key}')}").json()
    assert (seen["conclusion"], seen["display_title"]) == (run.conclusion, run.display_title)
