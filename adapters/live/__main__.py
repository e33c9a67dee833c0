"""The process that trades: checks the approval itself, then runs. `stratbot live run` starts it."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

from filelock import FileLock, Timeout

from adapters.config import config
from adapters.live import incident, setup
from adapters.live.adapter import LiveAdapter, apply
from adapters.live.book import Book
from adapters.live.dry_run import DryRun
from adapters.live.journal import Journal, Torn
from adapters.live.port import Broker, Denied, Down, Ticket, Unfit
from adapters.live.runner import Runner
from adapters.live.steady import Steady
from bot.live import machine, repository, secrets, token
from bot.live.audit import Audit
from bot.live.gate import Use, admit, still_good
from bot.live.launch import Launch
from bot.live.redact import Redactor, Secret, guard_outputs
from bot.live.refused import Code, Refused
from bot.live.watch import NEVER, Watch, Word
from bot.text.live import refusal, unclaimed
from schemas import codec
from schemas.contract import Contract
from schemas.live import Approval, BrokerName, Incident
from simbroker.terms import Terms


@dataclass(frozen=True, slots=True)
class Leave:
    """On what grounds this run may start."""

    commit_sha: str
    approval: Approval | None
    number: int = 0
    """Of its tag `live/<strategy>/<number>`."""
    unclaimed: Refused | None = None
    """Why the repository does not say that only this machine uses the token."""

    @property
    def heard(self) -> bool:
        return self.unclaimed is None or self.unclaimed.code != Code.NO_REPOSITORY


def run(launch: Launch, redactor: Redactor) -> str:
    launch.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with FileLock(launch.folder / "lock", timeout=0, mode=0o600):
            return _alone(launch, redactor)
    except Timeout:
        raise Refused(Code.RUNNING, launch.strategy) from None
    except Torn as torn:
        raise Refused(Code.BAD_STATE, str(torn)) from None


def _alone(launch: Launch, redactor: Redactor) -> str:
    if machine.there(launch.folder / "HALT"):
        raise Refused(Code.HALTED, str(launch.folder / "HALT"))
    leave = may_start(launch, int(time.time()), os.environ)
    contract = setup.read_contract(launch)
    source = setup.read_strategy(launch, contract)
    audit = Audit(launch.folder / "audit.jsonl", contract.correlation_id, redactor, time.time)
    facts = {"strategy": launch.strategy, "commit_sha": leave.commit_sha, "broker": launch.broker,
             "dry_run": launch.dry_run, **_approved(leave, launch)}  # fmt: skip
    audit.write("run_started", **facts)
    if leave.unclaimed:
        tell(redactor, unclaimed(str(leave.unclaimed)))
    try:
        ended = _trade(launch, leave, contract, source, audit, redactor)
        audit.write("run_ended", why=ended)
        return ended
    except Down as down:
        audit.write("run_ended", why=str(down))
        raise Refused(Code.NO_ANSWER, str(down)) from None
    except Denied as denied:
        audit.write("run_ended", why=str(denied))
        raise Refused(Code.DENIED, str(denied)) from None
    except Unfit as unfit:
        audit.write("run_ended", why=str(unfit))
        raise Refused(Code.UNFIT, str(unfit)) from None
    except Refused as refused:
        audit.write("run_ended", why=str(refused), code=refused.code)
        raise
    except BaseException as error:
        audit.write("run_crashed", why=f"{type(error).__name__}: {error}")
        raise


def _approved(leave: Leave, launch: Launch) -> dict[str, object]:
    approval = leave.approval
    if approval is None:
        return {}
    return {"token": token.name_of(launch.token), "gate": approval.gate,
            "approvers": approval.approvers, "tag": f"live/{launch.strategy}/{leave.number}",
            "unclaimed": str(leave.unclaimed or "")}  # fmt: skip


def may_start(launch: Launch, now: int, env: Mapping[str, str]) -> Leave:
    """A dry run sends no order and needs no approval; in CI only the simulated broker is had."""
    found = machine.found(Path(launch.root), launch.home, launch.strategy, now, env)
    if launch.dry_run:
        if found.in_ci and launch.broker != BrokerName.SIM:
            raise Refused(Code.IN_CI, launch.broker)
        return Leave(found.head, None)
    approval = admit(launch.token, _public_key(launch), launch.strategy, found)
    number, name = max(found.tags), token.name_of(launch.token)
    weaker = _ask_the_repository(launch, approval, number, name)
    machine.use(launch.home, Use(name, found.machine, approval.commit_sha, approval.granted_at))
    machine.see(launch.home, now)
    return Leave(approval.commit_sha, approval, number, weaker)


def _ask_the_repository(
    launch: Launch, approval: Approval, number: int, name: str
) -> Refused | None:
    """Why it cannot say that the token is ours alone, where the owner allows that; else nothing."""
    root = Path(launch.root)
    try:
        still_good(approval, number, repository.look(root, launch.strategy))
        holder = machine.holder(launch.home)
        repository.claim(root, name, holder)
        # A commit that was approved twice has two tokens, and still one machine.
        repository.claim(root, f"live/{launch.strategy}/{number}", holder)
    except repository.Unheard as unheard:
        refused = Refused(Code.NO_REPOSITORY, str(unheard))
    except Refused as error:
        if error.code not in (Code.NO_REPOSITORY, Code.NOT_CLAIMED):
            raise
        refused = error
    else:
        return None
    if not launch.unclaimed:
        raise refused
    return refused


def _public_key(launch: Launch) -> token.PublicKey:
    try:
        return token.read_public(Path(launch.public_key).read_bytes())
    except OSError as error:
        raise Refused(Code.NO_KEY, f"{launch.public_key}: {error.strerror}") from None


def _trade(
    launch: Launch,
    leave: Leave,
    contract: Contract,
    source: str,
    audit: Audit,
    redactor: Redactor,
) -> str:
    limits, market = setup.read_limits(launch, contract), setup.market(contract)
    names, make_broker = setup.BROKERS[launch.broker]
    runner: list[Runner] = []

    def broke(why: str) -> None:
        audit.write("line_broken", why=why)
        for one in runner:
            one.line_broke()

    credentials = secrets.load(launch.secrets, names, os.environ, redactor)
    make = setup.load_strategy(launch.strategy, source)
    cfg = config(codec.dump(contract))
    broker: Broker = Steady(
        make_broker(launch, market, credentials),
        broke,
        launch.poll / 2,
    )
    if launch.dry_run:
        (launch.folder / "journal.jsonl").unlink(missing_ok=True)
        broker = DryRun(broker, Terms.read(cfg))
    journal = Journal(launch.folder / "journal.jsonl")
    broker.connect()
    if warning := setup.may_trade(launch, broker.kind()):
        audit.write("experimental", broker=launch.broker)
        tell(redactor, warning)
    first = next(journal.read(), None) or journal.write(
        "baseline", net=broker.net(contract.symbol), balance=broker.funds().balance
    )
    balance = float(str(first["balance"]))
    cfg["initial_balance"] = balance
    book = Book(Terms.read(cfg), market.period * 1_000_000)
    for record in journal.read():
        apply(book, record)

    def guard(ticket: Ticket) -> str:
        return runner[0].guard(ticket)

    owner = f"{launch.strategy} {leave.commit_sha}"
    adapter = LiveAdapter(broker, book, journal, owner, guard, contract.correlation_id)
    runner.append(Runner(adapter, audit, limits, make, cfg, launch.folder, launch.poll))
    if not launch.dry_run:
        runner[0].listen = _listening(launch, leave)
    runner[0].say = partial(tell, redactor)
    if leave.approval is not None:
        runner[0].until = leave.approval.expires_at
    _end_on_signal(runner[0])
    try:
        runner[0].start()
        ended = runner[0].run(launch.bars)
    except Refused as refused:
        seen = partial(incident.of, runner[0], refused.code, contract, leave.commit_sha)
        _leave_incident(launch, leave, seen, runner[0].note, redactor)
        raise
    finally:
        broker.close()
    adapter.save_report(str(launch.folder / "report"))
    if launch.dry_run and runner[0].decided >= 0 and not machine.changed(Path(launch.root)):
        machine.rehearse(launch.home, leave.commit_sha)
    return ended


def _listening(launch: Launch, leave: Leave) -> Callable[[], Word]:
    look = partial(repository.heard, Path(launch.root), launch.strategy, leave.number)
    watch = Watch(partial(look, leave.commit_sha), launch.listen, 0.0 if leave.heard else NEVER)
    watch.start()
    return watch.word


def _end_on_signal(runner: Runner) -> None:
    def end(number: int, frame: FrameType | None) -> None:
        runner.ended_by_signal = True

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def _leave_incident(
    launch: Launch,
    leave: Leave,
    seen: Callable[[], Incident | None],
    note: Callable[..., None],
    redactor: Redactor,
) -> None:
    """The run is over already: what cannot be written changes nothing about that."""
    try:
        found = seen()
        if found is None:
            return
        text = redactor.clean(codec.dump(found))
        machine.replace(launch.folder / "incident.json", text)
        note("incident", what=found.what, told=_told(launch, leave, text))
    except (OSError, ValueError) as error:
        note("no_incident", why=f"{type(error).__name__}: {error}")


def _told(launch: Launch, leave: Leave, incident: str) -> bool:
    """Whether the repository has it: the bot opens an issue with it. A dry run is nobody's news."""
    name = f"refs/tags/incident/{launch.strategy}/{leave.number}"
    return bool(leave.number) and repository.leave(Path(launch.root), name, incident)


def tell(redactor: Redactor, words: str) -> None:
    print(redactor.clean(f"stratbot: {words}"), file=sys.stderr, flush=True)


def main(argv: list[str]) -> int:
    redactor = Redactor()
    guard_outputs(redactor)
    try:
        launch = codec.load(Launch, Path(argv[0]).read_bytes())
        Path(argv[0]).unlink()  # it holds the token
        redactor.learn(Secret(launch.token))
        print(redactor.clean(run(launch, redactor)))
    except Refused as refused:
        tell(redactor, refusal(refused))
        return 75 if refused.code == Code.NO_ANSWER else 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
