"""Meanings of the requests about limit orders, pyramiding, cool-downs and how often to trade."""

from tests.requests.averages import above, below, ema, prior_high, prior_low, sma
from tests.requests.bars import PIP, Bars, clock
from tests.requests.engine import Book
from tests.requests.holding import cool_down, first_in, flat_first, per_day
from tests.requests.indicators import macd, rsi, stochastic, vwap
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import VWAPS, means


@means(
    "limit-below",
    {
        "market": {"limit": False},
        "2%": {"percent": 2.0},
        "no stop": {"stop": 99.0},
        "RSI14": {"length": 14},
    },
)
def limit_below(
    b: Bars, limit: bool = True, percent: float = 1.0, stop: float = 6.0, length: int = 4
) -> Plan:
    r = rsi(b.close, length)
    price = b.close * (1 - percent / 100) if limit else None
    return Plan(Side(r < 30, r > 55, b.close * (1 - stop / 100), None, price))


@means(
    "limit-both",
    {"market": {"limit": False}, "long only": {"both": False}, "from the close": {"own": False}},
)
def limit_both(b: Bars, limit: bool = True, both: bool = True, own: bool = True) -> Plan:
    line, slow = ema(b.close, 20), ema(b.close, 100)
    up, down = (line > slow) & (b.close > line), (line < slow) & (b.close < line)
    base, price = line if own else b.close, line if limit else None
    short = Side(down, None, base + 20 * PIP, base - 30 * PIP, price) if both else Side()
    return Plan(Side(up, None, base - 20 * PIP, base + 30 * PIP, price), short)


@means(
    "limit-midpoint",
    {"market": {"price": "open"}, "at the low": {"price": "low"}, "state": {"cross": False}},
)
def limit_midpoint(b: Bars, price: str = "middle", cross: bool = True) -> Plan:
    line, signal = macd(b.close)
    hist = line - signal
    enter = above(hist, 0) if cross else hist > 0
    limit = {"middle": (b.high + b.low) / 2, "low": b.low, "open": None}[price]
    return Plan(Side(enter, hist < 0, None, None, limit))


@means(
    "cooldown-stop",
    {"no wait": {"bars": 0}, "after every trade": {"kinds": ("sl", "tp")}, "20 bars": {"bars": 20}},
    bars=(10,),
)
def cooldown_stop(b: Bars, bars: int, kinds: tuple[str, ...] = ("sl",)) -> Plan:
    enter = (rsi(b.close) < 50) & (b.close > sma(b.close, 100))
    side = aim(b, 1, enter, None, b.close * 0.03, b.close * 0.05)
    return Plan(side, allow=cool_down(bars, kinds))


@means(
    "cooldown-any",
    {
        "no wait": {"bars": 0},
        "cross": {"cross": True},
        "10 bars": {"bars": 10},
        "after stops": {"kinds": ("sl",)},
    },
    bars=(5, 6),
)
def cooldown_any(
    b: Bars, bars: int, cross: bool = False, kinds: tuple[str, ...] = ("sl", "tp")
) -> Plan:
    fast, slow = ema(b.close, 5), ema(b.close, 15)
    up, down = (above(fast, slow), below(fast, slow)) if cross else (fast > slow, fast < slow)
    return Plan(
        aim(b, 1, up, None, 15 * PIP, 15 * PIP),
        aim(b, -1, down, None, 15 * PIP, 15 * PIP),
        allow=cool_down(bars, kinds),
    )


@means(
    "pyramid-add",
    {
        "one position": {"slots": 1},
        "no limit": {"slots": 99},
        "adds alone": {"alone": True},
        "20 days": {"days": 20},
    },
)
def pyramid(b: Bars, slots: int = 4, alone: bool = False, days: int = 10) -> Plan:
    line = sma(b.close, 50)
    first, more, out = above(b.close, line), b.close > prior_high(b.close, days), b.close < line

    def allow(idx: int, side: int, book: Book) -> bool:
        staying = bool(book.held) and not out[idx]
        return bool(more[idx] if staying or (alone and not first[idx]) else first[idx])

    return Plan(Side(first | more, out), allow=allow, slots=slots)


@means(
    "scale-in-dips", {"one": {"slots": 1}, "no limit": {"slots": 99}, "no filter": {"trend": False}}
)
def scale_in(b: Bars, slots: int = 3, trend: bool = True) -> Plan:
    r = rsi(b.close, 2)
    enter = r < 15
    if trend:
        enter &= b.close > sma(b.close, 150)
    return Plan(Side(enter, r > 60), slots=slots)


@means(
    "two-a-day",
    {
        "one a day": {"most": 1},
        "no limit": {"most": 99},
        "all day": {"first": "09:30"},
        "overnight": {"end": "23:00"},
    },
    price=VWAPS,
)
def two_a_day(b: Bars, price: str, most: int = 2, first: str = "10:00", end: str = "15:30") -> Plan:
    line = vwap(b, price)
    live = (b.minute >= clock(first)) & (b.minute <= clock("15:00"))
    leave = (b.close < line) | (b.minute >= clock(end))
    return Plan(Side(above(b.close, line) & live, leave), allow=per_day(b, most))


@means(
    "first-of-day",
    {"no limit": {"most": 99}, "state": {"cross": False}, "two a day": {"most": 2}},
    by=("signal", "fill"),
    strict=(False, True),
    kd=((14, 3), (14, 1)),
)
def first_of_a_day(
    b: Bars, by: str, strict: bool, kd: tuple[int, int], most: int = 1, cross: bool = True
) -> Plan:
    """Strictly, a signal that comes while a trade is open uses up its day."""
    k, _ = stochastic(b, *kd)
    enter = above(k, 20) if cross else k > 20
    if strict:
        enter = first_in(b.date, enter)
    return Plan(aim(b, 1, enter, None, 15 * PIP, 15 * PIP), allow=per_day(b, most, by))


@means(
    "stop-and-reverse-channel",
    {
        "long only": {"both": False},
        "closes": {"closes": True},
        "20 bars": {"length": 20},
        "flat first": {"reverse": False},
    },
)
def channel(
    b: Bars, both: bool = True, closes: bool = False, length: int = 30, reverse: bool = True
) -> Plan:
    high, low = (b.close, b.close) if closes else (b.high, b.low)
    up, down = b.close > prior_high(high, length), b.close < prior_low(low, length)
    short = Side(down, up) if both else Side()
    return Plan(Side(up, down), short, allow=None if reverse else flat_first)
