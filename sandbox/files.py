"""The folder that a job sees as /work: made for one job, world-readable, gone afterwards."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from sandbox import owner
from sandbox.job import Ledger

PREFIX = "stratbot-job-"
WORK, TMP = "work", "tmp"  # here in the job's folder, in a container at the root
WHOSE = "whose"


def lay_out(files: Mapping[str, bytes], ledger: Ledger) -> Path:
    """A new folder with `work` (the files) and `tmp` (scratch, where no container gives one)."""
    base = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{owner.me()}-"))
    try:
        base.chmod(0o755)
        (base / WHOSE).write_text(f"{ledger.id}\n{ledger.home}")
        (base / TMP).mkdir()
        (base / WORK).mkdir(mode=0o755)
        for name, content in files.items():
            _write(base / WORK, name, content)
    except BaseException:
        tear_down(base)
        raise
    return base


def tear_down(base: Path) -> None:
    shutil.rmtree(base, ignore_errors=True)


def orphans() -> Iterator[tuple[Path, str, str]]:
    """The folders whose makers have died, with the run they were made for and its home."""
    for base in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if not owner.is_dead(base.name.removeprefix(PREFIX).rpartition("-")[0]):
            continue
        whose = base / WHOSE
        run, _, home = whose.read_text().partition("\n") if whose.exists() else ("", "", "")
        yield base, run, home


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
