"""How our orders stand at TWS: its own word, never what `ib_async` concludes from an error."""

import datetime as dt
import time
from collections.abc import Callable, Iterable
from typing import Any

from ib_async import IB
from ib_async.contract import Contract
from ib_async.objects import TradeLogEntry
from ib_async.order import Trade

from adapters.live.codes import (
    CANCEL_ANSWERS,
    CANCELLED,
    NOT_FOUND,
    READ_ONLY,
    REFUSED,
    Seen,
    informs,
    verdict,
)
from adapters.live.port import Order, Standing, Unfit

WAIT = 10.0
PATIENCE = 2.0
"""How long TWS's own word is waited for after a message that decides nothing."""
DOUBTFUL = ("Cancelled", "ApiCancelled", "ValidationError")
"""What `ib_async` concludes from an error, also from one about a change."""
ENDED = ("Cancelled", "ApiCancelled", "Filled")


class OrderStates:
    """Of one session. The messages of TWS are kept by the number of the order."""

    def __init__(self, ib: IB) -> None:
        self._ib = ib
        self._said: dict[int, list[tuple[int, str]]] = {}
        self._made_sure: set[int] = set()
        """Orders that were cancelled so that nobody has to guess: they are refused."""
        self._read_only = False
        ib.errorEvent += self._error

    def _error(self, request: int, code: int, words: str, contract: Contract | None) -> None:
        if code == 321 and request == -1 and READ_ONLY in words.lower():
            self._read_only = True
            wrapper: Any = self._ib.wrapper
            wrapper._endReq("openOrders")  # no list of orders will come
        if any(trade.order.orderId == request for trade in self._ib.trades()):
            self._said.setdefault(request, []).append((code, words))

    # ------------------------------------------------------------------------- looking
    def verdict(self, trade: Trade) -> Standing | None:
        number, status = trade.order.orderId, trade.orderStatus
        codes = {code for code, _ in self._said.get(number, ())}
        refused = bool(codes & REFUSED) or number in self._made_sure
        return verdict(Seen(status.status, error_behind(trade), refused, bool(status.permId),
                            trade.filled(), trade.order.totalQuantity))  # fmt: skip

    def order(self, trade: Trade) -> Order:
        """As the port tells it. What nobody knows counts as working: it may still be traded."""
        name = trade.order.orderRef.partition(".")[0]
        return Order(name, self.verdict(trade) or Standing.WORKING, self._why(trade))

    def _why(self, trade: Trade) -> str:
        said = self._said.get(trade.order.orderId, [])
        reasons = [s for s in said if s[0] not in CANCEL_ANSWERS and not informs(s[0])] or said
        return f"{reasons[0][0]}: {reasons[0][1]}" if reasons else ""

    def ask(self) -> set[int]:
        """The numbers of the orders that TWS calls open. Status and fills come with the answer."""
        listed = {trade.order.orderId for trade in self._ib.reqOpenOrders()}
        self.must_be_writable()
        self._ib.reqExecutions()
        for trade in self._ib.trades():
            if trade.order.orderId in listed and self.verdict(trade) is None:
                self._set(trade, "Submitted")
        return listed

    def must_be_writable(self) -> None:
        if self._read_only:
            raise Unfit("TWS: its API is read-only: untick that in its API settings")

    def settle(self, trades: Iterable[Trade]) -> None:
        """TWS's word on each. One that it neither lists nor has traded is cancelled, to be sure."""
        for trade in trades:
            if self.verdict(trade) is None:
                self._settle(trade)
            if trade.orderStatus.status == "Inactive":
                self._drop(trade)

    def _drop(self, trade: Trade) -> None:
        """An inactive order is refused. One that TWS still has could become active again."""
        number = trade.order.orderId
        if number in self._made_sure:
            return
        if number in self.ask() and not self.cancel(trade) and number in self.ask():
            raise TimeoutError(f"TWS keeps the inactive order {number}")
        self._made_sure.add(number)

    def _settle(self, trade: Trade) -> None:
        self.ask()
        said = self._said.get(trade.order.orderId, ())
        if self.verdict(trade) is None and all(informs(code) for code, _ in said):
            self._wait(lambda: self.verdict(trade) is not None, PATIENCE)
            self.ask()
        if self.verdict(trade) is None:
            self._made_sure.add(trade.order.orderId)
            self.cancel(trade)
        if self.verdict(trade) is None:
            raise TimeoutError(f"TWS does not say how order {trade.order.orderId} stands")

    def taken(self, trades: list[Trade]) -> Trade | None:
        """Wait until TWS has taken all of them, or refused one: that one."""

        def answered() -> bool:
            found = [(self.verdict(t), t.orderStatus.status) for t in trades]
            ends = (None, Standing.REJECTED, Standing.CANCELLED)
            return any(v in ends for v, _ in found) or all(s != "PendingSubmit" for _, s in found)

        while True:
            self.until(answered)
            self.settle(trades)
            refused = [t for t in trades if self._not_taken(t, trades)]
            if refused or answered():
                return refused[0] if refused else None

    def _not_taken(self, trade: Trade, group: list[Trade]) -> bool:
        """Nobody but TWS has cancelled it; where one of a group is traded, the others may go."""
        found = self.verdict(trade)
        untouched = not any(one.filled() for one in group)
        return found == Standing.REJECTED or (found == Standing.CANCELLED and untouched)

    # ------------------------------------------------------------------------- changing
    def change(self, trade: Trade, send: Callable[[], object]) -> str:
        """Send a changed order and wait until TWS has told it as it then is. What it said to it.

        That is about the change: whatever it said, the order may live on as it was."""
        said = self._said.setdefault(trade.order.orderId, [])
        before, told = len(said), self._as_told(trade)

        def answer() -> list[tuple[int, str]]:
            return [one for one in said[before:] if not informs(one[0])]

        send()
        self._wait(lambda: self._as_told(trade) != told or bool(answer()), PATIENCE)
        why = "; ".join(f"{code}: {words}" for code, words in answer())
        if trade.order.orderId in self.ask() and trade.orderStatus.status in DOUBTFUL:
            self._set(trade, "Submitted")
        return why

    def _as_told(self, trade: Trade) -> tuple[object, ...]:
        return trade.order.lmtPrice, trade.order.auxPrice

    # ------------------------------------------------------------------------- cancelling
    def cancel(self, trade: Trade) -> bool:
        """Whether it is gone, and nothing more of it will be traded."""
        answer = self._call_off(trade)
        codes = {code for code, _ in answer}
        if CANCELLED not in codes and not told_ended(trade):
            listed = self.ask()
            gone = NOT_FOUND in codes or any("state: cancel" in w.lower() for _, w in answer)
            if trade.order.orderId in listed or not gone:
                return False
        if self.verdict(trade) == Standing.FILLED:
            return False
        self._set(trade, "Cancelled")
        return True

    def _call_off(self, trade: Trade) -> list[tuple[int, str]]:
        """What TWS says to it, without notes."""
        said = self._said.setdefault(trade.order.orderId, [])
        before = len(said)

        def answer() -> list[tuple[int, str]]:
            return [told for told in said[before:] if not informs(told[0])]

        self._ib.cancelOrder(trade.order)
        self.until(lambda: told_ended(trade) or bool(answer()))
        return answer()

    # ------------------------------------------------------------------------- waiting
    def until(self, done: Callable[[], bool]) -> None:
        if not self._wait(done, WAIT):
            raise TimeoutError("no answer to an order")

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Rejections do not count as updates there, so this looks again and again."""
        last = time.monotonic() + seconds
        while not done():
            if not self._ib.isConnected():
                raise ConnectionError("the line broke before the answer")
            if time.monotonic() > last:
                return False
            self._ib.sleep(0.005)
        return True

    def _set(self, trade: Trade, status: str) -> None:
        trade.orderStatus.status = status
        trade.log.append(TradeLogEntry(dt.datetime.now(dt.UTC), status, "asked"))


def error_behind(trade: Trade) -> int:
    """The error that set this status; 0 if TWS told the status itself. A fill sets none."""
    code = 0
    for entry in reversed(trade.log):
        if entry.status != trade.orderStatus.status:
            break
        if entry.message.startswith("Fill "):
            continue
        if not entry.errorCode:
            return 0
        code = code or entry.errorCode
    return code


def told_ended(trade: Trade) -> bool:
    """By TWS: `ib_async` calls an order cancelled before anybody has answered."""
    status = trade.orderStatus
    return status.status in ENDED and bool(status.permId) and not error_behind(trade)
