"""What the names in an expression mean. An indicator's own names stand with it in
`schemas/indicators.py`; here are the other words and what people call things elsewhere."""

from __future__ import annotations

import re

from schemas.indicators import KINDS

PRICES = ("open", "high", "low", "close", "volume")
CALENDAR = {
    "time": "minute",
    "weekday": "weekday",
    "day_of_month": "day",
    "month": "month",
    "bar_of_day": "bar_of_day",
    "trading_day_of_month": "trading_day",
}
HELD = {
    "entry_price": "entry_price",
    "bars_held": "bars",
    "highest_high_since_entry": "highest_high",
    "lowest_low_since_entry": "lowest_low",
    "highest_close_since_entry": "highest_close",
    "lowest_close_since_entry": "lowest_close",
}
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip


def _series() -> dict[str, tuple[str, str]]:
    return {
        name: (kind_name, output)
        for kind_name, kind in KINDS.items()
        for name, output in zip(kind.series(kind_name), kind.outputs, strict=True)
    }


SERIES: dict[str, tuple[str, str]] = _series()
"""The sheet's own name of a series -> (kind, output)."""
NAME_OF = {meaning: name for name, meaning in SERIES.items()}

KIND_WORDS = {
    "bb": "bollinger", "bbands": "bollinger", "bollinger_bands": "bollinger", "dmi": "adx",
    "stoch": "stochastic", "stochrsi": "stochastic_rsi", "stoch_rsi": "stochastic_rsi",
    "kc": "keltner", "dc": "donchian", "sar": "psar", "parabolic_sar": "psar",
    "ha": "heikin_ashi", "heikinashi": "heikin_ashi", "prev_day": "prior_day",
    "yesterday": "prior_day", "previous_day": "prior_day", "prev_week": "prior_week",
    "last_week": "prior_week", "previous_week": "prior_week", "today": "this_day",
    "or": "opening_range", "ichimoku_cloud": "ichimoku", "pivot_points": "pivots",
}  # fmt: skip
"""What else an indicator is called, before a dot."""
OUTPUT_WORDS = {
    "hist": "histogram", "macd": "line", "lowerband": "lower", "upperband": "upper",
    "middleband": "middle", "mid": "middle", "basis": "middle", "width": "bandwidth",
    "pct": "percent", "percent_b": "percent", "plus_di": "plus", "minus_di": "minus",
    "di_plus": "plus", "di_minus": "minus", "tenkan_sen": "tenkan", "kijun_sen": "kijun",
    "senkou_a": "span_a", "senkou_b": "span_b", "dir": "direction", "trend": "direction",
}  # fmt: skip
"""What else an output is called, behind a dot."""

