"""Writes stops, targets, sizes and position exits once more for the tests, bar by bar."""

from __future__ import annotations

from bot.agents.bar_rules import Plain
from bot.agents.layout import WIDTH
from bot.agents.spelling import minutes, number
from bot.agents.tree import fixed, levels_of
from bot.agents.write_entries import ACTION
from schemas import contract as c

NAMES = {"stop": "sl", "target": "tp"}
SEEN = {"close": "CLOSE[first : i + 1]", "extreme": "(HIGH if side > 0.0 else LOW)[first : i + 1]"}


def wanted(plain: Plain) -> str:
    """The function that says which order is placed on a close, and at which prices."""
    lines = [
        "def wanted(i: int, first: int, price: float) -> tuple[str, dict[str, float]] | None:",
        '    """Side and prices of the order of this close; `price` is NaN without a position."""',
    ]
    known: dict[tuple[c.Side, c.Operand | None], dict[str, str]] = {}
    for entry in plain.contract.entries:
        test = plain.call(plain.rule(entry.when), entry.when, "i")
        kind = (entry.side, entry.limit)
        known[kind] = known.get(kind) or _prices(plain, entry)
        lines += [f"    if {test}:", *_return(entry, known[kind], "        ")]
    return "\n".join([*lines, "    return None"])


def first_order(plain: Plain) -> str:
    """The function that gives the order of the first rule, whether it holds or not."""
    entry = plain.contract.entries[0]
    return "\n".join(
        [
            "def first_order(i: int) -> tuple[str, dict[str, float]]:",
            '    """Side and prices of the first rule of the contract."""',
            *_return(entry, _prices(plain, entry), "    "),
        ]
    )


def _return(entry: c.Entry, prices: dict[str, str], indent: str) -> list[str]:
    items = [f'"{key}": {price}' for key, price in prices.items()]
    start = f'{indent}return "{ACTION[entry.side]}", {{'
    if len(one := f"{start}{', '.join(items)}}}") <= WIDTH:
        return [one]
    return [start, *(f"{indent}    {item}," for item in items), f"{indent}}}"]


def _prices(plain: Plain, entry: c.Entry) -> dict[str, str]:
    """Key of an order -> what it must say."""
    found: dict[str, str] = {}
    if entry.limit is not None:
        found["price"] = f"{plain.value(entry.limit)}(i)"
    base = found.get("price", "CLOSE[i]")
    risk, way = plain.contract.risk, 1 if entry.side is c.Side.LONG else -1
    for name, levels, away in (("stop", risk.stops, -way), ("target", risk.targets, way)):
        given, key = levels_of(levels, entry.side), NAMES[name]
        if given:
            stop = found.get("sl", "")
            found[key] = _level(plain, name, given, away, base, stop)
            if staying := fixed(given):
                found[f"{key}_fixed"] = _level(plain, f"fixed_{name}", staying, away, base, stop)
            found |= _measured(plain, key, given)
    return found


def _measured(plain: Plain, key: str, given: list[c.Level]) -> dict[str, str]:
    """How far from the fill an order says that its levels are."""
    filled = [x.distance for x in given if x.base == "fill" and x.distance is not None]
    told = {f"{key}_{unit}": [number(x.amount) for x in filled if x.unit == unit]
            for unit in ("percent", "r")}  # fmt: skip
    told[f"{key}_distance"] = [
        _reach(plain, x, "i") for x in filled if x.unit not in ("percent", "r")
    ]
    return {name: far[0] if len(far) == 1 else f"min({', '.join(far)})"
            for name, far in told.items() if far}  # fmt: skip


def _level(plain: Plain, name: str, given: list[c.Level], away: int, base: str, stop: str) -> str:
    each = [_price(plain, x, away, base, stop) for x in given]
    plain.count += 1
    function = f"{name}_{plain.count}"
    body = [f"    base = {base}"] if any("base" in x for x in each) else []
    body.append(f"    level = {each[0]}")
    for other in each[1:]:
        nearer = "maximum" if away < 0 else "minimum"
        plain.used.add(nearer)
        body.append(f"    level = {nearer}(level, {other})")
    head = f'def {function}(i: int) -> float:\n    """The {name} of an order of this bar."""'
    plain.functions.append("\n".join([head, *body, "    return level"]))
    return f"{function}(i)"


def _price(plain: Plain, level: c.Level, away: int, base: str, stop: str) -> str:
    if level.price is not None:
        return f"{plain.value(level.price)}(i)"
    far, sign = level.distance, "+" if away > 0 else "-"
    if far is None:
        raise ValueError("a level without a distance is a fault")
    match far.unit:
        case "percent":
            return f"base {sign} base * {number(far.amount)} / 100.0"
        case "r":
            return f"base {sign} {number(far.amount)} * abs(base - {stop})"
    return f"base {sign} {_reach(plain, far, 'i')}"


