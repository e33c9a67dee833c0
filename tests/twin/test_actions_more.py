"""What else starts, does not start, or is refused: paths, tags, attempts, a job's own workflows."""

from __future__ import annotations

import subprocess

import pytest

from tests.twin.desk import Desk, refused
from tests.twin.pulls import branch, opened
from tests.twin.waiting import until
from tests.twin.workflows import WORK, dispatch, ended, runs, write

ONE = "runs-on: x, steps: [{run: 'true'}]"
DOCS = f"on: {{push: {{paths: ['docs/**', '!docs/old/**']}}}}\njobs: {{docs: {{{ONE}}}}}"
REST = f"on: {{push: {{paths-ignore: ['**/*.md']}}}}\njobs: {{rest: {{{ONE}}}}}"
LAST = f"on: push\njobs: {{last: {{{ONE}}}}}"


def started(desk: Desk) -> list[str]:
    """By the newest push: `last.yml` looks at no path, and is the last that is looked at."""
    sha = desk.repo().get_branch("main").commit.sha
    found = until(
        lambda: [r.path.rsplit("/")[-1] for r in desk.repo().get_workflow_runs(head_sha=sha)],
        lambda names: "zz.yml" in names,
    )
    return sorted(set(found) - {"zz.yml"})


@pytest.mark.parametrize(
    "path,names",
    [
        ("docs/a/b.txt", ["docs.yml", "rest.yml"]),
        ("docs/old/b.md", []),
        ("x.md", []),
        ("code/x.py", ["rest.yml"]),
    ],
)
def test_a_push_starts_what_asks_for_its_paths(desk: Desk, path: str, names: list[str]) -> None:
    for name, text in (("docs.yml", DOCS), ("rest.yml", REST), ("zz.yml", LAST)):
        write(desk, text, name)
    desk.repo().create_file(path, "Write", "x")
    assert started(desk) == names


def test_a_pull_request_starts_what_asks_for_its_paths(desk: Desk) -> None:
    write(desk, DOCS.replace("push", "pull_request"), "docs.yml")
    write(desk, LAST.replace("push", "pull_request"), "zz.yml")
    opened(desk)
    [run] = runs(desk, 1)
    assert run.path == ".github/workflows/zz.yml"


def test_a_commit_may_ask_to_start_nothing(desk: Desk) -> None:
    write(desk, LAST, "zz.yml")
    runs(desk, 1)
    desk.repo().create_file("x", "Write x [skip ci]", "x")
    made = desk.repo().create_file("y", "Write y", "x")
    assert [r.head_sha for r in runs(desk, 2)][0] == made["commit"].sha


def test_a_review_starts_what_asks_for_reviews(desk: Desk) -> None:
    write(desk, LAST.replace("push", "pull_request_review"))
    opened(desk)
    desk.repo().get_pull(1).create_review(body="Good", event="APPROVE")
    [run] = runs(desk, 1)
    assert run.event == "pull_request_review"


def test_a_tag_is_dispatched_as_a_tag_and_a_commit_not_at_all(desk: Desk) -> None:
    write(desk, "on: workflow_dispatch\njobs: {a: {runs-on: x, steps: [{run: env | grep REF}]}}")
    sha = desk.repo().get_branch("main").commit.sha
    desk.repo().create_git_ref("refs/tags/v1", sha)
    desk.repo().create_git_ref("refs/other/v2", sha)
    for ref in (sha, "other/v2", "refs/other/v2", "HEAD"):
        with refused(422, "No ref found for"):
            desk.repo().get_workflow("work.yml").create_dispatch(ref, throw=True)
    assert desk.repo().get_workflow("work.yml").create_dispatch("v1")
    [run] = runs(desk, 1)
    log = desk.api("GET", desk.at(f"/actions/jobs/{ended(desk, run).jobs()[0].id}/logs")).text
    assert "GITHUB_REF=refs/tags/v1" in log and "GITHUB_REF_TYPE=tag" in log


