"""Writes the methods that make an order: its prices checked, its size computed."""

from __future__ import annotations

from bot.agents.layout import signature
from bot.agents.sheet import Sheet
from bot.agents.spelling import number
from bot.agents.tree import KEYS
from bot.agents.write_entries import Ticket, needs_prices

SIZED_BY = {
    "fixed_units": [],
    "risk_percent": ["price", "stop"],
    "risk_cash": ["price", "stop"],
}
"""Kind of size -> what the volume depends on; for the others it is the price."""


def write_orders(sheet: Sheet, found: list[Ticket]) -> list[str]:
    """_order and _volume."""
    priced = [n for n in KEYS if any(n in t.prices or n in t.measured for t in found)]
    checked = needs_prices(sheet, found)
    arguments = ["self", "action: Action", "reason: str"]
    arguments += ["df: pd.DataFrame", "idx: int"] if checked else []
    arguments += [f"{name}: float | None = None" for name in priced]
    lines = signature("_order", arguments, "OrderRequest | None" if checked else "OrderRequest")
    if checked:
        about = "The order, or None while a price of it is unknown or makes no sense."
        lines += [f'        """{about}"""', *_checks(sheet, priced, found)]
    lines += [
        "        return {",
        '            "action": action,',
        '            "symbol": self.cfg["symbol"],',
        f'            "volume": {"volume" if checked else "self._volume()"},',
    ]
    if "limit" in priced:
        lines.append('            "type": "MARKET" if limit is None else "LIMIT",')
        lines.append('            "price": limit,')
    else:
        lines.append('            "type": "MARKET",')
    lines += [f'            "{KEYS[name]}": {name},' for name in priced if name != "limit"]
    lines += ['            "comment": reason,', "        }"]
    return ["\n".join(lines), "\n".join(_volume(sheet))]


def _checks(sheet: Sheet, priced: list[str], found: list[Ticket]) -> list[str]:
    limited = " if limit is None else limit" if "limit" in priced else ""
    lines = [f'        price = float(df["Close"].iloc[idx]){limited}']
    if "stop" in priced or "target" in priced:
        stop, target = (x if x in priced else "None" for x in ("stop", "target"))
        lines += [
            f'        low = float(df["Low"].iloc[idx]){limited}',
            f'        high = float(df["High"].iloc[idx]){limited}',
            f"        if not {sheet.piece('fits')}(action, low, high, {stop}, {target}):",
            "            return None",
        ]
    by = SIZED_BY.get(sheet.contract.risk.sizing.kind, ["price"])
    given = ", ".join("stop or 0.0" if x == "stop" else x for x in by)
    moving = [n for n in priced if n.endswith("_distance") and any(n in t.prices for t in found)]
    tests = ["price > 0.0", "volume > 0.0", *(f"{name} != 0.0" for name in moving)]
    return [
        *lines,
        f"        volume = self._volume({given})",
        f"        if not ({' and '.join(tests)}):",
        "            return None",
    ]


def _volume(sheet: Sheet) -> list[str]:
    sizing = sheet.contract.risk.sizing
    by = SIZED_BY.get(sizing.kind, ["price"])
    lines = signature("_volume", ["self", *(f"{x}: float" for x in by)], "float")
    amount = number(sizing.amount)
    if sizing.kind == "fixed_units":
        units = sheet.constant("units", amount)
        return [*lines, f'        return float(self.cfg.get("volume", {units}))']
    if sizing.kind == "fixed_cash":
        return [*lines, f"        return {sheet.constant('cash', amount)} / price"]
    if sizing.kind == "risk_cash":
        cash = sheet.constant("cash_at_risk", amount)
        return [
            *lines,
            "        away = abs(price - stop)",
            f"        return {cash} / away if away > 0.0 else 0.0",
        ]
    lines += [
        '        balance = self.cfg.get("initial_balance", 10_000.0)',
        '        equity = float(self.cfg.get("equity", balance))',
    ]
    if sizing.kind == "percent_of_equity":
        share = sheet.constant("equity_percent", amount)
        return [*lines, f"        return equity * {share} / 100.0 / price"]
    share = sheet.constant("risk_percent", amount)
    return [
        *lines,
        "        away = abs(price - stop)",
        f"        return equity * {share} / 100.0 / away if away > 0.0 else 0.0",
    ]
