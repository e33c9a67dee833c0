"""`stratbot sheet`, and a sheet where a contract may stand: its problems with their places."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from bot.agents.plan_faults import plan_faults
from bot.cli.front import as_json
from bot.cli.outside import read
from bot.text.machine import not_a_contract
from bot.text.sheets import not_in_the_sheet
from schemas import codec
from schemas.contract import Assumption, Contract
from schemas.sheet import Reading, Rules, put_into, read_sheet, sheet_of
from schemas.sheet.text import statements


@click.command("sheet")
@click.argument("contract", type=click.Path(path_type=Path))
@as_json
def sheet(contract: Path, as_json: bool) -> None:
    """Print the strategy sheet of a contract.json: its rules, one statement a line."""
    printed = sheet_of(contract_at(contract))
    click.echo(json.dumps({"sheet": printed}) if as_json else printed.rstrip("\n"))


def contract_at(file: Path) -> Contract:
    try:
        return codec.load(Contract, read(file))
    except codec.Invalid as error:
        raise click.UsageError(not_a_contract(str(file), str(error))) from None


def contract_or_sheet(file: Path) -> Contract:
    """A sheet by its name, or by how it begins. Exit code 2 where it cannot be read."""
    words = read(file).decode("utf-8", "replace")
    if file.suffix != ".sheet" and not _begins(words):
        return contract_at(file)
    reading = read_sheet(words)
    if reading.rules is None:
        raise click.UsageError("\n".join([f"{file} has problems.", *_problems(reading)]))
    contract = _contract(file, words, reading.rules, reading)
    if faults := plan_faults(contract):
        raise click.UsageError("\n".join([f"{file} cannot be built.", *faults]))
    return contract


def _begins(words: str) -> bool:
    first = next(iter(statements(words)), None)
    return first is not None and first.text.split()[0].lower() in ("symbol", "timeframe")


def _problems(reading: Reading) -> list[str]:
    holes = [f"line {h.line}, column {h.column}: ??? is to be filled in: {h.typed.strip()}"
             for h in reading.holes]  # fmt: skip
    return [*map(str, reading.problems), *holes]


def _contract(file: Path, words: str, rules: Rules, reading: Reading) -> Contract:
    assumed = (
        Assumption(topic=a.topic, taken=a.text[:500], because=not_in_the_sheet())
        for a in reading.assumed
    )
    name = re.sub(r"[^a-z0-9_]+", "_", file.stem.lower()).strip("_") or "sheet"
    made = Contract(
        workflow_id="by_hand",
        correlation_id="by_hand",
        name=name[:100],
        symbol=rules.symbol,
        timeframe=rules.timeframe,
        summary=name,
        entries=rules.entries,
        risk=rules.risk,
        costs=rules.costs,
        assumptions=tuple(assumed)[:50],
        sheet=words.strip("\n")[:7_999] + "\n",
    )
    return put_into(made, rules)
