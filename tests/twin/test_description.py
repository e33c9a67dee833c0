"""That the check itself can fail, and that no path of the twin escapes it."""

from __future__ import annotations

import pytest
import requests

from bot.twin import rest
from bot.twin.call import ROUTES
from tests.twin.desk import Desk
from tests.twin.extract import blank
from tests.twin.openapi import EXCEPTIONS, Violation, check, description

OLDER = {
    ("GET", f"/repos/{{}}/{{}}/{path}")
    for path in ("statuses/{}", "contents", "git/refs", "git/matching-refs/")
}
"""GitHub serves these and describes them under another name, by which they are checked."""


def test_every_path_is_one_of_githubs() -> None:
    rest.load_chapters()
    known = {
        (verb.upper(), blank(path))
        for path, verbs in description()["paths"].items()
        for verb in verbs
    }
    ours = {(r.verb, blank(r.path.removeprefix("/uploads"))) for r in ROUTES}
    assert {x for x in ours - known - OLDER if not x[1].startswith("/_")} == set()


def test_every_exception_has_its_reason_and_its_operation() -> None:
    names = {v["id"] for verbs in description()["paths"].values() for v in verbs.values()}
    assert {name for name, _ in EXCEPTIONS} <= names
    assert all(len(why) > 5 for why in EXCEPTIONS.values())


@pytest.mark.parametrize(
    "broken,words",
    [
        (b"{}", "'html_url' is a required property"),
        (b'{"id": "seven"}', "'seven' is not of type 'integer'"),
        (b"[]", "object"),
    ],
)
def test_a_wrong_answer_is_found_out(desk: Desk, broken: bytes, words: str) -> None:
    desk.repo().create_issue("x")
    got = desk.api("GET", desk.at("/issues/1"))
    check(got.request, got)
    got._content = broken
    with pytest.raises(Violation, match=words):
        check(got.request, got)


def test_a_wrong_question_is_found_out(desk: Desk) -> None:
    desk.repo().create_issue("x")
    path = desk.at("/issues?state=sideways")
    assert desk.api("GET", path).status_code == 422
    with pytest.raises(Violation, match="labels"):
        desk.api("PATCH", desk.at("/issues/1"), labels=[7])


def test_a_path_that_github_has_not(desk: Desk) -> None:
    got = desk.api("GET", desk.at("/issues/1"))
    made = requests.Response()
    made.status_code, made._content, made.request = 200, b"{}", got.request
    assert made.request.url is not None
    made.request.url = made.request.url.replace("/issues/1", "/gossip")
    with pytest.raises(Violation, match="not in GitHub's description"):
        check(made.request, made)
