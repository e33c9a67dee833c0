"""Meanings of the requests with lists, in other languages, and with positions that grow."""

from tests.requests.averages import (
    above,
    below,
    ema,
    lowest,
    prior_high,
    prior_low,
    sma,
    within,
)
from tests.requests.bars import PIP, Bars, Floats, Mask
from tests.requests.engine import Book
from tests.requests.engine import Held as Position
from tests.requests.holding import after, flat_first, gained
from tests.requests.indicators import aroon, atr, bollinger, roc, rsi, stochastic
from tests.requests.plan import Allow, Plan, Side, aim
from tests.requests.readings import ATRS, COUNTS, SAMPLES, SEEDS, means


@means(
    "label-after-symbol",
    {"no time": {"bars": 999}, "no stop": {"percent": 90.0}, "any momentum": {"grows": False}},
    count=COUNTS,
)
def labels(b: Bars, count: str, bars: int = 40, percent: float = 5.0, grows: bool = True) -> Plan:
    fast, slow = sma(b.close, 10), sma(b.close, 30)
    enter = above(fast, slow) & (roc(b.close, 20) > 0) if grows else above(fast, slow)
    side = aim(b, 1, enter, below(fast, slow), b.close * percent / 100)
    return Plan(side, leave=after(bars, count))


@means(
    "one-of-these",
    {"both signals": {"any_of": False}, "no average": {"trend": False}},
    sample=SAMPLES,
)
def one_of_these(b: Bars, sample: bool, any_of: bool = True, trend: bool = True) -> Plan:
    low, _, _ = bollinger(b.close, sample=sample)
    dip, out = rsi(b.close, 2) < 10, b.close < low
    enter = dip | out if any_of else dip & out
    if trend:
        enter &= b.close > sma(b.close, 200)
    return Plan(Side(enter, b.close > sma(b.close, 10)))


@means(
    "when-and-when",
    {"both at once": {"any_of": False}, "no time": {"bars": 999}},
    count=COUNTS,
    seed=SEEDS,
)
def when_and_when(b: Bars, count: str, seed: str, any_of: bool = True, bars: int = 20) -> Plan:
    k, _ = stochastic(b)
    line = ema(b.close, 200, seed)
    over, under = k > 80, b.close < line
    leave = over | under if any_of else over & under
    enter = (k < 20) & (b.close > line)
    return Plan(aim(b, 1, enter, leave, 35 * PIP), leave=after(bars, count))


@means("aroon-turns", {"long only": {"both": False}, "waits": {"flat": True}}, window=(26, 25))
def aroon_turns(b: Bars, window: int, both: bool = True, flat: bool = False) -> Plan:
    up, down = aroon(b, 25, window)
    rise, fall = above(up, down), above(down, up)
    short = Side(fall, rise) if both else Side()
    return Plan(Side(rise, fall), short, allow=flat_first if flat else None)


@means("ihn-wieder", {"no stop": {"percent": 90.0}, "state": {"cross": False}})
def pronouns(b: Bars, percent: float = 5.0, cross: bool = True) -> Plan:
    fast, slow = ema(b.close, 20), ema(b.close, 50)
    enter = above(fast, slow) if cross else fast > slow
    return Plan(aim(b, 1, enter, below(fast, slow), b.close * percent / 100))


@means("de-la-26", {"long only": {"both": False}, "crosses 26": {"length": 0}})
def bare_length(b: Bars, both: bool = True, length: int = 26) -> Plan:
    fast = ema(b.close, 12)
    up, down = (
        (above(fast, ema(b.close, length)), below(fast, ema(b.close, length)))
        if length
        else (above(fast, 26.0), below(fast, 26.0))
    )
    return Plan(Side(up, down), Side(down, up) if both else Side())


@means("later-close-at-entry", {"no break-even": {"after": 999}, "after 10 pips": {"after": 10}})
def later_close(b: Bars, after: int = 30) -> Plan:
    def leave(held: Position, idx: int) -> bool:
        way = gained(b, held, idx)
        return bool((way >= after * PIP).any() and way[-1] <= 0)

    enter = above(ema(b.close, 10), ema(b.close, 30))
    return Plan(aim(b, 1, enter, None, 30 * PIP, 60 * PIP), leave=leave)


