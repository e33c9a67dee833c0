"""Show that a test fails without the fix it came with: `make red COMMIT=abc1234 TEST=tests/x.py`.

The tests and fixtures of the commit are put beside the code of its parent, in a worktree of their
own, and the named tests are run there. Exit code 0 means: they failed, as they must.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
FAILED = 1  # pytest: some tests failed. Everything else (none found, bad usage) shows nothing.


@click.command(help=__doc__)
@click.argument("commit")
@click.argument("tests", nargs=-1, required=True)
def main(commit: str, tests: tuple[str, ...]) -> None:
    commit = _git("rev-parse", "--short", commit)
    with tempfile.TemporaryDirectory(prefix="stratbot-red-") as folder:
        place = Path(folder) / "parent"
        _git("worktree", "add", "--quiet", "--detach", str(place), f"{commit}^")
        try:
            _git("checkout", "--quiet", commit, "--", "tests", "fixtures", at=place)
            code = _pytest(place, tests)
        finally:
            _git("worktree", "remove", "--force", str(place))
    if code == FAILED:
        click.echo(f"Red on the parent of {commit}, as it must be.")
        return
    raise click.ClickException(
        f"pytest ended with {code} on the parent of {commit}: this does not show that the tests "
        "can fail. Name tests that this commit added or changed."
    )


def _git(*line: str, at: Path = ROOT) -> str:
    told = subprocess.run(["git", *line], cwd=at, check=True, stdout=subprocess.PIPE, text=True)
    return told.stdout.strip()


def _pytest(place: Path, tests: tuple[str, ...]) -> int:
    line = [sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:cacheprovider", *tests]
    here = {**os.environ, "PYTHONPATH": str(place)}
    return subprocess.run(line, cwd=place, env=here).returncode


if __name__ == "__main__":
    main()
