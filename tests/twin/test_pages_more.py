"""Pages for who names no form, and what happened in words."""

from __future__ import annotations

import requests

from tests.twin.desk import Desk
from tests.twin.pulls import opened
from tests.twin.reader import Reader
from tests.twin.running import Twin


def test_who_takes_anything_gets_a_page_that_is_there(twin: Twin, desk: Desk) -> None:
    desk.repo().create_issue("A breakout on EURUSD")
    issues = f"{twin.url}/{desk.full_name}/issues"
    page = Reader(twin).get(f"/{desk.full_name}/issues/1", Accept="*/*")
    assert page.status == 200 and "A breakout on EURUSD" in page.words
    gone = requests.get(f"{issues}/999", timeout=20)
    assert (gone.status_code, gone.json()["message"]) == (404, "Not Found")
    as_api = requests.get(f"{issues}/1", headers={"Accept": "application/json"}, timeout=20)
    assert (as_api.status_code, as_api.json()["message"]) == (404, "Not Found")


def test_what_happened_is_told_in_words(desk: Desk) -> None:
    repo = desk.repo()
    issue = repo.create_issue("<b>Old</b>", assignees=["hubot"])
    issue.edit(title="New", milestone=repo.create_milestone("First"), assignees=[])
    opened(desk).create_review_request(["monalisa"])
    reader = Reader(desk.twin, "octocat")
    words = reader.get(f"/{desk.full_name}/issues/1").words
    for told in (
        "octocat assigned hubot", "octocat unassigned hubot", "put this into the milestone First",
        "changed the title from <b>Old</b> to New",
    ):  # fmt: skip
        assert f"{told} " in words, words
    assert "asked monalisa for a review " in reader.get(f"/{desk.full_name}/pull/2").words
