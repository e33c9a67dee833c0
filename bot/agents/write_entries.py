"""Writes find_entries: the rules in the contract's order, and what earlier trades allow."""

from __future__ import annotations

from dataclasses import dataclass

from bot.agents.expressions import Writer
from bot.agents.layout import BODY, Code, call, returned, signature, statement
from bot.agents.sheet import Sheet
from bot.agents.spelling import reason
from bot.agents.tree import asks_position, remembers, sides
from bot.agents.write_levels import measured, prices
from schemas import contract as c

ACTION = {c.Side.LONG: "BUY", c.Side.SHORT: "SELL"}
HEAD = """    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:"""
GIVEN = ["self", "df: pd.DataFrame", "indicators: Indicators", "idx: int"]


@dataclass(frozen=True)
class Ticket:
    """One kind of order: the test of its rule, the lines before it, the names of its prices, and
    of the constants that say how far from the fill its levels are."""

    entry: c.Entry
    rule: str
    lines: tuple[str, ...]
    prices: dict[str, str]
    measured: dict[str, str]


def tickets(sheet: Sheet) -> list[Ticket]:
    """The entries in the contract's order. Those of one side and one limit share their prices."""
    found: list[Ticket] = []
    count: dict[c.Side, int] = {}
    shared: dict[tuple[c.Side, c.Operand | None], tuple[dict[str, str], dict[str, str]]] = {}
    for entry in sheet.contract.entries:
        count[entry.side] = count.get(entry.side, 0) + 1
        key = entry.side if count[entry.side] == 1 else f"{entry.side}_{count[entry.side]}"
        rule, lines = _rule(sheet, entry, f"enter_{key}")
        kind = (entry.side, entry.limit)
        if kind not in shared:
            series = prices(sheet, entry, key)
            shared[kind] = series, measured(sheet, entry, series)
        found.append(Ticket(entry, rule, tuple(lines), *shared[kind]))
    return found


def _rule(sheet: Sheet, entry: c.Entry, wish: str) -> tuple[str, list[str]]:
    if not asks_position(entry.when):
        name = sheet.keep(wish, Writer(sheet, wish).rule(entry.when))
        return f'indicators["{name}"].iloc[idx]', []
    lines: list[str] = []
    code = Writer(sheet, wish, lines).rule(entry.when)
    name = sheet.names.take(wish)
    return f"{name}[-1]", [*lines, *statement(f"{name} = ", code, BODY)]


def write_entries(sheet: Sheet, found: list[Ticket]) -> list[str]:
    """The methods; with a journal where earlier trades count."""
    if not found:
        nothing = '        """There is no rule to enter yet."""'
        return ["\n".join([HEAD, nothing, "        return None"])]
    if not remembers(sheet.contract):
        return ["\n".join([HEAD, *_chain(sheet, found)])]
    first = [*signature("_entry", GIVEN, "OrderRequest | None"),
             '        """The order of the first rule that holds."""']  # fmt: skip
    return [
        "\n".join([HEAD, *_with_journal(sheet)]),
        "\n".join([*first, *_chain(sheet, found)]),
        "\n".join(_may_enter(sheet)),
    ]


def needs_prices(sheet: Sheet, found: list[Ticket]) -> bool:
    """Whether an order is more than a side and a fixed size."""
    return any(t.prices for t in found) or sheet.contract.risk.sizing.kind != "fixed_units"


def _chain(sheet: Sheet, found: list[Ticket]) -> list[str]:
    lines: list[str] = []
    if any(t.lines for t in found):
        lines.append(f"        held = {sheet.piece('Held')}(self.journal.newest(), df, idx)")
    for ticket in found:
        given = [f'"{ACTION[ticket.entry.side]}"', f'"{reason(ticket.entry.reason)}"']
        given += ["df", "idx"] if needs_prices(sheet, found) else []
        given += [f'{name}=indicators["{series}"].iloc[idx]'
                  for name, series in ticket.prices.items()]  # fmt: skip
        given += [f"{name}={constant}" for name, constant in ticket.measured.items()]
        lines += [*ticket.lines, f"        if {ticket.rule}:"]
        lines += call("return self._order", given, "            ")
    return [*lines, "        return None"]


def _with_journal(sheet: Sheet) -> list[str]:
    lines = [
        "        if not self._may_enter(df, indicators, idx):",
        "            return None",
        "        order = self._entry(df, indicators, idx)",
    ]
    if sheet.contract.risk.max_positions > 1 and len(sides(sheet.contract)) > 1:
        lines += [
            "        if order and self.journal.holds_other_than(order):",
            "            return None",
        ]
    return [
        *lines,
        "        if order:",
        "            self.journal.ordered(order, idx)",
        "        return order",
    ]


def _may_enter(sheet: Sheet) -> list[str]:
    risk, tests = sheet.contract.risk, ["room"]
    most = sheet.constant("max_positions", str(risk.max_positions))
    lines = [
        *signature("_may_enter", GIVEN, "bool"),
        '        """Whether the trades so far leave room for another one."""',
        "        self.journal.settle(df, idx)",
        f"        room = len(self.journal.staying) < {most}",
    ]
    if risk.max_entries_per_day is not None:
        sheet.timed = True
        days = f"pd.Series({sheet.piece('day_number')}(times), index=df.index, dtype=float)"
        day = sheet.keep("day_of_bar", Code(days))
        limit = sheet.constant("max_entries_per_day", str(risk.max_entries_per_day))
        lines.append(f'        taken = self.journal.entries_on(indicators["{day}"], idx)')
        tests.append(f"taken < {limit}")
    if risk.cooldown_bars:
        bars = sheet.constant("cooldown_bars", str(risk.cooldown_bars))
        since = f'self.journal.bars_since_exit(df, idx, "{risk.cooldown_after}")'
        lines.append(f"        rested = {since}")
        tests.append(f"rested >= {bars}")
    return [*lines, *returned(tests)]
