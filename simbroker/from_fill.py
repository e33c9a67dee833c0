"""Stops and targets that are measured from the price of the fill: the seven order keys for them.

    sl_percent, tp_percent    so many percent of the fill
    sl_distance, tp_distance  so far from the fill, in price
    tp_r                      so many times as far from the fill as the stop then is
    sl_fixed, tp_fixed        the nearest of the other levels, which do not move

`sl` and `tp` stay in the order as absolute prices, worked out from the close of the signal bar or
from the limit price: they protect the position at a broker that does not know these keys. One that
does puts the nearest of the levels above in their place as soon as the fill is known, and nothing
but the new levels counts from the fill on, in the bar of the fill too. So a gap beyond the old
stop does not end a position whose new stop is not reached. The size was worked out from the old
stop, when the order was sent, and stays. A level that is not above zero moves nothing.

The rules are plain functions of numbers, as in `fills.py`: the kernel compiles them.
"""

from typing import NamedTuple

from simbroker.fills import NAN


class FromFill(NamedTuple):
    """The seven keys of one order; NaN is none."""

    sl_percent: float = NAN
    sl_distance: float = NAN
    sl_fixed: float = NAN
    tp_percent: float = NAN
    tp_distance: float = NAN
    tp_r: float = NAN
    tp_fixed: float = NAN


KEYS = frozenset(FromFill._fields)


def levels(
    side: int, fill: float, sl: float, tp: float, given: FromFill | None
) -> tuple[float, float]:
    """Stop and target of a position that was filled at this price."""
    if given is None:
        return sl, tp
    stop = moved_stop(side, fill, sl, given.sl_percent, given.sl_distance, given.sl_fixed)
    return stop, moved_target(side, fill, stop, tp, given.tp_percent, given.tp_distance, given.tp_r,
                              given.tp_fixed)  # fmt: skip


def moved_stop(
    side: int, fill: float, sl: float, percent: float, distance: float, fixed: float
) -> float:
    if percent != percent and distance != distance:
        return sl
    level = nearer(side, fixed, fill * (1.0 - side * percent / 100.0))
    level = nearer(side, level, fill - side * distance)
    return level if level > 0.0 else sl


def moved_target(
    side: int, fill: float, stop: float, tp: float, percent: float, distance: float, r: float,
    fixed: float,
) -> float:  # fmt: skip
    if percent != percent and distance != distance and r != r:
        return tp
    level = nearer(-side, fixed, fill * (1.0 + side * percent / 100.0))
    level = nearer(-side, level, fill + side * distance)
    level = nearer(-side, level, fill + side * r * abs(fill - stop))
    return level if level > 0.0 else tp


def nearer(way: int, one: float, other: float) -> float:
    """Of two levels the higher one (`way` 1) or the lower one (-1). NaN is none."""
    if one != one or way * (other - one) > 0.0:
        return other
    return one
