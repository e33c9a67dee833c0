"""What TWS does that others do not: steps of prices, parts of an order, stops traded meanwhile."""

from pathlib import Path

import pytest

from adapters.live.adapter import LiveAdapter
from adapters.live.port import Bar, Market, Standing, Ticket
from adapters.live.runner import Runner
from adapters.live.tws import contract_of, on_steps
from bot.live.audit import Audit
from bot.live.redact import Redactor
from schemas.live import Limits
from tests.adapters.conformance import BARS, BUY, OnTheMarket, holding, ibkr, step
from tests.adapters.test_faults import cut
from tests.live.restless import Strategy


@pytest.fixture
def rig() -> OnTheMarket:
    made = ibkr()
    assert isinstance(made, OnTheMarket)
    return made


def bar(n: int) -> Bar:
    return Bar(BARS.index[n].value // 1000, *(float(v) for v in BARS.iloc[n]))


def working(rig: OnTheMarket) -> dict[str, float]:
    orders = rig.market.venue.orders.values()
    return {o.ref.partition(".")[2]: o.price for o in orders if o.status == "Submitted"}


def test_prices_between_two_steps_go_to_the_nearest(rig: OnTheMarket) -> None:
    step(rig, 0)
    assert rig.place_order({**BUY, "sl": 94.90317, "tp": 120.119999})["success"]
    assert working(rig) == {"e": 0.0, "sl": 94.9, "tp": 120.12}
    fine = on_steps(Ticket("a", "X", "BUY", 1, 0.50317, None, 1.50317), [(0, 0.0001), (1, 0.01)])
    assert (fine.limit, fine.sl, fine.tp) == (0.5032, None, 1.5)


@pytest.mark.parametrize("part", ["sl", "tp", "e"])
def test_an_order_whose_stop_or_target_is_refused_is_not_traded(
    rig: OnTheMarket, part: str
) -> None:
    step(rig, 0)
    rig.market.refuses = f".{part}"
    done = rig.place_order({**BUY, "sl": 95.0, "tp": 120.0})
    assert not done["success"] and "precaution" in done["error"]
    assert step(rig, 1) == [] and rig.market.venue.net == 0.0 and working(rig) == {}


def test_the_stop_comes_last_so_that_nothing_works_without_it(rig: OnTheMarket) -> None:
    step(rig, 0)
    rig.place_order({**BUY, "sl": 95.0, "tp": 120.0})
    assert [ref.partition(".")[2] for ref in rig.market.received] == ["e", "tp", "sl"]


@pytest.mark.parametrize("told", [True, False])
def test_an_exit_is_not_sent_when_the_stop_was_traded_first(rig: OnTheMarket, told: bool) -> None:
    name = holding(rig, sl=99.5)
    rig.market.move(bar(2)) if told else rig.market.venue.move(bar(2))
    done = rig.close_position(name)
    assert not done["success"] and "was traded" in done["error"]
    rig.market.venue.move(bar(3))
    assert rig.market.venue.net == 0.0, "a second sale would have turned it around"
    assert [e["event"] for e in rig.adapter.catch_up()] == ["sl_hit", "position_closed"]


def test_a_refused_exit_leaves_the_position_its_stop_and_target(rig: OnTheMarket) -> None:
    name = holding(rig, sl=95.0, tp=120.0)
    rig.market.refuses = ".x"
    assert not rig.close_position(name)["success"]
    assert working(rig) == {"sl": 95.0, "tp": 120.0}
    rig.market.refuses = ""
    assert step(rig, 2) == []
    assert rig.close_position(name)["success"] and working(rig) == {"x": 0.0}


def test_a_refused_exit_is_told_only_when_tws_has_taken_the_stop_again(rig: OnTheMarket) -> None:
    """Sent is not taken: before the answer nobody knows whether the position has its stop."""
    name = holding(rig, sl=95.0, tp=120.0)
    rig.market.refuses = ".x"
    assert not rig.close_position(name)["success"]
    trades = rig.broker._broker._ib.openTrades()
    assert {t.order.orderRef.partition(".")[2]: t.orderStatus.status for t in trades} == {
        "sl": "Submitted", "tp": "Submitted"}  # fmt: skip
    back = [ref.partition(".")[2] for ref in rig.market.received][-2:]
    assert back == ["sl", "tp"], "the stop goes first"


def test_a_stop_that_cannot_be_put_back_is_told(rig: OnTheMarket) -> None:
    name = holding(rig, sl=95.0, tp=120.0)
    rig.market.refuses = (".x", ".sl")
    done = rig.close_position(name)
    assert not done["success"] and f"{name}.sl could not be put back: 201" in done["error"]
    assert working(rig) == {"tp": 120.0} and not rig.adapter.book.held[name].leaving


def test_a_stop_that_was_traded_while_the_line_was_broken_is_not_sold_twice(
    rig: OnTheMarket,
) -> None:
    """A new session lists neither the stop nor its end."""
    name = holding(rig, sl=99.5)
    cut(rig.market)
    rig.market.venue.move(bar(2))
    done = rig.close_position(name)
    assert not done["success"] and "was traded" in done["error"]
    rig.market.venue.move(bar(3))
    assert rig.market.venue.net == 0.0
    assert [e["event"] for e in rig.adapter.catch_up()] == ["sl_hit", "position_closed"]


@pytest.mark.parametrize("early", [1.0, 2.0])
def test_an_entry_that_was_traded_before_its_stop_was_refused_is_left_at_once(
    rig: OnTheMarket, early: float
) -> None:
    step(rig, 0)
    rig.market.refuses, rig.market.early = ".tp", early
    rig.place_order({**BUY, "sl": 95.0, "tp": 120.0})
    rig.market.early, rig.market.refuses = 0.0, ""
    assert rig.market.venue.net == early
    assert {"sl_hit", "position_closed"} <= set(step(rig, 1))
    assert rig.market.venue.net == rig.adapter.book.net() == 0.0
    assert working(rig) == {} and rig.adapter.book.working() == []


def test_an_exit_that_is_refused_half_way_leaves_a_stop_for_the_rest(rig: OnTheMarket) -> None:
    name = holding(rig, sl=95.0, tp=120.0)
    rig.market.refuses, rig.market.early = ".x", 0.5
    assert not rig.close_position(name)["success"], "half of it is still held"
    rig.adapter.catch_up()
    stops = [o for o in rig.market.venue.orders.values() if o.status == "Submitted"]
    assert {o.ref.partition(".")[2]: o.volume for o in stops} == {"sl": 1.5, "tp": 1.5}
    assert rig.adapter.book.held[name].left == 1.5 and not rig.adapter.book.held[name].leaving


def test_an_exit_that_tws_forgot_is_not_waited_for(rig: OnTheMarket, tmp_path: Path) -> None:
    """A day order that ended while we were away is in no list of TWS."""
    name = holding(rig)
    assert rig.close_position(name)["success"]
    exit_ = rig.adapter.book.held[name].leaving
    cut(rig.market)
    (number,) = (n for n, o in rig.market.venue.orders.items() if o.ref == f"{exit_}.x")
    rig.market.venue.cancel(number)
    rig.broker.connect()
    adapter: LiveAdapter = rig.adapter
    audit = Audit(tmp_path / "audit.jsonl", "corr", Redactor(), lambda: 0.0)
    limits = Limits(symbols=("X",), max_order=5.0, max_position=5.0)
    Runner(adapter, audit, limits, Strategy, {"symbol": "X"}, tmp_path, 0.0).agree()
    assert adapter.book.held[name].leaving == "" and adapter.book.placed[exit_].state == "cancelled"


def test_an_exit_that_outlived_its_position_is_not_sent(rig: OnTheMarket) -> None:
    """It was intended, the process died, and the stop was traded meanwhile."""
    name = holding(rig, sl=99.5)
    left_over = Ticket("sbexit", "X", "SELL", 2.0, closes=name)
    rig.adapter.note("intent", ticket={n: getattr(left_over, n) for n in left_over.__slots__},
                     good_for=1, comment="exit")  # fmt: skip
    assert step(rig, 2) == ["sl_hit", "position_closed"]
    assert "is closed" in rig.adapter.send(left_over, 1, "exit")
    rig.market.move(bar(3))
    assert rig.market.venue.net == 0.0


def test_what_was_left_of_a_traded_order_is_gone_in_a_later_session(rig: OnTheMarket) -> None:
    rig.market.venue.part = 1.0
    name = holding(rig)
    cut(rig.market)
    (number,) = (n for n, o in rig.market.venue.orders.items() if o.ref == f"{name}.e")
    rig.market.venue.cancel(number)
    rig.broker.connect()
    assert rig.broker.orders()[name].standing == Standing.CANCELLED
    assert [e["event"] for e in rig.adapter.take_in()] == ["order_cancelled"]
    assert rig.adapter.book.working() == [] and rig.adapter.book.net() == 1.0


def test_a_pair_of_currencies_has_no_trades_to_ask_for(rig: OnTheMarket) -> None:
    assert contract_of("EURUSD").secType == "CASH" and contract_of("AAPL").secType == "STK"
    for symbol, what in (("X", "TRADES"), ("EURUSD", "MIDPOINT")):
        broker = rig.broker._broker
        broker._contract = contract_of(symbol)
        broker.bars(0)
        assert rig.market.asked_for == what
    assert Market("EURUSD", "D1", 86_400).symbol == "EURUSD"
