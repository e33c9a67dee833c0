"""The one comment on a pull request: what its tests found, newest first, older runs folded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from bot import verdict
from bot.passport import seed_of, tag_name, test_paths
from bot.pictures import words
from bot.tasks import folder, task_branch, whole
from bot.text.base import TITLES
from bot.text.endings import ended
from bot.text.figures import changed, figures, flatters, no_trades
from bot.text.findings import blocks, checks_table, literal
from bot.text.luck import beside, skill
from bot.text.measures import glossary
from bot.text.replies import cost
from schemas.base import TaskId
from schemas.report import Summary, TestReport
from schemas.work import SANDBOX_SECONDS
from schemas.workflow import Phase, Run, Step, Task, Workflow

LIMIT = 58_000
"""Below what GitHub takes and what a document may hold."""
OLDER = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where the committed results are, for pictures: `sha` is the commit that holds them."""

    home: str
    sha: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known about the tests of one pull request."""

    head: str | None
    report: TestReport | None
    failures: tuple[verdict.Failure, ...]
    run: Run | None
    before: Run | None
    older: tuple[Run, ...]

    @property
    def passed(self) -> bool:
        return self.run is not None and self.run.passed and not self.failures

    @property
    def sha(self) -> str:
        """The commit that the newest run was about."""
        return self.run.sha if self.run else ""


def look(workflow: Workflow, where: TaskId | None) -> Seen:
    """The newest report is about the newest run; of older ones only their runs are left."""
    task = next((t for t in workflow.tasks if t.id == where), None)
    spot = task if where is not None else workflow.delivery
    mine = [n for n, run in enumerate(workflow.runs) if run.task == where]
    newest = mine[-1] if mine else None
    run = workflow.runs[newest] if newest is not None else None
    report = workflow.report if run and newest == len(workflow.runs) - 1 else None
    earlier = workflow.runs[:newest]
    return Seen(
        head=spot.head if spot else None,
        report=report,
        failures=_failures(workflow, run, report) if run and report else (),
        run=run,
        before=next((r for r in reversed(earlier) if r.summary), None),
        older=tuple(r for r in reversed(earlier) if r.task == where),
    )


def _failures(workflow: Workflow, run: Run, report: TestReport) -> tuple[verdict.Failure, ...]:
    return verdict.of(workflow, run.task, run.sha, report)


def report_comment(workflow: Workflow, where: TaskId | None, place: Place | None = None) -> str:
    """`where` is a milestone, or None for the delivery; `place` once its results are committed."""
    seen = look(workflow, where)
    parts = [_headline(seen, where), _next(workflow, where, seen)]
    summary = seen.run.summary if seen.run else None
    if where is None and place and seen.passed:
        parts += _pictures(workflow, place, summary)
    if seen.report:
        parts += _found(workflow, seen, seen.report)
    if summary and not summary.total_trades:
        parts += ["#### Figures", no_trades(where)]
    elif summary:
        parts += ["#### Figures", figures(summary, seen.before)]
        parts += ["#### How trades ended", ended(summary)] if summary.endings else []
        parts += ["#### Skill or luck", skill(workflow, summary), glossary()]
    if summary and where is None and workflow.opened:
        parts += ["#### Known bars and sealed bars", beside(summary, seen.sha, workflow.opened)]
    if seen.report and seen.report.changes:
        parts += ["#### What it does differently", changed(seen.report.changes)]
    if seen.report and summary and summary.total_trades:
        parts += ["#### What flatters these figures", flatters(workflow, seen.report)]
    if seen.report:
        parts += ["#### See it on your machine", _again(workflow, where, seen.report)]
    parts += [_spent(workflow), *_older(seen.older)]
    return fitted(parts)


def fitted(parts: list[str], limit: int = LIMIT) -> str:
    """Whole parts as long as they fit, the first ones first; then how many are missing."""
    kept: list[str] = []
    room = limit - 100
    for part in parts:
        if len(part) + 2 <= room:
            kept.append(part)
            room -= len(part) + 2
    left = len(parts) - len(kept)
    more = (
        [f"Too long to show: {left} parts. Run it on your machine: `results/` has all."]
        if left
        else []
    )
    return "\n\n".join([*kept, *more])


def _headline(seen: Seen, where: TaskId | None) -> str:
    what = TITLES[where] if where else "The whole strategy"
    if not seen.sha:
        return f"### … {what}: not tested yet"
    if seen.passed:
        return f"### ✔ {what}: passed on `{seen.sha[:12]}`"
    return f"### ✘ {what}: not passed on `{seen.sha[:12]}`"


def _next(workflow: Workflow, where: TaskId | None, seen: Seen) -> str:
    task = next((t for t in workflow.tasks if t.id == where), None)
    known = (None, seen.sha, workflow.delivery.results_sha)
    if seen.head not in known and not (task and task.step is Step.MERGED):
        now = f"`{seen.head[:12]}` is in the sandbox now. "
        return now + ("What follows is about the run before." if seen.sha else "Wait for it.")
    if seen.passed:
        return _after_green(workflow, task)
    if not seen.sha:
        return "There is no commit to test yet. The request says what comes next."
    return _after_red(workflow, task)


def _after_green(workflow: Workflow, task: Task | None) -> str:
    if task is None:
        return "Review it, then merge. Merging sends no orders."
    if task.step is Step.MERGED:
        return f"It is merged. #{workflow.issue} says what comes next."
    if workflow.policy.auto_merge:
        return "I merge it; there is nothing to do for you."
    return "Review it, then merge: this repository leaves that to a person."


def _after_red(workflow: Workflow, task: Task | None) -> str:
    if workflow.phase is Phase.ESCALATED:
        return (
            "A person is needed. Push a repair to this branch, "
            f"or type `/debug` with a hint or `/retry` on #{workflow.issue}."
        )
    if workflow.phase is Phase.OPENED:
        return (
            f"It needs a new plan. #{workflow.issue} shows it soon and waits for your `/approve`."
        )
    task = task or whole(workflow)
    debug = f" #{task.debug_issue} has the details." if task.debug_issue else ""
    return f"I am at it; there is nothing to do for you.{debug}"


def _pictures(workflow: Workflow, place: Place, summary: Summary | None) -> list[str]:
    """The first two are open; the others unfold, and are left out where nothing was traded."""
    home = f"{place.home}/blob/{place.sha}/{folder(workflow)}/results"
    if summary is None:
        return []
    trades = summary.total_trades
    first = {
        "equity.svg": words.equity(summary.net_pnl, summary.max_drawdown),
        "price.svg": words.price(min(trades, words.MOST_TRADES), trades),
    }
    shown = [f"![{alt}]({home}/{name}?raw=true)" for name, alt in first.items()]
    more = [f"![{alt}]({home}/{name}?raw=true)" for name, alt in _more(summary).items()]
    folded = ["<details><summary>More pictures</summary>", *more, "</details>"]
    return [*shown, "\n\n".join(folded)] if trades else shown


def _more(summary: Summary) -> dict[str, str]:
    winners = round(summary.win_rate * summary.total_trades)
    return {
        "months.svg": words.MONTHS,
        "spread.svg": words.spread(summary.total_trades, winners),
        "stress.svg": words.stress(summary.net_pnl, summary.net_pnl_at_double_costs),
    }


def _found(workflow: Workflow, seen: Seen, report: TestReport) -> list[str]:
    table = checks_table(report, seen.failures)
    good = sum(c.outcome == "passed" and not c.findings for c in report.checks)
    count = f"{good} of {len(report.checks)} checks passed in {report.seconds:.1f} s"
    if not seen.failures:
        return [f"<details><summary>{count}</summary>\n\n{table}\n\n</details>"]
    return ["#### What to mend", *blocks(workflow, seen.failures), f"#### {count}", table]


def reproduce(workflow: Workflow, where: TaskId | None, report: TestReport) -> list[str]:
    """The commands that show what this report says."""
    return _run_again(workflow, where, report.commit_sha, seed_of(report))


def _run_again(workflow: Workflow, where: TaskId | None, sha: str, seed: str | None) -> list[str]:
    """From the root of a checkout of the default branch: its sandbox, the submission's files."""
    home = folder(workflow)
    whole = where in (None, TaskId.DELIVERY)
    branch = task_branch(workflow, where or TaskId.DELIVERY)
    added = (workflow.generated,) if where is TaskId.TESTS and workflow.generated else ()
    tests = (*test_paths(workflow), *(tests.path for tests in added))
    options = [
        f"--strategy check/{home}/strategy.py",
        f"--tests {' '.join(f'check/{path}' for path in tests)}",
        f"--contract check/{home}/contract.json",
        f"--task {TaskId.EXIT if whole else where} --commit {sha}",
        *([f"--seed {seed}"] if seed else []),
        *_limits(workflow, None if whole else where),
        "--out results",
    ]
    return [
        f"git fetch origin {branch}",
        f"mkdir -p check && git archive {sha} {home} | tar -x -C check",
        " \\\n  ".join([".venv/bin/python sandbox/run_in_sandbox.py", *options]),
    ]


