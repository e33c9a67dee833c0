"""From which bar on a strategy is held to its contract."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sandbox.reference import Reference
from schemas.indicators import KINDS

MOST = 300
"""Bars after which a series counts as settled, whatever it remembers."""
LATER = 50
CLOSE = 1e-7


def first_judged(r: Reference) -> int:
    """The first bar on which every series is known and has forgotten how it began.

    A strategy by hand may begin an average at its first value where the definition begins it at a
    mean: both are usual, and some bars later they say the same. How many bars that takes is
    measured: the same series is worked out on bars that begin later.
    """
    late = Reference(r.contract, r.df.iloc[min(LATER, len(r.df) // 2) :])
    starts = [0]
    for made in r.contract.indicators:
        for output in KINDS[made.kind].outputs if made.kind in KINDS else ("value",):
            series = r.series(made.id, output)
            known = np.flatnonzero(series.notna().to_numpy())
            settled = _settled(series, late.series(made.id, output))
            starts.append(max(int(known[0]), min(settled, MOST)) if len(known) else 0)
    return max(starts)


def _settled(series: pd.Series[float], late: pd.Series[float]) -> int:
    """How many bars after its beginning `late` says the same as what began earlier."""
    again = late.to_numpy(dtype=float)
    same = np.isclose(series.to_numpy(dtype=float)[-len(again) :], again, CLOSE, 0.0, True)
    differ = np.flatnonzero(~same)
    return int(differ[-1]) + 1 if len(differ) else 0
