"""What a sandbox run found, and the tests that a second look adds. Facts, never a verdict."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from schemas.base import (
    Branch,
    Count,
    Digest,
    Instant,
    Line,
    Money,
    Name,
    Path,
    Percent,
    Provenance,
    Real,
    Seconds,
    Sha,
    Source,
    TaskId,
    Text,
    Usage,
    Version,
    document,
    whole,
)

MISSED, MUTANTS = 500, 50
"""How many missed lines and mutants a report takes."""
MIN_LINE_COVERAGE = 80.0
"""Percent, where the repository says nothing else."""
LineNumber = Annotated[int, Field(ge=1, le=100_000)]


class FailureClass(StrEnum):
    TEST_FAILURES = "test_failures"
    STATIC_FAILURES = "static_failures"
    NON_DETERMINISTIC = "non_deterministic"
    SANDBOX_ERROR = "sandbox_error"
    ARTIFACT_SCHEMA = "artifact_schema"


class CheckName(StrEnum):
    INTAKE = "intake"
    FLAKE8 = "flake8"
    BANDIT = "bandit"
    MYPY = "mypy"
    BACKTEST = "backtest"
    ACCEPTANCE = "acceptance"
    PYTEST = "pytest"
    MUTANTS = "mutants"
    DETERMINISM = "determinism"
    CAUSALITY = "causality"
    UNSEEN = "unseen"
    SECRETS = "secrets"
    ARTIFACTS = "artifacts"


STATIC = frozenset(
    {CheckName.INTAKE, CheckName.FLAKE8, CheckName.BANDIT, CheckName.MYPY, CheckName.SECRETS}
)
CAUSAL = frozenset({CheckName.PYTEST, CheckName.DETERMINISM, CheckName.CAUSALITY})

EXPECTED: dict[TaskId, frozenset[CheckName]] = {
    TaskId.DATA: STATIC | {CheckName.PYTEST},
    TaskId.INDICATORS: STATIC | CAUSAL,
    TaskId.ENTRY: STATIC | CAUSAL | {CheckName.BACKTEST, CheckName.ARTIFACTS},
    TaskId.EXIT: frozenset(CheckName),
    TaskId.TESTS: STATIC | {CheckName.PYTEST, CheckName.MUTANTS},
}
"""What must have run and passed, by milestone. Only the last one of a strategy must trade.