def _limits(workflow: Workflow, where: TaskId | None) -> list[str]:
    """Of this request, where they are not what the sandbox takes by itself."""
    seconds = workflow.policy.sandbox_timeout
    found = [f"--timeout {seconds}"] if seconds != SANDBOX_SECONDS else []
    if where in (None, TaskId.TESTS):
        found.append(f"--min-line-cov {verdict.floor(workflow):g}")
    return found


def see_again(workflow: Workflow, task: Task) -> list[str]:
    """The commands that show the newest failure of a task; empty where it has no commit."""
    if task.head is None:
        return []
    newest = workflow.report
    about = newest is not None and newest.commit_sha == task.head
    seed = seed_of(newest) if newest and about else None
    return _run_again(workflow, task.id, task.head, seed)


def _again(workflow: Workflow, where: TaskId | None, report: TestReport) -> str:
    rows, results = reproduce(workflow, where, report), workflow.delivery.results_sha
    if where is None and results:
        tag = tag_name(workflow, results)
        rows += [f"git fetch origin tag {tag}", f".venv/bin/stratbot verify {tag}"]
        rows += [f".venv/bin/stratbot reproduce {tag}"]
    told = "\n".join(rows)
    place = f"In a checkout of `{workflow.policy.default_branch}`, after `make install`"
    return f"{place}:\n\n```sh\n{told}\n```"


