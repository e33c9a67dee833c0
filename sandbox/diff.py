"""The one file that a diff may add: a new file of tests in the strategy's own tests folder."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet

from schemas.base import SOURCE
from schemas.report import TEST_PATH

NOTHING = "/dev/null"
HEADER = re.compile(r"diff --git a/\S+ b/\S+|new file mode 100644|index 0{7,40}\.\.[0-9a-f]{7,40}")
"""What git may say about a plain new file. A link, a rename, a copy or a mode is none."""


class Refused(ValueError):
    """The diff does more than add one file of tests, or something else; says what."""


@dataclass(frozen=True, slots=True)
class Added:
    """`path` is in the repository, `place` in the strategy's folder."""

    path: str
    place: str
    text: bytes


def added(diff: str, name: str, there: Collection[str]) -> Added:
    """`there` are the files that the strategy's folder has already, by their place in it."""
    if len(diff) > 2 * SOURCE:
        raise Refused(f"the diff has more than {2 * SOURCE} characters")
    try:
        patch = PatchSet(diff)
    except (UnidiffParseError, ValueError, IndexError, RecursionError) as error:
        raise Refused(f"not a unified diff: {str(error)[:200]}") from None
    if len(patch) != 1:
        raise Refused(f"the diff is about {len(patch)} files; it must add exactly one")
    return _added(patch[0], name, there)


def _added(file: PatchedFile, name: str, there: Collection[str]) -> Added:
    shown = file.path[:200]
    if file.source_file != NOTHING or not file.is_added_file or file.is_rename:
        raise Refused(f"the diff changes {shown!r}; it may only add a new file")
    if file.is_binary_file or not all(HEADER.fullmatch(h.strip()) for h in file.patch_info or ()):
        raise Refused(f"{shown!r} is not added as a plain text file")
    home = f"strategies/{name}/"
    if not (re.match(TEST_PATH, file.path) and file.path.startswith(f"{home}tests/test_")):
        raise Refused(f"{shown!r} is not a file of tests under {home}tests/")
    place = file.path.removeprefix(home)
    if place in there:
        raise Refused(f"{shown!r} is there already; it may only add a new file")
    text = "".join(line.value for hunk in file for line in hunk if line.is_added)
    if not text.strip() or len(text) > SOURCE:
        raise Refused(f"the diff puts nothing, or too much, into {shown!r}")
    return Added(file.path, place, text.encode())
