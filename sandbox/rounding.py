"""Bars on which a rule hangs on the last digits: two right ways to add may answer differently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sandbox.reference import Reference
from schemas import contract as c

Bools = NDArray[np.bool_]
CLOSE, NOTHING = 1e-8, 1e-11
EXACT = {
    "highest", "lowest", "donchian", "aroon", "range", "true_range", "obv", "momentum",
    "prior_day", "prior_week", "this_day", "opening_range",
}  # fmt: skip
"""Kinds of which every output is read off the bars, or counted. `direction` is exact too."""


def undecided(r: Reference, node: c.Condition) -> Bools:
    """Where a comparison in this rule is as good as a tie, and its sides are worked out."""
    match node:
        case c.Compare():
            return _tie(r, node)
        case c.Cross():
            tie = _tie(r, node)
            return tie | np.concatenate(([False], tie[:-1]))
        case c.Every() | c.Either():
            return np.asarray(np.logical_or.reduce([undecided(r, x) for x in node.of]), dtype=bool)
        case c.Never():
            return undecided(r, node.of)
        case c.InARow() | c.Within():
            lately = pd.Series(undecided(r, node.of)).rolling(node.bars, min_periods=1).max() > 0
            return lately.to_numpy(dtype=bool)
    return np.zeros(len(r.df), dtype=bool)


def _tie(r: Reference, node: c.Compare | c.Cross) -> Bools:
    if _exact(r, node.left) and _exact(r, node.right):
        return np.zeros(len(r.df), dtype=bool)
    left, right = (r.operand(x).to_numpy(dtype=float) for x in (node.left, node.right))
    most: Any = np.maximum(np.abs(left), np.abs(right))
    return np.asarray(np.abs(left - right) <= CLOSE * most + NOTHING, dtype=bool)


def _exact(r: Reference, node: c.Operand) -> bool:
    if isinstance(node, c.Series):
        made = next((i for i in r.contract.indicators if i.id == node.indicator), None)
        kind = made.kind if made is not None and made.of is None else ""
        return kind in EXACT or node.output == "direction"
    return not isinstance(node, c.Arithmetic)
