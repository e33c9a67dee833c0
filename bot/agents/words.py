"""The whole contract as lines of plain words: rules, risk, costs, what was assumed and asked."""

from __future__ import annotations

from bot.agents.phrases import HELD, ONE_IS_OPEN, amount, condition, indicator, operand
from bot.agents.tree import levels_of, sides
from schemas import contract as c

SIZES = {
    "fixed_units": "{} unit{} a trade, unless the account's settings say otherwise",
    "fixed_cash": "{} in money a trade, at the price decided on",
    "percent_of_equity": "{}% of the equity a trade, at the price decided on",
    "risk_cash": "{} in money is lost when the stop is hit",
    "risk_percent": "{}% of the equity is lost when the stop is hit",
}
COSTS = {
    "commission_per_trade": "{} per trade",
    "commission_per_unit": "{} per unit and fill",
    "commission_percent": "{}% of the value of each fill",
    "spread": "a spread of {}",
    "slippage": "slippage of {} per fill",
    "slippage_percent_of_range": "slippage of {}% of the bar's range",
}
NEWEST = "the newest position's entry price"
"""What an entry that adds to others looks at; an exit looks at its own position's."""
AFTER = {"exit": "an exit", "stop": "a stop", "loss": "a losing trade"}


def explain(contract: c.Contract) -> str:
    """What will be built, one rule a line."""
    return "\n".join(
        [
            f"{contract.name}: {contract.symbol}, {contract.timeframe} bars.",
            *rules(contract),
            *risk(contract),
            costs(contract.costs),
            *(f"Assumed: {a.topic}: {a.taken} ({a.because})." for a in contract.assumptions),
            *(f"Open question: {question}" for question in contract.open_questions),
        ]
    )


def rules(contract: c.Contract) -> list[str]:
    """When it enters and when it leaves."""
    return [*entering(contract), *leaving(contract)]


def entering(contract: c.Contract) -> list[str]:
    lines = []
    for entry in contract.entries:
        how = "at the next open"
        if entry.limit is not None:
            how = f"with a limit order at {operand(entry.limit, contract)}, good for the next bar,"
        when = condition(entry.when, contract).replace(HELD["entry_price"], NEWEST)
        adds = NEWEST in when or ONE_IS_OPEN in when
        lines.append(f"{'Add to the' if adds else 'Enter'} {entry.side} {how} when {when}.")
    return lines


def leaving(contract: c.Contract) -> list[str]:
    lines = []
    for leave in contract.exits:
        side = f"the {leave.side}" if leave.side else "any position"
        lines.append(f"Leave {side} at the next open when {condition(leave.when, contract)}.")
    if contract.reverse:
        lines.append("An entry of the other side closes the position and opens the other at once.")
    return lines


def risk(contract: c.Contract) -> list[str]:
    """Stops, targets, size and limits."""
    plan = contract.risk
    lines = [_level(x, "Stop", "against", contract) for x in plan.stops]
    lines += [_level(x, "Target", "in favour", contract) for x in plan.targets]
    if any(len(levels_of(x, side)) > 1 for x in (plan.stops, plan.targets) for side in c.Side):
        lines.append("Of several stops or targets the one that is reached first counts.")
    if not plan.stops:
        lines.append("No resting stop.")
    lines += managing(contract)
    lines.append(sizing(plan.sizing))
    return lines + _limits(plan)


def managing(contract: c.Contract) -> list[str]:
    """How an open position is left, besides by its rules and resting levels."""
    plan = contract.risk
    lines = [_trailing(x, contract) for x in plan.trailing]
    if plan.break_even_after is not None:
        far = distance(plan.break_even_after, contract, "the entry price")
        lines.append(
            f"Break even: once a close was {far} in profit, leave at the next open when a close is "
            "back at the entry price or worse."
        )
    if plan.exit_after_bars is not None:
        bars = plan.exit_after_bars + 1
        lines.append(f"Time exit: {bars} bar{'s' * (bars != 1)} after entry, at the open.")
    if plan.exit_at is not None:
        lines.append(f"Leave on bars stamped {plan.exit_at} or later.")
    return lines


def sizing(size: c.Sizing) -> str:
    much = amount(float(size.amount))
    return f"Size: {SIZES[size.kind].format(much, '' if much == '1' else 's')}."


def _limits(plan: c.Risk) -> list[str]:
    many = plan.max_positions
    lines = [f"At most {many} positions at a time." if many > 1 else "One position at a time."]
    if plan.cooldown_bars:
        after = AFTER[plan.cooldown_after]
        lines.append(f"No entry before {plan.cooldown_bars} bars have passed since {after}.")
    if plan.max_entries_per_day is not None:
        many = plan.max_entries_per_day
        lines.append(f"At most {many} {'entry' if many == 1 else 'entries'} a day.")
    return lines


def distance(far: c.Distance, contract: c.Contract, of: str) -> str:
    match far.unit:
        case "percent":
            return f"{amount(far.amount)}% of {of}"
        case "pips":
            return f"{amount(far.amount)} pips of {amount(contract.pip_size)}"
        case "atr":
            found = next((i for i in contract.indicators if i.id == far.indicator), None)
            return f"{amount(far.amount)} x {indicator(found, contract) if found else 'ATR'}"
        case "r":
            return f"{amount(far.amount)} R (R is the distance to the stop)"
    return f"{amount(far.amount)} in price"


def _of(side: c.Side | None) -> str:
    return f" of a {side}" if side else ""


def _level(level: c.Level, name: str, way: str, contract: c.Contract) -> str:
    if level.price is not None:
        return f"{name}{_of(level.side)}: at {operand(level.price, contract)}."
    if level.distance is None:
        return f"{name}{_of(level.side)}: not given."
    if level.base == "fill":
        return f"{name}{_of(level.side)}: {_from_fill(level, way, contract)}."
    far = distance(level.distance, contract, "the price decided on")
    return f"{name}{_of(level.side)}: {far} {way}, from the close decided on or the limit price."


def _from_fill(level: c.Level, way: str, contract: c.Contract) -> str:
    """5% below the fill price; where it may be of a long or of a short, both are said."""
    far = level.distance
    if far is None:
        return "not given"
    much = f"{amount(far.amount)}%" if far.unit == "percent" else distance(far, contract, "")
    much = (
        f"{amount(far.amount)} x the distance from the fill to the stop"
        if far.unit == "r"
        else much
    )
    found = [level.side] if level.side else sides(contract)
    under = ["below" if (side is c.Side.LONG) == (way == "against") else "above" for side in found]
    if len(set(under)) < 2:
        return f"{much} {under[0]} the fill price"
    return f"{much} {under[0]} the fill price of a long, {under[1]} that of a short"


def _trailing(trail: c.Trailing, contract: c.Contract) -> str:
    mark = "close" if trail.mark == "close" else "high (of a short: low)"
    said = (
        f"Trailing exit{_of(trail.side)}: leave at the next open when a close is more than "
        f"{distance(trail.distance, contract, 'the best mark')} from the best {mark} since the fill"
    )
    if trail.starts_after is None:
        return said + "."
    needed = distance(trail.starts_after, contract, "the entry price")
    return f"{said}; only once it was {needed} in profit."


def costs(given: c.Costs) -> str:
    paid = [say.format(amount(float(getattr(given, name)))) for name, say in COSTS.items()
            if getattr(given, name)]  # fmt: skip
    if not paid:
        return "Costs: none, which flatters the result."
    return f"Costs: {', '.join(paid)}."
