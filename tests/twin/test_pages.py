"""The pages over HTTP, without a browser: what they show, what they take, and from whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from bot.twin.pages import serve, table
from tests.twin.desk import Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.reader import Reader, Seen
from tests.twin.running import Twin
from tests.twin.scene import STRATEGY, Scene, fill
from tests.twin.waiting import until

BRANCH = "ai/generated/wf_1/deliver"


@pytest.fixture(scope="module")
def scene(twin: Twin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Only for looking: tests that change something take a desk of their own."""
    with checked_exchanges():
        desk = Desk(twin, tmp_path_factory.mktemp("scene"))
        made = fill(desk)
    yield made


def addresses(scene: Scene) -> dict[str, str]:
    """One address for every page in the table."""
    at, repo = f"/{scene.desk.full_name}", table.REPO
    pull, run = f"{at}/pull/{scene.pull}", f"{at}/actions/runs/{scene.run}"
    jobs = scene.desk.api("GET", scene.desk.at(f"/actions/runs/{scene.run}/jobs")).json()["jobs"]
    return {
        "/": "/", "/login": "/login", "/<login>": "/octocat", repo: at,
        f"{repo}/tree/<path:rest>": f"{at}/tree/{BRANCH}/strategies",
        f"{repo}/blob/<path:rest>": f"{at}/blob/{BRANCH}/strategies/breakout.py",
        f"{repo}/commits": f"{at}/commits", f"{repo}/commits/<path:rest>": f"{at}/commits/{BRANCH}",
        f"{repo}/commit/<sha>": f"{at}/commit/{scene.sha}", f"{repo}/branches": f"{at}/branches",
        f"{repo}/compare/<path:basehead>": f"{at}/compare/main...{BRANCH}",
        f"{repo}/issues": f"{at}/issues", f"{repo}/issues/<int:number>": f"{at}/issues/1",
        f"{repo}/issues/new": f"{at}/issues/new?template=strategy.yml",
        f"{repo}/issues/new/choose": f"{at}/issues/new/choose", f"{repo}/pulls": f"{at}/pulls",
        f"{repo}/pull/<int:number>": pull, f"{repo}/pull/<int:number>/commits": f"{pull}/commits",
        f"{repo}/pull/<int:number>/checks": f"{pull}/checks",
        f"{repo}/pull/<int:number>/files": f"{pull}/files",
        f"{repo}/runs/<int:key>": f"{at}/runs/{scene.check}", f"{repo}/actions": f"{at}/actions",
        f"{repo}/actions/runs/<int:run>": run,
        f"{repo}/actions/runs/<int:run>/job/<int:key>": f"{run}/job/{jobs[0]['id']}",
        f"{repo}/releases": f"{at}/releases", f"{repo}/tags": f"{at}/tags",
        f"{repo}/releases/tag/<path:tag>": f"{at}/releases/tag/v1.0.0",
        f"{repo}/deployments": f"{at}/deployments",
    }  # fmt: skip


WORDS = {
    "/<owner>/<repo>": "strategies README.md",
    "/<owner>/<repo>/issues/<int:number>": "A breakout on EURUSD, 4h #1",
    "/<owner>/<repo>/issues": "Look-ahead in bar 17 debug",
    "/<owner>/<repo>/issues/new": "Instrument *",
    "/<owner>/<repo>/pull/<int:number>": "failure — 3 of 4 passed · 1 annotation",
    "/<owner>/<repo>/pull/<int:number>/files": "return bar > high",
    "/<owner>/<repo>/pull/<int:number>/commits": "Write the strategy",
    "/<owner>/<repo>/pull/<int:number>/checks": "ruff is happy",
    "/<owner>/<repo>/runs/<int:key>": "strategies/breakout.py:6 Bar 17 reads the future?",
    "/<owner>/<repo>/actions": "deploy breakout",
    "/<owner>/<repo>/actions/runs/<int:run>": "Waiting for a review",
    "/<owner>/<repo>/actions/runs/<int:run>/job/<int:key>": "<script>document.title='owned'",
    "/<owner>/<repo>/releases": "Breakout 1.0.0",
    "/<owner>/<repo>/deployments": "reviewers: octocat · no self-review",
    "/<owner>/<repo>/blob/<path:rest>": "def on_bar(bar: float, high: float) -> bool:",
}


