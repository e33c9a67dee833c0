"""The only reader of the environment: it builds the adapters and reads what files are given."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click
import tenacity

from bot import events, settings
from bot.checkup import PLACEHOLDER
from bot.io.gitref import GitRefStore
from bot.ports import Unavailable, Writer
from bot.reader import Malformed
from schemas.base import OWNER
from schemas.work import WorkKind
from schemas.workflow import Policy

if TYPE_CHECKING:
    from bot.io.github import GitHubHub

MAX_INPUT = 32_000_000
OF_TESTS = {WorkKind.PLAN_TESTS, WorkKind.BUILD_TESTS}


def summarised(line: str) -> None:
    """On the page of the job, where there is one."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page:
        with Path(page).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n\n")


def writer_of(name: str, kind: WorkKind = WorkKind.PLAN) -> Writer:
    """Each is imported where it is used: most commands write nothing, and people wait for them."""
    if name == "offline":
        from bot.io.offline import OfflineWriter

        return OfflineWriter()
    from bot.io.llm import LlmWriter

    url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    return LlmWriter(url, need("OPENAI_API_KEY"), _model(kind), max_cost=most_cost())


def _model(kind: WorkKind) -> str:
    """Added tests may have a model of their own."""
    own = settings.model_of(os.environ, "TEST_MODEL") if kind in OF_TESTS else ""
    model = own or settings.model_of(os.environ, "MODEL_NAME")
    if not model:
        raise click.UsageError("MODEL_NAME is not set: it is a variable of the repository.")
    return model


def most_cost() -> Decimal:
    return settings.most_cost(os.environ)


def patient() -> tenacity.Retrying:
    """GitHub stumbles now and then; what was done so far is kept, so a second go is cheap."""
    return tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(Unavailable),
        stop=tenacity.stop_after_attempt(5),
        wait=tenacity.wait_exponential_jitter(initial=1, max=20),
        reraise=True,
    )


def store(spent: Callable[[], int] = lambda: 0) -> GitRefStore:
    url = f"{need('GITHUB_SERVER_URL', 'https://github.com')}/{need('GITHUB_REPOSITORY')}.git"
    remote = os.environ.get("STRATBOT_STATE") or url
    return GitRefStore(remote, os.environ.get("GITHUB_TOKEN"), spent)


def hub() -> GitHubHub:
    from bot.io.github import GitHubHub  # half of what a start costs, and not for every job

    return GitHubHub(
        need("GITHUB_REPOSITORY"),
        need("GITHUB_TOKEN"),
        identity(),
        policy(),
        base_url=need("GITHUB_API_URL", "https://api.github.com"),
        spacing=float(need("STRATBOT_SPACING", "1.0")),
    )


def identity() -> events.Identity:
    """github-actions[bot] has the number 41898282 on github.com."""
    trusted = need("STRATBOT_TRUSTED_BOTS", "").replace(",", " ").split()
    return events.Identity(
        bot_id=number("STRATBOT_BOT_ID", need("STRATBOT_BOT_ID", "41898282")),
        trusted_bots=frozenset(number("STRATBOT_TRUSTED_BOTS", n) for n in trusted),
    )


def number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 16):
        raise click.UsageError(f"{name}: {value[:40]!r} is not the number of an account.")
    return int(value)


def policy() -> Policy:
    """The repository's settings. A setting that cannot be read stops us: it may be a guard."""
    said = settings.policy_of(os.environ)
    home = f"{need('GITHUB_SERVER_URL', 'https://github.com')}/{need('GITHUB_REPOSITORY', '')}"
    paid = said.asks_first or os.environ.get("STRATBOT_WRITER") == "llm"
    owners = said.owners or _owners()
    return replace(said, home=said.home or home, owners=owners, asks_first=paid)


def _owners() -> tuple[str, ...]:
    """Of everything, or of the strategies: the first file and its last line count, as on GitHub."""
    places = (Path(name, "CODEOWNERS") for name in (".github", ".", "docs"))
    file = next((place for place in places if place.is_file()), None)
    rows = file.read_text(encoding="utf-8").splitlines() if file else []
    found: list[str] = []
    for pattern, *owners in filter(None, (row.partition("#")[0].split() for row in rows)):
        if pattern in ("*", "/strategies/"):
            found = owners
    return tuple(o for o in found if re.match(OWNER, o) and o != PLACEHOLDER)[:20]


def need(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise click.UsageError(f"{name} is not set. In Actions it is; by hand, export it first.")
    return value


def read(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        if size > MAX_INPUT:
            raise click.UsageError(f"{file}: {size} bytes, at most {MAX_INPUT} are read.")
        return file.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file}: cannot be read: {error.strerror}.") from None


def read_json(file: Path) -> object:
    try:
        return json.loads(read(file))
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{file}: not JSON: {error}") from None
