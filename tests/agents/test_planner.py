"""The plan follows from the contract, and what it calls a criterion can be run."""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import text
from bot.agents.planner import RESULTS, plan
from bot.tasks import STEPS
from sandbox import run_in_sandbox
from schemas import codec
from schemas.base import TaskId
from schemas.contract import Contract, Indicator, Risk, Sizing
from schemas.plan import TodoItem, TodoList
from schemas.report import EXPECTED
from schemas.work import PlanMade
from schemas.workflow import Phase, Workflow
from tests import samples
from tests.story import Story
from tests.strategies.examples import NAMES

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = [ROOT / "strategies" / name / "contract.json" for name in NAMES]
EXAMPLE = codec.load(Contract, (ROOT / "strategies/sma_cross/contract.json").read_bytes())
EACH = pytest.mark.parametrize("item", plan(EXAMPLE).items, ids=lambda i: str(i.id))


def test_it_has_the_four_steps_in_their_order() -> None:
    todo = plan(samples.contract())
    assert tuple(i.id for i in todo.items) == STEPS
    assert [i.depends_on for i in todo.items] == [STEPS[:n] for n in range(4)]
    assert (todo.todo_list_id, todo.workflow_id, todo.correlation_id) == (
        "todo_7",
        "wf_7",
        "corr_7",
    )
    assert all(i.agent_role == "coder" for i in todo.items)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda f: f.parent.name)
def test_it_is_a_document_for_every_contract_there_is(file: Path) -> None:
    todo = plan(codec.load(Contract, file.read_bytes()))
    assert codec.load(TodoList, codec.dump(todo)) == todo


@given(st.text(max_size=500))
def test_long_and_odd_words_still_make_a_document(reason: str) -> None:
    whole = samples.contract()
    wordy = replace(
        whole,
        name="n" * 100,
        indicators=(Indicator(id="x", kind="k" * 100),) * 30,
        entries=(replace(whole.entries[0], reason=reason),) * 20,
        risk=Risk(sizing=Sizing(kind="fixed_units", amount=samples.ZERO), exit_after_bars=5),
    )
    todo = plan(wordy)
    assert codec.load(TodoList, codec.dump(todo)) == todo


def test_the_bot_takes_it() -> None:
    story = Story()
    contract = samples.contract()
    story.answer(PlanMade(contract=contract, todo=plan(contract)))
    assert story.now.phase is Phase.PLANNED and "symbol SPY" in story.say("/plan")


def test_the_words_say_what_is_to_be_built() -> None:
    data, indicators, entry, leave = (i.description for i in plan(samples.contract()).items)
    assert "D1 bars of SPY" in data and "RSI (14)" in indicators
    assert "long: RSI crossed below 30" in entry and "long: RSI crossed above 70" in leave
    bare = replace(samples.contract(), indicators=(), exits=())
    words = [i.description for i in plan(bare).items]
    assert "no indicator" in words[1] and "There is no rule for it" in words[3]


@EACH
def test_the_sandbox_understands_its_command(item: TodoItem) -> None:
    words = shlex.split(command(item, "run_in_sandbox.py"))
    args = run_in_sandbox.arguments().parse_args(words[2:])
    assert args.task is item.id and args.strategy.is_file() and args.tests[0].is_file()
    named = next(c.name for c in item.acceptance_criteria if "sandbox passes" in c.name)
    assert all(check in named for check in EXPECTED[item.id])


@EACH
def test_the_other_commands_run(item: TodoItem, tmp_path: Path) -> None:
    for criterion in item.acceptance_criteria:
        if "sandbox" not in criterion.command:
            assert ended(criterion.command, tmp_path) == 0, criterion.command


def test_the_artifacts_are_judged_by_the_command_that_is_named(tmp_path: Path) -> None:
    item = plan(EXAMPLE).items[3]
    (tmp_path / "test_report.json").write_text(codec.dump(samples.report(TaskId.EXIT)))
    for part, code in (("--mode backtest", 0), ("sandbox.validate", 0)):
        assert ended(command(item, part), tmp_path) == code
    names = {Path(a).name for a in item.expected_artifacts if a.startswith(f"{RESULTS}/")}
    own = {"bars.csv"}  # the bars of a run by hand, for the pictures of its report
    assert names | own == {p.name for p in tmp_path.iterdir()}
    (tmp_path / "summary.json").unlink()
    assert ended(command(item, "sandbox.validate"), tmp_path) == 1


def ended(line: str, results: Path) -> int:
    words = shlex.split(line.replace(f"{RESULTS}/", str(results)))
    return subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True).returncode


def command(item: TodoItem, part: str) -> str:
    return next(c.command for c in item.acceptance_criteria if part in c.command)


def test_only_what_trades_leaves_a_list_of_trades() -> None:
    by = {i.id: i.expected_artifacts for i in plan(EXAMPLE).items}
    assert f"{RESULTS}/trades.csv" not in by[TaskId.DATA]
    assert f"{RESULTS}/trades.csv" in by[TaskId.ENTRY]


def test_each_step_says_what_it_should_measure() -> None:
    made = plan(samples.contract(), 85.0)
    told = [item.expected_metrics for item in made.items]
    assert all(metrics and metrics.minutes > 0 for metrics in told)
    last = told[-1]
    assert last and (last.min_line_coverage, last.min_trades) == (85.0, 1)
    assert "expected_metrics" not in codec.line(samples.todo())
    planned = Workflow(issue=7, contract=samples.contract(), todo=made)
    assert (
        text.plan(replace(planned, phase=Phase.PLANNED)).count(
            "To pass it needs at least 1 trade, and tests that reach 85% of the lines."
        )
        == 1
    )