def test_every_page_shows_what_is_there(scene: Scene) -> None:
    serve.page_routes()
    reader, found = Reader(scene.desk.twin, "octocat"), addresses(scene)
    assert {page.path for page in table.PAGES} == set(found)
    for path, address in found.items():
        seen = reader.get(address)
        assert seen.status == 200, f"{address}: {seen.words[:500]}"
        assert WORDS.get(path, "") in seen.words, f"{address}: {seen.words}"
        check_policy(seen)


def check_policy(seen: Seen) -> None:
    policy = seen.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert seen.headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy


def test_every_page_may_be_read_by_nobody_in_particular(scene: Scene) -> None:
    reader = Reader(scene.desk.twin)
    for address in addresses(scene).values():
        seen = reader.get(address)
        assert seen.status == 200, f"{address}: {seen.words[:500]}"
        actions = {form.get("action", "") for form in seen.every("form", method="post")}
        assert actions <= {"/login", f"/{scene.desk.full_name}/issues/new"}, address


def check_harmless(seen: Seen, where: str) -> None:
    """Nothing that a browser would run, load or draw on somebody's behalf."""
    for tag, attributes in seen.elements:
        assert tag not in ("iframe", "object", "embed", "style", "base", "marquee"), where
        assert not [name for name in attributes if name.startswith("on") or name == "style"], where
        for name in ("href", "src", "action", "formaction", "xlink:href"):
            value = attributes.get(name, "").strip().lower()
            assert not value.startswith(("javascript:", "data:", "vbscript:")), f"{where}: {value}"
    assert seen.every("script") == [{"src": "/_pages/live.js", "defer": ""}], where


EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg onload=alert(1)>"
EVIL_BODY = f"""{EVIL}

[a](javascript:alert(1)) <a href="javascript:alert(1)" onclick="alert(1)">b</a>
<iframe src="/"></iframe><form action="/logout"><button>x</button></form>
<style>*{{display:none}}</style>
<details ontoggle="alert(1)" open><summary>s</summary>x</details> ![i](data:text/html,x)
<base href="https://example.org/"><input type="password" name="token" onfocus="alert(1)" autofocus>

```mermaid
{EVIL}
```
"""
EVIL_NAME = "a<script>alert(1)<script>'onload=x"


