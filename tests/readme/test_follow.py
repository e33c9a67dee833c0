"""Somebody follows the README on a clean clone, command by command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import cli
from tests.readme.clone import ROOT, cloned, run, surroundings
from tests.readme.shown import COMMANDS, Needs, Shown, Unclear, shown
from tests.walkthrough import cast, film
from tests.walkthrough.__main__ import READY
from tests.walkthrough.record import record

README = shown((ROOT / "README.md").read_text())
ELSEWHERE = [s.command for s in README if COMMANDS.get(s.command, Needs.NOTHING) != Needs.NOTHING]
HERE = [s for s in README if COMMANDS.get(s.command) is Needs.NOTHING]
MADE = ("results/draft/strategy.py", "results/trades.csv", "results/summary.json",
        "results/report.html", "results/site/index.html")  # fmt: skip
OWN_WORDS = "# A cross\n\nSPY, daily. Buy when SMA(10) crosses above SMA(30), sell below.\n"


def test_every_command_is_listed_and_every_row_is_shown() -> None:
    assert [one.command for one in README] == list(COMMANDS), "tests/readme/shown.py has the list"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cloned(tmp_path_factory.mktemp("readme") / "clone")


def follow(clone: Path, one: Shown) -> None:
    done = run(clone, one.command)
    assert done.returncode == 0, f"{one.command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    said = "\n".join(one.prints)
    assert said in done.stdout, f"{one.command} does not print what the README shows"


@pytest.mark.parametrize("block", sorted({s.block for s in HERE}))
def test_the_commands_of_a_block_work_in_their_order(clone: Path, block: int) -> None:
    """The README of the clone: what is committed is what people get."""
    theirs = [s for s in shown((clone / "README.md").read_text()) if s.block == block]
    assert theirs, "the README on disk is not the one that is committed"
    for one in theirs:
        if COMMANDS[one.command] is Needs.NOTHING:
            follow(clone, one)


@pytest.mark.soak
def test_all_commands_work_one_after_the_other(tmp_path: Path) -> None:
    fresh = cloned(tmp_path / "clone")
    for one in HERE:
        follow(fresh, one)
    assert [name for name in MADE if not (fresh / name).is_file()] == []


def test_some_of_them_show_what_they_print() -> None:
    assert len(HERE) >= 6 and sum(bool(s.prints) for s in HERE) >= 2


@pytest.mark.parametrize("command", [c for c in ELSEWHERE if "stratbot" in c])
def test_what_needs_more_has_its_name_and_options(command: str) -> None:
    """A word that the program does not know is refused before `--help` is answered."""
    _, _, words = command.partition("stratbot ")
    done = CliRunner().invoke(cli, [*shlex.split(words), "--help"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("command", [c for c in ELSEWHERE if c.startswith("make ")])
def test_what_takes_minutes_has_its_target(clone: Path, command: str) -> None:
    done = run(clone, f"{command} --dry-run")
    assert done.returncode == 0, done.stderr


def test_what_is_not_run_here_is_run_where_the_list_says() -> None:
    named = re.findall(r"`(tests/\S+)`", " ".join(Needs))
    assert len(named) >= 4 and all((ROOT / name).is_file() for name in named)


def test_a_command_that_is_not_told_apart_is_refused() -> None:
    with pytest.raises(Unclear, match="python"):
        shown("```python\nprint()\n```\n")
    with pytest.raises(Unclear):
        shown("```output\nwhat printed this?\n```\n")
    assert shown('```sh\nmake x  # why\necho "#1"\n```\n```output\n#1\n```\n') == [
        Shown("make x", 1),
        Shown('echo "#1"', 1, ("#1",)),
    ]


def sentences(said: str) -> set[str]:
    """What a demo says, without when and where."""
    rows = (film.COLOURS.sub("", line) for line in said.splitlines())
    return {row[10:].partition("http")[0].strip() for row in rows if row[6:8] == " s"}


def test_the_film_tells_the_whole_story() -> None:
    told = sentences(cast.read(film.PICTURES / "demo.cast").text)
    assert {"you ask: RSI dip on SPY", "you type /approve", "The strategy is ready."} <= told
    assert len(told) >= 20


@pytest.mark.soak
@pytest.mark.parametrize("command", [c for c in ELSEWHERE if c.startswith("make demo")])
def test_the_demo_goes_up_to_a_delivery(tmp_path: Path, command: str) -> None:
    """And says what the film in the README shows."""
    words, clone = tuple(shlex.split(command)), cloned(tmp_path / "clone")
    (clone / "my_request.md").write_text(OWN_WORDS)
    told = record(words, clone, surroundings(clone), READY, lambda said: None)
    assert "The strategy waits for your review." in told.text
    if command == "make demo":
        filmed = cast.read(film.PICTURES / "demo.cast")
        # A step may be too short to be seen, so the film may have more; never another sentence.
        news = {s for s in sentences(told.text) if not s.startswith("The sandbox is")}  # built once
        assert news <= sentences(filmed.text), "run `make walkthrough` again"


@pytest.mark.soak
@pytest.mark.parametrize(
    "one",
    [s for s in README if COMMANDS.get(s.command) is Needs.MINUTES and "demo" not in s.command],
    ids=lambda one: one.command[:40],
)
def test_what_takes_minutes_works(clone: Path, one: Shown) -> None:
    follow(clone, one)
