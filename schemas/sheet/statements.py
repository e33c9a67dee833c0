"""What each statement means: one function for each rule of the grammar, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet import calls, literals, names
from schemas.sheet.draft import Draft
from schemas.sheet.expressions import place, token_of
from schemas.sheet.formulas import FORMULAS
from schemas.sheet.grammar import Node
from schemas.sheet.levels import breakeven, ladder_target, level, partial_target, trail
from schemas.sheet.money import (
    commission_each,
    commission_percent,
    commission_round,
    cooldown,
    cooldown_any,
    no_costs,
    positions,
    positions_maybe,
    size,
    size_hole,
    size_percent,
    size_plain,
    size_risk,
    slippage,
    slippage_range,
    spread,
    trades_per,
    trades_per_day,
)
from schemas.sheet.problems import Fault, HoleFound


def symbol(draft: Draft, node: Node) -> None:
    typed = token_of(node, "SYMBOL")
    name = str(typed).upper().replace("/", "")
    if name != str(typed):
        draft.assume("symbol", f"{typed} is written {name}")
    draft.once("symbol", name)


def symbols(draft: Draft, node: Node) -> None:
    raise Fault("several symbols in one sheet are not built yet; name one")


def timeframe(draft: Draft, node: Node) -> None:
    typed = token_of(node, "TIMEFRAME")
    draft.once("timeframe", frame_of(typed))


def frame_of(typed: Token) -> str:
    wanted = " ".join(str(typed).lower().split())
    for name, spellings in names.TIMEFRAMES.items():
        if wanted in spellings or wanted.removesuffix("s") in spellings:
            return name
    known = ", ".join(names.TIMEFRAMES)
    raise Fault(f"`{typed}` is no timeframe; there is {known}", place(typed), str(typed), tuple(
        names.TIMEFRAMES))  # fmt: skip


def pip(draft: Draft, node: Node) -> None:
    value = literals.real(token_of(node, "NUMBER"))
    if not value:
        raise Fault("a pip is larger than zero")
    draft.once("pip", value)


def tick(draft: Draft, node: Node) -> None:
    value = literals.real(token_of(node, "NUMBER"))
    if not value:
        raise Fault("a tick is larger than zero")
    draft.once("tick", value)


def let(draft: Draft, node: Node) -> None:
    word = next(x for x in node.children if isinstance(x, Token))
    name = str(word).lower()
    taken = name in names.PRICES or name in names.CALENDAR or name in names.HELD
    taken = taken or name in calls.FUNCTIONS and name not in FORMULAS
    if taken or "." in name:
        raise Fault(f"`{word}` means something already; take another name", place(word), str(word))
    if name in draft.scope.lets or name in draft.scope.unread:
        raise Fault(f"`{word}` is named already", place(word), str(word))
    draft.scope.unread[name] = draft.line  # until it was read: what names it then can wait
    draft.scope.lets[name] = draft.read.value(_tree(node))
    del draft.scope.unread[name]


def enter(draft: Draft, node: Node) -> None:
    _enter(draft, node, c.Side(str(token_of(node, "SIDE")).lower()))


def enter_side(draft: Draft, node: Node) -> None:
    _enter(draft, node, c.Side(str(token_of(node, "SIDE")).lower()))


def buy(draft: Draft, node: Node) -> None:
    _enter(draft, node, c.Side.LONG)


def _enter(draft: Draft, node: Node, side: c.Side) -> None:
    limit, when = None, None
    for part in (x for x in node.children if isinstance(x, Tree)):
        if part.data == "limit":
            limit = draft.read.operand(_tree(part))
            draft.assume("limit order", "good for the next bar only")
        elif part.data == "at_clock":
            raise Fault(_one_bar_before(draft, token_of(part, "CLOCK")), place(part))
        elif part.data in ORDERS_LATER:
            raise Fault(ORDERS_LATER[part.data], place(part))
        elif part.data != "at_open":
            when = draft.read.condition(part)
    if when is None:
        raise Fault("when? Add `when …`")
    draft.entries.append(c.Entry(side=side, when=when, limit=limit, reason="-"))


LATE = "what is filled after that leaves after one bar, and a day that ends earlier has no exit"
ORDERS_LATER = {
    "stop_order": "stop entries are not built yet; the nearest: enter when the close is beyond",
    "at_close": "a fill at the close of the same bar is not built yet; it is the next open",
}


def _one_bar_before(draft: Draft, clock: Token) -> str:
    """The condition that is filled at this time."""
    each = names.MINUTES.get(draft.scope.timeframe)
    if each is None:
        return "a time of day needs bars of minutes or hours"
    then = _two_digits((literals.minute(clock) - each) % 1440)
    return f"write the time of the bar before as a condition: `when time = {then} and …`"


def sell(draft: Draft, node: Node) -> None:
    word = token_of(node, "SELL")
    rest = "when …"
    raise Fault(
        f"`sell` can open a short or close a long: `exit long {rest}` or `enter short {rest}`",
        place(word), str(word), ("exit long", "enter short"),
    )  # fmt: skip


def cover(draft: Draft, node: Node) -> None:
    draft.exits.append(_exit(draft, _tree(node), c.Side.SHORT))


def exit(draft: Draft, node: Node) -> None:
    condition = [x for x in node.children if isinstance(x, Tree) and x.data != "who"][-1]
    draft.exits.append(_exit(draft, condition, _who(node)))


def _exit(draft: Draft, condition: Node, side: c.Side | None) -> c.Exit:
    return c.Exit(side=side, when=draft.read.condition(condition), reason="-")


def _who(node: Node) -> c.Side | None:
    said = next((x for x in node.children if isinstance(x, Tree) and x.data == "who"), None)
    token = said.children[0] if said else None
    return c.Side(str(token).lower()) if isinstance(token, Token) and token.type == "SIDE" else None


def exit_after(draft: Draft, node: Node) -> None:
    many = literals.bars(token_of(node, "NUMBER"), token_of(node, "SPAN"), draft.scope.timeframe)
    draft.once("exit_after", many - 1)  # decided on the close before
    draft.assume("exit after", f"held for {many} bars, that of the fill being the first")
    _one_side(draft, node, "exit after")


def exit_at(draft: Draft, node: Node) -> None:
    minute = _decided_before(draft, token_of(node, "CLOCK"))
    draft.once("exit_at", _two_digits(minute))
    _one_side(draft, node, "exit at")


def _decided_before(draft: Draft, clock: Token) -> int:
    """A fill at a time of day is decided on the close of the bar before: the minute of its stamp.

    Midnight is decided on the evening before. Up to the second bar of a day, every bar would be."""
    each = names.MINUTES.get(draft.scope.timeframe)
    if each is None:
        raise Fault("a time of day needs bars of minutes or hours", place(clock), str(clock))
    minute = literals.minute(clock)
    if 0 < minute <= each:
        told = "this early every bar of the day is late enough: write `exit at 00:00`, or a rule"
        raise Fault(told, place(clock), str(clock), ("00:00",))
    minute = (minute - each) % 1440
    told = f"decided on the close of each bar stamped {_two_digits(minute)} or later on its day"
    draft.assume("exit at", f"{told}: {LATE}")
    return minute


def _two_digits(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def exit_on(draft: Draft, node: Node) -> None:
    """`exit on friday at 20:00`."""
    day = names.DAYS.index(str(token_of(node, "DAY")).lower()[:3])
    clock = token_of(node, "CLOCK")
    day = (day - 1) % 7 if not literals.minute(clock) else day
    then = c.Constant(value=float(_decided_before(draft, clock)))
    late = c.Compare(op="at_least", left=c.Calendar(field="minute"), right=then)
    when = c.Every(of=(c.OnDays(weekdays=(day,)), late))
    draft.exits.append(c.Exit(side=_who(node), when=when, reason="-"))


def good_for(draft: Draft, node: Node) -> None:
    if literals.bars(token_of(node, "NUMBER"), token_of(node, "SPAN"), draft.scope.timeframe) != 1:
        raise Fault("orders good for more than one bar are not built yet")


def _one_side(draft: Draft, node: Node, what: str) -> None:
    side = _who(node)
    if side is not None:
        draft.one_sided.append((draft.line, side, what))


def exit_at_close(draft: Draft, node: Node) -> None:
    raise Fault("a fill at the close of the same bar is not built yet; exits fill at the next open")


def reverse(draft: Draft, node: Node) -> None:
    if draft.reverse:
        raise Fault("`reverse` is said already")
    draft.reverse = True


def stop(draft: Draft, node: Node) -> None:
    draft.stops.append(level(draft, node, "stop"))


def target(draft: Draft, node: Node) -> None:
    draft.targets.append(level(draft, node, "target"))


def session(draft: Draft, node: Node) -> None:
    if any(isinstance(x, Tree) and x.data == "zone" for x in node.children):
        raise Fault("time zones are not built yet; write the times as the bars are stamped")
    said = next(x for x in node.children if isinstance(x, Tree) and x.data == "hours")
    tokens = [x for x in said.children if isinstance(x, Token)]
    start, end = (str(x) for x in tokens if x.type == "CLOCK")
    closed = any(str(x).lower() == "through" for x in tokens)
    hours = c.Session(start=_two(start), end=_two(end), includes_end=closed)
    draft.once("session", hours)
    draft.filters.append(hours)
    for days in (x for x in node.children if isinstance(x, Tree) and x.data == "days"):
        draft.filters.append(c.OnDays(weekdays=_days(days)))
    told = "limits entries only, by the opening stamp of the signal bar, its end left out; open "
    draft.assume("session", told + "positions are not closed at its end")


def _two(clock: str) -> str:
    return clock if len(clock) == 5 else f"0{clock}"


def trade_on(draft: Draft, node: Node) -> None:
    draft.filters.append(c.OnDays(weekdays=_days(_tree(node))))
    draft.assume("weekdays", "limit entries only, by the bar on which they are decided")


def no_trade_on(draft: Draft, node: Node) -> None:
    draft.filters.append(c.Never(of=c.OnDays(weekdays=_days(_tree(node)))))
    draft.assume("weekdays", "limit entries only, by the bar on which they are decided")


def no_trade_when(draft: Draft, node: Node) -> None:
    at, late = token_of(node, "CLOCK"), str(token_of(node, "LATE")).lower() == "after"
    minute = c.Constant(value=float(literals.minute(at)))
    now = c.Calendar(field="minute")
    draft.filters.append(c.Compare(op="below" if late else "at_least", left=now, right=minute))
    draft.assume("session", "limits entries only, by the bar on which they are decided")


def filter(draft: Draft, node: Node) -> None:
    draft.filters.append(draft.read.condition(_tree(node)))


def no_trade_if(draft: Draft, node: Node) -> None:
    draft.filters.append(c.Never(of=draft.read.condition(_tree(node))))


def no_trade_on_when(draft: Draft, node: Node) -> None:
    """`no entry on friday after 18:00`."""
    day = names.DAYS.index(str(token_of(node, "DAY")).lower()[:3])
    minute = c.Constant(value=float(literals.minute(token_of(node, "CLOCK"))))
    late = str(token_of(node, "LATE")).lower() == "after"
    op: Literal["at_least", "below"] = "at_least" if late else "below"
    then = c.Compare(op=op, left=c.Calendar(field="minute"), right=minute)
    draft.filters.append(c.Never(of=c.Every(of=(c.OnDays(weekdays=(day,)), then))))
    draft.assume("session", "limits entries only, by the bar on which they are decided")


def _days(node: Node) -> tuple[int, ...]:
    tokens = [x for x in node.children if isinstance(x, Token)]
    days = [names.DAYS.index(str(x).lower()[:3]) for x in tokens if x.type == "DAY"]
    if any(x.type == "UNTIL" for x in tokens):
        first, last = days
        return tuple((first + n) % 7 for n in range((last - first) % 7 + 1))
    if len(set(days)) != len(days):
        raise Fault("a day is named twice", place(node))
    return tuple(days)


def hole(draft: Draft, node: Node) -> None:
    raise HoleFound(place(node))


def _tree(node: Node) -> Node:
    return [x for x in node.children if isinstance(x, Tree)][-1]


MEANING: dict[str, Callable[[Draft, Node], None]] = {
    f.__name__: f
    for f in (
        symbol, symbols, timeframe, pip, tick, exit_on, good_for, no_trade_on_when, filter,
        no_trade_if, positions_maybe, commission_round, let, enter, enter_side, buy, sell, cover,
        exit, exit_after, exit_at, exit_at_close, reverse, stop, target, partial_target,
        ladder_target, trail, breakeven, size, size_plain, size_percent, size_risk, size_hole,
        positions, trades_per, trades_per_day, cooldown, cooldown_any, session, trade_on,
        no_trade_on, no_trade_when, commission_percent, commission_each, spread, slippage,
        slippage_range, no_costs, hole,
    )
}  # fmt: skip
"""Rule of the grammar -> what it does to the draft."""
