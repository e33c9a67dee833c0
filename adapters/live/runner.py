"""The live run: reconcile, then bar by bar keep, decide, write down, send, and check again."""

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from adapters.base_adapter import Config, Event
from adapters.live import ending, restart, unguarded
from adapters.live.adapter import LiveAdapter
from adapters.live.book import when
from adapters.live.decide import Decision, Inputs, Make, decide, stored
from adapters.live.parity import Difference, check_file
from adapters.live.port import Bar, Ticket
from adapters.live.sim import Over
from bot.live import machine
from bot.live.audit import Audit
from bot.live.gate import way_back
from bot.live.guards import Asked, Refusal, Situation, check, for_exit
from bot.live.refused import Code, Refused
from bot.live.watch import Word, silence
from bot.text.live import expired, hearing, not_moved, superseded
from schemas.live import Limits, OnRollback


@dataclass(slots=True)
class Runner:
    """One run of one strategy on one broker. Everything that it must remember is in the journal."""

    adapter: LiveAdapter
    audit: Audit
    limits: Limits
    make: Make
    cfg: Config
    folder: Path
    poll: float
    clock: Callable[[], float] = time.time
    listen: Callable[[], Word] = silence
    say: Callable[[str], None] = print
    until: float = math.inf
    """When the approval expires. After that nothing new is opened."""
    decided: int = -1
    finished: int = -1
    by: str = ""
    """Whose decision the last one was: strategy and commit."""
    day: tuple[str, float] = ("", 0.0)
    worth: float | None = None
    """Of the account at the last decision."""
    polls: dict[str, int] = field(default_factory=dict)
    """For how many polls an exit has been on its way, by its id."""
    alarmed: set[str] = field(default_factory=set)
    stopping: Refused | None = None
    difference: Difference | None = None
    ended_by_signal: bool = False
    deaf: bool = False
    expired: bool = False
    superseded: bool = False
    halting: bool = False

    def start(self) -> None:
        restart.start(self)

    def agree(self) -> float:
        return restart.agree(self)

    def take_in(self) -> None:
        for event in self.adapter.take_in():
            self._happened(event)

    def _happened(self, event: Event) -> None:
        self.audit.write("broker_event", told=event)
        if event["event"] == "levels_not_moved":
            self.say(not_moved(event["position_id"], event["reason"]))

    # ------------------------------------------------------------------------- one bar
    def run(self, most: int) -> str:
        """Until somebody stops it, or `most` bars were decided. Why it ended."""
        done = 0
        while not most or done < most:
            how = self.asked_to_stop()
            if how is not None:
                return ending.stop(self, how)
            ending.look_for_halt(self)
            self._hear()
            try:
                fresh = self.adapter.broker.bars(self.newest())
            except Over:
                return "the market has no more bars"
            if not fresh:
                if self.adapter.book.measures():
                    self.take_in()
                unguarded.watch(self)
                time.sleep(self.poll)
                continue
            for bar in fresh:
                self.keep(bar)
            self.choose()
            done += 1
        return f"{done} bars are done"

    def newest(self) -> int:
        bars = self.adapter.book.bars
        return bars[-1].at if bars else 0

    def keep(self, bar: Bar) -> None:
        wrong = fault(bar, self.newest())
        if wrong:
            ending.halt(self, Refused(Code.BAD_BAR, wrong))
        for event in self.adapter.step_bar(bar):
            self._happened(event)

    def choose(self) -> None:
        """Decide on the newest bar, write it down, compare, send."""
        machine.see(self.folder, int(self.clock()))
        self.agree()
        unguarded.close(self)
        account, book = self.adapter.get_account(), self.adapter.book
        bar = book.bars[-1]
        self._new_day(bar, account["equity"])
        inputs = Inputs(len(book.bars) - 1, account["balance"], account["equity"],
                        tuple(stored(p) for p in self.adapter.get_positions()))  # fmt: skip
        choice = decide(self.make, self.cfg, book.bars, inputs, book.terms.max_positions)
        self.adapter.note("decided", inputs=asdict(inputs), decision=asdict(choice),
                          by=self.adapter.owner)  # fmt: skip
        self.decided, self.by = inputs.idx, self.adapter.owner
        self.audit.write("decided", bar=when(bar), idx=inputs.idx, decision=asdict(choice))
        self.compare(inputs.idx)
        self.execute(choice)
        self.finish()
        self.stop_if_told()

    def execute(self, choice: Decision) -> None:
        for leave in choice.exits:
            name = leave["position_id"]
            closed = self.adapter.close_position(name, reason=leave["reason"])
            self.told("exit", name, str(closed.get("error", "")))
        if choice.entry is not None and self.stopping is None:
            placed = self.adapter.place_order(dict(choice.entry))  # type: ignore[arg-type]
            self.told("entry", placed["order_id"], str(placed.get("error", "")))

    def finish(self) -> None:
        self.adapter.note("finished", idx=self.decided)
        self.finished = self.decided

    def told(self, what: str, name: str, error: str) -> None:
        self.audit.write("order_refused" if error else "order_sent", order=what, id=name, why=error)

    def _new_day(self, bar: Bar, equity: float) -> None:
        """A day (UTC) starts with the worth at the last decision before it.

        With the worth at its own first decision, daily bars would never lose anything."""
        day = when(bar)[:10]
        if day != self.day[0]:
            self.day = (day, equity if self.worth is None else self.worth)
            self.adapter.note("day", day=day, equity=self.day[1])
        self.worth = equity

    def compare(self, idx: int) -> None:
        """The bar before too: now that the next bar is known, a look ahead shows."""
        terms, file = self.adapter.book.terms, self.adapter.journal.file
        own = self.adapter.owner
        found = check_file(self.make, self.cfg, terms.max_positions, file, max(idx - 1, 0), own)
        if found is not None:
            self.audit.write("parity_difference", **asdict(found))
            self.difference = found
            ending.halt(self, Refused(Code.PARITY, f"bar {found.bar}, {found.bar_time}"))

    # ------------------------------------------------------------------------- guards
    def guard(self, ticket: Ticket) -> str:
        """Asked right before an order is sent. An error here is a reason to open nothing."""
        if ticket.closes:
            return self._guard_exit(ticket)
        try:
            found = check(self._asked(ticket), self._situation(), self.limits)
        except Refused as refused:  # somebody halted while the broker was asked
            self.stopping = refused
            return str(refused)
        except Exception as error:  # also the broker's: a guard without its facts says no
            self.stopping = Refused(Code.GUARD_ERROR, f"{type(error).__name__}: {error}")
            return str(self.stopping)
        return self._refusal(found)

    def _guard_exit(self, ticket: Ticket) -> str:
        """Only the kill switch stops an exit. One that cannot be read stops the run after it."""
        try:
            halted = self._halted(self.listen(), True)
        except Exception as error:
            self.stopping = Refused(Code.GUARD_ERROR, f"{type(error).__name__}: {error}")
            return ""
        return self._refusal(check(self._asked(ticket), for_exit(halted), self.limits))

    def _refusal(self, found: Refusal | None) -> str:
        if found is None:
            return ""
        if found.stops:
            self.stopping = Refused(found.code, found.detail)
        return f"{found.code}: {found.detail}"

    def _asked(self, ticket: Ticket) -> Asked:
        signed = ticket.volume if ticket.action == "BUY" else -ticket.volume
        return Asked(ticket.client_id, ticket.symbol, signed, bool(ticket.closes))

    def _situation(self) -> Situation:
        book, told = self.adapter.book, self.adapter.broker.clock()
        equity = self.adapter.broker.funds().equity
        leaving = sum(h.holding.side * h.left for h in book.held.values() if h.leaving)
        end, word = book.bars[-1].at + book.period, self.listen()
        return Situation(
            halted=self._halted(word, False),
            unheard=word.unheard,
            now=self.clock(),
            broker_now=told.server,
            data_age=(told.market - end) / 1e6,
            position=book.net() - leaving,
            sent_at=tuple(book.sent_at),
            sent_ids=frozenset(n for n, p in book.placed.items() if p.state in ("sent", "filled")),
            day_start_equity=self.day[1] if self.day[0] else equity,
            equity=equity,
            left=self.until - self.clock(),
            newer=word.newer,
        )

    def _halted(self, word: Word, closes: bool) -> bool:
        """A rollback may say that positions are closed, so exits are still sent."""
        if machine.there(self.halt_file()):
            return True
        return bool(word.halted) and not (closes and way_back(word.halted) is not None)

    def stop_if_told(self) -> None:
        if self.stopping is None:
            return
        if self.stopping.code == Code.HALTED:
            ending.look_for_halt(self)
        ending.halt(self, self.stopping)

    # ------------------------------------------------------------------------- the end
    def halt_file(self) -> Path:
        return self.folder / "HALT"

    def stop_file(self) -> Path:
        return self.folder / "STOP"

    def line_broke(self) -> None:
        """Whoever waits for the broker still hears the kill switch."""
        if not self.halting and machine.there(self.halt_file()):
            raise Refused(Code.HALTED, str(self.halt_file()))

    def _hear(self) -> None:
        """Say it once when nobody answers any more, and once when somebody does again."""
        if self.clock() >= self.until and not self.expired:
            self.expired = True
            self.audit.write("approval_expired")
            self.say(expired())
        word = self.listen()
        if word.newer and not self.superseded:
            self.superseded = True
            self.audit.write("superseded", by=word.newer)
            self.say(superseded(word.newer))
        deaf = not word.unheard <= self.limits.max_unheard
        if deaf == self.deaf:
            return
        self.deaf = deaf
        self.audit.write("unheard" if deaf else "heard_again", seconds=word.unheard, why=word.why)
        self.say(hearing(deaf, word.unheard, word.why))

    def note(self, event: str, **facts: object) -> None:
        """Into the audit log if that can be written: the end of a run counts more."""
        try:
            self.audit.write(event, **facts)
        except (OSError, ValueError) as error:
            self.say(f"{event} {facts}: not in the audit log: {error}")

    def asked_to_stop(self) -> OnRollback | None:
        if self.ended_by_signal:
            return OnRollback.HOLD
        if not machine.there(self.stop_file()):
            return None
        told = self.stop_file().read_text().strip()
        return OnRollback(told) if told in list(OnRollback) else OnRollback.HOLD

    def pause(self) -> float:
        return min(self.poll, 0.2)


def fault(bar: Bar, newest: int) -> str:
    """What cannot be true of a bar. A strategy that sees no number decides anything."""
    prices = (bar.open, bar.high, bar.low, bar.close)
    if not all(math.isfinite(price) for price in prices):
        return f"{when(bar)}: a price is no number"
    if bar.low > min(prices) or bar.high < max(prices):
        return f"{when(bar)}: the low is above, or the high below another price"
    return "" if bar.at > newest else f"{when(bar)}: not after the bar before it"
