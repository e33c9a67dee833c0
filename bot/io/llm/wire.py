"""One question to an OpenAI-compatible server: paid for, in time, tried again, its no named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI
from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_exponential

from bot.io.clock import Clock
from bot.io.llm.purse import OverBudget, Purse
from bot.io.llm.reply import AGAIN, Said, bill, retry_after, said, why

TRIES = 4
MOST_BYTES = 2_000_000
"""Twice what the largest result of ours holds. More is not read."""
OVERHEAD = 64
"""Tokens that a server may add around a message."""
NOT_SENT = (
    httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol, httpx2.LocalProtocolError,
)  # fmt: skip
BACK_OFF = wait_exponential(multiplier=1, max=60)
SECRET = 16
"""A key of fewer characters is a placeholder, as local servers take."""
LEAKED = Said("", trouble="the key of the server is in it; leave it out")
TOO_LATE = "the time for this work is over"
PLAIN = "\n\n## Form\n\nThe answer is one JSON object that fits this JSON Schema:\n\n"


class GaveUp(Exception):
    """There is no answer, and asking again now would not bring one."""


class Later(GaveUp):
    """There may be an answer after a while; `wait` is what the server asks for."""

    def __init__(self, says: str, wait: float | None = None) -> None:
        super().__init__(says)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`system` is ours, `turns` begin with the data; an answer may need `wanted` tokens."""

    system: str
    turns: tuple[Turn, ...]
    form: Mapping[str, Any]
    wanted: int


@dataclass(frozen=True, slots=True)
class Dialect:
    """What this server understands. A limit that is refused is loud, one that is ignored is not:
    so the older name is tried first."""

    limit: str = "max_tokens"
    takes_form: bool = True


class Wire:
    def __init__(self, base_url: str, key: str, model: str, clock: Clock, timeout: float) -> None:
        key = key.strip()
        if not (key.isascii() and (key.isprintable() or not key)):
            raise ValueError("the model's key has characters that no key has")
        self._key, self.model, self.clock, self.timeout = key, model, clock, timeout
        self._client = OpenAI(
            base_url=base_url, api_key=key or "none", timeout=timeout, max_retries=0
        )
        self.dialect = Dialect()

    def ask(self, question: Question, purse: Purse, until: float) -> Said:
        """`until` is when the answer is of no use any more."""
        retrying = Retrying(
            sleep=self.clock.sleep,
            wait=_wait,
            stop=lambda state: self._is_over(state, until),
            retry=retry_if_exception_type(Later),
            reraise=True,
        )
        return retrying(self._ask, question, purse, until)

    def hide(self, text: str) -> str:
        """Never our key, in what is told of an error. An answer is used as it is, or not at all."""
        return text.replace(self._key, "***") if self._key else text

    def _is_over(self, state: RetryCallState, until: float) -> bool:
        late = self.clock.now() + state.upcoming_sleep >= until
        return state.attempt_number >= TRIES or late

    def _ask(self, question: Question, purse: Purse, until: float) -> Said:
        """As often as the server teaches us how to ask; being refused costs nothing."""
        while True:
            try:
                return self._call(question, purse, until)
            except APIStatusError as error:
                learnt = _learnt(self.dialect, error)
                if learnt is None:
                    raise self._no(error) from None
                self.dialect = learnt
            except OverBudget as error:
                raise GaveUp(str(error)) from None

    def _call(self, question: Question, purse: Purse, until: float) -> Said:
        left = until - self.clock.now()
        if left <= 0:
            raise GaveUp(TOO_LATE)
        asked = self._asked(question)
        sent = _weight(asked)
        limit = purse.fit(sent, question.wanted)
        try:
            raw = self._sent(asked, limit, min(self.timeout, left), until)
        except (APIConnectionError, httpx2.HTTPError) as error:
            if not isinstance(error.__cause__ or error, NOT_SENT):
                purse.pay(sent, 0, limit)  # nobody says what it was, so it was the most
            slow = isinstance(error, APITimeoutError | httpx2.TimeoutException)
            raise Later("the model did not answer" + " in time" * slow) from None
        except GaveUp:
            purse.pay(sent, 0, limit)
            raise
        paid = bill(raw)
        purse.pay(*(paid.read, paid.again, paid.written) if paid else (sent, 0, limit))
        answer = said(raw)
        return LEAKED if self._tells_key(answer) else answer

    def _tells_key(self, answer: Said) -> bool:
        """A shorter word is no secret, and may be a part of any other."""
        return len(self._key) >= SECRET and self._key in f"{answer.text}\n{answer.refusal}"

    def _asked(self, question: Question) -> dict[str, Any]:
        form, takes = question.form, self.dialect.takes_form
        system = question.system + ("" if takes else PLAIN + schema_text(form))
        turns = [Turn("system", system), *question.turns]
        asked = {"messages": [{"role": t.role, "content": t.text} for t in turns]}
        return asked | ({"response_format": form} if takes else {})

    def _sent(self, asked: dict[str, Any], limit: int, timeout: float, until: float) -> Any:
        calls = self._client.chat.completions.with_streaming_response
        words = {**asked, self.dialect.limit: limit}
        got = bytearray()
        with calls.create(model=self.model, timeout=timeout, **words) as response:
            for part in response.iter_bytes():
                got += part
                if len(got) > MOST_BYTES:
                    raise GaveUp(f"the model's answer has more than {MOST_BYTES} bytes")
                if self.clock.now() >= until:
                    raise GaveUp(TOO_LATE)
        try:
            return json.loads(bytes(got))
        except (ValueError, RecursionError):
            raise Later("the model's server answered something that is not JSON") from None

    def _no(self, error: APIStatusError) -> GaveUp:
        says = f"the model's server answered {error.status_code}: {self.hide(why(error))}"[:600]
        if error.status_code not in AGAIN or error.code == "insufficient_quota":
            return GaveUp(says)
        return Later(says, retry_after(error, self.clock.now()))


def schema_text(form: Mapping[str, Any]) -> str:
    return json.dumps(form["json_schema"]["schema"], separators=(",", ":"))


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait if isinstance(error, Later) else None
    return BACK_OFF(state) if asked is None else asked


def _weight(asked: Mapping[str, Any]) -> int:
    """At most so many tokens: none of them is shorter than a byte."""
    form = asked.get("response_format")
    texts = [m["content"] for m in asked["messages"]] + ([schema_text(form)] if form else [])
    return sum(len(text.encode()) + OVERHEAD for text in texts)


def _learnt(dialect: Dialect, error: APIStatusError) -> Dialect | None:
    """Another way to say the same, if that is what the refusal is about."""
    told = why(error)
    if error.status_code not in (400, 422):
        return None
    if dialect.limit == "max_tokens" and "max_completion_tokens" in told:
        return replace(dialect, limit="max_completion_tokens")
    if dialect.takes_form and ("response_format" in told or "schema" in told):
        return replace(dialect, takes_form=False)
    return None
