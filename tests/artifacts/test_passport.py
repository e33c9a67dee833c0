"""What is kept of a strategy that passed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot import acts, passport
from bot.pictures import table
from bot.text.report import Place, report_comment
from sandbox.market import known
from schemas import codec
from schemas.acts import File, Publish
from schemas.base import AgentRole, TaskId
from schemas.live import Passport
from schemas.report import TestReport
from schemas.workflow import Step, Task, Workflow
from tests import samples
from tests.artifacts.conftest import Kept
from tests.text import reported

HOME = "strategies/sma_cross"
State = tuple[Path, Workflow, Path]


def test_everything_is_kept_and_the_passport_names_it_all(kept: Kept) -> None:
    paths = [f.path for f in kept.files]
    results = ("trades.csv", "equity_curve.csv", "events.log", "summary.json", "bars.csv",
               "test_report.json", "equity.svg", "months.svg", "price.svg", "spread.svg",
               "stress.svg")  # fmt: skip
    assert paths == [*(f"{HOME}/results/{name}" for name in results), f"{HOME}/passport.json"]
    made = codec.load(Passport, kept.files[-1].text)
    sources = {
        f"{HOME}/{n}"
        for n in ("strategy.py", "test_strategy.py", "strategy.sheet", "contract.json")
    }
    assert {a.path for a in made.files} == {*paths[:-1], *sources}
    assert (made.strategy, made.trials, made.issue) == ("sma_cross", 3, 7)
    assert all(a.size for a in made.files)


def test_it_is_one_commit_that_github_takes(kept: Kept) -> None:
    digest = codec.digest_of("x")
    Publish(branch="b", base="b", digest=digest, files=kept.files, message="m",
            trailers=passport.trailers(kept.workflow, TaskId.EXIT))  # fmt: skip
    assert all(len(f.text.encode()) < 100_000 for f in kept.files if f.path.endswith(".svg"))


def test_the_report_shows_each_picture_that_is_committed_and_no_other(kept: Kept) -> None:
    body = report_comment(reported.delivery(), None, Place("https://github.example/o/r", "e" * 40))
    shown = re.findall(r"/results/([^?)]*)\?raw=true\)", body)
    drawn = [f.path.rsplit("/", 1)[1] for f in kept.files if f.path.endswith(".svg")]
    assert sorted(shown) == sorted(drawn)


def test_the_same_run_gives_the_same_bytes(kept: Kept, left: tuple[File, ...]) -> None:
    assert kept.workflow.report is not None
    sha = kept.workflow.report.commit_sha
    assert passport.result_files(kept.workflow, reversed(left), sha) == kept.files


def test_the_prices_are_those_of_the_bars_that_were_tested(kept: Kept) -> None:
    text = next(f.text for f in kept.files if f.path.endswith("/bars.csv"))
    found, bars = table.bars(text), known("D1")
    assert [b.close for b in found] == list(bars["Close"])
    assert [b.at for b in found] == [at.to_pydatetime() for at in bars.index]


def test_the_report_is_kept_as_it_came(kept: Kept) -> None:
    text = next(f.text for f in kept.files if f.path.endswith("/test_report.json"))
    assert codec.load(TestReport, text) == kept.workflow.report


def test_a_file_that_the_report_does_not_list_is_not_kept(
    tested: State, left: tuple[File, ...]
) -> None:
    _, state, _ = tested
    assert state.report is not None
    forged = replace(left[0], text=left[0].text + "\n")
    other = File(path="conftest.py", text="import os\n")
    files = passport.result_files(state, (forged, *left[1:], other), state.report.commit_sha)
    names = [f.path.rsplit("/", 1)[1] for f in files]
    assert "trades.csv" not in names and "conftest.py" not in names
    assert [name for name in names if name.endswith(".svg")] == ["equity.svg", "months.svg"]


def test_a_report_about_another_commit_is_refused(tested: State) -> None:
    with pytest.raises(ValueError, match="no report about"):
        passport.result_files(tested[1], (), "0" * 40)


def test_what_a_person_pushed_is_listed_by_its_digest_and_not_as_the_agents(
    tested: State, left: tuple[File, ...]
) -> None:
    _, state, _ = tested
    assert state.report is not None and state.draft is not None
    pushed = replace(state, draft=replace(state.draft, strategy="x = 1\n"))
    made = codec.load(
        Passport, passport.result_files(pushed, left, state.report.commit_sha)[-1].text
    )
    strategy = next(a for a in made.files if a.path == f"{HOME}/strategy.py")
    assert (strategy.digest, strategy.size) == (state.report.strategy_digest, None)
    assert made.written_by.agent is AgentRole.HUMAN
    assert "Agent: human/1" in acts.results(pushed, state.report, left).trailers
    assert "Agent: coder/1" in passport.trailers(pushed, TaskId.EXIT)


def test_added_tests_are_listed_only_once_they_are_merged() -> None:
    state = replace(reported.delivery(), generated=samples.generated())
    merged = replace(state, tasks=(Task(id=TaskId.TESTS, step=Step.MERGED),))
    left_out = replace(state, tasks=(Task(id=TaskId.TESTS, step=Step.SKIPPED),))
    path = "strategies/rsi_30_70/tests/test_gap.py"
    assert passport.test_paths(merged)[-1] == path
    assert path not in passport.test_paths(left_out)
    assert merged.report is not None and merged.draft is not None and merged.generated is not None
    digest = codec.digest_of(f"{merged.draft.tests}\0{merged.generated.tests}")
    report = replace(merged.report, tests_digest=digest)
    made = passport.passport(merged, report, ())
    assert path in {a.path for a in made.files}


def test_the_tag_and_the_trailers(tested: State) -> None:
    state, sha = tested[1], "ab" * 20
    made = passport.tag(state, sha)
    assert (made.name, made.sha) == ("artifact/sma_cross/abababababab", sha)
    assert passport.trailers(state, TaskId.EXIT) == (
        "Correlation-Id: corr_7",
        "Workflow: wf_7",
        "Agent: coder/1",
        "Model: offline",
        f"Prompt-Hash: {samples.DIGEST}",
    )
    assert made.message.endswith("\n".join(passport.trailers(state, TaskId.EXIT)))


def test_a_model_with_a_line_break_makes_no_trailer_of_its_own(tested: State) -> None:
    state = tested[1]
    assert state.draft is not None
    evil = replace(state.draft.written_by, model="m\nSigned-off-by: me")
    told = passport.trailers(
        replace(state, draft=replace(state.draft, written_by=evil)), TaskId.EXIT
    )
    assert "Model: m Signed-off-by: me" in told
    assert not any("\n" in line for line in told)
