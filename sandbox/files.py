"""The folder that a job sees as /work: made for one job, world-readable, gone afterwards."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

PREFIX = "stratbot-job-"
WORK, TMP = "work", "tmp"  # here in the job's folder, in a container at the root


def lay_out(files: Mapping[str, bytes]) -> Path:
    """A new folder with `work` (the files) and `tmp` (scratch, where no container gives one)."""
    base = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        base.chmod(0o755)
        (base / TMP).mkdir()
        (base / WORK).mkdir(mode=0o755)
        for name, content in files.items():
            _write(base / WORK, name, content)
    except BaseException:
        tear_down(base)
        raise
    return base


def tear_down(base: Path) -> None:
    if base.name.startswith(PREFIX):
        shutil.rmtree(base, ignore_errors=True)


def _write(work: Path, name: str, content: bytes) -> None:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise ValueError(f"not a relative path inside the job's folder: {name!r}")
    target = work.joinpath(*parts)
    for parent in reversed(target.relative_to(work).parents[:-1]):
        (work / parent).mkdir(exist_ok=True)
        (work / parent).chmod(0o755)
    target.write_bytes(content)
    target.chmod(0o444)
