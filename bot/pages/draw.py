"""Templates to pages that hold all they need: styles, scripts and numbers are inside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

STYLES = ("uPlot.min.css", "page.css")
NUMBER = re.compile(r"[+-]?[\d,.]+ ?(%|days|bars)?\Z|–( \(.+\))?\Z")
MARKS = {"+": Markup("<ins>{}</ins>"), "-": Markup("<del>{}</del>")}
SCRIPTS = ("uPlot.iife.min.js", "charts.js")


def page(template: str, title: str, **more: object) -> str:
    style, script = _joined(STYLES), _joined(SCRIPTS)
    # Nothing may be loaded and nothing else may run, whatever words the page shows.
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    made = _templates().get_template(template)
    inside = {"style": Markup(style), "script": Markup(script)}  # nosec B704 - our own files
    return made.render(title=title, policy=policy, **inside, **more)


def data(value: object) -> Markup:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)  # nosec B704 - the letters that matter are gone


def when(at: int) -> str:
    """UTC; a year that no calendar has is cut off."""
    return datetime.fromtimestamp(min(at, 2**36), UTC).strftime("%Y-%m-%d %H:%M")


def numbers(rows: Sequence[Sequence[str]]) -> set[int]:
    """The columns, but for the first, that hold nothing but numbers."""
    columns = enumerate(zip(*rows, strict=True))
    return {n for n, cells in columns if n and all(map(NUMBER.match, cells))}


def difference(text: str) -> Markup:
    """A unified diff, its lines marked as added or removed."""
    rows = []
    for line in text.splitlines():
        mark = MARKS.get(line[:1])
        rows.append(mark.format(line) if mark else escape(line))
    return Markup("\n").join(rows)


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("bot.pages"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {"data": data, "when": when, "difference": difference, "numbers": numbers}
    return made


@cache
def _joined(names: tuple[str, ...]) -> str:
    home = files("bot.pages") / "static"
    return "\n".join((home / name).read_text(encoding="utf-8") for name in names)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
