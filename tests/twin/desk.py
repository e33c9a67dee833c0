"""A new repository of octocat's on the twin, and clients of several people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import github
import github3
import pytest
import requests
from github.Repository import Repository

from tests.twin.running import Twin
from tests.twin.waiting import PATIENCE

TOKENS = "token-of-"


@contextmanager
def refused(status: int, words: str = "") -> Iterator[None]:
    """What is done inside must be answered with this no."""
    with pytest.raises(github.GithubException) as no:
        yield
    assert no.value.status == status, no.value
    assert words in json.dumps(no.value.data), no.value


class Desk:
    """octocat owns the repository, hubot may write, monalisa triages, stranger is a stranger."""

    def __init__(self, twin: Twin, folder: Path, private: bool = False) -> None:
        self.twin, self.folder = twin, folder
        self.name = f"desk-{next(twin.numbers)}"
        self.full_name = f"octocat/{self.name}"
        made = self.api("POST", "/user/repos", name=self.name, auto_init=True, private=private)
        assert made.status_code == 201, made.text
        for login, role in (("hubot", "push"), ("monalisa", "triage")):
            self.repo().add_to_collaborators(login, role)

    def client(self, login: str = "octocat") -> github.Github:
        return github.Github(
            auth=github.Auth.Token(TOKENS + login), base_url=self.twin.url, retry=None,
            timeout=PATIENCE, seconds_between_requests=None, seconds_between_writes=None,
        )  # fmt: skip

    def repo(self, login: str = "octocat") -> Repository:
        return self.client(login).get_repo(self.full_name)

    def other(self, login: str = "octocat") -> Any:
        """The same repository through github3.py."""
        client = github3.GitHub(token=TOKENS + login)
        client.session.base_url = self.twin.url
        return client.repository("octocat", self.name)

    def api(
        self, verb: str, path: str, login: str = "octocat", /, headers: Any = None, **body: Any
    ) -> requests.Response:
        """By hand, for what no client can say."""
        sent = {"Authorization": f"token {TOKENS}{login}", **(headers or {})}
        return requests.request(
            verb, self.twin.url + path, headers=sent, json=body or None, timeout=PATIENCE
        )

    def at(self, path: str) -> str:
        return f"/repos/{self.full_name}{path}"

    def bot(self, permissions: dict[str, str]) -> str:
        """A token like that of a job."""
        made = self.api(
            "POST", "/_twin/tokens", "root", repository=self.full_name, permissions=permissions
        )
        return str(made.json()["token"])

    def as_bot(self, token: str, verb: str, path: str, **body: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {token}"}
        return requests.request(
            verb,
            self.twin.url + self.at(path),
            headers=headers,
            json=body or None,
            timeout=PATIENCE,
        )

    def unlimited(self) -> None:
        """Who looks twice a second until something happens would use up what a person may ask."""
        assert self.api("PATCH", "/_twin/limits", "root", hourly=0).status_code == 200

    def alive(self, pid: int) -> bool:
        """A zombie that nobody has asked about is dead too."""
        try:
            return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
        except FileNotFoundError:
            return False
