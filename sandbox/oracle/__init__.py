"""Every indicator a second time, apart from the ones that are written into strategies.

Written from the reference page and from public definitions alone, so that an error in the code of
a strategy's indicator is not made here too. Nothing of `strategies` may be imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.oracle import averages, days, intraday, oscillators, ranges, trends, windows

INDICATORS: dict[str, Callable[..., Any]] = {
    "sma": windows.sma,
    "ema": averages.ema,
    "rma": averages.rma,
    "wma": windows.wma,
    "hma": windows.hma,
    "dema": averages.dema,
    "tema": averages.tema,
    "vwma": windows.vwma,
    "highest": windows.highest,
    "lowest": windows.lowest,
    "stdev": windows.stdev,
    "zscore": windows.zscore,
    "roc": windows.roc,
    "momentum": windows.momentum,
    "rsi": oscillators.rsi,
    "stochastic_rsi": oscillators.stochastic_rsi,
    "macd": averages.macd,
    "bollinger": windows.bollinger,
    "atr": ranges.atr,
    "range": ranges.bar_range,
    "true_range": ranges.true_range,
    "donchian": windows.donchian,
    "keltner": ranges.keltner,
    "stochastic": oscillators.stochastic,
    "cci": oscillators.cci,
    "williams_r": oscillators.williams_r,
    "mfi": oscillators.mfi,
    "adx": ranges.adx,
    "aroon": oscillators.aroon,
    "supertrend": ranges.supertrend,
    "psar": trends.psar,
    "ichimoku": trends.ichimoku,
    "vwap": intraday.vwap,
    "obv": trends.obv,
    "pivots": days.pivots,
    "prior_day": days.prior_day,
    "prior_week": days.prior_week,
    "this_day": intraday.this_day,
    "opening_range": intraday.opening_range,
    "heikin_ashi": trends.heikin_ashi,
}
"""In the order of `schemas.indicators`: columns or the source, settings, smoothing."""
