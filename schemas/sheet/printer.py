"""The canonical sheet of some rules: what plans show, digests name and reviewers read."""

from __future__ import annotations

from decimal import Decimal

from schemas import contract as c
from schemas.indicators import KINDS
from schemas.sheet import names
from schemas.sheet.formulas import ONE_IS_OPEN
from schemas.sheet.rules import Rules

SIGNS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "equal": "="}
STEPS = {"add": ("+", 1), "subtract": ("-", 1), "multiply": ("*", 2), "divide": ("/", 2)}
SIZES = {
    "fixed_units": "units",
    "fixed_cash": "cash",
    "percent_of_equity": "equity_percent",
    "risk_percent": "risk_percent",
    "risk_cash": "risk_cash",
}
COSTS = {
    "commission_per_trade": "commission {} per trade",
    "commission_per_unit": "commission {} per unit",
    "commission_percent": "commission {} %",
    "spread": "spread {}",
    "slippage": "slippage {}",
    "slippage_percent_of_range": "slippage {} % of range",
}
HELD = {field: name for name, field in names.HELD.items()}
CALENDAR = {field: name for name, field in names.CALENDAR.items()}
USUAL_PIP = 0.0001


def print_sheet(rules: Rules) -> str:
    """One statement a line, in a fixed order."""
    parts = (_head(rules), _signals(rules), _levels(rules), _limits(rules), _costs(rules.costs))
    return "\n".join(line for part in parts for line in part) + "\n"


def said_of(condition: c.Condition, rules: Rules) -> str:
    """One rule, short enough for a reason."""
    said = Printer(rules).condition(condition)
    return said if len(said) <= 500 else said[:499] + "…"


