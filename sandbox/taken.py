"""Were the right trades taken? Each bar of a backtest against the trades before it.

What an entry may depend on is known here as a fact: which positions were open, how earlier ones
ended, how many there were on the day, what the account was worth.
"""

from __future__ import annotations

import math
from typing import Any

from sandbox.levels import after_fill, told
from sandbox.oracle.days import day_number
from sandbox.reference import Reference
from sandbox.rounding import undecided
from sandbox.since_fill import SinceFill, reads_position
from schemas.contract import Entry, Side
from simbroker.fills import FINE, level_fault, limit_fill
from simbroker.positions import Trade
from simbroker.run import Run

Row = tuple[int, str, str]
NAN = math.nan


class Book:
    """The trades of a run, looked at from one bar."""

    def __init__(self, r: Reference, run: Run) -> None:
        self.r, self.trades, self.equity = r, run.trades, run.equity
        self.day = day_number(r.times)
        self.prices = [{n: s.to_numpy(dtype=float) for n, s in r.prices(e).items()}
                       for e in r.contract.entries]  # fmt: skip
        self.rules = [None if reads_position(e.when) else r.holds(e.when).to_numpy()
                      for e in r.contract.entries]  # fmt: skip
        self.ties = [None if reads_position(e.when) else undecided(r, e.when)
                     for e in r.contract.entries]  # fmt: skip
        self.bars: dict[str, Any] = {name: r.df[name].to_numpy(dtype=float) for name in r.df.columns
                                     if name in ("Open", "High", "Low", "Close")}  # fmt: skip

    def staying(self, bar: int) -> list[Trade]:
        """Open on this close, and not closing at the next open."""
        return [t for t in self.trades if t.entry_idx <= bar < t.exit_idx + (t.kind == "open")
                and not (t.kind == "signal" and t.exit_idx == bar + 1)]  # fmt: skip

    def expected(self, bar: int) -> int | None:
        """Which entry of the contract must be ordered on this close."""
        risk, staying = self.r.contract.risk, self.staying(bar)
        if len(staying) >= risk.max_positions or not self.rested(bar):
            return None
        today = sum(self.day[t.signal_idx] == self.day[bar] for t in self.trades
                    if t.signal_idx < bar)  # fmt: skip
        if risk.max_entries_per_day is not None and today >= risk.max_entries_per_day:
            return None
        for n, entry in enumerate(self.r.contract.entries):
            if self.holds(n, entry, staying, bar):
                against = any(t.side != _way(entry) for t in staying)
                return None if against or not self.placeable(n, entry, bar) else n
        return None

    def holds(self, n: int, entry: Entry, staying: list[Trade], bar: int) -> bool:
        rule = self.rules[n]
        if rule is not None:
            return bool(rule[bar])
        newest = max(staying, key=lambda t: t.entry_idx, default=None)
        position = _position(newest) if newest else None
        return bool(SinceFill(self.r, position, bar).holds(entry.when)[-1])

    def undecided(self, bar: int) -> bool:
        """Whether an entry hangs on the last digits on this bar."""
        return any(tie is not None and bool(tie[bar]) for tie in self.ties)

    def rested(self, bar: int) -> bool:
        risk = self.r.contract.risk
        if not risk.cooldown_bars:
            return True
        late = [t for t in self.trades if t.kind != "open" and self._over(t, bar)
                and bar - t.exit_idx < risk.cooldown_bars]  # fmt: skip
        return not any(self.counts(t, bar) for t in late)

    def _over(self, t: Trade, bar: int) -> bool:
        return t.exit_idx <= bar or (t.kind == "signal" and t.exit_idx == bar + 1)

    def counts(self, t: Trade, bar: int) -> bool:
        """Whether a pause follows this exit."""
        match self.r.contract.risk.cooldown_after:
            case "stop":
                seen = (
                    SinceFill(self.r, _position(t), t.exit_idx - 1) if t.kind == "signal" else None
                )
                trailed = seen is not None and not seen.by_rule()[-1] and seen.by_stop()[-1]
                return t.kind == "sl" or bool(trailed)
            case "loss":
                price = t.exit_price if t.exit_idx <= bar else self.bars["Close"][bar]
                return bool(t.side * (price - t.entry_price) < 0.0)
        return True

    def placeable(self, n: int, entry: Entry, bar: int) -> bool:
        """Whether the order can be placed, and is filled on the next bar."""
        prices = {name: float(values[bar]) for name, values in self.prices[n].items()}
        if any(not price > 0.0 for price in (*prices.values(), *told(self.r, entry, bar).values())):
            return False
        limit = prices.get("price", NAN)
        low, high = ((limit, limit) if entry.limit is not None
                     else (self.bars["Low"][bar], self.bars["High"][bar]))  # fmt: skip
        levels = prices.get("sl", NAN), prices.get("tp", NAN)
        if level_fault(_way(entry), low, high, *levels) != FINE:
            return False
        first, top, bottom = (self.bars[x][bar + 1] for x in ("Open", "High", "Low"))
        filled = limit_fill(_way(entry), limit, first, top, bottom)[0]
        return entry.limit is None or not math.isnan(filled)

    def volume(self, n: int, bar: int) -> float:
        """The size that the contract prescribes."""
        sizing, prices = self.r.contract.risk.sizing, self.prices[n]
        amount, equity = float(sizing.amount), float(self.equity[bar])
        base = float(prices["price"][bar]) if "price" in prices else float(self.bars["Close"][bar])
        match sizing.kind:
            case "fixed_cash":
                return amount / base
            case "percent_of_equity":
                return equity * amount / 100.0 / base
            case "risk_percent":
                away = abs(base - float(prices["sl"][bar])) if "sl" in prices else 0.0
                return equity * amount / 100.0 / away if away > 0.0 else 0.0
            case "risk_cash":
                away = abs(base - float(prices["sl"][bar])) if "sl" in prices else 0.0
                return amount / away if away > 0.0 else 0.0
        return amount  # fixed_units


