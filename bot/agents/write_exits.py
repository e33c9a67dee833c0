"""Writes find_exits: the rules, then reversal, trailing, break-even and time."""

from __future__ import annotations

import re

from bot.agents.expressions import Writer
from bot.agents.layout import BODY, call, statement
from bot.agents.sheet import Sheet
from bot.agents.spelling import minutes, number, reason, time_of
from bot.agents.tree import asks_position, remembers
from bot.agents.write_entries import ACTION, Ticket
from bot.agents.write_levels import pip
from schemas import contract as c

TRAILED, BROKE_EVEN = "trailing stop", "break-even stop"
TIMED, CLOCKED = "time is up", "end of the day"
MARKS = {"close": '"Close", "Close"', "extreme": '"High", "Low"'}
HEAD = """    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:"""
NO_RULE = "Nothing but the stop and the target closes a position."
NO_TRADE = "There is no trade to leave yet."
WHY = """    def _why_leave(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> str:
        \"\"\"The reason to close this position at the next open, or nothing.\"\"\""""


def write_exits(sheet: Sheet, tickets: list[Ticket]) -> list[str]:
    """The methods."""
    why = _reasons(sheet, tickets)
    if not why and not remembers(sheet.contract):
        nothing = f'        """{NO_RULE if tickets else NO_TRADE}"""'
        return ["\n".join([HEAD, nothing, "        return None"])]
    lines = ["        self.journal.saw(position, idx)"] if remembers(sheet.contract) else []
    lines += [
        "        reason = self._why_leave(position, df, indicators, idx)",
        "        if not reason:",
        "            return None",
    ]
    if remembers(sheet.contract):
        told = f'reason in ("{TRAILED}", "{BROKE_EVEN}")'
        lines.append(f"        self.journal.leaves(position, idx, {told})")
    lines.append('        return {"position_id": position["position_id"], "reason": reason}')
    return ["\n".join([HEAD, *lines]), "\n".join([WHY, *why, '        return ""'])]


def _reasons(sheet: Sheet, tickets: list[Ticket]) -> list[str]:
    lines: list[str] = []
    for leave in sheet.contract.exits:
        lines += _rule(sheet, leave)
    for ticket in tickets if sheet.contract.reverse else ():
        other = "SELL" if ticket.entry.side is c.Side.LONG else "BUY"
        said = f"the other side, {reason(ticket.entry.reason)}"[:60].strip()
        lines += _return([f'position["action"] == "{other}"', ticket.rule], said)
    for n, trail in enumerate(sheet.contract.risk.trailing, 1):
        lines += _trailing(sheet, trail, f"trail_{n}" if n > 1 else "trail")
    lines += [*_break_even(sheet), *_time(sheet)]
    text, before = re.sub(r'"[^"]*"', '""', "\n".join(lines)), []  # a reason may name them too
    if "held." in text:
        before.append(f"        held = {sheet.piece('Held')}(position, df, idx)")
    if " close " in text or "(close " in text:
        before.append('        close = float(df["Close"].iloc[idx])')
    return [*before, *lines]


def _rule(sheet: Sheet, leave: c.Exit) -> list[str]:
    wish, lines = f"exit_{leave.side or 'both'}", list[str]()
    if asks_position(leave.when):
        code = Writer(sheet, wish, lines).rule(leave.when)
        name = sheet.names.take(wish)
        lines += statement(f"{name} = ", code, BODY)
        test = f"{name}[-1]"
    else:
        name = sheet.keep(wish, Writer(sheet, wish).rule(leave.when))
        test = f'indicators["{name}"].iloc[idx]'
    tests = [] if leave.side is None else [f'position["action"] == "{ACTION[leave.side]}"']
    return [*lines, *_return([*tests, test], reason(leave.reason))]


def _trailing(sheet: Sheet, trail: c.Trailing, name: str) -> list[str]:
    best, reach = sheet.names.take(f"{name}_best"), sheet.names.take(f"{name}_reach")
    marks = MARKS[trail.mark]
    lines = [
        f"        {best} = held.best({marks})",
        f"        {reach} = {_reach(sheet, trail.distance, name, best)}",
    ]
    tests = [f"held.side * close < held.side * {best} - {reach}"]
    if trail.starts_after is not None:
        needed = _reach(sheet, trail.starts_after, f"{name}_starts", "held.price", since=True)
        starts = sheet.names.take(f"{name}_starts")
        lines += call(f"{starts} = held.reached", [marks, needed], BODY)
        tests.insert(0, starts)
    if trail.side is not None:
        tests.insert(0, f"held.side {'>' if trail.side is c.Side.LONG else '<'} 0.0")
    return [*lines, *_return(tests, TRAILED)]


def _break_even(sheet: Sheet) -> list[str]:
    far = sheet.contract.risk.break_even_after
    if far is None:
        return []
    reach = _reach(sheet, far, "break_even", "held.price", since=True)
    armed = sheet.names.take("in_profit")
    gained = call(f"{armed} = held.reached", [MARKS["close"], reach], BODY)
    back = "held.side * (close - held.price) <= 0.0"
    return [*gained, *_return([armed, back], BROKE_EVEN)]


def _time(sheet: Sheet) -> list[str]:
    risk, lines = sheet.contract.risk, list[str]()
    if risk.exit_after_bars is not None:
        bars = sheet.constant("exit_after_bars", str(risk.exit_after_bars))
        lines += _return([f'idx - position["entry_idx"] >= {bars}'], TIMED)
    if risk.exit_at is not None:
        at = sheet.constant("exit_at", time_of(minutes(risk.exit_at)))
        lines += _return([f'indicators["{sheet.when("minute")}"].iloc[idx] >= {at}'], CLOCKED)
    return lines


def _reach(sheet: Sheet, far: c.Distance, name: str, of: str, *, since: bool = False) -> str:
    """A distance for an open position: on this bar, or on each bar since the fill."""
    amount = sheet.constant(f"{name}_{far.unit}", number(far.amount))
    match far.unit:
        case "percent":
            return f"{amount} / 100.0 * {of}"
        case "r":
            return f"{amount} * held.risk"
        case "pips":
            return f"{amount} * {pip(sheet)}"
        case "atr":
            series = f'indicators["{sheet.outputs[str(far.indicator), "value"]}"]'
            return f"{amount} * " + (f"held.of({series})" if since else f"{series}.iloc[idx]")
    return amount


def _return(tests: list[str], why: str) -> list[str]:
    line, told = f"        if {' and '.join(tests)}:", f'            return "{why}"'
    if len(line) <= 100:
        return [line, told]
    inside = [tests[0], *(f"and {t}" for t in tests[1:])]
    return ["        if (", *(f"            {t}" for t in inside), "        ):", told]