def test_nothing_that_people_write_is_run(desk: Desk) -> None:
    repo = desk.repo()
    label = repo.create_label('<img src=x onerror="alert(1)">', "ffffff", EVIL)
    repo.edit(description=EVIL)
    issue = repo.create_issue(EVIL, EVIL_BODY, labels=[label.name])
    issue.create_comment(EVIL_BODY)
    repo.create_git_ref(f"refs/heads/{EVIL_NAME}", repo.get_branch("main").commit.sha)
    made = repo.create_file(f"{EVIL_NAME}.md", EVIL, EVIL_BODY, branch=EVIL_NAME)
    sha = made["commit"].sha
    pull = desk.repo("hubot").create_pull("main", EVIL_NAME, title=EVIL, body=EVIL_BODY)
    repo.get_pull(pull.number).create_review(body=EVIL_BODY, event="COMMENT")
    status = {"context": EVIL[:90], "target_url": "javascript:alert(1)", "description": EVIL}
    desk.api("POST", desk.at(f"/statuses/{sha}"), state="failure", **status)
    mark = {"path": EVIL_NAME, "start_line": 1, "end_line": 1, "annotation_level": "failure"}
    mark |= {"title": EVIL, "message": EVIL, "raw_details": EVIL}
    output: dict[str, Any] = {"title": EVIL, "summary": EVIL_BODY, "text": EVIL_BODY}
    check = desk.api(
        "POST", desk.at("/check-runs"), name=EVIL, head_sha=sha, conclusion="failure",
        details_url="javascript:alert(1)", output={**output, "annotations": [mark]},
    ).json()["id"]  # fmt: skip
    repo.create_git_release("v1", EVIL, EVIL_BODY, target_commitish=sha)
    at, name = f"/{desk.full_name}", quote(EVIL_NAME)
    pages = [
        "/", "/octocat", at, "/login?back=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", f"{at}/issues",
        f"{at}/issues?label=%3Cscript%3E&q=%22onload=%22", f"{at}/issues/1", f"{at}/pulls",
        f"{at}/issues?state=%3Cscript%3E", f"{at}/pull/2", f"{at}/pull/2/files", f"{at}/branches",
        f"{at}/pull/2/checks", f"{at}/pull/2/commits", f"{at}/runs/{check}", f"{at}/releases",
        f"{at}/tree/{name}", f"{at}/blob/{name}/{name}.md", f"{at}/blob/{name}/{name}.md?plain",
        f"{at}/commit/{sha}", f"{at}/commits/{name}", f"{at}/compare/main...{name}",
        f"{at}/%3Cscript%3Ealert(1)%3C/script%3E", "/%3Cscript%3E/x",
    ]  # fmt: skip
    reader = Reader(desk.twin, "octocat")
    for page in pages:
        seen = reader.get(page)
        assert seen.status in (200, 404), f"{page}: {seen.words[:300]}"
        check_harmless(seen, page)
    shown = reader.get(f"{at}/issues/1")
    assert EVIL in shown.words and shown.every("details", open="")


def test_a_page_in_a_repository_is_not_one_of_ours(desk: Desk) -> None:
    desk.repo().create_file("x.html", "Add it", "<script>alert(1)</script>")
    seen = Reader(desk.twin).get(f"/{desk.full_name}/raw/main/x.html")
    assert seen.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "sandbox" in seen.headers["Content-Security-Policy"]


PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>'
README = """# It
<picture><source media="(prefers-color-scheme: dark)" srcset="pictures/dark.svg">
<img src="pictures/light.svg" alt="A line"></picture>

[More](docs/MORE.md) [top](#it) [out](https://example.com/x)
<picture><source srcset="https://evil.example/x.svg"><img src="//evil.example/y.svg"></picture>
"""


def test_a_file_names_its_neighbours(desk: Desk) -> None:
    """As on GitHub: pictures beside a README are seen, and links lead to files."""
    desk.repo().create_file("guide/README.md", "Say it", README)
    desk.repo().create_file("guide/pictures/light.svg", "Show it", PICTURE)
    reader, at = Reader(desk.twin), f"/{desk.full_name}"
    for page in (f"{at}/tree/main/guide", f"{at}/blob/main/guide/README.md"):
        seen = reader.get(page)
        [shown] = seen.every("img", alt="A line")
        assert reader.get(shown["src"], Accept="image/*").headers["Content-Type"] == "image/svg+xml"
        [dark, other] = seen.every("source")
        assert dark["srcset"] == f"{at}/raw/main/guide/pictures/dark.svg" and "srcset" not in other
        links = {a["href"] for a in seen.every("a")}
        assert {f"{at}/blob/main/guide/docs/MORE.md", "#it", "https://example.com/x"} <= links


def test_a_picture_in_a_comment_is_sent_to_whoever_asks_for_a_picture(desk: Desk) -> None:
    """A browser asks for `<img>` with this header; the API still says no to everybody else."""
    desk.repo().create_file("x.svg", "Show it", PICTURE)
    reader, path = Reader(desk.twin), f"/{desk.full_name}/blob/main/x.svg?raw=true"
    seen = reader.get(path, Accept="image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8")
    assert seen.status == 200 and seen.headers["Content-Type"] == "image/svg+xml"
    assert reader.get(path, Accept="application/json").status == 404


FORMS = [
    ({"Origin": "http://127.0.0.1:1"}, {}),
    ({"Origin": "http://evil.example"}, {}),
    ({"Origin": "null"}, {}),
    ({"Origin": ""}, {}),
    ({}, {"token": ""}),
    ({}, {"token": "0" * 64}),
]


