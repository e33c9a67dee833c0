"""What is kept of a strategy that passed: results, pictures, passport, trailers, tag. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bot.tasks import folder
from schemas import codec
from schemas.acts import File, TagCommit
from schemas.base import AgentRole, Provenance, TaskId
from schemas.live import Passport
from schemas.report import Artifact, TestReport
from schemas.sheet import sheet_of
from schemas.workflow import Step, Workflow

KEPT = ("trades.csv", "equity_curve.csv", "events.log", "summary.json", "bars.csv")
REPORT, PASSPORT = "test_report.json", "passport.json"
SEED = re.compile(r"unseen seed (\d{1,10})\Z")
BY_HAND = Provenance(
    agent=AgentRole.HUMAN, agent_version="1", model="none", prompt_hash=codec.digest_of("")
)


def result_files(workflow: Workflow, tested_files: Iterable[File], sha: str) -> tuple[File, ...]:
    """The files of the results commit. `sha` is the commit that passed as a whole.

    A file that the report does not list with this digest is not kept.
    """
    report = workflow.report
    if report is None or report.commit_sha != sha:
        raise ValueError(f"request {workflow.issue} has no report about {sha}")
    texts = kept(report, tested_files)
    texts |= {REPORT: codec.dump(report)} | dict(_pictures(texts))
    home = results(workflow)
    files = tuple(File(path=f"{home}/{name}", text=text) for name, text in texts.items())
    written = codec.dump(passport(workflow, report, files))
    return (*files, File(path=f"{folder(workflow)}/{PASSPORT}", text=written))


def results(workflow: Workflow) -> str:
    """The folder of the results commit."""
    return f"{folder(workflow)}/results"


def kept(report: TestReport, tested_files: Iterable[File]) -> dict[str, str]:
    """Name -> text of the files that go into it."""
    listed = {(a.path, a.digest) for a in report.artifacts}
    found = {f.path: f.text for f in tested_files if (f.path, codec.digest_of(f.text)) in listed}
    return {name: found[name] for name in KEPT if name in found}


def _pictures(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """A table that cannot be read gives no picture."""
    # The plotting library takes most of a second to load; most events draw nothing.
    from bot.pictures import table
    from bot.pictures.equity import equity
    from bot.pictures.months import months
    from bot.pictures.price import price
    from bot.pictures.spread import spread, stress

    try:
        points = table.points(texts.get("equity_curve.csv", ""))
        yield "equity.svg", equity(points).svg
        yield "months.svg", months(points).svg
        trades = table.trades(texts.get("trades.csv", ""))
        bars = table.bars(texts["bars.csv"]) if "bars.csv" in texts else ()
        yield "price.svg", price(trades, bars).svg
        yield "spread.svg", spread(trades).svg
        yield "stress.svg", stress(trades).svg
    except table.NotReadable:
        return


def passport(workflow: Workflow, report: TestReport, files: Iterable[File]) -> Passport:
    assert workflow.contract is not None  # nosec B101
    made = tuple(_artifact(f.path, f.text) for f in files)
    return Passport(
        strategy=workflow.contract.name,
        workflow_id=workflow.id,
        correlation_id=workflow.correlation_id,
        issue=workflow.issue,
        commit_sha=report.commit_sha,
        contract_digest=codec.digest(workflow.contract),
        report_digest=codec.digest(report),
        files=tuple(sorted((*_sources(workflow, report), *made), key=lambda a: a.path)),
        written_by=written_by(workflow),
        trials=workflow.trials,
    )


def _sources(workflow: Workflow, report: TestReport) -> Iterator[Artifact]:
    """What was tested. Of what a person pushed only the digest is known."""
    strategy = _artifact(f"{folder(workflow)}/strategy.py", _draft(workflow)[0])
    yield _tested(strategy, report.strategy_digest)
    yield _artifact(f"{folder(workflow)}/contract.json", codec.dump(workflow.contract))
    if workflow.contract is not None:
        yield _artifact(f"{folder(workflow)}/strategy.sheet", sheet_of(workflow.contract))
    tests = dict(_tests(workflow))
    if codec.digest_of("\0".join(tests.values())) == report.tests_digest:
        yield from (_artifact(path, text) for path, text in tests.items())
    elif len(tests) == 1:
        yield from (_tested(_artifact(*pair), report.tests_digest) for pair in tests.items())


def _tested(known: Artifact, digest: str) -> Artifact:
    return known if known.digest == digest else Artifact(path=known.path, digest=digest)


def _tests(workflow: Workflow) -> Iterator[tuple[str, str]]:
    """In the order in which they are tested: those that were added come last."""
    yield f"{folder(workflow)}/test_strategy.py", _draft(workflow)[1]
    merged = any(t.id is TaskId.TESTS and t.step is Step.MERGED for t in workflow.tasks)
    if workflow.generated and merged:
        yield workflow.generated.path, workflow.generated.tests


def test_paths(workflow: Workflow) -> tuple[str, ...]:
    return tuple(path for path, _ in _tests(workflow))


def _draft(workflow: Workflow) -> tuple[str, str]:
    return (workflow.draft.strategy, workflow.draft.tests) if workflow.draft else ("", "")


def _artifact(path: str, text: str) -> Artifact:
    return Artifact(path=path, digest=codec.digest_of(text), size=len(text.encode()))


def written_by(workflow: Workflow) -> Provenance:
    """Who wrote the strategy that was tested: the agent, unless a person pushed another one."""
    draft, report = workflow.draft, workflow.report
    if draft is None or report is None:
        return BY_HAND
    same = codec.digest_of(draft.strategy) == report.strategy_digest
    return draft.written_by if same else BY_HAND


def trailers(workflow: Workflow, task: TaskId) -> tuple[str, ...]:
    """For the commit of a draft or of added tests: who wrote it, and for what."""
    written = workflow.generated if task is TaskId.TESTS else workflow.draft
    return origin(workflow, written.written_by if written else BY_HAND)


def result_trailers(workflow: Workflow) -> tuple[str, ...]:
    """For the commit of the results and its tag: who wrote what was tested."""
    return origin(workflow, written_by(workflow))


def origin(about: Workflow | Passport, who: Provenance) -> tuple[str, ...]:
    of = about.id if isinstance(about, Workflow) else about.workflow_id
    return (
        f"Correlation-Id: {about.correlation_id}",
        f"Workflow: {of}",
        f"Agent: {who.agent}/{who.agent_version}",
        f"Model: {' '.join(who.model.split())[:200] or 'none'}",
        f"Prompt-Hash: {who.prompt_hash}",
    )


def tag(workflow: Workflow, sha: str) -> TagCommit:
    """`sha` is the commit that holds the results."""
    said = f"Keep what passed for #{workflow.issue}"
    message = "\n".join([said, "", *result_trailers(workflow)])
    return TagCommit(name=tag_name(workflow, sha), sha=sha, message=message)


def tag_name(workflow: Workflow, sha: str) -> str:
    name = workflow.contract.name if workflow.contract else workflow.id
    return f"artifact/{name}/{sha[:12]}"


def seed_of(report: TestReport) -> str | None:
    """Of the bars that nobody had seen, as the sandbox wrote it down."""
    seed = SEED.search(report.environment)
    return seed[1] if seed else None
