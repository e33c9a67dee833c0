"""Reads a tag from a local git repository, and runs the sandbox on the files that it holds."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bot.artifact import COMPARED, TAG, Tagged, options
from bot.passport import PASSPORT, REPORT
from bot.ports import Rejected
from schemas import codec
from schemas.live import Passport

ROOT = Path(__file__).resolve().parents[2]
SUBMITTED = {"--strategy": "strategy.py", "--tests": "test_strategy.py", "--contract": "contract.json"}  # fmt: skip  # noqa: E501
FILE_MODES = ("100644", "100755")
MOST_FILES, MOST_BYTES = 200, 8_000_000


def read(repo: Path, name: str) -> Tagged:
    """Offline. `Rejected` where there is no such annotated tag."""
    parts = TAG.match(name)
    if parts is None:
        raise Rejected(f"{name!r} is not the tag of an artifact: artifact/<strategy>/<12 digits>")
    ref = f"refs/tags/{name}"
    if _git(repo, "cat-file", "-t", ref).strip() != b"tag":
        raise Rejected(f"{name} is not an annotated tag here; try: git fetch origin tag {name}")
    commit = _git(repo, "rev-parse", "--verify", f"{ref}^{{commit}}").decode().strip()
    files = _files(repo, commit, f"strategies/{parts[1]}/")
    return Tagged(
        name=name,
        strategy=parts[1],
        commit=commit,
        said=_git(repo, "for-each-ref", "--format=%(contents)", ref).decode(errors="replace"),
        commit_said=_git(repo, "log", "-1", "--format=%B", commit).decode(errors="replace"),
        follows=_follows(repo, commit, files.get(f"strategies/{parts[1]}/{PASSPORT}", b"")),
        files=files,
    )


def _files(repo: Path, commit: str, folder: str) -> dict[str, bytes]:
    """A link or a submodule has no content of its own: it is never what a passport lists."""
    rows = _git(repo, "ls-tree", "-r", "-z", "--full-tree", commit, folder).split(b"\0")
    rows = [row for row in rows if row]
    if len(rows) > MOST_FILES:
        raise Rejected(f"{folder} has {len(rows)} files, at most {MOST_FILES} are read")
    found = {}
    for row in rows:
        about, _, path = row.partition(b"\t")
        mode, _, blob = about.decode().split(" ")
        content = _git(repo, "cat-file", "blob", blob) if mode in FILE_MODES else b"not a file"
        found[path.decode(errors="replace")] = content
    if sum(map(len, found.values())) > MOST_BYTES:
        raise Rejected(f"{folder} has more than {MOST_BYTES} bytes")
    return found


def _follows(repo: Path, commit: str, passport: bytes) -> bool:
    try:
        tested = codec.load(Passport, passport).commit_sha
    except codec.Invalid:
        return False
    asked = _run(repo, "merge-base", "--is-ancestor", tested, commit)
    return asked.returncode == 0


def rerun(tagged: Tagged, backend: str) -> dict[str, bytes]:
    """What a new run of the sandbox on the tagged files leaves behind, by name."""
    with tempfile.TemporaryDirectory(prefix="stratbot-again-") as base:
        folder, out = Path(base) / tagged.strategy, Path(base) / "results"
        folder.mkdir()
        for name in SUBMITTED.values():
            (folder / name).write_bytes(tagged.text(name))
        named = [word for option, name in SUBMITTED.items() for word in (option, folder / name)]
        done = subprocess.run(
            [sys.executable, str(ROOT / "sandbox" / "run_in_sandbox.py"), *map(str, named),
             *options(tagged), "--backend", backend, "--out", str(out)],
            cwd=ROOT, stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        if done.returncode not in (0, 1):
            raise Rejected("the sandbox could not run; the lines above say why")
        names = (*COMPARED, REPORT)
        return {n: (out / n).read_bytes() for n in names if (out / n).is_file()}


def _git(repo: Path, *words: str) -> bytes:
    done = _run(repo, *words)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip()[:300]
        raise Rejected(
            f"git {words[0]}: {why}; is {repo} the clone? `git fetch origin --tags` brings its tags"
        )
    return done.stdout


def _run(repo: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
    return subprocess.run(["git", "-C", str(repo), *words], capture_output=True, env=env)
