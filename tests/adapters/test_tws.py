"""The stand-in TWS, asked with ib_async alone: what it says of an order, and what is true of it."""

from collections.abc import Iterator

import pytest
from ib_async import IB, StartupFetchNONE, Stock
from ib_async.order import MarketOrder, Order, Trade

from adapters.live.port import Bar
from tests.adapters import tws_messages as say
from tests.adapters.tws import ACCOUNT, REAL_ACCOUNT, Tws
from tests.adapters.tws_messages import AMBIGUOUS, INFORMATIONAL, REFUSED, After, Message
from tests.adapters.venue import Venue

DAY = 86_400_000_000
LIVES = {After.LIVES, After.SILENT}
KEEPS = {*LIVES, After.HELD}


@pytest.fixture
def tws() -> Tws:
    made = Tws(Venue())
    made.move(Bar(DAY, 100, 101, 99, 100))
    return made


@pytest.fixture
def ib(tws: Tws) -> Iterator[IB]:
    made = IB()
    made.connect("127.0.0.1", tws.port, 71, fetchFields=StartupFetchNONE)
    yield made
    made.disconnect()


def send(ib: IB, **more: object) -> Trade:
    """Sent and answered: whatever TWS says to an order, it says before it answers the next ask."""
    order = MarketOrder("BUY", 2, **{"orderRef": "a.e", "tif": "DAY", **more})
    trade = ib.placeOrder(Stock("X", "SMART", "USD"), order)
    ib.reqCurrentTime()
    return trade


def codes(trade: Trade) -> list[int]:
    return [entry.errorCode for entry in trade.log if entry.errorCode]


def refs(trades: list[Trade]) -> list[str]:
    return [trade.order.orderRef for trade in trades]


@pytest.mark.parametrize("message", [*INFORMATIONAL, *REFUSED, *AMBIGUOUS], ids=str)
def test_only_asking_tells_what_became_of_an_order(tws: Tws, ib: IB, message: Message) -> None:
    heard: list[int] = []
    ib.errorEvent += lambda number, code, text, contract: heard.append(code)
    tws.says = {".e": message}
    send(ib)
    assert heard[0] == message.code
    there = ["a.e"] if message.after in KEEPS else []
    assert refs(ib.reqAllOpenOrders()) == refs(ib.reqOpenOrders()) == there
    tws.move(Bar(2 * DAY, 101, 102, 100, 101))
    assert tws.venue.net == (2.0 if message.after in LIVES else 0.0)
    done = {After.CANCELLED, After.DISCARDED, After.GONE, *LIVES}
    assert refs(ib.reqCompletedOrders(False)) == (["a.e"] if message.after in done else [])
    assert [f.execution.shares for f in ib.reqExecutions()] == [2.0] * (message.after in LIVES)


def test_an_order_without_a_time_in_force_lives_though_ib_async_calls_it_cancelled(
    tws: Tws, ib: IB
) -> None:
    tws.preset = True
    trade = send(ib, tif="")
    assert (codes(trade), trade.orderStatus.status) == ([10349], "Cancelled")
    ib.reqOpenOrders()
    assert trade.orderStatus.status == "Submitted", "asked, TWS tells"
    assert tws.venue.orders[trade.order.orderId].tif == "DAY"
    tws.move(Bar(2 * DAY, 101, 102, 100, 101))
    ib.reqCurrentTime()
    assert (trade.orderStatus.status, tws.venue.net) == ("Filled", 2.0)


def test_an_order_with_a_time_in_force_is_not_spoken_of(tws: Tws, ib: IB) -> None:
    tws.preset = True
    for tif in ("DAY", "GTC"):
        trade = send(ib, tif=tif)
        assert (codes(trade), trade.orderStatus.status) == ([], "Submitted")


def test_a_read_only_tws_takes_no_order_though_ib_async_calls_it_active(tws: Tws, ib: IB) -> None:
    tws.read_only = True
    trade = send(ib)
    assert codes(trade) == [321] and trade.isActive() and trade.orderStatus.permId == 0
    tws.read_only = False
    assert ib.reqOpenOrders() == ib.reqCompletedOrders(False) == [] and tws.venue.orders == {}


