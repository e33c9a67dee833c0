"""The Writer with a model behind it: ask, check, ask once more, and make a document of it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from bot.io.clock import Clock, WallClock
from bot.io.llm.agents import AGENTS, Agent, Mark
from bot.io.llm.prompts import VERSION, prompt, prompt_hash
from bot.io.llm.purse import Price, Purse, price_of
from bot.io.llm.reply import Said
from bot.io.llm.shape import response_format
from bot.io.llm.wire import GaveUp, Question, Turn, Wire, schema_text
from schemas import codec
from schemas.base import Provenance, Usage
from schemas.report import FailureClass
from schemas.work import ROLES, Product, WorkFailed, WorkOrder

QUOTED = 8_000
"""How much of a wrong answer is shown to the model again."""


class LlmWriter:
    """Any OpenAI-compatible server. `max_cost` (USD) and `max_tokens` are for one order.

    `price` is for a model that the list of prices does not know, or that costs something else.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        model: str,
        *,
        max_cost: Decimal = Decimal(2),
        max_tokens: int = 300_000,
        timeout: float = 300.0,
        price: Price | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.clock = clock or WallClock()
        self.price, self.max_cost, self.max_tokens = price or price_of(model), max_cost, max_tokens
        self.wire = Wire(base_url, key, model, self.clock, timeout)

    def write(self, order: WorkOrder) -> tuple[Product, Usage]:
        """Whatever happens, what it cost is told."""
        started = self.clock.now()
        cap = self.max_cost if order.budget is None else min(self.max_cost, order.budget)
        purse = Purse(self.price, cap, self.max_tokens)
        try:
            product = self._write(order, purse, started)
        except GaveUp as error:
            product = _failed(FailureClass.SANDBOX_ERROR, str(error))
        except Exception as error:  # our own fault, and the model is paid all the same
            why = f"the writer broke: {type(error).__name__}: {error}"
            product = _failed(FailureClass.SANDBOX_ERROR, why)
        return product, self._usage(purse, started)

    def _write(self, order: WorkOrder, purse: Purse, started: float) -> Product:
        agent = AGENTS.get(order.kind)
        if agent is None:
            return _failed(FailureClass.SANDBOX_ERROR, f"no model is asked for {order.kind} work")
        absent = [name for name in agent.needs if getattr(order, name) is None]
        if absent:
            return _failed(FailureClass.SANDBOX_ERROR, f"the order has no {', '.join(absent)}")
        said, answer, wrong = self._answered(agent, order, purse)
        if said.refusal:
            return agent.refused(said.refusal)
        if wrong:
            told = f"the model's answer was wrong twice: {'; '.join(wrong[:3])}"
            return _failed(FailureClass.ARTIFACT_SCHEMA, told)
        by = self._provenance(agent, order)
        return agent.made(order, answer, Mark(by, self._usage(purse, started)))

    def _answered(
        self, agent: Agent, order: WorkOrder, purse: Purse
    ) -> tuple[Said, Any, tuple[str, ...]]:
        """The answer and what is wrong with it. A wrong or doubtful one is asked for once more; a
        doubtful one that can be used stays where the second is worse or does not come."""
        form, shown = response_format(agent.answer), Turn("user", agent.shown(order))
        question = Question(prompt(agent.prompt), (shown,), form, agent.tokens)
        said = self.wire.ask(question, purse, order.deadline)
        answer, wrong = _read(agent, order, said)
        better = wrong or agent.doubtful(order, answer)
        if said.refusal or not better:
            return said, answer, wrong
        usable = None if wrong else (said, answer, wrong)
        try:
            said = self.wire.ask(_again(question, said, better), purse, order.deadline)
        except GaveUp:
            if usable is None:
                raise
            return usable
        answer, wrong = _read(agent, order, said)
        if usable and (said.refusal or wrong or len(agent.doubtful(order, answer)) > len(better)):
            return usable
        return said, answer, wrong

    def _provenance(self, agent: Agent, order: WorkOrder) -> Provenance:
        schema = schema_text(response_format(agent.answer))
        return Provenance(
            agent=ROLES[order.kind],
            agent_version=f"llm-{VERSION}",
            model=self.wire.model[:500],
            prompt_hash=prompt_hash(agent.prompt, schema),
        )

    def _usage(self, purse: Purse, started: float) -> Usage:
        return replace(purse.spent, seconds=max(0.0, self.clock.now() - started))


def _read(agent: Agent, order: WorkOrder, said: Said) -> tuple[Any, tuple[str, ...]]:
    """The answer as a document of ours, or what is wrong with it."""
    if said.trouble:
        return None, (said.trouble,)
    text = said.text[said.text.find("{") : said.text.rfind("}") + 1]
    try:
        answer = codec.load(agent.answer, text)
    except codec.Invalid as error:
        return None, error.problems
    return answer, agent.wrong(order, answer)


def _again(question: Question, said: Said, wrong: tuple[str, ...]) -> Question:
    """The same question with the wrong answer and what is wrong with it."""
    rows = "\n".join(f"- {problem[:300]}" for problem in wrong[:20])
    told = f"That answer cannot be used:\n{rows}\nGive the whole answer again, mended."
    turns = (Turn("assistant", said.text[:QUOTED] or "(nothing)"), Turn("user", told))
    return replace(question, turns=(*question.turns, *turns))


def _failed(kind: FailureClass, message: str) -> WorkFailed:
    return WorkFailed(failure_class=kind, message=message[:1000])
