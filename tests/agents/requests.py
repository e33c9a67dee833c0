"""The public requests of the outside scorer as contracts, written by hand."""

from __future__ import annotations

from schemas.contract import Contract, InARow, Indicator, Session, Trailing
from tests.agents.making import (
    CLOSE,
    LONG,
    OPEN,
    SHORT,
    above,
    at,
    below,
    compare,
    contract,
    down,
    enter,
    every,
    far,
    ind,
    leave,
    of,
    price,
    up,
    when,
)  # fmt: skip

ATR14 = ind("atr", "atr", length=14)
EARLIER_CLOSE, EARLIER_OPEN = price("close", 1), price("open", 1)
FAST_UP, FAST_DOWN = up("fast", "slow"), down("fast", "slow")


def averages(fast: int, slow: int) -> tuple[Indicator, ...]:
    return ind("fast", "ema", length=fast), ind("slow", "ema", length=slow)


def channel(length: int, name: str) -> tuple[Indicator, ...]:
    return (
        ind(f"{name}_high", "highest", "high", length=length),
        ind(f"{name}_low", "lowest", "low", length=length),
    )


REQUESTS: dict[str, Contract] = {
    "V01": contract(
        "v01", (ind("rsi", "rsi", length=14),),
        (enter(LONG, down("rsi", 30)),), (leave(LONG, up("rsi", 70)),), symbol="SPY",
    ),
    "V05": contract(
        "v05", averages(9, 21), (enter(LONG, FAST_UP), enter(SHORT, FAST_DOWN)),
        timeframe="H1", symbol="EURUSD", reverse=True,
    ),
    "V09": contract(
        "v09", (ind("macd", "macd"), ATR14),
        (enter(LONG, up("macd.histogram", 0)), enter(SHORT, down("macd.histogram", 0))),
        timeframe="H4", symbol="BTCUSD",
        stops=(at(far("atr", 2, "atr")),), targets=(at(far("atr", 3, "atr")),),
    ),
    "V10": contract(
        "v10", (ind("bands", "bollinger"),),
        (enter(LONG, below(CLOSE, "bands.lower")), enter(SHORT, above(CLOSE, "bands.upper"))),
        (leave(LONG, compare(CLOSE, "at_least", "bands.middle")),
         leave(SHORT, compare(CLOSE, "at_most", "bands.middle"))),
        symbol="GLD",
    ),
    "V12": contract(
        "v12", (*channel(20, "entry"), *channel(10, "exit"), ind("n", "atr", length=20)),
        (enter(LONG, above(CLOSE, of("entry_high", shift=1))),
         enter(SHORT, below(CLOSE, of("entry_low", shift=1)))),
        (leave(LONG, below(CLOSE, of("exit_low", shift=1))),
         leave(SHORT, above(CLOSE, of("exit_high", shift=1)))),
        symbol="CL", stops=(at(far("atr", 2, "n")),),
    ),
    "V14": contract(
        "v14", (ind("trend", "sma", length=50), ind("atr", "atr", length=22)),
        (enter(LONG, up(CLOSE, "trend")),), symbol="NVDA",
        trailing=(Trailing(side=None, distance=far("atr", 3, "atr"), mark="extreme"),),
    ),
    "V18": contract(
        "v18", (ind("stoch", "stochastic"), ind("trend", "sma", length=200)),
        (enter(LONG, every(up("stoch.k", 20), above(CLOSE, "trend"))),),
        timeframe="H1", symbol="EURUSD", exit_after_bars=5,
    ),
    "V20": contract(
        "v20", (*averages(12, 26), ind("adx", "adx")),
        (enter(LONG, every(FAST_UP, above("adx.adx", 20))),
         enter(SHORT, every(FAST_DOWN, above("adx.adx", 20)))),
        (leave(LONG, FAST_DOWN), leave(SHORT, FAST_UP)), symbol="TLT",
    ),
    "V22": contract(
        "v22", (ind("keltner", "keltner", length=20, width=2, atr_length=10),),
        (enter(LONG, above(CLOSE, "keltner.upper")), enter(SHORT, below(CLOSE, "keltner.lower"))),
        (leave(LONG, below(CLOSE, "keltner.middle")), leave(SHORT, above(CLOSE, "keltner.middle"))),
        timeframe="H4", symbol="ETHUSD",
    ),
    "V30": contract(
        "v30", (ind("vwap", "vwap"),),
        (enter(LONG, every(up(CLOSE, "vwap"), Session(start="10:00", end="15:00"))),),
        (leave(LONG, below(CLOSE, "vwap")),), timeframe="M15", exit_at="15:30",
    ),
    "V36": contract(
        "v36", (ind("trend", "sma", length=50), ind("two_lows", "lowest", "low", length=2)),
        (enter(LONG, every(
            below(EARLIER_CLOSE, EARLIER_OPEN), above(CLOSE, OPEN),
            compare(OPEN, "at_most", EARLIER_CLOSE), compare(CLOSE, "at_least", EARLIER_OPEN),
            below(CLOSE, "trend"))),),
        symbol="KO", stops=(at(price=of("two_lows")),), targets=(at(far("r", 2)),),
    ),
    "V44": contract(
        "v44", (ind("opening", "opening_range", minutes=30),),
        (enter(LONG, every(above(CLOSE, "opening.high"), below(when("minute"), 12 * 60))),
         enter(SHORT, every(below(CLOSE, "opening.low"), below(when("minute"), 12 * 60)))),
        timeframe="M15", symbol="QQQ", exit_at="15:30", max_entries_per_day=1,
        stops=(at(price=of("opening", "low"), side=LONG),
               at(price=of("opening", "high"), side=SHORT)),
    ),
    "V46": contract(
        "v46", averages(8, 21),
        tuple(enter(side, every(cross, Session(start="07:00", end="16:00", includes_end=True)))
              for side, cross in ((LONG, FAST_UP), (SHORT, FAST_DOWN))),
        timeframe="H1", symbol="EURUSD", exit_at="20:00",
        stops=(at(far("pips", 25)),), targets=(at(far("pips", 50)),),
    ),
    "V48": contract(
        "v48", (ind("trend", "sma", length=200),),
        (enter(LONG, every(InARow(bars=3, of=below(CLOSE, EARLIER_CLOSE)),
                           above(CLOSE, "trend"))),),
        (leave(LONG, InARow(bars=2, of=above(CLOSE, EARLIER_CLOSE))),), symbol="ES",
    ),
    "V57": contract(
        "v57", (ind("top", "highest", length=20), ind("trend", "sma", length=20)),
        (enter(LONG, above(CLOSE, of("top", shift=1))),), (leave(LONG, below(CLOSE, "trend")),),
        symbol="AVGO", max_positions=3, stops=(at(far("percent", 5)),),
    ),
}  # fmt: skip
