"""The text of the vetted pieces, and of what each of them needs. Read once, never run here."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

FILES = (
    "averages", "oscillators", "ranges", "trends", "days", "signals", "orders", "held", "journal",
)  # fmt: skip
"""In the order in which a generated file has them: what is needed comes first."""
PLAIN = ("plain", "plain_bars")
"""The same indicators bar by bar, for tests."""
IMPORTS = {
    "Callable": "from collections.abc import Callable",
    "NamedTuple": "from typing import NamedTuple",
    "NDArray": "from numpy.typing import NDArray",
    "math": "import math",
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "sliding_window_view": "from numpy.lib.stride_tricks import sliding_window_view",
}


@dataclass(frozen=True)
class Piece:
    text: str
    names: frozenset[str]


PLAIN = ("plain", "plain_bars")
"""The same indicators for tests."""


@cache
def library(files: tuple[str, ...] = FILES) -> dict[str, Piece]:
    """Every function and class of these files of the package `strategies.pieces`, by name."""
    found: dict[str, Piece] = {}
    for file in files:
        text = resources.files("strategies").joinpath("pieces", f"{file}.py").read_text("utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
                used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                found[node.name] = Piece("\n".join(lines), frozenset(used))
    return found


def needed(wanted: Iterable[str], files: tuple[str, ...] = FILES) -> list[str]:
    """These pieces and all that they use, in the order of the package."""
    pieces, waiting, done = library(files), list(wanted), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in done:
            done.add(name)
            waiting += [n for n in pieces[name].names if n in pieces]
    return [name for name in pieces if name in done]


def text_of(wanted: Iterable[str], files: tuple[str, ...] = FILES) -> str:
    return "\n\n\n".join(library(files)[name].text for name in needed(wanted, files))
