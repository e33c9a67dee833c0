"""Two paths and a third opinion: callback, arrays and the brute force engine trade alike."""

from hypothesis import given, settings

from simbroker.arrays import columns, run_signals
from simbroker.kernel import compiled
from tests.simbroker.brute import brute
from tests.simbroker.scripted import facts, play
from tests.simbroker.worlds import World, rich_worlds, worlds


@settings(max_examples=400, deadline=None)
@given(worlds)
def test_arrays_give_what_the_callbacks_give(world: World) -> None:
    called = play(world.strategy(), world.df, world.terms)
    arrays = run_signals(columns(world.df), world.signals(), world.terms, compiled())
    plain = [t._replace(reason="") for t in called.trades]
    assert [t._replace(reason="") for t in arrays.trades] == plain
    assert arrays.equity.tolist() == called.equity.tolist()
    assert arrays.refused == called.refused
    assert (arrays.first_close, arrays.last_close) == (called.first_close, called.last_close)


@settings(max_examples=400, deadline=None)
@given(rich_worlds)
def test_brute_force_agrees(world: World) -> None:
    expected = [
        (t["signal"], t["ask"].side, t["bar"], t["entry"], t["exit_bar"], t["exit"], t["kind"])
        for t in brute(
            world.candles,
            world.orders,
            world.exit_long,
            world.exit_short,
            world.terms.max_positions,
            world.good_for,
        )
    ]
    expected.sort(key=lambda row: (row[0], row[4]))
    assert facts(play(world.strategy(), world.df, world.terms)) == expected