ALSO = {
    **{f"{kind}_{output}": spelt for (kind, output), spelt in NAME_OF.items()
       if f"{kind}_{output}" not in SERIES},
    "signal": "macd_signal", "wilders": "rma", "truerange": "true_range", "hhv": "highest",
    "llv": "lowest", "bbandtop": "bb_upper", "bbandbot": "bb_lower", "bband_top": "bb_upper",
    "bband_bot": "bb_lower", "ema_of": "ema", "mov": "sma",
    "smma": "rma", "wilder": "rma", "std": "stdev", "stddev": "stdev", "sd": "stdev",
    "mom": "momentum", "willr": "williams_r", "wpr": "williams_r", "williams": "williams_r",
    "williamsr": "williams_r", "williams_percent_r": "williams_r",
    "money_flow_index": "mfi", "tr": "true_range", "trange": "true_range",
    "bar_range": "range", "on_balance_volume": "obv", "price": "close",
    "macd_line": "macd", "macd_hist": "macd_histogram", "macdsignal": "macd_signal",
    "macdhist": "macd_histogram", "macdh": "macd_histogram",
    "bb_mid": "bb_middle", "bb_basis": "bb_middle", "bb_percent_b": "bb_percent",
    "percent_b": "bb_percent", "bb_pct": "bb_percent", "bb_bandwidth": "bb_width",
    "bbands_lower": "bb_lower", "bbands_middle": "bb_middle", "bbands_upper": "bb_upper",
    "bbw": "bb_width", "lower_bb": "bb_lower", "upper_bb": "bb_upper", "middle_bb": "bb_middle",
    "bb_lowerband": "bb_lower", "bb_upperband": "bb_upper", "bb_middleband": "bb_middle",
    "bollinger_low": "bb_lower", "bollinger_high": "bb_upper",
    "lower_band": "bb_lower", "upper_band": "bb_upper",
    "kc_lower": "keltner_lower", "kc_middle": "keltner_middle", "kc_upper": "keltner_upper",
    "keltner_mid": "keltner_middle", "donchian_mid": "donchian_middle",
    "donchian_high": "donchian_upper", "donchian_low": "donchian_lower",
    "dc_upper": "donchian_upper", "dc_lower": "donchian_lower",
    "stochastic_k": "stoch_k", "stochastic_d": "stoch_d", "slow_k": "stoch_k",
    "slow_d": "stoch_d", "slowk": "stoch_k", "slowd": "stoch_d",
    "stochrsi_k": "stoch_rsi_k", "stochrsi_d": "stoch_rsi_d",
    "di_plus": "plus_di", "di_minus": "minus_di", "pdi": "plus_di", "mdi": "minus_di",
    "adx_plus": "plus_di", "adx_minus": "minus_di", "plusdi": "plus_di", "minusdi": "minus_di",
    "sar": "psar", "parabolic_sar": "psar", "psar_dir": "psar_direction",
    "supertrend_line": "supertrend", "supertrend_dir": "supertrend_direction",
    "tenkan": "ichimoku_tenkan", "kijun": "ichimoku_kijun", "tenkan_sen": "ichimoku_tenkan",
    "kijun_sen": "ichimoku_kijun", "span_a": "ichimoku_span_a", "span_b": "ichimoku_span_b",
    "senkou_span_a": "ichimoku_span_a", "senkou_span_b": "ichimoku_span_b",
    "ichimoku_conversion": "ichimoku_tenkan", "ichimoku_base": "ichimoku_kijun",
    "ichimoku_senkou_a": "ichimoku_span_a", "ichimoku_senkou_b": "ichimoku_span_b",
    "heikin_ashi_open": "ha_open", "heikin_ashi_high": "ha_high", "heikin_ashi_low": "ha_low",
    "heikin_ashi_close": "ha_close",
    "prev_open": "prev_day_open", "prev_high": "prev_day_high", "prev_low": "prev_day_low",
    "prev_close": "prev_day_close", "yesterday_open": "prev_day_open",
    "yesterday_high": "prev_day_high", "yesterday_low": "prev_day_low",
    "yesterday_close": "prev_day_close", "prior_high": "prev_day_high",
    "prior_low": "prev_day_low", "prior_close": "prev_day_close", "prior_day_open":
    "prev_day_open", "prior_day_high": "prev_day_high", "prior_day_low": "prev_day_low",
    "prior_day_close": "prev_day_close", "previous_day_high": "prev_day_high",
    "previous_day_low": "prev_day_low", "previous_day_close": "prev_day_close",
    "prior_week_high": "prev_week_high", "prior_week_low": "prev_week_low",
    "prior_week_close": "prev_week_close", "last_week_high": "prev_week_high",
    "last_week_low": "prev_week_low", "today_open": "day_open", "today_high": "day_high",
    "today_low": "day_low", "open_of_day": "day_open",
    "or_high": "opening_range_high", "or_low": "opening_range_low", "orb_high":
    "opening_range_high", "orb_low": "opening_range_low",
    "pivot_point": "pivot", "r1": "pivot_r1", "r2": "pivot_r2", "r3": "pivot_r3",
    "s1": "pivot_s1", "s2": "pivot_s2", "s3": "pivot_s3",
    "position.entry_price": "entry_price", "position.bars": "bars_held",
    "bars_since_entry": "bars_held", "bars_in_trade": "bars_held",
    "bars_in_position": "bars_held", "position_avg_price": "entry_price",
    "strategy.position_avg_price": "entry_price", "last_entry_price": "entry_price",
    "position.highest_high": "highest_high_since_entry",
    "position.lowest_low": "lowest_low_since_entry",
    "position.highest_close": "highest_close_since_entry",
    "position.lowest_close": "lowest_close_since_entry",
    "high_since_entry": "highest_high_since_entry", "low_since_entry": "lowest_low_since_entry",
    "time.minute": "time", "time.weekday": "weekday", "time.day": "day_of_month",
    "time.month": "month", "time.bar_of_day": "bar_of_day", "dayofweek": "weekday",
    "day_of_week": "weekday", "dayofmonth": "day_of_month", "trading_day":
    "trading_day_of_month", "time.trading_day": "trading_day_of_month",
    "time_of_day": "time",
    "maximum": "max", "minimum": "min", "rolling_max": "highest", "rolling_min": "lowest",
    "percent_change": "roc", "rate_of_change": "roc", "change_percent": "roc",
}  # fmt: skip
"""What a name is called elsewhere (Pine, MQL, freqtrade, TA-Lib) -> the sheet's own name."""

