"""The commands that prepare a repository for the bot, and that say what it still lacks.

What reaches the outside is imported where it is used: the bot starts often, and these seldom do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from bot.checkup import Finding, Machine, Settings, diagnose, diagnose_machine, values
from bot.cli.front import as_json
from bot.ports import Rejected
from bot.second_look import compared
from bot.settings import Value
from bot.text import billing
from bot.text.machine import ADMINISTRATOR, signs_in

if TYPE_CHECKING:
    from bot.io.github.wire import Wire

SECONDS = 20
GITHUB = "https://api.github.com"
SIGN_IN = f"GITHUB_TOKEN is not set. Export {ADMINISTRATOR}."


def asked_of_github(command: Callable[..., None]) -> Callable[..., None]:
    """Where GitHub is and who asks: as in Actions, from the environment."""
    for option in (
        click.option("--token", envvar="GITHUB_TOKEN", default="", hidden=True),
        click.option("--api", envvar="GITHUB_API_URL", default=GITHUB, hidden=True),
        click.option("--spacing", envvar="STRATBOT_SPACING", default=1.0, hidden=True),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command("setup")
@click.option("--repo", required=True, help="The repository: owner/name.")
@click.option("--reviewer", multiple=True, help="Who must agree to live; else you.")
@click.option("--writer", type=click.Choice(["offline", "llm"]), help="Who writes strategies.")
@as_json
@asked_of_github
def setup(
    repo: str, reviewer: tuple[str, ...], writer: str | None, as_json: bool, token: str, api: str,
    spacing: float,
) -> None:  # fmt: skip
    """Prepare a repository: labels, code owner, environment, rules, variables. Safe to run again.

    Exit code 1: something is left that you must do by hand; it says what and where.
    """
    from bot.io.github.labels import labels
    from bot.io.github.setup import Wish, prepare

    wish = Wish(labels(), reviewer, writer or "")
    steps = []
    with _explained():
        for step in prepare(_wire(repo, token, api, spacing), repo, wish):
            steps.append(step)
            fix = f"\n         {step.fix}" if step.fix else ""
            if not as_json:
                click.echo(f"{step.how:<8} {step.what}{fix}")
    left = any(step.how == "by hand" for step in steps)
    told = {"ok": not left, "steps": [asdict(step) for step in steps]}
    click.echo(json.dumps(told) if as_json else f"Next: stratbot doctor --repo {repo}")
    if left:
        raise SystemExit(1)


@click.command("doctor")
@click.option("--repo", help="The repository: owner/name. Without it, this machine alone.")
@as_json
@click.option("--key", envvar="OPENAI_API_KEY", default="", hidden=True)
@click.option("--url", envvar="OPENAI_BASE_URL", default="https://api.openai.com/v1", hidden=True)
@click.option("--model", envvar="MODEL_NAME", default="", hidden=True)
@click.option("--test-model", envvar="TEST_MODEL", default="", hidden=True)
@asked_of_github
def doctor(
    repo: str | None, as_json: bool, key: str, url: str, model: str, test_model: str, token: str,
    api: str, spacing: float,
) -> None:  # fmt: skip
    """Look at every setting that the journey needs, and name each lack with its fix.

    Then every setting that a variable can change: its value for new requests, and who says so.

    Exit code 1: something that is needed is missing.
    """
    from bot.io.github.settings import look

    with _explained():
        there = look(_wire(repo, token, api, spacing), repo) if repo else None
    models = _models(there, model, test_model)
    found = [*_of_repository(there), *_second(there, token, api)]
    found += _of_machine(there, key, url, models)
    settings = values(there) if there else ()
    click.echo(_json(found, settings) if as_json else "\n".join(_lines(found, settings)))
    if any(f.needed and not f.ok for f in found):
        raise SystemExit(1)


def _wire(repo: str, token: str, api: str, spacing: float) -> Wire:
    if not token:
        raise click.UsageError(SIGN_IN)
    if repo.count("/") != 1 or not all(repo.split("/")):
        raise click.UsageError(f"{repo!r} is not owner/name.")
    from bot.io.clock import WallClock
    from bot.io.github.wire import Wire

    return Wire(token, api, WallClock(), spacing, SECONDS)


@contextmanager
def _explained() -> Iterator[None]:
    """GitHub's no, and what to do about it where that is known."""
    from bot.io.github.wire import Refused

    try:
        yield
    except Refused as no:
        raise Rejected(f"{no}. {signs_in(no.status)}".strip()) from None


def _of_repository(there: Settings | None) -> list[Finding]:
    if there is None:
        return []
    from bot.io.github.labels import labels

    return list(diagnose(there, frozenset(label.name for label in labels())))


def _second(there: Settings | None, token: str, api: str) -> list[Finding]:
    """What PyGithub was told is asked again by a client that shares none of its code."""
    if there is None:
        return []
    from bot.io.github import second

    return [compared(there, second.look(token, api, there.name, SECONDS))]


def _models(there: Settings | None, *given: str) -> list[str]:
    """Those that write, by the environment or else by the repository's variables."""
    known = (there.variables if there else None) or {}
    pairs = zip(("MODEL_NAME", "TEST_MODEL"), given, strict=True)
    named = [here or known.get(name, "") for name, here in pairs]
    return [named[0], *(name for name in named[1:] if name)]


def _of_machine(there: Settings | None, key: str, url: str, models: list[str]) -> list[Finding]:
    """The model is asked where the key is: a secret of the repository cannot be read back."""
    from bot.io import machine
    from bot.io.llm.ping import ping

    uses = key and (there is None or there.writer == "llm")
    told = (ping(url, key, model) for model in models)
    said = next(filter(None, told), "") if uses else None
    here = Machine(machine.git(), machine.engine(), said)
    return list(diagnose_machine(here, alone=there is None))


def _lines(found: list[Finding], settings: tuple[Value, ...]) -> Iterator[str]:
    """What the plan does not have comes after that: there is nothing to do about it."""
    yield from (_line(f) for f in found if not f.off_plan)
    lacks = [f for f in found if f.off_plan]
    yield from ("", f"{billing.HEADING}:") if lacks else ()
    yield from (f"       {f.says}. {f.fix}" for f in lacks)
    yield from ("", "Settings for new requests:") if settings else ()
    yield from (f"       {v.name} = {v.value} ({v.source}){_about(v)}" for v in settings)


def _about(value: Value) -> str:
    return f": {value.means}" if value.means else ""


def _line(finding: Finding) -> str:
    mark = "ok  " if finding.ok else "MISS" if finding.needed else "note"
    fix = f"\n       {finding.fix}" if finding.fix else ""
    return f"{mark}   {finding.says}{fix}"


def _json(found: list[Finding], settings: tuple[Value, ...]) -> str:
    rows: list[dict[str, Any]] = [asdict(f) for f in found]
    told = {"findings": rows, "settings": [asdict(value) for value in settings]}
    return json.dumps({"ok": not any(f.needed and not f.ok for f in found), **told})
