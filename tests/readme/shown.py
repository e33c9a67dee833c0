"""Every command that the README shows, what each needs, and what it is said to print."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from markdown_it import MarkdownIt


class Needs(StrEnum):
    """Why a command is not run with every test. A command that is not listed fails the test."""

    NOTHING = "it is run"
    MINUTES = "it takes minutes, or a Docker engine: `make soak` runs it"
    DELIVERY = "a delivered strategy: see `tests/artifacts/test_verify.py`"
    GITHUB = "a repository: see `tests/workflows/test_prepare.py`, `tests/test_metrics.py`"
    BROKER = "a broker and an approval: see `tests/live/test_cli.py`"


BY_HAND = "strategies/sma_cross"
COMMANDS = {
    "make demo": Needs.MINUTES,
    "make test": Needs.MINUTES,
    "make demo REQUEST=my_request.md": Needs.MINUTES,
    "make demo ARGS=--break": Needs.MINUTES,
    ".venv/bin/stratbot verify artifact/rsi_dip_1/0123456789ab": Needs.DELIVERY,
    ".venv/bin/stratbot reproduce artifact/rsi_dip_1/0123456789ab": Needs.DELIVERY,
    ".venv/bin/stratbot setup --repo you/strategies": Needs.GITHUB,
    ".venv/bin/stratbot doctor --repo you/strategies": Needs.GITHUB,
    ".venv/bin/stratbot live run --strategy NAME --token TOKEN --broker ibkr": Needs.BROKER,
    ".venv/bin/stratbot live stop --strategy NAME": Needs.BROKER,
    ".venv/bin/stratbot live halt --strategy NAME": Needs.BROKER,
    '.venv/bin/stratbot draft --title "RSI dip on SPY" --body fixtures/requests/example.md '
    "--out results/draft": Needs.NOTHING,
    ".venv/bin/stratbot explain results/draft/contract.json": Needs.NOTHING,
    ".venv/bin/stratbot sheet results/draft/contract.json": Needs.NOTHING,
    ".venv/bin/stratbot code results/draft/contract.json --out results/code/strategy.py": (
        Needs.NOTHING
    ),
    ".venv/bin/python strategies/rsi_mean_reversion/strategy.py --mode backtest "
    "--data fixtures/sample_aapl.csv --out results/": Needs.NOTHING,
    ".venv/bin/stratbot report results/ --out results/report.html": Needs.NOTHING,
    f".venv/bin/python sandbox/run_in_sandbox.py --strategy {BY_HAND}/strategy.py "
    f"--tests {BY_HAND}/test_strategy.py --contract {BY_HAND}/contract.json "
    "--out results/": Needs.MINUTES,
    "make site": Needs.NOTHING,
    ".venv/bin/stratbot metrics --repo you/strategies": Needs.GITHUB,
    ".venv/bin/stratbot audit 7 --repo you/strategies": Needs.GITHUB,
    ".venv/bin/python -m schemas validate fixtures/documents/v1/todo.json --type todo": (
        Needs.NOTHING
    ),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One command, the line where its block begins, and what the README says it prints."""

    command: str
    block: int
    prints: tuple[str, ...] = ()


class Unclear(Exception):
    """A block that says neither that it is a command nor that it is what one prints."""


def shown(markdown: str) -> list[Shown]:
    """In the order of the README. An `output` block belongs to the command right above it."""
    found: list[Shown] = []
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type not in ("fence", "code_block"):
            continue
        match token.info:
            case "sh":
                line = token.map[0] + 1 if token.map else 0
                found += [Shown(c, line) for c in map(_bare, token.content.splitlines()) if c]
            case "output" if found and not found[-1].prints:
                found[-1] = replace(found[-1], prints=tuple(token.content.splitlines()))
            case other:
                raise Unclear(f"a block of the README is `{other}`: write `sh` or `output`")
    return found


def _bare(line: str) -> str:
    """Without what is said about it."""
    return re.sub(r"(^|\s+)#\s.*$", "", line).strip()