More tests change nothing that it does; the delivery, which is judged as the last step, has both.
"""


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@document
class Finding:
    """One thing that is wrong, where it is, and how to see it again."""

    failure_class: FailureClass
    rule: Name
    message: Text
    test_name: Line = ""
    trace: Text = ""
    file: Line = ""
    line: Count = 0
    bar: Count | None = None
    fix: Line = ""
    fixture: Line = ""
    reproduce_command: Line = ""


@document
class Check:
    name: CheckName
    outcome: Outcome
    seconds: Seconds
    findings: Annotated[tuple[Finding, ...], Field(max_length=50)] = ()


@document
class TestOutcome:
    """One test as pytest-json-report told it."""

    __test__ = False
    nodeid: Line
    outcome: Outcome
    seconds: Seconds


@document
class Fold:
    """One stretch of the backtest: what it earned, and its returns by count, mean, deviation."""

    net: Money
    returns: Count
    mean: Real
    deviation: Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False)]


REASON = 80
"""Words of a strategy about itself: whoever shows them makes them harmless."""


class EndKind(StrEnum):
    """As trades.csv spells it."""

    STOP = "sl"
    TARGET = "tp"
    RULE = "signal"
    DATA = "open"


@document
class Ending:
    """Trades that ended alike. `reason` is the strategy's own where a rule of it closed them, and
    empty where there are too many to name."""

    kind: EndKind
    reason: Annotated[str, StringConstraints(max_length=REASON)] = ""
    trades: Count
    win_rate: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    net: Money
    average: Money


@document
class Summary:
    """The figures of the backtest. Money is a decimal string, ratios are numbers.

    From `returns` on: what tells skill from luck. `periods` are those of a year. From `return_pct`
    on: what a trader asks for next; `_pct` is percent, and a run of an older version has none.
    """

    total_trades: Count
    net_pnl: Money
    win_rate: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    max_drawdown: Money
    profit_factor: Real | None = None
    sharpe: Real | None = None
    buy_and_hold: Money | None = None
    net_pnl_at_double_costs: Money | None = None
    returns: Count = 0
    periods: Count = 0
    skewness: Real | None = None
    kurtosis: Real | None = None
    folds: Annotated[tuple[Fold, ...], Field(max_length=16)] = ()
    return_pct: Real | None = None
    cagr_pct: Real | None = None
    max_drawdown_pct: Real | None = None
    max_drawdown_days: Real | None = None
    average_trade: Money | None = None
    average_bars: Real | None = None
    longest_losing_streak: Count | None = None
    sortino: Real | None = None
    exposure_pct: Real | None = None
    best_trade: Money | None = None
    worst_trade: Money | None = None
    hold_sharpe: Real | None = None
    hold_drawdown_pct: Real | None = None
    endings: Annotated[tuple[Ending, ...], Field(max_length=12)] = ()


@document
class Artifact:
    """`size` is None where only the digest is known."""

    path: Path
    digest: Digest
    size: Count | None = None


@document
class Mutant:
    """The strategy with one thing changed, and whether its tests noticed."""

    line: LineNumber
    function: Line
    change: Line
    outcome: Literal["killed", "survived", "not_run"]


@document
class Changes:
    """How the trades differ from those that the commit carries as its last results."""

    added: Count
    removed: Count
    moved: Count
    same: Count
    examples: Annotated[tuple[Line, ...], Field(max_length=10)] = ()


@document
class TestReport:
    __test__ = False
    correlation_id: Name
    workflow_id: Name
    task_id: TaskId
    commit_sha: Sha
    contract_digest: Digest
    strategy_digest: Digest
    tests_digest: Digest
    isolated: bool
    started_at: Instant
    seconds: Seconds
    environment: Line
    checks: Annotated[tuple[Check, ...], Field(max_length=40)]
    tests: Annotated[tuple[TestOutcome, ...], Field(max_length=500)] = ()
    summary: Summary | None = None
    sealed: Summary | None = None
    """On the bars that nobody had seen before the delivery; only where they were opened."""
    line_coverage: Percent | None = None
    missed_lines: Annotated[tuple[LineNumber, ...], Field(max_length=MISSED)] = ()
    mutants: Annotated[tuple[Mutant, ...], Field(max_length=MUTANTS)] = ()
    decisions_digest: Digest | None = None
    changes: Changes | None = None
    artifacts: Annotated[tuple[Artifact, ...], Field(max_length=20)] = ()
    schema: Version = 1


@document
class TestCase:
    """A test that is missing."""

    __test__ = False
    name: Name
    goal: Line
    target_path: Path


@document
class TestSpec:
    """What the test planner found missing in a green strategy."""

    __test__ = False
    id: Name
    correlation_id: Name
    parent_commit_sha: Sha
    cases: Annotated[tuple[TestCase, ...], Field(max_length=50)]
    min_line_coverage: Percent = MIN_LINE_COVERAGE
    schema: Version = 1


TEST_PATH = whole(r"([A-Za-z0-9_][A-Za-z0-9_.-]{0,99}/){1,7}tests/test_[A-Za-z0-9_]{1,80}\.py")
TestPath = Annotated[str, StringConstraints(pattern=TEST_PATH)]
"""Where pytest finds a test, and nothing else is read: no conftest, no settings."""


@document
class GeneratedTests:
    """Tests that the test builder wrote: kept only if they pass and add something."""

    spec_id: Name
    correlation_id: Name
    commit_sha: Sha
    branch_name: Branch
    precheck: Literal["PASSED", "FAILED"]
    notes: Annotated[tuple[Line, ...], Field(max_length=50)] = ()
    path: TestPath
    tests: Source
    written_by: Provenance
    usage: Usage
    schema: Version = 1
