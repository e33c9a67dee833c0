"""`setup` and `doctor` on the twin: done once, nothing the second time, and each lack named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.__main__ import cli
from bot.checkup import ACTIONS, SANDBOX, WORKFLOWS
from bot.io.github.code import CONTEXT
from tests.twin.desk import TOKENS, Desk, refused
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin
from tests.workflows.files import HOME
from tests.workflows.preparing import (
    PROTECTED,
    actions,
    allow,
    lacks,
    limit,
    run,
    select,
    ways,
)  # fmt: skip

FLOW = "on: workflow_dispatch\njobs: {a: {runs-on: x, steps: [{run: 'true'}]}}\n"


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("prepare")) as running:
        yield running


@pytest.fixture
def desk(twin: Twin, tmp_path: Path) -> Iterator[Desk]:
    """A repository that has the bot's files, and nothing of its settings."""
    with checked_exchanges():
        desk = Desk(twin, tmp_path)
        off = desk.api(
            "PUT", desk.at("/actions/permissions/workflow"), default_workflow_permissions="write",
            can_approve_pull_request_reviews=False,
        )  # fmt: skip
        assert off.status_code == 204
        desk.repo().create_file("CODEOWNERS", "Add owners", "* @octocat\n")
        for name in WORKFLOWS:
            desk.repo().create_file(f".github/workflows/{name}", f"Add {name}", FLOW)
        yield desk


LEFT = {"signing-key", "site"}
"""No token can make the key: whoever owns it keeps it. A site is for whoever wants one."""


def test_a_bare_repository_is_prepared_once(desk: Desk) -> None:
    assert set(lacks(desk)) == {
        "pull-requests", "workflow-permissions", "environment-live",
        "required-check", "code-owners-review", "labels", *LEFT,
    }  # fmt: skip
    first = run(desk, "setup", "--reviewer", "hubot")
    assert (first.exit_code, ways(first)) == (0, ["done", "done", "already", *["done"] * 4]), (
        first.output
    )
    assert set(lacks(desk)) == LEFT
    desk.repo().get_environment("live").create_secret("STRATBOT_SIGNING_KEY", "k")
    assert set(lacks(desk)) == {"site"}
    second = run(desk, "setup", "--reviewer", "hubot")
    assert (second.exit_code, ways(second)) == (0, ["already"] * 7), second.output
    live = desk.repo().get_environment("live")
    asked = [r.reviewer.id for r in live.protection_rules[0].reviewers]
    assert asked == [desk.client("hubot").get_user().id]
    assert reviewed(desk)["prevent_self_review"] is True
    assert {v.name: v.value for v in desk.repo().get_variables()} == {"STRATBOT_WRITER": "offline"}


def reviewed(desk: Desk) -> dict[str, Any]:
    rules = desk.api("GET", desk.at("/environments/live")).json()["protection_rules"]
    found: dict[str, Any] = next(r for r in rules if r["type"] == "required_reviewers")
    return found


def test_nobody_approves_a_run_of_their_own_after_setup(desk: Desk) -> None:
    """An environment that was made by hand or by an earlier version gets the rule."""
    assert run(desk, "setup", "--reviewer", "hubot").exit_code == 0
    people = [{"type": "User", "id": desk.client("hubot").get_user().id}]
    policy = {"protected_branches": False, "custom_branch_policies": True}
    rules = {"reviewers": people, "wait_timer": 7, "deployment_branch_policy": policy}
    assert desk.api("PUT", desk.at("/environments/live"), **rules).ok
    assert not reviewed(desk)["prevent_self_review"]
    bad = lacks(desk)
    assert set(bad) == {"environment-live", *LEFT}
    assert "may approve it too" in bad["environment-live"]["says"]
    assert "stratbot setup" in bad["environment-live"]["fix"]
    assert ways(run(desk, "setup")).count("done") == 1
    rule = reviewed(desk)
    assert [r["reviewer"]["login"] for r in rule["reviewers"]] == ["hubot"]
    assert rule["prevent_self_review"] is True and set(lacks(desk)) == LEFT
    assert ways(run(desk, "setup")) == ["already"] * 7


