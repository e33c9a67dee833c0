"""The trust boundary: what becomes an event, what is ignored, what is refused by name."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import payloads
from bot.events import CommentPosted, Identity, IssueClosed, IssueOpened, Tick
from bot.payloads import parse
from bot.reader import Malformed
from schemas.work import Request
from schemas.workflow import Policy

ME = Identity(bot_id=41, trusted_bots=frozenset({99}))


def user(login: str = "octocat", number: int = 1, kind: str = "User") -> dict[str, Any]:
    return {"login": login, "id": number, "type": kind}


def issue(**more: Any) -> dict[str, Any]:
    return {
        "number": 7, "title": "RSI", "body": None, "user": user(), "labels": [],
        "created_at": "2026-01-31T12:00:00Z", **more,
    }  # fmt: skip


def commented(body: str = "/help", **more: Any) -> dict[str, Any]:
    comment = {"id": 5, "body": body, "user": user(), "created_at": "2026-01-31T12:00:00Z"}
    return {"action": "created", "issue": issue(), "comment": {**comment, **more}}


def pulled(action: str = "closed", branch: str = "ai/generated/wf_7/t1_data") -> dict[str, Any]:
    head = {"ref": branch, "sha": "a" * 40, "repo": {"full_name": "o/r"}}
    pull = {"head": head, "updated_at": "2026-01-31T12:00:00Z", "merged": True}
    return {"action": action, "pull_request": pull, "repository": {"full_name": "o/r"}}


def heard(name: str, payload: object) -> object:
    return parse(name, payload, ME, Policy())


def test_a_new_issue_is_a_request() -> None:
    event = heard("issues", {"action": "opened", "issue": issue(body="buy low")})
    assert isinstance(event, IssueOpened)
    assert (event.issue, event.body, event.login, event.at) == (7, "buy low", "octocat", 1769860800)


def test_a_comment_on_a_request() -> None:
    event = heard("issue_comment", commented())
    assert isinstance(event, CommentPosted) and event.key == "comment/5"


def test_a_comment_on_our_pull_request_counts_for_its_request() -> None:
    payload = commented()
    mine = issue(number=12, pull_request={}, user=user("stratbot[bot]", 41, "Bot"))
    payload["issue"] = {**mine, "body": "text\n<!-- stratbot:request=7 -->"}
    event = heard("issue_comment", payload)
    assert isinstance(event, CommentPosted) and (event.issue, event.number) == (7, 12)


DEBUG = "<!-- stratbot:topic=wf_7/debug-t1_data-0 -->\nPart of #7.\n\nIt failed."


@pytest.mark.parametrize("label", ["debug", "incident", "renamed"])
def test_a_comment_on_our_debug_issue_counts_for_its_request(label: str) -> None:
    mine = issue(number=30, user=user("stratbot[bot]", 41, "Bot"), labels=[{"name": label}])
    event = heard("issue_comment", {**commented(), "issue": {**mine, "body": DEBUG}})
    assert isinstance(event, CommentPosted) and (event.issue, event.number) == (7, 30)


@pytest.mark.parametrize("body", [DEBUG, "broken"])
def test_a_command_on_a_persons_incident_is_for_no_request(body: str) -> None:
    """Whoever copies a marker reaches nobody else's request, and is answered where they are."""
    theirs = issue(number=30, labels=[{"name": "incident"}], body=body)
    event = heard("issue_comment", {**commented(), "issue": theirs})
    assert isinstance(event, CommentPosted) and (event.issue, event.number) == (30, 30)


@pytest.mark.parametrize(
    "payload",
    [
        {**commented(), "action": "pinned"},
        commented(user=user("stratbot[bot]", 41, "Bot")),
        commented(user=user("stratbot", 41, "User")),
        commented(user=user("other[bot]", 98, "Bot")),
        {**commented(), "issue": issue(labels=[{"name": "not-a-request"}])},
        {**commented(), "issue": issue(user=user("b", 41, "Bot"), body=f"> {DEBUG}")},
        {**commented(), "issue": issue(pull_request={}, labels=[{"name": "incident"}])},
        {**commented(), "issue": issue(pull_request={}, body="<!-- stratbot:request=7 -->")},
        {**commented(), "issue": issue(pull_request={}, user=user("b", 41, "Bot"), body="none")},
    ],
)  # fmt: skip
def test_what_is_not_for_us_is_ignored(payload: object) -> None:
    """Edits, ourselves by number, bots that nobody listed, a stranger's pull request."""
    assert heard("issue_comment", payload) is None


def test_a_name_that_no_document_can_hold_is_not_heard() -> None:
    assert heard("issue_comment", commented(user=user("-legacy-"))) is None


def test_half_a_character_becomes_one_that_can_be_kept() -> None:
    event = heard("issues", {"action": "opened", "issue": issue(title="t\ud800", body="b\udfff")})
    assert isinstance(event, IssueOpened) and (event.title, event.body) == ("t?", "b?")


@pytest.mark.parametrize("action", ["edited", "deleted"])
def test_a_comment_that_was_touched_is_a_reason_to_look(action: str) -> None:
    touched = {**commented(), "action": action}
    touched["comment"] = {**touched["comment"], "updated_at": "2026-01-31T12:00:00Z"}
    event = heard("issue_comment", touched)
    assert isinstance(event, Tick) and event.issue == 7
    ours = {**touched, "sender": user("stratbot[bot]", 41, "Bot")}
    assert heard("issue_comment", ours) is None


