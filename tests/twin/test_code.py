"""Git's objects, refs, files and comparisons, as PyGithub and git itself see them."""

import base64
import subprocess
from typing import Any

import pytest
from github import InputGitAuthor, InputGitTreeElement

from tests.twin.desk import Desk, refused


def commit(desk: Desk, path: str, text: str, branch: str = "main", login: str = "octocat") -> str:
    """Blob by blob, as the bot does it."""
    repo = desk.repo(login)
    below = repo.get_git_commit(repo.get_git_ref(f"heads/{branch}").object.sha)
    element = InputGitTreeElement(path, "100644", "blob", content=text)
    tree = repo.create_git_tree([element], below.tree)
    made = repo.create_git_commit(f"Write {path}", tree, [below])
    repo.get_git_ref(f"heads/{branch}").edit(made.sha)
    return made.sha


def test_a_commit_is_made_of_its_parts(desk: Desk) -> None:
    repo = desk.repo("hubot")
    start = repo.get_branch("main").commit.sha
    blob = repo.create_git_blob(base64.b64encode(b"\x00\x01").decode(), "base64")
    parts = [
        InputGitTreeElement("a/b.py", "100755", "blob", content="x = 1\n"),
        InputGitTreeElement("raw", "100644", "blob", sha=blob.sha),
    ]
    base = repo.get_git_commit(start)
    tree = repo.create_git_tree(parts, base.tree)
    author = InputGitAuthor("Ada", "ada@example.org", "2026-01-02T03:04:05Z")
    made = repo.create_git_commit("Add\n\nWhy: because", tree, [base], author=author)
    assert (made.message, made.author.name, made.committer.name) == (
        "Add\n\nWhy: because",
        "Ada",
        "Ada",
    )
    repo.get_git_ref("heads/main").edit(made.sha)
    paths = [e.path for e in repo.get_git_tree("main", recursive=True).tree]
    assert paths == ["README.md", "a", "a/b.py", "raw"]
    assert base64.b64decode(repo.get_git_blob(blob.sha).content) == b"\x00\x01"
    found = repo.get_commit("main")
    assert (found.sha, found.stats.additions) == (made.sha, 1)
    assert {f.filename for f in found.files} == {"a/b.py", "raw"}
    assert [c.sha for c in repo.get_commits()] == [made.sha, start]
    assert [c.sha for c in repo.get_commits(path="README.md")] == [start]


def test_what_is_not_there_makes_no_commit(desk: Desk) -> None:
    repo = desk.repo()
    tree = repo.get_git_tree("main").sha
    nowhere = "0" * 39 + "1"
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/git/commits", {"message": "x", "tree": nowhere}),
        ("/git/commits", {"message": "x", "tree": tree, "parents": [nowhere]}),
        ("/git/trees", {"tree": [{"path": "x", "mode": "100644", "type": "blob", "sha": nowhere}]}),
        (
            "/git/trees",
            {"tree": [{"path": "../x", "mode": "100644", "type": "blob", "content": ""}]},
        ),
        (
            "/git/trees",
            {"tree": [{"path": ".git/x", "mode": "100644", "type": "blob", "content": ""}]},
        ),
        ("/git/refs", {"ref": "refs/heads/x", "sha": nowhere}),
        ("/git/refs", {"ref": "heads/x", "sha": repo.get_branch("main").commit.sha}),
        ("/git/refs", {"ref": "refs/heads/a..b", "sha": repo.get_branch("main").commit.sha}),
    ]
    for path, body in asked:
        assert desk.api("POST", desk.at(path), **body).status_code == 422, (path, body)
    got = desk.api("POST", desk.at("/git/trees"), base_tree=nowhere, tree=[])
    assert got.status_code == 404


def test_refs_move_forward_only(desk: Desk) -> None:
    repo = desk.repo("hubot")
    start = repo.get_branch("main").commit.sha
    ref = repo.create_git_ref("refs/heads/ai/generated/wf_1/t1", start)
    with refused(422, "Reference already exists"):
        repo.create_git_ref("refs/heads/ai/generated/wf_1/t1", start)
    with refused(422, "already exists"):  # a folder and a file of one name
        repo.create_git_ref("refs/heads/ai/generated", start)
    ahead = commit(desk, "x", "1\n", "ai/generated/wf_1/t1", "hubot")
    with refused(422, "not a fast forward"):
        ref.edit(start)
    ref.edit(start, force=True)
    assert repo.get_git_ref("heads/ai/generated/wf_1/t1").object.sha == start != ahead
    ref.delete()
    with refused(404):
        repo.get_git_ref("heads/ai/generated/wf_1/t1")
    with refused(422, "does not exist"):
        ref.edit(ahead)
    with refused(403):
        desk.repo("stranger").create_git_ref("refs/heads/mine", start)


