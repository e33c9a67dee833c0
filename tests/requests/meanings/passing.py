"""Meanings of the requests that tell their rules in passing, as traders talk."""

from tests.requests.averages import above, below, ema, turns
from tests.requests.bars import PIP, Bars
from tests.requests.flips import supertrend
from tests.requests.indicators import bollinger, stochastic
from tests.requests.plan import Plan, aim
from tests.requests.readings import ATRS, BANDS, SAMPLES, means


@means(
    "back-inside-the-band",
    {"2.0": {"width": 2.0}, "long only": {"both": False}, "no stop": {"pips": 9999.0}},
    sample=SAMPLES,
)
def back_inside(
    b: Bars, sample: bool, width: float = 2.5, both: bool = True, pips: float = 40.0
) -> Plan:
    low, middle, high = bollinger(b.close, 20, width, sample)
    far = pips * PIP
    long = aim(b, 1, above(b.close, low), b.close >= middle, far)
    return (
        Plan(long, aim(b, -1, below(b.close, high), b.close <= middle, far)) if both else Plan(long)
    )


@means(
    "supertrend-line",
    {"10/3": {"width": 3.0}, "no trend": {"trend": False}, "a state": {"turn": False}},
    kind=ATRS,
    against=BANDS,
)
def across_the_line(
    b: Bars, kind: str, against: str, width: float = 2.0, trend: bool = True, turn: bool = True
) -> Plan:
    up = supertrend(b, 10, width, kind, against) > 0
    enter = turns(up) if turn else up
    if trend:
        enter = enter & (ema(b.close, 20) > ema(b.close, 50))
    return Plan(aim(b, 1, enter, turns(~up), b.close * 0.08))


@means(
    "opposite-signal-whole",
    {"any cross": {"zone": False}, "no exit": {"leaves": False}, "40 pips": {"pips": 40.0}},
)
def whole_signal(b: Bars, zone: bool = True, leaves: bool = True, pips: float = 60.0) -> Plan:
    k, d = stochastic(b)
    up, down = above(k, d), below(k, d)
    buy, sell = up & (k < 20) & (d < 20), down & (k > 80) & (d > 80)
    out_long, out_short = (sell, buy) if zone else (down, up)
    if not leaves:
        out_long, out_short = sell & False, buy & False
    return Plan(aim(b, 1, buy, out_long, pips * PIP), aim(b, -1, sell, out_short, pips * PIP))
