"""The plan at the moment of `/approve`: the sheet, what became of each sentence, what was assumed,
one trade in money, and what happens next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.agents.given_sheet import is_sheet
from bot.text.assumed import assumed
from bot.text.base import cut, inert_line
from bot.text.example import example
from bot.text.findings import literal
from bot.text.replies import no_plan_yet
from bot.text.understood import understood, waiting
from schemas.contract import Contract
from schemas.report import CheckName
from schemas.sheet import print_sheet, rules_of, sheet_of
from schemas.workflow import Phase, Workflow

if TYPE_CHECKING:
    from bot.reading.cited.rows import Table

FENCE = 3


def plan(workflow: Workflow) -> str:
    contract = workflow.contract
    if contract is None or workflow.todo is None:
        return no_plan_yet(workflow)
    found = _table(workflow, contract)
    return cut(
        [
            f"### Plan: {_title(workflow, contract)}",
            "",
            *sheet_block(contract),
            *_read(workflow, found),
            *assumed(contract, found),
            *example(contract),
            *_next(workflow),
        ]
    )


def built(workflow: Workflow) -> str:
    """The same once it is there: nothing is promised any more."""
    contract = workflow.contract
    if contract is None:
        return no_plan_yet(workflow)
    found = assumed(contract, _table(workflow, contract))
    return cut(["What it does:", "", *sheet_block(contract), *found])


def sheet_block(contract: Contract) -> list[str]:
    """As it was typed, unless it holds what only web pages read. Its content cannot close it."""
    typed = sheet_of(contract)
    hides = "<!" in typed or any(not (x.isprintable() or x in "\n\t") for x in typed)
    shown = print_sheet(rules_of(contract)) if hides else typed
    fence = "`" * FENCE
    while fence in shown:
        fence += "`"
    return [fence, *shown.strip("\n").split("\n"), fence, ""]


def _title(workflow: Workflow, contract: Contract) -> str:
    title = workflow.request.title if workflow.request else ""
    for mark in ("[Strategy]", "Strategy:"):
        title = title.strip().removeprefix(mark)
    return literal(title, 200) or f"{inert_line(contract.symbol, 40)}, {contract.timeframe}"


def _table(workflow: Workflow, contract: Contract) -> Table | None:
    """None where the request is a sheet: then nothing was read into it."""
    request = workflow.request
    if request is None or is_sheet(request):
        return None
    # The reader's word lists take a while to load; most events draw no plan.
    from bot.reading.cited.rows import table

    notes = [note.text for note in request.notes]
    return table(request.title, request.body, notes, contract)


def _read(workflow: Workflow, found: Table | None) -> list[str]:
    if found is not None:
        asks = waiting(found) if workflow.phase is Phase.PLANNED else []
        return [*asks, *understood(found)]
    if workflow.request is None:
        return []
    return ["This sheet is yours: I build what it says. Words around it are ***not used***.", ""]


def _next(workflow: Workflow) -> list[str]:
    if workflow.phase is not Phase.PLANNED or workflow.todo is None:
        return []
    minutes = workflow.todo.expected_minutes
    return [
        "#### What happens next",
        "",
        f"`/approve` → I write code from this sheet, run {len(CheckName)} checks and backtest it: "
        f"about {minutes} minutes, {_price(workflow)}.{_expected(workflow)}",
        "You get a pull request with the report. Nothing is merged without you, and nothing trades."
        if not workflow.policy.auto_merge
        else "You get a pull request with the report. The strategy is merged by you alone, and "
        "nothing trades.",
        "",
        "| To | Type |",
        "|---|---|",
        "| build it | `/approve` |",
        "| change one line | `/revise stop 3 % from fill` |",
        "| say it in words | `/revise use a 2 % stop` |",
        "| replace the sheet | `/revise` and a whole sheet in a code block |",
        "| stop here | `/cancel` |",
    ]


def _expected(workflow: Workflow) -> str:
    """What the strategy is held to, besides its checks."""
    told = workflow.todo.items[-1].expected_metrics if workflow.todo else None
    if told is None or told.min_trades is None:
        return ""
    trades = f"at least {told.min_trades} trade{'s' * (told.min_trades > 1)}"
    lines = told.min_line_coverage
    covered = f", and tests that reach {lines:g}% of the lines" if lines else ""
    return f" To pass it needs {trades}{covered}."


def _price(workflow: Workflow) -> str:
    """Whoever writes by rules costs nothing; a repository with a model asks first."""
    if workflow.policy.asks_first:
        return f"at most {workflow.policy.max_cost} USD for the model"
    return "free: no model is used"
