"""Seeded bars to trade on: three regimes in four timeframes, made when they are asked for."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.random import Generator

from tests.requests.bars import Bars, Floats, Mask, bars_of

BARS, STEPS = 1400, 16
REGIMES = ("trending", "ranging", "gappy")


@dataclass(frozen=True)
class Scale:
    """Many decimals, so that ties are rare and `<` trades like `<=`."""

    price: float
    swing: float
    decimals: int
    seed: int


SCALES = {
    "D1": Scale(100.0, 0.0125, 6, 1),
    "H4": Scale(30_000.0, 0.0110, 3, 2),
    "H1": Scale(1.1, 0.0010, 8, 3),
    "M15": Scale(80.0, 0.0025, 6, 4),
}


@cache
def market(timeframe: str) -> dict[str, Bars]:
    """The three data sets that a request of this timeframe is judged on."""
    return {regime: _bars(timeframe, regime) for regime in REGIMES}


def _bars(timeframe: str, regime: str) -> Bars:
    scale = SCALES[timeframe]
    dice = np.random.default_rng([REGIMES.index(regime), scale.seed])
    at = _times(timeframe, dice)
    swing = scale.swing * _calm_and_storm(dice) * _busy_hours(timeframe, at)
    new_day = np.append(False, np.diff(at.normalize()) > np.timedelta64(0))
    gaps = _gaps(regime, swing, new_day & (timeframe == "M15"), dice)
    path = _path(_drift(regime, scale.swing, dice), swing, gaps, _pull(regime), dice)
    return bars_of(_frame(at, path, scale, dice))


def _times(timeframe: str, dice: Generator) -> pd.DatetimeIndex:
    if timeframe == "H4":
        return pd.date_range("2022-03-01", periods=BARS, freq="4h")
    if timeframe == "H1":
        hours = pd.date_range("2023-01-02", periods=2 * BARS, freq="1h")
        return hours[hours.day_of_week < 5][:BARS]
    days = pd.bdate_range("2018-01-01", periods=BARS + 200)
    days = days[dice.random(len(days)) > 0.035]
    if timeframe == "D1":
        return days[:BARS]
    clocks = pd.timedelta_range("9h30min", periods=26, freq="15min")
    return pd.DatetimeIndex([day + clock for day in days[:60] for clock in clocks])[:BARS]


def _calm_and_storm(dice: Generator) -> Floats:
    level, out = 0.0, np.empty(BARS)
    for i, shock in enumerate(dice.standard_normal(BARS)):
        level = 0.97 * level + 0.07 * shock
        out[i] = level
    return np.exp(out)


def _busy_hours(timeframe: str, at: pd.DatetimeIndex) -> Floats:
    hour = at.hour.to_numpy()
    if timeframe == "H1":
        return np.where((hour >= 7) & (hour < 17), 1.3, 0.7)
    if timeframe == "M15":
        return np.where((hour < 11) | (hour >= 15), 1.3, 0.8)
    return np.ones(BARS)


def _drift(regime: str, swing: float, dice: Generator) -> Floats:
    """Legs up and down; only a trending market has them."""
    out = np.zeros(BARS)
    at = 0
    while at < BARS and regime == "trending":
        length = int(dice.integers(30, 120))
        out[at : at + length] = (
            dice.choice([1.0, 1.0, -1.0, -1.0, 0.3]) * swing * dice.uniform(0.08, 0.24)
        )
        at += length
    return out


def _gaps(regime: str, swing: Floats, new_day: Mask, dice: Generator) -> Floats:
    out = 0.15 * swing * dice.standard_normal(BARS)
    out += np.where(new_day, 2.5 * swing * dice.standard_normal(BARS), 0.0)
    if regime == "gappy":
        out += 0.6 * swing * dice.standard_t(4, BARS)
        jump = np.where(dice.random(BARS) < 0.03, dice.choice([-1.0, 1.0], BARS), 0.0)
        out += jump * swing * dice.uniform(2.0, 4.0, BARS)
    return out


def _pull(regime: str) -> float:
    return {"trending": 0.0, "ranging": 0.06, "gappy": 0.006}[regime]


def _path(drift: Floats, swing: Floats, gaps: Floats, pull: float, dice: Generator) -> Floats:
    """Log prices, one row of steps for each bar; the first step of a row is its open."""
    wave = 3.0 * swing.mean() * np.sin(np.arange(BARS) * 2.0 * np.pi / 83.0)
    noise = dice.standard_normal((BARS, STEPS)) * (swing / np.sqrt(STEPS))[:, None]
    out = np.empty((BARS, STEPS + 1))
    level = 0.0
    for i in range(BARS):
        level += gaps[i]
        lean = drift[i] - pull * (level - (wave[i] if pull > 0.05 else 0.0))
        out[i, 0] = level
        out[i, 1:] = level + np.cumsum(noise[i] + lean / STEPS)
        level = out[i, -1]
    return out


def _frame(at: pd.DatetimeIndex, path: Floats, scale: Scale, dice: Generator) -> pd.DataFrame:
    price = np.round(scale.price * np.exp(path), scale.decimals)
    moved = np.abs(path[:, -1] - path[:, 0]) / scale.swing
    volume = 1e6 * np.exp(0.4 * dice.standard_normal(BARS)) * (0.7 + 0.6 * moved)
    columns = {
        "Open": price[:, 0],
        "High": price.max(axis=1),
        "Low": price.min(axis=1),
        "Close": price[:, -1],
        "Volume": np.round(volume),
    }
    return pd.DataFrame(columns, index=at.rename("Date"))
