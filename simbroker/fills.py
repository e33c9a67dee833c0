"""The fill rules as plain functions of numbers: the one truth behind both paths.

The callback path (`broker.py`) calls these as Python, the array path (`kernel.py`) compiles the
very same functions. A price that is not there (no stop, no target, no limit) is NaN, because every
comparison with NaN is false: that is how an absent stop is never hit.
"""

import math

NAN = float("nan")
NOTHING, STOP, TARGET = 0, 1, 2
FINE, BAD_VOLUME, TOO_LARGE, STOP_SIDE, TARGET_SIDE, STOP_BEYOND_TARGET = 0, 1, 2, 3, 4, 5
LARGEST_NOTIONAL = 1e15


def to_money(amount: float) -> float:
    """Book on a grid of 1e-8, so that booked amounts add up exactly where a float can hold them.

    Not on cents: one unit of EURUSD moves by a hundredth of a cent, and it must not vanish.
    Not `round`: Python, numpy and compiled code disagree about it; floor is the same everywhere.
    """
    return math.floor(amount * 1e8 + 0.5) / 1e8


def limit_fill(side: int, limit: float, first: float, high: float, low: float) -> tuple[float, int]:
    """The price of a limit order in this bar (NaN: not reached), and 1 if it filled inside the bar.

    An open that is better than the limit is the price; otherwise the limit itself.
    """
    if side > 0:
        if low > limit:
            return NAN, 0
        if first <= limit:
            return first, 0
    else:
        if high < limit:
            return NAN, 0
        if first >= limit:
            return first, 0
    return limit, 1


def exit_fill(
    side: int, first: float, high: float, low: float, sl: float, tp: float
) -> tuple[int, float]:
    """What ends a position in this bar, and at which price.

    First the open: beyond the stop or the target it fills there. Then the stop, then the target:
    nobody knows which came first inside a bar, so the worse is taken.
    `first` is the open, or the fill price if the position was opened inside this bar.
    """
    if side > 0:
        if first <= sl:
            return STOP, first
        if first >= tp:
            return TARGET, first
        if low <= sl:
            return STOP, sl
        if high >= tp:
            return TARGET, tp
    else:
        if first >= sl:
            return STOP, first
        if first <= tp:
            return TARGET, first
        if high >= sl:
            return STOP, sl
        if low <= tp:
            return TARGET, tp
    return NOTHING, NAN


def size_fault(volume: float, notional: float) -> int:
    """Why this size cannot be traded: not a positive number, or beyond what can be counted."""
    if not (volume > 0.0 and volume < math.inf):
        return BAD_VOLUME
    if not notional < LARGEST_NOTIONAL:
        return TOO_LARGE
    return FINE


def level_fault(side: int, low: float, high: float, sl: float, tp: float) -> int:
    """Why stop and target cannot belong to this order.

    `low` and `high` are where the order may fill as far as anybody knows: the limit price, or the
    range of the bar that was decided on. A stop beyond all of it is on the wrong side. A stop
    between the close and the end of the bar is not refused: the next open may well be beyond it.
    """
    if side > 0:
        if sl > high:
            return STOP_SIDE
        if tp < low:
            return TARGET_SIDE
        if sl >= tp:
            return STOP_BEYOND_TARGET
    else:
        if sl < low:
            return STOP_SIDE
        if tp > high:
            return TARGET_SIDE
        if sl <= tp:
            return STOP_BEYOND_TARGET
    return FINE


def commission(
    per_trade: float, per_unit: float, percent: float, units: float, price: float, entering: int
) -> float:
    """Per unit and percent on both fills, per trade once, when it is opened."""
    fee = per_unit * units + percent / 100.0 * price * units
    if entering:
        fee += per_trade
    return fee


def half_spread(spread: float, units: float) -> float:
    """On every fill: bars have one price, and a trade crosses half the spread to reach it."""
    return spread / 2.0 * units


def slip(fixed: float, percent_of_range: float, units: float, bar_range: float) -> float:
    """Only for fills that take the market: a limit or a target gets its price or none."""
    return (fixed + percent_of_range / 100.0 * bar_range) * units
