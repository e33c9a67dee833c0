"""Inside the container: the submission's own tests, on the strategy and on broken copies of it."""

import ctypes
import json
import os
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import coverage
import pandas  # noqa: F401 - so that the forks need not load it
import pytest

import adapters.base_adapter  # noqa: F401

TRUSTED = Path(__file__).parent.parent
NOT_TESTED = (r"if __name__ == .__main__.:", r"if TYPE_CHECKING:")
"""A test cannot reach these lines, so they do not count as missed."""

NEVER = """
    def find_entries(self, df, indicators, idx):
        return None
    return [find_entries]
"""
RAISES = """
    def prepare_indicators(self, *more):
        raise RuntimeError("a broken copy")
    def find_entries(self, *more):
        raise RuntimeError("a broken copy")
    def find_exits(self, *more):
        raise RuntimeError("a broken copy")
    return [prepare_indicators, find_entries, find_exits]
"""
SWAPPED = """
    entries, exits = Strategy.find_entries, Strategy.find_exits
    def find_entries(self, df, indicators, idx):
        order = entries(self, df, indicators, idx)
        return order and {**order, "action": "SELL" if order["action"] == "BUY" else "BUY"}
    def find_exits(self, position, df, indicators, idx):
        if exits(self, position, df, indicators, idx):
            return None
        return {"position_id": position["position_id"], "reason": "swapped"}
    return [find_entries, find_exits]
"""
TAKEN_OVER = """
for _method in _broken():
    _method.__qualname__ = "Strategy." + _method.__name__
    setattr(Strategy, _method.__name__, _method)
del _broken, _method
"""
"""A broken copy shows by what it decides, not by a name that a test could look for."""
MUTANTS = {"never_trades": NEVER, "raises": RAISES, "swapped": SWAPPED}
DUMPABLE, SUBREAPER = 4, 36  # of prctl
GUARD = 'if __name__ == "__main__":'


@dataclass(frozen=True)
class Place:
    """Where a submission lies inside, as in the repository."""

    home: Path
    strategy: Path
    tests: tuple[Path, ...]


class Reversed:
    """Runs the last test first, so each pair of tests meets in the other order."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.reverse()


def run(place: Place, report: str, lines: str = "", seconds: int = 0, *plugins: object) -> int:
    """pytest with nothing of the submission's but these test files, in a process of its own.

    A fork has pandas and pytest loaded already, which is most of what a run costs. `lines` is the
    file to tell the covered lines in; without it the first test that fails is the last one run.
    `seconds` is when it is ended, if that is given.
    """
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        _become_tests(place, report, lines, plugins)
    _, status = os.waitpid(child, 0)
    _end_the_rest()
    return os.waitstatus_to_exitcode(status)


def stand_apart() -> None:
    """Whom the tests leave behind becomes our child, and none of them may look into this process:
    what it says is what counts."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(SUBREAPER, 1, 0, 0, 0)
    libc.prctl(DUMPABLE, 0, 0, 0, 0)


def _end_the_rest() -> None:
    """Nothing of one run of the tests may see the next."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while left := children.read_text().split() if children.exists() else []:
        for pid in map(int, left):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _become_tests(place: Place, report: str, lines: str, plugins: tuple[object, ...]) -> NoReturn:
    code = 70
    try:
        hole = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(hole, fd)
        os.chdir(place.home)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # what else is installed is not asked
        sys.path.insert(0, str(place.home))
        measured = _measured(place.strategy) if lines else None
        code = int(pytest.main([
            "-c", "/dev/null", "--rootdir", str(place.home), "-p", "no:cacheprovider",
            "-p", "pytest_jsonreport.plugin", "-q", "--tb=short", "--noconftest",
            "--json-report", f"--json-report-file={report}", "--json-report-omit",
            "collectors", "log", "streams", "keywords", *(() if lines else ("-x",)), "--",
            *map(str, place.tests),
        ], plugins))  # fmt: skip
        if measured:
            _, found, _, missed, _ = measured.analysis2(str(place.strategy))
            Path(lines).write_text(json.dumps({"lines": len(found), "missed": missed}))
    finally:
        os._exit(code)


def _measured(strategy: Path) -> coverage.Coverage:
    measured = coverage.Coverage(data_file=None, config_file=False, include=[str(strategy)])
    for part in NOT_TESTED:
        measured.exclude(part)
    measured.start()
    return measured


def told_by(report: str, longest: int = 500_000) -> str:
    """What a run of the tests has written, if it has."""
    file = Path(report)
    return file.read_text(errors="replace")[:longest] if file.is_file() else "{}"


def broken(source: str, mutant: str) -> str:
    """The copy keeps its command line at the end, if it has one."""
    body, guard, end = source.partition(GUARD)
    return f"{body}\ndef _broken():{mutant}{TAKEN_OVER}{guard}{end}"


def laid_out(name: str, tests: tuple[str, ...]) -> Place:
    """As in the repository, so that `from strategies.<name>.strategy import` works, and so does
    `from strategy import`, because the folder has no `__init__.py`."""
    home = Path(tempfile.mkdtemp()).resolve()
    inside = home / "strategies" / name
    (inside / "tests").mkdir(parents=True)
    for file in ("__init__.py", "template.py"):
        shutil.copy(TRUSTED / "strategies" / file, home / "strategies" / file)
    for n, test in enumerate(tests):
        shutil.copy(Path(f"tests_{n}.py"), inside / test)
    return Place(home, inside / "strategy.py", tuple(inside / test for test in tests))


def main(*args: str) -> int:
    """The submission is in the working folder as `strategy.py`, `tests_0.py` and so on.

    `--once`: not on broken copies. `--reversed`: the last test first.
    """
    once, (name, *tests) = "--once" in args, [arg for arg in args if not arg.startswith("--")]
    order = [Reversed()] if "--reversed" in args else []
    stand_apart()
    place, source = laid_out(name, tuple(tests)), Path("strategy.py").read_text()
    report, lines = (str(place.home / part) for part in ("report.json", "lines.json"))
    place.strategy.write_text(source)
    told = {"code": run(place, report, lines, 0, *order), "report": told_by(report),
            "coverage": told_by(lines)}  # fmt: skip
    ends = {}
    for mutant, broken_by in () if once else MUTANTS.items():
        place = laid_out(name, tuple(tests))  # the run before may have changed its own
        place.strategy.write_text(broken(source, broken_by))
        ends[mutant] = run(place, str(place.home / "mutant.json"))
    print(json.dumps({**told, "mutants": ends}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
