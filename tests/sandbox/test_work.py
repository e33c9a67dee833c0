"""The worker of the test job, as a process: what it takes, what it refuses, what it leaves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest

from adapters.config import config
from bot import verdict
from bot.agents.coder import write_strategy, write_tests
from bot.io.offline import OfflineWriter
from sandbox import paper, work
from sandbox.engine import DockerEngine, ProcessEngine
from sandbox.held import Held
from sandbox.job import CannotRun, Ended, Job, Running
from sandbox.job_log import JobLog, log_of
from sandbox.results import files
from sandbox.runs import Told, broker, talk, worker_job
from sandbox.submission import Taken
from schemas import codec
from schemas.base import RESULTS, TaskId
from schemas.contract import Contract
from schemas.report import EXPECTED, CheckName, FailureClass, Outcome, TestReport
from schemas.work import (
    PaperTraded,
    Product,
    Request,
    Tested,
    TestsBuilt,
    WorkFailed,
    WorkKind,
    WorkOrder,
    WorkResult,
)
from tests import samples

ROOT = Path(__file__).parent.parent.parent
NAME = "rsi_mean_reversion"
CONTRACT = codec.load(Contract, (ROOT / "strategies" / NAME / "contract.json").read_bytes())
HOME = f"strategies/{NAME}"


@dataclass(frozen=True)
class Place:
    """A checkout and the folder that the worker writes to."""

    tree: Path
    out: Path

    def commit(self, **texts: str) -> str:
        for name, text in texts.items():
            path = self.tree / HOME / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x")
        return self.git("rev-parse", "HEAD").strip()

    def git(self, *words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        line = ["git", *who, "-C", str(self.tree), *words]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout

    def line(self, order: WorkOrder, *more: str) -> list[str]:
        path = self.out.parent / "order.json"
        path.write_text(codec.dump(order))
        return ["--order", str(path), "--tree", str(self.tree), "--out", str(self.out),
                "--backend", "process", *more]  # fmt: skip

    def product(self) -> Product:
        return self.result().product

    def result(self) -> WorkResult:
        result = codec.load(WorkResult, (self.out / work.RESULT).read_bytes())
        assert (result.order_key, result.issue, result.correlation_id) == ("k1", 7, "corr_7")
        return result


@pytest.fixture
def place(tmp_path: Path) -> Place:
    tree = tmp_path / "submission"
    tree.mkdir()
    made = Place(tree, tmp_path / "out")
    made.git("init", "--quiet")
    return made


def step(task: TaskId) -> dict[str, str]:
    return {
        "strategy.py": write_strategy(CONTRACT, task),
        "test_strategy.py": write_tests(CONTRACT, task),
        "contract.json": codec.dump(CONTRACT),
    }


def ordered(head: str | None, task: TaskId = TaskId.DATA, **more: object) -> WorkOrder:
    return replace(
        WorkOrder(
            key="k1", kind=WorkKind.TEST, issue=7, workflow_id="wf_7", correlation_id="corr_7",
            task_id=task, request=Request(title="t", body="b", author="a"), contract=CONTRACT,
            head=head, deadline=0,
        ),
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


class Refusing:
    """An engine that takes notes and starts nothing."""

    isolated = False

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job) -> Running:
        self.jobs.append(job)
        raise CannotRun("it starts nothing")

    def run(self, job: Job, stdin: bytes = b"") -> Ended:
        self.jobs.append(job)
        raise CannotRun("it starts nothing")


def test_each_container_has_the_time_of_the_order(place: Place) -> None:
    order = ordered(place.commit(**step(TaskId.DATA)), sandbox_timeout=77)
    engine = Refusing()
    args = work.arguments().parse_args(place.line(order))
    with pytest.raises(CannotRun):
        work.tested(order, CONTRACT, args, engine, log_of(order))
    assert engine.jobs and {job.seconds for job in engine.jobs} == {77}


def judged(report: TestReport, head: str, task: TaskId) -> list[str]:
    digest = codec.digest(CONTRACT)
    found = verdict.judge(task, head, CONTRACT, digest, report, unisolated=True)
    return [f"{f.check} {f.message}" for f in found]


def test_the_first_step_is_tested_by_its_own_checks_only(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    head = place.commit(**step(TaskId.DATA))
    table = place.out.parent / "summary.md"
    assert work.main(place.line(ordered(head), "--summary", str(table))) == work.DONE
    product = place.product()
    assert isinstance(product, Tested) and product.files == () and not product.report.isolated
    assert judged(product.report, head, TaskId.DATA) == []
    assert verdict.judge(TaskId.DATA, head, CONTRACT, codec.digest(CONTRACT), product.report) == (
        verdict.NOT_ISOLATED,
    )
    assert {c.name for c in product.report.checks} == EXPECTED[TaskId.DATA]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for line in lines:
        assert datetime.fromisoformat(line["timestamp"]).tzinfo and line["task"] == "t1_data"
        assert (line["correlation_id"], line["workflow_id"]) == ("corr_7", "wf_7")
    assert [line["event"] for line in lines[:: len(lines) - 1]] == ["job.started", "job.ended"]
    ended = {line["check"]: line["outcome"] for line in lines if line["event"] == "check.ended"}
    assert ended == dict.fromkeys(EXPECTED[TaskId.DATA], "passed")
    assert "| pytest | passed |" in table.read_text() and "without isolation" in table.read_text()


def test_the_whole_brings_its_files_and_what_changed_since(place: Place) -> None:
    first = step(TaskId.EXIT)
    place.commit(**first)
    old = "results/trades.csv"
    head = place.commit(**{"tests/test_added.py": first["test_strategy.py"]})
    assert work.main(place.line(ordered(head, TaskId.EXIT, spec=samples.spec()))) == work.DONE
    product = place.product()
    assert isinstance(product, Tested)
    assert judged(product.report, head, TaskId.EXIT) == []
    assert any("tests/test_added.py" in t.nodeid for t in product.report.tests)
    assert product.report.changes is None and product.report.mutants == ()
    texts = {f.path: f.text for f in product.files}
    figures = {"trades.csv", "equity_curve.csv", "events.log", "summary.json", "bars.csv"}
    assert set(texts) == figures
    assert [a.digest for a in product.report.artifacts] == [
        codec.digest_of(texts[a.path]) for a in product.report.artifacts
    ]
    rows = texts["trades.csv"].splitlines(keepends=True)
    head = place.commit(**{old: "".join(rows[:-1])})
    entry = ordered(head, TaskId.ENTRY)  # quicker, and other exits than before
    assert work.main(place.line(entry)) == work.DONE
    product = place.product()
    assert isinstance(product, Tested) and product.report.changes
    changes = product.report.changes
    assert changes.added == 1 and changes.examples[0].startswith("added: BUY ")
    assert changes.same == len(rows) - 2 and not (changes.removed or changes.moved)


@pytest.mark.parametrize(("kind", "why"), [
    ("head", "the checkout is at"),
    ("contract", "not the approved one"),
    ("no contract", "no readable contract"),
    ("link", "it is a link"),
    ("folder", "not a plain folder"),
    ("no tree", "no commit in the checkout"),
    ("no head", "names no contract, task or commit"),
    ("plan", "nothing is tested for plan"),
    ("paper", "before the paper run the commit must pass all checks"),
    ("empty", "strategy.py: it is empty"),
])  # fmt: skip
def test_what_is_not_what_was_ordered_is_not_run(place: Place, kind: str, why: str) -> None:
    texts = step(TaskId.DATA)
    head: str | None = place.commit(**texts)
    order = ordered(head)
    folder = place.tree / HOME
    match kind:
        case "head":
            place.commit(**{"other.txt": "x"})
        case "contract":
            other = codec.dump(replace(CONTRACT, symbol="MSFT"))
            order = ordered(place.commit(**{"contract.json": other}))
        case "no contract":
            order = ordered(place.commit(**{"contract.json": '{"schema": 1}'}))
        case "link":
            (folder / "strategy.py").rename(folder / "real.py")
            (folder / "strategy.py").symlink_to("real.py")
            order = ordered(place.commit())
        case "folder":
            folder.rename(place.tree / "elsewhere")
            folder.symlink_to("../elsewhere")
            order = ordered(place.commit())
        case "no tree":
            order = replace(order, head="0" * 40)
            place = Place(place.out.parent, place.out)
        case "no head":
            order = replace(order, head=None)
        case "plan":
            order = replace(order, kind=WorkKind.PLAN)
        case "paper":
            order = replace(order, kind=WorkKind.PAPER, task_id=None)
        case "empty":
            order = ordered(place.commit(**{"strategy.py": ""}))
    assert work.main(place.line(order)) == work.DONE
    product = place.product()
    assert isinstance(product, WorkFailed) and why in product.message, product


def test_a_drafted_strategy_trades_on_paper_in_docker(docker_engine: DockerEngine) -> None:
    """The paper run alone; the next test has all that comes before it."""
    file = ROOT / "strategies/sma_cross/contract.json"
    cross = codec.load(Contract, file.read_bytes())
    taken = Taken(write_strategy(cross, TaskId.EXIT).encode(), {}, cross, cross.name)
    found = paper.compare(docker_engine, taken, cross, 120)
    assert (found.bars, found.differences, found.trouble) == (120, 0, "")
    assert found.trades > 0, "where nothing is traded nothing is shown"


@pytest.mark.soak
def test_the_paper_job_passes_in_docker(place: Place, sandbox_image: str) -> None:
    """All the checks and then the paper run, as the test job does it."""
    head = place.commit(**step(TaskId.EXIT))
    order = ordered(head, kind=WorkKind.PAPER, task_id=None)
    assert work.main(place.line(order, "--backend", "docker")) == work.DONE
    product = place.product()
    assert isinstance(product, PaperTraded), product
    assert (product.sha, product.differences, product.isolated) == (head, 0, True)
    assert product.bars > 100


def test_an_order_that_cannot_be_read_gives_no_result(place: Place) -> None:
    line = place.line(ordered("0" * 40))
    Path(line[1]).write_text('{"schema": 1, "key": "k1", "more": 1}')
    assert work.main(line) == work.NO_ORDER and not place.out.exists()


def test_a_sandbox_that_cannot_start_is_a_sandbox_error(place: Place) -> None:
    """The result is there, typed, so that the request goes on; each line says so too."""
    order = ordered(place.commit(**step(TaskId.DATA)))
    line = [sys.executable, "-m", "sandbox.work", *place.line(order, "--backend", "docker")]
    away = {"DOCKER_HOST": f"unix://{place.out.parent}/none.sock", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, env=away)
    product = place.product()
    assert done.returncode == work.DONE and isinstance(product, WorkFailed), done.stderr
    assert product.failure_class is FailureClass.SANDBOX_ERROR
    assert "no Docker engine answers" in product.message
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["event"], last["green"], last["correlation_id"]) == ("job.ended", False, "corr_7")
    assert last["message"].startswith("no Docker engine answers")


class Broken(ProcessEngine):
    """As an image without Python packages: no worker ever comes to its first line."""

    def start(self, job: Job) -> Held:
        return super().start(replace(job, command=("python", "-c", "raise SystemExit(3)")))


def test_a_worker_that_never_begins_is_no_fault_of_the_strategy() -> None:
    job, cfg = worker_job("whole", 60.0, locked=False), config("")
    with pytest.raises(CannotRun, match="ended with 3 before it had a strategy"):
        talk(Broken(), job, "", cfg, lambda remote: Told(broker(cfg), None, ()))


def test_what_a_strategy_says_does_no_harm_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    key = "sk-" + "a1" * 20
    JobLog("corr_7", "wf_7", "t1_data").write("paper.difference", message=f"::error::{key}\n" * 99)
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)["message"]
    assert "***" in told and key not in line and "::" not in told and len(told) <= 300


def test_a_file_that_is_too_big_is_a_finding(tmp_path: Path) -> None:
    green = samples.report(TaskId.EXIT)
    (tmp_path / "events.log").write_text("x" * (RESULTS + 1))
    (tmp_path / "trades.csv").write_text("y")
    listed = [
        {"path": n, "digest": samples.DIGEST, "size": 1} for n in ("events.log", "trades.csv")
    ]
    told = json.loads(codec.dump(green)) | {"artifacts": listed}
    report, kept = files(codec.load(TestReport, json.dumps(told)), tmp_path)
    assert [f.path for f in kept] == [a.path for a in report.artifacts] == ["trades.csv"]
    check = next(c for c in report.checks if c.name is CheckName.ARTIFACTS)
    assert check.outcome is Outcome.FAILED and check.findings[0].rule == "too_big"


def test_told_to_end_it_leaves_no_process_and_no_result(place: Place) -> None:
    head = place.commit(**step(TaskId.EXIT))
    line = [sys.executable, "-m", "sandbox.work", *place.line(ordered(head, TaskId.EXIT))]
    running = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    state = place.out / "run" / "state.json"
    until = time.monotonic() + 60
    while not (state.is_file() and json.loads(state.read_text())["containers"]):
        assert time.monotonic() < until and running.poll() is None
    names = json.loads(state.read_text())["containers"]
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=60)
    assert running.returncode == work.STOPPED and b"stopped" in said, said
    assert not (place.out / work.RESULT).exists()
    ended = json.loads(state.read_text())
    assert ended["state"] in ("cancelled", "killed", "failed") and ended["containers"] == []
    left = [n for n in names if Path(f"/proc/{n.split('-')[1]}").exists()]
    assert names and left == []


def weak() -> str:
    text = (ROOT / HOME / "test_strategy.py").read_text()
    return text[: text.index("def test_it_buys_once")]


def test_built_tests_are_measured(place: Place) -> None:
    """From the plan to the kept file, each by the worker that does it; the draft is not in git."""
    strategy = (ROOT / HOME / "strategy.py").read_text()
    draft = replace(samples.draft(TaskId.EXIT, strategy=strategy), tests=weak())
    missed = next(n for n, x in enumerate(strategy.splitlines(), 1) if '"action": "BUY"' in x)
    report = replace(samples.report(TaskId.EXIT), missed_lines=(missed,))
    order = ordered(None, TaskId.TESTS, kind=WorkKind.PLAN_TESTS, draft=draft, report=report)
    planned, _ = OfflineWriter().write(order)
    assert planned.kind == "tests_planned" and planned.spec.cases
    order = replace(order, kind=WorkKind.BUILD_TESTS, spec=planned.spec)
    built, usage = OfflineWriter().write(order)
    assert isinstance(built, TestsBuilt) and built.tests.path == f"{HOME}/tests/test_added.py"
    given = WorkResult(order_key="k1", issue=7, correlation_id="corr_7", task_id=TaskId.TESTS,
                       finished_at=0, product=built, usage=usage)  # fmt: skip
    place.out.mkdir()
    (place.out / work.RESULT).write_text(codec.dump(given))
    assert work.main(place.line(order)) == work.DONE
    product = place.product()
    assert isinstance(product, TestsBuilt) and product.tests.precheck == "PASSED"
    assert product.tests.notes[0] == "passed 3 of 3 runs"
    (place.out / work.RESULT).write_text(
        codec.dump(replace(given, product=replace(built, tests=replace(built.tests, tests=weak()))))
    )
    assert work.main(place.line(order)) == work.DONE
    product = place.product()
    assert isinstance(product, TestsBuilt) and product.tests.precheck == "FAILED"
    assert product.tests.notes[0].startswith("it adds nothing")


def test_without_a_draft_nothing_is_measured(place: Place) -> None:
    order = ordered(None, TaskId.TESTS, kind=WorkKind.BUILD_TESTS, spec=samples.spec())
    assert work.main(place.line(order)) == work.DONE
    product = place.product()
    assert isinstance(product, WorkFailed) and "left no result" in product.message
    failed = WorkFailed(failure_class=product.failure_class, message="no model")
    given = WorkResult(order_key="k1", issue=7, correlation_id="corr_7", task_id=TaskId.TESTS,
                       finished_at=0, product=failed, usage=samples.USAGE)  # fmt: skip
    (place.out / work.RESULT).write_text(codec.dump(given))
    assert work.main(place.line(order)) == work.DONE
    assert place.product() == failed
    told = place.result().usage
    assert samples.USAGE.cost and told.seconds >= samples.USAGE.seconds
    assert replace(told, seconds=0.0) == replace(samples.USAGE, seconds=0.0), "the model was paid"


def test_another_order_is_not_paid_for(place: Place) -> None:
    order = ordered(None, TaskId.TESTS, kind=WorkKind.BUILD_TESTS, spec=samples.spec())
    failed = WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no model")
    given = WorkResult(order_key="k2", issue=7, correlation_id="corr_7", task_id=TaskId.TESTS,
                       finished_at=0, product=failed, usage=samples.USAGE)  # fmt: skip
    place.out.mkdir()
    (place.out / work.RESULT).write_text(codec.dump(given))
    assert work.main(place.line(order)) == work.DONE
    assert place.result().usage.cost == 0