def number(value: float | Decimal) -> str:
    """As people write it: no exponent, no needless zero."""
    text = format(Decimal(repr(float(value))) if isinstance(value, float) else value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _head(rules: Rules) -> list[str]:
    pip = [f"pip {number(rules.pip_size)}"] if rules.pip_size != USUAL_PIP else []
    return [f"symbol {rules.symbol}", f"timeframe {rules.timeframe}", *pip]


def _signals(rules: Rules) -> list[str]:
    say = Printer(rules)
    lines = []
    for entry in rules.entries:
        at = f" at limit {say.operand(entry.limit)}" if entry.limit is not None else ""
        lines.append(f"enter {entry.side}{at} when {say.condition(entry.when)}")
    lines += [f"exit{_side(x.side)} when {say.condition(x.when)}" for x in rules.exits]
    return lines + (["reverse"] if rules.reverse else [])


def _levels(rules: Rules) -> list[str]:
    say, risk = Printer(rules), rules.risk
    lines = [f"stop{_side(x.side)} {say.level(x)}" for x in risk.stops]
    lines += [f"target{_side(x.side)} {say.level(x)}" for x in risk.targets]
    for trail in risk.trailing:
        starts = f" after {say.distance(trail.starts_after)}" if trail.starts_after else ""
        mark = f"best {'close' if trail.mark == 'close' else 'price'}"
        far = say.distance(trail.distance)
        lines.append(f"trail{_side(trail.side)} {far} from {mark}{starts} checked on close")
    if risk.break_even_after is not None:
        lines.append(f"breakeven after {say.distance(risk.break_even_after)} checked on close")
    if risk.exit_after_bars is not None:
        lines.append(f"exit after {risk.exit_after_bars + 1} bar{'s'[: risk.exit_after_bars != 0]}")
    if risk.exit_at is not None:
        lines.append(_exit_at(risk.exit_at, rules))
    return lines


def _exit_at(decided: str, rules: Rules) -> str:
    """The time of the fill, one bar after the close on which it is decided."""
    each = names.MINUTES.get(rules.timeframe)
    hours, minutes = decided.split(":")
    if each is None:
        return f"exit when time >= {decided}"
    return f"exit at {_clock((int(hours) * 60 + int(minutes) + each) % 1440)}"


def _limits(rules: Rules) -> list[str]:
    risk = rules.risk
    lines = [f"size {SIZES[risk.sizing.kind]} {number(risk.sizing.amount)}"]
    if risk.max_positions != 1:
        lines.append(f"max {risk.max_positions} positions")
    if risk.max_entries_per_day is not None:
        many = risk.max_entries_per_day
        lines.append(f"max {many} trade{'s'[: many != 1]} per day")
    if risk.cooldown_bars:
        bars = risk.cooldown_bars
        lines.append(f"wait {bars} bar{'s'[: bars != 1]} after {risk.cooldown_after}")
    return lines


def _costs(costs: c.Costs) -> list[str]:
    paid = [
        said.format(number(getattr(costs, name)))
        for name, said in COSTS.items()
        if getattr(costs, name)
    ]
    return paid or ["costs none"]


def _side(side: c.Side | None) -> str:
    return f" {side}" if side else ""


class Printer:
    """Prints what stands in statements; the rules say what an indicator's id means."""

    def __init__(self, rules: Rules) -> None:
        self.by_id = {i.id: i for i in rules.indicators}

    def level(self, level: c.Level) -> str:
        if level.price is not None:
            return f"at {self.operand(level.price)}"
        if level.distance is None:
            return "???"
        base = "fill" if level.base == "fill" else "signal close"
        return f"{self.distance(level.distance)} from {base}"

    def distance(self, far: c.Distance) -> str:
        amount = number(far.amount)
        match far.unit:
            case "percent":
                return f"{amount} %"
            case "price":
                return f"{amount} points"
            case "pips":
                return f"{amount} pips"
            case "r":
                return f"{amount} R"
        atr = self.by_id[far.indicator or ""]
        return f"{amount} * {self.series(atr, 'value')}"

    def series(self, found: c.Indicator, output: str) -> str:
        """As in `sma(volume, 20)`."""
        kind = KINDS[found.kind]
        given = {p.name: p.value for p in found.parameters}
        inside = []
        if kind.reads == "source":
            source = self.operand(found.of) if found.of is not None else str(found.source)
            if source != "close" or found.kind in ("highest", "lowest"):
                inside.append(source)
        for name in names.SETTING_ORDER.get(found.kind, tuple(kind.parameters)):
            if name == "start":
                inside += [_clock(given[name])] if given[name] >= 0 else []
            else:
                inside.append(number(given[name]))
        if found.smoothing != kind.smoothing:
            inside.append(found.smoothing)
        name = names.NAME_OF[found.kind, output]
        return f"{name}({', '.join(inside)})" if inside else name

    def operand(self, node: c.Operand, tight: int = 0) -> str:
        """`tight`: what stands around it binds so hard that a looser sum needs brackets."""
        match node:
            case c.Constant():
                text = number(node.value)
                return f"({text})" if tight and text.startswith("-") else text
            case c.Price():
                return f"{node.field}{_ago(node.shift)}"
            case c.Series():
                found = self.by_id[node.indicator]
                return f"{self.series(found, node.output)}{_ago(node.shift)}"
            case c.Held():
                return HELD[node.field]
            case c.Calendar():
                return f"{CALENDAR[node.field]}{_ago(node.shift)}"
            case c.Arithmetic():
                return self._arithmetic(node, tight)

    def _arithmetic(self, node: c.Arithmetic, tight: int) -> str:
        if node.op in ("minimum", "maximum"):
            return f"{node.op[:3]}({self.operand(node.left)}, {self.operand(node.right)})"
        sign, own = STEPS[node.op]
        text = f"{self.operand(node.left, own)} {sign} {self.operand(node.right, own + 1)}"
        return f"({text})" if own < tight else text

    def condition(self, node: c.Condition) -> str:
        match node:
            case c.Compare():
                left, right = self._pair(node.left, node.right)
                return f"{left} {SIGNS[node.op]} {right}"
            case c.Cross():
                left, right = self._pair(node.left, node.right)
                return f"{left} crosses {node.direction} {right}"
            case c.Every():
                return " and ".join(self._inner(x) for x in node.of)
            case c.Either():
                return " or ".join(self._inner(x) for x in node.of)
            case c.Never(of=of) if of == ONE_IS_OPEN:
                return "flat"
            case c.Never():
                return f"not ({self.condition(node.of)})"
            case c.InARow():
                return f"({self.condition(node.of)}) for {node.bars} bar{'s'[: node.bars != 1]}"
            case c.Within():
                return f"({self.condition(node.of)}) within {node.bars} bar{'s'[: node.bars != 1]}"
            case c.Session():
                end = " inclusive" if node.includes_end else ""
                return f"time between {node.start} and {node.end}{end}"
            case c.OnDays():
                return f"weekday in ({', '.join(names.DAYS[d] for d in node.weekdays)})"

    def _inner(self, node: c.Condition) -> str:
        said = self.condition(node)
        return f"({said})" if isinstance(node, c.Every | c.Either) else said

    def _pair(self, left: c.Operand, right: c.Operand) -> tuple[str, str]:
        return (
            _calendar_word(left, right) or self.operand(left),
            _calendar_word(right, left) or self.operand(right),
        )


def _calendar_word(node: c.Operand, other: c.Operand) -> str | None:
    """A constant beside the calendar, as people say it: a time of day, a weekday."""
    if not isinstance(node, c.Constant) or not isinstance(other, c.Calendar):
        return None
    value = int(node.value)
    if value != node.value:
        return None
    if other.field == "minute" and 0 <= value < 1440:
        return _clock(value)
    return names.DAYS[value] if other.field == "weekday" and 0 <= value < 7 else None


def _clock(minute: float) -> str:
    return f"{int(minute) // 60:02}:{int(minute) % 60:02}"


def _ago(shift: int) -> str:
    return f"[{shift}]" if shift else ""
