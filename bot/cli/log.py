"""Where the audit log is, for the commands that read it; and what of it could not be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from bot.metrics import History, Line
from bot.ports import Rejected
from schemas import codec

if TYPE_CHECKING:
    from bot.io.gitref import GitRefStore

NEEDED = "Say where the audit log is: --repo owner/name on GitHub, or --state with any git address."


class Broken:
    """Commits that cannot be read: each is told and left out, and the whole is not a success."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, error: codec.Invalid) -> None:
        self.count += 1
        click.echo(f"stratbot: left out: {error}", err=True)

    def close(self) -> None:
        if self.count:
            raise Rejected(f"{self.count} states could not be read; look at their commits")


def reads_log(command: Callable[..., None]) -> Callable[..., None]:
    """In Actions the environment says all of it."""
    for option in (
        click.option("--repo", envvar="GITHUB_REPOSITORY", default="", help="owner/name."),
        click.option("--state", envvar="STRATBOT_STATE", default="",
                     help="A git address or a clone that has refs/stratbot."),
        click.option("--server", envvar="GITHUB_SERVER_URL", default="https://github.com",
                     hidden=True),
        click.option("--token", envvar="GITHUB_TOKEN", default="", hidden=True),
    ):  # fmt: skip
        command = option(command)
    return command


def store(repo: str, state: str, server: str, token: str) -> GitRefStore:
    from bot.io.gitref import GitRefStore

    if not (repo or state):
        raise click.UsageError(NEEDED)
    if not state and (repo.count("/") != 1 or not all(repo.split("/"))):
        raise click.UsageError(f"{repo!r} is not owner/name.")
    return GitRefStore(state or f"{server}/{repo}.git", token or None)


def histories(refs: GitRefStore, broken: Broken) -> list[History]:
    """Of every request, oldest line first. An issue that is none may have got an answer too."""
    found: list[History] = []
    for issue in refs.issues():
        rows = list(refs.history(issue, broken))
        if not any(flow.request for _, _, flow in rows):
            continue
        written = refs.written(issue)
        found.append([Line(record, flow, written[commit]) for commit, record, flow in rows])
    return found
