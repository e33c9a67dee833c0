"""Who may import whom. Change the table in review, not by accident."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"schemas", "bot", "adapters", "strategies", "simbroker", "sandbox", "tests"}

# folder -> (what of ours, what of others). The longest matching folder or file decides.
MAY: dict[str, tuple[set[str], set[str]]] = {
    "schemas": ({"schemas"}, {"pydantic", "annotated_types", "jsonschema"}),
    # The text form of a contract: a grammar, its meaning, and the way back to text.
    "schemas/sheet": ({"schemas"}, {"lark", "rapidfuzz"}),
    "bot": ({"bot", "schemas"}, set()),
    "bot/reading": ({"bot.reading", "schemas"}, {"rapidfuzz", "spellchecker"}),
    # Figures only: what a run left behind, parsed, to SVG text.
    "bot/pictures": ({"bot.pictures", "schemas"}, {"matplotlib"}),
    # Formulas only, without a broker: what luck explains is worked out in one place.
    "bot/text/luck.py": ({"bot", "schemas", "simbroker.folds", "simbroker.luck"}, set()),
    "bot/text/measures.py": ({"schemas", "simbroker.luck"}, set()),
    # Files in, pages out: figures and words are the core's, drawing is the browser's.
    "bot/pages": (
        {"bot.agents.words", "bot.metrics", "bot.pages", "bot.pictures", "bot.tasks", "bot.text"}
        | {"schemas"},
        {"jinja2", "markupsafe"},
    ),
    # Commands of their own, each loaded when it is called.
    "bot/cli": ({"bot", "schemas"}, {"click", "tenacity"}),
    "bot/cli/openmetrics.py": ({"bot.metrics"}, {"prometheus_client"}),
    "bot/__main__.py": ({"bot", "schemas"}, {"click"}),
    "bot/io": ({"bot.io.clock", "bot.ports", "schemas"}, {"docker"}),
    # What is in a tag is judged by the core; this only fetches it.
    "bot/io/artifacts.py": ({"bot.artifact", "bot.passport", "bot.ports", "schemas"}, set()),
    # What a clone holds, as the pages want it.
    "bot/io/shelf.py": ({"bot.pages.site"}, set()),
    "bot/io/github": (
        {
            "bot.byhand",
            "bot.checkup",
            "bot.events",
            "bot.payloads",
            "bot.engine",
            "bot.gate",
            "bot.why",
            "bot.io.clock",
            "bot.io.github",
            "bot.ports",
            "bot.reader",
            "bot.second_look",
            "bot.text.billing",
            "bot.text.gate",
            "bot.wanted",
            "schemas",
        },
        {"github", "github3", "requests", "ruamel", "urllib3"},
    ),
    # No outside at all: it is the embedded default of the writer's port.
    "bot/io/offline.py": (
        {"bot.agents", "bot.ports", "bot.reading", "bot.tasks", "schemas"},
        set(),
    ),
    # A model's answers are held to the same rules as those of the writer without a model.
    "bot/io/llm": (
        {"bot.agents", "bot.io.clock", "bot.io.llm", "bot.ports", "bot.tasks", "schemas"},
        {"httpx2", "openai", "tenacity", "unidiff"},
    ),
    # A person at the keyboard: it meets the bot only through the local GitHub.
    "bot/demo": ({"bot.demo"}, {"click", "github", "requests"}),
    "bot/twin": (
        {"bot.twin", "schemas"},
        {
            "httptools",
            "markdown_it",
            "nacl",
            "pathspec",
            "pygit2",
            "requests",
            "ruamel",
            "werkzeug",
        },
    ),
    "bot/twin/pages": (
        {"bot.twin"},
        {"jinja2", "markdown_it", "markupsafe", "mdit_py_plugins", "nh3", "ruamel"},
    ),
    # The live side on the owner's machine: no strategy, no GitHub.
    "bot/live": ({"bot.engine", "bot.live", "schemas"}, {"cryptography", "pydantic"}),
    # Compares a strategy with what the generator writes, and runs nothing of it.
    "bot/live/generated.py": ({"bot.agents", "bot.live", "schemas"}, set()),
    "bot/live/secrets.py": ({"bot.live"}, {"boto3", "hvac"}),
    "bot/live/cli.py": (
        {"bot.cli.front", "bot.live", "bot.ports", "bot.text", "schemas"},
        {"click", "filelock"},
    ),
    "adapters": ({"adapters"}, {"pandas", "numpy"}),
    # The process that trades: it loads the strategy, so it is no part of the bot. It asks the bot's
    # gate and guards, and books on paper with the backtest's own rules.
    "adapters/live": (
        {"adapters", "bot.live", "bot.text.live", "schemas", "simbroker"},
        {"filelock", "numpy", "pandas"},
    ),
    "adapters/live/ibkr.py": ({"adapters"}, {"ib_async"}),
    "adapters/live/order_states.py": ({"adapters"}, {"ib_async"}),
    "adapters/live/tws.py": ({"adapters"}, {"ib_async"}),
    "adapters/live/mt5.py": ({"adapters"}, set()),
    "adapters/live/setup.py": (
        {"adapters", "bot.live", "bot.text.live", "schemas"},
        {"MetaTrader5"},
    ),
    "adapters/simbroker_adapter.py": ({"adapters", "simbroker"}, {"pandas", "numpy"}),
    "simbroker": ({"simbroker"}, {"pandas", "numpy"}),
    "strategies": (
        {"adapters.base_adapter", "strategies.template"},
        {"pandas", "numpy"},
    ),
    # Put into strategies as text. Nothing that judges a strategy may use them.
    "strategies/pieces": ({"adapters.base_adapter", "strategies.pieces"}, {"pandas", "numpy"}),
    # The template is ours, not generated: its command line and its loop need the broker itself.
    "strategies/template.py": ({"adapters", "simbroker"}, {"pandas", "numpy"}),
    # The command prints the verdict, so that nobody has to work it out again.
    "sandbox/run_in_sandbox.py": ({"bot.verdict", "sandbox", "schemas"}, {"click"}),
    # What its tests lack is planned and written by the agents that need no model.
    "sandbox/improve.py": ({"bot.agents", "sandbox", "schemas"}, set()),
    # The paper run is a live run without orders: its runner, its books, its guards.
    "sandbox/paper.py": ({"adapters", "bot.live", "sandbox", "schemas", "simbroker"}, {"pandas"}),
    # The diff of a test builder, with a model or without.
    "sandbox/diff.py": ({"schemas"}, {"unidiff"}),
    # These run inside the container, beside the strategy.
    "sandbox/worker.py": (
        {"adapters", "sandbox", "simbroker", "strategies.template"},
        {"pandas", "numpy"},
    ),
    "sandbox/own_tests.py": ({"adapters"}, {"coverage", "pandas", "pytest"}),
    "sandbox/trials.py": ({"sandbox.own_tests"}, set()),
    # Every indicator a second time, to judge the first: it shares nothing with what it judges.
    "sandbox/oracle": ({"sandbox.oracle"}, {"pandas", "numpy"}),
    "sandbox": (
        {"adapters", "sandbox", "schemas", "simbroker"},
        {"pandas", "numpy", "docker"},
    ),
}
NOT_IN_CORE = {"bot.cli", "bot.io", "bot.pages", "bot.twin", "bot.demo", "bot.__main__"}
IMPURE_FILES = {"__main__", "handle", "sweep", "ports", "save"} | {
    "audit", "cli", "launch", "machine", "redact", "repository", "secrets", "watch"
}  # fmt: skip
PURE = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (
        "bot",
        "bot/agents",
        "bot/live",
        "bot/pages",
        "bot/pictures",
        "bot/reading/**",
        "bot/text",
        "sandbox/oracle",
        "simbroker",
        "strategies/pieces",
    )
    for path in ROOT.glob(f"{folder}/*.py")
    if path.stem not in IMPURE_FILES
)
IMPURE = {"os", "time", "random", "subprocess", "socket", "pathlib", "logging"}
FILES = sorted(
    p
    for d in OURS - {"tests"}
    for p in (ROOT / d).rglob("*.py")
    if not (d == "strategies" and p.name.startswith("test_"))
)


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write the whole name of the module"
            yield from (f"{node.module}.{a.name}" for a in node.names)


def within(name: str, allowed: set[str]) -> bool:
    return any(name == a or name.startswith(a + ".") for a in allowed)


def rule(path: Path) -> tuple[str, tuple[set[str], set[str]]]:
    name = path.relative_to(ROOT).as_posix()
    best = max((m for m in MAY if name == m or name.startswith(m + "/")), key=len)
    return best, MAY[best]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_follow_the_table(path: Path) -> None:
    home, (ours, others) = rule(path)
    for name in imports(path):
        top = name.split(".")[0]
        if top in OURS:
            assert within(name, ours), f"{home} must not import {name}"
            if home == "bot":
                assert not within(name, NOT_IN_CORE), f"the core must not import {name}"
        elif top not in sys.stdlib_module_names:
            assert top in others, f"{home} must not depend on {top}"


@pytest.mark.parametrize("path", PURE)
def test_the_core_is_pure(path: str) -> None:
    bad = {n.split(".")[0] for n in imports(ROOT / path)} & IMPURE
    assert not bad, f"{path} reaches the outside through {bad}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_first_line_says_what_a_file_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text())), f"{path}: say what it is for"
