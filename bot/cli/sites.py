"""`stratbot site`: pages about every strategy and request, from the files and the audit log."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bot.cli.front import as_json
from bot.cli.log import Broken, histories, reads_log, store


@click.command("site")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option(
    "--clone", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A clone of the repository; by default this folder.",
)  # fmt: skip
@as_json
@reads_log
def site(
    out: Path, clone: Path, as_json: bool, repo: str, state: str, server: str, token: str
) -> None:
    """Write the site into OUT: open OUT/index.html, no server is needed.

    Beside the pages are metrics.json, and metrics.txt as OpenMetrics text.

    Without --repo or --state the audit log is looked for in the clone itself. Requests and commits
    are links where --repo or the log says which repository they are of.
    """
    from bot.cli.measures import files
    from bot.io.shelf import shelf
    from bot.pages import site as pages

    broken = Broken()
    where = state if state or repo else str(clone.resolve())
    rows = histories(store(repo, where, server, token), broken)
    made = pages.site(shelf(clone.resolve()), rows, f"{server.rstrip('/')}/{repo}" if repo else "")
    out.mkdir(parents=True, exist_ok=True)
    for name, text in (made | files(rows)).items():
        (out / name).write_text(text, encoding="utf-8")
    index = str(out / "index.html")
    told = {"pages": sorted(made), "index": index}
    click.echo(json.dumps(told) if as_json else f"{len(made)} pages: {index}")
    broken.close()
