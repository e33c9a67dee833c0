"""Faults in the text of an indicator, each in a strategy that uses it."""

from __future__ import annotations

from schemas.contract import Contract
from tests.agents.making import (
    CLOSE,
    LONG,
    above,
    at,
    compare,
    contract,
    down,
    enter,
    ind,
    leave,
    of,
    up,
    when,
)
from tests.agents.table import CONTRACTS

OWN = (
    contract("slow_ema", (ind("slow", "ema", length=200),),
             (enter(LONG, up(CLOSE, "slow")),), (leave(LONG, down(CLOSE, "slow")),),
             stops=(at(price=of("slow")),)),
    contract("slow_rma", (ind("slow", "rma", length=100),),
             (enter(LONG, up(CLOSE, "slow")),), (leave(LONG, down(CLOSE, "slow")),),
             stops=(at(price=of("slow")),)),
    contract("obv_level", (ind("obv", "obv"),), (enter(LONG, up("obv", 45_000_000)),),
             (leave(LONG, down("obv", 45_000_000)),)),
    contract("bar_of_day", (), (enter(LONG, compare(when("bar_of_day"), "equal", 2)),),
             (leave(LONG, compare(when("bar_of_day"), "equal", 4)),), timeframe="H4"),
    contract("opens", (ind("pd", "prior_day"),), (enter(LONG, above(CLOSE, "pd.open")),),
             (leave(LONG, above("pd.low", CLOSE)),), timeframe="H4"),
    contract("squeezed", (ind("bb", "bollinger", width=1.5),),
             (enter(LONG, up("bb.percent", 0)),), (leave(LONG, up("bb.percent", 1)),)),
    contract("channel_exit", (ind("dc", "donchian", length=10),),
             (enter(LONG, above(CLOSE, of("dc", "upper", 1))),),
             (leave(LONG, down(CLOSE, "dc.middle")),)),
    contract("ichimoku_cloud", (ind("ich", "ichimoku"),), (enter(LONG, up(CLOSE, "ich.span_a")),),
             (leave(LONG, down(CLOSE, "ich.span_b")),)),
)  # fmt: skip
USED: dict[str, Contract] = {**CONTRACTS, **{made.name: made for made in OWN}}

FAULTS: tuple[tuple[str, str, str], ...] = (
    # smoothing
    ("sma_ema", "2.0 / (length + 1.0)", "1.0 / length"),
    ("sma_ema", "2.0 / (length + 1.0)", "2.0 / length"),
    ("sma_ema", "series.rolling(length).mean()", "series.rolling(length).median()"),
    ("sma_ema", "series.rolling(length).mean()", "series.rolling(length + 1).mean()"),
    ("rsi", "1.0 / length)", "2.0 / (length + 1.0))"),
    ("keltner", "average(true_range(high, low, close), length)",
     "ema(true_range(high, low, close), length)"),
    ("wma_hma", "(length - back) * values", "(back + 1) * values"),
    ("wma_hma", "max(int(length**0.5), 1)", "max(length // 2, 1)"),
    ("dema_tema_rma", "3.0 * once - 3.0 * twice", "2.0 * once - 2.0 * twice"),
    ("dema_tema_rma", "2.0 * once - ema(once, length)", "2.0 * once - ema(once, length + 1)"),
    # how an average begins, where that is remembered for long
    ("slow_ema", "values[known[:length]].mean()", "values[known[0]]"),
    ("slow_ema", "known[length - 1]", "known[0]"),
    ("slow_rma", "values[known[:length]].mean()", "values[start]"),
    ("obv_level", "signs.fillna(1.0)", "signs.fillna(-1.0)"),
    # off by one
    ("channel_break", "series.rolling(length).max()", "series.rolling(length - 1).max()"),
    ("channel_break", "series.rolling(length).min()", "series.shift(1).rolling(length).min()"),
    ("roc_momentum", "series.shift(length) - 1.0", "series.shift(length - 1) - 1.0"),
    ("roc_momentum", "series - series.shift(length)", "series - series.shift(length + 1)"),
    ("aroon", "sliding_window_view(high.to_numpy(dtype=float), length + 1)[:, ::-1]",
     "sliding_window_view(high.to_numpy(dtype=float), length + 1)[:, :0:-1]"),
    ("ichimoku_cloud", "((fast + base) / 2.0).shift(shift)",
     "((fast + base) / 2.0).shift(shift - 1)"),
    ("opening_range", "minute < begins + minutes", "minute <= begins + minutes"),
    ("opening_range", "minute >= begins + minutes", "minute > begins + minutes"),
    ("bar_of_day", "first + 1.0", "first + 0.0"),
    ("turn_of_month", "day - day[first] + 1.0", "day - day[first] + 2.0"),
    ("opens", "np.append(np.nan, each[:-1])[period]", "each[period]"),
    ("prior_week", "times - pd.to_timedelta(times.day_of_week", "times + 0 * pd.to_timedelta("
     "times.day_of_week"),
    # the wrong side
    ("mfi", "change > 0.0, 0.0", "change < 0.0, 0.0"),
    ("rsi", "100.0 * gain / both", "100.0 * loss / both"),
    ("williams", "(top - close)", "(close - low)"),
    ("stochastic", "(close - bottom)", "(top - close)"),
    ("adx", "(up > down) & (up > 0.0)", "up > 0.0"),
    ("adx", "(plus - minus).abs()", "(plus - minus)"),
    ("supertrend", "closes[i] < bottom", "closes[i] < top"),
    ("supertrend_line", "closes[i - 1] >= bottom", "closes[i - 1] <= bottom"),
    ("psar", "side * (far[i] - best) > 0.0", "side * (near[i] - best) > 0.0"),
    ("psar", "min(speed + step, cap)", "speed + step"),
    ("pivots", "2.0 * pivot - bottom, 2.0 * pivot - top",
     "2.0 * pivot - top, 2.0 * pivot - bottom"),
    ("heikin_ashi", "alpha=0.5", "alpha=0.25"),
    ("vwap", "(high + low + close) / 3.0", "close"),
    ("obv", "np.sign(close.diff())", "np.sign(close.diff()).abs()"),
    # the wrong measure
    ("zscore", "std(ddof=0)", "std(ddof=1)"),
    ("bollinger", "std(ddof=0)", "std(ddof=1)"),
    ("squeezed", "(series - lower) / span", "(series - middle) / span"),
    ("cci", ".mean(axis=1)", ".std(axis=1)"),
    ("cci", "0.015", "0.0125"),
    ("stoch_rsi", "lowest(strength, window), highest(strength, window)",
     "lowest(strength, length - 1), highest(strength, length - 1)"),
    ("macd", "average = ema(line, signal)", "average = ema(line, slow)"),
    ("channel_exit", "(lower + upper) / 2.0", "(lower + 2.0 * upper) / 3.0"),
    ("wide_bar", "np.maximum(high, before)", "np.maximum(high, close)"),
    ("vwma", "(close * volume).rolling", "(close * volume.mean()).rolling"),
)  # fmt: skip
