"""The comment on a pull request: what it says in each state of a request."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bot.text.pulls import delivery_body
from bot.text.report import LIMIT, Place, fitted, report_comment, reproduce
from sandbox.run_in_sandbox import arguments
from schemas.acts import ReportComment
from schemas.base import TaskId
from schemas.report import CheckName
from schemas.workflow import Delivery, Phase, Step, Task
from tests import samples
from tests.text import reported
from tests.text.reported import GREEN, LEAK, OLD, RED, WHOLE

PLACE = Place("https://github.example/o/r", "e" * 40)


def test_a_red_milestone_says_what_to_mend_and_where() -> None:
    body = report_comment(reported.red_milestone(), TaskId.INDICATORS)
    assert body.startswith(f"### ✘ Compute the indicators: not passed on `{RED[:12]}`")
    assert "#12 has the details" in body
    assert "**1. `causality` (`look_ahead`)**" in body
    assert "strategies/rsi&#95;30&#95;70/strategy.py</code>, line 42, bar 311" in body
    assert "Found: bar 311 of known bars: with all bars BUY 1.0" in body
    assert "Fix: use only bars up to the current one" in body
    assert "| `causality`: no look into the future | ✘ failed | 7.2 s | 1: `look_ahead` |" in body
    assert "12 of 13 checks passed in 17.1 s" in body


def test_every_check_has_a_row_with_its_time() -> None:
    body = report_comment(reported.repaired(), TaskId.EXIT)
    for name in CheckName:
        assert body.count(f"| `{name}`: ") == 1, name
    assert "findings" not in body


def test_a_check_that_did_not_run_is_shown_and_is_not_a_pass() -> None:
    whole = reported.delivery()
    assert whole.report is not None
    fewer = replace(whole.report, checks=whole.report.checks[1:])
    body = report_comment(replace(whole, report=fewer), None, PLACE)
    assert "not passed" in body
    assert "| `intake` | – did not run |" in body
    assert "![" not in body


def test_figures_stand_beside_those_of_the_last_run() -> None:
    body = report_comment(reported.repaired(), TaskId.EXIT)
    assert f"| this run | `{RED[:7]}` before | change |" in body
    assert "| net result | +96.71 | -12.00 | +108.71 |" in body
    assert "| trades | 61 | 58 | +3 |" in body
    assert "| win rate | 29.5% | 29.5% | same |" in body
    assert "holding: +6,588.49, more than the strategy" in body
    assert "at twice the costs: +76.31, something is left" in body


def test_a_trader_finds_what_money_alone_does_not_say() -> None:
    state = reported.delivery()
    assert state.report is not None
    runs = (state.runs[0], replace(state.runs[1], summary=reported.FULL))
    body = report_comment(replace(state, runs=runs), None)
    assert "| total return | +0.97% | – | – |" in body
    assert "| longest time below a peak | 412 days | – | – |" in body
    assert "| longest losing streak | 6 | – | – |" in body
    assert "| best trade | +1,250.00 | – | – |" in body
    assert "| worst trade | -61.40 | – | – |" in body
    assert "The strategy was in the market 8.0% of the time." in body
    assert "exposure" not in report_comment(state, None), "an older run knows less"


def test_holding_is_set_beside_the_strategy_by_its_risk_too() -> None:
    state = reported.delivery()
    runs = (state.runs[0], replace(state.runs[1], summary=reported.FULL))
    body = report_comment(replace(state, runs=runs), None)
    rows = [line.split(" | ")[:2] for line in body.splitlines()]
    names = [row[0].removeprefix("| ") for row in rows]
    assert names[names.index("maximum drawdown of the peak") + 1] == "drawdown of holding"
    assert names[names.index("Sharpe") + 1] == "Sharpe of holding"
    assert ["| drawdown of holding", "32.12%"] in rows and ["| Sharpe of holding", "0.75"] in rows
    assert (
        "holding: +6,588.49, more than the strategy, with a Sharpe of 0.75 and a maximum drawdown "
        "of 32.1% of the peak." in body
    )


def test_a_trader_sees_which_exits_earn_and_which_lose() -> None:
    state = reported.delivery()
    runs = (state.runs[0], replace(state.runs[1], summary=reported.FULL))
    body = report_comment(replace(state, runs=runs), None)
    part = body[body.index("#### How trades ended") : body.index("#### Skill")].splitlines()
    assert part[2] == "| how it ended | trades | win rate | net result | average |"
    assert part[4:9] == [
        "| stop | 20 | 0.0% | -210.00 | -10.50 |",
        "| target | 1 | 100.0% | +1,250.00 | +1,250.00 |",
        "| rule: RSI is above 70 | 38 | 44.7% | -942.29 | -24.80 |",
        "| rule: others | 1 | 0.0% | +0.00 | +0.00 |",
        "| end of the data | 1 | 0.0% | -1.00 | -1.00 |",
    ]
    assert "How trades ended" not in report_comment(state, None), "an older run knows less"


def test_every_figure_that_is_shown_is_explained() -> None:
    state = reported.delivery()
    runs = (state.runs[0], replace(state.runs[1], summary=reported.FULL))
    body = report_comment(replace(state, runs=runs), None)
    table = body[body.index("#### Figures") : body.index("#### How trades")]
    names = [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()[4:]]
    fold = body[body.index("<summary>What each figure means") :]
    assert "Sharpe" in names
    for name in (n for n in names if n and not n.startswith("- ")):
        assert f"- **{name}**: " in fold, name
    for told in ("Deflated Sharpe ratio", "Probability of backtest overfitting"):
        assert f"- **{told}**: " in fold


def test_where_nothing_was_traded_no_figure_pretends_to_be_one() -> None:
    none = replace(reported.FIGURES, total_trades=0)
    green = reported.green(TaskId.INDICATORS, GREEN)
    task = Task(id=TaskId.INDICATORS, step=Step.MERGING, head=GREEN, passed_sha=GREEN)
    run = reported.run(TaskId.INDICATORS, GREEN, True, none)
    body = report_comment(reported.state(task, green, run), TaskId.INDICATORS)
    assert "It does not trade yet: that comes in a later step." in body
    assert not any(word in body for word in ("Sharpe", "Trials", "flatters", "net result"))
    whole = report_comment(
        replace(reported.delivery(), runs=(reported.run(None, WHOLE, True, none),)), None
    )
    assert "It made no trade on the known bars" in whole and "`/revise`" in whole


def test_a_step_without_figures_does_not_say_what_flatters_them() -> None:
    task = Task(id=TaskId.DATA, step=Step.MERGING, head=GREEN, passed_sha=GREEN)
    run = reported.run(TaskId.DATA, GREEN, True)
    body = report_comment(
        reported.state(task, reported.green(TaskId.DATA, GREEN), run), TaskId.DATA
    )
    assert "flatters" not in body and "See it on your machine" in body


def test_changes_in_behaviour_are_told() -> None:
    body = report_comment(reported.repaired(), TaskId.EXIT)
    assert "4 trades added, 1 removed, 2 moved, 54 the same.\n- <code>BUY 2020-03-02 added<" in body


def test_older_runs_are_folded_newest_first_and_the_newest_is_not_among_them() -> None:
    body = report_comment(reported.repaired(), TaskId.EXIT)
    fold = body[body.index("<details><summary>2 older runs") :]
    assert fold.index(RED[:12]) < fold.index(OLD[:12])
    assert GREEN[:12] not in fold
    assert "✘ causality, pytest" in fold


def test_runs_of_another_milestone_are_not_older_runs_of_this_one() -> None:
    body = report_comment(reported.delivery(), None)
    assert "older run" not in body
    assert f"`{GREEN[:7]}` before" in body  # but their figures are the last ones


def test_what_flatters_is_said() -> None:
    whole = reported.delivery()
    assert whole.contract is not None and whole.report is not None
    free = replace(whole.contract.costs, commission_per_trade=samples.ZERO, spread=samples.ZERO)
    few = replace(reported.FIGURES, total_trades=3)
    body = report_comment(
        replace(
            whole,
            contract=replace(whole.contract, costs=free),
            runs=(reported.run(None, WHOLE, True, few),),
        ),
        None,
    )
    assert "All costs are zero" in body
    assert body.count("Only 3 trades") == 1
    assert "Trials: 3." in body
    assert "The bars are made" in body
    assert "size: 1 unit (the request names no size)" in body


def test_the_tag_can_be_checked_once_it_is_there() -> None:
    state, kept = reported.delivery(), "e" * 40
    body = report_comment(replace(state, delivery=Delivery(head=kept, results_sha=kept)), None)
    assert f"\n.venv/bin/stratbot verify artifact/rsi_30_70/{'e' * 12}\n" in body
    assert "after `make install`:" in body and "\n.venv/bin/python sandbox/" in body
    assert "Review it, then merge" in body  # our own commit needs no test of its own
    assert "stratbot" not in report_comment(state, None)


def test_cost_and_time_are_told() -> None:
    body = report_comment(reported.delivery(), None)
    assert "0.31 USD of at most 5 USD" in body
    assert "Runs in the sandbox: 2, 0.6 minutes." in body


def test_a_newer_commit_is_named_as_untested() -> None:
    state = reported.repaired()
    moved = replace(state.tasks[0], head="9" * 40, step=Step.TESTING)
    body = report_comment(replace(state, tasks=(moved,)), TaskId.EXIT)
    assert "`999999999999` is in the sandbox now. What follows is about the run before." in body
    assert f"passed on `{GREEN[:12]}`" in body


def test_nothing_is_said_of_a_report_about_something_else() -> None:
    task = Task(id=TaskId.ENTRY, head=OLD, step=Step.TESTING)
    body = report_comment(reported.state(task, reported.green(TaskId.EXIT, GREEN)), TaskId.ENTRY)
    assert "not tested yet" in body
    assert "passed on" not in body


def test_an_older_milestone_keeps_its_end_when_the_report_is_about_a_newer_one() -> None:
    merged = Task(id=TaskId.ENTRY, head=OLD, passed_sha=OLD, step=Step.MERGED)
    state = reported.state(
        merged, reported.green(TaskId.EXIT, GREEN),
        reported.run(TaskId.ENTRY, OLD, True), reported.run(TaskId.EXIT, GREEN, True),
    )  # fmt: skip
    body = report_comment(state, TaskId.ENTRY)
    assert f"✔ Enter positions: passed on `{OLD[:12]}`" in body
    assert "It is merged. #7 says what comes next." in body


def test_who_has_to_act_is_said() -> None:
    red, green = reported.red_milestone(), reported.repaired()
    assert "nothing to do for you" in report_comment(red, TaskId.INDICATORS)
    stuck = replace(red, phase=Phase.ESCALATED)
    assert "`/retry` on #7" in report_comment(stuck, TaskId.INDICATORS)
    by_hand = replace(green, policy=replace(green.policy, auto_merge=False))
    assert "leaves that to a person" in report_comment(by_hand, TaskId.EXIT)
    assert "Review it, then merge" in report_comment(reported.delivery(), None)
    failed = replace(
        reported.delivery(), delivery=Delivery(head=WHOLE, failed_sha=WHOLE),
        runs=(reported.run(None, WHOLE, False),),
    )  # fmt: skip
    assert "I am at it" in report_comment(failed, None)
    stopped = report_comment(replace(failed, phase=Phase.ESCALATED), None)
    assert "A person is needed" in stopped and "`/debug` with a hint" in stopped


def test_the_commands_run_as_they_are_written(tmp_path: Path) -> None:
    """In a real repository; the sandbox's own parser takes the last one."""
    state = reported.delivery()
    assert state.report is not None
    git, clone = tmp_path / "origin", tmp_path / "clone"
    home = git / "strategies/rsi_30_70"
    home.mkdir(parents=True)
    (home / "strategy.py").write_text("x = 1\n")
    _sh(git, "git init -q -b ai/generated/wf_7/deliver . && git add . && "
        "git -c user.name=t -c user.email=t@t commit -qm one")  # fmt: skip
    sha = _sh(git, "git rev-parse HEAD").strip()
    _sh(tmp_path, f"git init -q -b main {clone} && git -C {clone} remote add origin {git}")
    lines = reproduce(state, None, replace(state.report, commit_sha=sha))
    _sh(clone, "\n".join(lines[:2]))
    assert (clone / "check/strategies/rsi_30_70/strategy.py").read_text() == "x = 1\n"
    args = arguments().parse_args(shlex.split(lines[2].replace("\\\n", ""))[2:])
    assert (args.seed, args.commit, args.task) == (4711, sha, TaskId.EXIT)
    assert str(args.contract) == "check/strategies/rsi_30_70/contract.json"