def test_what_somebody_set_stays(desk: Desk) -> None:
    desk.repo().create_variable("STRATBOT_WRITER", "llm")
    desk.repo().create_environment("live", wait_timer=5)
    assert run(desk, "setup").exit_code == 0
    assert desk.repo().get_variable("STRATBOT_WRITER").value == "llm"
    rules = {r.type: r for r in desk.repo().get_environment("live").protection_rules}
    assert rules["wait_timer"].wait_timer == 5 and rules["required_reviewers"].reviewers
    assert run(desk, "setup", "--writer", "offline").exit_code == 0
    assert desk.repo().get_variable("STRATBOT_WRITER").value == "offline"


OPEN = {
    "every branch": lambda d: limit(d, None),
    "protected branches": lambda d: limit(d, PROTECTED),
    "other refs": lambda d: allow(d, ("trunk", "branch"), ("main", "tag")),
}


@pytest.mark.parametrize("way", OPEN)
def test_live_is_limited_to_the_default_branch_and_keeps_its_reviewers(
    desk: Desk, way: str
) -> None:
    assert run(desk, "setup", "--reviewer", "hubot").exit_code == 0
    OPEN[way](desk)
    asked = [{"type": "User", "id": desk.client("hubot").get_user().id}]
    path = desk.at("/environments/live")
    policy = desk.api("GET", path).json()["deployment_branch_policy"]
    told = {"reviewers": asked, "prevent_self_review": True, "wait_timer": 7}
    assert desk.api("PUT", path, **told, deployment_branch_policy=policy).ok
    assert ways(run(desk, "setup")).count("done") == 1
    rules = {r["type"]: r for r in desk.api("GET", path).json()["protection_rules"]}
    kept = rules["required_reviewers"]
    assert [r["reviewer"]["login"] for r in kept["reviewers"]] == ["hubot"]
    assert (kept["prevent_self_review"], rules["wait_timer"]["wait_timer"]) == (True, 7)
    found = desk.api("GET", f"{path}/deployment-branch-policies").json()["branch_policies"]
    assert [(row["name"], row["type"]) for row in found] == [("main", "branch")]
    assert ways(run(desk, "setup")) == ["already"] * 7


def test_a_label_of_ours_is_made_like_the_others(desk: Desk) -> None:
    desk.repo().create_label("debug", "000000", "Mine")
    desk.repo().create_label("other", "000000", "Mine")
    assert run(desk, "setup").exit_code == 0
    found = {x.name: x.color for x in desk.repo().get_labels()}
    assert (found["debug"], found["other"]) == ("d4c5f9", "000000")


def test_what_a_token_may_not_do_is_told_as_clicks(desk: Desk) -> None:
    done = run(desk, "setup", login="hubot")
    assert done.exit_code == 1
    assert ways(done) == ["done", "by hand", "already", *["by hand"] * 3, "done"], done.output
    page = f"{desk.twin.url}/{desk.full_name}/settings"
    for part in ("actions", "environments", "rules/new?target=branch"):
        assert f": {page}/{part} (" in done.stdout


def test_the_rules_bite(desk: Desk) -> None:
    assert run(desk, "setup").exit_code == 0
    repo = desk.repo("hubot")
    with refused(409):
        repo.create_file("direct.txt", "Past the rules", "x")
    repo.create_git_ref("refs/heads/side", repo.get_branch("main").commit.sha)
    repo.create_file("side.txt", "Add side", "x", branch="side")
    pull = repo.create_pull(base="main", head="side", title="Side")
    with refused(405, "approving review"):
        pull.merge()
    desk.repo().get_pull(pull.number).create_review(event="APPROVE")
    with refused(405, SANDBOX):
        pull.merge()
    repo.get_commit(pull.head.sha).create_status("success", context=CONTEXT)
    assert pull.merge().merged


