"""The containers that hold the strategy: all bars, only the past, another environment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from adapters.base_adapter import Config
from sandbox import runs, strange
from sandbox.job import Engine
from sandbox.remote import Question, Remote
from sandbox.runs import Told
from sandbox.witness import Acted
from schemas.contract import Contract, Example
from simbroker.causality import positions_by_bar
from simbroker.decisions import Decision


@dataclass(frozen=True, slots=True)
class Case:
    """What the strategy is asked about. Early milestones are not asked about unseen bars."""

    source: str
    cfg: Config
    known: pd.DataFrame
    unseen: pd.DataFrame | None
    strange: Sequence[pd.DataFrame]
    contract: Contract | None
    fixtures: Mapping[str, pd.DataFrame]
    correlation_id: str
    seconds: float
    locked: bool
    hashes: int
    """The seed of the hashes in the other environment: one that is known could be met."""


@dataclass(frozen=True, slots=True)
class Talks:
    """What it said. `examples` pairs each worked example with what was decided there.

    Where it was not asked about unseen bars, the two fields have what it said last.
    """

    known: Told
    unseen: Told
    varied: Told
    past_known: Told
    past_unseen: Told
    examples: Sequence[tuple[Example, Decision]]


def hold(engine: Engine, case: Case) -> Talks:
    """All at once. The past-only workers are warm by the time they are told what was held when."""
    known: Future[Told] = Future()
    unseen: Future[Told] = Future()
    with ThreadPoolExecutor(6, "talk") as pool:
        whole = pool.submit(_whole, engine, case, known, unseen)
        past = pool.submit(_past, engine, case, "past", case.known, known)
        varied = pool.submit(_varied, engine, case)
        later = pool.submit(_past, engine, case, "later", case.unseen, unseen)
        acts = pool.submit(_acts, engine, case, "past-acts", case.known, known)
        later_acts = pool.submit(_acts, engine, case, "later-acts", case.unseen, unseen)
        examples = whole.result()
        past_known = _both(past.result() or known.result(), acts.result())
        past_unseen = _both(later.result() or past_known, later_acts.result())
        return Talks(
            known.result(), unseen.result(), varied.result(), past_known, past_unseen, examples
        )


def _whole(
    engine: Engine, case: Case, known: Future[Told], unseen: Future[Told]
) -> list[tuple[Example, Decision]]:
    examples: list[tuple[Example, Decision]] = []

    def say(remote: Remote) -> Told:
        first = _timed(lambda: runs.whole(remote, case.known, case.cfg, case.correlation_id))
        known.set_result(first)
        unseen = case.unseen
        if unseen is None:
            return first
        examples.extend(_examples(remote, case))
        last = _timed(lambda: runs.whole(remote, unseen, case.cfg, case.correlation_id))
        symbol = case.cfg["symbol"]
        return replace(last, strange=[strange.whole(remote, t, symbol) for t in case.strange])

    job = runs.worker_job("whole", case.seconds, locked=case.locked)
    try:
        last = runs.talk(engine, job, case.source, _copy(case.cfg), say)
    except BaseException as error:
        for waiting in (known, unseen):
            if not waiting.done():
                waiting.set_exception(error)
        raise
    if not known.done():
        known.set_result(last)
    unseen.set_result(last)
    return examples


def _past(
    engine: Engine, case: Case, name: str, df: pd.DataFrame | None, waiting: Future[Told]
) -> Told | None:
    if df is None:
        return None
    return _talk(
        engine, case, name, lambda remote: _asked_again(remote, df, waiting.result(), case)
    )


def _acts(
    engine: Engine, case: Case, name: str, df: pd.DataFrame | None, waiting: Future[Told]
) -> Told | None:
    """Where a backtest did what was not said, it is asked for itself. In a container of its own:
    the other one sees every bar, and a strategy may keep them."""
    whole = waiting.result()
    if df is None or not whole.run or whole.acted.agrees(whole.decisions):
        return None
    return _talk(engine, case, name, lambda remote: _acted_again(remote, df, whole))


def _talk(engine: Engine, case: Case, name: str, say: Callable[[Remote], Told]) -> Told:
    job = runs.worker_job(name, case.seconds, locked=case.locked)
    return runs.talk(
        engine, job, case.source, _copy(case.cfg), lambda remote: _timed(lambda: say(remote))
    )


def _both(told: Told, acts: Told | None) -> Told:
    if acts is None:
        return told
    return replace(told, trouble=told.trouble or acts.trouble, acted=acts.acted)


def _asked_again(remote: Remote, df: pd.DataFrame, whole: Told, case: Case) -> Told:
    if not whole.run:
        return Told(whole.adapter, None, (), whole.trouble)
    asked = runs.questions(whole.run, whole.acted, df)
    decided = runs.past_only(remote, df, asked, whole.decisions)
    tables = zip(case.strange, whole.strange, strict=False)
    seen = [strange.past(remote, t, case.cfg["symbol"], said) for t, said in tables]
    return Told(whole.adapter, whole.run, decided, whole.trouble, strange=seen)


def _acted_again(remote: Remote, df: pd.DataFrame, whole: Told) -> Told:
    """The backtest's own questions, nothing but them."""
    did = whole.acted
    decided = runs.past_only(remote, df, did.questions, did.decisions)
    return Told(whole.adapter, whole.run, (), acted=Acted(did.questions, decided))


def _timed(say: Callable[[], Told]) -> Told:
    start = time.monotonic()
    return replace(say(), seconds=time.monotonic() - start)


def _varied(engine: Engine, case: Case) -> Told:
    varied = runs.varied(case.hashes)
    job = runs.worker_job("varied", case.seconds, locked=case.locked, **varied)
    return runs.talk(
        engine, job, case.source, _copy(case.cfg),
        lambda r: _timed(lambda: runs.whole(r, case.known, case.cfg, case.correlation_id)),
    )  # fmt: skip


def _examples(remote: Remote, case: Case) -> list[tuple[Example, Decision]]:
    """The contract's worked examples, each on its own small table."""
    found = []
    wanted = case.contract.examples if case.contract else ()
    for name in dict.fromkeys(e.fixture for e in wanted):
        df = case.fixtures.get(name)
        if df is None:
            continue
        remote.fresh()
        remote.see(df)
        here = [e for e in wanted if e.fixture == name and e.bar < len(df)]
        found += [(e, remote.ask(e.bar, Question((), {}))) for e in here]
    return found


def held(told: Told, df: pd.DataFrame) -> Sequence[Sequence[Mapping[str, Any]]]:
    return positions_by_bar(told.run, df) if told.run else [[] for _ in range(len(df))]


def _copy(cfg: Config) -> Config:
    return {**cfg}
