"""Our own rules for workflows: pinned, bounded, with few rights, and no text in a shell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.events import NOT_REQUESTS
from bot.gate import ENVIRONMENT, FILE
from bot.io.github.runs import GATE
from bot.payloads import BRANCH, MARKER, TOPIC
from bot.registry import WORD
from bot.settings import OF_REQUESTS, POLICY, SETTINGS
from schemas.work import WorkKind
from schemas.workflow import Phase
from tests.workflows.files import ACTIONS, HOME, WORKFLOWS, jobs, load, steps

PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
PINS = re.compile(r"uses: (\S+@[0-9a-f]{40}) # (v\d+\.\d+\.\d+)$", re.M)
WRITES = dict.fromkeys(
    ["actions", "checks", "contents", "issues", "pull-requests", "statuses"], "write"
)
READS = {"contents": "read"}
LOOKS = {"actions": "read", "contents": "read"}
RIGHTS: dict[str, dict[str, dict[str, str]]] = {
    "ci": {"test": READS},
    "deploy": {"ask": LOOKS, "sign": LOOKS, "tell": WRITES},
    "pages": {"build": READS, "deploy": {"pages": "write", "id-token": "write"}},
    "stratbot": {"filter": {"issues": "write", "pull-requests": "write"}, "handle": WRITES},
    "stratbot-checks": {
        "pulls": {"contents": "read", "pull-requests": "read", "statuses": "write"},
    },
    "stratbot-pulls": {"wake": {"actions": "write"}, "others": {"actions": "write"}},
    "stratbot-work": {"draft": READS, "test": READS, "finish": WRITES},
    "sweep": {"sweep": WRITES},
}
"""Every right of every job. Change it in review, not by accident."""
each = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.stem)
everything = pytest.mark.parametrize(
    "path", [*WORKFLOWS, *ACTIONS], ids=lambda p: f"{p.parent.name}/{p.stem}"
)


def test_no_job_has_more_rights_than_it_needs() -> None:
    found = {}
    for path in WORKFLOWS:
        above = load(path)["permissions"]
        found[path.stem] = {k: dict(j.get("permissions", above)) for k, j in jobs(path).items()}
    assert found == RIGHTS


@each
def test_what_is_not_said_of_a_job_is_not_given(path: Path) -> None:
    assert load(path)["permissions"] in ({}, READS)


@each
def test_every_job_ends(path: Path) -> None:
    minutes = {key: job.get("timeout-minutes") for key, job in jobs(path).items()}
    assert all(isinstance(n, int) and 0 < n <= 60 for n in minutes.values()), minutes


@everything
def test_actions_are_pinned_to_a_commit(path: Path) -> None:
    used = [step["uses"] for step in steps(path) if "uses" in step]
    foreign = [name for name in used if not name.startswith("./")]
    assert all(PINNED.fullmatch(name) for name in foreign), foreign
    assert len(PINS.findall(path.read_text())) == len(foreign), "say the version beside the commit"


def test_one_action_has_one_version() -> None:
    pins = {pin for path in (*WORKFLOWS, *ACTIONS) for pin in PINS.findall(path.read_text())}
    names = [pin.partition("@")[0] for pin, _ in pins]
    assert len(names) == len(set(names)) >= 4, sorted(pins)


@everything
def test_no_expression_is_written_into_a_shell(path: Path) -> None:
    bad = [step["run"] for step in steps(path) if "${{" in step.get("run", "")]
    assert not bad


@everything
def test_a_checkout_leaves_no_token_behind(path: Path) -> None:
    taken = [s for s in steps(path) if s.get("uses", "").startswith("actions/checkout@")]
    assert all(s.get("with", {}).get("persist-credentials") is False for s in taken), taken


@each
def test_no_run_of_a_pull_request_waits_for_a_click(path: Path) -> None:
    """With `pull_request` it does where the bot opened it; test_target.py has the other trigger."""
    on = load(path)["on"]
    assert "workflow_run" not in on
    assert path.stem == "ci" or "pull_request" not in on


@each
def test_a_queue_loses_nobody(path: Path) -> None:
    """A group of the whole workflow would be claimed before it is known whom a run is for."""
    assert "concurrency" not in load(path)
    for job in jobs(path).values():
        group = job.get("concurrency", {"group": "", "cancel-in-progress": False})
        assert group["cancel-in-progress"] is False
        whole = ("", "stratbot-sweep", "stratbot-checks")
        assert group.get("queue") == "max" or group["group"] in whole


def test_who_reads_the_policy_reads_every_setting_of_a_request() -> None:
    each_env = (step.get("env", {}) for path in WORKFLOWS for step in steps(path))
    read = [env for env in each_env if POLICY in env]
    assert len(read) >= 8
    for env in read:
        for setting in OF_REQUESTS:
            assert env.get(setting.name) == f"${{{{ vars.{setting.name} }}}}"


def test_whoever_asks_a_model_reads_which_one_and_for_how_much() -> None:
    parts = jobs(HOME / "workflows" / "stratbot-work.yml")
    [writes] = [s["env"] for s in parts["draft"]["steps"] if s.get("name") == "Write"]
    [counts] = [s["env"] for s in parts["finish"]["steps"] if "--unknown-cost" in s.get("run", "")]
    own = [setting.name for setting in SETTINGS if not setting.field]
    assert own == ["MODEL_NAME", "TEST_MODEL", "STRATBOT_MAX_COST"]
    for name in own:
        assert writes.get(name) == f"${{{{ vars.{name} }}}}"
    assert counts.get("STRATBOT_MAX_COST") == writes["STRATBOT_MAX_COST"]


def test_each_secret_is_seen_by_one_job() -> None:
    seen = {
        (path.stem, key): re.findall(r"secrets\.(\w+)", str(job))
        for path in WORKFLOWS
        for key, job in jobs(path).items()
    }
    assert {where: names for where, names in seen.items() if names} == {
        ("stratbot-work", "draft"): ["OPENAI_API_KEY"],
        ("deploy", "sign"): ["STRATBOT_SIGNING_KEY"],
    }


def test_the_key_is_behind_the_gate_and_in_one_step() -> None:
    parts = jobs(HOME / "workflows" / "deploy.yml")
    assert {key: job.get("environment") for key, job in parts.items()} == {
        "ask": None, "sign": ENVIRONMENT, "tell": None,
    }  # fmt: skip
    assert parts["sign"]["needs"] == "ask", "what does not exist would be made without protection"
    [step] = [s for s in parts["sign"]["steps"] if "SIGNING_KEY" in str(s)]
    assert set(step["env"]) == {"STRATBOT_SIGNING_KEY"}, "whoever has the key has no token"
    names = [s.get("name") for s in parts["sign"]["steps"]]
    assert names.index("Who approved what?") < names.index("Sign")


def test_the_gate_knows_its_own_file() -> None:
    assert (HOME.parent / FILE).is_file() and FILE.endswith(f"/{GATE}")


def test_work_of_every_kind_has_its_job() -> None:
    parts = jobs(HOME / "workflows" / "stratbot-work.yml")
    written, tested = (
        set(re.findall(r'"(\w+)"', parts[key]["if"])) for key in ("draft", "test")
    )  # fmt: skip
    assert written | tested == {str(kind) for kind in WorkKind}
    assert written & tested == {WorkKind.BUILD_TESTS}


def test_the_filter_knows_what_is_no_request() -> None:
    condition = jobs(HOME / "workflows" / "stratbot.yml")["filter"]["if"]
    assert set(re.findall(r"labels\.\*\.name, '([\w-]+)'", condition)) == NOT_REQUESTS
    assert set(re.findall(r'"([\w-]+)"', condition)) == NOT_REQUESTS


def test_patterns_are_those_of_the_bot() -> None:
    """Bash has no way to import them."""
    [step] = jobs(HOME / "workflows" / "stratbot-pulls.yml")["wake"]["steps"]
    assert f"'^{BRANCH.pattern.replace('(?:', '(')}$'" in step["run"]
    named, seen = jobs(HOME / "workflows" / "stratbot.yml")["filter"]["steps"]
    assert f"'{MARKER.pattern}'" in named["run"] and f"'^{TOPIC.pattern}'" in named["run"]
    assert f"'\\A{WORD.pattern}'" in seen["run"]


def test_the_receipt_reads_no_code_and_stops_nobody() -> None:
    seen = jobs(HOME / "workflows" / "stratbot.yml")["filter"]["steps"][-1]
    assert seen["continue-on-error"] is True and "uses" not in seen


def test_every_label_of_the_bot_is_listed() -> None:
    rows = load(HOME / "labels.yml")
    used = {f"stratbot:{phase}" for phase in Phase} | {"stratbot:held", "stratbot:needs-human"}
    assert {row["name"] for row in rows} == used | NOT_REQUESTS
    for row in rows:
        assert re.fullmatch(r"[0-9a-f]{6}", row["color"]) and len(row["description"]) <= 100
