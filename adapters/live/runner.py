"""The live run: reconcile, then bar by bar keep, decide, write down, send, and check again."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from adapters.base_adapter import Config
from adapters.live.adapter import LiveAdapter
from adapters.live.book import when
from adapters.live.decide import Decision, Inputs, Make, decide, stored
from adapters.live.parity import Difference, check_file
from adapters.live.port import Bar, Standing, Ticket
from adapters.live.sim import Over
from bot.live import machine
from bot.live.audit import Audit
from bot.live.guards import Asked, Situation, check
from bot.live.refused import Code, Refused
from bot.live.watch import Word, silence
from bot.text.live import hearing
from schemas.live import Limits, OnRollback

TRIES = 5


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
    decided: int = -1
    finished: int = -1
    day: tuple[str, float] = ("", 0.0)
    stopping: Refused | None = None
    difference: Difference | None = None
    ended_by_signal: bool = False
    deaf: bool = False

    # ------------------------------------------------------------------------- start
    def start(self) -> None:
        """Our books and the broker's must say the same before anything new is sent."""
        self.adapter.broker.connect()
        for record in self.adapter.journal.read():
            self._recall(record)
        for event in self.adapter.take_in():
            self.audit.write("broker_event", told=event)
        self.reconcile()
        self.resume()

    def _recall(self, record: dict[str, object]) -> None:
        match record["kind"]:
            case "decided":
                self.decided = int(record["inputs"]["idx"])  # type: ignore[index]
            case "finished":
                self.finished = int(str(record["idx"]))
            case "day":
                self.day = (str(record["day"]), float(str(record["equity"])))

    def reconcile(self) -> None:
        """A fill may be on its way: ask a few times before it is called a difference."""
        book, broker = self.adapter.book, self.adapter.broker
        for _ in range(TRIES):
            ours, theirs = book.net() + book.given_away, broker.net(book.terms.symbol)
            if abs(ours - theirs) < 1e-9:
                break
            time.sleep(min(self.poll, 0.2))
            self.adapter.take_in()
        else:
            self.halt(Refused(Code.MISMATCH, f"the broker has {theirs:g}, our records {ours:g}"))
        for order in broker.orders().values():
            if order.standing == Standing.WORKING and order.client_id not in book.placed:
                self.halt(Refused(Code.MISMATCH, f"order {order.client_id} is not in our records"))
        self.audit.write("reconciled", position=theirs, working=len(book.working()))

    def resume(self) -> None:
        """What was intended but not noted as sent is sent now; a broker that has it says so."""
        for placed in list(self.adapter.book.placed.values()):
            if placed.state == "intended":
                error = self.adapter.send(placed.ticket, placed.good_for, placed.comment)
                self._told("resumed", placed.ticket.client_id, error)
        if self.decided > self.finished:
            self.execute(self._last_decision())
            self.finish()
        self._stop_if_told()
        book = self.adapter.book
        if book.bars and self.decided < len(book.bars) - 1:
            self.adapter.catch_up()
            self.choose()

    def _last_decision(self) -> Decision:
        found = [r for r in self.adapter.journal.read() if r["kind"] == "decided"][-1]
        told = found["decision"]
        return Decision(tuple(told["exits"]), told["entry"])  # type: ignore[index]

    # ------------------------------------------------------------------------- one bar
    def run(self, most: int) -> str:
        """Until somebody stops it, or `most` bars were decided. Why it ended."""
        done = 0
        while not most or done < most:
            how = self.asked_to_stop()
            if how is not None:
                return self.stop(how)
            self._look_for_halt()
            self._hear()
            try:
                fresh = self.adapter.broker.bars(self._newest())
            except Over:
                return "the market has no more bars"
            if not fresh:
                time.sleep(self.poll)
                continue
            for missed in fresh[:-1]:
                self.keep(missed)
            self.bar(fresh[-1])
            done += 1
        return f"{done} bars are done"

    def _newest(self) -> int:
        bars = self.adapter.book.bars
        return bars[-1].at if bars else 0

    def keep(self, bar: Bar) -> None:
        for event in self.adapter.step_bar(bar):
            self.audit.write("broker_event", told=event)

    def bar(self, bar: Bar) -> None:
        self.keep(bar)
        self.choose()

    def choose(self) -> None:
        """Decide on the newest bar, write it down, compare, send."""
        machine.see(self.folder, int(self.clock()))
        account, book = self.adapter.get_account(), self.adapter.book
        bar = book.bars[-1]
        self._new_day(bar, account["equity"])
        inputs = Inputs(len(book.bars) - 1, account["balance"], account["equity"],
                        tuple(stored(p) for p in self.adapter.get_positions()))  # fmt: skip
        choice = decide(self.make, self.cfg, book.bars, inputs, book.terms.max_positions)
        self.adapter.note("decided", inputs=asdict(inputs), decision=asdict(choice))
        self.decided = inputs.idx
        self.audit.write("decided", bar=when(bar), idx=inputs.idx, decision=asdict(choice))
        self.compare(inputs.idx)
        self.execute(choice)
        self.finish()
        self._stop_if_told()

    def execute(self, choice: Decision) -> None:
        for leave in choice.exits:
            name = leave["position_id"]
            closed = self.adapter.close_position(name, reason=leave["reason"])
            self._told("exit", name, str(closed.get("error", "")))
        if choice.entry is not None and self.stopping is None:
            placed = self.adapter.place_order(dict(choice.entry))  # type: ignore[arg-type]
            self._told("entry", placed["order_id"], str(placed.get("error", "")))

    def finish(self) -> None:
        self.adapter.note("finished", idx=self.decided)
        self.finished = self.decided

    def _told(self, what: str, name: str, error: str) -> None:
        self.audit.write("order_refused" if error else "order_sent", order=what, id=name, why=error)

    def _new_day(self, bar: Bar, equity: float) -> None:
        day = when(bar)[:10]
        if day != self.day[0]:
            self.day = (day, equity)
            self.adapter.note("day", day=day, equity=equity)

    def compare(self, idx: int) -> None:
        """The bar before too: now that the next bar is known, a look ahead shows."""
        terms, file = self.adapter.book.terms, self.adapter.journal.file
        found = check_file(self.make, self.cfg, terms.max_positions, file, max(idx - 1, 0))
        if found is not None:
            self.audit.write("parity_difference", **asdict(found))
            self.difference = found
            self.halt(Refused(Code.PARITY, f"bar {found.bar}, {found.bar_time}"))

    # ------------------------------------------------------------------------- guards
    def guard(self, ticket: Ticket) -> str:
        """Asked right before an order is sent. An error here is a reason to send nothing."""
        try:
            found = check(self._asked(ticket), self._situation(), self.limits)
        except Exception as error:  # also the broker's: a guard without its facts says no
            self.stopping = Refused(Code.GUARD_ERROR, f"{type(error).__name__}: {error}")
            return str(self.stopping)
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
            halted=self.halt_file().exists() or bool(word.halted),
            unheard=word.unheard,
            now=self.clock(),
            broker_now=told.server,
            data_age=(told.market - end) / 1e6,
            position=book.net() - leaving,
            sent_at=tuple(book.sent_at),
            sent_ids=frozenset(n for n, p in book.placed.items() if p.state in ("sent", "filled")),
            day_start_equity=self.day[1] or equity,
            equity=equity,
        )

    def _stop_if_told(self) -> None:
        if self.stopping is None:
            return
        if self.stopping.code == Code.HALTED:
            self._look_for_halt()
        self.halt(self.stopping)

    # ------------------------------------------------------------------------- the end
    def halt_file(self) -> Path:
        return self.folder / "HALT"

    def _look_for_halt(self) -> None:
        if self.halt_file().exists():
            self._call_off()
            raise Refused(Code.HALTED, str(self.halt_file()))
        word = self.listen()
        if word.halted:
            self._call_off()
            self.halt(Refused(Code.HALTED_THERE, word.halted))

    def _hear(self) -> None:
        """Say it once when nobody answers any more, and once when somebody does again."""
        word = self.listen()
        deaf = not word.unheard <= self.limits.max_unheard
        if deaf == self.deaf:
            return
        self.deaf = deaf
        self.audit.write("unheard" if deaf else "heard_again", seconds=word.unheard, why=word.why)
        self.say(hearing(deaf, word.unheard, word.why))

    def _call_off(self) -> None:
        """Entries that wait are cancelled, positions stay with their stops. Never fails."""
        held = [str(p["position_id"]) for p in self.adapter.get_positions()]
        self.audit.write("calling_off", positions_stay=held)
        for placed in self.adapter.book.working():
            name = placed.ticket.client_id
            try:
                done = self.adapter.cancel_order(name)
            except Exception as error:  # the halt counts more than the reason
                self.audit.write("not_cancelled", id=name, why=f"{type(error).__name__}: {error}")
            else:
                self.audit.write("cancelled" if done else "not_cancelled", id=name)

    def halt(self, why: Refused) -> None:
        """No more trading, also after a restart, until a person removes the file."""
        self.audit.write("halted", code=why.code, why=why.detail)
        if not self.halt_file().exists():
            machine.replace(self.halt_file(), f"{why}\n")
        raise why

    def asked_to_stop(self) -> OnRollback | None:
        file = self.folder / "STOP"
        if self.ended_by_signal:
            return OnRollback.HOLD
        if not file.exists():
            return None
        told = file.read_text().strip()
        return OnRollback(told) if told in list(OnRollback) else OnRollback.HOLD

    def stop(self, how: OnRollback) -> str:
        """End cleanly. Entries that still work are cancelled; positions as was asked for."""
        for placed in self.adapter.book.working():
            self.adapter.cancel_order(placed.ticket.client_id)
        if how == OnRollback.FLATTEN:
            self._flatten()
        if how == OnRollback.HANDOVER:
            self.adapter.note("handed_over")
        (self.folder / "STOP").unlink(missing_ok=True)
        return f"stopped: {how}"

    def _flatten(self) -> None:
        """Close everything and wait until the broker says that it is closed."""
        for held in self.adapter.get_positions():
            name = held["position_id"]
            closed = self.adapter.close_position(name, reason="flatten")
            self._told("flatten", name, str(closed.get("error", "")))
        self._stop_if_told()
        while self.adapter.book.held:
            try:
                for bar in self.adapter.broker.bars(self._newest()):
                    self.keep(bar)
            except Over:
                return
            for event in self.adapter.take_in():
                self.audit.write("broker_event", told=event)
            time.sleep(min(self.poll, 0.2))
