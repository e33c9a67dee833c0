"""How trades ended and what each way of ending brought, as rows for any table."""

from __future__ import annotations

from bot.text.findings import literal
from schemas.report import Ending, EndKind, Summary

HEAD = ("how it ended", "trades", "win rate", "net result", "average")
WORDS = {
    EndKind.STOP: "stop",
    EndKind.TARGET: "target",
    EndKind.RULE: "rule: others",
    EndKind.DATA: "end of the data",
}
MEANS = (
    "Stop and target rest in the market. A rule is the strategy's own, in its words: it decides on "
    "a close and leaves at the next open."
)


def rows(summary: Summary) -> list[tuple[str, ...]]:
    """As the strategy spells its reasons: whoever shows them escapes them."""
    return [
        (_named(e), f"{e.trades:,}", f"{e.win_rate:.1%}", f"{e.net:+,.2f}", f"{e.average:+,.2f}")
        for e in summary.endings
    ]


def _named(ending: Ending) -> str:
    return f"rule: {ending.reason}" if ending.reason else WORDS[ending.kind]


def ended(summary: Summary) -> str:
    """The table in markdown."""
    lines = [HEAD, ("---", *("--:" for _ in HEAD[1:]))]
    lines += [(literal(name, 100), *numbers) for name, *numbers in rows(summary)]
    return "\n".join([*(f"| {' | '.join(line)} |" for line in lines), "", MEANS])
