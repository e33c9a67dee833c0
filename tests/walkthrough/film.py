"""A recorded terminal as an SVG that plays by itself: no script, nothing fetched, the same bytes.

`python -m tests.walkthrough.film` draws the films again from the recording.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tests.walkthrough.cast import Cast, read

PICTURES = Path(__file__).parents[2] / ".github" / "pictures"
PLAYS, STAYS = 22.0, 14.0
"""Seconds: the run, whatever it took, and then its last picture."""
SVG = "http://www.w3.org/2000/svg"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
DARK = [(1, 4, 9), (255, 123, 114), (63, 185, 80), (210, 153, 34), (121, 192, 255),
        (188, 140, 255), (57, 197, 207), (177, 186, 196)]  # fmt: skip
LIGHT = [(36, 41, 47), (207, 34, 46), (17, 99, 41), (77, 45, 0), (9, 105, 218),
         (130, 80, 223), (27, 124, 131), (110, 119, 129)]  # fmt: skip
THEMES = {
    "light": TerminalTheme((255, 255, 255), (31, 35, 40), LIGHT),
    "dark": TerminalTheme((13, 17, 23), (230, 237, 243), DARK),
}
FORMAT = """\
<svg width="{width}" height="{height:.1f}" viewBox="0 0 {width} {height:.1f}" role="img"
  xmlns="http://www.w3.org/2000/svg">
<title>TITLE</title>
<style>
text {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; }}
.{unique_id}-title {{ font-size: 18px; }}
{styles}
@media (prefers-reduced-motion: no-preference) {{
MOMENTS
}}
</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}{matrix}</g>
</svg>
"""
"""Where nothing moves, everything is there: a film only hides what has not been said yet."""


class CannotDraw(Exception):
    """The terminal did more than print lines."""


def moments(cast: Cast) -> list[tuple[float, str]]:
    """Each line with the second at which it was whole. The first is what was typed."""
    lines, rest = [(0.0, f"$ {cast.command}")], ""
    for at, part in cast.shown:
        *whole, rest = (rest + part).split("\n")
        lines += [(at, line) for line in whole]
    lines += [(cast.seconds, rest)] if rest else []
    if any(re.search(r"[\x00-\x1a\x1c-\x1f\x1b]", COLOURS.sub("", line)) for _, line in lines):
        raise CannotDraw("the recording moves the cursor; this draws lines only")
    return lines


def film(cast: Cast, theme: str) -> str:
    lines, faster = moments(cast), cast.seconds / PLAYS
    title = f"{cast.command}: a real run of {cast.seconds:.0f} s, played {faster:.0f} times faster"
    console = Console(
        record=True, width=cast.columns, file=io.StringIO(), force_terminal=True,
        color_system="truecolor", legacy_windows=False, _environ={},
    )  # fmt: skip
    for _, line in lines:
        console.print(Text.from_ansi(line), soft_wrap=True, highlight=False)
    form = FORMAT.replace("TITLE", title)
    drawn = console.export_svg(
        title=title, theme=THEMES[theme], code_format=form, unique_id="t", font_aspect_ratio=0.6
    )
    return _moving(drawn, [at / faster for at, _ in lines])


def _moving(drawn: str, starts: list[float]) -> str:
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(drawn)
    frame = root.find(f"{{{SVG}}}rect")
    assert frame is not None
    frame.set("stroke", "#8b949e")  # seen on white and on black
    for parent in list(root.iter()):
        for child in list(parent):
            line = re.fullmatch(r"url\(#t-line-(\d+)\)", child.attrib.pop("clip-path", ""))
            if line:
                first = starts.index(starts[int(line[1])])
                child.set("class", f"{child.get('class')} at{first}")
            if child.tag == f"{{{SVG}}}defs" or (line and not (child.text or "").strip()):
                parent.remove(child)
    whole = PLAYS + STAYS
    rules = []
    for n, start in enumerate(starts):
        if start and starts.index(start) == n:
            hidden = 100 * start / whole
            rules += [
                f"@keyframes k{n} {{ 0%, {hidden:.2f}% {{ opacity: 0 }} "
                f"{hidden + 0.01:.2f}%, 100% {{ opacity: 1 }} }}",
                f".at{n} {{ animation: k{n} {whole:g}s infinite }}",
            ]
    text = ElementTree.tostring(root, encoding="unicode")
    return text.replace("MOMENTS", "\n".join(rules)) + "\n"


def draw(folder: Path = PICTURES) -> list[Path]:
    cast, made = read(folder / "demo.cast"), []
    for theme in THEMES:
        made.append(folder / f"demo-{theme}.svg")
        made[-1].write_text(film(cast, theme), encoding="utf-8")
    return made


if __name__ == "__main__":
    print(*draw(), sep="\n")
