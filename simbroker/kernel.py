"""The array path's loop over bars: the rules of `fills.py` on rows of numbers, ready to compile.

Written so that the same lines run as Python and, where numba is installed (the extra `fast`),
compiled. A row of `slots` is an open position, a row of `out` a trade; the columns are named below.
"""

import functools
import importlib
import importlib.util
from collections.abc import Callable
from types import FunctionType

import numpy as np

from simbroker.fills import (
    NAN,
    NOTHING,
    TARGET,
    commission,
    exit_fill,
    half_spread,
    level_fault,
    limit_fill,
    size_fault,
    slip,
    to_money,
)
from simbroker.from_fill import moved_stop, moved_target, nearer
from simbroker.run import Floats, Integers

SIDE, ENTRY, UNITS, VOLUME, SL, TP, SIGNAL, IDX, NUMBER, HIGH, LOW, INSIDE, LEAVING = range(13)
PAID = 13  # three columns: commission, spread, slippage of the entry
SLOT = 16
EXIT_IDX, EXIT, KIND, EXIT_PAID = 16, 17, 18, 19
ROW = 22
BY_SIGNAL, AT_END = 3, 4

Table = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]
Simulate = Callable[..., tuple[int, int]]


def charge(
    costs: Floats, price: float, units: float, wide: float, takes: bool, entering: int, row: Floats
) -> float:
    """Write the three charges of a fill into the row and return their sum."""
    row[0] = to_money(commission(costs[0], costs[1], costs[2], units, price, entering))
    row[1] = to_money(half_spread(costs[3], units))
    row[2] = to_money(slip(costs[4], costs[5], units, wide)) if takes else 0.0
    return float(row[0] + row[1] + row[2])


def close_slot(
    slots: Table, k: int, held: int, i: int, price: float, kind: int, wide: float, costs: Floats,
    trade: Floats, balance: float,
) -> float:  # fmt: skip
    """Book slot `k` as a trade, move the later slots up and return the new balance."""
    trade[:SLOT] = slots[k]
    trade[EXIT_IDX], trade[EXIT], trade[KIND] = i, price, kind
    units = slots[k, UNITS]
    paid = charge(costs, price, units, wide, kind != TARGET, 0, trade[EXIT_PAID:])
    gross = to_money(slots[k, SIDE] * (price - slots[k, ENTRY]) * units)
    for later in range(k + 1, held):
        slots[later - 1] = slots[later]
    return to_money(balance + gross - paid)


def slot_exit(
    slot: Floats, first: float, high: float, low: float, close: float
) -> tuple[int, float]:
    """What ends this position in this bar; what does not is noted as its high and low so far."""
    inside, side = slot[INSIDE] > 0.0, 1 if slot[SIDE] > 0.0 else -1
    slot[INSIDE] = 0.0
    if inside:
        kind, price = exit_fill(side, slot[ENTRY], high, low, slot[SL], NAN)
        high, low = (close, low) if side > 0 else (high, close)
    else:
        kind, price = exit_fill(side, first, high, low, slot[SL], slot[TP])
    if kind == NOTHING:
        slot[HIGH], slot[LOW] = max(slot[HIGH], high), min(slot[LOW], low)
    return kind, price


def free_money(balance: float, mark: float, slots: Table, held: int, leverage: float) -> float:
    """Equity at this price, less the margin of what stays."""
    free = balance
    for k in range(held):
        free += slots[k, SIDE] * (mark - slots[k, ENTRY]) * slots[k, UNITS]
    for k in range(held):
        if slots[k, LEAVING] == 0.0:
            free -= slots[k, ENTRY] * slots[k, UNITS] / leverage
    return float(free)


def order_fault(order: Floats, limit: float, high: float, low: float, close: float) -> int:
    """Why the broker would not take this order, levels and size only."""
    price, top, bottom = close, high, low
    if limit == limit:
        price, top, bottom = limit, limit, limit
    fault = size_fault(order[VOLUME], price * order[UNITS])
    if fault == 0:
        fault = level_fault(1 if order[SIDE] > 0.0 else -1, bottom, top, order[SL], order[TP])
    return fault


def move_levels(order: Floats, given: Floats) -> None:
    """Stop and target from the fill, by the seven numbers of `from_fill.py`."""
    side, fill = 1 if order[SIDE] > 0.0 else -1, order[ENTRY]
    order[SL] = moved_stop(side, fill, order[SL], given[0], given[1], given[2])
    order[TP] = moved_target(
        side, fill, order[SL], order[TP], given[3], given[4], given[5], given[6]
    )