def _spent(workflow: Workflow) -> str:
    tested = sum(r.seconds for r in workflow.runs)
    runs = f" Runs in the sandbox: {len(workflow.runs)}, {tested / 60:.1f} minutes."
    return f"<sub>{cost(workflow)}{runs if workflow.runs else ''}</sub>"


def _older(runs: tuple[Run, ...]) -> list[str]:
    if not runs:
        return []
    rows = ["| commit | when (UTC) | outcome | trades | net | time |", "|---|---|---|--:|--:|--:|"]
    rows += [_row(r) for r in runs[:OLDER]]
    more = f"\n\n… and {len(runs) - OLDER} before these." if len(runs) > OLDER else ""
    table = "\n".join(rows)
    count = f"{len(runs)} older run{'s' if len(runs) > 1 else ''}"
    return [f"<details><summary>{count}</summary>\n\n{table}{more}\n\n</details>"]


def _row(run: Run) -> str:
    at = datetime.fromtimestamp(min(run.at, 2**36), UTC).strftime("%Y-%m-%d %H:%M")
    bad = ", ".join(literal(name, 60) for name in run.failed)
    end = "✔ passed" if run.passed else f"✘ {bad or 'not passed'}"
    s = run.summary
    trades, net = (str(s.total_trades), words.money(s.net_pnl)) if s else ("–", "–")
    return f"| `{run.sha[:12]}` | {at} | {end} | {trades} | {net} | {run.seconds:.1f} s |"
