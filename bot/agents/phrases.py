"""A contract in plain words, for a trader to approve. Every node has its sentence."""

from __future__ import annotations

from bot.agents.spelling import clock
from schemas import contract as c
from schemas.indicators import KINDS

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "", "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
COMPARED = {
    "above": "is above",
    "below": "is below",
    "at_least": "is at or above",
    "at_most": "is at or below",
    "equal": "equals",
}
HELD = {
    "entry_price": "the entry price",
    "bars": "the number of bars since the fill",
    "highest_high": "the highest high since the fill",
    "lowest_low": "the lowest low since the fill",
    "highest_close": "the highest close since the fill",
    "lowest_close": "the lowest close since the fill",
}
CALENDAR = {
    "minute": "the minute of the day",
    "weekday": "the weekday",
    "day": "the day of the month",
    "month": "the month",
    "bar_of_day": "the number of the bar in its day",
    "trading_day": "the number of the trading day in its month",
}
OUTPUTS = {
    "k": "%K",
    "d": "%D",
    "plus": "+DI",
    "minus": "-DI",
    "percent": "%b",
    "span_a": "Senkou span A",
    "span_b": "Senkou span B",
}


def amount(value: float) -> str:
    """As people write it: 30, 2.5, 0.0001."""
    text = f"{float(value):.10f}".rstrip("0").rstrip(".")
    return text if text not in ("", "-0", "0") or not value else f"{float(value):g}"


def ago(shift: int) -> str:
    if not shift:
        return ""
    return " one bar before" if shift == 1 else f" {shift} bars before"


def indicator(found: c.Indicator, contract: c.Contract) -> str:
    """Its usual name with its numbers, as in `RSI(14, Wilder)`."""
    kind = KINDS[found.kind]
    given = {**kind.parameters, **{p.name: p.value for p in found.parameters}}
    source = operand(found.of, contract) if found.of else f"the {found.source}"
    reads = "" if kind.reads != "source" else source
    if found.kind in ("highest", "lowest"):
        return f"the {found.kind} {reads.removeprefix('the ')} of {amount(given['length'])} bars"
    of = "" if reads in ("", "the close") else f" of {reads}"
    numbers = [_parameter(name, value) for name, value in given.items()]
    how = found.smoothing or kind.smoothing
    inside = ", ".join([*numbers, how] if how else numbers)
    return f"{kind.label}{f'({inside})' if inside else ''}{of}"


def _parameter(name: str, value: float) -> str:
    if name == "start":
        return "from the first bar of the day" if value < 0 else f"from {clock(value)}"
    return f"{amount(value)} minutes" if name == "minutes" else amount(value)


def operand(node: c.Operand, contract: c.Contract) -> str:
    match node:
        case c.Constant():
            return amount(node.value)
        case c.Price():
            return f"the {node.field}{ago(node.shift)}"
        case c.Series():
            found = next((i for i in contract.indicators if i.id == node.indicator), None)
            if found is None or found.kind not in KINDS:
                return f"{node.indicator}{ago(node.shift)}"
            name = indicator(found, contract)
            output = OUTPUTS.get(node.output, node.output)
            named = name if node.output == "value" else f"the {output} of {name}"
            return f"{named}{ago(node.shift)}"
        case c.Held():
            return HELD[node.field]
        case c.Calendar():
            return f"{CALENDAR[node.field]}{ago(node.shift)}"
        case c.Arithmetic():
            return _arithmetic(node, contract)


def _arithmetic(node: c.Arithmetic, contract: c.Contract) -> str:
    match node:
        case c.Arithmetic(
            op="add" | "subtract" as op,
            left=base,
            right=c.Arithmetic(op="multiply", left=part, right=c.Constant(value=share)),
        ) if base == part and not isinstance(base, c.Arithmetic):
            way = "above" if op == "add" else "below"
            return f"{amount(share * 100)}% {way} {operand(base, contract)}"
    left, right = (
        f"({operand(x, contract)})" if isinstance(x, c.Arithmetic) else operand(x, contract)
        for x in (node.left, node.right)
    )
    match node.op:
        case "minimum":
            return f"the lower of {left} and {right}"
        case "maximum":
            return f"the higher of {left} and {right}"
    signs = {"add": "plus", "subtract": "minus", "multiply": "times", "divide": "divided by"}
    return f"{left} {signs[node.op]} {right}"


def _timed(node: c.Operand, other: c.Operand) -> str | None:
    """A constant that is compared with the calendar, as people say it."""
    if not isinstance(node, c.Constant) or not isinstance(other, c.Calendar):
        return None
    value = int(node.value)
    if other.field == "minute" and 0 <= value < 1440:
        return clock(value)
    if other.field == "weekday" and 0 <= value < 7:
        return DAYS[value]
    return MONTHS[value] if other.field == "month" and 1 <= value <= 12 else None


HAS_ONE = c.Compare(op="above", left=c.Held(field="entry_price"), right=c.Constant(value=0.0))
"""Known only with a position, and then always true."""
ONE_IS_OPEN = "a position is open"


def condition(node: c.Condition, contract: c.Contract) -> str:
    match node:
        case c.Never(of=of) if of == HAS_ONE:
            return "no position is open"
        case c.Compare() if node == HAS_ONE:
            return ONE_IS_OPEN
        case c.Compare() | c.Cross():
            left = _timed(node.left, node.right) or operand(node.left, contract)
            right = _timed(node.right, node.left) or operand(node.right, contract)
            verb = f"crosses {node.direction}" if isinstance(node, c.Cross) else COMPARED[node.op]
            return f"{left} {verb} {right}"
        case c.Every():
            return " and ".join(_inner(x, contract) for x in node.of)
        case c.Either():
            return " or ".join(_inner(x, contract) for x in node.of)
        case c.Never():
            return f"it is not so that {_inner(node.of, contract)}"
        case c.InARow():
            return f"{_inner(node.of, contract)} on {node.bars} bars in a row"
        case c.Within():
            return f"{_inner(node.of, contract)} on one of the last {node.bars} bars"
        case c.Session():
            until = "to" if node.includes_end else "to before"
            return f"the bar is stamped from {node.start} {until} {node.end}"
        case c.OnDays():
            return f"it is {' or '.join(DAYS[d] for d in node.weekdays)}"


def _inner(node: c.Condition, contract: c.Contract) -> str:
    said = condition(node, contract)
    return f"({said})" if isinstance(node, c.Every | c.Either) and len(node.of) > 1 else said
