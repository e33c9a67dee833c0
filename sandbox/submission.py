"""What is submitted to the gate: one strategy, its files of tests, its contract. Read once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandbox.intake.files import NotTaken, take
from sandbox.job import CannotRun
from schemas import codec
from schemas.contract import Contract

STRATEGY, TESTS, CONTRACT, ADDED = "strategy.py", "test_strategy.py", "contract.json", "tests"
SHEET = "strategy.sheet"
TEST_NAME = re.compile(r"test_\w{1,80}\.py", re.ASCII)


@dataclass(frozen=True, slots=True)
class Submission:
    strategy: Path
    tests: tuple[Path, ...] = ()
    contract: Path | None = None
    sheet: Path | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """The submission's bytes. Tests are named by their place in the strategy's folder."""

    strategy: bytes
    tests: Mapping[str, bytes]
    contract: Contract | None
    name: str
    sheet: bytes | None = None

    @property
    def files(self) -> dict[str, bytes]:
        return {STRATEGY: self.strategy, **self.tests}


def of_folder(folder: Path) -> Submission:
    """A strategy as it lies in the repository: the tests that were added come last."""
    added = sorted(p for p in (folder / ADDED).glob("test_*.py") if TEST_NAME.fullmatch(p.name))
    own = [folder / TESTS] if (folder / TESTS).exists() else []
    contract = folder / CONTRACT
    return Submission(folder / STRATEGY, (*own, *added), contract, sheet_beside(contract))


def sheet_beside(contract: Path | None) -> Path | None:
    """The rules as lines, where they lie beside the contract."""
    sheet = contract.with_name(SHEET) if contract else None
    return sheet if sheet and sheet.exists() else None


def read(submission: Submission) -> Taken:
    """Raises `CannotRun` for anything that is not plain text in a file of its own."""
    try:
        strategy = take(submission.strategy)
        tests = [(place(path), take(path)) for path in submission.tests]
        contract = _contract(take(submission.contract)) if submission.contract else None
        sheet = take(submission.sheet) if submission.sheet else None
    except NotTaken as error:
        raise CannotRun(str(error)) from None
    if len(dict(tests)) != len(tests):
        raise CannotRun("two files of tests have one name; rename one of them")
    return Taken(strategy, dict(tests), contract, _name(submission, contract), sheet)


def place(path: Path) -> str:
    """Where a file of tests lies in the strategy's folder."""
    name = path.name if TEST_NAME.fullmatch(path.name) else TESTS
    return f"{ADDED}/{name}" if path.parent.name == ADDED and name != TESTS else name


def _name(submission: Submission, contract: Contract | None) -> str:
    folder, stem = submission.strategy.resolve().parent.name, submission.strategy.stem
    return importable(contract.name if contract else stem if stem != "strategy" else folder)


def importable(name: str) -> str:
    """A strategy's name as Python can import it."""
    plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name) or "strategy"
    return plain if not plain[0].isdigit() else f"s_{plain}"


def _contract(data: bytes) -> Contract:
    try:
        return codec.load(Contract, data)
    except codec.Invalid as error:
        raise CannotRun(f"the contract: {error}") from None
