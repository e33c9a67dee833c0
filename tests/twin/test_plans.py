"""What an account's plan leaves out in a private repository, in GitHub's words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import github
import pytest
import requests
from github.Repository import Repository

from tests.twin.openapi import checked_exchanges
from tests.twin.running import SEED, Twin
from tests.twin.waiting import PATIENCE, until
from tests.twin.workflows import GATED

ACCOUNTS = {
    "freda": ("User", "free"),
    "prudence": ("User", "pro"),
    "free-org": ("Organization", "free"),
    "team-org": ("Organization", "team"),
    "big-org": ("Organization", "enterprise"),
}
PEOPLE = "".join(
    f"  - {{login: {login}, type: {kind}, plan: {plan}, token: token-of-{login}}}\n"
    for login, (kind, plan) in ACCOUNTS.items()
)
REPOS = "".join(
    f"  - {{owner: {login}, name: {name}, auto_init: true, private: {name == 'hidden'}, "
    "collaborators: {octocat: admin}}\n"
    for login in ACCOUNTS
    for name in ("hidden", "shown")
)
RULES = ("rulesets", "rules/branches/main", "branches/main/protection")
NOT_HERE = {"freda": "Pro", "free-org": "Team"}
REVIEWED = {"big-org"}
RULE = {"name": "main", "enforcement": "active", "target": "branch", "rules": []}


class Plans:
    def __init__(self, twin: Twin) -> None:
        self.twin = twin

    def ask(
        self, verb: str, path: str, token: str = "token-of-octocat", /, **body: Any
    ) -> requests.Response:
        headers = {"Authorization": f"token {token}"}
        return requests.request(
            verb, self.twin.url + path, headers=headers, json=body or None, timeout=PATIENCE
        )

    def repo(self, name: str) -> Repository:
        auth = github.Auth.Token("token-of-octocat")
        return github.Github(auth=auth, base_url=self.twin.url, retry=None).get_repo(name)

    def scoped(self, login: str, *scopes: str) -> str:
        made = self.ask("POST", "/_twin/tokens", "token-of-root", login=login, scopes=list(scopes))
        return str(made.json()["token"])

    def reviewers(self) -> list[dict[str, Any]]:
        return [{"type": "User", "id": self.ask("GET", "/user").json()["id"]}]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    seed = f"{SEED.rstrip()}\n{PEOPLE}repos:\n{REPOS}"
    with Twin(tmp_path_factory.mktemp("plans"), seed) as running:
        yield running


@pytest.fixture
def plans(twin: Twin) -> Iterator[Plans]:
    with checked_exchanges():
        yield Plans(twin)


@pytest.mark.parametrize("login", ACCOUNTS)
@pytest.mark.parametrize("path", RULES)
def test_rules_of_branches_are_paid_for(plans: Plans, login: str, path: str) -> None:
    hidden = plans.ask("GET", f"/repos/{login}/hidden/{path}")
    if login in NOT_HERE:
        words = f"Upgrade to GitHub {NOT_HERE[login]} or make this repository public to enable this"
        assert hidden.status_code == 403
        assert hidden.json()["message"] == f"{words} feature."
    else:
        assert hidden.status_code in (200, 404), "404: this branch is not protected"
        assert "Upgrade" not in hidden.text
    assert "Upgrade" not in plans.ask("GET", f"/repos/{login}/shown/{path}").text


@pytest.mark.parametrize("login", ACCOUNTS)
def test_a_ruleset_is_made_where_the_plan_has_them(plans: Plans, login: str) -> None:
    made = [plans.ask("POST", f"/repos/{login}/{name}/rulesets", **RULE).status_code
            for name in ("hidden", "shown")]  # fmt: skip
    assert made == [403 if login in NOT_HERE else 201, 201]


@pytest.mark.parametrize("login", ACCOUNTS)
@pytest.mark.parametrize("rule", ["reviewers", "wait_timer"])
def test_a_rule_that_the_plan_does_not_have(plans: Plans, login: str, rule: str) -> None:
    words = {"reviewers": "required reviewers", "wait_timer": "wait timer"}[rule]
    wish = {rule: plans.reviewers() if rule == "reviewers" else 5}
    assert plans.ask("PUT", f"/repos/{login}/shown/environments/{rule}", **wish).status_code == 200
    path = f"/repos/{login}/hidden/environments/{rule}"
    made = plans.ask("PUT", path, **wish)
    if login in REVIEWED:
        assert made.status_code == 200
        return
    assert made.status_code == 422 and made.json()["message"] == (
        "Failed to create the environment protection rule. Please ensure the billing plan supports "
        f"the {words} protection rule."
    )
    found = plans.ask("GET", path)
    if login in NOT_HERE:
        assert found.status_code == 404
    else:
        assert found.json()["protection_rules"] == [], "the environment is there, and open"


@pytest.mark.parametrize("login", ACCOUNTS)
def test_environments_and_their_secrets(plans: Plans, login: str) -> None:
    base = f"/repos/{login}/hidden/environments"
    chosen = {"protected_branches": False, "custom_branch_policies": True}
    got = [
        plans.ask("PUT", f"{base}/plain", deployment_branch_policy=chosen),
        plans.ask("GET", base),
        plans.ask("GET", f"{base}/plain"),
        plans.ask("GET", f"{base}/plain/secrets"),
        plans.ask("GET", f"{base}/plain/secrets/public-key"),
        plans.ask("GET", f"{base}/plain/variables"),
    ]
    assert {a.status_code for a in got} == {404 if login in NOT_HERE else 200}
    assert plans.ask("GET", f"/repos/{login}/hidden/actions/secrets").status_code == 200


def ran(plans: Plans, login: str, text: str, **wish: Any) -> str:
    """How a run ends whose environment was set up in public, before its repository was private."""
    repo = plans.repo(f"{login}/shown")
    file = f".github/workflows/{len(text)}.yml"
    repo.create_file(file, "Add it", text)
    name = f"/repos/{login}/shown"
    assert plans.ask("PUT", f"{name}/environments/live", **wish).status_code == 200
    repo.get_environment("live").create_secret("KEY", "deep")
    repo.edit(private=True)
    path = f"{name}/actions/workflows/{file.rpartition('/')[2]}/dispatches"
    made = plans.ask("POST", path, ref="main", return_run_details=True)
    run = f"{name}/actions/runs/{made.json()['workflow_run_id']}"
    over = ("waiting", "completed")
    seen = until(lambda: plans.ask("GET", run).json(), lambda run: run["status"] in over)
    plans.repo(f"{login}/shown").edit(private=False)
    return str(seen["conclusion"] or seen["status"])


@pytest.mark.parametrize(
    "login,end", [("freda", "failure"), ("prudence", "success"), ("big-org", "waiting")]
)
def test_what_was_set_up_in_public_is_ignored_in_private(
    plans: Plans, login: str, end: str
) -> None:
    """GitHub's trap: the gate stands open. The job fails where its secret is ignored too."""
    assert ran(plans, login, GATED % "live", reviewers=plans.reviewers()) == end


