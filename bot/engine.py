"""The engine of a commit: all code that runs beside the strategy on a machine that trades. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INSTALLS = ("Makefile", "pyproject.toml", "requirements.lock", "setup.cfg")
"""Decide what is installed beside the code, and run code of their own while it is installed."""
PACKAGES = ("bot", "adapters", "simbroker", "schemas")
NOT_RUN = ("strategies", "tests", "fixtures", "docs")
"""No live run imports these names, and no installed package has one of them. Strategies are judged
by themselves, but for what they share."""
SHARED = "pieces"
"""Of the folder strategies: used by all of them."""
MODULES = (".py", ".pyc", ".pyd", ".so")
STRATEGIES = "strategies"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a git tree."""

    name: str
    is_file: bool
    """False also for a link and a submodule: either may stand for a folder."""
    git_id: str


Engine = Mapping[str, str]
"""The git id of each part. The id of a tree stands for every file below it."""


def of(root: tuple[Entry, ...], strategies: tuple[Entry, ...]) -> dict[str, str]:
    """The checkout is first on Python's path: `pandas.py` at its top replaces the real one. So it
    counts whatever Python could import, not only our own packages."""
    above = {e.name: e.git_id for e in root if e.name in INSTALLS or _imported(e)}
    below = {f"{STRATEGIES}/{e.name}": e.git_id for e in strategies if _shared(e)}
    return above | below


def _imported(entry: Entry) -> bool:
    if entry.name in NOT_RUN or entry.name.startswith("."):
        return False
    return not entry.is_file or entry.name.lower().endswith(MODULES)


def _shared(entry: Entry) -> bool:
    return entry.name == SHARED or entry.name.lower().endswith(MODULES)


def differing(one: Engine, other: Engine) -> tuple[str, ...]:
    return tuple(sorted(n for n in {*one, *other} if one.get(n) != other.get(n)))
