"""Writes stops and targets as series, from the close or the limit price of the decision bar."""

from __future__ import annotations

from bot.agents.expressions import Writer
from bot.agents.layout import Code
from bot.agents.sheet import Sheet
from bot.agents.spelling import number
from bot.agents.tree import levels_of
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
            codes = [_level(sheet, x, name, key, away, base, found.get("stop")) for x in given]
            found[name] = sheet.keep(f"{name}_{key}", _nearest(sheet, codes, name, key, away))
    return found


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
