"""`stratbot pulls`: pull requests of people get the status that the rules ask of every one."""

from __future__ import annotations

import click

from bot.cli.outside import hub, summarised


@click.command("pulls")
def pulls() -> None:
    """Say of each pull request that is not the bot's whether it touches a strategy."""
    from bot.io.github.byhand import posted
    from bot.text import jobs

    count = 0
    for number, view in posted(hub().site):
        click.echo(f"#{number} {view.state}: {view.description}")
        count += 1
    summarised(jobs.posted(count))
