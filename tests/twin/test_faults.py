"""What breaks on demand, the limits, webhooks that are lost or doubled, and a SIGKILL."""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.twin.desk import Desk
from tests.twin.listener import Listener, listening
from tests.twin.pulls import opened
from tests.twin.running import Twin
from tests.twin.waiting import until


@pytest.fixture
def calm(desk: Desk) -> Iterator[Desk]:
    yield desk
    desk.api("DELETE", "/_twin/faults", "root")
    desk.api("PATCH", "/_twin/limits", "root", hourly=5000, writes_a_minute=0, writes_an_hour=0)


def comments(desk: Desk) -> int:
    return desk.repo().get_issue(1).comments


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("how", [{"status": 500}, {"status": 502}, {"tear": True}])
def test_a_write_that_breaks_before_or_after_its_effect(
    calm: Desk, how: dict[str, Any], after: bool
) -> None:
    issue = calm.repo().create_issue("x")
    fault = {"verb": "POST", "path": f"{calm.name}/issues/1/comments$", "after": after, **how}
    assert calm.api("POST", "/_twin/faults", "root", **fault).status_code == 201
    try:
        got = calm.api("POST", calm.at("/issues/1/comments"), body="x").status_code
    except requests.ConnectionError:
        got = 0
    assert got == how.get("status", 0)
    assert comments(calm) == after
    issue.create_comment("the next one works")
    assert comments(calm) == after + 1


def test_a_fault_for_one_request_by_its_header(calm: Desk) -> None:
    fault = {"status": 403, "headers": {"Retry-After": "7"}}
    got = calm.api("GET", calm.at(""), headers={"X-Twin-Fault": json.dumps(fault)})
    assert (got.status_code, got.headers["Retry-After"]) == (403, "7")
    assert calm.api("GET", calm.at("")).status_code == 200


def test_a_fault_for_every_third_request(calm: Desk) -> None:
    fault = {"path": f"{calm.name}$", "status": 502, "every": 3, "times": 2}
    assert calm.api("POST", "/_twin/faults", "root", **fault).status_code == 201
    got = [calm.api("GET", calm.at("")).status_code for _ in range(9)]
    assert got == [200, 200, 502, 200, 200, 502, 200, 200, 200]


def test_an_answer_that_comes_too_late(calm: Desk) -> None:
    url, auth = calm.twin.url + calm.at(""), {"Authorization": "token token-of-octocat"}
    late = {**auth, "X-Twin-Fault": json.dumps({"delay": 3})}
    with pytest.raises(requests.ReadTimeout):
        requests.get(url, headers=late, timeout=0.2)


def test_a_late_answer_after_the_effect_has_one_effect(calm: Desk) -> None:
    calm.repo().create_issue("x")
    late = {"X-Twin-Fault": json.dumps({"delay": 0.01, "after": True})}
    got = calm.api("POST", calm.at("/issues/1/comments"), headers=late, body="once")
    assert (got.status_code, comments(calm)) == (201, 1)


@pytest.mark.parametrize(
    "fault", ["nonsense", "[]", '{"colour": "red"}', '{"delay": "long"}', '{"path": "("}', "7"]
)
def test_what_is_no_fault_is_told_so(calm: Desk, fault: str) -> None:
    sent = {"Authorization": "token token-of-octocat", "X-Twin-Fault": fault}
    got = requests.get(f"{calm.twin.url}/_files/jobs/1", headers=sent, timeout=20)
    assert got.status_code == 400 and "X-Twin-Fault" in got.json()["message"]


@pytest.mark.parametrize("fault", [{"path": "("}, {"every": 0}, {"times": True}, {"status": "x"}])
def test_a_fault_that_would_itself_break_is_refused(calm: Desk, fault: dict[str, Any]) -> None:
    assert calm.api("POST", "/_twin/faults", "root", **fault).status_code == 422
    assert calm.api("GET", calm.at("")).status_code == 200


def test_files_cost_nothing(calm: Desk) -> None:
    calm.api("PATCH", "/_twin/limits", "root", anonymous=2)
    url = f"{calm.twin.url}/_files/jobs/1"
    got = {requests.get(url, timeout=20).json()["message"] for _ in range(4)}
    calm.api("PATCH", "/_twin/limits", "root", anonymous=60)
    assert got == {"The signature does not fit"}


def test_only_a_site_administrator_breaks_things(calm: Desk) -> None:
    assert calm.api("POST", "/_twin/faults", status=500).status_code == 404
    assert calm.api("POST", "/_twin/faults", "root", colour="red").status_code == 422


def test_the_primary_limit(calm: Desk) -> None:
    calm.api("PATCH", "/_twin/limits", "root", hourly=3)
    got = [calm.api("GET", calm.at(""), "hubot") for _ in range(4)]
    assert [r.status_code for r in got] == [200, 200, 200, 403]
    assert [r.headers["X-RateLimit-Remaining"] for r in got] == ["2", "1", "0", "0"]
    assert "API rate limit exceeded" in got[-1].json()["message"]
    again = {"If-None-Match": got[0].headers["ETag"]}
    calm.api("POST", "/_twin/clock", "root", seconds=3601)
    free = [calm.api("GET", calm.at(""), "hubot", headers=again).status_code for _ in range(5)]
    assert free == [304] * 5


