"""The table of indicators in the reference page, written from the one list of them."""

from __future__ import annotations

from schemas.indicators import KINDS
from schemas.sheet.names import SETTING_ORDER
from schemas.sheet.printer import number

BEGIN = "<!-- indicators: written from schemas/indicators.py, checked by tests/sheet/test_reference.py -->"  # noqa: E501
END = "<!-- end of indicators -->"


def table() -> str:
    """One row a kind: how its outputs are spelt, their usual settings, what they are."""
    rows = ["| written | is | of | worked out as |", "|---|---|---|---|"]
    for name, kind in KINDS.items():
        order = SETTING_ORDER.get(name, tuple(kind.parameters))
        usual = ", ".join(number(kind.parameters[p]) for p in order if kind.parameters[p] >= 0)
        source = "high, " if name in ("highest", "lowest") else ""
        call = f"({source}{usual})" if usual else ""
        spelt = ", ".join(f"`{series}{call}`" for series in kind.series(name))
        settings = ", ".join(order)
        means = f"{kind.label}{f'; settings {settings}' if settings else ''}"
        rows.append(f"| {spelt} | {means} | {_reads(kind.reads)} | {kind.definition} |")
    return "\n".join(rows) + "\n"


def _reads(columns: str) -> str:
    return "the close, or the series in the brackets" if columns == "source" else columns
