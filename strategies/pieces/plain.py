"""Every indicator once more, bar by bar and as plainly as can be: what tests compare with.

Lists of numbers in, lists of numbers out. Nothing here is shared with the pieces themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable

NAN = math.nan


def plain_windows(values: list[float], length: int) -> list[list[float]]:
    """The last `length` values of each bar; none while there are too few or one is unknown."""
    found = []
    for i in range(len(values)):
        window = values[i + 1 - length : i + 1] if i + 1 >= length else []
        found.append([] if any(math.isnan(v) for v in window) else window)
    return found


def plain_sma(values: list[float], length: int) -> list[float]:
    return [sum(w) / length if w else NAN for w in plain_windows(values, length)]


def plain_smoothed(values: list[float], length: int, alpha: float) -> list[float]:
    out, now, early = [], NAN, list[float]()
    for value in values:
        if not math.isnan(value) and math.isnan(now):
            early.append(value)
            now = sum(early) / length if len(early) == length else NAN
        elif not math.isnan(value):
            now = now + alpha * (value - now)
        out.append(now)
    return out


def plain_ema(values: list[float], length: int) -> list[float]:
    return plain_smoothed(values, length, 2.0 / (length + 1))


def plain_rma(values: list[float], length: int) -> list[float]:
    return plain_smoothed(values, length, 1.0 / length)


def plain_wma(values: list[float], length: int) -> list[float]:
    parts = range(1, length + 1)
    return [
        sum(n * v for n, v in zip(parts, w, strict=True)) / sum(parts) if w else NAN
        for w in plain_windows(values, length)
    ]


def plain_hma(values: list[float], length: int) -> list[float]:
    half, full = plain_wma(values, max(length // 2, 1)), plain_wma(values, length)
    raw = [2.0 * a - b for a, b in zip(half, full, strict=True)]
    return plain_wma(raw, max(math.isqrt(length), 1))


def plain_dema(values: list[float], length: int) -> list[float]:
    once = plain_ema(values, length)
    return [2.0 * a - b for a, b in zip(once, plain_ema(once, length), strict=True)]


def plain_tema(values: list[float], length: int) -> list[float]:
    once = plain_ema(values, length)
    twice = plain_ema(once, length)
    thrice = plain_ema(twice, length)
    return [3.0 * (a - b) + c for a, b, c in zip(once, twice, thrice, strict=True)]


def plain_vwma(close: list[float], volume: list[float], length: int) -> list[float]:
    out = []
    for prices, sizes in zip(
        plain_windows(close, length), plain_windows(volume, length), strict=True
    ):
        spent = sum(p * s for p, s in zip(prices, sizes, strict=True))
        out.append(spent / sum(sizes) if sum(sizes) else NAN)
    return out


def plain_highest(values: list[float], length: int) -> list[float]:
    return [max(w) if w else NAN for w in plain_windows(values, length)]


def plain_lowest(values: list[float], length: int) -> list[float]:
    return [min(w) if w else NAN for w in plain_windows(values, length)]


def plain_stdev(values: list[float], length: int) -> list[float]:
    out = []
    for w in plain_windows(values, length):
        mean = sum(w) / length
        out.append(math.sqrt(sum((v - mean) ** 2 for v in w) / length) if w else NAN)
    return out


def plain_zscore(values: list[float], length: int) -> list[float]:
    rows = zip(values, plain_sma(values, length), plain_stdev(values, length), strict=True)
    return [(v - mean) / sd if sd > 0.0 else NAN for v, mean, sd in rows]


def plain_roc(values: list[float], length: int) -> list[float]:
    return [
        100.0 * (values[i] - values[i - length]) / values[i - length] if i >= length else NAN
        for i in range(len(values))
    ]


def plain_momentum(values: list[float], length: int) -> list[float]:
    return [values[i] - values[i - length] if i >= length else NAN for i in range(len(values))]


def plain_changes(values: list[float]) -> list[float]:
    return [values[i] - values[i - 1] if i else NAN for i in range(len(values))]


def plain_share(part: list[float], rest: list[float]) -> list[float]:
    """Part of part and rest, in percent."""
    return [100.0 * p / (p + r) if p + r > 0.0 else NAN for p, r in zip(part, rest, strict=True)]


def plain_rsi(
    values: list[float],
    length: int,
    average: Callable[[list[float], int], list[float]] = plain_rma,
) -> list[float]:
    changes = plain_changes(values)
    ups = [NAN if math.isnan(x) else max(x, 0.0) for x in changes]
    downs = [NAN if math.isnan(x) else max(-x, 0.0) for x in changes]
    return plain_share(average(ups, length), average(downs, length))


def plain_place(values: list[float], lows: list[float], highs: list[float]) -> list[float]:
    """Where a value stands between low and high, in percent."""
    rows = zip(values, lows, highs, strict=True)
    return [100.0 * (v - low) / (high - low) if high - low > 1e-9 else NAN for v, low, high in rows]


def plain_stochastic_rsi(
    values: list[float], length: int, window: int, smooth: int, signal: int
) -> tuple[list[float], list[float]]:
    rsi = plain_rsi(values, length)
    raw = plain_place(rsi, plain_lowest(rsi, window), plain_highest(rsi, window))
    k = plain_sma(raw, smooth)
    return k, plain_sma(k, signal)


def plain_macd(
    values: list[float], fast: int, slow: int, signal: int
) -> tuple[list[float], list[float], list[float]]:
    pairs = zip(plain_ema(values, fast), plain_ema(values, slow), strict=True)
    line = [a - b for a, b in pairs]
    average = plain_ema(line, signal)
    return line, average, [a - b for a, b in zip(line, average, strict=True)]


def plain_stochastic(
    high: list[float], low: list[float], close: list[float], length: int, smooth: int, signal: int
) -> tuple[list[float], list[float]]:
    k = plain_sma(
        plain_place(close, plain_lowest(low, length), plain_highest(high, length)), smooth
    )
    return k, plain_sma(k, signal)


def plain_williams_r(
    high: list[float], low: list[float], close: list[float], length: int
) -> list[float]:
    place = plain_place(close, plain_lowest(low, length), plain_highest(high, length))
    return [p - 100.0 for p in place]


def plain_typical(high: list[float], low: list[float], close: list[float]) -> list[float]:
    return [(h + x + c) / 3.0 for h, x, c in zip(high, low, close, strict=True)]


def plain_cci(high: list[float], low: list[float], close: list[float], length: int) -> list[float]:
    out = []
    for w in plain_windows(plain_typical(high, low, close), length):
        mean = sum(w) / length
        away = sum(abs(v - mean) for v in w) / length
        out.append((w[-1] - mean) / (0.015 * away) if w and away > 0.0 else NAN)
    return out


def plain_mfi(
    high: list[float], low: list[float], close: list[float], volume: list[float], length: int
) -> list[float]:
    typical = plain_typical(high, low, close)
    ups, downs = [NAN], [NAN]
    for i in range(1, len(typical)):
        flow = typical[i] * volume[i]
        ups.append(flow if typical[i] > typical[i - 1] else 0.0)
        downs.append(flow if typical[i] < typical[i - 1] else 0.0)
    sums = [[sum(w) if w else NAN for w in plain_windows(x, length)] for x in (ups, downs)]
    return plain_share(sums[0][: len(close)], sums[1][: len(close)])


def plain_obv(close: list[float], volume: list[float]) -> list[float]:
    out, total = [], 0.0
    for i in range(len(close)):
        before = close[i - 1] if i else -math.inf
        total += volume[i] * ((close[i] > before) - (close[i] < before))
        out.append(total)
    return out
