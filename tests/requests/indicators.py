"""The usual indicators over bars, written from their definitions. Value i reads bars 0 to i."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.requests.averages import (
    average,
    deviation,
    ema,
    highest,
    lowest,
    shift,
    sma,
    wilder,
)
from tests.requests.bars import Bars, Floats, Mask

Two = tuple[Floats, Floats]
Three = tuple[Floats, Floats, Floats]


def rsi(x: Floats, length: int = 14, kind: str = "wilder") -> Floats:
    change = x - shift(x)
    gain = average(np.maximum(change, 0.0), length, kind)
    loss = average(np.maximum(-change, 0.0), length, kind)
    return 100.0 * gain / (gain + loss)


def macd(x: Floats, fast: int = 12, slow: int = 26, signal: int = 9) -> Two:
    line = ema(x, fast) - ema(x, slow)
    return line, ema(line, signal)


def raw_stochastic(x: Floats, high: Floats, low: Floats, length: int) -> Floats:
    bottom, top = lowest(low, length), highest(high, length)
    return 100.0 * (x - bottom) / (top - bottom)


def stochastic(bars: Bars, length: int = 14, smooth: int = 3, signal: int = 3) -> Two:
    k = sma(raw_stochastic(bars.close, bars.high, bars.low, length), smooth)
    return k, sma(k, signal)


def stochastic_rsi(x: Floats, length: int = 14, window: int = 14) -> Two:
    strength = rsi(x, length)
    k = sma(raw_stochastic(strength, strength, strength, window), 3)
    return k, sma(k, 3)


def williams(bars: Bars, length: int = 14) -> Floats:
    return raw_stochastic(bars.close, bars.high, bars.low, length) - 100.0


def cci(bars: Bars, length: int = 20) -> Floats:
    out = np.full(len(bars.close), np.nan)
    windows = sliding_window_view(bars.typical, length)
    mean = windows.mean(axis=1)
    spread = np.abs(windows - mean[:, None]).mean(axis=1)
    out[length - 1 :] = (bars.typical[length - 1 :] - mean) / (0.015 * spread)
    return out


def roc(x: Floats, length: int) -> Floats:
    return 100.0 * (x / shift(x, length) - 1.0)


def mfi(bars: Bars, length: int = 14) -> Floats:
    flow, change = bars.typical * bars.volume, bars.typical - shift(bars.typical)
    into = sma(np.where(change > 0, flow, 0.0), length)
    out = sma(np.where(change < 0, flow, 0.0), length)
    return 100.0 * into / (into + out)


def true_range(bars: Bars) -> Floats:
    last = shift(bars.close)
    return np.maximum(bars.high, last) - np.minimum(bars.low, last)


def atr(bars: Bars, length: int = 14, kind: str = "wilder") -> Floats:
    return average(true_range(bars), length, kind)


def bollinger(x: Floats, length: int = 20, width: float = 2.0, sample: bool = False) -> Three:
    middle, spread = sma(x, length), width * deviation(x, length, sample)
    return middle - spread, middle, middle + spread


def keltner(
    bars: Bars, length: int = 20, width: float = 2.0, atr_length: int = 10, kind: str = "wilder"
) -> Three:
    middle, spread = ema(bars.close, length), width * atr(bars, atr_length, kind)
    return middle - spread, middle, middle + spread


def dmi(bars: Bars, length: int = 14) -> Three:
    """+DI, -DI and ADX, all with Wilder's smoothing."""
    up, down = bars.high - shift(bars.high), shift(bars.low) - bars.low
    plus, minus = (
        np.where((up > down) & (up > 0), up, 0.0),
        np.where((down > up) & (down > 0), down, 0.0),
    )
    plus[0] = minus[0] = np.nan
    ranges = wilder(true_range(bars), length)
    plus_di, minus_di = (
        100.0 * wilder(plus, length) / ranges,
        100.0 * wilder(minus, length) / ranges,
    )
    spread = 100.0 * np.abs(plus_di - minus_di) / (plus_di + minus_di)
    return plus_di, minus_di, wilder(spread, length)


def obv(bars: Bars) -> Floats:
    step = np.sign(bars.close - shift(bars.close)) * bars.volume
    step[0] = 0.0
    return np.cumsum(step)


def vwap(bars: Bars, price: str = "typical") -> Floats:
    """Since the calendar day began."""
    paid = {
        "typical": bars.typical,
        "close": bars.close,
        "ohlc": (bars.open + bars.high + bars.low + bars.close) / 4.0,
    }[price]
    return day_sum(bars, paid * bars.volume) / day_sum(bars, bars.volume)


def day_sum(bars: Bars, x: Floats) -> Floats:
    total = np.cumsum(x)
    first = first_of_day(bars)
    start = np.maximum.accumulate(np.where(first, np.arange(len(x)), 0))
    return total - (total - x)[start]


def first_of_day(bars: Bars) -> Mask:
    return np.append(True, np.diff(bars.date) > 0)


def ichimoku(bars: Bars, displaced: int = 26) -> tuple[Floats, Floats, Floats, Floats]:
    """Tenkan, Kijun and both spans as drawn under the current bar."""

    def middle(length: int) -> Floats:
        return (highest(bars.high, length) + lowest(bars.low, length)) / 2.0

    tenkan, kijun = middle(9), middle(26)
    return tenkan, kijun, shift((tenkan + kijun) / 2.0, displaced), shift(middle(52), displaced)


def aroon(bars: Bars, length: int = 25, window: int = 26) -> Two:
    """Up and down: 100 when the highest, or lowest, of the window is this bar."""

    def freshness(x: Floats) -> Floats:
        out = np.full(len(x), np.nan)
        ages = window - 1 - sliding_window_view(x, window).argmax(axis=1)
        out[window - 1 :] = 100.0 * (length - ages) / length
        return out

    return freshness(bars.high), freshness(-bars.low)


def heikin_ashi(bars: Bars) -> Two:
    """Open and close of the averaged candles."""
    close = (bars.open + bars.high + bars.low + bars.close) / 4.0
    opened = np.empty(len(close))
    opened[0] = (bars.open[0] + bars.close[0]) / 2.0
    for i in range(1, len(close)):
        opened[i] = (opened[i - 1] + close[i - 1]) / 2.0
    return opened, close


def earlier(period: np.ndarray[tuple[int], np.dtype[np.int64]], bars: Bars) -> Three:
    """High, low and close of the period (day, week) before, on every bar of this one."""
    starts = np.flatnonzero(np.append(True, np.diff(period) != 0))
    number = np.cumsum(np.append(True, np.diff(period) != 0)) - 1
    high, low = np.maximum.reduceat(bars.high, starts), np.minimum.reduceat(bars.low, starts)
    close = bars.close[np.append(starts[1:], len(bars.close)) - 1]
    return shift(high)[number], shift(low)[number], shift(close)[number]


def pivots(bars: Bars) -> Three:
    """P, R1 and S1 of the day before."""
    high, low, close = earlier(bars.date, bars)
    pivot = (high + low + close) / 3.0
    return pivot, 2.0 * pivot - low, 2.0 * pivot - high
