"""The plain versions of indicators that read whole bars and days."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd

from strategies.pieces.plain import (
    NAN,
    plain_ema,
    plain_highest,
    plain_lowest,
    plain_rma,
    plain_sma,
    plain_stdev,
    plain_typical,
)


def plain_bar_range(high: list[float], low: list[float]) -> list[float]:
    return [h - x for h, x in zip(high, low, strict=True)]


def plain_true_range(high: list[float], low: list[float], close: list[float]) -> list[float]:
    out = [NAN] * len(close)
    for i in range(1, len(close)):
        before = close[i - 1]
        out[i] = max(high[i] - low[i], abs(high[i] - before), abs(low[i] - before))
    return out


def plain_atr(
    high: list[float],
    low: list[float],
    close: list[float],
    length: int,
    average: Callable[[list[float], int], list[float]] = plain_rma,
) -> list[float]:
    return average(plain_true_range(high, low, close), length)


def plain_bollinger(values: list[float], length: int, width: float) -> tuple[list[float], ...]:
    bands: tuple[list[float], ...] = ([], [], [], [], [])
    for v, mean, sd in zip(
        values, plain_sma(values, length), plain_stdev(values, length), strict=True
    ):
        low, high = mean - width * sd, mean + width * sd
        place = (v - low) / (high - low) if high > low else NAN
        for band, value in zip(bands, (low, mean, high, place, (high - low) / mean), strict=True):
            band.append(value)
    return bands


def plain_donchian(
    high: list[float], low: list[float], length: int
) -> tuple[list[float], list[float], list[float]]:
    lows, highs = plain_lowest(low, length), plain_highest(high, length)
    return lows, [(a + b) / 2.0 for a, b in zip(lows, highs, strict=True)], highs


def plain_keltner(
    high: list[float],
    low: list[float],
    close: list[float],
    length: int,
    width: float,
    atr_length: int,
    average: Callable[[list[float], int], list[float]] = plain_rma,
) -> tuple[list[float], list[float], list[float]]:
    middle, reach = plain_ema(close, length), plain_atr(high, low, close, atr_length, average)
    lower = [m - width * a for m, a in zip(middle, reach, strict=True)]
    return lower, middle, [m + width * a for m, a in zip(middle, reach, strict=True)]


def plain_adx(
    high: list[float],
    low: list[float],
    close: list[float],
    length: int,
    average: Callable[[list[float], int], list[float]] = plain_rma,
) -> tuple[list[float], list[float], list[float]]:
    ups, downs = [NAN], [NAN]
    for i in range(1, len(high)):
        up, down = high[i] - high[i - 1], low[i - 1] - low[i]
        ups.append(up if up > max(down, 0.0) else 0.0)
        downs.append(down if down > max(up, 0.0) else 0.0)
    span = plain_atr(high, low, close, length, average)
    plus, minus = (
        [100.0 * x / a if a > 0.0 else NAN for x, a in zip(average(s, length), span, strict=False)]
        for s in (ups, downs)
    )
    pairs = zip(plus, minus, strict=True)
    dx = [100.0 * abs(p - m) / (p + m) if p + m > 0.0 else NAN for p, m in pairs]
    return average(dx, length), plus, minus


def plain_aroon(
    high: list[float], low: list[float], length: int
) -> tuple[list[float], list[float]]:
    up, down = [NAN] * len(high), [NAN] * len(low)
    for i in range(length, len(high)):
        back = range(length + 1)
        up[i] = 100.0 - 100.0 * max(back, key=lambda n: (high[i - n], -n)) / length
        down[i] = 100.0 - 100.0 * min(back, key=lambda n: (low[i - n], n)) / length
    return up, down


def plain_supertrend(
    high: list[float],
    low: list[float],
    close: list[float],
    length: int,
    width: float,
    average: Callable[[list[float], int], list[float]] = plain_rma,
) -> tuple[list[float], list[float]]:
    reach = plain_atr(high, low, close, length, average)
    direction, line = [NAN] * len(close), [NAN] * len(close)
    upper = lower = NAN
    for i in range(len(close)):
        middle = (high[i] + low[i]) / 2.0
        over, under = middle + width * reach[i], middle - width * reach[i]
        if math.isnan(over):
            continue
        if math.isnan(upper):
            upper, lower, direction[i] = over, under, 1.0
        else:
            turned_up, turned_down = close[i] > upper, close[i] < lower
            upper = over if over < upper or close[i - 1] > upper else upper
            lower = under if under > lower or close[i - 1] < lower else lower
            was_up = direction[i - 1] > 0.0
            is_up = not turned_down if was_up else turned_up
            direction[i] = 1.0 if is_up else -1.0
        line[i] = lower if direction[i] > 0.0 else upper
    return direction, line


def plain_psar(
    high: list[float], low: list[float], step: float, cap: float
) -> tuple[list[float], list[float]]:
    sar, direction = [NAN] * len(high), [NAN] * len(high)
    if len(high) < 2:
        return sar, direction
    rise, fall = high[1] - high[0], low[0] - low[1]
    is_up = not (fall > 0.0 and fall > rise)
    level, best, speed = (low[0], high[1], step) if is_up else (high[0], low[1], step)
    for i in range(1, len(high)):
        top = max(high[max(i - 1, 1)], high[i])
        bottom = min(low[max(i - 1, 1)], low[i])
        if is_up and low[i] <= level:
            is_up, level, best, speed = False, max(best, top), low[i], step
            sar[i] = level
        elif not is_up and high[i] >= level:
            is_up, level, best, speed = True, min(best, bottom), high[i], step
            sar[i] = level
        else:
            sar[i] = level
            further = high[i] > best if is_up else low[i] < best
            if further:
                best, speed = (high[i] if is_up else low[i]), min(speed + step, cap)
        level = level + speed * (best - level)
        level = min(level, bottom) if is_up else max(level, top)
        direction[i] = 1.0 if is_up else -1.0
    return sar, direction


def plain_ichimoku(
    high: list[float], low: list[float], tenkan: int, kijun: int, senkou: int, shift: int
) -> tuple[list[float], ...]:
    fast, base, slow = (plain_donchian(high, low, n)[1] for n in (tenkan, kijun, senkou))
    early = [NAN] * shift
    span = [(a + b) / 2.0 for a, b in zip(fast, base, strict=True)]
    return fast, base, [*early, *span][: len(high)], [*early, *slow][: len(high)]


def plain_heikin_ashi(
    first: list[float], high: list[float], low: list[float], close: list[float]
) -> tuple[list[float], ...]:
    bars: tuple[list[float], ...] = ([], [], [], [])
    for i in range(len(close)):
        end = (first[i] + high[i] + low[i] + close[i]) / 4.0
        start = (bars[0][-1] + bars[3][-1]) / 2.0 if i else (first[i] + close[i]) / 2.0
        values = (start, max(high[i], start, end), min(low[i], start, end), end)
        for bar, value in zip(bars, values, strict=True):
            bar.append(value)
    return bars


def plain_before(
    first: list[float],
    high: list[float],
    low: list[float],
    close: list[float],
    periods: list[pd.Timestamp],
) -> tuple[list[float], ...]:
    """Open, high, low, close of the period before this bar's."""
    out: tuple[list[float], ...] = ([], [], [], [])
    for i in range(len(close)):
        earlier = [p for p in periods[: i + 1] if p < periods[i]]
        rows = [j for j in range(i) if earlier and periods[j] == earlier[-1]]
        values = (NAN, NAN, NAN, NAN)
        if rows:
            top, bottom = max(high[j] for j in rows), min(low[j] for j in rows)
            values = (first[rows[0]], top, bottom, close[rows[-1]])
        for column, value in zip(out, values, strict=True):
            column.append(value)
    return out