def disable(name: str) -> Callable[[Desk], object]:
    return lambda desk: desk.repo().get_workflow(name).disable()


def forbid_pulls(desk: Desk) -> None:
    path = desk.at("/actions/permissions/workflow")
    desk.api("PUT", path, can_approve_pull_request_reviews=False)


def drop_ruleset(desk: Desk) -> None:
    [rules] = desk.api("GET", desk.at("/rulesets")).json()
    desk.api("DELETE", desk.at(f"/rulesets/{rules['id']}"))


def write_owner(desk: Desk) -> None:
    drop_ruleset(desk)
    file = desk.repo().get_contents("CODEOWNERS")
    assert not isinstance(file, list)
    desk.repo().update_file("CODEOWNERS", "Nobody", "* @nobody-at-all\n", file.sha)
    run(desk, "setup")


def variable(name: str, value: str) -> Callable[[Desk], object]:
    return lambda desk: desk.repo().create_variable(name, value)


HARM: dict[str, tuple[Callable[[Desk], object], set[str]]] = {
    "a workflow that is off": (disable("stratbot-work.yml"), {"workflows"}),
    "a sweep that has nothing to do": (disable("sweep.yml"), set()),
    "no pull requests": (forbid_pulls, {"pull-requests"}),
    "no rules": (drop_ruleset, {"required-check", "code-owners-review"}),
    "no live": (lambda d: d.repo().delete_environment("live"), {"environment-live"}),
    "nobody asked": (
        lambda d: d.repo().create_environment("live"),
        {"environment-live", "live-branch"},
    ),
    "live for every branch": (lambda d: limit(d, None), {"live-branch"}),
    "live for protected branches": (lambda d: limit(d, PROTECTED), {"live-branch"}),
    "live for no branch": (lambda d: allow(d), {"live-branch"}),
    "live for another branch": (lambda d: allow(d, ("trunk", "branch")), {"live-branch"}),
    "live for two branches": (
        lambda d: allow(d, ("main", "branch"), ("trunk", "branch")),
        {"live-branch"},
    ),
    "live for a tag": (lambda d: allow(d, ("main", "tag")), {"live-branch"}),
    "Actions off": (actions(enabled=False), {"actions"}),
    "only local actions": (actions(enabled=True, allowed_actions="local_only"), {"actions"}),
    "actions by a list": (select(github_owned_allowed=False), {"actions"}),
    "actions of another version": (
        select(github_owned_allowed=False, patterns_allowed=["actions/*@v1"]),
        {"actions"},
    ),
    "one action forbidden": (
        select(github_owned_allowed=True, patterns_allowed=["!actions/cache@*"]),
        {"actions"},
    ),
    "a list with all that is used": (
        select(github_owned_allowed=False, patterns_allowed=["actions/*@*"]),
        set(),
    ),
    "an owner who is nobody": (write_owner, {"codeowners"}),
    "no label": (lambda d: d.repo().get_label("incident").delete(), {"labels"}),
    "a policy that is none": (variable("STRATBOT_POLICY", '{"solo": 3}'), {"policy"}),
    "another branch": (variable("STRATBOT_POLICY", '{"default_branch": "trunk"}'), {"policy"}),
    "retries that are no number": (variable("MAX_RETRIES", "many"), {"settings"}),
    "a cap that is none": (variable("STRATBOT_MAX_COST", "free"), {"settings"}),
    "a model without a key": (
        lambda d: d.repo().get_variable("STRATBOT_WRITER").edit("llm"),
        {"model-key", "model-name"},
    ),
}


@pytest.mark.parametrize("harm", HARM)
def test_each_lack_is_named_with_its_fix(desk: Desk, harm: str) -> None:
    assert run(desk, "setup").exit_code == 0
    do, names = HARM[harm]
    do(desk)
    found = lacks(desk)
    assert set(found) == names | LEFT
    assert all(f["fix"] for f in found.values())


