"""What goes wrong between us and a model's server, over real HTTP."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from email.utils import formatdate

import pytest

from bot.io.llm import LlmWriter
from bot.io.llm.purse import Purse, price_of
from bot.io.llm.reply import bill
from bot.io.llm.wire import MOST_BYTES, TRIES
from schemas.base import Usage
from schemas.work import DraftMade, WorkFailed, WorkKind
from tests.io.model_desk import KEY, ROUND, START, HeldClock, ModelDesk, is_trouble, order
from tests.io.model_server import Reply, fails, recorded, reply

DRAFT = order(WorkKind.DRAFT)
PAID = Usage(
    input_tokens=4210, output_tokens=1480,
    cost=Decimal(4210) / 1_000_000 + Decimal(14800) / 1_000_000,
)  # fmt: skip
"""What the recorded reply of the coder costs at a round price."""


def worst(model: ModelDesk, seen: int) -> Usage:
    """What call number `seen` would cost if every byte were a token and all of the limit used."""
    sent = model.server.seen[seen].sent
    schema = json.dumps(sent["response_format"]["json_schema"]["schema"], separators=(",", ":"))
    texts = [*(m["content"] for m in sent["messages"]), schema]
    read = sum(len(t.encode()) + 64 for t in texts)
    return Usage(
        input_tokens=read, output_tokens=sent["max_tokens"],
        cost=ROUND.of(read, 0, sent["max_tokens"]),
    )  # fmt: skip


def test_the_cost_is_exactly_what_the_server_billed(model: ModelDesk) -> None:
    _, usage = model.ask(DRAFT, reply("coder"))
    assert usage == PAID


def test_what_the_server_still_had_costs_less(model: ModelDesk) -> None:
    _, usage = model.ask(order(WorkKind.PLAN), reply("planner_understood"))
    fresh, again, written = 6120 - 2048, 2048, 910
    cents = fresh * Decimal(1) + again * Decimal("0.1") + written * Decimal(10)
    assert usage.cost == cents / 1_000_000


@pytest.mark.parametrize("status", [401, 403, 404, 400, 422])
def test_a_no_is_final_and_named(model: ModelDesk, status: int) -> None:
    product, usage = model.fail(DRAFT, fails(status, "no such thing"))
    assert is_trouble(product) and len(model.server.seen) == 1 and not model.clock.slept
    assert str(status) in product.message and "no such thing" in product.message
    assert usage.cost == 0


def test_a_limit_is_waited_for_as_long_as_the_server_asks(model: ModelDesk) -> None:
    product, usage = model.ask(DRAFT, fails(429, "slow down", retry_after="7"), reply("coder"))
    assert isinstance(product, DraftMade) and model.clock.slept == [7.0]
    assert replace(usage, seconds=0.0) == PAID and usage.seconds == 7.0


def test_a_limit_may_be_told_as_a_date(model: ModelDesk) -> None:
    date = formatdate(START + 30, usegmt=True)
    product, _ = model.ask(DRAFT, fails(429, "slow down", retry_after=date), reply("coder"))
    assert isinstance(product, DraftMade) and model.clock.slept == [30.0]


@pytest.mark.parametrize("odd", ["soon", "", "-5", "nan"])
def test_a_limit_that_nobody_understands_is_backed_off_from(model: ModelDesk, odd: str) -> None:
    product, _ = model.ask(DRAFT, fails(429, "slow down", retry_after=odd), reply("coder"))
    assert isinstance(product, DraftMade) and len(model.clock.slept) == 1
    assert 0 <= model.clock.slept[0] <= 60


@pytest.mark.parametrize("long", ["86400", "1e300", "inf"])
def test_nobody_waits_past_the_deadline(model: ModelDesk, long: str) -> None:
    product, _ = model.fail(DRAFT, fails(429, "tomorrow", retry_after=long))
    assert "429" in product.message and not model.clock.slept and len(model.server.seen) == 1


def test_no_money_is_not_waited_for(model: ModelDesk) -> None:
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    product, _ = model.fail(DRAFT, Reply(json.dumps(body).encode(), 429))
    assert "quota" in product.message and len(model.server.seen) == 1


def test_errors_of_the_server_are_tried_again_with_longer_and_longer_waits(
    model: ModelDesk,
) -> None:
    product, usage = model.fail(DRAFT, *[fails(s, "down") for s in (500, 502, 503, 529, 500)])
    assert is_trouble(product) and "529" in product.message
    assert len(model.server.seen) == TRIES and model.clock.slept == [1.0, 2.0, 4.0]
    assert usage.cost == 0


def test_one_error_is_got_over(model: ModelDesk) -> None:
    product, usage = model.ask(DRAFT, fails(500, "down"), reply("coder"))
    assert isinstance(product, DraftMade) and usage.cost == PAID.cost


def test_a_server_that_hangs_is_left_and_may_have_cost_the_most(model: ModelDesk) -> None:
    product, usage = model.ask(DRAFT, Reply(fault="hang"), reply("coder"), timeout=0.2)
    assert isinstance(product, DraftMade)
    assert replace(usage, seconds=0.0) == PAID + worst(model, 0)


def test_a_server_that_always_hangs_is_given_up(model: ModelDesk) -> None:
    product, usage = model.fail(DRAFT, *[Reply(fault="hang")] * 9, timeout=0.1)
    assert "in time" in product.message and len(model.server.seen) == TRIES
    assert usage.output_tokens == TRIES * 16_000


def test_a_torn_answer_is_asked_for_again_and_counted(model: ModelDesk) -> None:
    torn = replace(reply("coder"), fault="tear")
    product, usage = model.ask(DRAFT, torn, reply("coder"))
    assert isinstance(product, DraftMade)
    assert replace(usage, seconds=0.0) == PAID + worst(model, 0)


@pytest.mark.parametrize("body", [b"<html>bad gateway</html>", b"", b'{"choices": [', b"\xff\xfe"])
def test_what_is_not_json_is_asked_for_again_and_counted(model: ModelDesk, body: bytes) -> None:
    product, usage = model.ask(DRAFT, Reply(body), reply("coder"))
    assert isinstance(product, DraftMade)
    assert replace(usage, seconds=0.0) == PAID + worst(model, 0)


@pytest.mark.parametrize("body", [b"[]", b"7", b'{"choices": "x"}', b'{"choices": [7]}', b"null"])
def test_json_that_is_no_answer_is_a_wrong_answer(model: ModelDesk, body: bytes) -> None:
    product, usage = model.fail(DRAFT, Reply(body), Reply(body))
    assert "no answer in it" in product.message
    assert replace(usage, seconds=0.0) == worst(model, 0) + worst(model, 1)


def test_an_answer_without_an_end_is_not_read_to_it(model: ModelDesk) -> None:
    product, usage = model.fail(DRAFT, Reply(b" " * 65_536, fault="endless"))
    assert "more than" in product.message and len(model.server.seen) == 1
    assert replace(usage, seconds=0.0) == worst(model, 0)


def test_nor_one_that_trickles_on_past_the_deadline(model: ModelDesk) -> None:
    model.clock = HeldClock(tick=60.0)
    product, _ = model.fail(DRAFT, Reply(b" ", fault="endless"))
    assert "time for this work is over" in product.message and len(model.server.seen) == 1


def test_a_huge_answer_is_not_taken(model: ModelDesk) -> None:
    body = recorded("coder")
    body["choices"][0]["message"]["content"] = "x" * MOST_BYTES
    product, _ = model.fail(DRAFT, Reply(json.dumps(body).encode()))
    assert "more than" in product.message


def test_nothing_is_asked_after_the_deadline(model: ModelDesk) -> None:
    model.clock.time = DRAFT.deadline
    product, usage = model.fail(DRAFT)
    assert "time" in product.message and not model.server.seen and usage.cost == 0


def test_no_server_at_all_costs_nothing(model: ModelDesk) -> None:
    nobody = LlmWriter("http://127.0.0.1:9/v1", KEY, "gpt-5-mini", clock=model.clock)
    product, usage = nobody.write(DRAFT)
    assert isinstance(product, WorkFailed) and "did not answer" in product.message
    assert usage.cost == 0 and len(model.clock.slept) == TRIES - 1


def test_a_newer_name_of_the_limit_is_learnt_once(model: ModelDesk) -> None:
    told = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    model.server.replies += [fails(400, told), reply("coder"), reply("coder")]
    writer = model.writer()
    assert isinstance(writer.write(DRAFT)[0], DraftMade)
    assert isinstance(writer.write(DRAFT)[0], DraftMade)
    first, second, third = (s.sent for s in model.server.seen)
    assert first["max_tokens"] == second["max_completion_tokens"] == 16_000
    assert "max_tokens" not in second and "max_tokens" not in third and not model.clock.slept


def test_a_server_without_forms_is_told_the_form_in_words(model: ModelDesk) -> None:
    told = "This response_format type is unavailable now"
    product, _ = model.ask(DRAFT, fails(400, told), reply("coder"))
    assert isinstance(product, DraftMade)
    first, second = model.server.seen
    assert "response_format" not in second.sent
    assert second.system.startswith(first.system) and '"required":["strategy"' in second.system
    signed = product.draft.written_by.prompt_hash
    other, _ = model.ask(DRAFT, reply("coder"))
    assert isinstance(other, DraftMade) and other.draft.written_by.prompt_hash == signed


def test_an_error_that_only_mentions_the_form_teaches_nothing(model: ModelDesk) -> None:
    product, _ = model.ask(DRAFT, fails(500, "response_format schema crashed"), reply("coder"))
    assert isinstance(product, DraftMade) and model.clock.slept == [1.0]
    assert all("response_format" in s.sent for s in model.server.seen)


def test_a_server_that_always_objects_is_not_asked_for_ever(model: ModelDesk) -> None:
    told = "max_completion_tokens and response_format and schema"
    product, _ = model.fail(DRAFT, *[fails(400, told)] * 9)
    assert "400" in product.message and len(model.server.seen) == 3


BILLS = [
    {}, {"usage": None}, {"usage": {}}, {"usage": {"prompt_tokens": 5}},
    {"usage": {"prompt_tokens": "5", "completion_tokens": 1}},
    {"usage": {"prompt_tokens": -5, "completion_tokens": 1}},
    {"usage": {"prompt_tokens": 5, "completion_tokens": True}},
    {"usage": {"prompt_tokens": 5, "completion_tokens": 2**60}},
    {"usage": {"prompt_tokens": 5.5, "completion_tokens": 1}},
]  # fmt: skip


@pytest.mark.parametrize("usage", BILLS, ids=str)
def test_a_bill_that_cannot_be_read_is_the_worst_case(
    model: ModelDesk, usage: dict[str, object]
) -> None:
    body = {k: v for k, v in recorded("coder").items() if k != "usage"} | usage
    assert bill(body) is None
    _, paid = model.ask(DRAFT, Reply(json.dumps(body).encode()))
    assert paid == worst(model, 0)


def test_more_again_than_was_read_is_all_that_was_read() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 1,
             "prompt_tokens_details": {"cached_tokens": 9}}  # fmt: skip
    found = bill({"usage": usage})
    assert found and (found.read, found.again, found.written) == (5, 5, 1)


@pytest.mark.parametrize(
    ("model_name", "cost"),
    [
        ("gpt-5-mini", "2.25"), ("gpt-5-mini-2025-08-07", "2.25"), ("gpt-4o-mini", "0.75"),
        ("gpt-4o-2024-08-06", "12.5"), ("somebody/model", "90"), ("gpt-5-mini-turbo", "90"),
    ],
)  # fmt: skip
def test_a_million_each_way_costs_what_the_list_says(model_name: str, cost: str) -> None:
    assert price_of(model_name).of(10**6, 0, 10**6) == Decimal(cost)


def test_a_bill_beyond_all_bounds_stays_a_document() -> None:
    purse = Purse(price_of("gpt-5"), Decimal(1), 1000)
    for _ in range(3):
        purse.pay(2**53, 0, 2**53)
    assert purse.spent.input_tokens == 2**53
