"""A test without a container counts nowhere but where the repository's policy says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import reports
from schemas import codec
from schemas.base import TaskId
from schemas.workflow import Delivery, Phase, Policy, Step, Task, Workflow
from tests import samples

OPEN = replace(samples.report(TaskId.EXIT), isolated=False)


def building(policy: Policy) -> tuple[Workflow, Task]:
    task = Task(id=TaskId.EXIT, step=Step.TESTING, head=samples.SHA)
    contract = samples.contract()
    return Workflow(
        issue=7, policy=policy, phase=Phase.BUILDING, contract=contract,
        contract_digest=codec.digest(contract), tasks=(task,),
        delivery=Delivery(head=samples.SHA),
    ), task  # fmt: skip


@pytest.mark.parametrize("unisolated", [False, True])
def test_the_policy_decides_and_is_strict_by_default(unisolated: bool) -> None:
    policy = Policy(unisolated=True) if unisolated else Policy()
    workflow, task = building(policy)
    after = reports.tested(workflow, task, OPEN, (), 1).tasks[0]
    assert (after.passed_sha == samples.SHA) is unisolated
    assert (
        reports.delivery_tested(workflow, OPEN, (), 1).delivery.passed_sha == samples.SHA
    ) is unisolated


def test_it_excuses_nothing_else() -> None:
    workflow, task = building(Policy(unisolated=True))
    red = replace(samples.red(TaskId.EXIT, samples.SHA, "x"), isolated=False)
    assert reports.tested(workflow, task, red, (), 1).tasks[0].passed_sha is None
