"""`stratbot verify` and `stratbot reproduce`: is a delivered strategy what it says it is?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from bot import artifact
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
def verify(tag: str, repo: Path) -> None:
    """Check every file of TAG against its passport. Offline; nothing is run."""
    wrong = _tell(artifact.verify(artifacts.read(repo, tag)))
    if wrong:
        raise Rejected(f"{tag} is not what its passport says: {wrong} rows; do not trade it")
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
def reproduce(tag: str, repo: Path, backend: str) -> None:
    """Run the strategy of TAG again and compare its results bit for bit."""
    tagged = artifacts.read(repo, tag)
    if any(row.state != "ok" for row in artifact.verify(tagged)):
        raise Rejected(f"{tag} is not what its passport says; `stratbot verify {tag}` says why")
    if _tell(artifact.differences(tagged, artifacts.rerun(tagged, backend))):
        raise Rejected(f"{tag}: the new run gave other results; the first differences are above")
    click.echo(f"{tag}: the new run gave the same results, bit for bit.")


def _tell(rows: Iterable[artifact.Row]) -> int:
    """Each row on a line; how many are not ok."""
    wrong = 0
    for row in rows:
        click.echo(f"{row.state:<8} {row.what}")
        wrong += row.state != "ok"
    return wrong


COMMANDS = (verify, reproduce)
