"""Writes stops and targets as series, from the close or the limit price of the decision bar.

Those that are measured from the fill are written too: they count until the fill is known. Beside
them an order then says how far from the fill they are.
"""

from __future__ import annotations

import re

from bot.agents.expressions import Writer
from bot.agents.layout import Code
from bot.agents.sheet import Sheet
from bot.agents.spelling import number
from bot.agents.tree import fixed, from_fill, levels_of
from schemas import contract as c


def prices(sheet: Sheet, entry: c.Entry, key: str) -> dict[str, str]:
    """The names of its limit, stop and target among the indicators; what it lacks is absent."""
    found: dict[str, str] = {}
    base = "close"
    if entry.limit is not None:
        wish = f"limit_{key}"
        base = found["limit"] = sheet.keep(wish, Writer(sheet, wish).level(entry.limit))
    risk = sheet.contract.risk
    towards = 1 if entry.side is c.Side.LONG else -1
    for name, levels, away in (("stop", risk.stops, -towards), ("target", risk.targets, towards)):
        given = levels_of(levels, entry.side)
        if given:
            at = (name, key, away, base, found.get("stop"))
            staying = fixed(given)
            codes = [_level(sheet, x, *at) for x in staying]
            if staying:
                one = _nearest(sheet, codes, name, key, away)
                found[f"{name}_fixed"] = sheet.keep(f"{name}_fixed_{key}", one)
                codes = [Code(found[f"{name}_fixed"])]
            codes += [_level(sheet, x, *at) for x in given if x not in staying]
            found[name] = sheet.keep(f"{name}_{key}", _nearest(sheet, codes, name, key, away))
            if atrs := _in_atr(sheet, given, name):
                found[f"{name}_distance"] = _shortest(sheet, atrs, given, name, key)
    return found


def measured(sheet: Sheet, entry: c.Entry, found: dict[str, str]) -> dict[str, str]:
    """What an order says of the fill besides its series `found`."""
    risk, told = sheet.contract.risk, dict[str, str]()
    for name, levels in (("stop", risk.stops), ("target", risk.targets)):
        given = levels_of(levels, entry.side)
        wanted = {f"{name}_{unit}": _amounts(sheet, given, name, unit) for unit in ("percent", "r")}
        if f"{name}_distance" not in found:
            wanted[f"{name}_distance"] = _in_price(sheet, given, name)
        told |= {argument: _least(far) for argument, far in wanted.items() if far}
    return told


def _amounts(sheet: Sheet, given: list[c.Level], name: str, unit: str) -> list[str]:
    return [_number(sheet, f"{name}_{unit}", amount) for amount in from_fill(given, unit)]


def _number(sheet: Sheet, wish: str, amount: float) -> str:
    """The name that the level before the fill has written for it already."""
    literal = number(amount)
    for name, known in sheet.params.items():
        if known == literal and re.fullmatch(rf"{wish}(_\d+)?", name):
            return f"self.params.{name}"
    return sheet.constant(wish, literal)


def _least(found: list[str]) -> str:
    return found[0] if len(found) == 1 else f"min({', '.join(found)})"


def _in_price(sheet: Sheet, given: list[c.Level], name: str) -> list[str]:
    pips = [f"{amount} * {pip(sheet)}" for amount in _amounts(sheet, given, name, "pips")]
    return [*_amounts(sheet, given, name, "price"), *pips]


def _in_atr(sheet: Sheet, given: list[c.Level], name: str) -> list[Code]:
    found = []
    for level in given:
        far = level.distance
        if level.base == "fill" and far is not None and far.unit == "atr":
            amount = _number(sheet, f"{name}_atr", far.amount)
            found.append(Code(f"{amount} * {sheet.outputs[str(far.indicator), 'value']}"))
    return found


def _shortest(sheet: Sheet, atrs: list[Code], given: list[c.Level], name: str, key: str) -> str:
    """The series of the shortest distance, also where one of them is the same on every bar."""
    code = atrs[0]
    for other in atrs[1:]:
        one, two = (sheet.local(f"{name}_distance_{key}_of", x) for x in (code, other))
        code = Code(f"{sheet.piece('lesser')}({one}, {two})")
    if same := _in_price(sheet, given, name):
        one = sheet.local(f"{name}_distance_{key}_of", code)
        code = Code(f"{sheet.piece('lesser')}({one}, {_least(same)})")
    return sheet.keep(f"{name}_distance_{key}", code)


def _nearest(sheet: Sheet, codes: list[Code], name: str, key: str, away: int) -> Code:
    """Of several levels the one that is reached first."""
    nearer, code = "greater" if away < 0 else "lesser", codes[0]
    for other in codes[1:]:
        one, two = (sheet.local(f"{name}_{key}_of", x) for x in (code, other))
        code = Code(f"{sheet.piece(nearer)}({one}, {two})")
    return code


def _level(
    sheet: Sheet, given: c.Level, name: str, key: str, away: int, base: str, stop: str | None
) -> Code:
    if given.price is not None:
        return Writer(sheet, f"{name}_{key}").level(given.price)
    far, sign = given.distance, "+" if away > 0 else "-"
    if far is None:
        raise ValueError("a level without a distance is a fault")
    if base == "close":
        sheet.column("close")
    amount = sheet.constant(f"{name}_{far.unit}", number(far.amount))
    match far.unit:
        case "percent":
            return Code(f"{base} * (1.0 {sign} {amount} / 100.0)")
        case "r":
            return Code(f"{base} {sign} {amount} * ({base} - {stop}).abs()")
        case "pips":
            return Code(f"{base} {sign} {amount} * {pip(sheet)}")
        case "atr":
            return Code(f"{base} {sign} {amount} * {sheet.outputs[str(far.indicator), 'value']}")
    return Code(f"{base} {sign} {amount}")


def pip(sheet: Sheet) -> str:
    return sheet.constant("PIP_SIZE", number(sheet.contract.pip_size))
