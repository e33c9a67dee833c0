"""Puts whoever prepares a repository into its CODEOWNERS file, unless somebody has edited it."""

from __future__ import annotations

import base64
import re
from typing import Any

from bot.checkup import PLACEHOLDER, Settings
from bot.io.github.settings import read, seen
from bot.io.github.wire import Wire

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks; the first that is there counts."""
FIRST = f"# Who must review.\n* {PLACEHOLDER}\n"
"""Where there is no such file."""
WORD = re.compile(rf"(?<=\s){re.escape(PLACEHOLDER)}(?!\S)")


def name_owner(wire: Wire, there: Settings, wish: object) -> bool:
    """Before there are rules: after that only a reviewed pull request can change the file."""
    path, file = _found(wire, there)
    text = base64.b64decode(file["content"]).decode("utf-8") if file else FIRST
    if not is_untouched(text):
        return False
    body = {
        "message": "Name a code owner", "branch": there.default_branch,
        "content": base64.b64encode(named(text, _login(wire)).encode()).decode(),
    } | ({"sha": file["sha"]} if file else {})  # fmt: skip
    wire.requestJsonAndCheck("PUT", f"/repos/{there.name}/contents/{path}", input=body)
    return True


def is_untouched(text: str) -> bool:
    """It names nobody but the placeholder. A file that names nobody at all is somebody's choice."""
    rows = (row.partition("#")[0].split() for row in text.splitlines())
    return {owner for _, *owners in filter(None, rows) for owner in owners} == {PLACEHOLDER}


def named(text: str, login: str) -> str:
    """Comments stay as they are."""
    rows = (row.partition("#") for row in text.splitlines(keepends=True))
    return "".join(WORD.sub(f"@{login}", rule) + mark + said for rule, mark, said in rows)


def _found(wire: Wire, there: Settings) -> tuple[str, Any]:
    for path in PLACES:
        file = seen(wire, f"/repos/{there.name}/contents/{path}?ref={there.default_branch}")
        if file is not None:
            return path, file
    return PLACES[0], None


def _login(wire: Wire) -> str:
    return str(read(wire, "/user")["login"])
