"""What goes wrong at brokers, on every live adapter: each order and each fill counts once."""

import socket
import time
from pathlib import Path
from typing import Any

import pytest

from adapters.live.adapter import LiveAdapter, apply
from adapters.live.book import Book, in_order
from adapters.live.journal import Journal
from adapters.live.mt5 import Login, Mt5
from adapters.live.port import Bar, Denied, Down, Fill, Ticket
from adapters.live.steady import Steady
from tests.adapters.conformance import BARS, BUY, LIVE, TERMS, OnTheMarket, holding, step
from tests.adapters.conformance import DAY as MARKET
from tests.adapters.terminal import Terminal
from tests.adapters.venue import Venue

DAY = 86_400_000_000


@pytest.fixture(params=LIVE)
def rig(request: pytest.FixtureRequest) -> OnTheMarket:
    made = LIVE[request.param]()
    assert isinstance(made, OnTheMarket)
    return made


def break_next_answer(market: Any) -> None:
    """The order arrives, the answer does not."""
    if hasattr(market, "drop_next_answer"):
        market.drop_next_answer = True
    else:
        market.lines_to_break = 1


def cut(market: Any) -> None:
    """The line goes while nobody is asking."""
    if hasattr(market, "session"):
        market.session.connection.shutdown(socket.SHUT_RDWR)
        while market.session is not None:
            time.sleep(0.001)
    else:
        market.connected = False


def test_a_partial_fill_grows_into_one_position(rig: OnTheMarket) -> None:
    rig.market.venue.part = 1.0
    name = holding(rig)
    assert [p["volume"] for p in rig.get_positions()] == [1.0]
    assert step(rig, 2) == []
    (whole,) = rig.get_positions()
    assert (whole["position_id"], whole["volume"], whole["entry_price"]) == (name, 2.0, 101.5)
    assert whole["entry_idx"] == 1


def test_a_partial_exit_shrinks_it_and_ends_it_once(rig: OnTheMarket) -> None:
    name = holding(rig)
    rig.market.venue.part = 1.0
    assert rig.close_position(name)["success"]
    assert step(rig, 2) == []
    assert [p["volume"] for p in rig.get_positions()] == [1.0]
    assert rig.close_position(name)["success"], "asked again, it is on its way"
    assert step(rig, 3) == ["position_closed"]
    assert rig.get_positions() == [] and rig.market.venue.net == 0.0
    assert rig.generate_report()["total_pnl"] == (102 - 101) + (95 - 101)


def test_a_rejection_says_why_and_leaves_nothing_behind(rig: OnTheMarket) -> None:
    step(rig, 0)
    result = rig.place_order({**BUY, "volume": 1e6})
    assert not result["success"] and "the order needs" in result["error"]
    assert step(rig, 1) == [] and rig.get_positions() == []


def test_an_answer_that_is_lost_does_not_send_the_order_twice(rig: OnTheMarket) -> None:
    step(rig, 0)
    break_next_answer(rig.market)
    assert rig.place_order(BUY)["success"]
    assert len(rig.market.received) == 1
    assert step(rig, 1) == ["position_opened"]
    assert rig.market.venue.net == 2.0


def test_a_line_that_broke_between_two_bars_is_made_again(rig: OnTheMarket) -> None:
    name = holding(rig, sl=99.5)
    cut(rig.market)
    assert step(rig, 2) == ["sl_hit", "position_closed"]
    assert rig.get_positions() == [] and not rig.close_position(name)["success"]


def test_fills_told_twice_and_backwards_count_once(rig: OnTheMarket) -> None:
    rig.market.twice = True
    rig.market.venue.part = 1.0
    name = holding(rig)
    step(rig, 2)
    assert [(p["position_id"], p["volume"]) for p in rig.get_positions()] == [(name, 2.0)]
    assert rig.adapter.book.net() == rig.broker.net("X") == 2.0


def test_a_skewed_clock_is_told_as_it_is(rig: OnTheMarket) -> None:
    step(rig, 0)
    for skew in (0.0, 37.0):
        rig.market.skew = skew
        before, server, after = time.time(), rig.broker.clock().server, time.time()
        assert before - 1 <= server - skew <= after + 1


def test_a_new_process_knows_what_the_old_one_did(rig: OnTheMarket) -> None:
    """From the journal and the broker alone, also what was filled in between."""
    step(rig, 0)
    name = rig.place_order(BUY)["order_id"]
    row = BARS.iloc[1]
    rig.market.move(Bar(BARS.index[1].value // 1000, *(float(v) for v in row)))
    old: LiveAdapter = rig.adapter
    book = Book(TERMS, DAY)
    for record in Journal(old.journal.file).read():
        apply(book, record)
    again = LiveAdapter(old.broker, book, Journal(old.journal.file), "test", lambda t: "", "c")
    assert [e["event"] for e in again.take_in()] == ["position_opened"]
    assert again.place_order(BUY)["order_id"] == name and len(rig.market.received) == 1
    again.step_bar(row)
    (held,) = again.get_positions()
    assert (held["position_id"], held["entry_idx"]) == (name, 1)


def test_a_broker_that_stays_away_is_down_in_the_end(rig: OnTheMarket) -> None:
    step(rig, 0)
    if not hasattr(rig.market, "connected"):
        rig.market.shutdown()
        rig.market.server_close()
        cut(rig.market)
    else:
        rig.market.reachable = rig.market.connected = False
    rig.broker._sleep = lambda seconds: None
    with pytest.raises(Down):
        rig.place_order(BUY)
    (intended,) = rig.adapter.book.placed.values()
    assert intended.state == "intended", "nobody knows, so it is not noted as sent"


def test_a_wrong_password_is_not_tried_again() -> None:
    terminal = Terminal(Venue())
    tries: list[float] = []
    with pytest.raises(Denied, match="Authorization failed"):
        broker = Mt5(terminal, Login("1", "wrong", "Demo"), MARKET)
        Steady(broker, lambda why: None, 0.0, tries.append).connect()
    assert tries == []


def test_an_exit_that_is_told_before_its_entry_waits_for_it(tmp_path: Path) -> None:
    book = Book(TERMS, DAY)
    book.bar(Bar(DAY, 10, 11, 9, 10))
    book.intend(Ticket("a", "X", "BUY", 2.0, sl=9.0), 1, "")
    stop = Fill("2", "a", "sl", "SELL", 2.0, 9.0, 2 * DAY + 5)
    entry = Fill("1", "a", "entry", "BUY", 2.0, 10.0, 2 * DAY)
    assert book.fill(stop) == [] and book.fill(stop) == []
    told = [event["event"] for event in book.fill(entry)]
    assert told == ["position_opened", "sl_hit", "position_closed"]
    assert book.fill(entry) == [] and book.fill(stop) == []
    assert book.net() == 0.0 and len(book.trades) == 1 and book.trades[0].pnl == -2.0
    assert in_order([stop, entry, stop]) == [entry, stop, stop]
