"""`stratbot verify` and `stratbot reproduce`: is a delivered strategy what it says it is?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click

from bot import artifact
from bot.cli.front import as_json
from bot.io import artifacts
from bot.ports import Rejected

in_repo = click.option(
    "--repo",
    default=".",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A clone that has the tag; by default this folder.",
)


@click.command("verify")
@click.argument("tag")
@in_repo
@as_json
def verify(tag: str, repo: Path, as_json: bool) -> None:
    """Check every file of TAG against its passport. Offline; nothing is run."""
    wrong = _tell(tag, artifact.verify(artifacts.read(repo, tag)), as_json)
    if wrong:
        rows = f"{wrong} row{'s' * (wrong > 1)}"
        raise Rejected(f"{tag} is not what its passport says: {rows}; do not trade it")
    if not as_json:
        click.echo(f"{tag} is what its passport says. `stratbot reproduce {tag}` runs it again.")


@click.command("reproduce")
@click.argument("tag")
@in_repo
@click.option(
    "--backend",
    type=click.Choice(["docker", "process"]),
    default="docker",
    help="process: no isolation, only for code that you trust.",
)
@as_json
def reproduce(tag: str, repo: Path, backend: str, as_json: bool) -> None:
    """Run the strategy of TAG again and compare its results bit for bit."""
    tagged = artifacts.read(repo, tag)
    if any(row.state != "ok" for row in artifact.verify(tagged)):
        raise Rejected(f"{tag} is not what its passport says; `stratbot verify {tag}` says why")
    click.echo(f"{tag}: the sandbox runs it again, in a minute or two.", err=True)
    if _tell(tag, artifact.differences(tagged, artifacts.rerun(tagged, backend)), as_json):
        raise Rejected(f"{tag}: the new run gave other results; the first differences are above")
    if not as_json:
        click.echo(f"{tag}: the new run gave the same results, bit for bit.")


def _tell(tag: str, rows: Iterable[artifact.Row], as_json: bool) -> int:
    """Each row on a line; how many are not ok."""
    found = list(rows)
    wrong = sum(row.state != "ok" for row in found)
    if as_json:
        told = {"tag": tag, "ok": not wrong, "rows": [asdict(row) for row in found]}
        click.echo(json.dumps(told))
    else:
        click.echo("\n".join(f"{row.state:<8} {row.what}" for row in found))
    return wrong