def _reach(plain: Plain, far: c.Distance, i: str) -> str:
    amount = number(far.amount)
    match far.unit:
        case "pips":
            return f"{amount} * {number(plain.contract.pip_size)}"
        case "atr":
            return f"{amount} * {plain.series[str(far.indicator), 'value']}[{i}]"
    return amount


def size(plain: Plain) -> str:
    """The function that gives the size of an order."""
    sizing = plain.contract.risk.sizing
    amount = number(sizing.amount)
    body = {
        "fixed_units": ['return cfg()["volume"]'],
        "fixed_cash": ['base = prices.get("price", CLOSE[i])', f"return {amount} / base"],
        "percent_of_equity": [
            'base = prices.get("price", CLOSE[i])',
            f'return cfg()["equity"] * {amount} / 100.0 / base',
        ],
        "risk_percent": [
            'base = prices.get("price", CLOSE[i])',
            'away = abs(base - prices["sl"])',
            f'return cfg()["equity"] * {amount} / 100.0 / away if away else 0.0',
        ],
        "risk_cash": [
            'base = prices.get("price", CLOSE[i])',
            'away = abs(base - prices["sl"])',
            f"return {amount} / away if away else 0.0",
        ],
    }[sizing.kind]
    head = "def size(prices: dict[str, float], i: int) -> float:"
    return "\n".join([head, *(f"    {line}" for line in body)])


def by_rule(plain: Plain) -> str:
    """The function that says whether a rule closes a position on a close."""
    contract = plain.contract
    lines = [
        "def by_rule(action: str, i: int, first: int, price: float) -> bool:",
        '    """A rule of the contract closes the position."""',
        "    told = False",
    ]
    closing = [(x.side, x.when) for x in contract.exits]
    if contract.reverse:
        other = {c.Side.LONG: c.Side.SHORT, c.Side.SHORT: c.Side.LONG}
        closing += [(other[x.side], x.when) for x in contract.entries]
    for side, when in closing:
        test = plain.call(plain.rule(when), when, "i")
        of = f'action == "{ACTION[side]}" and ' if side is not None else ""
        joined = f"    told = told or ({of}{test})" if of else f"    told = told or {test}"
        lines.append(joined)
    return "\n".join([*lines, "    return told"])


def by_risk(plain: Plain) -> str:
    """The function that says whether trailing, break-even or time closes it."""
    risk = plain.contract.risk
    lines: list[str] = []
    for trail in risk.trailing:
        lines += _trailing(plain, trail)
    if risk.break_even_after is not None:
        plain.used.add("reached")
        lines += [
            "    marks = CLOSE[first : i + 1]",
            f"    needed = {_needed(plain, risk.break_even_after)}",
            "    back = side * (CLOSE[i] - price) <= 0.0",
            "    told = told or (back and reached(side, marks, price, needed))",
        ]
    if risk.exit_after_bars is not None:
        lines.append(f"    told = told or i - first >= {risk.exit_after_bars}")
    if risk.exit_at is not None:
        at = minutes(risk.exit_at)
        lines.append(f"    told = told or TIMES[i].hour * 60 + TIMES[i].minute >= {at}")
    if any("side" in line for line in lines):
        lines.insert(0, '    side = 1.0 if action == "BUY" else -1.0')
    head = [
        "def by_risk(action: str, i: int, first: int, price: float, stop: float) -> bool:",
        '    """Trailing, break-even or time closes the position."""',
        "    told = False",
    ]
    return "\n".join([*head, *lines, "    return told"])


def _trailing(plain: Plain, trail: c.Trailing) -> list[str]:
    far = trail.distance
    match far.unit:
        case "percent":
            reach = f"best * {number(far.amount)} / 100.0"
        case "r":
            reach = f"{number(far.amount)} * abs(price - stop)"
        case _:
            reach = _reach(plain, far, "i")
    lines = [f"    marks = {SEEN[trail.mark]}",
             "    best = side * max(side * mark for mark in marks)",
             f"    beyond = side * CLOSE[i] < side * best - {reach}"]  # fmt: skip
    if trail.side is not None:
        lines.append(f'    beyond = beyond and action == "{ACTION[trail.side]}"')
    if trail.starts_after is not None:
        plain.used.add("reached")
        lines += [f"    needed = {_needed(plain, trail.starts_after)}",
                  "    beyond = beyond and reached(side, marks, price, needed)"]  # fmt: skip
    return [*lines, "    told = told or beyond"]


def _needed(plain: Plain, far: c.Distance) -> str:
    """For each bar since the fill how far in profit it must be."""
    amount = number(far.amount)
    match far.unit:
        case "percent":
            return f"[price * {amount} / 100.0] * len(marks)"
        case "r":
            return f"[{amount} * abs(price - stop)] * len(marks)"
        case "atr":
            series = plain.series[str(far.indicator), "value"]
            return f"[{amount} * x for x in {series}[first : i + 1]]"
    return f"[{_reach(plain, far, 'i')}] * len(marks)"
