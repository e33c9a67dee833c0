"""Every indicator that a contract may name: parameters with their usual values, and outputs."""

from __future__ import annotations

from dataclasses import dataclass

VALUE = ("value",)


@dataclass(frozen=True)
class Kind:
    """`reads` "source" takes any series; the others take columns of the bars themselves."""

    label: str
    parameters: dict[str, float]
    outputs: tuple[str, ...] = VALUE
    reads: str = "source"
    smoothing: str = ""
    names: tuple[str, ...] = ()
    """How a sheet spells each output, where it is not the kind's own name."""

    def series(self, kind: str) -> tuple[str, ...]:
        """The name of each output in a sheet."""
        if self.names:
            return self.names
        return (kind,) if len(self.outputs) == 1 else tuple(f"{kind}_{o}" for o in self.outputs)


def _average(label: str) -> Kind:
    return Kind(label, {"length": 20})


KINDS: dict[str, Kind] = {
    "sma": _average("simple moving average"),
    "ema": _average("exponential moving average"),
    "rma": _average("Wilder's moving average"),
    "wma": _average("weighted moving average"),
    "hma": _average("Hull moving average"),
    "dema": _average("double exponential moving average"),
    "tema": _average("triple exponential moving average"),
    "vwma": Kind("volume-weighted moving average", {"length": 20}, reads="close, volume"),
    "highest": _average("highest"),
    "lowest": _average("lowest"),
    "stdev": _average("standard deviation"),
    "zscore": _average("z-score"),
    "roc": Kind("rate of change in percent", {"length": 10}),
    "momentum": Kind("momentum", {"length": 10}),
    "rsi": Kind("RSI", {"length": 14}, smoothing="Wilder"),
    "stochastic_rsi": Kind(
        "stochastic RSI",
        {"length": 14, "window": 14, "smooth": 3, "signal": 3},
        ("k", "d"),
        names=("stoch_rsi_k", "stoch_rsi_d"),
    ),
    "macd": Kind(
        "MACD",
        {"fast": 12, "slow": 26, "signal": 9},
        ("line", "signal", "histogram"),
        names=("macd", "macd_signal", "macd_histogram"),
    ),
    "bollinger": Kind(
        "Bollinger Bands",
        {"length": 20, "width": 2},
        ("lower", "middle", "upper", "percent", "bandwidth"),
        names=("bb_lower", "bb_middle", "bb_upper", "bb_percent", "bb_width"),
    ),
    "atr": Kind("ATR", {"length": 14}, reads="high, low, close", smoothing="Wilder"),
    "range": Kind("range of the bar", {}, reads="high, low"),
    "true_range": Kind("true range", {}, reads="high, low, close"),
    "donchian": Kind("Donchian channel", {"length": 20}, ("lower", "middle", "upper"), "high, low"),
    "keltner": Kind(
        "Keltner channel",
        {"length": 20, "width": 2, "atr_length": 10},
        ("lower", "middle", "upper"),
        "high, low, close",
        smoothing="Wilder",
    ),
    "stochastic": Kind(
        "stochastic",
        {"length": 14, "smooth": 3, "signal": 3},
        ("k", "d"),
        "high, low, close",
        names=("stoch_k", "stoch_d"),
    ),
    "cci": Kind("CCI", {"length": 20}, reads="high, low, close"),
    "williams_r": Kind("Williams %R", {"length": 14}, reads="high, low, close"),
    "mfi": Kind("money flow index", {"length": 14}, reads="high, low, close, volume"),
    "adx": Kind(
        "ADX",
        {"length": 14},
        ("adx", "plus", "minus"),
        "high, low, close",
        smoothing="Wilder",
        names=("adx", "plus_di", "minus_di"),
    ),
    "aroon": Kind("Aroon", {"length": 25}, ("up", "down"), "high, low"),
    "supertrend": Kind(
        "Supertrend",
        {"length": 10, "width": 3},
        ("direction", "line"),
        "high, low, close",
        smoothing="Wilder",
        names=("supertrend_direction", "supertrend"),
    ),
    "psar": Kind(
        "Parabolic SAR",
        {"step": 0.02, "cap": 0.2},
        ("sar", "direction"),
        "high, low",
        names=("psar", "psar_direction"),
    ),
    "ichimoku": Kind(
        "Ichimoku",
        {"tenkan": 9, "kijun": 26, "senkou": 52, "shift": 26},
        ("tenkan", "kijun", "span_a", "span_b"),
        "high, low",
    ),
    "vwap": Kind("VWAP since the day began", {}, reads="high, low, close, volume, day"),
    "obv": Kind("on-balance volume", {}, reads="close, volume"),
    "pivots": Kind(
        "pivot points of the day before",
        {},
        ("pivot", "r1", "r2", "r3", "s1", "s2", "s3"),
        "high, low, close, day",
        names=("pivot", "pivot_r1", "pivot_r2", "pivot_r3", "pivot_s1", "pivot_s2", "pivot_s3"),
    ),
    "prior_day": Kind(
        "the day before",
        {},
        ("open", "high", "low", "close"),
        "open, high, low, close, day",
        names=("prev_day_open", "prev_day_high", "prev_day_low", "prev_day_close"),
    ),
    "prior_week": Kind(
        "the week before",
        {},
        ("open", "high", "low", "close"),
        "open, high, low, close, day",
        names=("prev_week_open", "prev_week_high", "prev_week_low", "prev_week_close"),
    ),
    "this_day": Kind(
        "the day so far",
        {},
        ("open", "high", "low"),
        "open, high, low, day",
        names=("day_open", "day_high", "day_low"),
    ),
    "opening_range": Kind(
        "opening range", {"start": -1, "minutes": 30}, ("high", "low"), "high, low, day"
    ),
    "heikin_ashi": Kind(
        "Heikin-Ashi",
        {},
        ("open", "high", "low", "close"),
        "open, high, low, close",
        names=("ha_open", "ha_high", "ha_low", "ha_close"),
    ),
}
"""`opening_range`: the bars of this day stamped from `start` (a minute of the day, -1 is the day's
first bar) for `minutes`; nothing before it is complete. `direction` is 1 up and -1 down. Cloud
spans are those drawn under the current bar. `percent` is %b, 0 at the lower band and 1 at the
upper; `bandwidth` is the width of the bands divided by the middle. A kind with a `smoothing` may
also be simple or exponential; for a channel that is the average of its ATR."""
