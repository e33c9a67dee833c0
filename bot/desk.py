"""On this machine, without GitHub: from a request, or a contract, to the files of a strategy."""

from __future__ import annotations

from dataclasses import replace

from bot.agents.coder import write_strategy, write_tests
from bot.agents.faults import Unwritable
from bot.ports import Rejected, Writer
from bot.text.desk import asked, declined
from bot.work import written
from schemas import codec
from schemas.base import TaskId
from schemas.contract import Contract
from schemas.sheet import sheet_of
from schemas.work import (
    DraftMade,
    PlanMade,
    Product,
    QuestionsAsked,
    Request,
    RequestDeclined,
    StrategyDraft,
    WorkFailed,
    WorkKind,
    WorkOrder,
)

MOST = 60_000
DEADLINE = 2**40
"""Nobody waits for a draft on this machine but the person who asked for it."""


CONTRACT = "contract.json"
FILES = (
    "strategy.py", "test_strategy.py", "strategy.sheet", "contract.json", "plan.json", "reply.md",
)  # fmt: skip


def written_for(writer: Writer, title: str, body: str) -> dict[str, str]:
    """What belongs into the folder, by file name: the strategy's files, or a reply."""
    order = _order(title, body)
    product, _ = written(order, writer)
    match product:
        case QuestionsAsked(questions=questions):
            return {"reply.md": asked(questions)}
        case RequestDeclined(reason=reason):
            return {"reply.md": declined(reason)}
        case PlanMade(contract=contract, todo=todo):
            made = _drafted(writer, order, contract)
            return {
                "strategy.py": made.strategy,
                "test_strategy.py": made.tests,
                "strategy.sheet": sheet_of(contract),
                "contract.json": codec.dump(contract),
                "plan.json": codec.dump(todo),
            }
    raise Rejected(_why(product))


def coded(contract: Contract, file: str) -> dict[str, str]:
    """The strategy of this contract, its tests and the contract, by file name."""
    try:
        strategy, tests = write_strategy(contract), write_tests(contract)
    except Unwritable as error:
        raise Rejected(f"no code: {error}; change the contract") from None
    return {file: strategy, f"test_{file}": tests, CONTRACT: codec.dump(contract)}


def _drafted(writer: Writer, order: WorkOrder, contract: Contract) -> StrategyDraft:
    wanted = replace(order, kind=WorkKind.DRAFT, contract=contract, task_id=TaskId.EXIT)
    product, _ = writer.write(wanted)
    if not isinstance(product, DraftMade):
        raise Rejected(_why(product))
    return product.draft


def _order(title: str, body: str) -> WorkOrder:
    request = Request(title=" ".join(title.split())[:500], body=body[:MOST], author="local")
    return WorkOrder(
        key="draft",
        kind=WorkKind.PLAN,
        issue=1,
        workflow_id="wf_1",
        correlation_id="corr_local",
        request=request,
        deadline=DEADLINE,
    )


def _why(product: Product) -> str:
    said = product.message if isinstance(product, WorkFailed) else f"{product.kind} was given back"
    return f"no draft: {said}; change the request or try the other writer"
