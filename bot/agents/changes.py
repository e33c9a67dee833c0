"""What two contracts do differently, slot by slot, in a trader's words. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from bot.agents import words
from bot.agents.phrases import amount, condition, operand
from schemas import contract as c

NONE = "none"


def changes(old: c.Contract, new: c.Contract) -> tuple[str, ...]:
    """Rules, risk, costs and market; not names, summaries and reasons, which trade nothing."""
    before, after = _slots(old), _slots(new)
    found = [
        f"{slot} {before[slot]} → {after[slot]}" for slot in before if before[slot] != after[slot]
    ]
    if old.timeframe != new.timeframe:
        found.append("every length keeps its number of bars")
    return tuple(found)


def _slots(contract: c.Contract) -> dict[str, str]:
    risk = contract.risk
    return {
        "symbol": contract.symbol,
        "timeframe": contract.timeframe,
        "entry": _all(_entry(e, contract) for e in contract.entries),
        "exit": _all(
            f"{x.side or 'any'} when {condition(x.when, contract)}" for x in contract.exits
        ),
        "reverse on the opposite entry": str(contract.reverse),
        "stop loss": _all(_level(x, contract) for x in risk.stops),
        "profit target": _all(_level(x, contract) for x in risk.targets),
        "trailing stop": _all(_trailing(x, contract) for x in risk.trailing),
        "break-even after": _far(risk.break_even_after, contract),
        "time exit after": _bars(risk.exit_after_bars),
        "exit at": risk.exit_at or NONE,
        "position size": _size(risk.sizing),
        "max open positions": str(risk.max_positions),
        "cooldown": f"{risk.cooldown_bars} bars after {risk.cooldown_after}",
        "entries per day": str(risk.max_entries_per_day or "no limit"),
        "costs": words.costs(contract.costs).removeprefix("Costs: ").rstrip("."),
        "pip size": amount(contract.pip_size),
    }


def _bars(decided_after: int | None) -> str:
    """Decided on the close of the bar before."""
    return NONE if decided_after is None else f"{decided_after + 1} bars"


def _all(parts: Iterable[str]) -> str:
    return "; ".join(parts) or NONE


def _entry(entry: c.Entry, contract: c.Contract) -> str:
    limit = f" at a limit of {operand(entry.limit, contract)}" if entry.limit else ""
    return f"{entry.side}{limit} when {condition(entry.when, contract)}"


def _level(level: c.Level, contract: c.Contract) -> str:
    side = _of(level.side, contract)
    if level.price is not None:
        return f"{side}{_percent_off(level.price) or operand(level.price, contract)}"
    base = " from the fill" if level.base == "fill" else ""
    return f"{side}{_far(level.distance, contract)}{base}"


def _of(side: c.Side | None, contract: c.Contract) -> str:
    """Whose it is, where both sides are traded."""
    both = len({e.side for e in contract.entries}) > 1
    return f"{side}: " if side and both else ""


def _percent_off(price: c.Operand) -> str:
    """The close times 0.95 is a distance of 5%."""
    match price:
        case c.Arithmetic(
            op="multiply",
            left=c.Price(field=c.PriceField.CLOSE, shift=0),
            right=c.Constant(value=times),
        ):
            return f"{amount(round(abs(times - 1) * 100, 6))}%"
    return ""


def _trailing(trail: c.Trailing, contract: c.Contract) -> str:
    side = _of(trail.side, contract)
    starts = f" once {_far(trail.starts_after, contract)} ahead" if trail.starts_after else ""
    return f"{side}{_far(trail.distance, contract)} from the best {trail.mark}{starts}"


def _far(far: c.Distance | None, contract: c.Contract) -> str:
    if far is None:
        return NONE
    if far.unit == "percent":
        return f"{amount(far.amount)}%"
    return words.distance(far, contract, "")


def _size(sizing: c.Sizing) -> str:
    much = amount(float(sizing.amount))
    return words.SIZES[sizing.kind].format(much, "" if much == "1" else "s").partition(",")[0]
