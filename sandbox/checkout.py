"""The checkout that a test is ordered for: is it that commit, and does it have that contract?"""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

from sandbox.changes import NotTrades, compare
from sandbox.intake.files import NotTaken, take
from sandbox.job import CannotRun
from sandbox.submission import CONTRACT, Submission, of_folder
from schemas import codec
from schemas.base import RESULTS
from schemas.contract import Contract
from schemas.report import Changes

TRADES = "results/trades.csv"


def submission(tree: Path, head: str, contract: Contract) -> Submission:
    """What to test. Raises `CannotRun` where it is not what was ordered."""
    found = head_of(tree)
    if found != head:
        raise CannotRun(f"the checkout is at {found[:12]}, not at {head[:12]}; check that one out")
    folder = home(tree, contract)
    for part in (tree / "strategies", folder, folder / "tests"):
        if part.is_symlink() or (part.exists() and not stat.S_ISDIR(part.lstat().st_mode)):
            raise CannotRun(f"{part.name} is not a plain folder; put a real one there")
    _same_contract(folder / CONTRACT, contract)
    return of_folder(folder)


def home(tree: Path, contract: Contract) -> Path:
    return tree / "strategies" / contract.name


def head_of(tree: Path) -> str:
    """Asked of git itself: no hook and no setting of the checkout has a say."""
    line = ["git", "-c", "core.fsmonitor=false", "-C", str(tree), "rev-parse", "--verify", "HEAD"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotRun(f"git did not answer about the checkout: {error}") from None
    if done.returncode:
        raise CannotRun("there is no commit in the checkout; check the branch out first")
    return done.stdout.strip()


def _same_contract(path: Path, ordered: Contract) -> None:
    try:
        there = codec.load(Contract, take(path))
    except (NotTaken, codec.Invalid) as error:
        raise CannotRun(f"the commit has no readable contract: {str(error)[:300]}") from None
    if codec.digest(there) != codec.digest(ordered):
        raise CannotRun("the contract in the commit is not the approved one; restore contract.json")


def changes(tree: Path, contract: Contract, trades: Path) -> Changes | None:
    """Against the results that the commit carries; None where it has none that can be read."""
    folder = home(tree, contract)
    if (folder / "results").is_symlink() or not trades.is_file():
        return None
    try:
        before = take(folder / TRADES, RESULTS).decode()
        return compare(before, trades.read_text())
    except (NotTaken, NotTrades):
        return None
