"""Inside the container: runs one linter on /work with our settings and tells how it ended."""

import json
import shutil
import subprocess  # nosec B404
import sys
import tempfile
from pathlib import Path

TOOLS = {
    "flake8": ["flake8", "--isolated", "--disable-noqa", "--max-line-length=100", "--jobs=1",
               "--extend-ignore=E203,E701,E704,W503"],
    "bandit": ["bandit", "--quiet", "--ignore-nosec", "--format", "json"],
    "mypy": ["mypy", "--strict", "--config-file", str(Path(__file__).with_name("mypy.ini")),
             "--no-error-summary", "--hide-error-context", "--show-absolute-path"],
}  # fmt: skip


def warm() -> list[str]:
    """What the image has checked already, copied: mypy must be able to write its cache."""
    kept, own = Path(__file__).parent.parent / "mypy-cache", Path(tempfile.mkdtemp()) / "cache"
    if not kept.exists():
        return ["--cache-dir", str(own)]
    shutil.copytree(kept, own)
    return ["--cache-dir", str(own)]


def main(tool: str, *files: str) -> int:
    more = warm() if tool == "mypy" else []
    done = subprocess.run(  # nosec B603
        [sys.executable, "-P", "-s", "-m", *TOOLS[tool], *more, *files],
        capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    print(json.dumps({"code": done.returncode, "out": done.stdout[:200_000],
                      "err": done.stderr[-4000:]}))  # fmt: skip
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
