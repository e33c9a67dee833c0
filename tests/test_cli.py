"""The command line as Actions runs it: real processes, real git, real HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.cli.jobs import MAX_RESULT
from bot.handle import handle
from bot.io.gitref import GitRefStore
from bot.journal import record
from bot.metrics import measure
from bot.text import jobs
from schemas import codec
from schemas.work import WorkKind, WorkOrder
from schemas.workflow import Phase, Workflow
from tests.audited import audited
from tests.fakes import FakeHub, MemoryStore, lines
from tests.io.desk import BOT_ID, Desk
from tests.io.github_server import Fault, Server
from tests.io.github_world import REPO
from tests.io.model_desk import order as model_order
from tests.io.model_server import ModelServer
from tests.world import ISSUE, STORY, play, work

ROOT = Path(__file__).parent.parent


class Shop:
    """A repository on a local GitHub, its state in a bare repository, and a shell."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.desk, self.folder, self.state = Desk(server), folder, folder / "state.git"
        subprocess.run(["git", "init", "-q", "--bare", str(self.state)], check=True)
        self.desk.world.time = int(time.time())  # the processes have the wall's clock
        now = self.desk.world.tick()
        self.desk.world.issues[1] |= {"created_at": now, "updated_at": now}
        measured = {k: v for k, v in os.environ.items() if k.startswith("COVERAGE_")}
        self.env = measured | {
            "PATH": os.environ["PATH"],
            "GITHUB_REPOSITORY": REPO,
            "GITHUB_TOKEN": self.desk.token,
            "GITHUB_API_URL": self.desk.world.url,
            "STRATBOT_BOT_ID": str(BOT_ID),
            "STRATBOT_STATE": str(self.state),
            "STRATBOT_SPACING": "0",
        }

    def run(self, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bot", *args]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=self.env | env, check=False
        )

    def event(self, name: str, payload: object) -> subprocess.CompletedProcess[str]:
        file = self.folder / "event.json"
        file.write_text(payload if isinstance(payload, str) else json.dumps(payload))
        return self.run("handle", "--event", name, "--payload", str(file))

    def comment(self, body: str) -> dict[str, Any]:
        made = self.desk.world.comment(self.desk.octocat, 1, body)
        issue = self.desk.world.issues[1]
        return {"action": "created", "issue": issue, "comment": made}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield Shop(server, tmp_path)
        server.shutdown()


def logged(printed: str) -> list[str]:
    """The messages of a job, each up to its figures; every line is a log line."""
    lines = [json.loads(line) for line in printed.splitlines()]
    for line in lines:
        assert datetime.fromisoformat(line["timestamp"]).tzinfo == UTC
        assert line["event"] and line["correlation_id"] in ("corr_1", "corr_none")
    return [str(line["message"]).partition(";")[0] for line in lines]


