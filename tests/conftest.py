"""What holds for all tests, and at the end, loudly, what could not be tested on this machine."""

from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no example is failed for its time.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

NO_ENGINE = "no Docker engine"
UNMEASURED = (
    "flow", "demo", "walkthrough", "twin", "live_gate", "requests", "reading/test_reading.py",
    "reading/test_public.py", "reading/test_fuzz.py", "reading/test_paraphrases.py",
    "agents/test_chance.py",
)  # fmt: skip
"""What runs in other processes, or the same lines thousands of times: measuring the lines of the
tests' own process here would only cost time. The processes that they start measure themselves."""


def pytest_addoption(parser: pytest.Parser) -> None:
    help_ = "what runs the jobs of the stories in tests/flow: the twin itself, or act"
    parser.addoption("--executor", choices=("quick", "act"), default="quick", help=help_)
    parser.addoption("--times", type=int, default=1, help="run each test so many times")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    times = metafunc.config.getoption("times")
    if times > 1:
        metafunc.fixturenames.append("_time")
        metafunc.parametrize("_time", range(times), ids=lambda n: f"time {n + 1}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.relative_to(here).as_posix().startswith(UNMEASURED):
            item.add_marker(pytest.mark.no_cover)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    untested = sorted({r.nodeid for r in skipped if NO_ENGINE in str(r.longrepr)})
    if not untested:
        return
    terminalreporter.section("NOT TESTED: the sandbox, because no Docker engine could be used")
    for nodeid in untested:
        terminalreporter.line(nodeid)
    terminalreporter.line(f"{len(untested)} tests did not run; start Docker and run them again")
