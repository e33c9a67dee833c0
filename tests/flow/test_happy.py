"""A request that goes well, from its first word to the closed issue, and what each page shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.flow import bench, heard
from tests.flow.conftest import Made, flow_twin
from tests.flow.test_stops import cancelled
from tests.flow.world import Story, World
from tests.twin import openapi
from tests.twin.desk import TOKENS
from tests.twin.running import Twin
from tests.workflows.files import ROOT

TASKS = ("t1_data", "t2_indicators", "t3_entry", "t4_exit", "t5_tests")


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Twin]:
    """As for all stories, but what the bot says to GitHub is written down."""
    made = flow_twin(tmp_path_factory.mktemp("flow"), pytestconfig)
    made.env["VIRTUAL_ENV"] = str(heard.python(made.data / "heard"))
    with made:
        yield made


@pytest.fixture(scope="module")
def planned(made: Made) -> Story:
    return made().ask().comes_to("planned", "needs-human")


@pytest.fixture(scope="module")
def ready(planned: Story) -> Story:
    """Up to the delivery that waits for a person."""
    said = planned.say("/approve")
    assert "Approved" in planned.answer(said)
    planned.until(lambda: planned.reactions(said), lambda r: set(r) == {"eyes", "rocket"})
    planned.comes_to("delivering", "needs-human")
    planned.world.rest()
    return planned


def test_the_plan_is_shown_and_nothing_is_written(planned: Story) -> None:
    status = planned.status
    assert "The plan is ready" in status and "SPY" in status and "minutes" in status
    assert "specify these, so I assumed" in status and "USD" in status
    assert list(planned.boxes) == list(TASKS)
    assert not any(row.startswith("x") for row in planned.boxes.values())
    assert [b.name for b in planned.world.repo().get_branches()] == ["main"]


def test_each_step_is_a_pull_request_that_passed(ready: Story) -> None:
    assert all(row.startswith("x") and "merged" in row for row in ready.boxes.values()), ready.boxes
    for task in TASKS:
        pull = ready.pull(task)
        assert pull.merged and pull.base.ref == ready.branch("deliver")
        assert f"#{pull.number} " in ready.boxes[task]
        assert f"passed on `{pull.head.sha[:12]}`" in ready.report(pull)
        [check] = ready.world.repo().get_commit(pull.head.sha).get_check_runs()
        assert (check.name, check.conclusion) == ("stratbot report", "success")


def test_the_test_builder_added_tests(ready: Story) -> None:
    pull = ready.pull("t5_tests")
    names = [f.filename for f in pull.get_files() if f.status == "added"]
    assert [n.split("/")[-2:] for n in names] == [["tests", "test_added.py"]], names
    assert "def test_added" in ready.file(names[0], ready.branch("deliver"))


def test_the_delivery_waits_with_its_report(ready: Story) -> None:
    pull = ready.pull("deliver")
    assert pull.state == "open" and pull.base.ref == "main" and "Closes #1" in pull.body
    report = ready.report(pull)
    for words in ("passed on", "#### Figures", "812.5", "equity.svg", "What flatters", "verify"):
        assert words in report, words
    status = ready.world.repo().get_commit(pull.head.sha).get_combined_status()
    assert [(s.context, s.state) for s in status.statuses] == [("stratbot/sandbox", "success")]
    assert f"Delivery: #{pull.number}" in ready.status and "Review and merge" in ready.status


def test_the_results_are_kept_under_a_tag_that_verifies(ready: Story) -> None:
    pull, repo = ready.pull("deliver"), ready.world.repo()
    [tag] = [t for t in repo.get_tags() if t.name.startswith("artifact/")]
    assert tag.commit.sha == pull.head.sha and tag.name.endswith(pull.head.sha[:12])
    names = {f.filename.split("/", 2)[-1] for f in pull.get_files()}
    wanted = {"strategy.py", "contract.json", "passport.json", "results/trades.csv",
              "results/test_report.json", "results/equity.svg", "results/stress.svg",
              "tests/test_added.py"}  # fmt: skip
    assert wanted <= names
    assert "Correlation-Id: corr_1" in repo.get_commit(tag.commit.sha).commit.message
    _verify(ready.world, tag.name)


def _verify(world: World, tag: str) -> None:
    """As a person would, in a clone."""
    clone = world.folder / "clone"
    url = f"{world.desk.twin.url.replace('://', f'://x:{TOKENS}octocat@')}/{world.name}.git"
    subprocess.run(["git", "clone", "--quiet", url, str(clone)], check=True)
    command = [sys.executable, "-m", "bot", "verify", tag]
    done = subprocess.run(
        command, cwd=clone, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_was_asked_twice(ready: Story) -> None:
    runs = [
        r.display_title for r in ready.world.repo().get_workflow("stratbot-work.yml").get_runs()
    ]
    assert len(runs) == len(set(runs)) == 13, runs
    assert len(ready.words()) == 3  # the status, the answer to /approve, and who is waited for


def waiting(world: World) -> list[str]:
    """Runs that GitHub made and that a person would have to approve."""
    runs = world.get("/actions/runs?per_page=100")["workflow_runs"]
    assert len(runs) >= 15
    return [r["path"] for r in runs if "action_required" in (r["status"], r["conclusion"])]


def test_no_run_waits_for_a_click(ready: Story) -> None:
    assert waiting(ready.world) == []


def test_it_asks_no_more_of_github_than_was_promised(ready: Story) -> None:
    found = bench.events(ready.world)
    assert sum(e.requests for e in found) <= bench.WHOLE, bench.show(found, 1)
    assert 0 < bench.answers(found) <= bench.ANSWER


def test_every_exchange_is_as_github_describes_it(ready: Story) -> None:
    found = list(heard.exchanges(ready.world.desk.twin.data / "heard"))
    assert len(found) >= 100
    for sent, got in found:
        openapi.check(sent, got)


def test_the_author_is_called_to_merge_and_no_longer_to_approve(ready: Story) -> None:
    [told] = [w for w in ready.words() if "stratbot:tell=" in w]
    assert told.startswith("<!-- stratbot:tell=delivering/0 -->\n@stranger: The strategy is ready")
    assert f"#{ready.pull('deliver').number}." in told


def test_cancelled_at_the_end_and_retried(ready: Story) -> None:
    before = ready.pull("deliver")
    cancelled(ready)
    ready.answered("/retry")
    ready.comes_to("delivering", "needs-human")
    ready.world.rest()
    after = ready.pull("deliver")
    assert (after.number, after.head.sha) == (before.number, before.head.sha)
    assert f"passed on `{_tested(ready)[:12]}`" in ready.report(after)


def _tested(story: Story) -> str:
    """The commit below the one that carries the results."""
    head = story.world.repo().get_commit(story.pull("deliver").head.sha)
    return head.parents[0].sha


@pytest.fixture(scope="module")
def mended(ready: Story) -> tuple[str, str]:
    """A person breaks the delivery: its commit before, and the broken one. The bot mended it."""
    pull, branch = ready.pull("deliver"), ready.branch("deliver")
    path = next(f.filename for f in pull.get_files() if f.filename.endswith("/strategy.py"))
    first = ready.file(path, branch).splitlines()[0]
    bad = ready.push(path, branch, (first, f"{first}\n# mistake one"))
    ready.until(ready.debug_issues, lambda d: bool(d) and d[0].state == "closed")
    ready.comes_to("delivering", "needs-human")
    ready.world.rest()
    return pull.head.sha, bad


def test_a_delivery_that_a_push_broke_is_mended_on_its_branch(
    ready: Story, mended: tuple[str, str]
) -> None:
    (before, bad), pull = mended, ready.pull("deliver")
    [debug] = ready.debug_issues()
    path = next(f.filename for f in pull.get_files() if f.filename.endswith("/strategy.py"))
    assert "Debug deliver: pytest (mistake_one)" in debug.title and bad[:12] in debug.body
    assert "# mistake" not in ready.file(path, pull.head.ref) and "Review and merge" in ready.status
    statuses = [s.state for s in ready.world.repo().get_commit(bad).get_statuses()]
    assert "failure" in statuses
    assert pull.head.sha not in (before, bad)


@pytest.mark.usefixtures("mended")
def test_its_audit_log_is_true_and_what_it_points_to_opens(ready: Story) -> None:
    lines, head = ready.audit(), ready.pull("deliver").head.sha
    ends = [x for x in lines if x["event_type"] in ("test.passed", "test.failed")]
    told = [(x["task_id"], x["event_type"].removeprefix("test.")) for x in ends]
    whole = [("deliver", "passed"), ("deliver", "failed"), ("deliver", "passed")]
    assert told == [*((task, "passed") for task in TASKS), *whole]
    for end in ends:
        assert end["artifacts"]["test_report"] and end["artifacts"]["logs"], end
        for address in filter(None, end["artifacts"].values()):
            assert ready.opened(address, head), address
    [todo] = [x["branch_todo"] for x in lines if x["event_type"] == "workflow.branch_created"]
    assert todo["target_agent"] == "debugger" and "git archive" in todo["reproduce_command"]
    for address in todo["attachments"]:
        assert ready.opened(address, head), address


def test_a_person_merges_and_the_issue_is_closed_with_a_summary(ready: Story) -> None:
    pull = ready.pull("deliver")
    assert pull.merge().merged
    ready.comes_to("delivered")
    ready.world.rest()
    assert ready.issue().state == "closed" and "The strategy is merged" in ready.status
    [summary] = ready.marked("<!-- stratbot:close=wf_1/request -->")
    assert "Delivered as" in summary and "not tested" not in summary
    home = next(f.filename.rpartition("/")[0] for f in pull.get_files() if "passport" in f.filename)
    assert '"corr_1"' in ready.file(f"{home}/passport.json", "main")
    assert waiting(ready.world) == []
