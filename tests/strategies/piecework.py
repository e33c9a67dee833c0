"""Calls a piece, and its plain version, the way a contract names them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pandas as pd

from bot.agents.pieces import FILES
from bot.agents.sheet import PIECES
from bot.agents.tree import WHOLE
from schemas.indicators import KINDS

Columns = tuple["pd.Series[float]", ...]
WAYS = {name: import_module(f"strategies.pieces.{name}") for name in FILES}
PLAIN = {name: import_module(f"strategies.pieces.{name}") for name in ("plain", "plain_bars")}


def find(name: str, among: dict[str, Any] = WAYS) -> Any:
    return next(getattr(module, name) for module in among.values() if hasattr(module, name))


def arguments(kind: str, df: pd.DataFrame, **given: float) -> list[Any]:
    about = KINDS[kind]
    reads = ["close"] if about.reads == "source" else [x.strip() for x in about.reads.split(",")]
    times = pd.DatetimeIndex(df.index)
    first = [times if name == "day" else df[name.capitalize()] for name in reads]
    values = {**about.parameters, **given}
    return [*first, *(int(v) if name in WHOLE else float(v) for name, v in values.items())]


def series(kind: str, df: pd.DataFrame, **given: float) -> Columns:
    """One series for each output of the kind."""
    made = find(PIECES.get(kind, kind))(*arguments(kind, df, **given))
    return made if isinstance(made, tuple) else (made,)


def plain(kind: str, df: pd.DataFrame, **given: float) -> Columns:
    """The same, worked out bar by bar."""
    listed = [list(x) for x in arguments(kind, df)[: -len(KINDS[kind].parameters) or None]]
    numbers = arguments(kind, df, **given)[len(listed) :]
    made = find(f"plain_{PIECES.get(kind, kind)}", PLAIN)(*listed, *numbers)
    columns = made if isinstance(made, tuple) else (made,)
    return tuple(pd.Series(column, index=df.index, dtype=float) for column in columns)