def test_an_issue_a_command_a_result_and_the_audit_log(shop: Shop) -> None:
    opened = shop.event("issues", {"action": "opened", "issue": shop.desk.world.issues[1]})
    assert opened.returncode == 0 and logged(opened.stdout)[0] == "opened", opened.stderr
    helped = shop.event("issue_comment", shop.comment("/help"))
    assert helped.returncode == 0, helped.stderr
    assert any("`/approve`" in body for body in shop.desk.bodies())

    (wanted_run,) = shop.desk.world.runs.values()
    asked_at = time.time()
    printed = shop.run("order", "1", wanted_run["display_title"].split()[1])
    assert printed.returncode == 0, printed.stderr
    result = shop.folder / "result.json"
    order = codec.load(WorkOrder, printed.stdout)
    assert order.deadline > asked_at, "what waited for a machine for months has its time still"
    result.write_text(codec.dump(work(order)))
    other = shop.run("finish", "--issue", "2", "--key", order.key, "--result", str(result))
    assert other.returncode == 2 and "not plan-" in other.stderr
    other = shop.run("finish", "--issue", "1", "--key", "other", "--result", str(result))
    assert other.returncode == 2 and "not other of request 1" in other.stderr
    finished = shop.run("finish", "--issue", "1", "--key", order.key, "--result", str(result))
    assert logged(finished.stdout)[0] == "asking", finished.stderr

    lines = audited(shop.run("audit", "1").stdout)
    assert len(lines) >= 3 and {line["correlation_id"] for line in lines} == {"corr_1"}
    assert [line["event_type"] for line in lines[:2]] == ["workflow.changed", "task.dispatched"]
    first = datetime.fromisoformat(lines[0]["timestamp"])
    assert first.tzinfo == UTC and {line["timestamp"] for line in lines[:2]} == {
        lines[0]["timestamp"]
    }
    events = audited(shop.run("audit", "1", "--events").stdout)
    assert events == [e for e in lines if e["event_type"] != "workflow.changed"]
    figures = json.loads(shop.run("metrics", "--json").stdout)
    assert figures["tasks"] == 0 and figures["task_pass_rate"] is None
    swept = logged(shop.run("sweep").stdout)
    assert swept == ["asking", "The sweep runs again in half an hour."]


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ("{", "not JSON"),
        ("[]", "issue_comment: action: expected str, found NoneType"),
        (
            '{"action": "created", "comment": {"user": {"id": "x"}}}',
            "comment.user.id: expected int",
        ),
    ],
)
def test_a_malformed_payload_is_named_and_changes_nothing(
    shop: Shop, payload: str, says: str
) -> None:
    done = shop.event("issue_comment", payload)
    assert done.returncode == 2 and says in done.stderr
    assert "Traceback" not in done.stderr
    assert GitRefStore(str(shop.state)).issues() == ()


def test_a_comment_that_is_too_long_is_named(shop: Shop) -> None:
    payload = shop.comment("/help")
    payload["comment"]["body"] = "/help " + "x" * 70_000
    done = shop.event("issue_comment", payload)
    assert done.returncode == 2
    assert "comment.body: 70006 characters, at most 65536" in done.stderr


def test_an_order_is_read_again_when_git_stumbles(shop: Shop) -> None:
    shop.event("issues", {"action": "opened", "issue": shop.desk.world.issues[1]})
    (wanted_run,) = shop.desk.world.runs.values()
    key = wanted_run["display_title"].split()[1]
    away = shop.state.rename(shop.folder / "away")
    back = threading.Timer(1.5, away.rename, [shop.state])
    back.start()
    done = shop.run("order", "1", key)
    back.join()
    assert done.returncode == 0, done.stderr


def test_what_was_drafted_is_paid_for_though_it_came_to_nothing(shop: Shop) -> None:
    shop.event("issues", {"action": "opened", "issue": shop.desk.world.issues[1]})
    (wanted_run,) = shop.desk.world.runs.values()
    key = wanted_run["display_title"].split()[1]
    order = codec.load(WorkOrder, shop.run("order", "1", key).stdout)
    spent = shop.folder / "drafted.json"
    spent.write_text(codec.dump(work(order)))
    which = ("--issue", "1", "--key", key, "--result", "none.json", "--failed", "it died")
    done = shop.run("finish", *which, "--spent", str(spent))
    assert done.returncode == 0, done.stderr
    state, _ = GitRefStore(str(shop.state)).read(1)
    assert state.usage == work(order).usage and state.usage.cost and "it died" in state.note
    spent.write_text("{")
    again = [r["display_title"].split()[1] for r in shop.desk.world.runs.values()][-1]
    assert again != key
    which = ("--issue", "1", "--key", again, "--result", "none.json", "--failed", "it died")
    died = shop.run(
        "finish", *which, "--spent", str(spent), "--unknown-cost", STRATBOT_MAX_COST="1"
    )
    assert died.returncode == 0, died.stderr
    after, _ = GitRefStore(str(shop.state)).read(1)
    assert after.usage.cost == state.usage.cost + 1, "the most that it may have cost"


def test_a_result_of_an_unknown_version_is_named(shop: Shop) -> None:
    file = shop.folder / "result.json"
    file.write_text('{"schema": 9}')
    which = ("--issue", "1", "--key", "plan-1")
    done = shop.run("finish", *which, "--result", str(file))
    assert done.returncode == 2 and "$.schema: version 9 is unknown" in done.stderr
    file.write_text(" " * (MAX_RESULT + 1))
    done = shop.run("finish", *which, "--result", str(file))
    assert done.returncode == 2 and f"at most {MAX_RESULT} are read" in done.stderr


