"""The faults that `make mutants` plants, one at a time, and the tests that must notice each."""

from __future__ import annotations

from dataclasses import dataclass


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
        "if before and (why := debugger.rejects(before, draft)):",
        'if before and (why := ""):',
        "tests/test_stories.py",
    ),
    Mutant(
        "a run that proves nothing is the coder's fault",
        "bot/agents/debugger.py",
        'or f.check == "report"',
        "",
        "tests/agents/test_debugger.py",
    ),
    Mutant(
        "repairs never end",
        "bot/reports.py",
        "if task.attempts > task.allowed:",
        "if False:",
        "tests/test_stops.py",
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
        "a state that cannot be read is written",
        "bot/keep.py",
        "if wrong else after",
        "if False else after",
        "tests/test_keep.py",
    ),
    Mutant(
        "any worker answers any order",
        "bot/build.py",
        "    if not fits:\n",
        "    if False:\n",
        "tests/test_keep.py",
    ),
    Mutant(
        "the whole is not tested",
        "bot/wanted.py",
        "            return _delivery_test(workflow)\n",
        "            return None\n",
        "tests/test_whole.py",
    ),
    Mutant(
        "a green check over no test counts",
        "bot/verdict.py",
        "        *_untested(r),\n",
        "",
        "tests/test_whole.py",
    ),
    Mutant(
        "a merge goes to any base",
        "bot/io/github/code.py",
        'if p.state == "open" and p.base.ref == base)',
        'if p.state == "open")',
        "tests/io/test_github_code.py",
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
