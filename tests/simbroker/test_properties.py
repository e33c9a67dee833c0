"""Rules that hold whatever the bars, the decisions and the costs are."""

from decimal import Decimal

from hypothesis import given, settings

from simbroker.run import Run
from tests.simbroker.scripted import play
from tests.simbroker.worlds import World, worlds

MANY = settings(max_examples=150, deadline=None)


def played(world: World) -> Run:
    return play(world.strategy(), world.df, world.terms)


@MANY
@given(worlds)
def test_fills_stay_inside_the_bar(world: World) -> None:
    for t in played(world).trades:
        for bar, price in ((t.entry_idx, t.entry_price), (t.exit_idx, t.exit_price)):
            _, high, low, _ = world.candles[bar]
            assert low <= price <= high


@MANY
@given(worlds)
def test_nothing_fills_on_the_bar_that_was_decided_on(world: World) -> None:
    for t in played(world).trades:
        assert t.signal_idx < t.entry_idx <= t.exit_idx
        if t.kind == "signal":
            exits = world.exit_long if t.side > 0 else world.exit_short
            assert t.exit_idx - 1 in exits and t.exit_price == world.candles[t.exit_idx][0]


@MANY
@given(worlds)
def test_money_adds_up_exactly(world: World) -> None:
    """As decimal numbers, not as floats: start + sum of trades = end, to the last booked digit."""
    run = played(world)
    booked = sum((Decimal(repr(t.pnl)) for t in run.trades), Decimal(0))
    start = Decimal(repr(world.terms.initial_balance))
    assert start + booked == Decimal(repr(run.final_balance))
    for t in run.trades:
        parts = [Decimal(repr(x)) for x in (t.commission, t.spread, t.slippage)]
        assert Decimal(repr(t.gross)) - sum(parts) == Decimal(repr(t.pnl))


@MANY
@given(worlds)
def test_cash_is_the_fold_over_fills_and_equity_is_continuous(world: World) -> None:
    """Equity at each close, worked out from the fills alone: nothing appears or disappears."""
    run = played(world)
    for bar in range(len(world.candles) - 1):
        close = world.candles[bar][3]
        cash, standing = world.terms.initial_balance, 0.0
        for t in run.trades:
            if t.entry_idx <= bar:
                cash -= sum(t.paid_in)
                if t.kind != "open" and t.exit_idx <= bar:
                    cash += t.side * (t.exit_price - t.entry_price) * t.units - sum(t.paid_out)
                else:
                    standing += t.side * (close - t.entry_price) * t.units
        assert abs(run.equity[bar] - (cash + standing)) < 1e-6


@MANY
@given(worlds)
def test_a_run_on_the_first_bars_is_a_prefix_of_the_whole_run(world: World) -> None:
    whole = played(world)
    for cut in {1, len(world.candles) // 2, len(world.candles) - 1} - {0}:
        part = play(world.strategy(), world.df.iloc[:cut], world.terms)
        done = [t for t in part.trades if t.kind != "open"]
        assert done == [t for t in whole.trades if t.kind != "open" and t.exit_idx < cut]
        assert part.equity[:-1].tolist() == whole.equity[: cut - 1].tolist()


@MANY
@given(worlds)
def test_no_more_positions_than_allowed_and_never_both_sides(world: World) -> None:
    run = played(world)
    for bar in range(len(world.candles)):
        held = [t for t in run.trades if t.entry_idx <= bar < t.exit_idx]
        assert len(held) <= world.terms.max_positions
        assert len({t.side for t in held}) <= 1


@MANY
@given(worlds)
def test_the_same_input_gives_the_same_run(world: World) -> None:
    one, two = played(world), played(world)
    assert one.trades == two.trades and one.equity.tolist() == two.equity.tolist()


@MANY
@given(worlds)
def test_the_worst_and_best_lie_around_entry_and_exit(world: World) -> None:
    for t in played(world).trades:
        assert t.low <= min(t.entry_price, t.exit_price)
        assert t.high >= max(t.entry_price, t.exit_price)
        assert t.mae <= min(0.0, t.gross) and t.mfe >= max(0.0, t.gross)
