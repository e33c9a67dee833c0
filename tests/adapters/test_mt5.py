"""What MetaTrader 5 does that others do not: filling modes, netting, its clock, its history."""

import time

import pytest

from adapters.live.mt5 import Mt5
from adapters.live.port import Down, Market, Standing, Unfit
from tests.adapters.conformance import BARS, BUY, LOGIN, OnTheMarket, holding, mt5, step
from tests.adapters.conformance import DAY as MARKET
from tests.adapters.terminal import Terminal
from tests.adapters.venue import Venue

DAY = 86_400


@pytest.fixture
def rig() -> OnTheMarket:
    made = mt5()
    assert isinstance(made, OnTheMarket)
    return made


@pytest.mark.parametrize("filling", [0, 1, 2, 3])
def test_an_order_has_the_filling_that_its_symbol_takes(rig: OnTheMarket, filling: int) -> None:
    rig.market.filling = filling
    name = holding(rig)
    assert rig.close_position(name)["success"]


def test_prices_between_two_steps_go_to_the_nearest(rig: OnTheMarket) -> None:
    step(rig, 0)
    order = {**BUY, "type": "LIMIT", "price": 99.987, "sl": 94.90317, "tp": 120.119999}
    assert rig.place_order(order)["success"]
    prices = [order.price for order in rig.market.venue.orders.values()]
    assert prices == [99.99, 94.9, 120.12]


@pytest.mark.parametrize(
    ("foreign", "positions", "says"), [(1.0, 1, "not ours"), (0.0, 2, "up to 2")]
)
def test_a_netting_account_that_would_mix_positions_is_not_traded_on(
    foreign: float, positions: int, says: str
) -> None:
    terminal = Terminal(Venue())
    terminal.margin_mode, terminal.foreign = terminal.ACCOUNT_MARGIN_MODE_RETAIL_NETTING, foreign
    with pytest.raises(Unfit, match=says):
        Mt5(terminal, LOGIN, Market("X", "D1", DAY, positions)).connect()
    terminal.margin_mode = terminal.ACCOUNT_MARGIN_MODE_RETAIL_HEDGING
    Mt5(terminal, LOGIN, Market("X", "D1", DAY, positions)).connect()


def test_a_netting_account_of_our_own_is_traded_on() -> None:
    terminal = Terminal(Venue())
    terminal.margin_mode = terminal.ACCOUNT_MARGIN_MODE_RETAIL_NETTING
    Mt5(terminal, LOGIN, MARKET).connect()


def test_a_terminal_that_lost_its_server_has_no_clock(rig: OnTheMarket) -> None:
    """It goes on telling its last tick, and that would look fresh."""
    step(rig, 0)
    rig.market.online = False
    with pytest.raises(Down, match="no connection to its server"):
        rig.broker._broker.clock()


def test_a_bar_is_not_old_because_the_market_was_closed(rig: OnTheMarket) -> None:
    step(rig, 0)
    tick = rig.market.symbol_info_tick("X").time
    for closed in (0, 2 * DAY):
        rig.market.closed = closed
        assert abs(rig.broker._broker.clock().market / 1e6 - (tick - closed)) < 5.0


def test_an_order_in_the_history_works_no_more(rig: OnTheMarket) -> None:
    """Filled in part and the rest cancelled is a state of its own there: 3."""
    rig.market.venue.part = 1.0
    name = holding(rig)
    (number,) = (n for n, o in rig.market.venue.orders.items() if o.ref == name)
    rig.market.venue.cancel(number)
    rig.market.done_parts[number] = 3
    assert rig.broker.orders()[name].standing == Standing.CANCELLED
    assert [e["event"] for e in rig.adapter.take_in()] == ["order_cancelled"]
    assert len(BARS) == 4 and rig.adapter.book.working() == []


@pytest.mark.parametrize("kind", ["DEMO", "CONTEST", "REAL"])
def test_the_terminal_tells_the_kind_of_account(rig: OnTheMarket, kind: str) -> None:
    mode = getattr(rig.market, f"ACCOUNT_TRADE_MODE_{kind}")
    assert rig.market.account_info().trade_mode == rig.market.ACCOUNT_TRADE_MODE_DEMO
    rig.market.trade_mode = mode
    assert rig.market.account_info().trade_mode == mode


def test_the_last_tick_of_a_quiet_symbol_is_old(rig: OnTheMarket) -> None:
    step(rig, 0)
    before = rig.market.symbol_info_tick("X").time_msc
    rig.market.quiet = 1e6
    after = rig.market.symbol_info_tick("X").time_msc
    assert before - 1e9 <= after < before


@pytest.mark.parametrize("zone", [0, 2 * 3600, -5 * 3600])
def test_a_quiet_symbol_is_no_skewed_clock(rig: OnTheMarket, zone: int) -> None:
    """The terminal tells when its last tick was, and not what time it is at the server."""
    step(rig, 0)
    for quiet, ahead in ((0.0, 0.0), (20.0, 0.0), (1200.0, 0.0), (7000.0, 0.0), (0.0, 30.0)):
        rig.market.skew, rig.market.quiet = zone + ahead, quiet
        before, server, after = time.time(), rig.broker.clock().server, time.time()
        assert before - 1 <= server - ahead <= after + 1
