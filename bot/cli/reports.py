"""`stratbot report`: the results of one strategy as a page that needs nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bot.cli.front import as_json
from bot.ports import Rejected

NAMES = ("test_report.json", "equity_curve.csv", "trades.csv", "bars.csv", "summary.json")
BESIDE = ("passport.json", "contract.json")
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
MOST = 8_000_000


@click.command("report")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--before", type=FOLDER, help="Results of another version, to draw beside it.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Else DIR/report.html."
)
@as_json
def report(folder: Path, before: Path | None, out: Path | None, as_json: bool) -> None:
    """Write the results in DIR as one HTML file with charts. It asks the network for nothing.

    DIR is the folder of a strategy, its results, or what a run of the sandbox wrote.
    """
    from bot.pages import results
    from bot.pages.draw import page

    texts = gathered(folder)
    if not texts.keys() & set(NAMES):
        raise Rejected(
            f"{folder} holds no results; run a backtest or the sandbox with --out {folder} first"
        )
    old = gathered(before).get("equity_curve.csv", "") if before else ""
    if before and not old:
        raise Rejected(f"{before} holds no equity_curve.csv, so there is nothing to draw beside it")
    made = results.read(_name(folder, texts), texts, old)
    target = out or folder / "report.html"
    target.write_text(page("report.html", made.name, results=made), encoding="utf-8")
    click.echo(json.dumps({"file": str(target)}) if as_json else target)


def gathered(folder: Path) -> dict[str, str]:
    """Results are in DIR or in DIR/results; the passport and the contract are beside them."""
    home = folder.parent if folder.resolve().name == "results" else folder
    places = (folder, folder / "results")
    found = {name: place / name for place in places for name in NAMES if (place / name).is_file()}
    found |= {name: home / name for name in BESIDE if (home / name).is_file()}
    large = [str(path) for path in found.values() if path.stat().st_size > MOST]
    if large:
        raise Rejected(f"{large[0]} has more than {MOST} bytes")
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


def _name(folder: Path, texts: dict[str, str]) -> str:
    """Results lie in the folder of their strategy; those of a backtest by hand lie anywhere."""
    whole = folder.resolve()
    if whole.name == "results" and "contract.json" in texts:
        return whole.parent.name
    return "A backtest by hand" if "test_report.json" not in texts else whole.name
