"""How long the gate takes: per check and in all, at half a core, at one, and with no container."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from sandbox import image
from sandbox.engine import DockerEngine, Engine, ProcessEngine
from sandbox.limits import Limits
from sandbox.pipeline import run
from sandbox.submission import of_folder
from schemas.report import TestReport

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "strategies" / "rsi_mean_reversion"
TIMES = 2


def measure(engine: Engine) -> tuple[float, TestReport]:
    """The best of a few: other work on the machine only ever adds time."""
    found = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as out:
            start = time.monotonic()
            report = run(of_folder(HOME), Path(out), engine, seed=1)
            found.append((time.monotonic() - start, report))
    return min(found, key=lambda f: f[0])


def _figures(seconds: float, ratio: float, report: TestReport) -> dict[str, object]:
    checks = {str(c.name): c.seconds for c in report.checks}
    return {"seconds": seconds, "ratio": ratio, "checks": checks}


def main(argv: list[str]) -> int:
    tag = image.ensure()
    engines: dict[str, Engine] = {
        "bare": ProcessEngine(),
        "half a core": DockerEngine(tag, Limits(cpus=0.5)),
        "one core": DockerEngine(tag, Limits(cpus=1.0)),
    }
    found = {name: measure(engine) for name, engine in engines.items()}
    bare = found["bare"][0]
    if "--json" in argv:
        print(json.dumps({n: _figures(s, s / bare, r) for n, (s, r) in found.items()}, indent=1))
        return 0
    print(f"{'check':<14}" + "".join(f"{name:>14}" for name in found))
    for check in found["bare"][1].checks:
        row = [next(c.seconds for c in r.checks if c.name == check.name) for _, r in found.values()]
        print(f"{check.name:<14}" + "".join(f"{s:>12.1f} s" for s in row))
    print(f"{'in all':<14}" + "".join(f"{s:>12.1f} s" for s, _ in found.values()))
    print(f"{'ratio':<14}" + "".join(f"{s / bare:>14.2f}" for s, _ in found.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