def test_the_settings_in_force_are_told_and_where_each_comes_from(desk: Desk) -> None:
    assert run(desk, "setup").exit_code == 0
    desk.repo().create_variable("MIN_LINE_COV", "85")
    desk.repo().create_variable("STRATBOT_POLICY", '{"max_retries": 4}')
    shown = run(desk, "doctor").stdout
    assert "MIN_LINE_COV = 85 (variable): percent of a strategy's lines" in shown
    assert "MAX_RETRIES = 4 (STRATBOT_POLICY)" in shown
    assert "SANDBOX_TIMEOUT = 300 (default)" in shown and "max_cost = 5 (default)" in shown
    told = json.loads(run(desk, "doctor", "--json").stdout)["settings"]
    assert {"MODEL_NAME", "TEST_MODEL", "TASK_TIMEOUT", "gate"} <= {row["name"] for row in told}


def test_where_comments_are_the_gate_no_reviewers_are_asked_for(desk: Desk) -> None:
    assert run(desk, "setup").exit_code == 0
    desk.repo().create_environment("live")
    desk.repo().create_variable("STRATBOT_POLICY", '{"gate": "comment"}')
    assert run(desk, "setup").exit_code == 0
    rules = desk.repo().get_environment("live").protection_rules
    assert [rule.type for rule in rules] == ["branch_policy"]
    assert set(lacks(desk)) == LEFT


def test_a_model_that_does_not_answer(desk: Desk) -> None:
    assert run(desk, "setup", "--writer", "llm").exit_code == 0
    found = lacks(desk, OPENAI_API_KEY="x", OPENAI_BASE_URL="http://127.0.0.1:9/v1", MODEL_NAME="m")
    assert found["model"]["says"] == "The model's server does not answer"


def test_without_rights_nothing_is_taken_for_granted(desk: Desk) -> None:
    assert run(desk, "setup").exit_code == 0
    done = run(desk, "doctor", login="hubot")
    assert done.exit_code == 1 and "Not visible with this token" in done.stdout


def test_a_missing_token_and_a_wrong_name_are_told(desk: Desk) -> None:
    env = {"GITHUB_TOKEN": "", "GITHUB_API_URL": desk.twin.url}
    done = CliRunner().invoke(cli, ["doctor", "--repo", desk.full_name], env=env)
    assert done.exit_code == 2 and "GITHUB_TOKEN is not set" in done.stderr
    done = CliRunner().invoke(cli, ["doctor", "--repo", "x"], env={"GITHUB_TOKEN": "t"})
    assert done.exit_code == 2 and "owner/name" in done.stderr


def test_the_doctor_and_the_bot_mean_the_same() -> None:
    assert SANDBOX == CONTEXT
    assert all((HOME / "workflows" / name).exists() for name in WORKFLOWS)
    files = [HOME / "workflows" / name for name in WORKFLOWS]
    text = "".join(f.read_text() for f in (*files, HOME / "actions/setup/action.yml"))
    assert set(re.findall(r"uses: ([^.@\s]+)@[0-9a-f]{40} ", text)) == set(ACTIONS)


@pytest.mark.parametrize("command", ["setup", "doctor"])
def test_a_wrong_token_and_a_repository_that_is_not_there_say_what_to_do(
    desk: Desk, command: str
) -> None:
    expired = run(desk, command, login="nobody")
    assert "Bad credentials" in str(expired.exception)
    assert "GITHUB_TOKEN is wrong or has expired: export a new one." in str(expired.exception)
    env = {"GITHUB_TOKEN": f"{TOKENS}octocat", "GITHUB_API_URL": desk.twin.url}
    line = [command, "--repo", "octocat/no-such-repository"]
    gone = CliRunner().invoke(cli, line, env=env | {"STRATBOT_SPACING": "0"})
    assert "There is no such repository, or the token may not see it" in str(gone.exception)
