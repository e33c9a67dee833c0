"""The command line: one command each, and what an error means to whoever called."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import click
import tenacity

from bot import desk, events, payloads, work
from bot.cli import artifacts, front, gate, measures, prepare, pulls, reports, sites
from bot.cli.front import as_json
from bot.cli.log import Broken
from bot.cli.outside import (
    hub,
    identity,
    need,
    number,
    policy,
    read,
    read_json,
    store,
    summarised,
    writer_of,
)
from bot.handle import handle
from bot.live.cli import live
from bot.ports import Conflict, Rejected, Unavailable
from bot.reader import Malformed
from bot.sweep import sweep
from bot.text.machine import cannot_use, later, not_a_contract
from bot.wanted import LIMITS, awaited, wanted
from bot.work import worked
from schemas import codec
from schemas.base import Usage
from schemas.contract import Contract
from schemas.work import WorkOrder, WorkResult, answered

READABLE = click.Path(path_type=Path, exists=True, dir_okay=False)
MAX_RESULT = 2_000_000
"""One, and the figures of a few backtests, fit beside the rest of a state that is still read."""


@click.group(
    cls=front.Front, epilog=front.EXITS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="stratbot", message="stratbot %(version)s")
def cli() -> None:
    """Stratbot writes, tests and ships trading strategies, through GitHub alone."""


cli.add_command(live)


@cli.command("handle")
@click.option("--event", required=True, help="GitHub's name of the event: issues, issue_comment.")
@click.option("--payload", required=True, type=click.Path(path_type=Path), help="Its JSON file.")
def handle_event(event: str, payload: Path) -> None:
    """Read one event and bring the request up to date."""
    found = payloads.parse(event, read_json(payload), identity(), policy(), int(time.time()))
    if found is None:
        click.echo(f"{event}: not for us")
        return
    _handled(found)


def _handled(event: events.Event) -> None:
    """GitHub stumbles now and then; what was done so far is kept, so a second go is cheap."""
    there = hub()
    refs = store(lambda: there.requests[0])
    patient = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(Unavailable),
        stop=tenacity.stop_after_attempt(5),
        wait=tenacity.wait_exponential_jitter(initial=1, max=20),
        reraise=True,
    )
    started = time.monotonic()
    workflow = patient(handle, event, refs, there)
    (sent, free), took = there.requests, time.monotonic() - started
    click.echo(f"request {workflow.issue}: {workflow.phase}")
    told = f"{sent} requests to GitHub, {free} of them free, {took:.2f} s"
    click.echo(told)
    summarised(f"Request {workflow.issue} is {workflow.phase}: {told}.")


@cli.command("work")
@click.option("--order", required=True, type=click.Path(path_type=Path), help="A WorkOrder.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--writer", type=click.Choice(["offline", "llm"]), default="offline")
def work_on(order: Path, out: Path, writer: str) -> None:
    """Write what one order asks for into OUT/result.json. Needs no token."""
    asked = codec.load(WorkOrder, read(order))
    made = worked(asked, writer_of(writer), time.time)
    out.mkdir(parents=True, exist_ok=True)
    (out / "result.json").write_text(codec.dump(made), encoding="utf-8")
    click.echo(f"{asked.kind} of request {asked.issue}: {made.product.kind}")


@cli.command("finish")
@click.option("--issue", required=True, type=click.IntRange(1), help="The request it is for.")
@click.option("--key", required=True, help="The work order it is for.")
@click.option("--result", type=click.Path(path_type=Path), help="A WorkResult.")
@click.option("--failed", help="Where there is no result: why not.")
@click.option("--spent", type=click.Path(path_type=Path), help="What was drafted, for its cost.")
def finish(
    issue: int, key: str, result: Path | None, failed: str | None, spent: Path | None
) -> None:
    """Take in what the worker of one order gave back."""
    if result is not None and result.exists():
        product = codec.load(WorkResult, read(result), MAX_RESULT)
    elif failed is not None:
        found = next((o for o in awaited(store().read(issue)[0]) if o.key == key), None)
        if found is None:
            click.echo(f"request {issue} no longer waits for {key}")
            return
        product = answered(found, work.failed(failed[:2000]), _cost(key, spent), int(time.time()))
    else:
        raise click.UsageError("Name the result with --result, or say why there is none: --failed.")
    if (product.issue, product.order_key) != (issue, key):
        other = f"it answers {product.order_key} of request {product.issue}"
        raise click.UsageError(f"{result}: {other}, not {key} of request {issue}.")
    _handled(events.WorkFinished(product, int(time.time())))


def _cost(key: str, drafted: Path | None) -> Usage:
    """Of work that was drafted and then came to nothing; none where nothing tells it."""
    if drafted is None or not drafted.exists():
        return Usage()
    try:
        found = codec.load(WorkResult, read(drafted), MAX_RESULT)
    except codec.Invalid:
        return Usage()  # the work failed already, and that must be told
    return found.usage if found.order_key == key else Usage()


@cli.command("sweep")
def sweep_all() -> None:
    """Look after every request: what was missed, what is overdue."""
    there = hub()
    refs = store(lambda: there.requests[0])
    if failed := sweep(int(time.time()), refs, there, click.echo):
        raise Unavailable(
            f"{failed} requests could not be looked after; the next sweep tries again"
        )


@cli.command("order")
@click.argument("issue", type=click.IntRange(1))
@click.argument("key")
def order(issue: int, key: str) -> None:
    """Print the work order KEY of request ISSUE, for the job that works on it."""
    workflow, _ = store().read(issue)
    found = next((o for o in wanted(workflow) if o.key == key), None)
    if found is None:
        raise Rejected(f"request {issue} does not want {key}; it may be done or cancelled")
    late = int(time.time()) + LIMITS[found.kind]  # what waited for a machine has its time still
    click.echo(codec.dump(replace(found, deadline=max(found.deadline, late))), nl=False)


@cli.command("audit")
@click.argument("issue", type=click.IntRange(1))
def audit(issue: int) -> None:
    """Print the audit log of request ISSUE: one JSON object per line, oldest first."""
    if issue not in store().issues():
        raise Rejected(f"request {issue} has no audit log: nothing has happened to it")
    broken = Broken()
    for commit, record, _ in store().history(issue, broken):
        click.echo(json.dumps({"commit": commit, **json.loads(codec.line(record))}))
    broken.close()


@cli.command("twin")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8800,
    help="Of this machine only; 0 takes a free one.",
)  # fmt: skip
@click.option(
    "--data", required=True, type=click.Path(path_type=Path, file_okay=False),
    help="Folder that keeps everything on it.",
)  # fmt: skip
@click.option(
    "--seed", type=click.Path(path_type=Path, exists=True), help="YAML: who and what is there."
)
@front.executor
def serve_twin(port: int, data: Path, seed: Path | None, executor: str) -> None:
    """Run a local GitHub until it is stopped."""
    from bot.twin import server  # the only command that needs a web server

    server.run(port, data, seed, executor)


@cli.command("demo")
@click.option("--request", type=READABLE, help="A file with your own words; else the example.")
@click.option(
    "--data", type=click.Path(path_type=Path), default=Path(".demo"), show_default=True,
    help="Folder of the demo: it goes on from there; remove it to start anew.",
)  # fmt: skip
@front.executor
@click.option("--break", "breaks", is_flag=True, help="Push a mistake, and see it mended.")
@click.option("--wait/--no-wait", default=True, help="Keep the pages up at the end.")
def demo(request: Path | None, data: Path, executor: str, breaks: bool, wait: bool) -> None:
    """Walk one request on a local GitHub up to a delivery that waits for review."""
    from bot.demo import show  # the only command that needs the person's side

    words = request.resolve() if request else show.EXAMPLE
    raise SystemExit(show.main(words, data.resolve(), executor, breaks, wait))


@cli.command("draft")
@click.option("--title", required=True, help="The title of the request.")
@click.option(
    "--body", required=True, type=click.Path(path_type=Path), help="A file with its text."
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option(
    "--writer", type=click.Choice(["offline", "llm"]), default="offline",
    help="offline: by rules, the default; llm: a model, with OPENAI_API_KEY and MODEL_NAME.",
)  # fmt: skip
@as_json
def draft(title: str, body: Path, out: Path, writer: str, as_json: bool) -> None:
    """Write strategy.py, test_strategy.py, contract.json and plan.json for a request.

    Exit code 3: nothing was built; reply.md asks or says why not.
    """
    words = read(body).decode("utf-8", "replace")
    written = desk.written_for(writer_of(writer), title, words)
    out.mkdir(parents=True, exist_ok=True)
    for name in desk.FILES:
        (out / name).unlink(missing_ok=True)
    for name, text in written.items():
        (out / name).write_text(text, encoding="utf-8")
    asks = "reply.md" in written
    files = [str(out / name) for name in written]
    click.echo(json.dumps({"built": not asks, "files": files}) if as_json else "\n".join(files))
    if asks:
        raise SystemExit(3)


@cli.command("explain")
@click.argument("contract", type=click.Path(path_type=Path))
@as_json
def explain_contract(contract: Path, as_json: bool) -> None:
    """Say in plain words what a contract asks for."""
    from bot.agents.words import explain

    try:
        told = explain(codec.load(Contract, read(contract)))
    except codec.Invalid as error:
        raise click.UsageError(not_a_contract(str(contract), str(error))) from None
    click.echo(json.dumps({"says": told.splitlines()}) if as_json else told)


def _here() -> gate.Here:
    return gate.Here(
        repo=need("GITHUB_REPOSITORY"),
        run_id=number("GITHUB_RUN_ID", need("GITHUB_RUN_ID")),
        policy=policy(),
        wire=hub().site.wire,
        read=lambda issue: store().read(issue)[0],
        tell=_handled,
    )


cli.add_command(gate.group(_here))
for _module in (front, artifacts, prepare, measures, pulls, reports, sites):
    for _command in _module.COMMANDS:
        cli.add_command(_command)


def main() -> NoReturn:
    """Errors are sentences on stderr, never tracebacks; the exit code says what kind."""
    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except (Malformed, codec.Invalid, ValueError) as error:
        click.echo(f"stratbot: {error}", err=True)
        sys.exit(2)
    except Rejected as error:
        click.echo(f"stratbot: {error}", err=True)
        sys.exit(1)
    except (Unavailable, Conflict) as error:
        click.echo(f"stratbot: {later(error)}", err=True)
        sys.exit(75)
    except OSError as error:
        click.echo(f"stratbot: {cannot_use(error.filename, error.strerror)}", err=True)
        sys.exit(1)
    sys.exit(0)


if __name__ == "__main__":
    main()
