"""Stops and targets that are measured from the fill, at brokers that learn the fill afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from adapters.base_adapter import BaseAdapter, OrderRequest
from adapters.live import unguarded
from adapters.live.adapter import LiveAdapter, apply
from adapters.live.book import Book
from adapters.live.ibkr import Ibkr
from adapters.live.journal import Journal, Record
from adapters.live.mt5 import Mt5
from adapters.live.port import Bar, Broker, Down
from adapters.live.runner import Runner
from adapters.loop import drive
from bot.live.audit import Audit
from bot.live.redact import Redactor
from bot.live.watch import Word
from schemas.live import Limits
from simbroker.bars import tidy, tuples
from simbroker.broker import SimBroker
from tests.adapters.conformance import (
    ADAPTERS,
    BARS,
    BUY,
    DAY,
    LIVE,
    LOGIN,
    TERMS,
    OnTheMarket,
    holding,
    step,
)
from tests.adapters.terminal import Terminal
from tests.adapters.tws import ACCOUNT, Tws
from tests.adapters.venue import Venue
from tests.live.restless import Strategy
from tests.simbroker.scripted import Ask, Scripted

ORDER: dict[str, Any] = {"sl": 97.5, "tp": 105.0, "sl_distance": 2.5, "tp_percent": 5.0}
"""Decided at 100. Filled at 101, so the stop belongs to 98.5 and the target to 106.05."""
RIGHT = {"sl": 98.5, "tp": 106.05}


def bar(n: int) -> Bar:
    return Bar(BARS.index[n].value // 1000, *(float(v) for v in BARS.iloc[n]))


def levels(market: Any) -> dict[str, float]:
    """What really rests at the stand-in."""
    return {o.ref.rpartition(".")[2]: o.price for o in market.venue.orders.values()
            if o.open and o.ref.rpartition(".")[2] in ("sl", "tp")}  # fmt: skip


def rig(name: str) -> OnTheMarket:
    return cast(OnTheMarket, LIVE[name]())


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_adapter_of_ours_knows_the_keys(name: str) -> None:
    adapter = ADAPTERS[name]()
    step(adapter, 0)
    assert adapter.place_order(cast(OrderRequest, {**BUY, **ORDER}))["success"]
    assert step(adapter, 1)[0] == "position_opened"
    (position,) = adapter.get_positions()
    assert position["sl"] == 98.5 and position["tp"] == pytest.approx(106.05)
    assert step(adapter, 2) == ["sl_hit", "position_closed"]  # 98; the old stop was at 97.5
    assert adapter.get_account()["balance"] == 10_000.0 + 2.0 * (98.5 - 101.0)


class OwnersOnly:
    """The owner's eight methods, and of an order the owner's keys."""

    def __init__(self) -> None:
        self._broker = SimBroker(TERMS)
        self.seen: list[Any] = []

    def place_order(self, order_request: Any) -> Any:
        known = ("action", "symbol", "volume", "type", "price", "sl", "tp", "comment")
        return self._broker.place_order({k: order_request[k] for k in known if k in order_request})

    def cancel_order(self, order_id: str) -> bool:
        return self._broker.cancel_order(order_id)

    def close_position(self, pos_id: str, price: float | None = None) -> Any:
        return self._broker.close_position(pos_id, price)

    def step_bar(self, bar: Any) -> Any:
        told = self._broker.step_bar(bar)
        self.seen += [p["sl"] for p in self._broker.positions]
        return told

    def get_positions(self) -> Any:
        return self._broker.positions

    def get_account(self) -> Any:
        return self._broker.account()

    def generate_report(self) -> Any:
        return {}

    def save_report(self, out_dir: str) -> dict[str, str]:
        return {}


def test_an_adapter_with_only_the_owners_keys_protects_the_position() -> None:
    adapter, df = OwnersOnly(), tidy(BARS)
    ask = Ask(1, sl=97.5, tp=105.0, from_fill={"sl_distance": 2.5, "tp_percent": 5.0})
    drive(Scripted({0: ask}), cast(BaseAdapter, adapter), df, tuples(df), {"symbol": "X"})
    assert adapter.seen == [97.5, 97.5]
    [trade] = adapter._broker.trades
    assert (trade.kind, trade.exit_price) == ("sl", 95.0)


# ------------------------------------------------------------------------------- at the broker
@pytest.mark.parametrize("name", LIVE)
def test_the_resting_orders_are_moved_when_the_fill_is_known(name: str) -> None:
    one = rig(name)
    step(one, 0)
    one.place_order({**BUY, **ORDER})
    assert levels(one.market) == {"sl": 97.5, "tp": 105.0}
    assert step(one, 1) == ["position_opened", "levels_moved"]
    assert levels(one.market) == RIGHT
    assert one.adapter.catch_up() == [] and one.adapter.book.unmoved() == {}


def refuse(one: OnTheMarket, on: bool) -> None:
    if isinstance(one.market, Tws):
        one.market.refuses = (".sl", ".tp") if on else ""  # type: ignore[assignment]
    else:
        one.market.refuses_changes = 10016 if on else 0


@pytest.mark.parametrize("name", LIVE)
def test_a_refused_change_leaves_it_protected_and_is_told_once(name: str) -> None:
    one = rig(name)
    step(one, 0)
    one.place_order({**BUY, **{**ORDER, "sl": 90.0, "sl_distance": 10.0}})
    refuse(one, True)
    assert step(one, 1) == ["position_opened", "levels_not_moved"]
    assert levels(one.market) == {"sl": 90.0, "tp": 105.0} and one.broker.stops()
    assert one.adapter.catch_up() == [] and step(one, 2) == []
    refuse(one, False)
    assert step(one, 3) == ["levels_moved"] and levels(one.market)["sl"] == 91.0


@pytest.mark.parametrize("name", LIVE)
def test_a_refused_change_keeps_nobody_inside(name: str) -> None:
    """The stop that was not changed is called off before the exit, and opens nothing later."""
    one = rig(name)
    step(one, 0)
    one.place_order({**BUY, **ORDER})
    refuse(one, True)
    step(one, 1)
    (position,) = one.get_positions()
    assert one.close_position(position["position_id"])["success"]
    assert step(one, 2) == ["position_closed"]
    assert one.market.venue.net == 0.0 and levels(one.market) == {}


@pytest.mark.parametrize("name", LIVE)
def test_parts_of_an_entry_move_it_each_time(name: str) -> None:
    one = rig(name)
    step(one, 0)
    one.market.venue.part = 1.0
    one.place_order({**BUY, **{**ORDER, "sl": 90.0, "sl_distance": 10.0, "tp": 120.0}})
    step(one, 1)
    assert levels(one.market)["sl"] == 91.0
    assert "levels_moved" in step(one, 2)
    assert levels(one.market)["sl"] == 91.5  # the mean of 101 and 102


def test_a_level_goes_to_the_nearest_step_of_the_price() -> None:
    for name in LIVE:
        one = rig(name)
        holding_at = {**BUY, "sl": 90.0, "sl_percent": 9.87654}
        step(one, 0)
        one.place_order(cast(OrderRequest, holding_at))
        step(one, 1)
        assert levels(one.market) == {"sl": 91.02}


def test_an_order_without_the_keys_moves_nothing() -> None:
    one = rig("mt5")
    holding(cast(BaseAdapter, one), sl=97.5, tp=105.0)
    assert one.market.changes == 0


# ------------------------------------------------------------------------------- crashes
class Died(BaseException):
    """Nothing may catch it, as nothing catches SIGKILL."""


class Fuse:
    def __init__(self, steps: int) -> None:
        self.left = steps

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Died


class Fused:
    """A broker that dies before or after a call."""

    def __init__(self, broker: Broker, fuse: Fuse) -> None:
        self._broker, self._fuse = broker, fuse

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._broker, name)

        def burning(*args: Any) -> Any:
            self._fuse.burn()
            told = call(*args)
            self._fuse.burn()
            return told

        return burning


class Disk(Journal):
    def __init__(self, file: Path, fuse: Fuse) -> None:
        super().__init__(file)
        self._fuse = fuse

    def write(self, kind: str, **facts: object) -> Record:
        self._fuse.burn()
        record = super().write(kind, **facts)
        self._fuse.burn()
        return record


World = tuple[Any, Callable[[], Broker]]


def world(name: str) -> World:
    if name == "ibkr":
        tws = Tws(Venue())
        return tws, lambda: Ibkr("127.0.0.1", tws.port, ACCOUNT, DAY)
    terminal = Terminal(Venue())
    return terminal, lambda: Mt5(terminal, LOGIN, DAY)


def live_through(made: World, folder: Path, fuse: Fuse) -> LiveAdapter:
    """One life: what is on the disk, then what is left of two bars and an order."""
    market, connect = made
    broker = connect()
    broker.connect()
    try:
        return _live_through(market, broker, folder, fuse)
    finally:
        broker.close()
        while getattr(market, "session", None) is not None:
            time.sleep(0.001)


def _live_through(market: Any, broker: Broker, folder: Path, fuse: Fuse) -> LiveAdapter:
    journal, book = Disk(folder / "journal.jsonl", fuse), Book(TERMS, 86_400_000_000)
    for record in journal.read():
        apply(book, record)
    adapter = LiveAdapter(cast(Broker, Fused(broker, fuse)), book, journal, "test", lambda t: "",
                          "corr")  # fmt: skip
    adapter.take_in()
    if not market.venue.bars:
        market.move(bar(0))
    if not book.bars:
        adapter.step_bar(bar(0))
    if not book.held:
        assert adapter.place_order(cast(OrderRequest, {**BUY, **ORDER}))["success"]
    if len(market.venue.bars) < 2:
        market.move(bar(1))
    if len(book.bars) < 2:
        adapter.step_bar(bar(1))
    adapter.catch_up()
    journal.close()
    return adapter


@pytest.mark.parametrize("name", LIVE)
def test_it_may_die_at_every_step_and_ends_with_the_right_level(name: str, tmp_path: Path) -> None:
    fuse = Fuse(10**9)
    (tmp_path / "calm").mkdir()
    live_through(world(name), tmp_path / "calm", fuse)
    steps = 10**9 - fuse.left
    assert steps > 20
    for n in range(1, steps + 1):
        made, folder = world(name), tmp_path / str(n)
        folder.mkdir()
        with pytest.raises(Died):
            live_through(made, folder, Fuse(n))
        book = live_through(made, folder, Fuse(10**9)).book
        assert levels(made[0]) == RIGHT, f"died at step {n}"
        assert made[0].venue.net == 2.0 and book.unmoved() == {}, f"died at step {n}"


def test_a_line_that_breaks_after_the_change_ends_with_the_right_level() -> None:
    one = rig("mt5")
    step(one, 0)
    one.place_order({**BUY, **ORDER})
    one.market.lines_to_break = 1
    step(one, 1)
    assert levels(one.market) == RIGHT and one.adapter.book.unmoved() == {}


# ------------------------------------------------------------------------------- a run
LIMITS = Limits(symbols=("X",), max_order=5.0, max_position=5.0, orders_per_minute=1000)


def runner(one: OnTheMarket, folder: Path) -> tuple[Runner, list[str]]:
    said: list[str] = []
    audit = Audit(folder / "audit.jsonl", "corr", Redactor(), lambda: 0.0)
    run = Runner(one.adapter, audit, LIMITS, Strategy, {"symbol": "X"}, folder, 0.0)
    run.say = said.append
    return run, said


def test_a_run_moves_the_levels_before_the_bar_of_the_fill_is_over(tmp_path: Path) -> None:
    one = rig("mt5")
    step(one, 0)
    one.place_order({**BUY, **ORDER})
    run, _ = runner(one, tmp_path)
    asked: list[dict[str, float]] = []

    def listen() -> Word:
        if len(asked) == 2:
            venue = one.market.venue
            venue.move(bar(1))
            venue.bars.pop()  # it is not finished
        if len(asked) == 6:
            (tmp_path / "STOP").write_text("hold\n")
        asked.append(levels(one.market))
        return Word()

    run.listen = listen
    run.run(0)
    assert asked[1] == {"sl": 97.5, "tp": 105.0} and asked[5] == RIGHT
    assert len(one.adapter.book.bars) == 1


def test_a_run_leaves_when_a_stop_that_was_not_moved_is_passed(tmp_path: Path) -> None:
    """At 99 the stop from the fill, 99.5, is passed; the one at the broker, 90, is not."""
    one = rig("mt5")
    step(one, 0)
    one.place_order({**BUY, "sl": 90.0, "sl_distance": 10.0, "sl_percent": 1.485})
    one.market.refuses_changes = 10016
    run, said = runner(one, tmp_path)
    for n in (1, 2):
        one.market.move(bar(n))
        run.keep(bar(n))
    assert any("levels_not_moved" in words for words in said)
    unguarded.close(run)
    one.market.move(bar(3))
    run.take_in()
    assert one.market.venue.net == 0.0 and one.adapter.book.trades[0].kind == "signal"


def test_a_broker_that_is_gone_is_no_refusal() -> None:
    with pytest.raises(Down):
        Mt5(Terminal(Venue()), LOGIN, DAY).protect("sb1", 1.0, None)


def test_a_ticket_of_before_keeps_its_id() -> None:
    """Or an order that was sent by the version before would be sent again after an upgrade."""
    one = rig("mt5")
    step(one, 0)
    placed = one.place_order({**BUY, "sl": 97.5})
    assert placed["order_id"] == "sbbf02329c4268b1474f2e"
