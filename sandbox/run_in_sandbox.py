"""Test one strategy where it can do no harm: a table for people, `--json` for machines."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # started as a file: `python sandbox/run_in_sandbox.py`
    sys.path.insert(0, str(ROOT))

from bot import verdict  # noqa: E402
from sandbox import lifecycle  # noqa: E402
from sandbox.backends import engine_of  # noqa: E402
from sandbox.engine import (  # noqa: E402
    Cancelled,
    CannotRun,
)
from sandbox.limits import add_limits, add_timeout, limits_of, whole  # noqa: E402
from sandbox.pipeline import About, Say, run  # noqa: E402
from sandbox.submission import Submission, of_folder, read, sheet_beside  # noqa: E402
from schemas import codec  # noqa: E402
from schemas.base import TaskId  # noqa: E402
from schemas.report import EXPECTED, Check, Outcome, TestReport  # noqa: E402

PASSED, FAILED, COULD_NOT = 0, 1, 2
MARK = {Outcome.PASSED: "ok", Outcome.FAILED: "FAILED", Outcome.ERROR: "ERROR"}


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="Exit code: 0 passed, 1 failed, 2 could not run."
    )
    parser.add_argument(
        "--strategy", type=Path, help="one Python file, or a folder with its tests and contract"
    )
    parser.add_argument("--tests", type=Path, nargs="+", default=[], metavar="FILE",
                        help="its tests: Python files, those in a folder tests/ too")  # fmt: skip
    parser.add_argument("--contract", type=Path, help="its contract.json")
    add_timeout(parser)
    add_limits(parser)
    parser.add_argument("--out", type=Path, help="folder for the report and the artifacts")
    parser.add_argument(
        "--seed", type=whole(0, 2**31 - 1), help="of the bars drawn by chance; by default anew"
    )
    parser.add_argument("--mutants", type=int, default=0, metavar="N",
                        help="when all else passed, try so many mutants on the tests")  # fmt: skip
    parser.add_argument("--min-line-cov", type=float, default=0.0, metavar="PERCENT",
                        help="fail where the tests reach less of the strategy's lines")  # fmt: skip
    parser.add_argument("--task", type=TaskId, choices=list(TaskId), default=TaskId.EXIT)
    parser.add_argument("--commit", default="0" * 40, help="the commit that the report is about")
    parser.add_argument("--correlation-id", default="corr_local")
    parser.add_argument("--workflow-id", default="wf_local")
    parser.add_argument("--backend", choices=["docker", "process"], default="docker",
                        help="process: no isolation, for a quick look; never passes")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--cancel", type=Path, metavar="DIR", help="end the run in this folder")
    parser.add_argument("--force", action="store_true", help="with --cancel: at once")
    return parser


def main(argv: list[str]) -> int:
    parser = arguments()
    args = parser.parse_args(argv)
    try:
        if args.cancel:
            print(f"{args.cancel}: {lifecycle.cancel(args.cancel, force=args.force).state}")
            return PASSED
        if args.strategy is None:
            parser.error("name the file with --strategy")
        return test(args)
    except (CannotRun, Cancelled) as error:
        print(f"could not run: {error}", file=sys.stderr)
        return COULD_NOT
    except KeyboardInterrupt:
        print("stopped; nothing is left running", file=sys.stderr)
        return 130


def test(args: argparse.Namespace) -> int:
    submission = submitted(args)
    taken = read(submission)  # before anything is made or started
    about = About(args.task, args.commit, args.correlation_id, args.workflow_id)
    out = args.out or Path(tempfile.mkdtemp(prefix="stratbot-"))
    with lifecycle.run(out) as ledger, progress(len(EXPECTED[args.task])) as say:
        report = run(
            submission, out, engine_of(args.backend, limits_of(args), ledger),
            seconds=args.timeout, seed=args.seed, most_mutants=args.mutants, about=about,
            say=say,
        )  # fmt: skip
        failures = verdict.judge(
            args.task, args.commit, taken.contract, report.contract_digest, report,
            args.min_line_cov,
        )  # fmt: skip
        ended = ledger.finish("failed" if failures else "passed")
    print(codec.dump(report) if args.json else table(report, failures, out))
    if ended not in ("passed", "failed"):
        raise Cancelled(f"the run was {ended}; run it again when you like")
    return FAILED if failures else PASSED


def submitted(args: argparse.Namespace) -> Submission:
    if args.strategy.is_dir() and not args.tests and not args.contract:
        return of_folder(args.strategy)
    sheet = sheet_beside(args.contract)
    return Submission(args.strategy, tuple(args.tests), args.contract, sheet)


@contextmanager
def progress(count: int) -> Iterator[Say]:
    """A bar on a terminal; elsewhere a line for each check."""
    if not sys.stderr.isatty():
        yield lambda check: print(row(check), file=sys.stderr, flush=True)
        return
    done, checks = [""], range(count)
    with click.progressbar(
        checks, label="Checks", file=sys.stderr, item_show_func=lambda _: done[-1]
    ) as bar:

        def say(check: Check) -> None:
            done.append(" ".join(row(check).split()))
            bar.update(1)

        bar.render_progress()
        yield say


def row(check: Check) -> str:
    count = len(check.findings) or ""
    return f"{check.name:<12} {check.outcome:<8} {check.seconds:6.1f} s  {count}"


def table(report: TestReport, failures: tuple[verdict.Failure, ...], out: Path) -> str:
    rows = [
        f"{c.name:<13}{MARK.get(c.outcome, c.outcome):<8}{c.seconds:6.1f} s" for c in report.checks
    ]
    for failure in failures:
        f = failure.finding
        place = f" ({f.file}:{f.line})" if f and f.line else ""
        rows.append(f"\n{failure.check}: {failure.message}{place}")
        rows += [f"  fix: {f.fix}"] if f and f.fix else []
    if report.summary:
        s = report.summary
        rows.append(f"\n{s.total_trades} trades, net {s.net_pnl}, win rate {s.win_rate:.0%}, "
                    f"maximum drawdown {s.max_drawdown}")  # fmt: skip
    end = "passed" if not failures else f"failed: {len(failures)} reasons"
    return "\n".join([*rows, f"\n{end} in {report.seconds:.1f} s; report in {out}"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
