"""You wrote, I understood: the table of the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.text.base import code
from bot.text.findings import literal

if TYPE_CHECKING:
    from bot.reading.cited.rows import Row, Table

MOST = 60
EXPLAINED = {
    "enter": "decided at the close, filled at the next bar's open",
    "exit": "decided at the close, filled at the next bar's open",
    "exit after": "counted from entry, filled at the open",
    "stop": "stop loss, a resting order; a gap beyond it fills at the open",
    "target": "profit target, a resting order",
    "trail": "trailing stop, checked at each close",
    "breakeven": "checked at each close",
    "size risk_percent": "position size: so much of the equity is lost if stopped out, before gaps",
    "size risk_cash": "position size: so much money is lost if stopped out, before gaps",
    "size equity_percent": "position size: so much of the equity is spent on each trade",
    "size": "position size",
    "commission": "on entry and exit",
}
"""The first words of a statement -> what it means when it trades."""


def waiting(table: Table) -> list[str]:
    """What a person should see before `/approve`."""
    many = sum(not row.used for row in table.rows)
    parts = sum(bool(row.missing) for row in table.rows)
    if not many + parts:
        return []
    told = [f"{many} sentence{'s' * (many != 1)}"] if many else []
    told += [f"part of {parts} sentence{'s' * (parts != 1)}"] if parts else []
    return [
        f"**Not used: {' and '.join(told)} of yours**, in bold below. `/approve` builds it "
        "without; `/revise …` changes the plan.",
        "",
    ]


def understood(table: Table) -> list[str]:
    if not table.rows:
        return []
    seen = set[str]()
    rows = _shown(table.rows)
    left = len(table.rows) - len(rows)
    return [
        "#### You wrote → I understood",
        "",
        "| You wrote | I understood |",
        "|---|---|",
        *(_row(row, seen) for row in rows),
        *([f"| {left} more sentences | all used |"] if left else []),
        "",
    ]


def _shown(rows: tuple[Row, ...]) -> list[Row]:
    """The first ones, and every one that is not used."""
    return [r for n, r in enumerate(rows) if n < MOST or not r.used or r.missing][: 3 * MOST]


def _row(row: Row, seen: set[str]) -> str:
    under = f"{literal(row.under, 60)}: " if row.under else ""
    typed = f'{under}"{literal(row.typed, 400)}"'
    if not row.used:
        return f"| **{typed}** | ***not used*** |"
    if row.instead:
        changed = ", ".join(code(text) for text in row.instead)
        return f"| {typed} | changed later: {changed} |"
    said = [f"{code(text)}{_explained(text, seen)}" for text in row.cited]
    said += [fact.replace("`", "") for fact in row.facts]
    said += [f"***not used*: {', '.join(literal(x, 100) for x in row.missing)}**"] * bool(
        row.missing
    )
    return f"| {typed} | {'<br>'.join(said)} |"


def _explained(text: str, seen: set[str]) -> str:
    """Said once, where such a statement stands first."""
    words = text.split()
    keys = (" ".join(words[:2]), words[0])
    key = next((k for k in keys if k in EXPLAINED), "")
    meant = EXPLAINED.get(key, "")
    if meant in seen:
        return ""
    seen.add(meant)
    return f": {meant}" if meant else ""