def simulate(
    o: Floats, h: Floats, l: Floats, c: Floats,  # noqa: E741
    asked: Integers, sides: Floats, limits: Floats, sls: Floats, tps: Floats, volumes: Floats,
    from_fill: Table, good_for: int, exit_long: Flags, exit_short: Flags, start: int,
    balance: float, leverage: float, size: float, max_positions: int, costs: Floats,
    equity: Floats, out: Table,
) -> tuple[int, int]:  # fmt: skip
    """Fill `equity` and `out`; return how many trades there were, and how many refused orders.

    `asked` are the bars with an entry signal. The order columns run along it, or have one entry
    that serves all. Nothing is decided before `start` or on the last bar.
    """
    n, many = len(o), len(asked)
    slots, order = np.empty((max_positions, SLOT)), np.empty(SLOT)
    held, working, bars_left, limit, row = 0, False, 0, NAN, 0
    trades, refused, numbers, p, i = 0, 0, 0, 0, 0
    while p < many and asked[p] < start:
        p += 1
    while i < n:
        if held == 0 and not working:  # flat: nothing happens before the next signal
            while p < many and asked[p] < i:
                p += 1
            j = asked[p] if p < many else n - 1
            equity[i:j] = balance
            i = j
        wide = h[i] - l[i]
        k = 0
        while k < held:  # the open: first the exits decided on the last close ...
            if slots[k, LEAVING] > 0.0:
                balance = close_slot(
                    slots, k, held, i, o[i], BY_SIGNAL, wide, costs, out[trades], balance
                )
                trades, held = trades + 1, held - 1
            else:
                k += 1
        if working:  # ... then the order
            price, inside = o[i], 0
            if limit == limit:
                side = 1 if order[SIDE] > 0.0 else -1
                price, inside = limit_fill(side, limit, o[i], h[i], l[i])
            if price != price:
                bars_left -= 1
                working = bars_left > 0
            else:
                working = False
                free = free_money(balance, o[i], slots, held, leverage)
                if price * order[UNITS] / leverage <= free:
                    paid = charge(costs, price, order[UNITS], wide, limit != limit, 1, order[PAID:])
                    balance = to_money(balance - paid)
                    order[ENTRY], order[IDX], order[INSIDE] = price, i, inside
                    order[HIGH], order[LOW] = price, price
                    move_levels(order, from_fill[row])
                    slots[held] = order
                    held += 1
                else:
                    refused += 1
        k = 0
        while k < held:  # inside the bar: stops and targets
            kind, price = slot_exit(slots[k], o[i], h[i], l[i], c[i])
            if kind != NOTHING:
                balance = close_slot(
                    slots, k, held, i, price, kind, wide, costs, out[trades], balance
                )
                trades, held = trades + 1, held - 1
            else:
                k += 1
        equity[i] = balance
        for k in range(held):
            equity[i] += slots[k, SIDE] * (c[i] - slots[k, ENTRY]) * slots[k, UNITS]
        if i == n - 1:
            break
        staying = 0  # the close: exits are decided first, then an entry
        for k in range(held):
            leave = exit_long if slots[k, SIDE] > 0.0 else exit_short
            if i >= start and leave[i if len(leave) > 1 else 0]:
                slots[k, LEAVING] = 1.0
            else:
                staying += 1
        while p < many and asked[p] < i:
            p += 1
        wanted = p < many and asked[p] == i and staying < max_positions
        if wanted and working:  # the broker takes one order at a time
            refused += 1
        elif wanted:
            order[SIDE] = sides[p]
            order[VOLUME] = volumes[p if len(volumes) > 1 else 0]
            order[UNITS] = order[VOLUME] * size
            order[SL] = sls[p if len(sls) > 1 else 0]
            order[TP] = tps[p if len(tps) > 1 else 0]
            limit = limits[p if len(limits) > 1 else 0]
            against = False
            for k in range(held):
                if slots[k, LEAVING] == 0.0 and slots[k, SIDE] != order[SIDE]:
                    against = True
            price = limit if limit == limit else c[i]
            fault = order_fault(order, limit, h[i], l[i], c[i])
            free = free_money(balance, c[i], slots, held, leverage)
            if fault != 0 or against or not price * order[UNITS] / leverage <= free:
                refused += 1
            else:
                numbers += 1
                order[NUMBER], order[SIGNAL], order[LEAVING] = numbers, i, 0.0
                working, bars_left = True, good_for
                row = p if len(from_fill) > 1 else 0
        if p < many and asked[p] == i:
            p += 1
        i += 1
    if held > 0:
        ending = balance
        for _ in range(held):
            ending = close_slot(
                slots, 0, held, n - 1, c[n - 1], AT_END, h[n - 1] - l[n - 1], costs, out[trades],
                ending,
            )  # fmt: skip
            trades, held = trades + 1, held - 1
        equity[n - 1] = ending
    return trades, refused


COMPILED = (to_money, commission, half_spread, slip, exit_fill, limit_fill, level_fault, size_fault,
            nearer, moved_stop, moved_target, move_levels,
            charge, close_slot, slot_exit, free_money, order_fault, simulate)  # fmt: skip


@functools.cache
def compiled() -> Simulate:
    """`simulate` as machine code where numba is installed (some seconds, once), else as it is.

    Worth it for many runs or millions of bars. Not cached on disk: numba would not notice a change
    in `fills.py`, and a stale rule is worse than a slow start.
    """
    if importlib.util.find_spec("numba") is None:
        return simulate
    jit = importlib.import_module("numba").njit
    known = dict(simulate.__globals__)
    for function in COMPILED:
        known[function.__name__] = jit(
            FunctionType(function.__code__, {**function.__globals__, **known})
        )
    return known["simulate"]  # type: ignore[no-any-return]