@pytest.mark.parametrize("headers,fields", FORMS)
def test_a_form_that_is_not_ours_does_nothing(
    desk: Desk, headers: dict[str, str], fields: dict[str, str]
) -> None:
    desk.repo().create_issue("x")
    page = f"/{desk.full_name}/issues/1"
    reader = Reader(desk.twin, "octocat")
    got = reader.post(f"{page}/comments", {"body": "hi", **fields}, on=page, **headers)
    assert got.status == 403 and desk.repo().get_issue(1).comments == 0
    assert reader.post(f"{page}/comments", {"body": "hi"}, on=page).status == 200
    assert desk.repo().get_issue(1).comments == 1


def test_a_token_is_good_for_one_session(desk: Desk) -> None:
    desk.repo().create_issue("x")
    page = f"/{desk.full_name}/issues/1"
    other = Reader(desk.twin, "hubot").token(page)
    got = Reader(desk.twin, "octocat").post(f"{page}/comments", {"body": "hi", "token": other})
    assert got.status == 403 and desk.repo().get_issue(1).comments == 0


def test_a_cookie_that_we_did_not_sign_is_nobody_s(desk: Desk) -> None:
    octocat = desk.client().get_user().id
    name = f"twin-{desk.twin.port}"
    for value in (f"{octocat}.aa.{'0' * 64}", f"{octocat}..", "x", f"{octocat}"):
        seen = Reader(desk.twin).get("/", Cookie=f"{name}={value}")
        assert "Log in" in seen.words and "Log out" not in seen.words


