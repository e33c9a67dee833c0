"""Does it do what its contract says? The contract's own meaning against what was decided."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sandbox.levels import KEYS, told
from sandbox.reference import Reference, Unknown
from sandbox.rounding import undecided
from sandbox.since_fill import SinceFill, reads_position
from sandbox.taken import taken
from sandbox.warmup import first_judged
from schemas.contract import Contract, Entry, Side
from schemas.report import FailureClass, Finding
from simbroker.decisions import Decision
from simbroker.run import Run

MOST = 5
ACTION = {Side.LONG: "BUY", Side.SHORT: "SELL"}


Row = tuple[int, str, str]
Held = Sequence[Sequence[Mapping[str, Any]]]


def accept(
    contract: Contract,
    df: pd.DataFrame,
    decisions: Sequence[Decision],
    held: Held,
    bars: str,
    run: Run | None = None,
) -> list[Finding]:
    """The first few bars on which contract and strategy differ. `bars` names the table."""
    found: list[Finding] = []
    try:
        for bar, rule, says in _differences(Reference(contract, df), decisions, held, run):
            found.append(_finding(bar, rule, bars, says))
    except Unknown as told:
        found.insert(0, _unclear(bars, str(told)))
    return found[:MOST]


def _differences(
    r: Reference, decisions: Sequence[Decision], held: Held, run: Run | None
) -> Iterator[Row]:
    start = first_judged(r)
    yield from _entries(r, decisions, start)
    yield from _exits(r, decisions, held, start)
    yield from _orders(r, decisions, start)
    yield from _sizes(r, decisions)
    if run is not None and not run.refused:
        yield from taken(r, run, start)


def _entries(r: Reference, decisions: Sequence[Decision], start: int) -> list[Row]:
    """What depends on earlier trades can only be allowed by the rule here; see `taken`."""
    risk, found = r.contract.risk, []
    if any(reads_position(e.when) for e in r.contract.entries):
        return []
    free = not (risk.cooldown_bars or risk.max_entries_per_day or risk.max_positions > 1)
    wanted = {side: r.entries(side).to_numpy() for side in Side}
    priced = {side: _placeable(r, side) for side in Side}
    ties = np.logical_or.reduce([undecided(r, e.when) for e in r.contract.entries])
    for bar in range(start, len(decisions) - 1):
        if ties[bar]:
            continue
        said = dict(decisions[bar].entry).get("action")
        may = [ACTION[s] for s in Side if wanted[s][bar]]
        must = [ACTION[s] for s in Side if wanted[s][bar] and priced[s][bar]]
        if (said and said not in may) or (free and must and not said):
            expected = " or ".join(may) or "no entry"
            found.append((bar, "entry_differs", f"the contract says {expected}, "
                          f"the strategy says {said or 'no entry'}"))  # fmt: skip
    return found


def _placeable(r: Reference, side: Side) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Bars on which all prices of an order are known and on their sides of the close."""
    fine = np.ones(len(r.df), dtype=bool)
    way, close = (1.0 if side is Side.LONG else -1.0), r.df["Close"].to_numpy(dtype=float)
    for entry in r.contract.entries:
        if entry.side is side:
            prices = {name: s.to_numpy(dtype=float) for name, s in r.prices(entry).items()}
            base = prices.get("price", close)
            fine &= base > 0.0
            fine &= way * (base - prices.get("sl", base - way)) > 0.0
            fine &= way * (prices.get("tp", base + way) - base) > 0.0
            fine &= _reaches(r, entry)
    return fine


