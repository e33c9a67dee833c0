"""Writes what a contract says of orders and positions into a test: prices, sizes, exits."""

from __future__ import annotations

from bot.agents.layout import WIDTH
from bot.agents.plain_rules import Plain
from bot.agents.spelling import minutes, number
from bot.agents.tree import fixed, levels_of
from schemas import contract as c

WAY = {c.Side.LONG: "1.0", c.Side.SHORT: "-1.0"}


def write_entries(contract: c.Contract, plain: Plain) -> str:
    """`entry(i)`: the number of the first rule that holds on bar i."""
    lines = ["def entry(i: int) -> int | None:"]
    for n, one in enumerate(contract.entries):
        lines += [f"    if {plain.rule(one.when)}(i, -1):", f"        return {n}"]
    return "\n".join([*lines, "    return None"])


def write_prices(contract: c.Contract, plain: Plain) -> str:
    """`prices(n, i)`: what an order of entry n on bar i must say."""
    lines = list[str]()
    for n, one in enumerate(contract.entries):
        base = "close"
        lines.append(f"    if n == {n}:")
        found = list[str]()
        if one.limit is not None:
            lines.append(f"        limit = {plain.operand(one.limit)}")
            base = "limit"
            found.append('"price": limit')
        for name, key, levels, way in (
            ("stop", "sl", contract.risk.stops, -1.0), ("target", "tp", contract.risk.targets, 1.0)
        ):  # fmt: skip
            given = levels_of(levels, one.side)
            way = way if one.side is c.Side.LONG else -way
            lines += _nearest(name, given, base, way, plain, contract)
            found += [f'"{key}": {name}'] if given else []
            if staying := fixed(given):
                lines += _nearest(f"fixed_{name}", staying, base, way, plain, contract)
                found.append(f'"{key}_fixed": fixed_{name}')
            found += _measured(key, given, contract)
        lines += _returned(found)
    head = ["def prices(n: int, i: int) -> dict[str, float]:"]
    head += ["    e = -1"] if any(", e)" in line for line in lines) else []
    head += ['    close = at("close", i)'] if any("close " in line for line in lines) else []
    return "\n".join([*head, *lines, "    return {}"])


def _nearest(
    name: str, given: list[c.Level], base: str, way: float, plain: Plain, contract: c.Contract
) -> list[str]:
    lines = []
    for m, level in enumerate(given):
        text = _level(level, base, way, plain, contract)
        nearer = "max" if way < 0.0 else "min"
        lines.append(f"        {name} = " + (f"{nearer}({name}, {text})" if m else text))
    return lines


def _measured(key: str, given: list[c.Level], contract: c.Contract) -> list[str]:
    """How far from the fill an order says that its levels are."""
    told: dict[str, list[str]] = {}
    for far in (x.distance for x in given if x.base == "fill"):
        if far is not None:
            own = far.unit in ("percent", "r")
            text = number(far.amount) if own else reach(far, contract, "", "i")
            told.setdefault(far.unit if own else "distance", []).append(text)
    return [f'"{key}_{unit}": ' + (far[0] if len(far) == 1 else f"min({', '.join(far)})")
            for unit, far in told.items()]  # fmt: skip


def _returned(found: list[str]) -> list[str]:
    one = f"        return {{{', '.join(found)}}}"
    if len(one) <= WIDTH:
        return [one]
    return ["        return {", *(f"            {item}," for item in found), "        }"]


def _level(level: c.Level, base: str, way: float, plain: Plain, contract: c.Contract) -> str:
    if level.price is not None:
        return plain.operand(level.price)
    far, sign = level.distance, "+" if way > 0.0 else "-"
    if far is None:
        raise ValueError("a level without a distance is a fault")
    if far.unit == "percent":
        return f"{base} * (1.0 {sign} {number(far.amount)} / 100.0)"
    if far.unit == "r":
        return f"{base} {sign} {number(far.amount)} * abs({base} - stop)"
    return f"{base} {sign} {reach(far, contract, base, 'i')}"


