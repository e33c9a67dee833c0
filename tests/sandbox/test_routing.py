"""What the sandbox really sees leads to whom it concerns: the architect, the tester, a person."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adapters.config import config
from bot import verdict
from bot.agents.debugger import route
from bot.metrics import measure
from sandbox import market
from sandbox.engine import DockerEngine, Engine, ProcessEngine
from sandbox.findings import of_trouble
from sandbox.pipeline import About, run
from sandbox.runs import Trouble, talk, whole, worker_job
from sandbox.submission import of_folder
from schemas.base import TaskId
from schemas.plan import Route
from schemas.report import CheckName, Finding, TestReport
from schemas.work import Tested, WorkKind
from schemas.workflow import Phase, Step
from tests import samples
from tests.fakes import lines
from tests.story import Story
from tests.world import ISSUE

HOME = Path(__file__).parent.parent.parent / "strategies" / "rsi_mean_reversion"
STRATEGY = (HOME / "strategy.py").read_text()
TESTS = (HOME / "test_strategy.py").read_text()

MOODY = """

SEEN: list[int] = []


def test_first_come() -> None:
    SEEN.append(len(Strategy({"symbol": "AAPL"}).prepare_indicators(FALL)))
    assert SEEN == [1]


def test_second_come() -> None:
    SEEN.append(len(Strategy({"symbol": "AAPL"}).prepare_indicators(FALL)))
    assert SEEN == [1, 1]
"""


def gated(folder: Path, strategy: str, tests: str, engine: Engine) -> TestReport:
    """By the checks of the first step: the fewest that run its tests."""
    folder.mkdir(exist_ok=True)
    (folder / "strategy.py").write_text(strategy)
    (folder / "test_strategy.py").write_text(tests)
    (folder / "contract.json").write_text((HOME / "contract.json").read_text())
    return run(of_folder(folder), folder / "out", engine, about=About(TaskId.DATA))


def routed(report: TestReport) -> Route:
    known = report.contract_digest
    return route(verdict.judge(TaskId.DATA, "0" * 40, None, known, report, unisolated=True))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def find_entries", "def find_entry"),
        ("self, df: pd.DataFrame, indicators: Indicators, idx: int", "self, df: pd.DataFrame"),
        ("class Strategy", "class Plan"),
    ],
)
def test_a_broken_interface_is_for_the_architect(old: str, new: str, tmp_path: Path) -> None:
    report = gated(tmp_path, STRATEGY.replace(old, new, 1), TESTS, ProcessEngine())
    found = report.checks[0].findings
    assert {f.rule for f in found} == {"spec_mismatch"}
    assert all("interface: " in f.message for f in found)
    assert routed(report) is Route.SPEC_MISMATCH


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return {\n            \"action\"", 'return "BUY" or {\n            "action"', "an order"),
        ("        if rsi.iloc[idx] >", '        return "leave"\n        if rsi.iloc[idx] >',
         "position_id"),
        ('return {"rsi": 100.0 * gain / (gain + loss)}', "return [gain]", "attribute 'items'"),
        ("100.0 * gain / (gain + loss)}", "gain.dropna()}", "one value per bar"),
        ("cfg: Config) ->", "cfg: Config, more: int) ->", "required positional argument"),
        ("def find_entries(\n        self, df: pd.DataFrame,", "def find_entries(\n        self,",
         "positional argument"),
        ("class Strategy", "class Plan", "'Strategy'"),
    ],
)  # fmt: skip
def test_a_strategy_of_another_shape_is_for_the_architect(old: str, new: str, said: str) -> None:
    assert old in STRATEGY
    found = asked(STRATEGY.replace(old, new, 1))
    assert (found.rule, found.message[:11]) == ("spec_mismatch", "wrong_shape")
    assert said in found.message and "strategies/template.py" in found.fix


def test_an_error_of_its_own_is_for_the_coder() -> None:
    found = asked(STRATEGY.replace('indicators["rsi"]', 'indicators["adx"]', 1))
    assert found.rule == "raises" and found.line


def test_what_is_no_answer_is_for_the_architect() -> None:
    found = of_trouble(Trouble("bad_answer", "its answer was too long"), "the known bars")
    assert (found.rule, found.message) == ("spec_mismatch", "bad_answer: its answer was too long")


def asked(strategy: str) -> Finding:
    """What a backtest without a container ends with."""
    job, cfg = worker_job("whole", 60.0, locked=False), config("")
    told = talk(
        ProcessEngine(), job, strategy, cfg, lambda r: whole(r, market.known("D1"), cfg, "corr_1")
    )
    assert told.trouble
    return of_trouble(told.trouble, "the known bars")


def test_tests_that_need_their_order_are_flaky(docker_engine: DockerEngine, tmp_path: Path) -> None:
    """Both outcomes are named; run again it goes to the tester, and the second time to a person."""
    report = gated(tmp_path, STRATEGY, TESTS + MOODY, docker_engine)
    red = next(c for c in report.checks if c.name is CheckName.PYTEST)
    assert {f.rule for f in red.findings} == {"flaky_test"}
    assert [f.test_name.rpartition(":")[2] for f in red.findings] == [
        "test_first_come", "test_second_come"
    ]  # fmt: skip
    assert all("passed in the order" in f.message and "failed in reverse" in f.message
               for f in red.findings)  # fmt: skip
    assert routed(report) is Route.FLAKY_TEST

    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    for times in (1, 2):
        order = story.orders()[0]
        good = samples.report(TaskId.DATA, order.head or "", ISSUE)
        checks = tuple(red if c.name is CheckName.PYTEST else c for c in good.checks)
        story.answer(Tested(report=replace(good, checks=checks, tests=report.tests)))
        assert (story.now.phase is Phase.ESCALATED) == (times == 2)
        assert story.now.tasks[0].todos[-1].agent_role == "tester"
        assert times == 2 or story.now.tasks[0].step is Step.TESTING
    assert (measure([lines(story.store)]).test_flakiness_rate or 0.0) > 0.0


def test_a_test_that_fails_both_times_has_failed(tmp_path: Path) -> None:
    wrong = TESTS.replace("== 2.0", "== 3.0")
    report = gated(tmp_path, STRATEGY, wrong + MOODY, ProcessEngine())
    found = next(c for c in report.checks if c.name is CheckName.PYTEST).findings
    assert [f.rule for f in found] == ["test", "flaky_test", "flaky_test"]
    assert routed(report) is Route.IMPLEMENTATION_BUG
