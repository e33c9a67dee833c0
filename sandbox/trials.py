"""Inside the container: the tests on the strategy, then on each mutant of it, as lines of JSON.

A line is told as soon as it is known, so that what a time limit cuts off is only the rest.
"""

import json
import sys
import time
from pathlib import Path

from sandbox.own_tests import laid_out, run, stand_apart, told_by

LEAST, TIMES = 5, 5
"""Seconds, and times what the strategy itself needs: a mutant that takes longer does not end."""


def main(name: str, *tests: str) -> int:
    """The submission as `sandbox.own_tests` has it, the mutants as `mutant_0.py` and so on."""
    stand_apart()
    place = laid_out(name, tests)
    report, lines = (str(place.home / part) for part in ("report.json", "lines.json"))
    place.strategy.write_text(Path("strategy.py").read_text())
    start = time.monotonic()
    code = run(place, report, lines)
    patience = LEAST + int(TIMES * (time.monotonic() - start))
    tell({"code": code, "report": told_by(report), "coverage": told_by(lines)})
    for n in range(len(list(Path().glob("mutant_*.py")))):
        place = laid_out(name, tests)
        place.strategy.write_text(Path(f"mutant_{n}.py").read_text())
        tell({"mutant": n, "code": run(place, str(place.home / "mutant.json"), "", patience)})
    return 0


def tell(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
