"""A contract that a writer made: what is filled in, and what is sent back."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters import base_adapter
from bot.agents.architect import problems, settled
from bot.agents.interface import DATA_MODELS, EXCEPTIONS, INTERFACE
from schemas import codec
from schemas.contract import (
    Constant,
    Contract,
    Cross,
    DataModel,
    Distance,
    Entry,
    Example,
    Held,
    Indicator,
    Level,
    Method,
    Parameter,
    Price,
    PriceField,
    Risk,
    Series,
    Side,
    Sizing,
)
from schemas.work import Request, WorkKind, WorkOrder
from strategies.template import Strategy
from tests import samples
from tests.strategies.examples import NAMES

ROOT = Path(__file__).parent.parent.parent
GOOD = samples.contract()
ORDER = WorkOrder(
    key="plan-1", kind=WorkKind.PLAN, issue=7, workflow_id="wf_7", correlation_id="corr_7",
    request=Request(title="t", body="b", author="octocat"), deadline=0,
)  # fmt: skip


@pytest.mark.parametrize(
    "file", [ROOT / "strategies" / name / "contract.json" for name in NAMES], ids=str
)
def test_the_contracts_that_we_ship_are_good(file: Path) -> None:
    assert problems(codec.load(Contract, file.read_bytes())) == ()


def entry(left: Series | Held) -> tuple[Entry, ...]:
    rule = Cross(direction="below", left=left, right=Constant(value=1.0))
    return (Entry(side=Side.LONG, when=rule, reason="r"),)


def risk(stop: Level, *targets: Level) -> Risk:
    sizing = Sizing(kind="fixed_units", amount=Decimal(1))
    return Risk(sizing=sizing, stops=(stop,), targets=targets)


RSI, ATR = GOOD.indicators[0], Indicator(id="atr", kind="atr")
CLOSED = Level(side=None, distance=Distance(unit="percent", amount=3.0))
FILLED = replace(CLOSED, base="fill")
TWICE = Level(side=None, distance=Distance(unit="r", amount=2.0))
BAD: list[tuple[Contract, str]] = [
    (replace(GOOD, name="../x"), "is no folder"),
    (replace(GOOD, name="class"), "is no folder"),
    (replace(GOOD, indicators=(RSI, RSI)), "is there twice"),
    (replace(GOOD, indicators=(replace(RSI, kind="magic"),)), "no kind 'magic'"),
    (replace(GOOD, indicators=(replace(RSI, parameters=(Parameter(name="n", value=1.0),)),)),
     "no parameter 'n', only: length"),
    (replace(GOOD, indicators=(replace(RSI, parameters=RSI.parameters * 2),)), "given twice"),
    (replace(GOOD, indicators=(replace(RSI, of=Series(indicator="rsi")),)), "defined before"),
    (replace(GOOD, indicators=(RSI, replace(ATR, of=Series(indicator="rsi")))), "reads high, low"),
    (replace(GOOD, entries=entry(Series(indicator="sma"))), "not among the indicators"),
    (replace(GOOD, entries=entry(Series(indicator="rsi", output="upper"))), "no output 'upper'"),
    (replace(GOOD, entries=entry(Held(field="bars"))), "only while a position is open"),
    (replace(GOOD, risk=risk(Level(side=None))), "either a distance or a price"),
    (replace(GOOD, risk=risk(Level(side=None, distance=Distance(unit="atr", amount=2.0)))),
     "must name an indicator of kind atr"),
    (replace(GOOD, risk=Risk(sizing=Sizing(kind="risk_percent", amount=Decimal(1)))),
     "needs a stop"),
    (replace(GOOD, risk=risk(Level(side=None, price=Price(field=PriceField.LOW), base="fill"))),
     "at a price is not measured from the fill"),
    (replace(GOOD, risk=risk(FILLED, TWICE)), "give both one `base`"),
    (replace(GOOD, risk=risk(CLOSED, replace(TWICE, base="fill"))), "give both one `base`"),
]  # fmt: skip


@pytest.mark.parametrize(("contract", "says"), BAD, ids=[b[1] for b in BAD])
def test_what_cannot_be_built_is_named(contract: Contract, says: str) -> None:
    found = problems(contract)
    assert len(found) == 1 and says in found[0]


def test_what_can_be_built_is_not_complained_about() -> None:
    stop = Level(side=None, distance=Distance(unit="atr", amount=2.0, indicator="atr"))
    low = Level(side=None, price=Price(field=PriceField.LOW))
    average = Indicator(id="slow", kind="sma", of=Series(indicator="rsi"))
    whole = replace(GOOD, indicators=(RSI, ATR, average), risk=risk(stop, low))
    assert problems(whole) == ()


@pytest.mark.parametrize(
    ("stop", "target"),
    [
        (FILLED, replace(TWICE, base="fill")),
        (Level(side=Side.LONG, price=Price(field=PriceField.LOW)), replace(TWICE, base="fill")),
        (replace(FILLED, side=Side.SHORT), replace(TWICE, side=Side.LONG)),
    ],
)
def test_a_target_in_r_has_the_base_of_the_stop_of_its_side(stop: Level, target: Level) -> None:
    assert problems(replace(GOOD, risk=risk(stop, target))) == ()


def test_the_base_is_written_only_where_it_is_the_fill() -> None:
    closed, filled = (replace(GOOD, risk=risk(stop)) for stop in (CLOSED, FILLED))
    assert "base" not in codec.dump(closed) and '"base": "fill"' in codec.dump(filled)
    said = codec.dump(closed).replace('"price": null', '"price": null, "base": "signal"')
    assert codec.digest(codec.load(Contract, said)) == codec.digest(closed)
    assert codec.load(Contract, codec.dump(filled)) == filled
    assert codec.digest(filled) != codec.digest(closed)


def test_what_is_added_to_a_position_may_look_at_it() -> None:
    adds = replace(GOOD, entries=entry(Held(field="entry_price")))
    assert problems(replace(adds, risk=replace(GOOD.risk, max_positions=2))) == ()


def test_its_owner_and_its_folder_are_not_the_writers_to_choose() -> None:
    stolen = replace(GOOD, workflow_id="wf_1", correlation_id="corr_1", name="sma_cross")
    mine = settled(stolen, ORDER)
    assert (mine.workflow_id, mine.correlation_id, mine.name) == ("wf_7", "corr_7", "sma_cross_7")
    assert settled(mine, ORDER) == mine


def test_the_interface_is_fixed_and_examples_come_from_bars() -> None:
    guess = Example(fixture="ranging_D1", bar=3, expects="long", because="I think so")
    other = Method(name="find_entries", signature="(self)", returns="orders")
    mine = settled(replace(GOOD, examples=(guess,), interface=(other,)), ORDER)
    assert mine.examples == () and mine.interface == INTERFACE
    assert mine.data_models == DATA_MODELS and mine.exceptions == EXCEPTIONS


def test_the_usual_values_are_filled_in() -> None:
    mine = settled(replace(GOOD, indicators=(RSI, Indicator(id="m", kind="macd"), ATR)), ORDER)
    _, macd, atr = mine.indicators
    assert {p.name: p.value for p in macd.parameters} == {"fast": 12, "slow": 26, "signal": 9}
    assert atr.smoothing == "Wilder" and problems(mine) == ()


def test_the_interface_is_that_of_the_template() -> None:
    for method in INTERFACE:
        real = inspect.signature(getattr(Strategy, method.name))
        written = ast.parse(f"def f{method.signature}: ...").body[0]
        assert isinstance(written, ast.FunctionDef)
        assert [a.arg for a in written.args.args] == list(real.parameters)


@given(st.text(max_size=500))
def test_the_skeleton_has_a_test_for_each_rule(reason: str) -> None:
    wordy = replace(GOOD, entries=(replace(GOOD.entries[0], reason=reason),) * 20)
    mine = settled(wordy, ORDER)
    tests = ast.parse(mine.test_skeleton).body
    assert len(tests) == 21 and all(isinstance(t, ast.FunctionDef) for t in tests)
    assert codec.load(Contract, codec.dump(mine)) == mine


@pytest.mark.parametrize("model", DATA_MODELS, ids=lambda m: m.name)
def test_data_models_are_those_of_the_broker_interface(model: DataModel) -> None:
    ours = getattr(base_adapter, model.name)
    said = {field.split(":")[0]: field for field in model.fields}
    assert said.keys() <= ours.__annotations__.keys()
    if model.name in ("OrderRequest", "ExitRequest"):
        assert said.keys() == ours.__annotations__.keys()
        optional = {name for name, field in said.items() if field.endswith(", optional")}
        assert optional == ours.__optional_keys__


def test_a_contract_without_data_models_keeps_its_digest() -> None:
    text = codec.dump(replace(GOOD, data_models=(), exceptions=()))
    assert "data_models" not in text and "exceptions" not in text
    told = codec.dump(replace(GOOD, data_models=DATA_MODELS, exceptions=EXCEPTIONS))
    assert codec.load(Contract, told).data_models == DATA_MODELS