def test_a_truncated_state_is_named_and_left_alone(shop: Shop) -> None:
    refs = GitRefStore(str(shop.state))
    refs.write(Workflow(issue=1), "", record(Workflow(issue=1), Workflow(issue=1), ()))
    git = ["git", "-C", str(shop.state)]
    blob = subprocess.run(
        [*git, "hash-object", "-w", "--stdin"], input=b'{"iss', capture_output=True, check=True
    ).stdout.decode().strip()  # fmt: skip
    tree = subprocess.run(
        [*git, "mktree"], input=f"100644 blob {blob}\tworkflow.json\n".encode(),
        capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    who = ["-c", "user.name=octocat", "-c", "user.email=octocat@example.com"]
    made = subprocess.run(
        ["git", "-C", str(shop.state), *who, "commit-tree", tree, "-m", "cut"],
        capture_output=True, check=True,
    ).stdout.decode().strip()  # fmt: skip
    subprocess.run([*git, "update-ref", "refs/stratbot/wf_1", made], check=True)
    done = shop.event("issue_comment", shop.comment("/help"))
    assert done.returncode == 2
    assert "workflow in refs/stratbot/wf_1" in done.stderr and "not JSON" in done.stderr
    swept = shop.run("sweep")
    assert swept.returncode == 75 and "refs/stratbot/wf_1" in swept.stdout
    for command in (("metrics",), ("audit", "1")):
        told = shop.run(*command)
        assert told.returncode == 1 and "record in refs/stratbot/wf_1" in told.stderr
        assert "there is no record.json" in told.stderr and "Traceback" not in told.stderr
    assert "task_pass_rate" in shop.run("metrics").stdout


def test_github_down_is_told_by_its_own_exit_code(shop: Shop) -> None:
    shop.desk.server.faults.append(Fault("GET", "", status=502, times=100))
    done = shop.event("issue_comment", shop.comment("/help"))
    assert done.returncode == 75 and "GitHub answered 502" in done.stderr
    shop.desk.server.faults.clear()
    assert shop.run("sweep").returncode == 0
    assert any("`/approve`" in body for body in shop.desk.bodies())


def test_what_is_missing_is_named(shop: Shop) -> None:
    del shop.env["GITHUB_TOKEN"]
    done = shop.run("sweep")
    assert done.returncode == 2 and "GITHUB_TOKEN is not set" in done.stderr
    assert shop.run("handle").returncode == 2
    bad = shop.run("sweep", GITHUB_TOKEN="x", STRATBOT_BOT_ID="github-actions")
    assert bad.returncode == 2 and "STRATBOT_BOT_ID: 'github-actions'" in bad.stderr
    bare = shop.run("sweep", GITHUB_TOKEN="x", PATH="/nowhere")
    assert bare.returncode == 1 and "no git on PATH" in bare.stderr
    gone = shop.run("handle", "--event", "issues", "--payload", "/nowhere.json")
    assert gone.returncode == 2 and "cannot be read" in gone.stderr


def test_a_policy_that_cannot_be_read_stops_us(shop: Shop) -> None:
    done = shop.run("sweep", STRATBOT_POLICY='{"solo": "yes"}')
    assert done.returncode == 2 and "$.solo" in done.stderr


def test_a_setting_that_cannot_be_used_stops_us_by_its_name(shop: Shop) -> None:
    done = shop.run("sweep", MAX_RETRIES="many")
    assert done.returncode == 2 and "MAX_RETRIES: 'many' cannot be used" in done.stderr
    order = shop.folder / "order.json"
    order.write_text(codec.dump(model_order(WorkKind.DRAFT)))
    asked = ("work", "--order", str(order), "--out", str(shop.folder / "out"), "--writer", "llm")
    done = shop.run(*asked, OPENAI_API_KEY="k", MODEL_NAME="m", STRATBOT_MAX_COST="free")
    assert done.returncode == 2 and "STRATBOT_MAX_COST: 'free'" in done.stderr
    done = shop.run(*asked, OPENAI_API_KEY="k", MODEL_NAME="")
    assert done.returncode == 2 and "MODEL_NAME is not set" in done.stderr


@pytest.mark.parametrize("kind", [WorkKind.DRAFT, WorkKind.PLAN_TESTS, WorkKind.BUILD_TESTS])
@pytest.mark.parametrize("own", ["", "tester"])
def test_added_tests_may_have_a_model_of_their_own(shop: Shop, kind: WorkKind, own: str) -> None:
    order, out = shop.folder / "order.json", shop.folder / "out"
    asked = replace(model_order(kind), deadline=int(time.time()) + 600)
    order.write_text(codec.dump(asked))
    server = ModelServer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = shop.run(
        "work", "--order", str(order), "--out", str(out), "--writer", "llm", OPENAI_API_KEY="k",
        OPENAI_BASE_URL=server.url, MODEL_NAME="writer", TEST_MODEL=own,
    )  # fmt: skip
    server.shutdown()
    assert done.returncode == 0, done.stderr
    wanted_model = own if own and kind is not WorkKind.DRAFT else "writer"
    assert {seen.sent["model"] for seen in server.seen} == {wanted_model}


def test_no_token_in_anything_that_is_said(shop: Shop) -> None:
    shop.desk.server.faults.append(Fault("GET", "", status=500, times=2, message=shop.desk.token))
    done = shop.event("issue_comment", shop.comment("/help"))
    assert shop.desk.token not in done.stdout + done.stderr


def test_each_job_says_on_its_page_what_it_did(shop: Shop) -> None:
    page, order = shop.folder / "summary.md", shop.folder / "order.json"
    shop.env["GITHUB_STEP_SUMMARY"] = str(page)
    assert shop.run("sweep").returncode == 0
    (wanted_run,) = shop.desk.world.runs.values()
    order.write_text(shop.run("order", "1", wanted_run["display_title"].split()[1]).stdout)
    done = shop.run("work", "--order", str(order), "--out", str(shop.folder / "out"))
    assert done.returncode == 0, done.stderr
    assert shop.run("pulls").returncode == 0
    shop.desk.server.faults.append(Fault("GET", "/issues/1", status=502, times=100))
    assert shop.run("sweep").returncode == 75
    assert page.read_text().split("\n\n") == [
        "Looked after 1 request.",
        "The sweep runs again in half an hour.",
        "Request 1 wanted `plan` and got `questions_asked`: 0.0 s, 0.00 USD. "
        "The next job takes it in.",
        "No pull request lacked its status.",
        "Looked after 1 request. 1 failed: the log says why, and the next sweep tries again.",
        "The sweep runs again in half an hour.",
        "",
    ]


def test_a_summary_counts_what_was_done() -> None:
    assert jobs.swept(0, 0) == "No request needed a look."
    assert jobs.swept(2, 0) == "Looked after 2 requests."
    assert jobs.posted(1) == "Gave 1 pull request the status that a merge waits for."


def test_metrics_of_a_whole_story() -> None:
    store, hub = MemoryStore(), FakeHub()
    play(hub, STORY, lambda event: handle(event, store, hub))
    figures = measure([lines(store)])
    assert figures.tasks == 5 and figures.task_pass_rate == 1.0
    assert figures.avg_iterations == pytest.approx((1 + 2 + 5 + 1 + 1) / 5)
    assert figures.test_flakiness_rate == 0.0
    assert figures.llm_cost_per_task and figures.avg_time_per_task


def test_the_audit_log_tells_the_whole_story() -> None:
    store, hub = MemoryStore(), FakeHub()
    play(hub, STORY, lambda event: handle(event, store, hub))
    told = [e.event_type for _, r, _ in store.history(ISSUE) for e in r.events]
    assert set(told) == {
        "task.dispatched", "test.started", "test.passed", "test.failed",
        "workflow.branch_created", "approval.granted", "deployment.started",
        "deployment.rolled_back",
    }  # fmt: skip
    assert told.count("test.failed") == 5
    assert told.count("workflow.branch_created") == 6  # one for each failure, and for the rollback
    assert told.count("test.passed") == 7  # the five steps, the whole, and one by hand
    assert told.count("approval.granted") == 3
    assert store.read(ISSUE)[0].phase is Phase.ROLLED_BACK
