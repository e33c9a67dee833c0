"""The cap is held outside the model: what might not fit is not asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.io.llm.purse import LEAST, OverBudget, Price, Purse
from schemas.work import DraftMade, WorkKind
from tests.io.model_desk import HeldClock, ModelDesk, is_trouble, order
from tests.io.model_server import Reply, fails, reply, says

DRAFT = order(WorkKind.DRAFT)


def sent_bytes(model: ModelDesk) -> int:
    """The worst case of what the coder is asked with, learnt from a call that was not limited."""
    _, usage = model.ask(DRAFT, Reply(b"[]"), fails(400, "no"))
    model.server.seen.clear()
    model.server.replies.clear()
    return usage.input_tokens


def test_what_is_left_lowers_the_limit_to_what_surely_fits(model: ModelDesk) -> None:
    sent = sent_bytes(model)
    cap = Decimal(sent) / 1_000_000 + Decimal(10) * 5000 / 1_000_000
    product, usage = model.ask(DRAFT, reply("coder"), max_cost=cap)
    assert isinstance(product, DraftMade)
    assert model.server.seen[0].sent["max_tokens"] == 5000 and usage.cost <= cap


def test_tokens_are_capped_too(model: ModelDesk) -> None:
    sent = sent_bytes(model)
    product, _ = model.ask(DRAFT, reply("coder"), max_tokens=sent + 3000)
    assert isinstance(product, DraftMade) and model.server.seen[0].sent["max_tokens"] == 3000


@pytest.mark.parametrize("caps", [{"max_cost": Decimal("0.005")}, {"max_tokens": 5000}], ids=str)
def test_what_cannot_fit_is_not_asked(model: ModelDesk, caps: dict[str, object]) -> None:
    product, usage = model.fail(DRAFT, reply("coder"), **caps)
    assert is_trouble(product) and "more than what is left" in product.message
    assert not model.server.seen and usage.cost == 0


def test_the_request_may_have_less_left_than_an_order_may_cost(model: ModelDesk) -> None:
    product, _ = model.fail(replace(DRAFT, budget=Decimal("0.005")), max_cost=Decimal(9))
    assert "0.005 USD" in product.message and not model.server.seen
    product, _ = model.fail(replace(DRAFT, budget=Decimal(9)), max_cost=Decimal("0.004"))
    assert "0.004 USD" in product.message and not model.server.seen


def test_the_second_try_must_fit_as_well(model: ModelDesk) -> None:
    """The first call was paid for; for the second not enough is left, so it is not made."""
    sent = sent_bytes(model)
    cap = Decimal(sent) / 1_000_000 + Decimal(10) * 1600 / 1_000_000
    product, usage = model.fail(DRAFT, says("nonsense"), reply("coder"), max_cost=cap)
    assert len(model.server.seen) == 1 and "more than what is left" in product.message
    assert usage.output_tokens == 1480 and usage.cost <= cap


def test_calls_that_hang_use_up_the_cap_and_then_no_more_are_made(model: ModelDesk) -> None:
    sent = sent_bytes(model)
    cap = 2 * (Decimal(sent) + 10 * 16_000) / 1_000_000
    product, usage = model.fail(
        DRAFT, *[Reply(fault="hang")] * 4, reply("coder"), max_cost=cap, timeout=0.1
    )
    assert len(model.server.seen) == 2 and usage.cost == cap
    assert "more than what is left" in product.message


@dataclass
class StallingClock(HeldClock):
    """Breaks once, at the call of that number."""

    calls: int = 0
    breaks_at: int = 0

    def now(self) -> float:
        self.calls += 1
        if self.calls == self.breaks_at:
            raise RuntimeError("no clock")
        return super().now()


def test_a_fault_of_ours_is_paid_for_too(model: ModelDesk) -> None:
    """The last look at the clock is for the result, the one before it while it is made."""
    good = StallingClock()
    assert model.ask(DRAFT, reply("coder"), clock=good)[0].kind == "draft_made"
    broken = StallingClock(breaks_at=good.calls - 1)
    product, usage = model.fail(DRAFT, reply("coder"), clock=broken)
    assert "the writer broke: RuntimeError" in product.message and is_trouble(product)
    assert len(model.server.seen) == 2 and usage.cost > 0 and usage.output_tokens


def test_a_free_model_is_held_by_tokens_alone(model: ModelDesk) -> None:
    free = Price(Decimal(0), Decimal(0), Decimal(0))
    product, usage = model.ask(DRAFT, reply("coder"), price=free, max_cost=Decimal(0))
    assert isinstance(product, DraftMade) and usage.cost == 0 and usage.input_tokens == 4210


def test_a_model_that_charges_for_questions_alone_is_held_by_their_cost() -> None:
    purse = Purse(Price(Decimal(1), Decimal(0), Decimal(1)), Decimal("0.01"), 10**6)
    assert purse.fit(10_000, 500) == 500
    with pytest.raises(OverBudget):
        purse.fit(10_001, 500)


PRICES = st.decimals(0, 200, places=3)


@given(
    PRICES, PRICES, st.decimals(0, 10, places=4), st.integers(0, 10**6), st.integers(0, 10**5),
    st.integers(LEAST, 10**5), st.data(),
)  # fmt: skip
def test_no_call_that_is_let_through_can_break_the_cap(
    read: Decimal, write: Decimal, cap: Decimal, tokens: int, sent: int, wanted: int,
    data: st.DataObject,
) -> None:  # fmt: skip
    purse = Purse(Price(read, write, read), cap, tokens)
    for _ in range(5):
        try:
            limit = purse.fit(sent, wanted)
        except OverBudget:
            break
        assert LEAST <= limit <= wanted
        purse.pay(data.draw(st.integers(0, sent)), 0, data.draw(st.integers(0, limit)))
    assert purse.spent.cost <= cap
    assert purse.spent.input_tokens + purse.spent.output_tokens <= tokens
