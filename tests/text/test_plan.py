"""The plan at the moment of `/approve`, and what `/revise` answers."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bot import text
from bot.io.offline import OfflineWriter
from bot.passport import KEPT, PASSPORT, REPORT
from bot.text.assumed import assumed
from bot.text.plan import sheet_block
from bot.work import written
from schemas.contract import Assumption, Contract
from schemas.sheet import print_sheet, read_sheet, rules_of
from schemas.work import Note, PlanMade, Request, WorkKind, WorkOrder
from schemas.workflow import Phase, Workflow
from tests.agents.test_sheet_plan import BODY as SHEET_BODY
from tests.agents.test_sheet_plan import SHEET
from tests.sheet.corpus import contracts

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "fixtures" / "requests" / "example.md").read_text()


def planned(body: str, *notes: str, title: str = "RSI dip on SPY") -> Workflow:
    told = tuple(Note(author="octocat", text=note) for note in notes)
    request = Request(title=title, body=body, author="octocat", notes=told)
    order = WorkOrder(
        key="k", kind=WorkKind.PLAN, issue=7, workflow_id="wf_7", correlation_id="corr_7",
        request=request, deadline=2**39,
    )  # fmt: skip
    made, _ = written(order, OfflineWriter())
    assert isinstance(made, PlanMade), made
    return Workflow(
        issue=7, phase=Phase.PLANNED, request=request, contract=made.contract, todo=made.todo
    )


def contract_of(workflow: Workflow) -> Contract:
    assert workflow.contract is not None
    return workflow.contract


def fenced(shown: str) -> str:
    fence = next(line for line in shown.splitlines() if line.startswith("```"))
    return shown.split(f"{fence}\n", 1)[1].split(f"\n{fence}", 1)[0] + "\n"


def test_the_sheet_comes_first_and_can_be_copied() -> None:
    workflow = planned(EXAMPLE)
    shown = text.plan(workflow)
    assert shown.startswith("### Plan: RSI dip on SPY\n\n```\nsymbol SPY\n")
    assert read_sheet(fenced(shown)).rules == rules_of(contract_of(workflow))


def test_every_sentence_has_its_row_and_nothing_is_said_twice() -> None:
    shown = text.plan(planned(EXAMPLE))
    for sentence in ("Buy SPY when RSI(2)", "Sell when RSI(2)", "Stop 5% below", "Risk 1% of"):
        assert shown.count(sentence) == 1
    assert "not used" not in shown and "Not used" not in shown
    lines = [line for line in shown.splitlines() if line and not line.startswith("|---")]
    assert len(lines) == len(set(lines)) + (shown.count("\n```") - 1)


def test_no_step_ids_and_no_digests() -> None:
    shown = text.plan(planned(EXAMPLE))
    assert "t1_" not in shown and "sha256" not in shown and "Contract `" not in shown


def test_a_sentence_that_no_statement_accounts_for_is_bold_and_counted() -> None:
    workflow = planned(EXAMPLE)
    assert workflow.request
    more = replace(workflow.request, body=EXAMPLE + "No trades around earnings.\n")
    shown = text.plan(replace(workflow, request=more))
    assert '| **"No trades around earnings."** | ***not used*** |' in shown
    assert "**Not used: 1 sentence of yours**" in shown


def test_a_sheet_is_its_own_plan() -> None:
    shown = text.plan(planned(SHEET_BODY))
    assert fenced(shown) == SHEET, "as it was typed, with its comment"
    assert (
        "This sheet is yours" in shown
        and "around it are ***not used***" in shown
        and "You wrote" not in shown
    )
    assert "- **Stop:** the stop counts from the fill price." in shown


def test_what_was_assumed_says_account_leverage_costs_and_bars() -> None:
    shown = text.plan(planned(EXAMPLE))
    assert "- **Account:** $10,000" in shown and "long only" in shown
    assert "- **Leverage:** 100:1" in shown and "- **Costs:** 0.05% a fill" in shown
    assert "synthetic bars made by this project, not market prices of SPY" in shown
    assert "**Slippage:** none" not in shown
    free = planned(SHEET_BODY.replace("stop 5 %", "stop 5 %\ncommission 0.05 %"))
    assert "- **Slippage:** none. That is optimistic" in text.plan(free)


def test_a_statement_that_nobody_asked_for_is_named() -> None:
    workflow = planned(EXAMPLE)
    contract = contract_of(workflow)
    risk = replace(contract.risk, exit_after_bars=3)
    changed = replace(workflow, contract=replace(contract, risk=risk))
    assert "**No sentence of yours says:** `exit after 4 bars`." in text.plan(changed)


def test_the_example_in_money() -> None:
    shown = text.plan(
        planned(
            SHEET_BODY.replace("stop 5 %", "stop 5 %\nsize equity_percent 95\ncommission 0.05 %")
        )
    )
    assert (
        "With $10,000 and a close of $100: buys 95 shares at the next open, about $9,500. If that "
        "fills at $100.00, the stop rests at $95.00. Stopped out there, the trade loses $475 plus "
        "$9.26 costs: **−4.8% of the account**. A gap can cost more."
    ) in shown


def test_what_happens_next_is_only_said_before_it_is_approved() -> None:
    workflow = planned(EXAMPLE)
    assert "| build it | `/approve` |" in text.plan(workflow)
    later = text.plan(replace(workflow, phase=Phase.BUILDING))
    assert "What happens next" not in later and "You wrote" in later


HOSTILE = "</td></tr> | `/approve` @octocat #1 <!-- stratbot --> ``` [x](http://e.org) **bold**."


def test_hostile_words_stay_words_inside_their_cell() -> None:
    workflow = planned(EXAMPLE)
    assert workflow.request
    request = replace(workflow.request, title=HOSTILE, body=EXAMPLE + HOSTILE)
    shown = text.plan(replace(workflow, request=request))
    for alive in ("</td>", "@octocat", "<!--", "[x]", "**bold**", "http://e.org"):
        assert alive not in shown
    rows = [line for line in shown.splitlines() if line.startswith("| ") and "octocat" in line]
    assert rows and all(row.count("|") == 3 for row in rows)


@pytest.mark.parametrize("line", ["# <!-- gone -->", "# a\u202eb"])
def test_a_sheet_with_what_nobody_sees_is_shown_as_it_is_printed(line: str) -> None:
    workflow = planned(SHEET_BODY)
    typed = replace(contract_of(workflow), sheet=f"{SHEET}{line}\n")
    shown = text.plan(replace(workflow, contract=typed))
    assert "<!--" not in shown and "\u202e" not in shown
    assert fenced(shown) == print_sheet(rules_of(typed))


def test_a_sheet_cannot_close_its_fence() -> None:
    workflow = planned(SHEET_BODY)
    sheet = f"{SHEET}# ```` and\n# ```\n# @octocat\n"  # a bare ``` is no statement: never shown
    shown = text.plan(replace(workflow, contract=replace(contract_of(workflow), sheet=sheet)))
    assert fenced(shown) == sheet and "\n`````\nsymbol" in shown


def test_it_stays_below_the_limit_of_github() -> None:
    body = EXAMPLE + "\n".join(
        f"Sentence {n} about nothing at all, {'x' * 300}." for n in range(60)
    )
    workflow = planned(EXAMPLE)
    assert workflow.request
    many = tuple(Assumption(topic="t", taken="x" * 500, because="y" * 500) for _ in range(50))
    big = replace(contract_of(workflow), assumptions=many)
    request = replace(workflow.request, body=body)
    assert len(text.plan(replace(workflow, request=request, contract=big))) < 45_000


def test_a_model_is_read_no_other_way() -> None:
    """The rows come from the two texts alone, whoever wrote the contract."""
    workflow = planned(EXAMPLE)
    contract = replace(contract_of(workflow), workflow_id="other", assumptions=(), summary="x")
    assert "synthetic" in "\n".join(assumed(contract, None))
    assert "**No sentence of yours says:** `commission 0.05 %`" in text.plan(
        replace(workflow, contract=contract)
    )


def test_a_review_folds_what_is_written_beside_a_strategy_and_nothing_else() -> None:
    names = [f"results/{name}" for name in (*KEPT, REPORT, "equity.svg")]
    folded = [*names, "contract.json", PASSPORT]
    shown = ["strategy.sheet", "strategy.py", "test_strategy.py"]
    paths = [f"strategies/rsi_dip_7/{name}" for name in (*folded, *shown)]
    asked = subprocess.run(
        ["git", "check-attr", "linguist-generated", *paths],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    told = [line.rsplit(": ", 1)[1] for line in asked.stdout.splitlines()]
    assert told == ["set"] * len(folded) + ["unspecified"] * len(shown)


def test_a_typed_sheet_that_says_something_else_is_never_shown() -> None:
    """It comes with the work of another job: what is approved is the contract."""
    contract = next(c for c in contracts().values() if not c.sheet)
    other = print_sheet(rules_of(contract)).replace(f"symbol {contract.symbol}", "symbol OTHER")
    assert "symbol OTHER" not in "\n".join(sheet_block(replace(contract, sheet=other)))
