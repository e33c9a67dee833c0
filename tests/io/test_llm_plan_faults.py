"""A contract that cannot be built or should not be approved goes back to the model, and is never
shown as a plan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.agents.plan_faults import plan_faults
from schemas import codec
from schemas.contract import Contract
from schemas.report import FailureClass
from schemas.work import PlanMade, WorkKind
from tests.io.model_desk import ModelDesk, order
from tests.io.model_server import Reply, recorded, reply, says

ROOT = Path(__file__).parent.parent.parent
PLAN = order(WorkKind.PLAN)
FAR = {"unit": "percent", "amount": 5, "indicator": None}
HELD = {"kind": "held", "field": "entry_price"}
ONE, ZERO = {"kind": "constant", "value": 1}, {"kind": "constant", "value": 0}
RATIO = {"kind": "arithmetic", "op": "divide", "left": ONE, "right": ZERO}
PRICE = {"kind": "price", "field": "close", "shift": 0}
SMA: dict[str, Any] = {
    "id": "late",
    "kind": "sma",
    "source": "close",
    "of": None,
    "parameters": [],
    "smoothing": "",
}
OF_LATE = {"kind": "series", "indicator": "late", "output": "value", "shift": 0}
RSI, LEFT = ("indicators", 0), ("entries", 0, "when", "left")
LENGTH, STOP, SIZE = (*RSI, "parameters", 0, "value"), ("risk", "stops", 0), ("risk", "sizing")

MUTATIONS: list[tuple[str, dict[tuple[str | int, ...], Any], str]] = [
    ("length -5", {LENGTH: -5}, "length must be a whole number from 1 on"),
    ("length 0", {LENGTH: 0}, "length must be a whole number from 1 on"),
    ("length 14.5", {LENGTH: 14.5}, "length must be a whole number from 1 on"),
    ("length 1e9", {LENGTH: 1e9}, "length must be a whole number from 1 on"),
    ("unknown smoothing", {(*RSI, "smoothing"): "Hull"}, "smoothing is Wilder, simple or"),
    ("stop in R", {(*STOP, "distance", "unit"): "r"}, "a stop cannot be counted in R"),
    ("stop 500 %", {(*STOP, "distance", "amount"): 500}, "give less than 100%"),
    ("divide by 0", {LEFT: RATIO}, "entry 1 divides by zero"),
    ("size 0", {(*SIZE, "amount"): "0"}, "the size must be above zero"),
    ("size -1", {(*SIZE, "amount"): "-1"}, "the size must be above zero"),
    ("unknown kind", {(*RSI, "kind"): "magic"}, "there is no kind 'magic'"),
    ("unknown parameter", {(*RSI, "parameters", 0, "name"): "lenght"}, "no parameter 'lenght'"),
    ("unknown output", {(*LEFT, "output"): "upper"}, "has no output 'upper'"),
    ("unknown indicator", {(*LEFT, "indicator"): "ema"}, "not among the indicators"),
    ("made of a later one", {(*RSI, "of"): OF_LATE, ("indicators", 1): SMA}, "defined before it"),
    ("an id twice", {("indicators", 1): SMA | {"id": "rsi"}}, "'rsi' is there twice"),
    ("no folder's name", {("name",): "Rsi.Best"}, "is no folder"),
    ("ATRs of nothing", {(*STOP, "distance", "unit"): "atr"}, "must name an indicator of kind atr"),
    ("stop of nothing", {(*STOP, "distance"): None}, "either a distance or a price"),
    ("stop of two", {(*STOP, "price"): PRICE}, "either a distance or a price"),
    ("entry reads the position", {LEFT: HELD}, "exists only while a position is open"),
    ("risk without a stop", {("risk", "stops"): [], (*SIZE, "kind"): "risk_percent"},
     "risk_percent needs a stop"),
    ("negative shift", {(*LEFT, "shift"): -1}, "greater than or equal to 0"),
    ("no way out", {("risk", "stops"): [], ("exits",): []}, "a long position has no way out"),
    ("the way out is the other side's",
     {("risk", "stops"): [], ("exits", 0, "side"): "short"}, "a long position has no way out"),
    ("break-even alone",
     {("risk", "stops"): [], ("exits",): [], ("risk", "break_even_after"): FAR}, "no way out"),
    ("reverses into nothing",
     {("risk", "stops"): [], ("exits",): [], ("reverse",): True}, "no way out"),
    ("open question", {("open_questions",): ["Daily or hourly?"]}, "open_questions must be empty"),
    ("min_trades 1,000,000", {("min_trades",): 1_000_000}, "min_trades is 1000000"),
    ("paid for trading", {("costs", "commission_per_trade"): "-1"},
     "costs.commission_per_trade is -1"),
    ("negative slippage", {("costs", "slippage"): "-0.01"}, "costs.slippage is -0.01"),
]  # fmt: skip
"""Name, what is changed in the recorded contract, what the model is told."""


def mutated(changes: dict[tuple[str | int, ...], Any]) -> Reply:
    content = json.loads(recorded("planner_understood")["choices"][0]["message"]["content"])
    for path, value in changes.items():
        part = content["answer"]["contract"]
        for step in path[:-1]:
            part = part[step]
        if isinstance(part, list) and path[-1] == len(part):
            part.append(value)
        else:
            part[path[-1]] = value
    return says(json.dumps(content))


EACH = pytest.mark.parametrize(
    ("changes", "told"), [m[1:] for m in MUTATIONS], ids=[m[0] for m in MUTATIONS]
)


@EACH
def test_a_faulty_contract_is_sent_back_with_its_fault(
    model: ModelDesk, changes: dict[tuple[str | int, ...], Any], told: str
) -> None:
    product, _ = model.ask(PLAN, mutated(changes), reply("planner_understood"))
    assert len(model.server.seen) == 2
    assert told in model.server.seen[1].sent["messages"][-1]["content"]
    assert isinstance(product, PlanMade) and plan_faults(product.contract) == ()


@EACH
def test_a_contract_that_stays_faulty_is_never_shown_as_a_plan(
    model: ModelDesk, changes: dict[tuple[str | int, ...], Any], told: str
) -> None:
    product, _ = model.fail(PLAN, mutated(changes), mutated(changes))
    assert product.failure_class is FailureClass.ARTIFACT_SCHEMA
    assert "wrong twice" in product.message


WAYS_OUT: list[tuple[str, dict[tuple[str | int, ...], Any]]] = [
    ("an exit", {("risk", "stops"): []}),
    ("a stop", {("exits",): []}),
    ("a time exit", {("risk", "stops"): [], ("exits",): [], ("risk", "exit_after_bars"): 5}),
    ("an hour", {("risk", "stops"): [], ("exits",): [], ("risk", "exit_at"): "15:30"}),
]


@pytest.mark.parametrize("changes", [w[1] for w in WAYS_OUT], ids=[w[0] for w in WAYS_OUT])
def test_one_way_out_is_enough(model: ModelDesk, changes: dict[tuple[str | int, ...], Any]) -> None:
    product, _ = model.ask(PLAN, mutated(changes))
    assert isinstance(product, PlanMade) and len(model.server.seen) == 1


def test_our_examples_may_be_shown() -> None:
    for file in sorted(ROOT.glob("strategies/*/contract.json")):
        assert plan_faults(codec.load(Contract, file.read_bytes())) == (), file
