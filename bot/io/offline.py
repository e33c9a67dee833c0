"""The Writer without a model: a grammar reads the request, rules write the code."""

from __future__ import annotations

from dataclasses import replace

from bot.agents import architect, planner, test_builder, test_planner
from bot.agents.clean import clean
from bot.agents.coder import VERSION, write_strategy
from bot.agents.faults import Unwritable
from bot.agents.plan_faults import plan_faults
from bot.agents.test_builder import Unplannable
from bot.agents.write_tests import write_tests
from bot.reading.accounting.account import cannot_be_built
from bot.reading.answered import read_answered
from bot.reading.read import Asked, Declined, Reading
from bot.reading.revised import revised
from bot.tasks import home
from schemas import codec
from schemas.base import Provenance, TaskId, Usage
from schemas.contract import Contract
from schemas.report import FailureClass, GeneratedTests, TestSpec
from schemas.work import (
    ROLES,
    DraftMade,
    PlanMade,
    Product,
    QuestionsAsked,
    RequestDeclined,
    StrategyDraft,
    TestsBuilt,
    WorkFailed,
    WorkKind,
    WorkOrder,
)


class OfflineWriter:
    """Needs no key and no network, costs nothing, and gives the same for the same words."""

    def write(self, order: WorkOrder) -> tuple[Product, Usage]:
        return self._write(order), Usage()

    def _write(self, order: WorkOrder) -> Product:
        match order.kind:
            case WorkKind.PLAN:
                return _plan(order)
            case WorkKind.DRAFT if order.contract is not None:
                return DraftMade(draft=_draft(order, order.contract))
            case WorkKind.REPAIR if order.contract is not None and order.draft is not None:
                return _repair(order, order.contract, order.draft)
            case WorkKind.PLAN_TESTS if order.contract and order.draft and order.report:
                return test_planner.plan(order)
            case WorkKind.BUILD_TESTS if order.contract is not None and order.spec is not None:
                return _build_tests(order, order.contract, order.spec)
        return _failed(f"nothing can be written for {order.kind} without a model")


def _plan(order: WorkOrder) -> Product:
    if order.contract is not None and order.request.notes:
        return _planned(order, _revised(order, order.contract))
    match _read(order, [clean(note.text) for note in order.request.notes]):
        case Asked(questions=questions):
            return QuestionsAsked(questions=questions)
        case Declined(code=code, reason=reason):
            return RequestDeclined(code=code, reason=reason)
        case Contract() as contract:
            return _planned(order, contract)


def _read(order: WorkOrder, answers: list[str]) -> Reading:
    title, body = clean(order.request.title), clean(order.request.body)

    def wrong(found: Contract) -> tuple[str, ...]:
        return plan_faults(architect.settled(found, order))

    return read_answered(title, body, answers, order.workflow_id, order.correlation_id, wrong)


def _revised(order: WorkOrder, plan: Contract) -> Contract:
    """The plan with the slot that the last note names. A note that names none may add a rule: then
    all is read anew with it, and the slots are put in again. Else the plan itself."""
    notes = [clean(note.text) for note in order.request.notes]
    if (slot := revised(plan, notes[-1])) is not None:
        return slot
    words = [note for note in notes if revised(plan, note) is None]
    again = _read(order, words)
    if not isinstance(again, Contract):
        return plan
    for note in notes:
        again = revised(again, note) or again if note not in words else again
    return again


def _planned(order: WorkOrder, contract: Contract) -> Product:
    contract = architect.settled(contract, order)
    if wrong := architect.problems(contract):
        return _failed(f"the contract that was read cannot be built: {'; '.join(wrong[:3])}")
    if wrong := plan_faults(contract):  # of a slot that a note has changed
        return QuestionsAsked(questions=cannot_be_built(wrong, ()))
    return PlanMade(contract=contract, todo=planner.plan(contract, order.min_line_coverage))


def _draft(order: WorkOrder, contract: Contract) -> StrategyDraft:
    assert order.task_id is not None  # nosec B101
    return StrategyDraft(
        correlation_id=order.correlation_id,
        workflow_id=order.workflow_id,
        task_id=order.task_id,
        contract_digest=codec.digest(contract),
        strategy=write_strategy(contract, order.task_id),
        tests=write_tests(contract, order.task_id),
        explanation="Written from the contract by rules, without a model.",
        written_by=_by(order),
        usage=Usage(),
    )


def _repair(order: WorkOrder, contract: Contract, broken: StrategyDraft) -> Product:
    """What the contract says is written anew; the tests stay as they are."""
    whole = write_strategy(contract, broken.task_id)
    if whole.strip() == broken.strategy.strip():
        return _failed("the strategy is already what the rules write; a person has to look")
    told = "The strategy was written anew from the contract."
    return DraftMade(draft=replace(broken, strategy=whole, explanation=told, written_by=_by(order)))


def _build_tests(order: WorkOrder, contract: Contract, spec: TestSpec) -> Product:
    """Nothing is known against them yet; the sandbox measures whether they are worth keeping."""
    try:
        source = test_builder.write(contract, spec)
    except (Unplannable, Unwritable) as error:
        return _failed(f"no test of this plan can be written without a model: {error}")
    tests = GeneratedTests(
        spec_id=spec.id,
        correlation_id=order.correlation_id,
        commit_sha=spec.parent_commit_sha,
        branch_name=f"ai/generated/{order.workflow_id}/{TaskId.TESTS}",
        precheck="PASSED",
        path=f"{home(contract.name)}/tests/{test_builder.FILE}",
        tests=source,
        written_by=_by(order),
        usage=Usage(),
    )
    return TestsBuilt(tests=tests)


def _by(order: WorkOrder) -> Provenance:
    return Provenance(
        agent=ROLES[order.kind],
        agent_version=VERSION,
        model="none",
        prompt_hash=codec.digest(order.request),
    )


def _failed(why: str) -> WorkFailed:
    return WorkFailed(failure_class=FailureClass.TEST_FAILURES, message=why)