def test_a_read_only_tws_cancels_nothing_and_lists_no_orders(tws: Tws, ib: IB) -> None:
    trade, heard = send(ib), list[tuple[int, int]]()
    ib.errorEvent += lambda number, code, text, contract: heard.append((number, code))
    tws.read_only = True
    ib.cancelOrder(trade.order)
    ib.reqOpenOrdersAsync()  # asked, and not waited for: the end of the list does not come
    ib.reqCurrentTime()
    assert heard == [(trade.order.orderId, 321), (-1, 321)]
    assert tws.venue.orders[trade.order.orderId].status == "Submitted"


def test_the_reason_of_a_rejection_is_not_in_the_log_of_the_trade(tws: Tws, ib: IB) -> None:
    """Inactive comes first, ib_async counts it as done, and the 201 after it is only an event."""
    tws.says = {".e": say.REJECTED}
    trade = send(ib)
    assert trade.orderStatus.status == "Inactive" and trade.isDone() and codes(trade) == []


@pytest.mark.parametrize("message", [say.UNTRANSMITTED, say.HELD_FOR_SHARES], ids=str)
def test_an_inactive_order_can_be_released_and_traded(tws: Tws, ib: IB, message: Message) -> None:
    tws.says = {".e": message}
    trade = send(ib)
    assert trade.orderStatus.status == "Inactive" and trade.isDone()
    tws.release("a.e")
    tws.move(Bar(2 * DAY, 101, 102, 100, 101))
    ib.reqCurrentTime()
    assert (trade.orderStatus.status, tws.venue.net) == ("Filled", 2.0)


def test_an_inactive_order_can_be_cancelled(tws: Tws, ib: IB) -> None:
    tws.says = {".e": say.UNTRANSMITTED}
    trade = send(ib)
    ib.cancelOrder(trade.order)
    ib.reqCurrentTime()
    assert trade.orderStatus.status == "Cancelled" and ib.reqOpenOrders() == []


def test_what_cannot_be_cancelled_is_filled_or_unknown(tws: Tws, ib: IB) -> None:
    heard: list[tuple[int, str]] = []
    ib.errorEvent += lambda number, code, text, contract: heard.append((code, text))
    filled = send(ib).order.orderId
    tws.move(Bar(2 * DAY, 101, 102, 100, 101))
    for number in (filled, 4711):
        ib.cancelOrder(Order(orderId=number))
    ib.reqCurrentTime()
    assert [code for code, _ in heard] == [10148, 10147] and "state: Filled" in heard[0][1]


@pytest.mark.parametrize("ids", [(ACCOUNT,), (REAL_ACCOUNT,), (ACCOUNT, REAL_ACCOUNT)])
def test_it_tells_which_accounts_it_manages(tws: Tws, ids: tuple[str, ...]) -> None:
    tws.accounts = ids
    ib = IB()
    ib.connect("127.0.0.1", tws.port, 71, fetchFields=StartupFetchNONE)
    assert ib.managedAccounts() == list(ids)
    send(ib, account=ids[0])
    assert codes(send(ib, account="U-somebody")) == [321]
    assert [o.ref for o in tws.venue.orders.values()] == ["a.e"]
    ib.disconnect()


def test_a_message_is_for_the_orders_that_were_named(tws: Tws, ib: IB) -> None:
    tws.says = {".sl": say.UNKNOWN_NEVER}
    send(ib)
    stop = Order(action="SELL", totalQuantity=2, orderType="STP", auxPrice=95.0, tif="GTC",
                 orderRef="a.sl")  # fmt: skip
    trade = ib.placeOrder(Stock("X", "SMART", "USD"), stop)
    ib.reqCurrentTime()
    assert trade.orderStatus.status == "Cancelled" and refs(ib.reqOpenOrders()) == ["a.e"]
