"""How the trades of a run ended, and what each way of ending brought. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from simbroker.fills import to_money
from simbroker.positions import Trade
from simbroker.statistics import mean, win_rate

MOST_REASONS = 8
"""So many reasons are named; a strategy that writes prices into them has thousands."""
LONGEST = 80
KINDS = ("sl", "tp", "signal", "open")

Pnls = list[float]


class Ending(NamedTuple):
    """Trades that ended alike. `kind` is that of a trade. `reason` is what the strategy said where
    it closed them itself; it is empty for all others, and for reasons that are not named.

    `total_pnl` = sum of pnl; `average_trade` = that / `trades`; `win_rate` = those with pnl > 0 /
    `trades`, 0 to 1.
    """

    kind: str
    reason: str
    trades: int
    win_rate: float
    total_pnl: float
    average_trade: float


def endings(trades: Iterable[Trade]) -> list[Ending]:
    """Each trade is in exactly one: stopped, at the target, closed by the strategy (the reason with
    the most trades first, what is not named last), still open when the data ended.
    """
    found: dict[str, dict[str, Pnls]] = {kind: {} for kind in KINDS}
    for t in trades:
        said = str(t.reason)[:LONGEST] if t.kind == "signal" else ""
        found[t.kind].setdefault(said, []).append(t.pnl)
    return [
        _ending(kind, reason, pnls)
        for kind, reasons in found.items()
        for reason, pnls in _named(reasons)
    ]


def _named(reasons: dict[str, Pnls]) -> list[tuple[str, Pnls]]:
    """Where two have as many trades, the alphabet decides: the same run gives the same bytes."""
    ordered = sorted(reasons.items(), key=lambda each: (-len(each[1]), each[0]))
    rest = [pnl for _, pnls in ordered[MOST_REASONS:] for pnl in pnls]
    return [*ordered[:MOST_REASONS], *([("", rest)] if rest else [])]


def _ending(kind: str, reason: str, pnls: Sequence[float]) -> Ending:
    total = to_money(sum(pnls))
    return Ending(kind, reason, len(pnls), win_rate(pnls), total, mean(pnls))
