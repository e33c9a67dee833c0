"""Contracts that between them name every indicator, written by hand."""

from __future__ import annotations

from typing import Any

from schemas.contract import Contract, InARow, Session, Within
from tests.agents.making import (
    CLOSE,
    LONG,
    OPEN,
    SHORT,
    VOLUME,
    above,
    at,
    below,
    calc,
    compare,
    contract,
    down,
    either,
    enter,
    every,
    far,
    ind,
    leave,
    of,
    price,
    up,
)

ATR = ind("atr", "atr", length=14)
STOP = (at(far("atr", 2, "atr")),)
TREND = ind("trend", "sma", length=50)
FAST, SLOW = ind("fast", "ema", length=10), ind("slow", "ema", length=30)
YESTERDAY = price("close", 1)


def oscillator(name: str, low: float, high: float, *indicators: Any, **more: Any) -> Contract:
    """In when it crosses back above the low line, out when it crosses the high one."""
    series = more.pop("series", name)
    return contract(
        name, indicators, (enter(LONG, up(series, low), f"{name} turns up"),),
        (leave(LONG, down(series, high), f"{name} turns down"),), **more,
    )  # fmt: skip


INDICATORS = (
    contract("sma_ema", (TREND, FAST), (enter(LONG, up("fast", "trend")),),
             (leave(LONG, down("fast", "trend")),)),
    contract("wma_hma", (ind("wma", "wma", length=30), ind("hma", "hma", length=16)),
             (enter(LONG, up("hma", "wma")), enter(SHORT, down("hma", "wma"))), reverse=True),
    contract("dema_tema_rma", (ind("dema", "dema", length=10), ind("tema", "tema", length=10),
                               ind("rma", "rma", length=20)),
             (enter(LONG, every(up("tema", "dema"), above(CLOSE, "rma"))),),
             (leave(LONG, below("tema", "dema")),)),
    contract("vwma", (ind("vwma", "vwma", length=20),), (enter(LONG, up(CLOSE, "vwma")),),
             (leave(LONG, down(CLOSE, "vwma")),)),
    contract("channel_break", (ind("top", "highest", "high", length=20),
                               ind("floor", "lowest", "low", length=10)),
             (enter(LONG, above(CLOSE, of("top", shift=1)), "above 20 bars"),),
             (leave(LONG, below(CLOSE, of("floor", shift=1)), "below 10 bars"),)),
    contract("stdev_calm", (ind("sd", "stdev", length=20),
                            ind("usual", "sma", of=of("sd"), length=50)),
             (enter(LONG, every(below("sd", "usual"), above(CLOSE, YESTERDAY))),),
             exit_after_bars=3),
    oscillator("zscore", -1.5, 1.0, ind("zscore", "zscore", length=30)),
    contract("roc_momentum", (ind("roc", "roc"), ind("momentum", "momentum", length=5)),
             (enter(LONG, every(up("roc", 0), above("momentum", 0))),),
             (leave(LONG, below("roc", -1)),)),
    oscillator("rsi", 30, 70, ind("rsi", "rsi")),
    oscillator("rsi_cutler", 35, 65, ind("rsi", "rsi", length=9, smoothing="simple"), series="rsi"),
    oscillator("stoch_rsi", 20, 80, ind("sr", "stochastic_rsi"), series="sr.k"),
    contract("macd", (ind("macd", "macd"),), (enter(LONG, up("macd.line", "macd.signal")),),
             (leave(LONG, below("macd.histogram", 0)),)),
    contract("bollinger", (ind("bb", "bollinger", length=20, width=2.5),),
             (enter(LONG, below(CLOSE, "bb.lower")), enter(SHORT, above("bb.percent", 1))),
             (leave(LONG, compare(CLOSE, "at_least", "bb.middle")),
              leave(SHORT, compare(CLOSE, "at_most", "bb.middle")))),
    contract("squeeze", (ind("bb", "bollinger"),
                         ind("tight", "lowest", of=of("bb", "bandwidth"), length=60)),
             (enter(LONG, every(Within(bars=5, of=compare("bb.bandwidth", "at_most", "tight")),
                                above(CLOSE, "bb.upper"))),), exit_after_bars=10),
    contract("wide_bar", (ind("span", "range"), ind("tr", "true_range"), ATR),
             (enter(LONG, every(above("tr", calc("atr", "multiply", 1.5)), above(CLOSE, OPEN))),
              enter(SHORT, every(above("span", calc("atr", "multiply", 1.5)), below(CLOSE, OPEN)))),
             stops=STOP, targets=(at(far("r", 1.5)),)),
    contract("donchian", (ind("dc", "donchian", length=20),),
             (enter(LONG, above(CLOSE, of("dc", "upper", 1))),),
             (leave(LONG, below(CLOSE, "dc.middle")),)),
    contract("keltner", (ind("kc", "keltner", smoothing="simple"),),
             (enter(LONG, above(CLOSE, "kc.upper")), enter(SHORT, below(CLOSE, "kc.lower"))),
             (leave(None, either(Within(bars=1, of=below(CLOSE, "kc.lower")),
                                 above(CLOSE, "kc.upper")), "beyond a band"),), timeframe="H4"),
    oscillator("stochastic", 20, 80, ind("st", "stochastic"), series="st.d", timeframe="H1"),
    oscillator("cci", -100, 100, ind("cci", "cci")),
    oscillator("williams", -80, -20, ind("wr", "williams_r"), series="wr"),
    oscillator("mfi", 30, 70, ind("mfi", "mfi")),
    contract("adx", (ind("adx", "adx"), FAST, SLOW),
             (enter(LONG, every(above("adx.plus", "adx.minus"), up("adx.adx", 20))),
              enter(SHORT, every(below("adx.plus", "adx.minus"), up("adx.adx", 20)))),
             (leave(None, below("adx.adx", 18), "no trend"),)),
    contract("aroon", (ind("ar", "aroon"),), (enter(LONG, up("ar.up", "ar.down")),),
             (leave(LONG, down("ar.up", "ar.down")),)),
    contract("supertrend", (ind("st", "supertrend"),),
             (enter(LONG, up("st.direction", 0)), enter(SHORT, down("st.direction", 0))),
             reverse=True,
             timeframe="H1"),
    contract("supertrend_line", (ind("st", "supertrend", length=7, width=2),),
             (enter(LONG, up(CLOSE, "st.line")),), (leave(LONG, down(CLOSE, "st.line")),)),
    contract("psar", (ind("sar", "psar"),), (enter(LONG, up(CLOSE, "sar.sar")),),
             (leave(LONG, below("sar.direction", 0)),)),
    contract("ichimoku", (ind("ich", "ichimoku"),),
             (enter(LONG, every(up("ich.tenkan", "ich.kijun"), above(
                 CLOSE, calc("ich.span_a", "maximum", "ich.span_b")))),
              enter(SHORT, every(down("ich.tenkan", "ich.kijun"), below(
                  CLOSE, calc("ich.span_a", "minimum", "ich.span_b"))))),
             (leave(LONG, below(CLOSE, "ich.kijun")), leave(SHORT, above(CLOSE, "ich.kijun")))),
    contract("vwap", (ind("vwap", "vwap"),),
             (enter(LONG, every(up(CLOSE, "vwap"), Session(start="10:00", end="15:00"))),),
             (leave(LONG, below(CLOSE, "vwap")),), timeframe="M15", exit_at="15:30"),
    contract("obv", (ind("obv", "obv"), ind("average", "sma", of=of("obv"), length=20)),
             (enter(LONG, up("obv", "average")),), (leave(LONG, down("obv", "average")),)),
    contract("pivots", (ind("pp", "pivots"),), (enter(LONG, up(CLOSE, "pp.r1")),
                                                enter(SHORT, down(CLOSE, "pp.s1"))),
             timeframe="M30", stops=(at(price=of("pp", "pivot")),), targets=(
                 at(price=of("pp", "r3"), side=LONG), at(price=of("pp", "s3"), side=SHORT))),
    contract("prior_day", (ind("pd", "prior_day"), ind("td", "this_day")),
             (enter(LONG, every(above("td.open", "pd.high"), above(CLOSE, "td.open"))),
              enter(SHORT, every(below("td.low", "pd.low"), below(CLOSE, "pd.close")))),
             timeframe="M15", exit_at="15:45", max_entries_per_day=2),
    contract("prior_week", (ind("pw", "prior_week"),),
             (enter(LONG, up(CLOSE, "pw.high")),), (leave(LONG, below(CLOSE, "pw.low")),),
             timeframe="H4"),
    contract("opening_range", (ind("or", "opening_range", start=570, minutes=60),),
             (enter(LONG, above(CLOSE, "or.high")), enter(SHORT, below(CLOSE, "or.low"))),
             timeframe="M5",
             exit_at="15:30", max_entries_per_day=1,
             stops=(at(price=of("or", "low"), side=LONG), at(price=of("or", "high"), side=SHORT))),
    contract("heikin_ashi", (ind("ha", "heikin_ashi"),),
             (enter(LONG, InARow(bars=3, of=above("ha.close", "ha.open"))),),
             (leave(LONG, below("ha.close", "ha.open")),)),
    contract("relative_volume", (ind("usual", "sma", "volume", length=20),),
             (enter(LONG, every(above(calc(VOLUME, "divide", "usual"), 1.8), above(CLOSE, OPEN))),),
             exit_after_bars=2),
)  # fmt: skip
