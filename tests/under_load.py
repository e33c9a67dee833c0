"""Run tests beside busy processes: `make under-load LOAD=8 TIMES=100 TEST=tests/x.py::test_y`.

A test that passes on a quiet machine alone depends on its speed. Without TEST the whole suite runs.
"""

import subprocess
import sys
from contextlib import ExitStack

import click

BUSY = [sys.executable, "-c", "while True: pass"]


@click.command(help=__doc__)
@click.option("--load", default=4, show_default=True, help="how many processes keep busy")
@click.option("--times", default=1, show_default=True, help="how often each test runs")
@click.argument("tests", nargs=-1)
def main(load: int, times: int, tests: tuple[str, ...]) -> None:
    line = [sys.executable, "-m", "pytest", "--times", str(times), *tests]
    if not tests:
        line += ["--numprocesses", "auto", "--dist", "worksteal"]
    with ExitStack() as stack:
        for _ in range(load):
            stack.callback(subprocess.Popen(BUSY).kill)
        sys.exit(subprocess.run(line).returncode)


if __name__ == "__main__":
    main()
