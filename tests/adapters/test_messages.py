"""Whatever TWS says about an order: what is told is what is true, and no position is bare."""

import pytest

from adapters.live.port import Unfit
from tests.adapters import tws_messages as say
from tests.adapters.conformance import BUY, OnTheMarket, holding, ibkr, step
from tests.adapters.tws_messages import AMBIGUOUS, INFORMATIONAL, REFUSED, After, Message

EVERY = [*INFORMATIONAL, *REFUSED, *AMBIGUOUS]
LIVES = {After.LIVES, After.SILENT}


@pytest.fixture
def rig() -> OnTheMarket:
    made = ibkr()
    assert isinstance(made, OnTheMarket)
    return made


def at_tws(rig: OnTheMarket) -> dict[str, float]:
    """What could still be traded there, also what only a person could release."""
    orders = rig.market.venue.orders.values()
    return {o.ref.partition(".")[2]: o.volume for o in orders if o.open}


@pytest.mark.parametrize("message", EVERY, ids=str)
def test_an_entry_is_taken_or_it_is_gone(rig: OnTheMarket, message: Message) -> None:
    step(rig, 0)
    rig.market.says = {".e": message}
    done = rig.place_order({**BUY, "sl": 95.0, "tp": 120.0})
    lives = message.after in LIVES
    assert done["success"] is lives
    assert at_tws(rig) == ({"e": 2.0, "sl": 2.0, "tp": 2.0} if lives else {})
    assert lives or f"{message.code}:" in done["error"]
    rig.market.says = {}
    assert step(rig, 1) == (["position_opened"] if lives else [])
    assert rig.market.venue.net == rig.adapter.book.net() == (2.0 if lives else 0.0)
    assert at_tws(rig) == ({"sl": 2.0, "tp": 2.0} if lives else {})
    assert len(rig.adapter.broker.stops()) == (1 if lives else 0)
    assert rig.adapter.book.working() == []


@pytest.mark.parametrize("part", ["sl", "tp"])
@pytest.mark.parametrize("message", EVERY, ids=str)
def test_an_entry_has_its_stop_and_target_or_is_not_traded(
    rig: OnTheMarket, message: Message, part: str
) -> None:
    step(rig, 0)
    rig.market.says = {f".{part}": message}
    done = rig.place_order({**BUY, "sl": 95.0, "tp": 120.0})
    lives = message.after in LIVES
    assert done["success"] is lives
    rig.market.says = {}
    step(rig, 1)
    assert rig.market.venue.net == rig.adapter.book.net() == (2.0 if lives else 0.0)
    assert at_tws(rig) == ({"sl": 2.0, "tp": 2.0} if lives else {})


@pytest.mark.parametrize("message", EVERY, ids=str)
def test_an_exit_works_or_the_position_keeps_its_protection(
    rig: OnTheMarket, message: Message
) -> None:
    name = holding(rig, sl=95.0, tp=120.0)
    rig.market.says = {".x": message}
    done = rig.close_position(name)
    lives = message.after in LIVES
    assert done["success"] is lives
    assert bool(rig.adapter.book.held[name].leaving) is lives
    assert at_tws(rig) == ({"x": 2.0} if lives else {"sl": 2.0, "tp": 2.0})
    rig.market.says = {}
    assert step(rig, 2) == (["position_closed"] if lives else [])
    assert rig.market.venue.net == rig.adapter.book.net() == (0.0 if lives else 2.0)
    assert at_tws(rig) == ({} if lives else {"sl": 2.0, "tp": 2.0}), "none without a position"
    assert lives or rig.close_position(name)["success"]


@pytest.mark.parametrize("message", EVERY, ids=str)
def test_a_stop_that_is_put_back_works_or_its_loss_is_told(
    rig: OnTheMarket, message: Message
) -> None:
    name = holding(rig, sl=95.0, tp=120.0)
    rig.market.says = {".x": say.REJECTED, ".sl": message}
    done = rig.close_position(name)
    back = message.after in LIVES
    assert not done["success"] and ("could not be put back" not in done["error"]) is back
    assert at_tws(rig) == ({"sl": 2.0, "tp": 2.0} if back else {"tp": 2.0})
    assert rig.adapter.broker.stops() == ({name} if back else frozenset())


def test_every_order_names_its_time_in_force(rig: OnTheMarket) -> None:
    """Without one TWS takes the one of a preset, and says so with 10349."""
    rig.market.preset = True
    name = holding(rig, sl=95.0, tp=120.0)
    assert rig.close_position(name)["success"]
    step(rig, 2)
    limit = {**BUY, "type": "LIMIT", "price": 90.0, "sl": 80.0, "good_for": 5}
    assert rig.place_order(limit)["success"]
    rig.market.refuses, rig.market.early = ".tp", 1.0
    assert rig.cancel_order(rig.adapter.book.working()[0].ticket.client_id)
    rig.place_order({**BUY, "sl": 80.0, "tp": 120.0})  # traded, then left at once
    sent = rig.broker._broker._ib.trades()
    tifs = [(t.order.orderRef.partition(".")[2], t.order.orderType, t.order.tif) for t in sent]
    bracket = [("e", "MKT", "DAY"), ("tp", "LMT", "GTC"), ("sl", "STP", "GTC")]
    waiting = [("e", "LMT", "GTC"), ("sl", "STP", "GTC")]
    assert tifs == [*bracket, ("x", "MKT", "DAY"), *waiting, *bracket, ("sl", "MKT", "DAY")]
    assert 10349 not in {entry.errorCode for trade in sent for entry in trade.log}


def test_a_stop_that_cannot_be_called_off_keeps_the_target_too(rig: OnTheMarket) -> None:
    """The target is gone already when TWS turns out to hold on to the stop."""
    name = holding(rig, sl=95.0, tp=120.0)
    (stop,) = (o for o in rig.market.venue.orders.values() if o.kind == "STP")
    stop.status = "PendingCancel"
    done = rig.close_position(name)
    stop.status = "Submitted"
    assert not done["success"] and not rig.adapter.book.held[name].leaving
    assert at_tws(rig) == {"sl": 2.0, "tp": 2.0}


@pytest.mark.parametrize("what", ["start", "entry", "exit"])
def test_on_a_read_only_tws_the_run_ends_and_nothing_changes(rig: OnTheMarket, what: str) -> None:
    name = holding(rig, sl=95.0) if what == "exit" else ""
    step(rig, 2 if name else 0)
    before = at_tws(rig), rig.market.venue.net
    rig.market.read_only = True
    act = {"start": rig.broker.connect, "entry": lambda: rig.place_order(BUY),
           "exit": lambda: rig.close_position(name)}  # fmt: skip
    with pytest.raises(Unfit, match="read-only: untick that"):
        act[what]()
    assert (at_tws(rig), rig.market.venue.net) == before