@pytest.mark.parametrize("login,end", [("freda", "success"), ("prudence", "failure")])
def test_branches_that_may_not_deploy_are_ignored_with_the_rest(
    plans: Plans, login: str, end: str
) -> None:
    none = {"protected_branches": False, "custom_branch_policies": True}
    text = GATED.replace("exit 3", "true") % "live"
    assert ran(plans, login, text, deployment_branch_policy=none) == end


@pytest.mark.parametrize("login", ["freda", "prudence"])
def test_a_person_is_told_their_plan_with_the_scope_for_it(plans: Plans, login: str) -> None:
    full = plans.ask("GET", "/user", plans.scoped(login, "repo", "user")).json()
    assert full["plan"]["name"] == ACCOUNTS[login][1]
    as_gh = plans.scoped(login, "gist", "read:org", "repo", "workflow")
    assert "plan" not in plans.ask("GET", "/user", as_gh).json()
    assert "plan" not in plans.ask("GET", f"/users/{login}").json()


@pytest.mark.parametrize("login", [name for name in ACCOUNTS if name.endswith("-org")])
def test_an_organization_tells_its_owner(plans: Plans, login: str) -> None:
    owner = plans.ask("GET", f"/orgs/{login}", plans.scoped("octocat", "repo", "admin:org")).json()
    assert (owner["type"], owner["plan"]["name"]) == ("Organization", ACCOUNTS[login][1])
    for token in (plans.scoped("octocat", "repo"), plans.scoped("stranger", "admin:org")):
        assert "plan" not in plans.ask("GET", f"/orgs/{login}", token).json()
    assert plans.ask("GET", "/orgs/freda").status_code == 404


def test_a_repository_does_not_tell_the_plan(plans: Plans) -> None:
    shown = plans.ask("GET", "/repos/team-org/hidden").json()
    assert "plan" not in shown and "plan" not in shown["owner"]
    assert (shown["visibility"], shown["owner"]["type"]) == ("private", "Organization")


def test_the_plan_is_switched(plans: Plans) -> None:
    path = "/repos/prudence/hidden/rulesets"
    for plan, status in (("free", 403), ("pro", 200), ("free", 403), (None, 200)):
        headers = {"Authorization": "token token-of-root"}
        done = requests.patch(
            f"{plans.twin.url}/_twin/plans/prudence", headers=headers, json={"plan": plan},
            timeout=PATIENCE,
        )  # fmt: skip
        assert (done.status_code, plans.ask("GET", path).status_code) == (200, status)
    assert plans.ask("PATCH", "/_twin/plans/prudence", plan="free").status_code == 404
    wrong = plans.ask("PATCH", "/_twin/plans/prudence", "token-of-root", plan="team")
    assert wrong.status_code == 422
    assert plans.ask("PATCH", "/_twin/plans/prudence", "token-of-root", plan="pro").ok


def test_a_plan_that_github_does_not_sell(tmp_path: Path) -> None:
    seed = "users:\n  - {login: a, plan: gold}\n"
    with pytest.raises(AssertionError, match="free, pro"):
        Twin(tmp_path, seed).start()
