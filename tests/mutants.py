"""Break one safety line at a time: a suite with power notices. `make mutants` runs it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import planted, planted_money
from tests.planted import Mutant

ROOT = Path(__file__).parent.parent
MUTANTS = (*planted.MUTANTS, *planted_money.MUTANTS)
PARTS = [
    "bot", "schemas", "tests", "fixtures", "pyproject.toml",
    "adapters", "simbroker", "sandbox", "strategies",
]  # fmt: skip


def red(folder: Path, tests: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-n", "2"]
    try:
        done = subprocess.run(
            [*command, *tests.split()], cwd=folder, capture_output=True, timeout=900
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
