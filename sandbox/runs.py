"""The conversations with a strategy: whole history, only the past, another environment, unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from adapters.base_adapter import Config
from adapters.loop import drive
from adapters.simbroker_adapter import SimBrokerAdapter
from sandbox.answers import BadAnswer, Raised, WrongShape
from sandbox.job import CannotRun, Engine, Job, Lost
from sandbox.remote import NotReady, Proxy, Question, Remote, columns, told
from sandbox.remote import zone as zone_of
from sandbox.witness import Acted, Witness
from simbroker.bars import tuples
from simbroker.broker import SimBroker
from simbroker.causality import positions_by_bar
from simbroker.decisions import Decision, same
from simbroker.run import Run
from simbroker.terms import Terms

COMMAND = ("python", "-P", "-s", "-m", "sandbox.worker")
KILLED = 128
"""Exit codes from here on are signals: somebody ended it."""
THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a conversation ended early: a rule, a sentence, and where in the strategy's file."""

    rule: str
    message: str
    line: int = 0
    trace: str = ""
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What one conversation brought. `run` is the backtest and `acted` what was decided in it;
    `decisions` are the answers to questions about every bar, `strange` those on strange bars."""

    adapter: SimBrokerAdapter
    run: Run | None
    decisions: Sequence[Decision]
    trouble: Trouble | None = None
    seconds: float = 0.0
    acted: Acted = Acted()
    strange: Sequence[Sequence[Decision]] = ()


def worker_job(name: str, seconds: float, *, locked: bool = True, **more: Any) -> Job:
    env = {"PYTHONHASHSEED": "0", **THREADS, **more.pop("env", {})}
    command = COMMAND if locked else (*COMMAND, "--unlocked")
    return Job(name=name, command=command, env=env, seconds=seconds, **more)


VARIED: dict[str, Any] = {
    "env": {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8",
            "LANG": "tr_TR.UTF-8", "COLUMNS": "40"},
    "hostname": "elsewhere",
    "workdir": "/tmp",  # nosec B108
    "clock_shift": 45 * 86400 + 3671,
}  # fmt: skip
"""Everything that may not matter is different. Pinning it would hide the fault."""


def varied(hashes: int) -> dict[str, Any]:
    return {**VARIED, "env": {**VARIED["env"], "PYTHONHASHSEED": str(hashes)}}


def talk(engine: Engine, job: Job, source: str, cfg: Config, say: Callable[[Remote], Told]) -> Told:
    """Start a worker, have the conversation, and turn any way in which it ends into a fact."""
    adapter = broker(cfg)
    with engine.start(job) as running:
        try:
            return say(Remote(running, source, cfg))
        except Raised as e:
            return Told(adapter, None, (), _raised(e))
        except BadAnswer as e:
            return Told(adapter, None, (), Trouble("bad_answer", str(e)))
        except Lost as e:
            by_itself = isinstance(e, NotReady) and e.why == "ended"
            ended = running.wait() if by_itself else running.kill()
            if by_itself and ended.reason == "exited" and (ended.exit_code or 0) < KILLED:
                raise CannotRun(
                    f"the worker of {job.name} ended with {ended.exit_code} before it had a "
                    "strategy; build the image again with `make sandbox-image`"
                ) from None
            return Told(adapter, None, (), _lost(e, ended.reason))


def _raised(error: Raised, bar: int | None = None) -> Trouble:
    rule = "wrong_shape" if isinstance(error, WrongShape) else "raises"
    return Trouble(rule, str(error), error.line, error.trace, bar)


def _lost(error: Lost, reason: str) -> Trouble:
    if reason == "out_of_memory":
        return Trouble("memory", "it used more memory than the sandbox gives")
    if error.why == "late" or reason == "timed_out":
        return Trouble("timeout", "it did not answer in time; look for a loop that does not end")
    if error.why == "too_long":
        return Trouble("bad_answer", "its answer was too long")
    return Trouble("ended", "it ended its own process, or did what is forbidden and was killed")


def broker(cfg: Config) -> SimBrokerAdapter:
    return SimBrokerAdapter(SimBroker(Terms.read(cfg)), "corr_sandbox")


def whole(remote: Remote, df: pd.DataFrame, cfg: Config, correlation_id: str) -> Told:
    """A backtest, then one question per bar to a new strategy that has all bars."""
    ran = backtest(remote, df, cfg, correlation_id)
    if not ran.run:
        return ran
    return replace(ran, decisions=ask_all(remote, df, questions(ran.run, ran.acted, df)))


def backtest(remote: Remote, df: pd.DataFrame, cfg: Config, correlation_id: str) -> Told:
    closes = df["Close"].to_numpy(dtype="float64")
    adapter = SimBrokerAdapter(SimBroker(Terms.read(cfg)), correlation_id, closes)
    proxy = Proxy(remote)
    witness = Witness(proxy)
    account = adapter.get_account()
    remote.cfg.update({"balance": account["balance"], "equity": account["equity"]})
    try:
        drive(witness, adapter, df, tuples(df), remote.cfg)
    except Raised as e:
        return Told(adapter, None, (), _raised(e, proxy.bar))
    return Told(adapter, adapter.run(), (), acted=witness.acted(len(df)))


def questions(run: Run, acted: Acted, df: pd.DataFrame) -> list[Question]:
    """About every bar: what was held or might have been, and an entry, with the money of then."""
    held = positions_by_bar(run, df)
    return [Question([told(p) for p in held[i]], acted.money(i)) for i in range(len(df))]


def ask_all(remote: Remote, df: pd.DataFrame, asked: Sequence[Question]) -> list[Decision]:
    remote.fresh()
    remote.see(df)
    return [remote.ask(i, question) for i, question in enumerate(asked)]


def past_only(
    remote: Remote, df: pd.DataFrame, asked: Sequence[Question], whole: Sequence[Decision]
) -> list[Decision]:
    """The bars come one at a time: nothing in that container knows a later one.

    Where the decision differs a new strategy is asked about every bar so far, because one that
    remembers may have been disturbed by preparing its indicators again.
    """
    rows, zone = columns(df), zone_of(df)
    remote.fresh()
    decisions, forgets = [], False
    for i, question in enumerate(asked):
        bar = {name: values[i : i + 1] for name, values in rows.items()}
        decisions.append(remote.step(bar, zone, i, question, forgets))
        if not same(whole[i], decisions[i]):
            decisions[i] = remote.replay(len(question.held))
            forgets = same(whole[i], decisions[i])
    return decisions
