"""Says at the end, loudly, what could not be tested on this machine."""

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no example is failed for its time.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

NO_ENGINE = "no Docker engine"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    untested = sorted({r.nodeid for r in skipped if NO_ENGINE in str(r.longrepr)})
    if not untested:
        return
    terminalreporter.section("NOT TESTED: the sandbox, because no Docker engine could be used")
    for nodeid in untested:
        terminalreporter.line(nodeid)
    terminalreporter.line(f"{len(untested)} tests did not run; start Docker and run them again")
