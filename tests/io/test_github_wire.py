"""What happens when GitHub does not answer, says no, or asks to wait."""

import pytest

from bot.io.github.fit import LIMIT, fit
from bot.ports import Rejected, Unavailable
from schemas.acts import React, Reply, StatusComment
from tests.io.desk import Desk, publish

REPLY = Reply(number=1, comment_id=500, body="Planned.")


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_write_is_never_sent_twice(desk: Desk, status: int) -> None:
    desk.fault("POST", "/comments$", status=status, after=True, times=9)
    with pytest.raises(Unavailable, match=str(status)):
        desk.hub.perform(desk.workflow, REPLY)
    assert desk.server.writes() == 1
    assert len(desk.bodies()) == 1


@pytest.mark.parametrize("after", [False, True])
def test_a_torn_write_is_never_sent_twice(desk: Desk, after: bool) -> None:
    desk.fault("POST", "/comments$", tear=True, after=after, times=9)
    with pytest.raises(Unavailable):
        desk.hub.perform(desk.workflow, REPLY)
    assert desk.server.writes() == 1
    assert len(desk.bodies()) == after


@pytest.mark.parametrize("how", [{"status": 502}, {"tear": True}])
def test_a_read_is_tried_once_more(desk: Desk, how: dict[str, int]) -> None:
    desk.fault("GET", "/comments$", **how)
    assert desk.hub.news(desk.workflow) == ()
    desk.fault("GET", "/comments$", times=2, **how)
    with pytest.raises(Unavailable):
        desk.hub.news(desk.workflow)


def test_a_server_that_is_silent_too_long(desk: Desk) -> None:
    desk.fault("POST", "/reactions$", stall=1.2)
    with pytest.raises(Unavailable, match="ReadTimeout"):
        desk.another(timeout=1).perform(desk.workflow, React(comment_id=1, content="eyes"))


def test_no_server_at_all(desk: Desk) -> None:
    desk.server.shutdown()
    desk.server.server_close()
    with pytest.raises(Unavailable):
        desk.hub.role("octocat")


@pytest.mark.parametrize(
    "status,headers,message,wait",
    [
        (403, {"Retry-After": "90"}, "You have exceeded a secondary rate limit.", 90),
        (403, {}, "You have exceeded a secondary rate limit.", 60),
        (429, {}, "Too many requests", 60),
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}, "API rate limit", 1),
        (503, {"Retry-After": "30"}, "Down for maintenance", 30),
    ],
)
def test_a_limit_says_when_to_come_back(
    desk: Desk, status: int, headers: dict[str, str], message: str, wait: int
) -> None:
    desk.fault("POST", "/comments$", status=status, headers=headers, message=message)
    with pytest.raises(Unavailable, match=f"come back in {wait} seconds"):
        desk.hub.perform(desk.workflow, REPLY)
    with desk.server.count(0), pytest.raises(Unavailable, match="come back"):
        desk.hub.role("octocat")
    assert desk.clock.slept == []
    desk.world.time += wait
    desk.hub.perform(desk.workflow, REPLY)
    assert len(desk.bodies()) == 1


def test_a_no_that_will_not_change_is_told_in_githubs_words(desk: Desk) -> None:
    desk.fault("POST", "/comments$", status=403, message="Resource not accessible by integration")
    with pytest.raises(Rejected, match="^Resource not accessible by integration"):
        desk.hub.perform(desk.workflow, REPLY)


def test_a_write_that_is_sent_elsewhere_was_not_done(desk: Desk) -> None:
    desk.fault("POST", "/comments$", status=307, message="Moved Permanently")
    with pytest.raises(Rejected, match="307"):
        desk.hub.perform(desk.workflow, REPLY)


def test_a_token_that_is_not_taken(desk: Desk) -> None:
    del desk.world.users[desk.token]
    with pytest.raises(Rejected, match="Bad credentials"):
        desk.hub.role("octocat")


def test_a_second_between_two_writes(desk: Desk) -> None:
    slow = desk.another(spacing=1000)
    slow.perform(desk.workflow, REPLY)
    assert desk.clock.slept == []
    slow.show(desk.workflow, StatusComment(body="x"))
    assert len(desk.clock.slept) == 1 and 990 <= desk.clock.slept[0] <= 1000


def test_the_token_never_leaves_in_a_text(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, Reply(number=1, comment_id=1, body=f"oops {desk.token}"))
    desk.fault("POST", "/reactions$", status=403, message=f"no {desk.token}")
    with pytest.raises(Rejected) as no:
        desk.hub.perform(desk.workflow, React(comment_id=1, content="eyes"))
    assert desk.token not in desk.bodies()[0] + str(no.value)
    desk.hub.perform(desk.workflow, publish(f"key = {desk.token!r}\n"))
    assert desk.server.writes("/git/trees$") == 1
    assert all(desk.token not in seen.sent for seen in desk.server.log)


def test_a_body_that_is_too_long_is_cut_not_refused(desk: Desk) -> None:
    view = StatusComment(body="## One\n" + "x" * 40_000 + "\n## Two\n```\n" + "y\n" * 15_000)
    desk.hub.show(desk.workflow, view)
    desk.hub.show(desk.workflow, view)
    assert desk.server.writes() == 1
    [body] = desk.bodies()
    assert len(body) <= LIMIT and body.startswith("<!-- stratbot:status -->\n## One")
    assert "Cut here" in body and "## Two" not in body


@pytest.mark.parametrize(
    "body,end",
    [
        ("```python\n" + "x = 1\n" * 20_000, "\n```"),
        ("~~~~\n```\n" + "x\n" * 40_000, "\n~~~~"),
        ("<details>\n" + "x\n" * 40_000, "</details>"),
        ("a" * 60_000 + "<!-- " + "b" * 20_000, "a"),
        ("a" * 70_000, "a"),
        ("```\nx\n```\n" + "word " * 20_000, ""),
    ],
)
def test_what_was_open_at_the_cut_is_closed(body: str, end: str) -> None:
    cut = fit(body)
    before, note, _ = cut.partition("\n\n**Cut here**")
    assert len(cut) <= LIMIT and note and before.endswith(end)
    assert before.rstrip().endswith("```") == body.startswith("```python")


def test_a_body_that_fits_is_left_alone() -> None:
    assert fit("a" * LIMIT) == "a" * LIMIT
