"""Checks and what they found, as rows and blocks of markdown. Everything from a run is inert."""

from __future__ import annotations

import unicodedata

from bot.tasks import folder
from bot.text.base import GAP, inert, inert_line
from bot.verdict import Failure
from schemas.report import Check, CheckName, Finding, Outcome, TestReport
from schemas.workflow import Workflow

MEANS: dict[CheckName, str] = {
    CheckName.INTAKE: "only what a strategy may use",
    CheckName.FLAKE8: "style",
    CheckName.BANDIT: "known dangers",
    CheckName.MYPY: "types",
    CheckName.BACKTEST: "runs on the known bars",
    CheckName.ACCEPTANCE: "does what the contract says",
    CheckName.PYTEST: "its own tests",
    CheckName.MUTANTS: "its tests notice a broken strategy",
    CheckName.DETERMINISM: "the same twice",
    CheckName.CAUSALITY: "no look into the future",
    CheckName.UNSEEN: "holds on bars that nobody has seen",
    CheckName.SECRETS: "no secrets in the files",
    CheckName.ARTIFACTS: "results are whole",
}
MARKS = {
    Outcome.PASSED: "✔ passed",
    Outcome.FAILED: "✘ failed",
    Outcome.ERROR: "⚠ could not run",
    Outcome.SKIPPED: "– skipped",
}
FILES = ("strategy.py", "test_strategy.py", "contract.json", "tests/test_added.py")
MOST, MOST_TRACES = 20, 5
PLAIN = {c: f"&#{ord(c)};" for c in "*_~$"}


def literal(words: str, limit: int = 500) -> str:
    """Somebody's words on one line, letter by letter: no emphasis, no formula."""
    return "".join(PLAIN.get(c, c) for c in inert_line(words, limit))


def unmarked(words: str, limit: int) -> str:
    """For places that show text as it is, without markdown: no hidden letters, no mention."""
    seen = (c for c in words[: limit * 2] if c == "\n" or unicodedata.category(c)[0] != "C")
    return "".join(seen).replace("@", f"@{GAP}")[:limit]


def path(workflow: Workflow, file: str) -> str | None:
    """Where a file of the submission is in the repository; None for any other name."""
    return f"{folder(workflow)}/{file}" if file in FILES else None


def checks_table(report: TestReport, failures: tuple[Failure, ...]) -> str:
    missing = [f.check for f in failures if f.rule == "missing"]
    found = any(check.findings for check in report.checks)
    rows = [["check", "outcome", "time", "findings"], ["---", "---", "--:", "---"]]
    rows += [_row(check) for check in report.checks]
    rows += [[f"`{name}`", "– did not run", "", ""] for name in missing]
    return "\n".join(f"| {' | '.join(row if found else row[:3])} |" for row in rows)


def _row(check: Check) -> list[str]:
    rules = sorted({f.rule for f in check.findings})
    told = ", ".join(f"`{rule}`" for rule in rules[:5])
    count = f"{len(check.findings)}: {told}" if rules else ""
    means = f"`{check.name}`: {MEANS[check.name]}"
    return [means, MARKS[check.outcome], f"{check.seconds:.1f} s", count]


def blocks(workflow: Workflow, failures: tuple[Failure, ...]) -> list[str]:
    """One per reason, the cause first."""
    shown = [_block(workflow, n, f) for n, f in enumerate(failures[:MOST], 1)]
    more = len(failures) - MOST
    return (
        [*shown, f"… and {more} more: a run on your machine writes all into `results/`."]
        if more > 0
        else shown
    )


def _block(workflow: Workflow, number: int, failure: Failure) -> str:
    found = failure.finding
    head = f"**{number}. `{failure.check}` (`{failure.rule}`)**"
    if found is None:
        return f"{head}  \nFound: {literal(failure.message, 600)}"
    rows = [head + _place(workflow, found), f"Found: {literal(failure.message, 600)}"]
    rows += [f"Fix: {literal(found.fix)}"] if found.fix else []
    block = "  \n".join(rows)
    if not found.trace or number > MOST_TRACES:
        return block
    trace = inert(found.trace[-1500:], 1500)
    return f"{block}\n\n<details><summary>Trace</summary>\n\n<pre>\n{trace}\n</pre>\n\n</details>"


def _place(workflow: Workflow, found: Finding) -> str:
    file = path(workflow, found.file) or found.file
    parts = [f"<code>{literal(file, 200)}</code>"] if file else []
    parts += [f"line {found.line}"] if found.line else []
    parts += [f"bar {found.bar}"] if found.bar is not None else []
    parts += [f"test <code>{literal(found.test_name, 200)}</code>"] if found.test_name else []
    return " at " + ", ".join(parts) if parts else ""
