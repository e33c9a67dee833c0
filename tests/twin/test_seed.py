"""The file that a twin starts from: odd values, mistakes in words, and a restart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import requests

from tests.twin.running import Twin

ODD = """
users:
  - {login: 123, token: 456, type: user, site_admin: "true"}
  - {login: shop, token: t-shop, type: organization}
  - {login: reader, token: t-reader, scopes: [public_repo]}
  - login: silent
repos:
  - {owner: 123, name: 1.0, default_branch: 2.0, auto_init: yes,
     collaborators: {reader: push, silent: pull}}
  - {owner: somebody, name: hidden, private: "true", collaborators: null}
"""
PLAIN = """
users: [{login: octocat, token: t-octocat}, {login: hubot, token: t-hubot}]
repos: [{owner: octocat, name: one, collaborators: {hubot: write}}, {owner: octocat, name: two}]
"""


def ask(twin: Twin, verb: str, path: str, token: str) -> requests.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return requests.request(verb, twin.url + path, headers=headers, timeout=20)


def test_odd_values_are_taken_as_they_were_meant(tmp_path: Path) -> None:
    with Twin(tmp_path, ODD) as twin:
        me = ask(twin, "GET", "/user", "456").json()
        assert (me["login"], me["type"], me["site_admin"]) == ("123", "User", True)
        repo = ask(twin, "GET", "/repos/123/1.0", "456").json()
        assert (repo["default_branch"], repo["private"]) == ("2.0", False)
        role = ask(twin, "GET", "/repos/123/1.0/collaborators/reader/permission", "456").json()
        assert role["role_name"] == "write"
        assert ask(twin, "GET", "/users/shop", "456").json()["type"] == "Organization"
        assert ask(twin, "GET", "/repos/somebody/hidden", "t-reader").status_code == 404
        assert ask(twin, "GET", "/user", "t-reader").headers["X-OAuth-Scopes"] == "public_repo"


@pytest.mark.parametrize(
    "seed,words",
    [
        ("users: [{token: x}]", "has no login"),
        ("repos: [{owner: octocat}]", "has no owner or no name"),
        ("users: [{login: x, type: robot}]", "the type is one of"),
        ("repos: [{owner: octocat, name: a b}]", "octocat/a b: the name is invalid"),
        ("repos: [{owner: o, name: r, collaborators: {x: boss}}]", "boss is not one of read"),
        ("[1, 2]", "users and repos are wanted"),
        ("users: [", "seed.yaml"),
    ],
)
def test_a_mistake_is_told_in_words(tmp_path: Path, seed: str, words: str) -> None:
    (tmp_path / "seed.yaml").write_text(seed)
    done = subprocess.run(
        [sys.executable, "-m", "bot", "twin", "--port", "0", "--data", str(tmp_path / "data"),
         "--seed", str(tmp_path / "seed.yaml")],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2 and words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with Twin(tmp_path, "") as twin:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "twin", "--port", str(twin.port), "--data",
             str(tmp_path / "other")],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
    assert done.returncode == 2 and f"Port {twin.port} of this machine" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_file_makes_an_empty_twin(tmp_path: Path) -> None:
    with Twin(tmp_path, "") as twin:
        assert requests.get(f"{twin.url}/rate_limit", timeout=20).status_code == 200


def test_what_was_changed_since_stays_after_a_restart(tmp_path: Path) -> None:
    with Twin(tmp_path, PLAIN) as twin:
        path = "/repos/octocat/one/collaborators/hubot"
        assert ask(twin, "DELETE", path, "t-octocat").status_code == 204
        assert ask(twin, "DELETE", "/repos/octocat/two", "t-octocat").status_code == 204
    more = PLAIN.replace("name: two}", "name: two}, {owner: octocat, name: three}")
    (tmp_path / "seed.yaml").write_text(more)
    with twin:
        assert ask(twin, "GET", path, "t-octocat").status_code == 404
        assert ask(twin, "GET", "/repos/octocat/two", "t-octocat").status_code == 404
        assert ask(twin, "GET", "/repos/octocat/three", "t-octocat").status_code == 200
