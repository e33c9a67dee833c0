"""Meanings of the requests about VWAP, OBV and volume."""

from tests.requests.averages import (
    above,
    before,
    below,
    in_a_row,
    prior_high,
    prior_low,
    shift,
    sma,
)
from tests.requests.bars import Bars, clock
from tests.requests.holding import after
from tests.requests.indicators import obv, vwap
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import COUNTS, VWAPS, means


@means("obv-sma", {"price": {"price": True}, "10": {"length": 10}, "both": {"both": True}})
def obv_sma(b: Bars, price: bool = False, length: int = 30, both: bool = False) -> Plan:
    x = b.close if price else obv(b)
    up, down = above(x, sma(x, length)), below(x, sma(x, length))
    return Plan(Side(up, down), Side(down, up) if both else Side())


@means(
    "obv-confirm", {"no OBV": {"confirm": False}, "exit 20": {"out": 20}, "highs": {"highs": True}}
)
def obv_confirm(b: Bars, confirm: bool = True, out: int = 10, highs: bool = False) -> Plan:
    x = obv(b)
    enter = b.close > prior_high(b.high if highs else b.close, 20)
    if confirm:
        enter &= x > prior_high(x, 20)
    return Plan(Side(enter, b.close < prior_low(b.close, out)))


@means(
    "volume-breakout",
    {"no volume": {"times": 0.0}, "1x": {"times": 1.0}, "no stop": {"stop": 99.0}},
)
def breakout(b: Bars, times: float = 1.5, stop: float = 5.0) -> Plan:
    enter = b.close > prior_high(b.high, 15)
    enter &= b.volume > times * sma(b.volume, 20)
    return Plan(aim(b, 1, enter, b.close < sma(b.close, 15), b.close * stop / 100))


@means(
    "volume-climax",
    {
        "green too": {"red": False},
        "1.5x": {"times": 1.5},
        "10 days": {"bars": 10},
        "average with today": {"lag": 0},
    },
    count=COUNTS,
)
def climax(
    b: Bars, count: str, red: bool = True, times: float = 2.0, bars: int = 5, lag: int = 1
) -> Plan:
    enter = b.volume >= times * shift(sma(b.volume, 20), lag)
    if red:
        enter &= b.red
    return Plan(Side(enter), leave=after(bars, count))


@means(
    "volume-quiet",
    {"no volume": {"quiet": False}, "stop at the bar's low": {"own": True}, "1R": {"r": 1.0}},
)
def quiet(b: Bars, quiet: bool = True, own: bool = False, r: float = 2.0) -> Plan:
    enter = b.close > prior_high(b.high, 3)
    if quiet:
        enter &= before(in_a_row(b.volume < sma(b.volume, 20), 3))
    risk = b.close - (b.low if own else prior_low(b.low, 3))
    return Plan(aim(b, 1, enter, None, risk, r * risk))


@means(
    "vwap-fade",
    {
        "breakout": {"fade": False},
        "no window": {"first": "09:30", "last": "15:15"},
        "0.3%": {"percent": 0.3},
        "overnight": {"end": "23:00"},
    },
)
def fade(
    b: Bars,
    fade: bool = True,
    first: str = "10:00",
    last: str = "14:45",
    percent: float = 0.6,
    end: str = "15:30",
) -> Plan:
    line, late = vwap(b), b.minute >= clock(end)
    live = (b.minute >= clock(first)) & (b.minute <= clock(last))
    under = live & (b.close < line * (1 - percent / 100))
    over = live & (b.close > line * (1 + percent / 100))
    if not fade:
        return Plan(Side(over, (b.close <= line) | late), Side(under, (b.close >= line) | late))
    return Plan(Side(under, (b.close >= line) | late), Side(over, (b.close <= line) | late))


@means(
    "vwap-side",
    {
        "held to the end": {"closes": False},
        "any bar": {"once": False},
        "long only": {"both": False},
    },
    price=VWAPS,
)
def side(b: Bars, price: str, closes: bool = True, once: bool = True, both: bool = True) -> Plan:
    line, late = vwap(b, price), b.minute >= clock("15:30")
    when = b.minute == clock("10:30") if once else b.minute < clock("15:30")
    over, under = b.close > line, b.close < line
    long_out, short_out = (under | late, over | late) if closes else (late, late)
    return Plan(Side(over & when, long_out), Side(under & when, short_out) if both else Side())