@means(
    "limit-at-last-value",
    {"market": {"limit": False}, "no average": {"trend": False}},
    sample=SAMPLES,
)
def limit_at_band(b: Bars, sample: bool, limit: bool = True, trend: bool = True) -> Plan:
    low, line, _ = bollinger(b.close, sample=sample)
    enter = b.close > (sma(b.close, 200) if trend else b.low - 1)
    return Plan(Side(enter, b.close > line, None, None, low if limit else None))


@means(
    "squeeze-by-name",
    {"on this bar": {"bars": 1}, "no squeeze": {"tight": False}},
    sample=SAMPLES,
)
def squeeze(b: Bars, sample: bool, bars: int = 10, tight: bool = True) -> Plan:
    low, line, high = bollinger(b.close, sample=sample)
    width = (high - low) / line
    up, down = above(b.close, high), below(b.close, low)
    if tight:
        was = within(width <= lowest(width, 101), bars)
        up, down = up & was, down & was
    return Plan(Side(up, b.close <= line), Side(down, b.close >= line))


def _grows(b: Bars, first: Mask, step: Floats, of: str) -> Allow:
    """The signal opens; each step over the last entry adds."""

    def allow(idx: int, side: int, book: Book) -> bool:
        if not book.held:
            return bool(first[idx])
        last = book.held[-1]
        base = last.price if of == "fill" else b.close[last.signal]
        return bool(b.close[idx] >= base + step[idx])

    return allow


@means(
    "add-two-percent",
    {"one position": {"slots": 1}, "no limit": {"slots": 99}, "5%": {"percent": 5.0}},
    of=("fill", "signal"),
)
def add_percent(b: Bars, of: str, slots: int = 4, percent: float = 2.0) -> Plan:
    line = ema(b.close, 50)
    first, out = above(b.close, line), b.close < line

    def allow(idx: int, side: int, book: Book) -> bool:
        if not book.held:
            return bool(first[idx])
        last = book.held[-1]
        base = last.price if of == "fill" else b.close[last.signal]
        return bool(b.close[idx] >= base * (1 + percent / 100))

    return Plan(Side(~out, out), allow=allow, slots=slots)


@means(
    "add-by-atr",
    {"one position": {"slots": 1}, "no limit": {"slots": 99}, "2 ATR": {"width": 2.0}},
    kind=ATRS,
    of=("fill", "signal"),
)
def add_atr(b: Bars, kind: str, of: str, slots: int = 4, width: float = 1.0) -> Plan:
    out = b.close < prior_low(b.close, 20)
    first, step = b.close > prior_high(b.close, 50), width * atr(b, 20, kind)
    return Plan(Side(~out, out), allow=_grows(b, first, step, of), slots=slots)


@means(
    "band-re-entry-wait",
    {"state": {"cross": False}, "out at the middle": {"out": "middle"}},
    sample=SAMPLES,
)
def re_entry(b: Bars, sample: bool, cross: bool = True, out: str = "upper") -> Plan:
    low, line, high = bollinger(b.close, sample=sample)
    enter = above(b.close, low) if cross else b.close > low
    return Plan(aim(b, 1, enter, b.close > (high if out == "upper" else line), b.close * 0.03))


@means(
    "same-volume-rule",
    {"shorts on any volume": {"both": False}, "long only": {"short": False}},
    kind=ATRS,
)
def same_volume(b: Bars, kind: str, both: bool = True, short: bool = True) -> Plan:
    loud, far = b.volume >= 2 * sma(b.volume, 20), atr(b, 14, kind)
    up, down = b.close > prior_high(b.high, 20), b.close < prior_low(b.low, 20)
    fall = aim(b, -1, down & loud if both else down, None, far, 2 * far)
    return Plan(aim(b, 1, up & loud, None, far, 2 * far), fall if short else Side())
