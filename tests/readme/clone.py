"""A clean clone of the newest commit, with our packages, in which nothing can be installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOWHERE = "http://127.0.0.1:9"
OURS = ("PATH", "HOME", "LANG", "TMPDIR", "DOCKER_HOST")


def cloned(folder: Path) -> Path:
    """Our packages are seen through links. `make` finds them newer than the lock, so it installs
    nothing; and could not, for `PY` is no Python (see `run`)."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    place = folder / ".venv"
    place.mkdir()
    for name in ("bin", "lib", "pyvenv.cfg"):
        (place / name).symlink_to(Path(sys.prefix) / name)
    (place / "installed").touch()
    return folder


def surroundings(clone: Path) -> dict[str, str]:
    """Its own code, no network, no Python to install with, nothing of who runs the test."""
    kept = {name: os.environ[name] for name in OURS if name in os.environ}
    away = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE)
    return {**kept, **away, "no_proxy": "127.0.0.1", "PYTHONPATH": str(clone), "PY": "false"}


def run(clone: Path, command: str) -> subprocess.CompletedProcess[str]:
    """As somebody types it."""
    return subprocess.run(
        ["bash", "-c", command], cwd=clone, env=surroundings(clone),
        capture_output=True, text=True, check=False, timeout=3600,
    )  # fmt: skip
