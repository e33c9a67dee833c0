"""Inside the container: the submission's own tests, on the strategy and on broken copies of it."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import pandas  # noqa: F401 - so that the forks need not load it
import pytest

import adapters.base_adapter  # noqa: F401

TRUSTED = Path(__file__).parent.parent

NEVER = """
def _never(self, df, indicators, idx):
    return None
Strategy.find_entries = _never
"""
RAISES = """
def _raises(self, *more):
    raise RuntimeError("a broken copy")
Strategy.prepare_indicators = Strategy.find_entries = Strategy.find_exits = _raises
"""
SWAPPED = """
_entries, _exits = Strategy.find_entries, Strategy.find_exits
def _other(self, df, indicators, idx):
    order = _entries(self, df, indicators, idx)
    return order and {**order, "action": "SELL" if order["action"] == "BUY" else "BUY"}
def _stays(self, position, df, indicators, idx):
    if _exits(self, position, df, indicators, idx):
        return None
    return {"position_id": position["position_id"], "reason": "swapped"}
Strategy.find_entries, Strategy.find_exits = _other, _stays
"""
MUTANTS = {"never_trades": NEVER, "raises": RAISES, "swapped": SWAPPED}
GUARD = 'if __name__ == "__main__":'


def run(home: Path, test: Path, report: str) -> int:
    """pytest with nothing of the submission's but the one test file, in a process of its own.

    A fork has pandas and pytest loaded already, which is most of what a run costs.
    """
    child = os.fork()
    if child == 0:
        _become_tests(home, test, report)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _become_tests(home: Path, test: Path, report: str) -> NoReturn:
    code = 70
    try:
        hole = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(hole, fd)
        os.chdir(home)
        sys.path.insert(0, str(home))
        code = int(pytest.main([
            "-c", "/dev/null", "--rootdir", str(home), "-p", "no:cacheprovider", "-q",
            "--tb=short", "--noconftest", "--json-report", f"--json-report-file={report}",
            "--json-report-omit", "collectors", "log", "streams", "keywords", "--", str(test),
        ]))  # fmt: skip
    finally:
        os._exit(code)


def broken(source: str, mutant: str) -> str:
    """The copy keeps its command line at the end, if it has one."""
    body, guard, end = source.partition(GUARD)
    return body + mutant + guard + end


def laid_out(home: Path, name: str, test: str) -> Path:
    """As in the repository, so that `from strategies.<name>.strategy import` works, and so does
    `from strategy import`, because the folder has no `__init__.py`."""
    inside = home / "strategies" / name
    inside.mkdir(parents=True)
    for file in ("__init__.py", "template.py"):
        shutil.copy(TRUSTED / "strategies" / file, home / "strategies" / file)
    shutil.copy(Path("tests.py"), inside / test)
    return inside


def main(name: str, test: str) -> int:
    """The submission is in the working folder as `strategy.py` and `tests.py`."""
    home = Path(tempfile.mkdtemp())
    inside, source = laid_out(home, name, test), Path("strategy.py").read_text()
    (inside / "strategy.py").write_text(source)
    code = run(home, inside / test, str(home / "report.json"))
    report = home / "report.json"
    told = report.read_text()[:500_000] if report.exists() else "{}"
    ends = {}
    for mutant, lines in MUTANTS.items():
        (inside / "strategy.py").write_text(broken(source, lines))
        ends[mutant] = run(home, inside / test, str(home / "mutant.json"))
    print(json.dumps({"code": code, "report": told, "mutants": ends}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
