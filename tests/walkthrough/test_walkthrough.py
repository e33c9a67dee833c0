"""The film and the pictures of the README: true to the recording, small, harmless, described."""

from __future__ import annotations

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bot.text.measures import MEASURES
from tests.walkthrough import cast, film
from tests.walkthrough.cast import Cast
from tests.walkthrough.record import Silent, record
from tests.walkthrough.shots import MOST, TOLD

ROOT = Path(__file__).parents[2]
SOME = Cast("try it", 40, ((1.0, "one\ntw"), (2.5, "o\n"), (4.0, "\x1b[1mthree\x1b[0m <&>\n")))
THEMES = pytest.mark.parametrize("theme", film.THEMES)


@THEMES
def test_the_film_is_drawn_from_the_recording(theme: str) -> None:
    """Nobody types what a terminal says: `python -m tests.walkthrough.film` draws it again."""
    recorded = cast.read(film.PICTURES / "demo.cast")
    assert (film.PICTURES / f"demo-{theme}.svg").read_text() == film.film(recorded, theme)
    assert "The strategy waits for your review." in recorded.text


def words(svg: str) -> list[str]:
    drawn = ElementTree.fromstring(svg).iter(f"{{{film.SVG}}}text")
    return ["".join(element.itertext()).replace("\xa0", " ").strip() for element in drawn]


@THEMES
def test_a_film_says_each_line_and_how_fast_it_is_played(theme: str) -> None:
    said = words(film.film(SOME, theme))
    assert said[1:] == ["$ try it", "one", "two", "three", "<&>"]
    assert said[0] == "try it: a real run of 4 s, played 0 times faster"


def test_a_line_is_hidden_until_it_is_said() -> None:
    """Half of the run is half of the play; then the last picture stays."""
    svg = film.film(SOME, "light")
    whole = film.PLAYS + film.STAYS
    starts = [float(n) for n in re.findall(r"0%, ([\d.]+)% \{ opacity: 0 \}", svg)]
    told = [100 * at / 4.0 * film.PLAYS / whole for at in (1.0, 2.5, 4.0)]
    assert starts == pytest.approx(told, abs=0.01)
    assert "prefers-reduced-motion: no-preference" in svg, "who wants no motion sees everything"


def test_what_is_more_than_lines_is_not_drawn_wrong() -> None:
    for moved in ("a\rb\n", "\x1b[2Jx\n", "\x1b[1Ax\n"):
        with pytest.raises(film.CannotDraw):
            film.film(Cast("x", 40, ((1.0, moved),)), "dark")


@pytest.mark.parametrize("path", sorted(film.PICTURES.glob("*.svg")), ids=lambda p: p.name)
def test_a_film_runs_nothing_and_asks_for_nothing(path: Path) -> None:
    text = path.read_text()
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert tags <= {"svg", "title", "style", "rect", "text", "g", "circle"}
    assert not re.search(r"url\(|@import|href|\bon\w+=", text)
    assert path.stat().st_size < 100_000


class Pictures(HTMLParser):
    """What the README shows: each picture with its words, and the one for the dark."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.light: dict[str, str] = {}
        self.dark: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "img":
            self.light[found["src"]] = found.get("alt", "")
        if tag == "source":
            assert found["media"] == "(prefers-color-scheme: dark)"
            self.dark.append(found["srcset"])


def test_the_readme_shows_every_picture_with_words() -> None:
    seen = Pictures((ROOT / "README.md").read_text())
    assert seen.dark == [name.replace("-light.", "-dark.") for name in seen.light]
    assert all(len(words) > 40 for words in seen.light.values())
    kept = {p.relative_to(ROOT).as_posix() for p in film.PICTURES.iterdir()}
    words = {f".github/pictures/{name}" for name in ("demo.cast", TOLD)}
    assert {*seen.light, *seen.dark} == kept - words
    assert all((ROOT / name).stat().st_size <= MOST for name in kept)


def test_the_pictures_show_the_report_of_today() -> None:
    """Each figure by its name, and what is said of luck; if not, run `make walkthrough` again."""
    told = (film.PICTURES / TOLD).read_text()
    assert [m.name for m in MEASURES if m.name not in told] == []
    for head in ("Figures", "How trades ended", "Skill or luck", "Known bars and sealed bars"):
        assert head in told, head
    assert "one after the other (walk-forward" in told and "More pictures" in told


TALKS = """
import sys, time
print("terminal" if sys.stdout.isatty() else "pipe", flush=True)
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("stopped")
"""


def test_a_recording_is_what_a_terminal_showed(tmp_path: Path) -> None:
    heard: list[str] = []
    line = (sys.executable, "-c", TALKS)
    made = record(line, tmp_path, os.environ, "ready", heard.append)
    assert [text.strip() for text in heard] == ["terminal\nready"]
    assert "".join(made.text.split("^C")) == "terminal\nready\nstopped\n"
    cast.write(made, tmp_path / "x.cast")
    assert cast.read(tmp_path / "x.cast") == made


def test_what_ends_too_early_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(Silent, match="bye"):
        record((sys.executable, "-c", "print('bye')"), tmp_path, os.environ, "ready", print)
