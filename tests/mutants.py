"""Break one safety line at a time: a suite with power notices. `make mutants` runs it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = [
    "bot", "schemas", "tests", "fixtures", "pyproject.toml",
    "adapters", "simbroker", "sandbox", "strategies",
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """In `file`, `line` becomes `broken`; the named tests must go red."""

    what: str
    file: str
    line: str
    broken: str
    tests: str


MUTANTS = (
    Mutant(
        "acts before the intent is durable",
        "bot/handle.py",
        "    if after != workflow:\n",
        "    if after != workflow and not after.outbox:\n",
        "tests/test_race.py",
    ),
    Mutant(
        "the view is not checked after drawing",
        "bot/handle.py",
        "if store.read(issue)[1] != at:",
        "if False:",
        "tests/test_race.py",
    ),
    Mutant(
        "a lost race is not decided again",
        "bot/handle.py",
        "continue  # somebody else",
        "return store.read(event.issue)[0]  #",
        "tests/test_race.py",
    ),
    Mutant(
        "an event is read twice",
        "bot/handle.py",
        " if e.key not in workflow.seen)",
        ")",
        "tests/test_delivery.py",
    ),
    Mutant(
        "lost events are not looked for",
        "bot/handle.py",
        "found = {e.key: e for e in hub.news(workflow)}",
        "found: dict[str, Event] = {}",
        "tests/test_delivery.py",
    ),
    Mutant(
        "comments are not read in their order",
        "bot/handle.py",
        "return isinstance(event, Tick), event.at, word",
        "return isinstance(event, Tick), -event.at, -word",
        "tests/test_race.py",
    ),
    Mutant(
        "cost is counted twice",
        "bot/decide.py",
        "    if event.receipt in workflow.seen:\n        return workflow\n",
        "",
        "tests/test_stories.py",
    ),
    Mutant(
        "permission is not checked",
        "bot/decide.py",
        "if RANK[call.role] < RANK[cmd.who]:",
        "if False:",
        "tests/test_commands.py",
    ),
    Mutant(
        "the phase is not checked",
        "bot/decide.py",
        "if workflow.phase not in cmd.when:",
        "if False:",
        "tests/test_commands.py",
    ),
    Mutant(
        "an edited comment counts",
        "bot/decide.py",
        "if call.event.edited:",
        "if False:",
        "tests/test_commands.py",
    ),
    Mutant(
        "a quote fires",
        "bot/registry.py",
        "found = WORD.match(body)",
        "found = WORD.search(body)",
        "tests/test_commands.py",
    ),
    Mutant(
        "the bot hears itself",
        "bot/events.py",
        "return number != me.bot_id and",
        "return",
        "tests/test_events.py",
    ),
    Mutant(
        "any bot is heard",
        "bot/events.py",
        '(kind == "User" or number in me.trusted_bots)',
        "True",
        "tests/test_events.py",
    ),
    Mutant(
        "a fork's branch is ours",
        "bot/events.py",
        'if r.text("pull_request.head.repo.full_name") != r.text("repository.full_name"):',
        "if False:",
        "tests/test_events.py",
    ),
    Mutant(
        "a missing check is green",
        "bot/verdict.py",
        "        *_missing(task, r),\n",
        "",
        "tests/test_stories.py",
    ),
    Mutant(
        "a skipped check is green",
        "bot/verdict.py",
        "if check.outcome is Outcome.PASSED and not check.findings:",
        "if check.outcome in (Outcome.PASSED, Outcome.SKIPPED):",
        "tests/test_stories.py",
    ),
    Mutant(
        "a report about another commit counts",
        "bot/verdict.py",
        "if r.commit_sha != head:",
        "if False:",
        "tests/test_stories.py",
    ),
    Mutant(
        "a run without isolation counts",
        "bot/verdict.py",
        "if not r.isolated:",
        "if False:",
        "tests/test_stories.py",
    ),
    Mutant(
        "a repair may change tests",
        "bot/build.py",
        'if order.kind == "repair" and',
        "if False and",
        "tests/test_stories.py",
    ),
    Mutant(
        "repairs never end",
        "bot/reports.py",
        "if task.attempts > task.allowed:",
        "if False:",
        "tests/test_crash.py tests/test_cli.py",
    ),
    Mutant(
        "the same failure is tried again",
        "bot/reports.py",
        "    if seen_before:\n",
        "    if False:\n",
        "tests/test_stories.py",
    ),
    Mutant(
        "a push after the test is merged",
        "bot/build.py",
        "if task.head == sha or",
        "if True or",
        "tests/test_stories.py",
    ),
    Mutant(
        "the cap does not stop",
        "bot/decide.py",
        "spent = workflow.usage.cost >= workflow.policy.max_cost",
        "spent = False",
        "tests/test_stories.py",
    ),
    Mutant(
        "one person is both looks",
        "bot/ship.py",
        "return user_id in workflow.deployments[-1].approver_ids and not workflow.policy.solo",
        "return False",
        "tests/test_commands.py",
    ),
    Mutant(
        "any commit can be approved for live",
        "bot/commands.py",
        "if call.args != (call.workflow.delivered_sha,):",
        "if not call.args:",
        "tests/test_commands.py",
    ),
    Mutant(
        "a push overwrites the state",
        "bot/io/gitref.py",
        'lease = f"--force-with-lease={name}:{expected}"',
        'lease = "--force"',
        "tests/test_gitref.py",
    ),
    Mutant(
        "two equal writers both win",
        "bot/io/gitref.py",
        'writer = f"Writer: {self._name}.{self._writes}"',
        'writer = ""',
        "tests/test_gitref.py",
    ),
    Mutant(
        "no state is taken for a new request",
        "bot/io/gitref.py",
        'raise no(f"git {args[0]} {self.remote}: {done.stderr.strip()[-300:]}")',
        'return ""',
        "tests/test_gitref.py",
    ),
    Mutant(
        "unknown fields are dropped",
        "schemas/base.py",
        '"extra": "forbid"',
        '"extra": "ignore"',
        "tests/test_schemas.py",
    ),
    Mutant(
        "strings become numbers",
        "schemas/base.py",
        '"strict": True',
        '"strict": False',
        "tests/test_schemas.py",
    ),
    Mutant(
        "somebody's words stay alive",
        "bot/text/base.py",
        'kept = "".join(ESCAPES.get(c, c) for c in kept)',
        "pass",
        "tests/test_words.py",
    ),
    Mutant(
        "somebody's words call people",
        "bot/text/base.py",
        "        kept = pattern.sub(safe, kept)\n",
        "        pass\n",
        "tests/test_words.py",
    ),
)


def red(folder: Path, tests: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-n", "2"]
    try:
        done = subprocess.run(
            [*command, *tests.split()], cwd=folder, capture_output=True, timeout=400
        )
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True


def caught(mutant: Mutant, folder: Path) -> bool:
    file = folder / mutant.file
    whole = file.read_text()
    if whole.count(mutant.line) != 1:
        raise SystemExit(f"{mutant.file} has no single line: {mutant.line.strip()}")
    file.write_text(whole.replace(mutant.line, mutant.broken))
    try:
        return red(folder, mutant.tests)
    finally:
        file.write_text(whole)


def copied(folder: Path) -> None:
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part)
        else:
            shutil.copy(source, folder / part)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder, survived = Path(name), 0
        copied(folder)
        if red(folder, " ".join(sorted({t for m in MUTANTS for t in m.tests.split()}))):
            raise SystemExit("the tests are red before anything is broken; mend them first")
        for mutant in MUTANTS:
            alive = not caught(mutant, folder)
            survived += alive
            print(f"{'SURVIVED' if alive else 'caught':<9}{mutant.what}", flush=True)
    print(f"{len(MUTANTS) - survived} of {len(MUTANTS)} planted faults caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
