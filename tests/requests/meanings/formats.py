"""Meanings of the requests in unusual shapes: configuration, edits, emoji, long texts."""

from tests.requests.averages import above, below, ema, sma
from tests.requests.bars import PIP, Bars
from tests.requests.engine import Held
from tests.requests.holding import after
from tests.requests.indicators import bollinger, roc, rsi
from tests.requests.plan import Plan, Side, aim
from tests.requests.readings import COUNTS, SAMPLES, means


@means(
    "yaml-config",
    {"opposite closes": {"closes": True}, "long only": {"both": False}, "SMA": {"kind": "sma"}},
)
def yaml_config(b: Bars, closes: bool = False, both: bool = True, kind: str = "ema") -> Plan:
    average = ema if kind == "ema" else sma
    up = above(average(b.close, 7), average(b.close, 28))
    down = below(average(b.close, 7), average(b.close, 28))
    short = aim(b, -1, down, up if closes else None, 22 * PIP, 44 * PIP) if both else Side()
    return Plan(aim(b, 1, up, down if closes else None, 22 * PIP, 44 * PIP), short)


@means(
    "json-config",
    {
        "no filter": {"trend": False},
        "no stop": {"stop": 99.0},
        "exit at the upper": {"upper": True},
    },
    sample=SAMPLES,
)
def json_config(
    b: Bars, sample: bool, trend: bool = True, stop: float = 8.0, upper: bool = False
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    enter = b.close < low
    if trend:
        enter &= b.close > sma(b.close, 200)
    leave = b.close > (high if upper else middle)
    return Plan(aim(b, 1, enter, leave, b.close * stop / 100))


@means(
    "title-says-all", {"RSI14": {"length": 14}, "both": {"both": True}, "exit 50": {"out": 50.0}}
)
def title_says_all(b: Bars, length: int = 2, both: bool = False, out: float = 75.0) -> Plan:
    r = rsi(b.close, length)
    return Plan(Side(r < 8, r > out), Side(r > 75, r < 8) if both else Side())


@means(
    "strikethrough",
    {"9/21": {"fast": 9, "slow": 21}, "2%": {"stop": 2.0}, "no stop": {"stop": 99.0}},
)
def strikethrough(b: Bars, fast: int = 12, slow: int = 50, stop: float = 6.0) -> Plan:
    up = above(ema(b.close, fast), ema(b.close, slow))
    down = below(ema(b.close, fast), ema(b.close, slow))
    return Plan(aim(b, 1, up, down, b.close * stop / 100))


@means("emoji", {"no target": {"target": 99.0}, "no stop": {"stop": 99.0}, "both": {"both": True}})
def emoji(b: Bars, target: float = 6.0, stop: float = 2.0, both: bool = False) -> Plan:
    line = sma(b.close, 30)
    up, down = above(b.close, line), below(b.close, line)
    near, far = b.close * stop / 100, b.close * target / 100
    short = aim(b, -1, down, up, near, far) if both else Side()
    return Plan(aim(b, 1, up, down, near, far), short)


@means("tldr", {"three down days": {"days": 3}, "5%": {"percent": 5.0}, "RSI2": {"strength": True}})
def tldr(b: Bars, days: int = 4, percent: float = 3.0, strength: bool = False) -> Plan:
    enter = rsi(b.close, 2) < 10 if strength else roc(b.close, days) <= -percent
    return Plan(Side(enter, b.close > sma(b.close, 10)))


@means(
    "questions-inside",
    {"fixed stop": {"how": "fixed"}, "no stop": {"how": "none"}, "SMA": {"kind": "sma"}},
)
def questions_inside(b: Bars, how: str = "close", kind: str = "ema") -> Plan:
    average = ema if kind == "ema" else sma
    fast, slow = average(b.close, 8), average(b.close, 24)
    stop = b.close * 0.05 if how == "fixed" else None

    def lost(held: Held, idx: int) -> bool:
        return bool(b.close[idx] <= 0.95 * held.price)

    side = aim(b, 1, above(fast, slow), below(fast, slow), stop)
    return Plan(side, leave=lost if how == "close" else None)


@means(
    "email-style", {"above 6%": {"sign": -1.0}, "5 days": {"days": 5}, "exit at -6%": {"out": -6.0}}
)
def email(b: Bars, sign: float = 1.0, days: int = 10, out: float = 0.0) -> Plan:
    x = roc(b.close, days)
    return Plan(Side(sign * x < -6, x > out))


@means(
    "french-form",
    {"no filter": {"trend": False}, "no stop": {"stop": 99.0}, "RSI14": {"length": 14}},
)
def french_form(b: Bars, trend: bool = True, stop: float = 4.0, length: int = 9) -> Plan:
    r = rsi(b.close, length)
    enter = r < 30
    if trend:
        enter &= b.close > sma(b.close, 100)
    return Plan(aim(b, 1, enter, r > 60, b.close * stop / 100))


@means("spanish-short", {"long": {"side": 1}, "no stop": {"stop": 99.0}, "SMA": {"kind": "sma"}})
def spanish_short(b: Bars, side: int = -1, stop: float = 3.0, kind: str = "ema") -> Plan:
    line = (ema if kind == "ema" else sma)(b.close, 30)
    near, far = b.close * stop / 100, b.close * 0.06
    if side > 0:
        return Plan(aim(b, 1, above(b.close, line), b.close < line, near, far))
    return Plan(short=aim(b, -1, below(b.close, line), b.close > line, near, far))


@means(
    "italian-bollinger",
    {"long only": {"both": False}, "no time exit": {"bars": 999}, "breakout": {"fade": False}},
    sample=SAMPLES,
    count=COUNTS,
)
def italian(
    b: Bars, sample: bool, count: str, both: bool = True, bars: int = 10, fade: bool = True
) -> Plan:
    low, middle, high = bollinger(b.close, 20, 2.0, sample)
    distance = b.close * 0.06
    down, up = b.close < low, b.close > high
    if not fade:
        up, down = down, up
    short = aim(b, -1, up, b.close <= middle, distance) if both else Side()
    return Plan(aim(b, 1, down, b.close >= middle, distance), short, leave=after(bars, count))


@means(
    "portuguese-ema",
    {
        "no stop": {"stop": 9999.0},
        "long only": {"both": False},
        "opposite ignored": {"closes": False},
    },
)
def portuguese(b: Bars, stop: float = 30.0, both: bool = True, closes: bool = True) -> Plan:
    up = above(ema(b.close, 9), ema(b.close, 27))
    down = below(ema(b.close, 9), ema(b.close, 27))
    short = aim(b, -1, down, up if closes else None, stop * PIP) if both else Side()
    return Plan(aim(b, 1, up, down if closes else None, stop * PIP), short)


@means(
    "japanese-rsi",
    {"70": {"out": 70.0}, "both": {"both": True}, "RSI9": {"length": 9}},
    cross=(True, False),
)
def japanese(b: Bars, cross: bool, out: float = 55.0, both: bool = False, length: int = 14) -> Plan:
    r = rsi(b.close, length)
    enter = below(r, 35) if cross else r < 35
    return Plan(Side(enter, r > out), Side(r > 65, r < 45) if both else Side())