def _reaches(r: Reference, entry: Entry) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Bars on which every distance from the fill is above zero."""
    fine = np.ones(len(r.df), dtype=bool)
    for level in (*r.contract.risk.stops, *r.contract.risk.targets):
        far = level.distance
        ours = level.side in (entry.side, None) and level.base == "fill"
        if ours and far is not None and far.unit not in ("percent", "r"):
            fine &= r.reach(far).to_numpy(dtype=float) > 0.0
    return fine


def _exits(r: Reference, decisions: Sequence[Decision], held: Held, start: int) -> list[Row]:
    """Every position that was asked about, real or made up for the question."""
    found: list[Row] = []
    entered = {ACTION[e.side] for e in r.contract.entries}
    lives: dict[tuple[str, int], list[int]] = {}
    asked: dict[tuple[str, int], Mapping[str, Any]] = {}
    for bar in range(start, len(decisions) - 1):
        for position in held[bar]:
            if position["action"] in entered and not decisions[bar].error:
                key = (str(position["position_id"]), int(position["entry_idx"]))
                lives.setdefault(key, []).append(bar)
                asked[key] = position
    for key, bars in lives.items():
        since = SinceFill(r, asked[key], bars[-1])
        wanted, ties = since.leaves(), since.undecided()
        for bar in bars:
            if ties[bar - key[1]]:
                continue
            did = key[0] in {name for name, _ in decisions[bar].exits}
            must, action = bool(wanted[bar - key[1]]), asked[key]["action"]
            if must and not did:
                found.append((bar, "exit_differs", f"the contract closes a {action}, it stays"))
            if did and not must:
                found.append((bar, "exit_differs", f"the contract keeps a {action}, it leaves"))
    return sorted(found)


def _orders(r: Reference, decisions: Sequence[Decision], start: int) -> list[Row]:
    """Kind, limit price, stop and target of each order, by the first rule that holds."""
    found: list[Row] = []
    rules = [(e, r.holds(e.when).to_numpy(), undecided(r, e.when), r.prices(e))
             for e in r.contract.entries if not reads_position(e.when)]  # fmt: skip
    for bar in range(start, len(decisions) - 1):
        order = dict(decisions[bar].entry)
        for entry, holds, tie, prices in rules:
            if tie[bar]:
                break
            if order.get("action") == ACTION[entry.side] and holds[bar]:
                found += _order(r, order, entry, prices, bar)
                break
    return found


def _sizes(r: Reference, decisions: Sequence[Decision]) -> list[Row]:
    """A fixed number of units depends on nothing: each order has it, filled or not."""
    sizing, found = r.contract.risk.sizing, list[Row]()
    if sizing.kind != "fixed_units":
        return found
    for bar, decided in enumerate(decisions):
        told = dict(decided.entry).get("volume")
        if decided.entry and not _agrees(told, float(sizing.amount)):
            says = f"the contract's size is {float(sizing.amount):.6g}, the order's {told}"
            found.append((bar, "size_differs", says))
    return found


def _order(
    r: Reference, order: dict[str, str], entry: Entry, prices: dict[str, pd.Series[float]], bar: int
) -> list[Row]:
    found: list[Row] = []
    wanted = "MARKET" if entry.limit is None else "LIMIT"
    if order.get("type", "MARKET") != wanted:
        found.append((bar, "type_differs", f"the contract wants a {wanted} order"))
    wanted_prices = {name: float(series.iloc[bar]) for name, series in prices.items()}
    wanted_prices |= told(r, entry, bar)
    for name in ("price", "sl", "tp", *KEYS):
        level = wanted_prices.get(name, math.nan)
        if not _agrees(order.get(name), level):
            says = f"the contract's {name} is {level:.6g}, the order's {order.get(name)}"
            found.append((bar, "level_differs", says))
    return found


def _agrees(told: str | None, level: float) -> bool:
    value = float(told) if told not in (None, "None") else 0.0
    if math.isnan(level):
        return value == 0.0
    return math.isclose(value, level, rel_tol=1e-6)


def _finding(bar: int, rule: str, bars: str, says: str) -> Finding:
    return Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule=rule,
        message=f"bar {bar} of {bars}: {says}",
        bar=bar,
        fixture=bars,
        test_name="contract",
        fix="follow the contract, or /revise the plan if the contract is wrong",
    )


def _unclear(bars: str, why: str) -> Finding:
    return Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule="contract_unclear",
        message=f"{bars} could not be judged: the contract cannot be worked out, because of {why}",
        fixture=bars,
        test_name="contract",
        fix="/revise the plan, so that every value in it is defined",
    )