def plain_prior_day(
    first: list[float],
    high: list[float],
    low: list[float],
    close: list[float],
    times: list[pd.Timestamp],
) -> tuple[list[float], ...]:
    return plain_before(first, high, low, close, [t.normalize() for t in times])


def plain_prior_week(
    first: list[float],
    high: list[float],
    low: list[float],
    close: list[float],
    times: list[pd.Timestamp],
) -> tuple[list[float], ...]:
    weeks = [t.normalize() - pd.Timedelta(days=t.day_of_week) for t in times]
    return plain_before(first, high, low, close, weeks)


def plain_today(times: list[pd.Timestamp], i: int) -> list[int]:
    """The bars of this day so far."""
    return [j for j in range(i + 1) if times[j].normalize() == times[i].normalize()]


def plain_this_day(
    first: list[float], high: list[float], low: list[float], times: list[pd.Timestamp]
) -> tuple[list[float], list[float], list[float]]:
    days = [plain_today(times, i) for i in range(len(times))]
    return (
        [first[rows[0]] for rows in days],
        [max(high[j] for j in rows) for rows in days],
        [min(low[j] for j in rows) for rows in days],
    )


def plain_vwap(
    high: list[float],
    low: list[float],
    close: list[float],
    volume: list[float],
    times: list[pd.Timestamp],
) -> list[float]:
    typical, out = plain_typical(high, low, close), []
    for i in range(len(times)):
        rows = plain_today(times, i)
        traded = sum(volume[j] for j in rows)
        out.append(sum(typical[j] * volume[j] for j in rows) / traded if traded else NAN)
    return out


def plain_pivots(
    high: list[float], low: list[float], close: list[float], times: list[pd.Timestamp]
) -> tuple[list[float], ...]:
    out: tuple[list[float], ...] = ([], [], [], [], [], [], [])
    before = plain_prior_day(close, high, low, close, times)
    for h, x, c in zip(before[1], before[2], before[3], strict=True):
        p = (h + x + c) / 3.0
        above = (p + (p - x), p + (h - x), h + 2.0 * (p - x))
        levels = (p, *above, p - (h - p), p - (h - x), x - 2.0 * (h - p))
        for column, value in zip(out, levels, strict=True):
            column.append(value)
    return out


def plain_opening_range(
    high: list[float], low: list[float], times: list[pd.Timestamp], start: int, minutes: int
) -> tuple[list[float], list[float]]:
    tops, bottoms = [], []
    minute = [t.hour * 60 + t.minute for t in times]
    for i in range(len(times)):
        rows = plain_today(times, i)
        begin = minute[rows[0]] if start < 0 else start
        inside = [j for j in rows if begin <= minute[j] < begin + minutes]
        known = bool(inside) and minute[i] >= begin + minutes
        tops.append(max(high[j] for j in inside) if known else NAN)
        bottoms.append(min(low[j] for j in inside) if known else NAN)
    return tops, bottoms
