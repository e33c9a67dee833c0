"""Reads the strategies of a clone: the files as they are, and from git how they came to be."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from bot.pages.site import Kept, Version

NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,99}\Z")
FILES = ("contract.json", "passport.json")
RESULTS = ("test_report.json", "equity_curve.csv", "trades.csv", "bars.csv", "summary.json")
CODE = ("strategy.py", "contract.json", "test_strategy.py")
MOST_VERSIONS, MOST_TEXT, MOST_BYTES = 20, 40_000, 8_000_000
APART = "\x1f"


def shelf(clone: Path) -> list[Kept]:
    """Each folder that holds a contract is a strategy."""
    homes = sorted(p.parent for p in (clone / "strategies").glob("*/contract.json"))
    return [_kept(clone, home) for home in homes if NAME.match(home.name)]


def _kept(clone: Path, home: Path) -> Kept:
    places = [home / name for name in FILES] + [home / "results" / name for name in RESULTS]
    whole = [p for p in places if p.is_file() and p.stat().st_size <= MOST_BYTES]
    texts = {p.name: p.read_text(encoding="utf-8", errors="replace") for p in whole}
    versions = _versions(clone, home)
    before = _before(clone, home) if "equity_curve.csv" in texts else ""
    return Kept(home.name, texts, versions, before)


def _versions(clone: Path, home: Path) -> tuple[Version, ...]:
    paths = [str((home / name).relative_to(clone)) for name in CODE]
    form = f"--format=%H{APART}%ct{APART}%s"
    rows = _git(clone, "log", form, f"-{MOST_VERSIONS}", "--", *paths).splitlines()
    found = []
    for row in rows:
        sha, at, said = row.split(APART, 2)
        older = _git(clone, "log", "-1", "--format=%H", f"{sha}^", "--", *paths).strip()
        change = _git(clone, "diff", "--no-ext-diff", "--no-color", older, sha, "--", *paths)
        found.append(Version(sha, int(at), said[:200], _cut(change if older else "")))
    return tuple(found)


def _before(clone: Path, home: Path) -> str:
    """The equity of the results before the newest; empty where these are the first."""
    path = str((home / "results" / "equity_curve.csv").relative_to(clone))
    commits = _git(clone, "log", "-2", "--format=%H", "--", path).split()
    return _git(clone, "show", f"{commits[1]}:{path}") if len(commits) == 2 else ""


def _cut(text: str) -> str:
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "\n… the rest is in git"


def _git(clone: Path, *words: str) -> str:
    """Empty where git has nothing to say: the site then says less."""
    env = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": os.devnull,
           "GIT_CONFIG_NOSYSTEM": "1"}  # fmt: skip
    line = ["git", "-c", "safe.directory=*", "-C", str(clone), *words]
    done = subprocess.run(line, capture_output=True, env=env, check=False, timeout=60)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""
