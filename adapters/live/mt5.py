"""MetaTrader 5, through the terminal on this machine and its module (Windows only)."""

import time
from dataclasses import dataclass
from typing import Any

from adapters.live.port import (
    Action,
    Bar,
    Clock,
    Denied,
    Down,
    Fill,
    Funds,
    Kind,
    Leg,
    Market,
    Order,
    Standing,
    Ticket,
    Unfit,
    on_grid,
)

MAGIC = 7_310_471
"""Marks what is ours. The client id travels in the comment, which takes 31 characters."""
DEVIATION = 20
HISTORY = 2_000
SLACK, ZONE = 86_400, 1_800
FARTHEST = 86_400
"""No zone lies farther behind UTC, in seconds."""
FOK, IOC = 1, 2
"""Bits of a symbol's `filling_mode`; the module has no names for them."""
NOT_LET_IN = -6
NO_LINE = (10012, 10024, 10031)
"""Time-out, too many requests, no connection: nobody knows, so it is asked again."""


@dataclass(frozen=True, slots=True)
class Login:
    login: str
    password: str
    server: str

    def __repr__(self) -> str:
        return "Login([secret])"


class Mt5:
    """`terminal` is the module itself: its functions and its constants."""

    def __init__(self, terminal: Any, login: Login, market: Market) -> None:
        self._mt5, self._login, self._market = terminal, login, market
        self._zone = -FARTHEST

    def connect(self) -> None:
        who = self._login
        if not self._mt5.initialize(
            login=int(who.login), password=who.password, server=who.server, timeout=20_000
        ):
            code, words = self._mt5.last_error()
            raise (Denied if code == NOT_LET_IN else Down)(f"MT5: {code} {words}")
        if not self._mt5.symbol_select(self._market.symbol, True):
            raise Down(f"MT5: no symbol {self._market.symbol}: {self._mt5.last_error()}")
        self._must_fit()

    def _must_fit(self) -> None:
        """Where positions are netted there is one, with one stop, whoever opened it."""
        mt5 = self._mt5
        account = self._have(mt5.account_info())
        if account.margin_mode == mt5.ACCOUNT_MARGIN_MODE_RETAIL_HEDGING:
            return
        held = self._have(mt5.positions_get(symbol=self._market.symbol))
        if self._market.positions > 1:
            raise Unfit(f"MT5: netting, and the strategy has up to {self._market.positions}")
        if any(p.magic != MAGIC for p in held):
            raise Unfit(f"MT5: netting, and a position in {self._market.symbol} is not ours")

    def close(self) -> None:
        self._mt5.shutdown()

    def kind(self) -> Kind:
        mt5 = self._mt5
        kinds = {mt5.ACCOUNT_TRADE_MODE_DEMO: Kind.PAPER, mt5.ACCOUNT_TRADE_MODE_CONTEST:
                 Kind.PAPER, mt5.ACCOUNT_TRADE_MODE_REAL: Kind.REAL}  # fmt: skip
        return kinds.get(getattr(self._have(mt5.account_info()), "trade_mode", None), Kind.UNKNOWN)

    def clock(self) -> Clock:
        """Its times are of the server's zone, told as UTC: whole half hours are the zone.

        Nobody tells the server's present time, only when its last tick was. So a tick that lies
        behind our clock may be just old, and says nothing; one that lies ahead of it is a skew.
        The older a tick, the smaller the zone seems: the largest that was seen is the nearest.

        The terminal tells its last tick also when it has lost the server."""
        mt5 = self._mt5
        if not self._have(mt5.terminal_info()).connected:
            raise Down("MT5: the terminal has no connection to its server")
        tick = self._have(mt5.symbol_info_tick(self._market.symbol))
        told, now = tick.time_msc / 1000, time.time()
        self._zone = max(self._zone, round((told - now) / ZONE) * ZONE)
        return Clock(max(told - self._zone, now), self._market_time(tick.time_msc * 1000))

    def _market_time(self, tick: int) -> int:
        """Hours in which the market was closed do not count: a bar is not old on Monday."""
        rows = self._rates(0, 2)
        if len(rows) < 2:
            return tick
        done, forming = (int(row["time"]) for row in rows[-2:])
        return tick - (forming - done - self._market.period) * 1_000_000

    def bars(self, after: int) -> list[Bar]:
        """Position 0 is the bar that is not finished, so it starts at 1."""
        found = (_bar(row) for row in self._rates(1, HISTORY))
        return [bar for bar in found if bar.at > after]

    def _rates(self, start: int, count: int) -> Any:
        frame = getattr(self._mt5, f"TIMEFRAME_{self._market.timeframe}")
        return self._have(self._mt5.copy_rates_from_pos(self._market.symbol, frame, start, count))

    # ------------------------------------------------------------------------- orders
    def submit(self, ticket: Ticket) -> Order:
        known = self.orders().get(ticket.client_id)
        if known is not None:
            return known
        request = self._close(ticket) if ticket.closes else self._enter(ticket)
        if request is None:
            return Order(ticket.client_id, Standing.REJECTED, "the position is closed already")
        result = self._have(self._mt5.order_send(request))
        if result.retcode in NO_LINE:
            raise Down(f"MT5: {result.retcode} {result.comment}")
        if result.retcode in self._done():
            return Order(ticket.client_id, Standing.WORKING)
        return Order(ticket.client_id, Standing.REJECTED, f"{result.retcode}: {result.comment}")

    def _done(self) -> tuple[int, ...]:
        mt5 = self._mt5
        return (mt5.TRADE_RETCODE_DONE, mt5.TRADE_RETCODE_PLACED, mt5.TRADE_RETCODE_DONE_PARTIAL)

    def _enter(self, ticket: Ticket) -> dict[str, Any]:
        mt5, buy = self._mt5, ticket.action == "BUY"
        request, step = self._request(ticket), self._symbol().trade_tick_size
        if ticket.limit is None:
            request["type"] = mt5.ORDER_TYPE_BUY if buy else mt5.ORDER_TYPE_SELL
        else:
            request |= {
                "action": mt5.TRADE_ACTION_PENDING, "price": on_grid(ticket.limit, step),
                "type": mt5.ORDER_TYPE_BUY_LIMIT if buy else mt5.ORDER_TYPE_SELL_LIMIT,
                "type_filling": mt5.ORDER_FILLING_RETURN,
            }  # fmt: skip
        stops = {"sl": on_grid(ticket.sl, step), "tp": on_grid(ticket.tp, step)}
        return request | {name: price for name, price in stops.items() if price is not None}

    def _close(self, ticket: Ticket) -> dict[str, Any] | None:
        held = self._position(ticket.closes)
        if held is None:
            return None
        mt5, buy = self._mt5, ticket.action == "BUY"
        kind = mt5.ORDER_TYPE_BUY if buy else mt5.ORDER_TYPE_SELL
        return self._request(ticket) | {"type": kind, "position": held.ticket}

    def _request(self, ticket: Ticket) -> dict[str, Any]:
        mt5 = self._mt5
        tick = self._have(mt5.symbol_info_tick(ticket.symbol))
        price = tick.ask if ticket.action == "BUY" else tick.bid
        return {
            "action": mt5.TRADE_ACTION_DEAL, "symbol": ticket.symbol, "volume": ticket.volume,
            "price": price, "deviation": DEVIATION, "magic": MAGIC, "comment": ticket.client_id,
            "type_time": mt5.ORDER_TIME_GTC, "type_filling": self._filling(),
        }  # fmt: skip

    def _filling(self) -> int:
        """Each symbol says what it takes; anything else is refused with 10030."""
        mt5, takes = self._mt5, self._symbol().filling_mode
        if takes & IOC:
            return int(mt5.ORDER_FILLING_IOC)
        return int(mt5.ORDER_FILLING_FOK if takes & FOK else mt5.ORDER_FILLING_RETURN)

    def _symbol(self) -> Any:
        return self._have(self._mt5.symbol_info(self._market.symbol))

    def cancel(self, client_id: str) -> bool:
        for order in self._mine(self._mt5.orders_get(symbol=self._market.symbol)):
            if order.comment == client_id:
                action = self._mt5.TRADE_ACTION_REMOVE
                done = self._have(self._mt5.order_send({"action": action, "order": order.ticket}))
                return bool(done.retcode == self._mt5.TRADE_RETCODE_DONE)
        return False

    def orders(self) -> dict[str, Order]:
        """Working ones and the history; a comment is ours if the magic number is."""
        mt5 = self._mt5
        ends = {
            mt5.ORDER_STATE_FILLED: Standing.FILLED, mt5.ORDER_STATE_CANCELED: Standing.CANCELLED,
            mt5.ORDER_STATE_EXPIRED: Standing.CANCELLED,
            mt5.ORDER_STATE_REJECTED: Standing.REJECTED,
        }  # fmt: skip
        # What is in the history works no more, whatever became of it.
        told = [(o, Standing.CANCELLED)
                for o in self._mine(mt5.history_orders_get(0, self._until()))]  # fmt: skip
        told += [(o, Standing.WORKING)
                 for o in self._mine(mt5.orders_get(symbol=self._market.symbol))]  # fmt: skip
        return {
            o.comment: Order(o.comment, ends.get(o.state, otherwise))
            for o, otherwise in told
            if o.comment.startswith("sb")
        }

    # ------------------------------------------------------------------------- the account
    def fills(self) -> list[Fill]:
        """Deals. The terminal writes its own comment on a stop; the position says whose it is."""
        deals = self._have(self._mt5.history_deals_get(0, self._until()))
        opened = {d.position_id: d.comment for d in self._entries(deals)}
        return [self._fill(d, opened[d.position_id]) for d in deals if d.position_id in opened]

    def _entries(self, deals: Any) -> list[Any]:
        return [d for d in deals if d.magic == MAGIC and d.entry == self._mt5.DEAL_ENTRY_IN]

    def _fill(self, deal: Any, entry: str) -> Fill:
        mt5 = self._mt5
        action: Action = "BUY" if deal.type == mt5.DEAL_TYPE_BUY else "SELL"
        leg: Leg = "entry"
        name = deal.comment
        if deal.entry != mt5.DEAL_ENTRY_IN:
            stops: dict[int, Leg] = {mt5.DEAL_REASON_SL: "sl", mt5.DEAL_REASON_TP: "tp"}
            leg = stops.get(deal.reason, "exit")
            name = entry if leg != "exit" else deal.comment
        fee = -(deal.commission + deal.swap + deal.fee)
        return Fill(str(deal.ticket), name, leg, action, deal.volume, deal.price,
                    deal.time_msc * 1000, fee)  # fmt: skip

    def stops(self) -> frozenset[str]:
        deals = self._have(self._mt5.history_deals_get(0, self._until()))
        opened = {d.position_id: d.comment for d in self._entries(deals)}
        held = self._have(self._mt5.positions_get(symbol=self._market.symbol))
        return frozenset(opened[p.identifier] for p in held if p.sl and p.identifier in opened)

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        """Both at once, and a level that is not named is taken away: so both are named."""
        held, mt5 = self._position(client_id), self._mt5
        if held is None:
            return "the position is closed"
        step = self._symbol().trade_tick_size
        wanted = [on_grid(sl, step) or held.sl, on_grid(tp, step) or held.tp]
        if wanted == [held.sl, held.tp]:
            return ""
        request = {
            "action": mt5.TRADE_ACTION_SLTP, "symbol": self._market.symbol, "magic": MAGIC,
            "position": held.ticket, "sl": wanted[0], "tp": wanted[1],
        }  # fmt: skip
        done = self._have(mt5.order_send(request))
        if done.retcode in NO_LINE:
            raise Down(f"MT5: {done.retcode} {done.comment}")
        taken = (*self._done(), mt5.TRADE_RETCODE_NO_CHANGES)
        return "" if done.retcode in taken else f"{done.retcode}: {done.comment}"

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        """The terminal keeps stop and target with the position: they end with it."""
        return frozenset()

    def net(self, symbol: str) -> float:
        held = self._have(self._mt5.positions_get(symbol=symbol))
        buy = self._mt5.POSITION_TYPE_BUY
        return float(sum(p.volume if p.type == buy else -p.volume for p in held))

    def _position(self, name: str) -> Any:
        """By the deal that opened it: what a position is called may be changed by the server."""
        deals = self._have(self._mt5.history_deals_get(0, self._until()))
        ours = {d.position_id for d in self._entries(deals) if d.comment == name}
        held = self._have(self._mt5.positions_get(symbol=self._market.symbol))
        return next((p for p in held if p.identifier in ours), None)

    def funds(self) -> Funds:
        told = self._have(self._mt5.account_info())
        return Funds(told.balance, told.equity, told.margin)

    def _until(self) -> int:
        """The end of the history that is asked for: the server may be in another time zone."""
        tick = self._have(self._mt5.symbol_info_tick(self._market.symbol))
        return int(tick.time) + SLACK

    def _mine(self, told: Any) -> list[Any]:
        return [o for o in self._have(told) if o.magic == MAGIC]

    def _have(self, told: Any) -> Any:
        """The module answers None when the terminal has no connection."""
        if told is None:
            raise Down(f"MT5: {self._mt5.last_error()}")
        return told


def _bar(row: Any) -> Bar:
    names = ("open", "high", "low", "close", "tick_volume")
    return Bar(int(row["time"]) * 1_000_000, *(float(row[name]) for name in names))