def test_refs_outside_of_heads_and_tags(desk: Desk) -> None:
    repo = desk.repo()
    sha = repo.get_branch("main").commit.sha
    repo.create_git_ref("refs/stratbot/wf_1", sha)
    repo.create_git_ref("refs/stratbot/wf_2", sha)
    assert [r.ref for r in repo.get_git_matching_refs("stratbot/wf_")] == [
        "refs/stratbot/wf_1", "refs/stratbot/wf_2",
    ]  # fmt: skip
    assert [b.name for b in repo.get_branches()] == ["main"]


def test_tags_with_and_without_an_object(desk: Desk) -> None:
    repo = desk.repo()
    sha = repo.get_branch("main").commit.sha
    tag = repo.create_git_tag("v1", "First", sha, "commit")
    repo.create_git_ref("refs/tags/v1", tag.sha)
    repo.create_git_ref("refs/tags/v0", sha)
    assert repo.get_git_tag(tag.sha).message == "First"
    assert {t.name: t.commit.sha for t in repo.get_tags()} == {"v0": sha, "v1": sha}


def test_files_are_written_with_the_sha_that_was_seen(desk: Desk) -> None:
    repo = desk.repo("hubot")
    made = repo.create_file("docs/a.md", "Add a", "one\n")
    sha = made["content"].sha
    with refused(422, "sha"):
        repo.create_file("docs/a.md", "Again", "two\n")
    repo.update_file("docs/a.md", "Change a", "two\n", sha)
    with refused(409, "does not match"):
        repo.update_file("docs/a.md", "Change a", "three\n", sha)
    found = repo.get_contents("docs/a.md")
    assert not isinstance(found, list) and found.decoded_content == b"two\n"
    assert [f.path for f in repo.get_contents("docs")] == ["docs/a.md"]  # type: ignore[union-attr]
    repo.delete_file("docs/a.md", "Remove a", found.sha)
    with refused(404):
        repo.get_contents("docs/a.md")
    assert repo.get_commits().totalCount == 4


def test_two_branches_are_compared(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_git_ref("refs/heads/side", repo.get_branch("main").commit.sha)
    commit(desk, "side.txt", "a\nb\n", "side")
    ahead = repo.compare("main", "side")
    assert (ahead.status, ahead.ahead_by, ahead.behind_by) == ("ahead", 1, 0)
    [file] = ahead.files
    assert (file.filename, file.status, file.additions) == ("side.txt", "added", 2)
    assert file.patch == "@@ -0,0 +1,2 @@\n+a\n+b"
    commit(desk, "main.txt", "c\n")
    assert repo.compare("main", "side").status == "diverged"
    assert repo.compare("main", "main").status == "identical"
    with refused(404):
        repo.compare("main", "nowhere")


def git(
    desk: Desk, *args: str, login: str = "", where: str = ""
) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(desk.folder), "GIT_TERMINAL_PROMPT": "0",
           "GIT_AUTHOR_NAME": "o", "GIT_AUTHOR_EMAIL": "octocat@users.noreply.github.com",
           "GIT_COMMITTER_NAME": "o", "GIT_COMMITTER_EMAIL": "o@example.org"}  # fmt: skip
    folder = desk.folder / where
    return subprocess.run(["git", *args], cwd=folder, env=env, capture_output=True, text=True)


def address(desk: Desk, login: str = "") -> str:
    who = f"x-access-token:token-of-{login}@" if login else ""
    return desk.twin.url.replace("http://", f"http://{who}") + f"/{desk.full_name}.git"


