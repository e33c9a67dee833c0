"""What a person sees of the demo in the terminal, and how it begins and ends."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
from github.Issue import Issue

from bot.demo.stage import ROOT, CannotStart, Stage, settings, stage
from bot.demo.walk import Say, Walk

EXAMPLE = ROOT / "fixtures" / "requests" / "example.md"
TITLE = "RSI dip on SPY"
BROKEN = "{}, with a mistake pushed"
"""A request of its own: the walk without a mistake may be over already."""
WIDE = 54
"""The longest sentence of a journey without a mistake fits."""
PATIENCE = 30.0
POLICY = '{"auto_merge": true, "unisolated": %s}'
WEAKER = """There is no Docker engine, so strategies run in a plain process on this machine.
Weaker: a hostile strategy could read your files and reach the network. The checks are the same.
"""
STOPS = "Ctrl-C stops it; the same command goes on from here."
CLOSED = "The pages are closed now; the same command without --no-wait opens them again."


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
        if isolated:
            _build(say)
        issue = _issue(there, *asked(request, breaks))
        say(f"you ask: {issue.title}", issue.html_url)
        _watch(Walk(there, issue, say, "break" if breaks else ""), wait)
    return 0


def _watch(walk: Walk, wait: bool) -> None:
    """Whoever waits sees the rest too: what an answer, a merge or a command leads to."""
    delivery = walk.until_it_waits()
    while delivery is None:
        click.echo(_asks(walk))
        click.echo(STOPS if wait else CLOSED)
        if not wait:
            return
        walk.until_answered()
        delivery = walk.until_it_waits()
    click.echo(_end(walk.stage, walk.issue, delivery.html_url))
    click.echo(STOPS if wait else CLOSED)
    if wait:
        walk.for_ever()


def _line(seconds: float, what: str, where: str) -> str:
    """Colours are for a terminal: elsewhere `echo` takes them off."""
    at = click.style(f"{seconds:6.1f} s", dim=True)
    said = click.style(f"{what:<{WIDE}}" if where else what, bold=what.startswith("you ") or None)
    return f"{at}  {said} {click.style(where, fg='blue')}" if where else f"{at}  {said}"


def asked(request: Path, breaks: bool) -> tuple[str, str]:
    """Title and text. Without a title of its own a request is called as its file is."""
    words = request.read_text(encoding="utf-8")
    first, _, rest = words.partition("\n")
    if first.startswith("# "):
        title, body = first[2:].strip(), rest
    else:
        name = request.stem.replace("_", " ").replace("-", " ").strip().capitalize()
        title, body = TITLE if request == EXAMPLE else name, words
    return BROKEN.format(title) if breaks else title, body


def _issue(there: Stage, title: str, body: str) -> Issue:
    """The same request as last time, if it was asked here already."""
    repo = there.repo()
    for issue in repo.get_issues(state="all"):
        if (issue.title, (issue.body or "").strip()) == (title, body.strip()):
            return issue
    return repo.create_issue(title, body=body)


def _asks(walk: Walk) -> str:
    return "\n".join(["", walk.words(), "", "Answer here:", f"  {walk.issue.html_url}", ""])


def _end(there: Stage, issue: Issue, delivery: str) -> str:
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
    try:
        return subprocess.run(["docker", "info"], capture_output=True, timeout=20).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _build(say: Say) -> None:
    """Minutes the first time, a moment after that; whoever waits is told what for."""
    builder = subprocess.Popen(
        [sys.executable, "-m", "sandbox.image"], cwd=ROOT, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    told, patience = "The sandbox is being built: minutes, the first time only", 3.0
    try:
        while True:
            try:
                _, wrong = builder.communicate(timeout=patience)
                break
            except subprocess.TimeoutExpired:
                say(told, "")
                told, patience = "The sandbox is still being built", PATIENCE
    finally:
        builder.kill()
        builder.wait()
    if builder.returncode:
        last = "\n".join(wrong.strip().splitlines()[-3:])
        raise CannotStart(
            f"The sandbox could not be built:\n{last}\nIts packages come from the network the "
            "first time: look to that, then run it again."
        )


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def main(request: Path, folder: Path, executor: str, breaks: bool, wait: bool) -> int:
    """A terminal that is closed, and a polite kill, end it as Ctrl-C does."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupted)
    try:
        return show(request, folder, executor, breaks, wait)
    except CannotStart as error:
        click.echo(f"stratbot: {error}", err=True)
        return 1
    except KeyboardInterrupt:
        _say_stopped()
        return 130
    finally:
        sys.stdout.flush()


def _say_stopped() -> None:
    try:
        click.echo("\nStopped; nothing is left running. The same command goes on.", err=True)
    except OSError:
        sys.stderr = None  # the terminal is gone: there is nobody to tell
