"""What a person sees of the demo in the terminal, and how it begins and ends."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
from github.Issue import Issue

from bot.demo.stage import CannotStart, Stage, settings, stage
from bot.demo.walk import Walk

TITLE = "RSI dip on SPY"
WIDE = 54
"""The longest sentence of a journey without a mistake fits."""
POLICY = '{"auto_merge": true, "unisolated": %s}'
WEAKER = """There is no Docker engine, so strategies run in a plain process on this machine.
Weaker: a hostile strategy could read your files and reach the network. The checks are the same.
"""


def show(request: Path, folder: Path, executor: str, breaks: bool, wait: bool) -> int:
    started = time.monotonic()

    def say(what: str, where: str) -> None:
        click.echo(_line(time.monotonic() - started, what, where))

    isolated = _docker()
    if not isolated:
        click.echo(WEAKER)
    with stage(folder, executor) as there:
        settings(
            there,
            {
                "STRATBOT_BACKEND": "docker" if isolated else "process",
                "STRATBOT_POLICY": POLICY % str(not isolated).lower(),
                "STRATBOT_SPACING": "0",
            },
        )
        say("A local GitHub is running", there.home)
        issue = _issue(there, request)
        say(f"you ask: {issue.title}", issue.html_url)
        delivery = Walk(there, issue, say, "break" if breaks else "").until_delivered()
        click.echo(_end(there, issue, delivery.html_url if delivery else None))
        if wait:
            click.echo("Ctrl-C stops it; the same command goes on from here.")
            while True:
                time.sleep(3600)
    return 0


def _line(seconds: float, what: str, where: str) -> str:
    """Colours are for a terminal: elsewhere `echo` takes them off."""
    at = click.style(f"{seconds:6.1f} s", dim=True)
    said = click.style(f"{what:<{WIDE}}" if where else what, bold=what.startswith("you ") or None)
    return f"{at}  {said} {click.style(where, fg='blue')}" if where else f"{at}  {said}"


def _issue(there: Stage, request: Path) -> Issue:
    """The same request as last time, if it was asked here already."""
    first, _, rest = request.read_text(encoding="utf-8").partition("\n")
    title, body = (
        (first[2:].strip(), rest) if first.startswith("# ") else (TITLE, f"{first}\n{rest}")
    )
    repo = there.repo()
    for issue in repo.get_issues(state="all"):
        if (issue.title, (issue.body or "").strip()) == (title, body.strip()):
            return issue
    return repo.create_issue(title, body=body)


def _end(there: Stage, issue: Issue, delivery: str | None) -> str:
    if delivery is None:
        return f"\nThe bot needs your words. Read and answer here:\n  {issue.html_url}\n"
    return "\n".join(
        [
            "",
            "The strategy waits for your review. Choose `you` at the top right, then look at:",
            f"  the report   {delivery}",
            f"  the files    {delivery}/files",
            f"  the request  {issue.html_url}",
            f"  the runs     {there.home}/actions",
            "Merge it there; then type /status, /backtest or /deploy in the request.",
        ]
    )


def _docker() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True).returncode == 0


def main(request: Path, folder: Path, executor: str, breaks: bool, wait: bool) -> int:
    try:
        return show(request, folder, executor, breaks, wait)
    except CannotStart as error:
        click.echo(f"stratbot: {error}", err=True)
        return 1
    except KeyboardInterrupt:
        click.echo("\nStopped; nothing is left running. The same command goes on.", err=True)
        return 130
    finally:
        sys.stdout.flush()