def test_git_clones_and_pushes(desk: Desk) -> None:
    assert git(desk, "clone", "-q", address(desk, "hubot"), "here").returncode == 0
    (desk.folder / "here" / "new.txt").write_text("x" * 2_000_000)
    for args in (("add", "."), ("commit", "-qm", "Add new"), ("push", "-q", "origin", "main")):
        done = git(desk, *args, where="here")
        assert done.returncode == 0, done.stderr
    head = git(desk, "rev-parse", "HEAD", where="here").stdout.strip()
    found = desk.repo().get_commit("main")
    assert found.sha == head and found.author.login == "octocat"
    commit(desk, "other.txt", "1\n")
    (desk.folder / "here" / "late.txt").write_text("late")
    git(desk, "add", ".", where="here")
    git(desk, "commit", "-qm", "Late", where="here")
    late = git(desk, "push", "origin", "main", where="here")
    assert late.returncode == 1 and "rejected" in late.stderr
    assert git(desk, "pull", "-q", "--rebase", where="here").returncode == 0
    assert (
        git(desk, "push", "-q", "origin", "HEAD:refs/stratbot/wf_9", where="here").returncode == 0
    )
    assert [r.ref for r in desk.repo().get_git_matching_refs("stratbot/")] == ["refs/stratbot/wf_9"]


def test_a_push_with_a_lease_is_a_compare_and_swap(desk: Desk) -> None:
    git(desk, "clone", "-q", address(desk, "hubot"), "here")
    first = git(desk, "rev-parse", "HEAD", where="here").stdout.strip()
    ref = "refs/stratbot/wf_1"
    new = git(
        desk, "push", "-q", f"--force-with-lease={ref}:", "origin", f"HEAD:{ref}", where="here"
    )
    assert new.returncode == 0, new.stderr
    git(desk, "commit", "--allow-empty", "-qm", "x", where="here")
    again = git(desk, "push", f"--force-with-lease={ref}:", "origin", f"HEAD:{ref}", where="here")
    assert again.returncode == 1 and "rejected" in again.stderr
    assert desk.repo().get_git_ref("stratbot/wf_1").object.sha == first


def test_git_is_refused_where_the_api_is(desk: Desk) -> None:
    git(desk, "clone", "-q", address(desk), "here")
    git(desk, "commit", "--allow-empty", "-qm", "x", where="here")
    anonymous = git(desk, "push", "origin", "main", where="here")
    assert anonymous.returncode and "could not read Username" in anonymous.stderr
    stranger = git(desk, "push", address(desk, "stranger"), "main", where="here")
    assert stranger.returncode and "403" in stranger.stderr
    hidden = git(desk, "push", address(desk, "octocat"), "HEAD:refs/pull/1/head", where="here")
    assert hidden.returncode and "hidden ref" in hidden.stderr
    desk.repo().edit(private=True)
    assert git(desk, "ls-remote", address(desk)).returncode
    assert "not found" in git(desk, "ls-remote", address(desk, "stranger")).stderr
    assert git(desk, "ls-remote", address(desk, "hubot")).returncode == 0


def test_a_protected_branch_takes_no_push(desk: Desk) -> None:
    desk.repo().get_branch("main").edit_protection(
        strict=False, contexts=["sandbox"], enforce_admins=True, required_approving_review_count=1
    )
    git(desk, "clone", "-q", address(desk, "octocat"), "here")
    git(desk, "commit", "--allow-empty", "-qm", "x", where="here")
    pushed = git(desk, "push", "origin", "main", where="here")
    assert pushed.returncode and "GH006" in pushed.stderr
    assert git(desk, "push", "-q", "origin", "HEAD:side", where="here").returncode == 0
    with refused(409, "through a pull request"):
        desk.repo("hubot").create_file("x", "Add x", "x")
    with refused(422):
        commit(desk, "x", "x")


@pytest.mark.parametrize("verb,path", [("GET", "/commits"), ("POST", "/git/trees")])
def test_a_repository_without_a_commit(desk: Desk, verb: str, path: str) -> None:
    name = f"{desk.name}-empty"
    desk.client().get_user().create_repo(name)
    body: dict[str, Any] = {"tree": []} if verb == "POST" else {}
    got = desk.api(verb, f"/repos/octocat/{name}{path}", **body)
    assert (got.status_code, got.json()["message"]) == (409, "Git Repository is empty.")
    made = desk.client().get_user().get_repo(name).create_file("a", "First", "1")
    assert (
        made["commit"].sha
        == desk.client().get_repo(f"octocat/{name}").get_branch("main").commit.sha
    )