def reach(far: c.Distance, contract: c.Contract, of: str, bar: str) -> str:
    """A distance as text, on this bar."""
    amount = number(far.amount)
    match far.unit:
        case "percent":
            return f"{amount} / 100.0 * {of}"
        case "r":
            return f"{amount} * abs(filled(e) - stop_of(e, way))"
        case "pips":
            return f"{amount} * {number(contract.pip_size)}"
        case "atr":
            return f'{amount} * at("{far.indicator}.value", {bar})'
    return amount


def write_size(contract: c.Contract) -> str:
    """`size(price, stop)`: how much to buy with an equity of EQUITY."""
    amount = number(contract.risk.sizing.amount)
    said = {
        "fixed_units": amount,
        "fixed_cash": f"{amount} / price",
        "percent_of_equity": f"EQUITY * {amount} / 100.0 / price",
        "risk_cash": f"{amount} / abs(price - stop)",
        "risk_percent": f"EQUITY * {amount} / 100.0 / abs(price - stop)",
    }[contract.risk.sizing.kind]
    return f"def size(price: float, stop: float) -> float:\n    return {said}"


def write_exits(contract: c.Contract, plain: Plain) -> str:
    """`leaves(i, e, way)`: whether a position of bar e, long or short, is closed on bar i."""
    lines = ["def leaves(i: int, e: int, way: float) -> bool:", '    close = at("close", i)']
    for one in contract.exits:
        lines += _exit(plain.rule(one.when), one.side)
    for entry in contract.entries if contract.reverse else ():
        other = c.Side.SHORT if entry.side is c.Side.LONG else c.Side.LONG
        lines += _exit(plain.rule(entry.when), other)
    for trail in contract.risk.trailing:
        lines += _trailing(trail, contract)
    far = contract.risk.break_even_after
    if far is not None:
        each = reach(far, contract, "filled(e)", "j")
        lines += [*_started("armed", '"close"', each),
                  "    if armed and way * (close - filled(e)) <= 0.0:",
                  "        return True"]  # fmt: skip
    if contract.risk.exit_after_bars is not None:
        lines += [f"    if i - e >= {contract.risk.exit_after_bars}:", "        return True"]
    if contract.risk.exit_at is not None:
        at = minutes(contract.risk.exit_at)
        lines += [f'    if at("minute", i) >= {at}:', "        return True"]
    if len(lines) == 2:
        lines.pop()
    elif not any("close" in line for line in lines[2:]):
        lines.pop(1)
    return "\n".join([*lines, "    return False"])


def _exit(rule: str, side: c.Side | None) -> list[str]:
    own = f"way == {WAY[side]} and " if side is not None else ""
    return [f"    if {own}{rule}(i, e):", "        return True"]


def _started(name: str, mark: str, each: str) -> list[str]:
    """Whether one of the bars was so far in profit."""
    return [
        f"    gains = [way * (at({mark}, j) - filled(e)) for j in range(e, i + 1)]",
        f"    far = [{each} for j in range(e, i + 1)]",
        f"    {name} = any(g >= f for g, f in zip(gains, far, strict=True))",
    ]


def _trailing(trail: c.Trailing, contract: c.Contract) -> list[str]:
    mark = '"close"' if trail.mark == "close" else '"high" if way > 0.0 else "low"'
    far = reach(trail.distance, contract, "best", "i")
    lines = [
        f"    mark = {mark}",
        "    best = way * max(way * at(mark, j) for j in range(e, i + 1))",
        f"    beyond = way * close < way * best - {far}",
    ]
    if trail.starts_after is not None:
        each = reach(trail.starts_after, contract, "filled(e)", "j")
        lines += [*_started("started", "mark", each), "    beyond = beyond and started"]
    own = f"way == {WAY[trail.side]} and " if trail.side is not None else ""
    return [*lines, f"    if {own}beyond:", "        return True"]