def _sh(where: Path, command: str) -> str:
    done = subprocess.run(
        ["sh", "-ec", command], cwd=where, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_added_tests_are_run_again_too() -> None:
    state = reported.delivery()
    assert state.report is not None
    merged = (Task(id=TaskId.TESTS, step=Step.MERGED),)
    added = replace(state, generated=samples.generated(), tasks=merged)
    line = reproduce(added, None, state.report)[2].replace("\\\n", "")
    args = arguments().parse_args(shlex.split(line)[2:])
    assert [path.name for path in args.tests] == ["test_strategy.py", "test_gap.py"]


def test_a_run_without_a_container_is_called_weaker() -> None:
    state = reported.delivery()
    assert state.report is not None
    bare = replace(state, report=replace(state.report, isolated=False))
    assert "not isolated" in report_comment(bare, None)
    allowed = replace(bare, policy=replace(bare.policy, unisolated=True))
    assert "✔ The whole strategy: passed" in report_comment(allowed, None)
    assert "It ran without a container" in report_comment(allowed, None)


def test_a_seed_that_is_no_number_is_left_out() -> None:
    state = reported.delivery()
    assert state.report is not None
    evil = replace(state.report, environment="unseen seed 1; rm -rf /")
    assert "--seed" not in "\n".join(reproduce(state, None, evil))


@pytest.mark.parametrize("letter", ["a", "<", "|", "@", "\u200b", "\n"])
def test_it_is_never_too_long_and_the_newest_stays(letter: str) -> None:
    big = replace(LEAK, message=letter * 8000, fix=letter * 500, trace=letter * 8000)
    state = reported.red_milestone(*[big] * 50)
    runs = tuple(
        replace(r, failed=(letter * 500,) * 20)
        for r in [reported.run(TaskId.INDICATORS, OLD, False)] * 59
    )
    said = replace(reported.ENDINGS[2], reason=letter * 80)
    told = replace(state.runs[0], summary=replace(reported.FULL, endings=(said,) * 12))
    body = report_comment(replace(state, runs=(*runs, told)), TaskId.INDICATORS)
    assert len(body) <= LIMIT
    assert "#### How trades ended" in body
    assert body.startswith("### ✘ Compute the indicators")
    assert body.count("<details>") == body.count("</details>")
    ReportComment(version=1, number=1, body=body)


def test_parts_that_do_not_fit_are_counted() -> None:
    assert fitted(["a" * 10, "b" * 500, "c"], 200) == (
        "aaaaaaaaaa\n\nc\n\nToo long to show: 1 parts. Run it on your machine: `results/` has all."
    )


def test_a_delivery_says_what_it_does_and_promises_nothing() -> None:
    body = delivery_body(reported.delivery())
    assert "What it does:\n\n```\nsymbol " in body and "Closes #7." in body
    assert "What happens next" not in body and "minutes" not in body
