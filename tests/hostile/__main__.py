"""`make hostile`: the whole corpus against the real gate; exit 1 if a submission got through."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from sandbox import image
from tests.hostile.table import CORPUS, Case
from tests.hostile.trial import Tried, attempt


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="id or its start")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300.0, help="for each submission")
    parser.add_argument(
        "--no-intake", action="store_true", help="ignore the intake: the container must do"
    )
    return parser


def chosen(only: list[str], no_intake: bool) -> list[Case]:
    named = [c for c in CORPUS if not only or c.id.startswith(tuple(only))]
    return [c for c in named if not (no_intake and c.is_made)]


def summary(tried: list[Tried]) -> str:
    controls = [t for t in tried if t.case.is_control]
    hostile = [t for t in tried if not t.case.is_control]
    good, held = (sum(not t.against for t in some) for some in (controls, hostile))
    return f"contained {held} of {len(hostile)}, controls {good} of {len(controls)}"


def main(argv: list[str]) -> int:
    args = arguments().parse_args(argv)
    cases = chosen(args.only, args.no_intake)
    if not cases:
        print(f"no submission is called {' or '.join(args.only)}")
        return 1
    image.ensure()  # once, before many ask for it at the same time
    tried = []
    with ThreadPoolExecutor(args.jobs) as pool:
        run = partial(attempt, seconds=args.seconds, no_intake=args.no_intake)
        for one in pool.map(run, cases):
            tried.append(one)
            print(one, flush=True)
    print(summary(tried))
    return 1 if any(t.against for t in tried) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
