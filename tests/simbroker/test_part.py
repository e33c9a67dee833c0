"""The last part of a run, judged on its own."""

import pytest

from simbroker import statistics as ours
from simbroker.part import since
from simbroker.report import report
from tests.simbroker.scripted import RICH, Ask, Scripted, play, table

CLOSES = [100.0 + n for n in range(12)]
ROWS = [(c, c, c, c) for c in CLOSES]


def test_trades_and_worth_of_the_last_part() -> None:
    """Bought at bars 1 and 7 and left at 3 and 9: a gain of 2 each, one of them in the part."""
    script = Scripted({0: Ask(1), 6: Ask(1)}, exit_long={2: "x", 8: "x"})
    run = play(script, table(ROWS), RICH)
    part = since(run, 5, CLOSES[4])
    told = report(part)
    assert [t.entry_idx for t in part.trades] == [2] and [t.exit_idx for t in part.trades] == [4]
    assert told["total_trades"] == 1 and told["total_pnl"] == 2.0
    assert part.terms.initial_balance == run.equity[4] == RICH.initial_balance + 2
    assert len(part.times) == 7 and told["bars"] == 7
    assert ours.buy_and_hold(part) == pytest.approx((111 / 104 - 1) * part.terms.initial_balance)


def test_what_was_open_already_counts_in_the_worth_alone() -> None:
    run = play(Scripted({0: Ask(1)}, exit_long={8: "x"}), table(ROWS), RICH)
    part = since(run, 5, CLOSES[4])
    assert not part.trades and part.final_balance - part.terms.initial_balance == 5.0


def test_from_the_first_bar_it_is_the_whole() -> None:
    run = play(Scripted({0: Ask(1)}, exit_long={8: "x"}), table(ROWS), RICH)
    assert report(since(run, 0, CLOSES[0])) == report(run)
