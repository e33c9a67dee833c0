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
    definition: str = ""
    """How it is worked out; n is the length. Pages and prompts take it from here."""

    def series(self, kind: str) -> tuple[str, ...]:
        """The name of each output in a sheet."""
        if self.names:
            return self.names
        return (kind,) if len(self.outputs) == 1 else tuple(f"{kind}_{o}" for o in self.outputs)


def _average(label: str, definition: str) -> Kind:
    return Kind(label, {"length": 20}, definition=definition)


KINDS: dict[str, Kind] = {
    "sma": _average("simple moving average", "mean of the last n values"),
    "ema": _average(
        "exponential moving average",
        "from the mean of the first n values on: old + 2/(n+1) * (value - old)",
    ),
    "rma": _average(
        "Wilder's moving average",
        "from the mean of the first n values on: old + 1/n * (value - old)",
    ),
    "wma": _average(
        "weighted moving average", "weights 1 to n, the newest value n, divided by their sum"
    ),
    "hma": _average(
        "Hull moving average", "wma(sqrt(n)) of 2 * wma(n/2) - wma(n); half and root rounded down"
    ),
    "dema": _average("double exponential moving average", "2 * ema - ema of ema"),
    "tema": _average(
        "triple exponential moving average", "3 * ema - 3 * ema of ema + ema of ema of ema"
    ),
    "vwma": Kind(
        "volume-weighted moving average",
        {"length": 20},
        reads="close, volume",
        definition="sum of close * volume divided by sum of volume",
    ),
    "highest": _average("highest", "largest of the last n values, this bar included"),
    "lowest": _average("lowest", "smallest of the last n values, this bar included"),
    "stdev": _average("standard deviation", "of the population: divided by n, not by n - 1"),
    "zscore": _average("z-score", "(value - sma) / stdev, both over n"),
    "roc": Kind(
        "rate of change in percent",
        {"length": 10},
        definition="100 * (value / value n bars ago - 1)",
    ),
    "momentum": Kind("momentum", {"length": 10}, definition="value - value n bars ago"),
    "rsi": Kind(
        "RSI",
        {"length": 14},
        smoothing="Wilder",
        definition="100 * gain / (gain + loss), averages of the rises and falls from bar to bar",
    ),
    "stochastic_rsi": Kind(
        "stochastic RSI",
        {"length": 14, "window": 14, "smooth": 3, "signal": 3},
        ("k", "d"),
        names=("stoch_rsi_k", "stoch_rsi_d"),
        definition=(
            "place of RSI(length, Wilder) between its lowest (0) and highest (100) of window "
            "bars; k is the sma of that over smooth, d the sma of k over signal"
        ),
    ),
    "macd": Kind(
        "MACD",
        {"fast": 12, "slow": 26, "signal": 9},
        ("line", "signal", "histogram"),
        names=("macd", "macd_signal", "macd_histogram"),
        definition="line ema(fast) - ema(slow), signal its ema, histogram line - signal",
    ),
    "bollinger": Kind(
        "Bollinger Bands",
        {"length": 20, "width": 2},
        ("lower", "middle", "upper", "percent", "bandwidth"),
        names=("bb_lower", "bb_middle", "bb_upper", "bb_percent", "bb_width"),
        definition=(
            "middle sma; bands width deviations (population) away; percent 0 at the lower, 1 "
            "at the upper band; width (upper - lower) / middle"
        ),
    ),
    "atr": Kind(
        "ATR",
        {"length": 14},
        reads="high, low, close",
        smoothing="Wilder",
        definition="average of the true range, from the second bar on",
    ),
    "range": Kind("range of the bar", {}, reads="high, low", definition="high - low"),
    "true_range": Kind(
        "true range",
        {},
        reads="high, low, close",
        definition="larger of high and close before - smaller of low and close before",
    ),
    "donchian": Kind(
        "Donchian channel",
        {"length": 20},
        ("lower", "middle", "upper"),
        "high, low",
        definition="lowest low, highest high, this bar included; middle half way",
    ),
    "keltner": Kind(
        "Keltner channel",
        {"length": 20, "width": 2, "atr_length": 10},
        ("lower", "middle", "upper"),
        "high, low, close",
        smoothing="Wilder",
        definition=(
            "middle ema of the close; bands width ATR(atr_length) away; a smoothing is the ATR's"
        ),
    ),
    "stochastic": Kind(
        "stochastic",
        {"length": 14, "smooth": 3, "signal": 3},
        ("k", "d"),
        "high, low, close",
        names=("stoch_k", "stoch_d"),
        definition=(
            "100 * (close - lowest low) / (highest high - lowest low) over length; k is the "
            "sma of that over smooth, d the sma of k over signal"
        ),
    ),
    "cci": Kind(
        "CCI",
        {"length": 20},
        reads="high, low, close",
        definition="(h+l+c)/3 less its sma, divided by 0.015 * mean absolute deviation",
    ),
    "williams_r": Kind(
        "Williams %R",
        {"length": 14},
        reads="high, low, close",
        definition="100 * (close - highest high) / (highest high - lowest low), from -100 to 0",
    ),
    "mfi": Kind(
        "money flow index",
        {"length": 14},
        reads="high, low, close, volume",
        definition=(
            "100 * up / (up + down), sums of (h+l+c)/3 * volume of the bars on which "
            "(h+l+c)/3 rose or fell"
        ),
    ),
    "adx": Kind(
        "ADX",
        {"length": 14},
        ("adx", "plus", "minus"),
        "high, low, close",
        smoothing="Wilder",
        names=("adx", "plus_di", "minus_di"),
        definition=(
            "of rise of the high and fall of the low the larger counts, if above 0; plus, "
            "minus 100 * its average / ATR; adx the average of 100 * abs(plus - minus) / "
            "(plus + minus)"
        ),
    ),
    "aroon": Kind(
        "Aroon",
        {"length": 25},
        ("up", "down"),
        "high, low",
        definition=(
            "100 * (n - bars since the highest high, or lowest low, of n + 1 bars) / n; of "
            "equal ones the newest"
        ),
    ),
    "supertrend": Kind(
        "Supertrend",
        {"length": 10, "width": 3},
        ("direction", "line"),
        "high, low, close",
        smoothing="Wilder",
        names=("supertrend_direction", "supertrend"),
        definition=(
            "(high + low) / 2 and width ATR away; the lower band never falls unless the close"
            " before is below it, the upper never rises unless it is above; turns when a close is "
            "beyond the other band of the bar before; begins up; direction 1 up, -1 down"
        ),
    ),
    "psar": Kind(
        "Parabolic SAR",
        {"step": 0.02, "cap": 0.2},
        ("sar", "direction"),
        "high, low",
        names=("psar", "psar_direction"),
        definition=(
            "moves step of the way to the extreme, by step more with each new extreme up to "
            "cap, never into the two bars before; turns when touched; begins on the second "
            "bar at the first one's low, or its high where the low fell more than the high "
            "rose; direction 1 up, -1 down"
        ),
    ),
    "ichimoku": Kind(
        "Ichimoku",
        {"tenkan": 9, "kijun": 26, "senkou": 52, "shift": 26},
        ("tenkan", "kijun", "span_a", "span_b"),
        "high, low",
        definition=(
            "half way between highest high and lowest low of so many bars; span_a half way "
            "between tenkan and kijun, span_b of senkou bars, both of shift bars ago: those "
            "drawn under this bar"
        ),
    ),
    "vwap": Kind(
        "VWAP since the day began",
        {},
        reads="high, low, close, volume, day",
        definition="sums of the date so far: (h+l+c)/3 * volume, divided by volume",
    ),
    "obv": Kind(
        "on-balance volume",
        {},
        reads="close, volume",
        definition="from the first bar's volume: plus volume on a higher close, minus on a lower",
    ),
    "pivots": Kind(
        "pivot points of the day before",
        {},
        ("pivot", "r1", "r2", "r3", "s1", "s2", "s3"),
        "high, low, close, day",
        names=("pivot", "pivot_r1", "pivot_r2", "pivot_r3", "pivot_s1", "pivot_s2", "pivot_s3"),
        definition=(
            "p = (h+l+c)/3 of the date before; r1 2p - l, r2 p + (h - l), r3 h + 2(p - l); s1"
            " 2p - h, s2 p - (h - l), s3 l - 2(h - p)"
        ),
    ),
    "prior_day": Kind(
        "the day before",
        {},
        ("open", "high", "low", "close"),
        "open, high, low, close, day",
        names=("prev_day_open", "prev_day_high", "prev_day_low", "prev_day_close"),
        definition="of the last earlier date that has bars",
    ),
    "prior_week": Kind(
        "the week before",
        {},
        ("open", "high", "low", "close"),
        "open, high, low, close, day",
        names=("prev_week_open", "prev_week_high", "prev_week_low", "prev_week_close"),
        definition="of the last earlier week that has bars, Monday to Sunday",
    ),
    "this_day": Kind(
        "the day so far",
        {},
        ("open", "high", "low"),
        "open, high, low, day",
        names=("day_open", "day_high", "day_low"),
        definition="of the date so far, this bar included",
    ),
    "opening_range": Kind(
        "opening range",
        {"start": -1, "minutes": 30},
        ("high", "low"),
        "high, low, day",
        definition=(
            "of the date's bars stamped from start (without one: the first bar) for so many "
            "minutes; known from the first bar stamped after them"
        ),
    ),
    "heikin_ashi": Kind(
        "Heikin-Ashi",
        {},
        ("open", "high", "low", "close"),
        "open, high, low, close",
        names=("ha_open", "ha_high", "ha_low", "ha_close"),
        definition=(
            "close (o+h+l+c)/4; open half way between open and close of the Heikin-Ashi bar "
            "before, at first of the bar's own; high and low include both"
        ),
    ),
}
"""A kind with a `smoothing` may also be simple or exponential; for a channel that is the average of
its ATR. A `start` of -1 is the day's first bar, else a minute of the day."""
