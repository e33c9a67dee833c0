"""Contracts to print and to read again: of requests that people wrote, and by chance."""

import gzip
from functools import cache
from pathlib import Path

from schemas import codec
from schemas.contract import Contract
from tests.agents.chance import Chance
from tests.agents.requests import REQUESTS

FOLDER = Path(__file__).parents[2] / "fixtures" / "sheets"
SHIPPED = sorted((Path(__file__).parents[2] / "strategies").glob("*/contract.json"))


@cache
def contracts() -> dict[str, Contract]:
    """304 that a reader made of requests, those written by hand, and those that are shipped."""
    lines = gzip.decompress((FOLDER / "contracts.jsonl.gz").read_bytes()).decode().splitlines()
    found = [codec.load(Contract, line) for line in lines] + list(REQUESTS.values())
    found += [codec.load(Contract, file.read_text()) for file in SHIPPED]
    return {f"{n}-{contract.name}": contract for n, contract in enumerate(found)}


@cache
def by_chance(many: int, start: int = 0) -> list[Contract]:
    """Trees that nobody would write."""
    return [Chance(start + n).contract() for n in range(many)]
