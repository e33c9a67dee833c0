"""Refs, files, checks, releases, protection: the parts that clients ask for alone."""

import base64

import pytest
from github.ContentFile import ContentFile

from tests.twin.desk import Desk, refused
from tests.twin.pulls import branch, opened


def test_all_refs_are_listed(desk: Desk) -> None:
    repo = desk.repo()
    sha = repo.get_branch("main").commit.sha
    repo.create_git_ref("refs/stratbot/7", sha)
    assert [r.ref for r in repo.get_git_refs()] == ["refs/heads/main", "refs/stratbot/7"]


@pytest.mark.parametrize("path", [".git/config", "a//b", "a/.GIT/x"])
def test_a_path_that_git_must_not_have(desk: Desk, path: str) -> None:
    text = base64.b64encode(b"x").decode()
    got = desk.api("PUT", desk.at(f"/contents/{path}"), message="m", content=text)
    assert (got.status_code, "malformed path" in got.json()["message"]) == (422, True)


def test_a_file_takes_the_place_of_a_file_only(desk: Desk) -> None:
    desk.repo().create_file("a/b.txt", "m", "x")
    for path in ("a", "a/b.txt/c"):
        with refused(422):
            desk.repo().create_file(path, "m", "x")
    assert [c.path for c in listed(desk, "a")] == ["a/b.txt"]


def listed(desk: Desk, path: str) -> list[ContentFile]:
    found = desk.repo().get_contents(path)
    assert isinstance(found, list)
    return list(found)


def test_what_is_no_base64_is_refused(desk: Desk) -> None:
    got = desk.api("PUT", desk.at("/contents/x"), message="m", content="***")
    assert (got.status_code, got.json()["message"]) == (422, "content is not valid Base64")


def test_the_readme_is_found(desk: Desk) -> None:
    assert desk.repo().get_readme().decoded_content == f"# {desk.name}\n".encode()


def test_the_pull_requests_of_a_commit(desk: Desk) -> None:
    sha = branch(desk, "side", "a.txt", "x")
    pull = opened(desk)
    assert [p.number for p in desk.repo().get_commit(sha).get_pulls()] == [pull.number]
    first = desk.repo().get_branch("main").commit
    assert first.get_pulls().totalCount == 0


def test_a_status_for_nothing_or_with_no_address(desk: Desk) -> None:
    got = desk.api("POST", desk.at(f"/statuses/{'0' * 40}"), state="success")
    assert got.json()["message"] == f"No commit found for SHA: {'0' * 40}"
    with refused(422, "http(s) scheme"):
        desk.repo().get_branch("main").commit.create_status("success", target_url="ftp://x")


def test_a_suite_and_its_checks(desk: Desk) -> None:
    sha = desk.repo().get_branch("main").commit.sha
    made = desk.repo().create_check_run("lint", sha, conclusion="success")
    [suite] = desk.repo().get_commit(sha).get_check_suites()
    assert desk.repo().get_check_suite(suite.id).conclusion == "success"
    assert [c.id for c in suite.get_check_runs()] == [made.id]


@pytest.mark.parametrize(
    "output,words",
    [
        ({"title": "t"}, "summary"),
        ({"title": "t", "summary": "s", "annotations": [{"path": "a"}]}, "start_line"),
        (
            {
                "title": "t", "summary": "s",
                "annotations": [{"path": "a", "start_line": 1, "end_line": 1, "message": "m",
                                 "annotation_level": "bad"}],
            },
            "bad",
        ),
    ],
)  # fmt: skip
def test_an_output_that_lacks_something(desk: Desk, output: dict[str, object], words: str) -> None:
    sha = desk.repo().get_branch("main").commit.sha
    got = desk.api("POST", desk.at("/check-runs"), name="x", head_sha=sha, output=output)
    assert got.status_code == 422 and words in got.json()["message"]


def test_a_review_is_edited_and_a_pending_one_deleted(desk: Desk) -> None:
    opened(desk)
    pull = desk.repo().get_pull(1)
    review = pull.create_review(body="Good", event="APPROVE")
    review.edit("Very good")
    assert pull.get_review(review.id).body == "Very good"
    with refused(422, "non-pending"):
        review.delete()
    pull.create_review(body="later").delete()
    assert pull.get_reviews().totalCount == 1
    with refused(422, "blank"):
        pull.create_review(event="COMMENT")


def test_a_comment_must_be_on_a_line_of_the_diff(desk: Desk) -> None:
    pull = opened(desk)
    commit = desk.repo().get_commit(pull.head.sha)
    with refused(422, "must be part of the diff"):
        pull.create_review_comment("Why?", commit, "side.txt", line=7)


def test_the_file_of_a_release_gets_another_name(desk: Desk) -> None:
    release = desk.repo().create_git_release("v1", "One", "Notes")
    file = desk.folder / "a.txt"
    file.write_text("x")
    asset = release.upload_asset(str(file), content_type="text/plain")
    assert asset.update_asset("b.txt", "B").name == "b.txt"


def test_the_parts_of_a_protection(desk: Desk) -> None:
    main = desk.repo().get_branch("main")
    main.edit_protection(strict=True, contexts=["a"], required_approving_review_count=1)
    assert main.get_required_status_checks().contexts == ["a"]
    assert main.get_required_pull_request_reviews().required_approving_review_count == 1
    assert main.get_admin_enforcement() is False
    path = desk.at("/branches/main/protection/required_status_checks/contexts")
    assert desk.api("GET", path).json() == ["a"]
    main.set_admin_enforcement()
    main.edit_required_status_checks(strict=False, contexts=["b"])
    main.edit_required_pull_request_reviews(required_approving_review_count=2)
    found = main.get_protection()
    assert (found.enforce_admins, found.required_status_checks.contexts) == (True, ["b"])
    assert found.required_pull_request_reviews.required_approving_review_count == 2
    main.remove_admin_enforcement()
    main.remove_required_status_checks()
    with refused(404):
        main.get_required_status_checks()
    main.remove_required_pull_request_reviews()
    assert main.get_admin_enforcement() is False
    main.remove_protection()
    with refused(404, "Branch not protected"):
        main.get_admin_enforcement()


def test_a_pull_request_and_a_commit_as_letters(desk: Desk) -> None:
    sha = branch(desk, "side", "a.txt", "x\n")
    pull = opened(desk)
    headers = {"Accept": "application/vnd.github.patch"}
    whole = desk.api("GET", desk.at(f"/pulls/{pull.number}"), headers=headers).text
    assert whole.count("\nSubject: [PATCH ") == 2 and whole.startswith(f"From {sha} ")
    one = desk.api("GET", desk.at(f"/commits/{sha}"), headers=headers).text
    assert "Subject: [PATCH] Write a.txt" in one and "diff --git a/a.txt b/a.txt" in one
