"""How the tests of `setup` and `doctor` run them, and how they spoil a repository."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner, Result

from bot.__main__ import cli
from tests.twin.desk import TOKENS, Desk


def run(desk: Desk, *args: str, login: str = "octocat", **env: str) -> Result:
    env |= {"GITHUB_TOKEN": TOKENS + login, "GITHUB_API_URL": desk.twin.url,
            "STRATBOT_SPACING": "0"}  # fmt: skip
    return CliRunner().invoke(cli, [*args, "--repo", desk.full_name], env=env)


def lacks(desk: Desk, **env: str) -> dict[str, Any]:
    """What the doctor finds missing: name -> finding."""
    done = run(desk, "doctor", "--json", **env)
    found = json.loads(done.stdout)
    bad = {f["name"]: f for f in found["findings"] if not f["ok"]}
    needed = any(f["needed"] for f in bad.values())
    assert (done.exit_code, found["ok"]) == (int(needed), not needed)
    return bad


def ways(done: Result) -> list[str]:
    return [line[:8].strip() for line in done.stdout.splitlines() if line[:1] not in " N"]


PROTECTED = {"protected_branches": True, "custom_branch_policies": False}


def limit(desk: Desk, policy: dict[str, bool] | None) -> None:
    asked = [{"type": "User", "id": desk.client().get_user().id}]
    path = desk.at("/environments/live")
    told = {"reviewers": asked, "prevent_self_review": True}
    desk.api("PUT", path, **told, deployment_branch_policy=policy)


def allow(desk: Desk, *refs: tuple[str, str]) -> None:
    """These may reach live, and no other."""
    path = desk.at("/environments/live/deployment-branch-policies")
    for row in desk.api("GET", path).json()["branch_policies"]:
        desk.api("DELETE", f"{path}/{row['id']}")
    for name, kind in refs:
        assert desk.api("POST", path, name=name, type=kind).ok


def actions(**told: object) -> Callable[[Desk], object]:
    return lambda desk: desk.api("PUT", desk.at("/actions/permissions"), **told)


def select(**told: object) -> Callable[[Desk], object]:
    def do(desk: Desk) -> None:
        actions(enabled=True, allowed_actions="selected")(desk)
        desk.api("PUT", desk.at("/actions/permissions/selected-actions"), **told)

    return do
