"""The tests of what a strategy remembers of its own trades, on bars that are drawn by hand."""

from __future__ import annotations

JOURNAL = '''CALM = (10.0, 10.5, 9.5, 10.0)
NEVER = (math.inf, math.inf, math.inf)


def drawn(*rows: tuple[float, ...]) -> pd.DataFrame:
    """Bars by hand: open, high, low and close of each."""
    index = pd.bdate_range("2024-01-01", periods=len(rows))
    return pd.DataFrame(rows, index=index, columns=["Open", "High", "Low", "Close"])


def asked_for(side: float, limit: float) -> OrderRequest:
    """With a stop 1 away and a target 2 away from 10."""
    told = {"action": "BUY" if side > 0.0 else "SELL", "sl": 10.0 - side, "tp": 10.0 + 2.0 * side}
    return cast(OrderRequest, told if math.isnan(limit) else {**told, "price": limit})


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize(
    ("limit", "row", "price", "since"),
    [
        (NAN, CALM, NAN, NEVER),
        (NAN, (10.0, 10.5, 8.5, 10.0), 9.0, (2.0, 2.0, 2.0)),
        (NAN, (8.8, 9.0, 8.5, 8.9), 8.8, (2.0, 2.0, math.inf)),
        (NAN, (10.0, 12.5, 9.5, 12.0), 12.0, (2.0, math.inf, math.inf)),
        (NAN, (12.4, 12.6, 12.1, 12.5), 12.4, (2.0, math.inf, math.inf)),
        (9.5, (10.0, 10.5, 9.6, 10.0), NAN, NEVER),
        (9.5, (10.0, 10.5, 8.9, 10.0), 9.0, (2.0, 2.0, 2.0)),
        (9.5, (10.0, 12.5, 9.4, 12.0), NAN, NEVER),
        (9.5, (9.3, 9.6, 8.9, 9.2), 9.0, (2.0, 2.0, 2.0)),
    ],
)
def test_journal_knows_how_an_order_ended_inside_its_first_bar(
    side: float, limit: float, row: tuple[float, ...], price: float, since: tuple[float, ...]
) -> None:
    turned = [10.0 + side * (value - 10.0) for value in row]
    bar = (turned[0], max(turned[1:3]), min(turned[1:3]), turned[3])
    df, journal = drawn(CALM, bar, CALM, CALM), Journal()
    journal.ordered(asked_for(side, 10.0 + side * (limit - 10.0)), 0)
    journal.settle(df, 1)
    found = [(ending.idx, round(ending.price, 6)) for ending in journal.endings]
    ends = [] if math.isnan(price) else [(1, round(10.0 + side * (price - 10.0), 6))]
    assert found == ends and journal.entries == [0][: len(ends)]
    kinds = ("exit", "stop", "loss")
    assert tuple(journal.bars_since_exit(df, 3, kind) for kind in kinds) == since


def test_journal_counts_a_pause_from_the_fill_of_an_exit() -> None:
    df = drawn(CALM, CALM, CALM, (9.8, 10.0, 9.5, 9.9), CALM)
    journal, held = Journal(), position("BUY", 1, 10.0, 9.0)
    journal.ordered(asked_for(1.0, NAN), 0)
    journal.saw(held, 1)
    assert journal.newest() == held and not journal.holds_other_than(asked_for(1.0, NAN))
    assert journal.holds_other_than(asked_for(-1.0, NAN))
    journal.saw(held, 2)
    journal.leaves(held, 2, False)
    assert journal.newest() is None
    journal.settle(df, 2)
    assert journal.bars_since_exit(df, 2, "exit") == -1.0
    assert journal.bars_since_exit(df, 2, "loss") == math.inf
    journal.settle(df, 3)
    assert journal.bars_since_exit(df, 3, "loss") == journal.bars_since_exit(df, 3, "exit") == 0.0
    assert journal.bars_since_exit(df, 3, "stop") == math.inf
    days = pd.Series([1.0, 1.0, 2.0, 2.0, 2.0])
    assert [journal.entries_on(days, i) for i in (1, 2)] == [1, 0]


def test_journal_takes_a_position_that_is_gone_for_closed() -> None:
    df, journal = drawn(CALM, CALM, (10.0, 10.5, 8.5, 9.0), CALM), Journal()
    journal.saw(position("BUY", 1, 10.0, 9.0), 1)
    assert journal.newest() is None, "nobody ordered it"
    journal.ordered(asked_for(1.0, NAN), 0)
    journal.saw(position("BUY", 1, 10.0, 9.0), 1)
    journal.settle(df, 2)
    assert [(e.idx, e.price, e.by_stop) for e in journal.endings] == [(2, 9.0, True)]
    journal.settle(df, 0)
    assert journal.endings == [] and journal.entries == [] and journal.deals == {}'''