def taken(r: Reference, run: Run, start: int) -> list[Row]:
    """The bars on which another trade should have been taken, or one of another size."""
    book, found = Book(r, run), list[Row]()
    by_signal = {t.signal_idx: t for t in run.trades}
    for bar in range(start, len(r.df) - 1):
        if book.undecided(bar):
            continue
        n, trade = book.expected(bar), by_signal.get(bar)
        size = book.volume(n, bar) if n is not None else NAN
        side = _way(r.contract.entries[n]) if n is not None and not size <= 0.0 else 0
        did = trade.side if trade else 0
        if side != did:
            words = {0: "no trade", 1: "a long", -1: "a short"}
            says = f"the contract takes {words[side]}, the strategy took {words[did]}"
            found.append((bar, "trade_differs", says))
        elif trade and not math.isclose(trade.volume, size, rel_tol=1e-6):
            says = f"the contract's size is {size:.6g}, the order's {trade.volume:.6g}"
            found.append((bar, "size_differs", says))
        elif trade and n is not None:
            found += _levels(r, r.contract.entries[n], bar, trade)
    return found


def _levels(r: Reference, entry: Entry, bar: int, trade: Trade) -> list[Row]:
    """Whether its stop and target were where the contract has them, now that its fill is known."""
    rows = list[Row]()
    wanted = after_fill(r, entry, bar, trade.entry_price)
    for name, level, had in zip(("sl", "tp"), wanted, (trade.sl, trade.tp), strict=True):
        known = NAN if had is None else had
        if not (
            math.isclose(known, level, rel_tol=1e-6) or math.isnan(known) and math.isnan(level)
        ):
            says = (
                f"the contract's {name} is {level:.6g} after the fill, the position's {known:.6g}"
            )
            rows.append((bar, "level_differs", says))
    return rows


def _way(entry: Entry) -> int:
    return 1 if entry.side is Side.LONG else -1


def _position(t: Trade) -> dict[str, Any]:
    return {"entry_idx": t.entry_idx, "entry_price": t.entry_price, "action": t.action, "sl": t.sl}
