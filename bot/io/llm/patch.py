"""The one file of tests that a unified diff adds, and what is doubtful about it. Pure."""

from __future__ import annotations

import ast
import re

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from schemas.report import TestSpec

NOTHING = "/dev/null"
HUNK = re.compile(r"^@@ -0,0 \+1(?:,[0-9]+)? @@.*$")


class Unusable(ValueError):
    """Not a diff that adds one file of tests."""


def added(diff: str) -> tuple[str, str]:
    """Its path and its text."""
    try:
        patch = PatchSet(_counted(diff))
    except (UnidiffParseError, ValueError, IndexError) as error:
        raise Unusable(f"not a unified diff: {error}") from None
    if len(patch) != 1:
        raise Unusable(f"the diff is about {len(patch)} files; it must add exactly one")
    file = patch[0]
    if file.source_file != NOTHING or not file.is_added_file or file.is_binary_file:
        raise Unusable(f"the diff changes {file.path}; it may only add a new file")
    text = "".join(line.value for hunk in file for line in hunk if line.is_added)
    if not text.strip():
        raise Unusable(f"the diff puts nothing into {file.path}")
    return file.path, text


def _counted(diff: str) -> str:
    """With a right count in the head of a hunk that adds a file: models cannot count lines."""
    lines = diff.strip("\n").split("\n")
    for n, line in enumerate(lines):
        if HUNK.match(line):
            rest = lines[n + 1 :]
            size = next((i for i, x in enumerate(rest) if not x.startswith("+")), len(rest))
            lines[n] = f"@@ -0,0 +1,{size} @@"
    return "\n".join(lines) + "\n"


def doubts(source: str, strategy: str, spec: TestSpec) -> tuple[str, ...]:
    """Why these tests are not worth a run: seen by reading, since nothing is run here."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return (f"the file is not Python: {error}"[:300],)
    nodes = list(ast.walk(tree))
    there = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
    absent = [f"there is no test {c.name}" for c in spec.cases if c.name not in there]
    taken = {f"{n.module}" for n in nodes if isinstance(n, ast.ImportFrom)}
    if strategy not in taken:
        absent.append(f"it does not import the strategy: from {strategy} import Strategy")
    return tuple(absent[:20])