def test_the_secondary_limit(calm: Desk) -> None:
    calm.repo().create_issue("x")
    calm.api("PATCH", "/_twin/limits", "root", writes_a_minute=2)
    path = calm.at("/issues/1/comments")
    got = [calm.api("POST", path, "hubot", body="x") for _ in range(3)]
    assert [r.status_code for r in got] == [201, 201, 403]
    assert 0 < int(got[-1].headers["Retry-After"]) <= 61
    assert "secondary rate limit" in got[-1].json()["message"]
    assert calm.api("GET", path, "hubot").status_code == 200
    calm.api("POST", "/_twin/clock", "root", seconds=61)
    assert calm.api("POST", path, "hubot", body="x").status_code == 201


@pytest.fixture
def listener(calm: Desk) -> Iterator[Listener]:
    with listening() as server:
        config = {"url": server.url, "content_type": "json", "secret": "s"}
        calm.repo().create_hook("web", config, ["issues", "push"])
        until(lambda: len(server.got), lambda n: n == 1)
        yield server


def names(listener: Listener) -> list[str]:
    return [headers["X-GitHub-Event"] for headers, _ in listener.got]


def titles(listener: Listener) -> list[str]:
    return [json.loads(body)["issue"]["title"] for _, body in listener.got[1:]]


def test_webhooks_are_signed_and_kept(calm: Desk, listener: Listener) -> None:
    calm.repo().create_issue("x").create_comment("not asked for")
    calm.repo().create_file("a", "Add a", "a")
    until(lambda: names(listener), lambda n: n == ["ping", "issues", "push"])
    for headers, body in listener.got:
        wanted = hmac.new(b"s", body, hashlib.sha256).hexdigest()
        assert headers["X-Hub-Signature-256"] == f"sha256={wanted}"
    push = json.loads(listener.got[2][1])
    assert push["ref"] == "refs/heads/main" and push["commits"][0]["added"] == ["a"]
    [hook] = calm.repo().get_hooks()
    assert hook.config["secret"] == "********"
    found = until(lambda: list(calm.repo().get_hook_deliveries(hook.id)), lambda d: len(d) == 3)
    assert [d.status_code for d in found] == [200, 200, 200]
    path = calm.at(f"/hooks/{hook.id}/deliveries/{found[0].id}/attempts")
    assert calm.api("POST", path).status_code == 202
    until(lambda: names(listener), lambda n: n[3:] == ["push"])
    hook.edit("web", {"url": hook.config["url"]}, ["push"], active=False)
    hook.delete()
    assert calm.repo().get_hooks().totalCount == 0


@pytest.mark.parametrize(
    "how,told",
    [("lose", ["b"]), ("double", ["a", "a", "b"]), ("hold", ["b", "a"])],
)
def test_events_that_are_lost_doubled_or_overtaken(
    calm: Desk, listener: Listener, how: str, told: list[str]
) -> None:
    calm.api("POST", "/_twin/events", "root", event="issues", how=how)
    calm.repo().create_issue("a")
    calm.repo().create_issue("b")
    until(lambda: titles(listener), lambda found: found == told)


def test_what_was_answered_survives_a_sigkill(tmp_path: Path) -> None:
    """Many write at once, the process is killed in the middle, and nothing answered is lost."""
    twin = Twin(tmp_path).start()
    headers = {"Authorization": "token token-of-octocat"}
    url = f"{twin.url}/repos/octocat/kept"
    made = requests.post(
        f"{twin.url}/user/repos",
        json={"name": "kept", "auto_init": True},
        headers=headers,
        timeout=20,
    )
    assert made.status_code == 201
    answered: dict[int, str] = {}
    enough = threading.Event()

    def write(who: int) -> None:
        with requests.Session() as session:
            for n in range(1000):
                try:
                    got = session.post(
                        f"{url}/issues", json={"title": f"{who}.{n}"}, headers=headers, timeout=20
                    )
                except requests.RequestException:
                    return
                answered[got.json()["number"]] = f"{who}.{n}"
                if len(answered) >= 300:
                    enough.set()

    writers = [threading.Thread(target=write, args=(n,)) for n in range(10)]
    for writer in writers:
        writer.start()
    assert enough.wait(60)
    twin.kill()
    for writer in writers:
        writer.join(30)
    with Twin(tmp_path) as again:
        url = f"{again.url}/repos/octocat/kept"
        found: dict[int, str] = {}
        page = 1
        while rows := requests.get(
            f"{url}/issues?per_page=100&page={page}", headers=headers, timeout=20
        ).json():
            found |= {row["number"]: row["title"] for row in rows}
            page += 1
    assert len(answered) >= 300
    assert answered.items() <= found.items()
    assert sorted(found) == list(range(1, len(found) + 1))


def test_a_merge_that_only_git_knew_of_is_known_after_a_restart(tmp_path: Path) -> None:
    """Killed between git's step and SQLite's: made here by moving the branch behind its back."""
    twin = Twin(tmp_path).start()
    desk = Desk(twin, tmp_path)
    opened(desk, "one", "one.txt")
    opened(desk, "two", "two.txt")
    sha = desk.repo().get_pull(1).head.sha
    later = desk.repo().create_git_commit(
        "Later", desk.repo().get_git_commit(sha).tree, [desk.repo().get_git_commit(sha)]
    )
    [folder] = (tmp_path / "git").iterdir()
    twin.kill()
    for ref, new in (("main", sha), ("two", later.sha)):
        done = ["git", "-C", str(folder), "update-ref", f"refs/heads/{ref}", new]
        subprocess.run(done, check=True)
    with twin:
        assert desk.repo().get_pull(1).merged
        assert desk.repo().get_pull(2).head.sha == later.sha