@pytest.mark.parametrize("action", ["edited", "closed", "reopened"])
def test_a_request_that_was_touched_is_a_reason_to_look(action: str) -> None:
    touched = {"action": action, "issue": issue(updated_at="2026-01-31T12:00:00Z")}
    event = heard("issues", touched)
    assert isinstance(event, Tick) and event.issue == 7


@pytest.mark.parametrize(
    ("label", "by", "more", "heard"),
    [("not-a-request", 1, {}, True), ("debug", 41, {}, False), ("bug", 1, {}, False),
     ("incident", 1, {"pull_request": {}}, False)],
)  # fmt: skip
def test_a_label_that_disowns_a_request_is_a_reason_to_look(
    label: str, by: int, more: dict[str, Any], heard: bool
) -> None:
    about = issue(labels=[{"name": label}], updated_at="2026-01-31T12:00:00Z", **more)
    sent = {"action": "labeled", "issue": about, "label": {"name": label}}
    event = parse("issues", {**sent, "sender": user("x", by)}, ME, Policy())
    assert (event == Tick(7, 1769860800)) is heard


@pytest.mark.parametrize(
    ("said", "wakes"), [("7", 7), ("0", None), ("7; rm", None), ("", None), ("٧", None)]
)
def test_a_wake_up_names_a_request(said: str, wakes: int | None) -> None:
    event = parse("workflow_dispatch", {"inputs": {"issue": said}}, ME, Policy(), 99)
    assert (event.issue if event else None) == wakes
    assert event is None or event.at == 99


@pytest.mark.parametrize("name", ["push", "schedule", "workflow_run", ""])
def test_an_event_that_we_do_not_know_is_ignored_whatever_it_holds(name: str) -> None:
    payloads: tuple[object, ...] = (None, [], {"ref": "x"}, {"action": 7})
    for payload in payloads:
        assert heard(name, payload) is None


def test_a_listed_bot_is_heard() -> None:
    assert heard("issue_comment", commented(user=user("helper[bot]", 99, "Bot")))


def test_a_pull_request_of_ours_is_only_a_reason_to_look() -> None:
    assert heard("pull_request", pulled()) == Tick(7, 1769860800)
    again = pulled(branch="ai/generated/wf_7-2/t1_data")
    assert heard("pull_request", again) == Tick(7, 1769860800)


@pytest.mark.parametrize(
    "branch", ["main", "ai/generated/wf_7", "ai/generated/wf_0/x", "x/ai/generated/wf_7/t1"]
)
def test_other_branches_are_not_ours(branch: str) -> None:
    assert heard("pull_request", pulled(branch=branch)) is None


def test_a_fork_with_our_branch_name_is_not_ours() -> None:
    payload = pulled()
    payload["pull_request"]["head"]["repo"]["full_name"] = "stranger/r"
    assert heard("pull_request", payload) is None
    payload["pull_request"]["head"]["repo"] = None
    assert heard("pull_request", payload) is None


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("comment.id", "5", "comment.id: expected int, found str"),
        ("comment.id", True, "comment.id: expected int, found bool"),
        ("comment.id", -1, "comment.id: -1 is not a number of GitHub's"),
        ("comment.user", None, "comment.user.id: expected int, found NoneType"),
        ("comment.body", 7, "comment.body: expected str, found int"),
        ("comment.body", "x" * 70_000, "comment.body: 70000 characters, at most 65536"),
        ("comment.created_at", "yesterday", "comment.created_at: 'yesterday' is not a time"),
        ("comment.created_at", "1960-01-31T12:00:00Z", "is not a time"),
        ("issue.number", None, "issue.number: expected int, found NoneType"),
        ("issue.labels", "debug", "issue.labels: expected list, found str"),
        ("action", None, "action: expected str, found NoneType"),
    ],
)
def test_a_broken_payload_is_refused_by_name(path: str, value: object, says: str) -> None:
    payload = copy.deepcopy(commented())
    node: Any = payload
    for part in path.split(".")[:-1]:
        node = node[part]
    node[path.split(".")[-1]] = value
    with pytest.raises(Malformed, match="issue_comment: ") as error:
        heard("issue_comment", payload)
    assert says in str(error.value)


NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["action", "issue", "comment", "user", "id", "body"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from(["issues", "issue_comment", "pull_request", "push", ""]), NONSENSE)
def test_nonsense_is_ignored_or_refused_never_anything_else(name: str, payload: object) -> None:
    try:
        assert heard(name, payload) is None
    except Malformed as error:
        assert str(error).startswith(f"{name}: ")


@pytest.mark.parametrize(("by", "login"), [({"login": "octocat"}, "octocat"), (None, "ghost")])
def test_who_closed_an_issue_is_not_who_opened_it(by: object, login: str) -> None:
    row = {
        "number": 7, "title": "t", "body": "b", "state": "closed", "labels": [],
        "user": {"login": "monalisa"}, "updated_at": "2026-01-01T00:00:00Z",
        "closed_at": "2026-01-01T00:00:00Z", "closed_by": by,
    }  # fmt: skip
    known = Request(title="t", body="b", author="monalisa")
    [closed] = payloads.issue_changed(row, known)
    assert isinstance(closed, IssueClosed) and closed.login == login
