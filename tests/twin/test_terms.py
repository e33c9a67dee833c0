"""What holds for every request: the form of an answer, tags, scopes, ids, endless numbers."""

import pytest
import requests

from tests.twin.desk import Desk, refused

LARGE = 10**30


@pytest.mark.parametrize("accept", ["application/xml", "text/csv, image/png"])
def test_a_form_that_no_answer_has_is_refused(desk: Desk, accept: str) -> None:
    url, headers = desk.twin.url + "/_files/jobs/1", {"Accept": accept}
    got = requests.get(url, headers=headers, timeout=20)
    assert got.status_code == 415
    assert "Must accept 'application/json'" in got.json()["message"]


@pytest.mark.parametrize(
    "accept", ["*/*", "application/json", "application/vnd.github.raw+json", "text/html, */*"]
)
def test_a_form_that_there_is_is_taken(desk: Desk, accept: str) -> None:
    assert desk.api("GET", desk.at(""), headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize("said", ["{0}", "W/{0}", '"other", W/{0}', "*"])
def test_a_tag_is_known_weak_strong_or_among_others(desk: Desk, said: str) -> None:
    tag = desk.api("GET", desk.at("")).headers["ETag"].removeprefix("W/")
    again = desk.api("GET", desk.at(""), headers={"If-None-Match": said.format(tag)})
    assert (again.status_code, again.content) == (304, b"")
    other = {"If-None-Match": '"other"'}
    assert desk.api("GET", desk.at(""), headers=other).status_code == 200


def test_a_repository_is_found_by_its_number(desk: Desk) -> None:
    repo = desk.repo()
    same = desk.client().get_repo(repo.id)
    assert same.full_name == repo.full_name
    made = requests.post(
        f"{desk.twin.url}/api/v3/repositories/{repo.id}/issues", json={"title": "x"},
        headers={"Authorization": "Bearer token-of-octocat"}, timeout=20,
    )  # fmt: skip
    assert made.status_code == 201
    with refused(404):
        desk.client().get_repo(1)


def test_a_private_one_is_hidden_behind_its_number_too(desk: Desk) -> None:
    desk.repo().edit(private=True)
    with refused(404):
        desk.client("stranger").get_repo(desk.repo().id)


@pytest.mark.parametrize("path", [f"/issues/{LARGE}", f"/pulls/{LARGE}", f"/actions/runs/{LARGE}"])
def test_a_number_that_nothing_has_is_not_found(desk: Desk, path: str) -> None:
    assert desk.api("GET", desk.at(path)).status_code == 404


def test_a_number_that_nothing_has_is_refused_in_a_body(desk: Desk) -> None:
    desk.repo().create_issue("x")
    got = desk.api("PATCH", desk.at("/issues/1"), milestone=LARGE)
    assert (got.status_code, got.json()["message"]) == (422, "Validation Failed")


@pytest.mark.parametrize("value,shown", [(True, "true"), (7, "7"), ({"a": None}, '{"a": null}')])
def test_what_is_of_the_wrong_kind_is_shown_as_it_was_sent(
    desk: Desk, value: object, shown: str
) -> None:
    got = desk.api("POST", desk.at("/issues"), title="x", body=value)
    assert got.status_code == 422
    assert f"{shown} is not a string" in got.json()["message"]


def scoped(desk: Desk, *scopes: str) -> dict[str, str]:
    made = desk.api("POST", "/_twin/tokens", "root", login="octocat", scopes=list(scopes))
    return {"Authorization": f"token {made.json()['token']}"}


@pytest.mark.parametrize(
    "scopes,private,read,write",
    [
        (["repo"], True, 200, 201),
        (["public_repo"], False, 200, 201),
        (["public_repo"], True, 404, 404),
        ([], False, 200, 404),
        (["gist", "read:org"], False, 200, 404),
    ],
)
def test_a_token_does_what_its_scopes_say(
    desk: Desk, scopes: list[str], private: bool, read: int, write: int
) -> None:
    desk.repo().edit(private=private)
    headers = scoped(desk, *scopes)
    got = desk.api("GET", desk.at(""), headers=headers)
    assert (got.status_code, got.headers["X-OAuth-Scopes"]) == (read, ", ".join(scopes))
    made = desk.api("POST", desk.at("/issues"), headers=headers, title="x")
    assert (made.status_code, made.headers["X-Accepted-OAuth-Scopes"]) == (write, "repo")


def test_the_token_of_a_person_may_all_and_that_of_a_job_has_no_scopes(desk: Desk) -> None:
    client = desk.client()
    assert client.get_user().login == "octocat"
    assert client.oauth_scopes and "repo" in client.oauth_scopes
    got = desk.as_bot(desk.bot({"issues": "read"}), "GET", "/issues")
    assert got.status_code == 200 and "X-OAuth-Scopes" not in got.headers
