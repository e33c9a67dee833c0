"""`stratbot demo`, `twin`, `draft`, `code`, `explain`: on this machine, no account, no key."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bot import desk
from bot.cli import front
from bot.cli.front import as_json
from bot.cli.outside import read, writer_of
from bot.cli.sheets import contract_at, contract_or_sheet
from bot.ports import Rejected
from schemas import codec

READABLE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("twin")
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


@click.command("demo")
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


@click.command("draft")
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


@click.command("code")
@click.argument("contract", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, dir_okay=False),
    help="The file of the strategy; its tests and its contract come beside it.",
)  # fmt: skip
@as_json
def code(contract: Path, out: Path, as_json: bool) -> None:
    """Write the strategy of a contract, and its tests beside it.

    Exit code 1: the contract asks for something that cannot be written; it says what.
    """
    files = desk.coded(contract_at(contract), out.name)
    kept = out.parent / desk.CONTRACT
    if kept.exists() and read(kept).decode("utf-8", "replace") != files[desk.CONTRACT]:
        _own(kept, files[desk.CONTRACT])
        del files[desk.CONTRACT]
    out.parent.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (out.parent / name).write_text(text, encoding="utf-8")
    written = [str(out.parent / name) for name in files]
    click.echo(json.dumps({"files": written}) if as_json else "\n".join(written))


def _own(kept: Path, wanted: str) -> None:
    """The same contract in other spaces stays as it is; the strategy would run with another one."""
    if codec.dump(contract_at(kept)) != wanted:
        raise Rejected(f"{kept} is another contract; choose another folder with --out")


@click.command("explain")
@click.argument("contract", metavar="CONTRACT", type=click.Path(path_type=Path))
@as_json
def explain_contract(contract: Path, as_json: bool) -> None:
    """Say in plain words what a contract or a strategy sheet asks for.

    Exit code 2: the sheet cannot be read; it says where, and the line that could be meant.
    """
    from bot.agents.words import explain

    told = explain(contract_or_sheet(contract))
    click.echo(json.dumps({"says": told.splitlines()}) if as_json else told)
