"""A strategy that was really tested, its results in a real git repository, tagged."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot import passport
from sandbox.engine import ProcessEngine
from sandbox.lifecycle import run as ledger
from sandbox.pipeline import About, run
from sandbox.submission import Submission
from schemas import codec
from schemas.acts import File
from schemas.base import AgentRole, Provenance, TaskId
from schemas.contract import Contract
from schemas.sheet import sheet_of
from schemas.work import StrategyDraft
from schemas.workflow import Workflow
from tests import samples

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "strategies" / "sma_cross"
WRITER = Provenance(
    agent=AgentRole.CODER, agent_version="1", model="offline", prompt_hash=samples.DIGEST
)


def git(repo: Path, *words: str) -> str:
    named = ("-c", "user.name=t", "-c", "user.email=t@t.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(repo), *named, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def put(repo: Path, files: dict[str, str], message: str) -> str:
    for path, text in files.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)
    git(repo, "add", "--all")
    git(repo, "commit", "-q", "-m", message)
    return git(repo, "rev-parse", "HEAD")


@dataclass(frozen=True)
class Kept:
    repo: Path
    workflow: Workflow
    files: tuple[File, ...]
    tag: str

    @property
    def home(self) -> str:
        return "strategies/sma_cross"


@pytest.fixture(scope="session")
def tested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Workflow, Path]:
    """The repository with the strategy, the state after its test, the results."""
    base = tmp_path_factory.mktemp("kept")
    names = ("strategy.py", "test_strategy.py", "contract.json")
    contract = codec.load(Contract, (EXAMPLE / "contract.json").read_bytes())
    texts = {name: (EXAMPLE / name).read_text() for name in names}
    texts["contract.json"] = codec.dump(contract)
    texts["strategy.sheet"] = sheet_of(contract)
    (base / "repo").mkdir()
    git(base / "repo", "init", "-q", "-b", "main")
    files = {f"strategies/sma_cross/{name}": text for name, text in texts.items()}
    sha = put(base / "repo", files, "A strategy")
    paths = [base / "repo" / path for path in files]
    about = About(TaskId.EXIT, sha, "corr_7", "wf_7")
    with ledger(base / "results") as book:
        report = run(Submission(paths[0], (paths[1],), paths[2]), base / "results",
                     ProcessEngine(book), seed=4711, about=about)  # fmt: skip
        book.finish("passed")
    draft = StrategyDraft(
        correlation_id="corr_7", workflow_id="wf_7", task_id=TaskId.EXIT,
        contract_digest=codec.digest(contract), strategy=texts["strategy.py"],
        tests=texts["test_strategy.py"], written_by=WRITER, usage=samples.USAGE,
    )  # fmt: skip
    state = Workflow(
        issue=7, contract=contract, contract_digest=codec.digest(contract), report=report,
        draft=draft, trials=3,
    )  # fmt: skip
    return base / "repo", state, base / "results"


@pytest.fixture
def left(tested: tuple[Path, Workflow, Path]) -> tuple[File, ...]:
    """What the run left behind, as it comes back from the job."""
    _, state, results = tested
    assert state.report is not None
    names = [a.path for a in state.report.artifacts]
    return tuple(File(path=n, text=(results / n).read_text()) for n in names)


@pytest.fixture
def kept(tested: tuple[Path, Workflow, Path], left: tuple[File, ...], tmp_path: Path) -> Kept:
    origin, state, _ = tested
    repo = tmp_path / "repo"
    git(tmp_path, "clone", "-q", str(origin), str(repo))
    assert state.report is not None
    files = passport.result_files(state, left, state.report.commit_sha)
    told = "\n".join(["Results", "", *passport.result_trailers(state)])
    sha = put(repo, {f.path: f.text for f in files}, told)
    return Kept(repo, replace(state), files, tagged(repo, state, sha))


def tagged(repo: Path, state: Workflow, sha: str) -> str:
    act = passport.tag(state, sha)
    git(repo, "tag", "-a", act.name, "-m", act.message, act.sha)
    return act.name