LATER = {
    "at_entry": "values kept from the signal bar", "bars_since": "bars since a condition",
    "barssince": "bars since a condition", "value_when": "the value when something held",
    "valuewhen": "the value when something held", "highest_since": "the extreme since something",
    "lowest_since": "the extreme since something", "count": "how often something held",
    "last_trading_day_of_month": "days counted from the exchange's calendar",
    "trading_days_left_in_month": "days counted from the exchange's calendar",
    "is_last_trading_day": "days counted from the exchange's calendar",
    "iff": "a choice of two values", "choose": "a choice of two values",
    "kama": "Kaufman's average", "zlema": "the zero-lag average", "alma": "the Arnaud average",
    "linreg": "linear regression", "lsma": "linear regression", "trix": "TRIX",
    "ultimate_oscillator": "the ultimate oscillator", "vortex": "Vortex",
    "chandelier": "the chandelier exit", "awesome_oscillator": "the awesome oscillator",
    "ao": "the awesome oscillator", "cmf": "Chaikin money flow", "cmo": "Chande momentum",
    "ppo": "the percentage price oscillator", "dpo": "the detrended price oscillator",
    "pivothigh": "swing points", "pivotlow": "swing points", "pivot_high": "swing points",
    "pivot_low": "swing points", "swing_high": "swing points", "swing_low": "swing points",
    "fractal": "swing points", "security": "another timeframe or symbol",
    "request.security": "another timeframe or symbol", "median": "the rolling median",
    "percentile": "the rolling percentile", "percent_rank": "the percent rank",
    "percentrank": "the percent rank", "correlation": "correlation", "variance": "the variance",
    "sum": "a rolling sum", "cum": "a running sum", "average_price": "the average entry price",
    "last_trade": "the last trade's result", "profit": "the open profit",
    "open_profit": "the open profit", "equity": "the account in a rule",
    "tick_size": "the size of a tick", "mintick": "the size of a tick", "syminfo.mintick":
    "the size of a tick", "consecutive_losses": "the last trades' results",
    "streak": "streaks of closes", "hour": "the hour alone", "minute": "the minute alone",
    "second": "seconds", "week": "the week of the year", "year": "the year",
    "quarter": "the quarter",
}  # fmt: skip
"""Known, and not built yet. A reader must never call them unknown."""
MANY = {
    "ma": ("sma", "ema"), "average": ("sma", "ema"), "moving_average": ("sma", "ema"),
    "avg": ("sma", "ema"), "pct_change": ("roc",), "change": ("roc", "momentum"),
    "bollinger": ("bb_lower", "bb_middle", "bb_upper"), "high_low": ("highest", "lowest"),
    "donchian": ("donchian_upper", "donchian_lower"), "aroon": ("aroon_up", "aroon_down"),
    "keltner": ("keltner_upper", "keltner_lower"), "stochastic": ("stoch_k", "stoch_d"),
    "stochastic_rsi": ("stoch_rsi_k", "stoch_rsi_d"), "adr": ("atr",),
    "ichimoku": ("ichimoku_tenkan", "ichimoku_kijun", "ichimoku_span_a", "ichimoku_span_b"),
    "pivots": ("pivot", "pivot_r1", "pivot_s1"), "heikin_ashi": ("ha_close", "ha_open"),
    "prior_day": ("prev_day_high", "prev_day_low", "prev_day_close"),
    "prior_week": ("prev_week_high", "prev_week_low", "prev_week_close"),
    "this_day": ("day_open", "day_high", "day_low"),
    "opening_range": ("opening_range_high", "opening_range_low"),
}  # fmt: skip
"""A word that does not say which of several is meant."""
INSTEAD = {
    "at_entry": "the value on the signal bar cannot be kept for later bars yet",
    "hour": "write the time of day, as in `time >= 10:00` or `time between 10:00 and 11:00`",
    "minute": "write the time of day, as in `time >= 10:30`",
    "sum": "an average says the same with another level, as in `sma(volume, 20)`",
}
LATER_STATEMENTS = {
    "zone": "time zones", "timezone": "time zones", "data": "a choice of data",
    "inputs": "inputs that are tried with several values",
    "input": "inputs that are tried with several values", "order": "orders good for several bars",
    "cancel": "orders that are cancelled at a time", "rebalance": "rebalancing",
    "add": "adding to a position with another size", "scale": "scaling in and out",
    "pyramiding": "adding to a position", "oco": "orders that cancel each other",
    "grid": "grids", "range": "named ranges of time", "place": "resting orders",
    "fill": "fills elsewhere than at the next open", "oca": "orders that cancel each other",
    "hedge": "several positions in both directions", "portfolio": "several symbols",
    "universe": "several symbols", "benchmark": "benchmarks", "leverage": "leverage",
    "margin": "margin", "allow": "settings of the account", "fee": "fees by another name",
}  # fmt: skip
"""Statements that are known and not built yet."""
SETTING_ORDER = {"opening_range": ("minutes", "start")}
"""Where the settings stand in another order than in the code."""
MONEY = "AUD|CAD|CHF|EUR|GBP|JPY|NZD|USD"
CURRENCY_PAIR = re.compile(f"({MONEY}){{2}}")
PAIR_OR_METAL = re.compile(f"({MONEY}|XAU|XAG){{2}}")
TIMEFRAMES = {
    "M1": ("m1", "1m", "1min", "1 minute"), "M5": ("m5", "5m", "5min", "5 minutes", "5"),
    "M15": ("m15", "15m", "15min", "15 minutes", "15"),
    "M30": ("m30", "30m", "30min", "30 minutes", "30"),
    "H1": ("h1", "1h", "60m", "60", "hourly", "1 hour"), "H4": ("h4", "4h", "240", "4 hours"),
    "D1": ("d1", "1d", "d", "daily", "day", "1 day"),
    "W1": ("w1", "1w", "w", "weekly", "week", "1 week"),
}  # fmt: skip
MINUTES = {"M1": 1, "M5": 5, "M15": 15, "M30": 30, "H1": 60, "H4": 240}
SETTINGS = {
    "timeperiod": "length", "period": "length", "window": "length", "len": "length",
    "bars": "length", "n": "length", "std": "width", "nbdev": "width", "nbdevup": "width",
    "mult": "width", "multiplier": "width", "factor": "width", "stdev": "width", "fastperiod":
    "fast", "slowperiod": "slow", "signalperiod": "signal", "smooth_k": "smooth", "smooth_d":
    "signal", "acceleration": "step", "maximum": "cap", "max": "cap",
}  # fmt: skip
"""What a setting is called elsewhere -> its name here."""
SMOOTHINGS = {
    "wilder": "Wilder", "rma": "Wilder", "smma": "Wilder", "simple": "simple", "sma": "simple",
    "exponential": "exponential", "ema": "exponential",
}  # fmt: skip