def test_each_attempt_is_kept(desk: Desk) -> None:
    write(desk, WORK)
    run = ended(desk, dispatch(desk, issue="7"))
    draft = next(j for j in run.jobs() if j.name == "draft")
    again = desk.api("POST", desk.at(f"/actions/jobs/{draft.id}/rerun"))
    assert again.status_code == 201
    now = ended(desk, run)
    assert (now.run_attempt, now.previous_attempt_url) == (2, f"{now.url}/attempts/1")
    first = desk.api("GET", desk.at(f"/actions/runs/{run.id}/attempts/1")).json()
    assert (first["run_attempt"], first["conclusion"]) == (1, "success")
    jobs = desk.api("GET", desk.at(f"/actions/runs/{run.id}/attempts/1/jobs")).json()["jobs"]
    assert draft.id in {j["id"] for j in jobs} and {j["run_attempt"] for j in jobs} == {1}
    assert desk.api("GET", desk.at(f"/actions/runs/{run.id}/attempts/3")).status_code == 404


def test_an_artifact_that_is_too_old_is_gone(desk: Desk) -> None:
    write(desk, WORK)
    [artifact] = ended(desk, dispatch(desk, issue="7")).get_artifacts()
    path = desk.at(f"/actions/artifacts/{artifact.id}")
    desk.api("POST", "/_twin/clock", "root", seconds=86_400 * 91)
    try:
        assert desk.api("GET", path).json()["expired"] is True
        assert desk.api("GET", f"{path}/zip").status_code == 410
    finally:
        desk.api("POST", "/_twin/clock", "root", seconds=-86_400 * 91)


def test_a_deployment_waits_for_the_checks_of_its_commit(desk: Desk) -> None:
    repo = desk.repo()
    commit = repo.get_branch("main").commit
    commit.create_status("failure", context="lint")
    got = desk.api("POST", desk.at("/deployments"), ref="main")
    assert got.status_code == 409
    assert got.json()["errors"][0]["contexts"] == [{"context": "lint", "state": "failure"}]
    made = repo.create_deployment("main", required_contexts=[])
    status = made.create_status("success")
    assert made.get_status(status.id).state == "success"
    with refused(409):
        repo.create_deployment("main", required_contexts=["never seen"])
    commit.create_status("success", context="lint")
    repo.create_deployment("main")


def test_a_job_is_nobody_in_particular(desk: Desk) -> None:
    token = {"Authorization": f"Bearer {desk.bot({'contents': 'write'})}"}
    got = desk.api("GET", "/user", headers=token)
    assert (got.status_code, got.json()["message"]) == (
        403, "Resource not accessible by integration",
    )  # fmt: skip


def test_a_job_does_not_write_its_own_workflows(desk: Desk) -> None:
    write(desk, LAST)
    token = desk.bot({"contents": "write"})
    body = {"message": "m", "content": "eA=="}
    path = "/contents/.github/workflows/more.yml"
    got = desk.as_bot(token, "PUT", path, **body)
    assert got.status_code == 403 and "without `workflows` permission" in got.json()["message"]
    assert desk.as_bot(token, "PUT", "/contents/x", **body).status_code == 201
    sha = branch(desk, "side", ".github/workflows/more.yml", LAST)
    desk.repo().get_git_ref("heads/side").delete()
    ref = {"ref": "refs/heads/mine", "sha": sha}
    assert desk.as_bot(token, "POST", "/git/refs", **ref).status_code == 403
    assert desk.api("POST", desk.at("/git/refs"), **ref).status_code == 201


def git(desk: Desk, *words: str) -> subprocess.CompletedProcess[str]:
    env = {"GIT_TERMINAL_PROMPT": "0", "HOME": str(desk.folder), "PATH": "/usr/bin:/bin"}
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    return subprocess.run(
        ["git", *who, *words], cwd=desk.folder, env=env, capture_output=True, text=True
    )


def test_nor_does_it_push_them(desk: Desk) -> None:
    write(desk, LAST)
    token = desk.bot({"contents": "write"})
    url = desk.twin.url.replace("//", f"//x-access-token:{token}@") + f"/{desk.full_name}.git"
    assert git(desk, "clone", "-q", url, "clone").returncode == 0
    work = ["-C", "clone"]
    (desk.folder / "clone" / "x").write_text("x")
    git(desk, *work, "add", "-A")
    git(desk, *work, "commit", "-qm", "Write x")
    assert git(desk, *work, "push", "origin", "HEAD:side").returncode == 0
    (desk.folder / "clone" / ".github" / "workflows" / "work.yml").write_text("x")
    git(desk, *work, "commit", "-qam", "Take over")
    done = git(desk, *work, "push", "origin", "HEAD:side")
    assert done.returncode != 0 and "without 'workflows' permission" in done.stderr