def test_the_cookie_opens_pages_and_nothing_else(desk: Desk) -> None:
    reader = Reader(desk.twin, "octocat")
    cookie = next(iter(reader.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "Lax"
    got = desk.api(
        "POST", desk.at("/issues"), "octocat", title="x",
        headers={"Authorization": "", "Cookie": f"{cookie.name}={cookie.value}"},
    )  # fmt: skip
    assert got.status_code == 401 and desk.repo().get_issues().totalCount == 0


@pytest.mark.parametrize("back,path", [
    ("/octocat", "/octocat"), ("//evil.example/", "/"), ("https://evil.example/", "/"),
    ("/\\evil.example", "/"), ("", "/"), ("javascript:alert(1)", "/"),
])  # fmt: skip
def test_logging_in_leads_back_only_into_the_twin(twin: Twin, back: str, path: str) -> None:
    reader = Reader(twin)
    seen = reader.post("/login", {"login": "octocat", "back": back}, on="/login")
    assert seen.url == twin.url + path and "Log out" in seen.words


def test_only_who_has_a_token_of_their_own_can_be_chosen(twin: Twin, desk: Desk) -> None:
    reader = Reader(twin)
    assert desk.bot({"issues": "write"})
    names = [b["value"] for b in reader.get("/login").every("button", name="login")]
    assert names == ["hubot", "monalisa", "octocat", "root", "stranger"]
    assert reader.post("/login", {"login": "github-actions[bot]"}, on="/login").status == 422
    assert "Log in" in reader.get("/").words


def test_logging_out_ends_it(twin: Twin) -> None:
    reader = Reader(twin, "octocat")
    reader.post("/logout", {}, on="/")
    assert "Log out" not in reader.get("/").words


def test_a_private_repository_is_not_there_for_others(twin: Twin, tmp_path: Path) -> None:
    desk = Desk(twin, tmp_path, private=True)
    desk.repo().create_issue("secret plan")
    pages = ["", "/issues", "/issues/1", "/pulls", "/actions", "/releases", "/raw/main/README.md"]
    for login, status in (("", 404), ("stranger", 404), ("hubot", 200)):
        reader = Reader(twin, login)
        for page in pages:
            seen = reader.get(f"/{desk.full_name}{page}")
            assert seen.status == status, (login, page)
            assert status == 200 or "secret" not in seen.text
        assert (desk.full_name in reader.get("/").words) == (status == 200)


def test_clients_of_the_api_see_no_pages(desk: Desk) -> None:
    for path in (f"/{desk.full_name}", "/octocat", f"/{desk.full_name}/issues", "/"):
        got = desk.api("GET", path)
        assert got.status_code == 404 and got.json()["message"] == "Not Found"


def test_a_page_that_did_not_change_is_not_sent_again(desk: Desk) -> None:
    desk.repo().create_issue("x")
    reader, page = Reader(desk.twin, "octocat"), f"/{desk.full_name}/issues/1"
    tag = reader.get(page).headers["ETag"]
    assert reader.get(page, If_None_Match=tag).status == 304
    desk.repo().get_issue(1).create_comment("new")
    again = reader.get(page, If_None_Match=tag)
    assert again.status == 200 and "new" in again.words


def test_a_comment_is_kept_as_it_was_typed(desk: Desk) -> None:
    desk.repo().create_issue("x")
    page = f"/{desk.full_name}/issues/1"
    text = "/help\r\n\r\nsecond <b>line</b> & more"
    seen = Reader(desk.twin, "stranger").post(f"{page}/comments", {"body": text}, on=page)
    made = list(desk.repo().get_issue(1).get_comments())[0]
    assert (made.body, made.user.login) == (text, "stranger")
    assert seen.url.endswith(f"/issues/1#issuecomment-{made.id}")


@pytest.mark.parametrize("body", ["", "   ", "a" * 65_537])
def test_a_refused_comment_is_still_in_the_box(desk: Desk, body: str) -> None:
    desk.repo().create_issue("x")
    page = f"/{desk.full_name}/issues/1"
    seen = Reader(desk.twin, "octocat").post(f"{page}/comments", {"body": body}, on=page)
    assert seen.status == 422 and seen.every("p", role="alert")
    assert body in seen.text and desk.repo().get_issue(1).comments == 0


def test_closing_with_a_word_and_reopening_without(desk: Desk) -> None:
    desk.repo().create_issue("x")
    page, reader = f"/{desk.full_name}/issues/1", Reader(desk.twin, "octocat")
    reader.post(f"{page}/comments", {"body": "no", "state": "not_planned"}, on=page)
    issue = desk.repo().get_issue(1)
    assert (issue.state, issue.state_reason, issue.comments) == ("closed", "not_planned", 1)
    reader.post(f"{page}/comments", {"body": "", "state": "open"}, on=page)
    issue = desk.repo().get_issue(1)
    assert (issue.state, issue.comments) == ("open", 1)
    got = Reader(desk.twin, "stranger").post(f"{page}/comments", {"state": "closed"}, on=page)
    assert got.status == 403 and desk.repo().get_issue(1).state == "open"


def test_labels_and_texts_are_changed_by_who_may(desk: Desk) -> None:
    desk.repo().create_issue("x", labels=["a", "b"])
    page, reader = f"/{desk.full_name}/issues/1", Reader(desk.twin, "monalisa")
    reader.post(f"{page}/labels", {"label": ["b"], "new": "c, d"}, on=page)
    assert [x.name for x in desk.repo().get_issue(1).labels] == ["b", "c", "d"]
    reader.post(f"{page}/edit", {"title": "y", "edited": "z"}, on=page)
    issue = desk.repo().get_issue(1)
    assert (issue.title, issue.body) == ("y", "z")
    stranger = Reader(desk.twin, "stranger")
    assert stranger.post(f"{page}/labels", {"label": []}, on=page).status == 403
    assert stranger.post(f"{page}/edit", {"title": "n", "edited": ""}, on=page).status == 403
    assert desk.repo().get_issue(1).title == "y"


ASKED = {
    "template": "strategy.yml", "title": "[strategy] Breakout", "field-1": "EURUSD",
    "field-2": "Buy.\r\nSell.", "field-3": "1h", "field-4": "",
    "field-5": ["I know that this is no advice"],
}  # fmt: skip
BECOMES = """### Instrument

EURUSD

### Rules

Buy.
Sell.

### Timeframe

1h

### Example

_No response_

### Terms

- [X] I know that this is no advice
- [ ] Tell me more"""


def test_a_filled_form_becomes_an_issue_as_on_github(scene: Scene) -> None:
    page = f"/{scene.desk.full_name}/issues/new"
    reader = Reader(scene.desk.twin, "stranger")
    seen = reader.post(page, ASKED, on=f"{page}?template=strategy.yml")
    assert seen.status == 200
    made = scene.desk.repo().get_issue(int(seen.url.rsplit("/", 1)[1]))
    assert (made.title, made.body, made.user.login) == ("[strategy] Breakout", BECOMES, "stranger")
    assert [x.name for x in made.labels] == ["strategy"]


@pytest.mark.parametrize("change,words", [
    ({"field-1": ""}, "Instrument: an answer is needed."),
    ({"field-5": ["Tell me more"]}, "I know that this is no advice must be ticked."),
    ({"title": " "}, "title: missing field"),
])  # fmt: skip
def test_a_form_that_lacks_something_is_asked_again(
    scene: Scene, change: dict[str, Any], words: str
) -> None:
    page, before = f"/{scene.desk.full_name}/issues/new", scene.desk.repo().get_issues().totalCount
    reader = Reader(scene.desk.twin, "octocat")
    seen = reader.post(page, {**ASKED, **change}, on=f"{page}?template=strategy.yml")
    assert seen.status == 422 and words in seen.words and "Sell." in seen.text
    assert scene.desk.repo().get_issues().totalCount == before


def test_a_repository_without_forms_asks_for_title_and_text(desk: Desk) -> None:
    page, reader = f"/{desk.full_name}/issues/new", Reader(desk.twin, "octocat")
    reader.post(page, {"title": "T", "body": "B"}, on=page)
    assert (desk.repo().get_issue(1).title, desk.repo().get_issue(1).body) == ("T", "B")


def opened(desk: Desk, name: str = "side") -> str:
    repo = desk.repo("hubot")
    repo.create_git_ref(f"refs/heads/{name}", repo.get_branch("main").commit.sha)
    repo.create_file("side.py", "Write it", STRATEGY, branch=name)
    pull = repo.create_pull("main", name, title="Merge it", body="")
    return f"/{desk.full_name}/pull/{pull.number}"


def ready(reader: Reader, page: str) -> Seen:
    """The first look makes the twin look."""
    return until(lambda: reader.get(page), lambda seen: "Looking whether" not in seen.words)


def test_a_pull_request_is_merged_as_chosen(desk: Desk) -> None:
    page, reader = opened(desk), Reader(desk.twin, "octocat")
    seen = ready(reader, page)
    sha = seen.every("input", name="sha")[0]["value"]
    assert "disabled" not in seen.every("button", id="merge-button")[0]
    done = reader.post(f"{page}/merge", {"method": "squash", "sha": sha}, on=page)
    assert done.status == 200 and "Merged by octocat" in done.words
    assert desk.repo().get_pull(1).merged
    assert desk.repo().get_commit("main").commit.message.startswith("Merge it (#1)")


def test_what_was_pushed_meanwhile_is_not_merged_unseen(desk: Desk) -> None:
    page, reader = opened(desk), Reader(desk.twin, "octocat")
    sha = ready(reader, page).every("input", name="sha")[0]["value"]
    desk.repo("hubot").create_file("late.py", "Late", "x", branch="side")
    got = reader.post(f"{page}/merge", {"sha": sha}, on=page)
    assert got.status == 409 and "Head branch was modified" in got.words
    assert not desk.repo().get_pull(1).merged


def test_a_blocked_merge_says_every_reason(desk: Desk) -> None:
    page, reader = opened(desk), Reader(desk.twin, "hubot")
    desk.repo().get_branch("main").edit_protection(
        strict=False, contexts=["sandbox"], required_approving_review_count=1
    )
    seen = ready(reader, page)
    assert "At least 1 approving review is required" in seen.words
    assert 'Required status check "sandbox" is expected.' in seen.words
    assert "disabled" in seen.every("button", id="merge-button")[0]
    sha = seen.every("input", name="sha")[0]["value"]
    got = reader.post(f"{page}/merge", {"sha": sha}, on=page)
    assert got.status == 405 and not desk.repo().get_pull(1).merged
    desk.repo().get_commit(sha).create_status("success", context="sandbox")
    Reader(desk.twin, "octocat").post(
        f"{page}/reviews", {"event": "APPROVE", "sha": sha}, on=f"{page}/files"
    )
    seen = reader.get(page)
    assert "Merging is blocked" not in seen.words and "octocat approved" in seen.words
    assert reader.post(f"{page}/merge", {"sha": sha}, on=page).status == 200
    assert desk.repo().get_pull(1).merged


def test_strangers_and_authors_do_not_get_further_than_the_api_lets_them(desk: Desk) -> None:
    page = opened(desk)
    stranger, hubot = Reader(desk.twin, "stranger"), Reader(desk.twin, "hubot")
    assert not stranger.get(page).every("button", id="merge-button")
    assert stranger.post(f"{page}/merge", {}, on=page).status == 403
    own = hubot.post(f"{page}/reviews", {"event": "APPROVE"}, on=f"{page}/files")
    assert own.status == 422 and "own pull request" in own.words
    assert not desk.repo().get_pull(1).merged


def test_a_comment_on_a_line_is_shown_at_that_line(desk: Desk) -> None:
    page, reader = opened(desk), Reader(desk.twin, "octocat")
    sha = desk.repo().get_pull(1).head.sha
    asked = {"path": "side.py", "line": "6", "side": "RIGHT", "body": "why?", "sha": sha}
    seen = reader.post(f"{page}/lines", asked, on=f"{page}/files")
    assert seen.status == 200 and "return bar > high octocat on side.py:6" in seen.words


def test_a_pull_request_is_opened_from_a_comparison(desk: Desk) -> None:
    repo = desk.repo("hubot")
    repo.create_git_ref("refs/heads/a/b", repo.get_branch("main").commit.sha)
    repo.create_file("n.txt", "Write", "x", branch="a/b")
    page = f"/{desk.full_name}/compare/main...a/b"
    seen = Reader(desk.twin, "hubot").post(page, {"title": "From here", "body": ""}, on=page)
    assert seen.url.endswith("/pull/1") and desk.repo().get_pull(1).head.ref == "a/b"


def test_a_reviewer_opens_the_gate_and_nobody_else(desk: Desk) -> None:
    scene = fill(desk)
    page = f"/{desk.full_name}/actions/runs/{scene.run}"
    gate = desk.api("GET", desk.at("/environments/live")).json()["id"]
    yes = {"environment": str(gate), "state": "approved", "comment": "Looks <b>good</b>"}
    for login in ("hubot", "monalisa", "stranger"):
        reader = Reader(desk.twin, login)
        assert not reader.get(page).every("button", value="approved")
        assert reader.post(f"{page}/review", yes, on=page).status == 422, login
    assert desk.api("GET", desk.at(f"/actions/runs/{scene.run}/approvals")).json() == []
    octocat = Reader(desk.twin, "octocat")
    seen = octocat.post(f"{page}/review", yes, on=page)
    assert seen.status == 200 and "octocat approved live Looks <b>good</b>" in seen.words
    until(lambda: octocat.get(page).words, lambda words: "success · deploy" in words)


def test_a_reviewer_says_no(desk: Desk) -> None:
    scene = fill(desk)
    page = f"/{desk.full_name}/actions/runs/{scene.run}"
    gate = desk.api("GET", desk.at("/environments/live")).json()["id"]
    reader = Reader(desk.twin, "octocat")
    none = reader.post(f"{page}/review", {"state": "rejected", "comment": "x"}, on=page)
    assert none.status == 422 and "Choose at least one environment" in none.words
    asked = {"environment": str(gate), "state": "rejected", "comment": "Not yet"}
    reader.post(f"{page}/review", asked, on=page)
    until(lambda: reader.get(page).words, lambda words: "failure · deploy" in words)


def test_a_run_by_hand_starts_with_what_was_filled_in(scene: Scene) -> None:
    desk, reader = scene.desk, Reader(scene.desk.twin, "hubot")
    workflow = next(iter(desk.repo().get_workflows())).id
    page = f"/{desk.full_name}/actions?workflow={workflow}"
    asked = {"workflow": str(workflow), "ref": "main", "input-what": "this", "input-how": "paper"}
    seen = reader.post(f"/{desk.full_name}/actions/dispatch?workflow={workflow}", asked, on=page)
    assert seen.status == 200 and "deploy this" in seen.words
    wrong = reader.post(
        f"/{desk.full_name}/actions/dispatch?workflow={workflow}", {**asked, "input-what": ""},
        on=page,
    )  # fmt: skip
    assert wrong.status == 422 and "Required input 'what' not provided" in wrong.words


def test_artifacts_and_released_files_are_downloads(scene: Scene) -> None:
    desk, reader = scene.desk, Reader(scene.desk.twin)
    links = reader.get(f"/{desk.full_name}/actions/runs/{scene.run}").every("a", download="")
    got = reader.get(links[0]["href"])
    assert got.status == 200 and got.text.startswith("PK")
    assert got.headers["Content-Disposition"] == 'attachment; filename="report.zip"'


def test_nothing_is_asked_of_the_network() -> None:
    folder = Path(serve.__file__).parent
    files = [*(folder / "templates").iterdir(), *(folder / "static").iterdir()]
    assert len(files) > 25
    for file in files:
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import|url\(", text), file.name


PAIRS = [
    ("text", "back"), ("text", "panel"), ("quiet", "back"), ("quiet", "panel"), ("quiet", "code"),
    ("link", "back"), ("link", "panel"), ("link", "code"), ("good", "back"), ("bad", "back"),
    ("wait", "back"), ("done", "back"), ("bad", "panel"), ("bad", "removed"), ("text", "added"),
    ("text", "removed"), ("quiet", "added"), ("quiet", "removed"), ("quiet", "hunk"),
    ("primary-text", "primary"),
]  # fmt: skip


def light(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("front,back", PAIRS)
def test_every_text_stands_out_from_its_ground(scheme: int, front: str, back: str) -> None:
    """At least 4.5 to 1, as the accessibility guidelines want for text."""
    style = (Path(serve.__file__).parent / "static" / "style.css").read_text()
    block = style.split(":root {")[1 + scheme].split("}")[0]
    known = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})\b", block))
    high, low = sorted((light(known[front]), light(known[back])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_the_list_is_narrowed_and_paged(desk: Desk) -> None:
    for number in range(1, 33):
        desk.repo().create_issue(f"issue {number}", labels=["even"] if number % 2 == 0 else [])
    opened(desk)
    desk.repo("stranger").create_issue("100% sure")
    desk.repo().get_issue(1).edit(state="closed")
    reader, page = Reader(desk.twin), f"/{desk.full_name}/issues"

    def titles(query: str) -> list[str]:
        found = reader.get(f"{page}{query}")
        return re.findall(r"(issue \d+|100% sure|Merge it) (?:even )?#", found.words)

    assert len(titles("")) == 30 and titles("")[0] == "100% sure" and "Merge it" not in titles("")
    assert titles("?page=2") == ["issue 3", "issue 2"]
    assert titles("?state=closed") == ["issue 1"]
    assert titles("?label=EVEN&q=e+1") == [f"issue {n}" for n in (18, 16, 14, 12, 10)]
    assert titles("?creator=stranger") == ["100% sure"]
    assert titles("?q=%27%20OR%201=1%20--") == []
    assert "32 open 1 closed" in reader.get(page).words
    links = [a["href"] for a in reader.get(f"{page}?label=even&page=1").every("a", rel="next")]
    assert links == [] and reader.get(page).every("a", rel="next")[0]["href"] == "?page=2"
