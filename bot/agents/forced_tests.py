"""Writes tests that force a rule to hold, so that they do not wait for bars that bring it."""

from __future__ import annotations

import re

from bot.agents import tests_text
from bot.agents.journal_tests import JOURNAL
from bot.agents.layout import call
from bot.agents.sheet import Sheet
from bot.agents.spelling import reason
from bot.agents.tree import KEYS, asks_position, remembers
from bot.agents.write_entries import ACTION, Ticket
from schemas import contract as c


def forced_entries(found: list[Ticket]) -> list[str]:
    """Whether or not the bars bring the signal: what follows from it."""
    tests = []
    for ticket in found:
        named = re.fullmatch(r'indicators\["(\w+)"\]\.iloc\[idx\]', ticket.rule)
        if named is None:
            continue
        way = 1.0 if ticket.entry.side is c.Side.LONG else -1.0
        near = {"limit": 1.0 - 0.01 * way, "stop": 1.0 - 0.05 * way, "target": 1.0 + 0.05 * way}
        near |= {"stop_fixed": near["stop"], "target_fixed": near["target"]}
        near |= {"stop_distance": 0.05, "target_distance": 0.05}
        prices = {name: f"CLOSE[LAST] * {near[name]:.2f}" for name in ticket.prices}
        given = [f"{ticket.prices[name]}={price}" for name, price in prices.items()]
        lines = [f"def test_{named.group(1)}_orders_at_once() -> None:"]
        lines += call("values = forced", ["LAST", f"{named.group(1)}=1.0", *given], "    ")
        lines += [
            "    order = Strategy(cfg()).find_entries(BARS, values, LAST)",
            f'    assert order is not None and order["action"] == "{ACTION[ticket.entry.side]}"',
            f'    assert order["comment"] == "{reason(ticket.entry.reason)}"',
            *(f'    assert order["{KEYS[n]}"] == {price}' for n, price in prices.items()),
            "    assert Strategy(cfg()).find_entries(BARS, values, LAST - 1) is None",
        ]  # fmt: skip
        tests.append("\n".join(lines))
    return tests


def forced_exits(sheet: Sheet) -> list[str]:
    """Rules of exits that read no position: each closes its side and leaves the other alone."""
    tests = []
    asking = any(asks_position(e.when) for e in sheet.contract.exits)
    names = [n for n in sheet.returns if re.fullmatch(r"exit_(long|short|both)(_\d+)?", n)]
    for name in names:
        side = name.split("_")[1]
        lines = [f"def test_{name}_closes_at_once() -> None:",
                 f"    values, price = forced(LAST, {name}=1.0), CLOSE[LAST]"]  # fmt: skip
        for action, of in (("BUY", "long"), ("SELL", "short")):
            stop = "0.97" if action == "BUY" else "1.03"
            held = f'position("{action}", LAST, price, price * {stop})'
            lines.append(f"    held = {held}")
            lines.append("    leave = Strategy(cfg()).find_exits(held, BARS, values, LAST)")
            if side not in (of, "both") and asking:
                lines = lines[:-2]
            elif side in (of, "both"):
                lines.append('    assert leave is not None and leave["position_id"] == "p1"')
            else:
                risk = f'by_risk("{action}", LAST, LAST, price, price * {stop})'
                lines.append(f"    assert (leave is not None) == {risk}")
        tests.append("\n".join(lines))
    return tests


COUNTS = {
    "exit": 'event["event"] == "position_closed"',
    "stop": 'event["reason"] in ("sl", "trailing stop", "break-even stop")',
    "loss": 'event["pnl"] < 0.0',
}
"""After which exits a pause follows, as a test of the broker's event."""


def pace(contract: c.Contract) -> list[str]:
    """What earlier trades allow, in a run in which every rule of an entry always holds."""
    if not remembers(contract):
        return []
    risk = contract.risk
    asking = any(asks_position(e.when) for e in contract.entries)
    walked = tests_text.PACE.format(
        most=risk.max_positions,
        counts=COUNTS[risk.cooldown_after],
        bars=risk.cooldown_bars,
        daily=risk.max_entries_per_day or 1_000_000,
    )
    return [*([walked] if asking else [walked, tests_text.STRICT]), JOURNAL]


def beside(contract: c.Contract) -> list[str]:
    """Entries that read the open position, where there may be more than one."""
    asking = [e for e in contract.entries if asks_position(e.when)]
    if not asking or contract.risk.max_positions == 1:
        return []
    side = asking[0].side
    stop = "0.97" if side is c.Side.LONG else "1.03"
    return [tests_text.BESIDE.format(action=ACTION[side], stop=stop)]


def traded(contract: c.Contract) -> str:
    """What the report of a whole backtest must say."""
    if any(e.limit is not None for e in contract.entries):
        return 'isinstance(report["total_trades"], int) and report["total_trades"] <= len(orders)'
    if contract.risk.sizing.kind == "fixed_units":
        return '(report["total_trades"] != 0, report["orders_refused"]) == (bool(orders), 0)'
    return '(report["total_trades"] != 0) == bool(orders)'
