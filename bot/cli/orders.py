"""`stratbot order`, `work` and `audit`: a piece of work that is wanted, done, and written down."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from bot import journal
from bot.cli import log
from bot.cli.job_log import told
from bot.cli.outside import patient, read, store, summarised, writer_of
from bot.ports import Rejected
from bot.text.jobs import wrote
from bot.wanted import limit, wanted
from bot.work import worked
from schemas import codec
from schemas.events import WorkflowChanged
from schemas.work import WorkOrder


@click.command("order")
@click.argument("issue", type=click.IntRange(1))
@click.argument("key")
def order(issue: int, key: str) -> None:
    """Print the work order KEY of request ISSUE, for the job that works on it."""
    workflow, _ = patient()(store().read, issue)
    found = next((o for o in wanted(workflow) if o.key == key), None)
    if found is None:
        raise Rejected(f"request {issue} does not want {key}; it may be done or cancelled")
    late = int(time.time()) + limit(
        workflow.policy, found.kind
    )  # what waited for a machine has its time still
    click.echo(codec.dump(replace(found, deadline=max(found.deadline, late))), nl=False)


@click.command("work")
@click.option("--order", required=True, type=click.Path(path_type=Path), help="A WorkOrder.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--writer", type=click.Choice(["offline", "llm"]), default="offline")
def work_on(order: Path, out: Path, writer: str) -> None:
    """Write what one order asks for into OUT/result.json. Needs no token."""
    asked = codec.load(WorkOrder, read(order))
    made = worked(asked, writer_of(writer, asked.kind), time.time)
    out.mkdir(parents=True, exist_ok=True)
    (out / "result.json").write_text(codec.dump(made), encoding="utf-8")
    told("work.done", f"{asked.kind}: {made.product.kind}", asked.issue)
    summarised(wrote(asked, made))


@click.command("audit")
@click.argument("issue", type=click.IntRange(1))
@click.option(
    "--events", "only_events", is_flag=True, help="Leave out the lines of changed states."
)
@log.reads_log
def audit(issue: int, only_events: bool, repo: str, state: str, server: str, token: str) -> None:
    """Print the audit log of request ISSUE: one JSON object per line, oldest first.

    Each line is an event: `event_type` says which, and `schemas/json` has its schema. The times
    are ISO 8601, UTC.
    """
    refs = log.store(repo, state, server, token)
    if issue not in refs.issues():
        raise Rejected(f"request {issue} has no audit log: nothing has happened to it")
    broken = log.Broken()
    for commit, record, _ in refs.history(issue, broken):
        for event in journal.lines(commit, record):
            if not (only_events and isinstance(event, WorkflowChanged)):
                click.echo(codec.line(event))
    broken.close()
