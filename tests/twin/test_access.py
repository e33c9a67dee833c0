"""Who may see and do what, and how the twin says no."""

import pytest
import requests

from tests.twin.desk import Desk, refused
from tests.twin.running import Twin


@pytest.mark.parametrize(
    "login,permission,role",
    [
        ("octocat", "admin", "admin"),
        ("hubot", "write", "write"),
        ("monalisa", "read", "triage"),
        ("stranger", "read", "read"),
    ],
)
def test_the_effective_permission(desk: Desk, login: str, permission: str, role: str) -> None:
    got = desk.api("GET", desk.at(f"/collaborators/{login}/permission"), "stranger").json()
    assert (got["permission"], got["role_name"]) == (permission, role)
    assert desk.repo().get_collaborator_permission(login) == permission


def test_nobody_of_that_name(desk: Desk) -> None:
    with refused(404, "is not a user"):
        desk.repo().get_collaborator_permission("nobody-at-all")


def test_a_stranger_has_no_permission_on_a_private_repository(desk: Desk) -> None:
    desk.repo().edit(private=True)
    assert desk.repo().get_collaborator_permission("stranger") == "none"
    for path in ("", "/issues", "/issues/1"):
        assert desk.api("GET", desk.at(path), "stranger").status_code == 404
    assert desk.repo("hubot").get_issues().totalCount == 0


def test_a_wrong_token_is_worse_than_none(desk: Desk) -> None:
    url = desk.twin.url + desk.at("/issues")
    assert requests.get(url, timeout=20).status_code == 200
    got = requests.get(url, headers={"Authorization": "Bearer nonsense"}, timeout=20)
    assert (got.status_code, got.json()["message"]) == (401, "Bad credentials")
    got = requests.post(url, json={"title": "x"}, timeout=20)
    assert (got.status_code, got.json()["message"]) == (401, "Requires authentication")
    assert requests.get(url, auth=("x-access-token", "token-of-hubot"), timeout=20).ok


def test_a_stranger_reads_and_speaks_and_no_more(desk: Desk) -> None:
    repo = desk.repo("stranger")
    repo.create_issue("x")
    with refused(403, "Must have admin rights"):
        repo.edit(description="mine now")
    with refused(403):
        repo.add_to_collaborators("stranger", "admin")
    with refused(403):
        repo.create_label("x", "ffffff")
    with refused(403):
        repo.get_issue(1).lock("spam")
    other = desk.repo().create_issue("octocat's")
    with refused(403):
        desk.repo("stranger").get_issue(other.number).edit(state="closed")


def test_collaborators_come_and_go(desk: Desk) -> None:
    repo = desk.repo()
    assert {c.login: c.role_name for c in repo.get_collaborators()} == {
        "octocat": "admin", "hubot": "write", "monalisa": "triage",
    }  # fmt: skip
    assert repo.has_in_collaborators("hubot") and not repo.has_in_collaborators("stranger")
    repo.remove_from_collaborators("hubot")
    assert desk.repo().get_collaborator_permission("hubot") == "read"
    with refused(404):
        repo.add_to_collaborators("nobody-at-all", "push")


def test_repositories_have_names_that_can_be_used_once(desk: Desk) -> None:
    me = desk.client().get_user()
    with refused(422, "name already exists"):
        me.create_repo(desk.name.upper())
    for name in ("", "..", "a/b", "x" * 101, "x.git"):
        assert desk.api("POST", "/user/repos", name=name).status_code == 422
    assert desk.full_name in {r.full_name for r in me.get_repos()}
    assert desk.full_name in {r.full_name for r in desk.client("hubot").get_user().get_repos()}


def test_both_roots_answer_with_their_own_addresses(desk: Desk) -> None:
    for root in ("", "/api/v3"):
        got = desk.api("GET", root + desk.at(""))
        assert got.json()["url"] == f"{desk.twin.url}{root}{desk.at('')}"
        assert got.json()["clone_url"] == f"{desk.twin.url}/{desk.full_name}.git"


def test_users(desk: Desk) -> None:
    me = desk.client().get_user()
    assert (me.login, me.type) == ("octocat", "User")
    bot = desk.client().get_user("github-actions[bot]")
    assert (bot.id, bot.type) == (41898282, "Bot")
    assert desk.client().get_user_by_id(me.id).login == "octocat"
    with refused(404):
        desk.client().get_user("nobody-at-all")


def test_only_this_machine_by_its_name(twin: Twin) -> None:
    got = requests.get(twin.url + "/meta", headers={"Host": "evil.example"}, timeout=20)
    assert got.status_code == 421
    assert requests.get(twin.url + "/no/such/path/at/all", timeout=20).status_code == 404


def test_the_rate_is_told(desk: Desk) -> None:
    core = desk.client().get_rate_limit().resources.core
    assert core.limit == 5000 and 0 < core.remaining <= 5000
