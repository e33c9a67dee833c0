"""A request that is a sheet: planned without a reader of prose, asked about line by line."""

from dataclasses import replace

import pytest

from bot.agents.given_sheet import sheet_in
from bot.agents.sheet_plan import planned
from schemas import codec
from schemas.contract import Contract
from schemas.sheet import disagreement, print_sheet, rules_of, sheet_of
from schemas.work import Note, PlanMade, QuestionsAsked, Request, WorkKind, WorkOrder
from tests.sheet.corpus import contracts

SHEET = """symbol SPY
timeframe D1
# the dip
enter long when rsi(2) < 10 and close > sma(200)
exit long when rsi(2) > 70
stop 5 %
"""
BODY = f"Please build this:\n\n```sheet\n{SHEET}```\n\nThanks!"


def order(body: str, *notes: str, contract: Contract | None = None) -> WorkOrder:
    told = tuple(Note(author="octocat", text=note) for note in notes)
    request = Request(title="RSI dip", body=body, author="octocat", notes=told)
    return WorkOrder(
        key="k", kind=WorkKind.PLAN, issue=7, workflow_id="wf_7", correlation_id="corr_7",
        request=request, contract=contract, deadline=2**39,
    )  # fmt: skip


def plan(body: str, *notes: str, contract: Contract | None = None) -> Contract:
    made = planned(order(body, *notes, contract=contract))
    assert isinstance(made, PlanMade), made
    return made.contract


def test_a_sheet_in_a_code_block_is_the_request() -> None:
    made = plan(BODY)
    assert (made.symbol, made.name) == ("SPY", "rsi_dip_7")
    assert "# the dip" in made.sheet, "kept as it was typed"
    assert "stop 5 % from fill" in print_sheet(rules_of(made))
    assert any("fill" in a.taken for a in made.assumptions)
    assert disagreement(made.sheet, made) == ""


def test_a_body_that_is_a_sheet_and_a_block_without_a_name() -> None:
    assert sheet_in(SHEET) == SHEET
    assert sheet_in(BODY.replace("```sheet", "```")) is not None
    assert sheet_in("Buy SPY when the RSI(2) is below 10.") is None
    assert sheet_in("```python\nprint('symbol')\n```") is None


def test_prose_is_left_to_the_readers_of_prose() -> None:
    assert (
        planned(order("Buy SPY daily when RSI(2) is below 10. Sell when it is above 70.")) is None
    )


def test_what_is_wrong_is_asked_with_its_line_and_the_right_one() -> None:
    made = planned(order(BODY.replace("rsi(2) < 10", "ris(2) < 10")))
    assert isinstance(made, QuestionsAsked)
    assert made.questions == (
        'Line 4 of the sheet: I do not know "ris"; did you mean "rsi"? Try this line: '
        '"enter long when rsi(2) < 10 and close > sma(200)".',
    )


def test_a_hole_is_asked_about_and_an_answer_fills_it() -> None:
    body = BODY.replace("stop 5 %", "stop ???")
    made = planned(order(body))
    assert isinstance(made, QuestionsAsked) and "hole" in made.questions[0]
    assert "stop 3 % from fill" in print_sheet(rules_of(plan(body, "stop 3 %")))


@pytest.mark.parametrize(
    ("note", "now", "gone"),
    [
        ("stop 3 % from fill", "stop 3 % from fill", "stop 5 %"),
        ("size risk_percent 1", "size risk_percent 1", "size units 1"),
        ("exit after 10 bars", "exit after 10 bars", "#"),
        ("enter long when rsi(2) < 5", "enter long when rsi(2) < 5", "rsi(2) < 10"),
        ("commission 1 per trade", "commission 1 per trade", "slippage"),
        (f"```sheet\n{SHEET.replace('SPY', 'QQQ')}```", "symbol QQQ", "SPY"),
    ],
)
def test_a_statement_takes_the_place_of_the_one_it_names(note: str, now: str, gone: str) -> None:
    before = plan(BODY)
    after = print_sheet(rules_of(plan(BODY, note, contract=before)))
    assert now in after.splitlines()
    assert gone not in after
    assert plan(BODY, note, contract=before).name == before.name


def test_a_plan_that_was_made_of_prose_is_changed_by_a_statement_too() -> None:
    prose = next(c for c in contracts().values() if c.risk.stops and c.risk.stops[0].distance)
    assert prose.sheet == ""
    after = plan("words", "stop 3 % from fill", contract=replace(prose, name=prose.name))
    assert "stop 3 % from fill" in print_sheet(rules_of(after))
    assert rules_of(after).entries == rules_of(prose).entries


def test_a_change_that_could_mean_two_lines_is_asked_about() -> None:
    two = BODY.replace("exit long", "enter long when close > highest(high, 5)[1]\nexit long")
    made = planned(order(two, "enter long when rsi(2) < 5"))
    assert isinstance(made, QuestionsAsked) and "2 lines" in made.questions[0]


def test_a_note_that_is_no_statement_is_never_dropped() -> None:
    made = planned(order(BODY, "make it safer"))
    assert isinstance(made, QuestionsAsked) and "make it safer" in made.questions[0]


def test_what_cannot_be_built_is_asked_about() -> None:
    endless = BODY.replace("exit long when rsi(2) > 70\nstop 5 %\n", "")
    made = planned(order(endless))
    assert isinstance(made, QuestionsAsked) and "no way out" in made.questions[0]


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ("stop 10 % from fill\ntarget 100 % from fill", "100% away"),
        ("stop 60 % from fill\ntarget 2 R", "120% away"),
        ("stop long 5 %\nstop short 60 % from fill\ntarget short 2 R", "120% away"),
        ("stop 10 % from fill\ntarget 99 % from fill", ""),
        ("stop 10 % from fill\ntarget long 150 %", ""),
        ("stop 60 %\nstop at high\ntarget 2 R", ""),
        ("stop long 60 %\nstop short 5 %\ntarget 2 R", ""),
    ],
)
def test_a_short_that_would_never_be_entered_is_asked_about(levels: str, told: str) -> None:
    short = "enter short when rsi(2) > 90\nexit short when rsi(2) < 50\n" + levels
    made = planned(order(BODY.replace("stop 5 %", short)))
    if not told:
        assert isinstance(made, PlanMade), made
        return
    assert isinstance(made, QuestionsAsked) and told in made.questions[0]


def test_where_sheet_and_contract_differ_the_lines_are_shown() -> None:
    made = plan(BODY)
    told = disagreement(sheet_of(made).replace("stop 5 %", "stop 50 %"), made)
    assert "-stop 5 % from fill" in told and "+stop 50 % from fill" in told
    assert codec.load(Contract, codec.dump(made)) == made
