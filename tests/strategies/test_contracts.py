"""Each example has a contract that is valid, and does what its contract's examples say."""

from decimal import Decimal

import pytest

from schemas import codec
from schemas.contract import Contract
from simbroker.terms import Costs, Terms
from tests.strategies.examples import CFG, NAMES, ROOT, bars, module


def contract(name: str) -> Contract:
    text = (ROOT / "strategies" / name / "contract.json").read_bytes()
    return codec.load(Contract, text)


@pytest.mark.parametrize("name", NAMES)
def test_the_contract_is_valid_and_names_the_strategy(name: str) -> None:
    assert contract(name).name == name
    assert contract(name).examples and contract(name).symbol == "AAPL"


@pytest.mark.parametrize("name", NAMES)
def test_the_strategy_does_what_its_contract_shows(name: str) -> None:
    strategy = module(name).Strategy(dict(CFG))
    for example in contract(name).examples:
        df = bars(example.fixture)
        order = strategy.find_entries(df, strategy.prepare_indicators(df), example.bar)
        told = {None: "nothing", "BUY": "long", "SELL": "short"}[order and order["action"]]
        assert told == example.expects, example


@pytest.mark.parametrize("name", NAMES)
def test_the_account_takes_the_costs_of_the_contract(name: str) -> None:
    costs = contract(name).costs
    given = {field: str(getattr(costs, field)) for field in Costs.__dataclass_fields__}
    terms = Terms.read({"symbol": "AAPL", "costs": given, "initial_balance": "5000"})
    assert terms.costs == Costs() and not terms.costs.zero
    assert terms.initial_balance == Decimal("5000")
    assert Terms.read({"costs": {}}).costs.zero  # a contract that says nothing costs nothing


@pytest.mark.parametrize(
    "cfg",
    [{"costs": {"comission": "1"}}, {"costs": {"spread": "-1"}}, {"leverage": 0},
     {"initial_balance": "nan"}, {"max_positions": 0}],
)  # fmt: skip
def test_terms_that_make_no_sense_are_refused(cfg: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"costs|give"):
        Terms.read(cfg)
