"""This project as the repository of a story: what its jobs need, and whose facts they get."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.workflows.files import ROOT
from tests.workflows.project import git

NEEDED = ("bot", "schemas", "adapters", "simbroker", "sandbox", "strategies", ".github",
          "pyproject.toml", "requirements.lock")  # fmt: skip
BY_RULES = "tests/flow/worker.py"


QUEUED = ".github/workflows/stratbot.yml"


def push(url: str, full_name: str, token: str, worker: str = BY_RULES, queue: bool = True) -> None:
    """Without `queue` a run that waits is dropped when a newer one comes."""
    remote = f"{url.replace('://', f'://x:{token}@')}/{full_name}.git"
    git(packed(worker, queue), "push", "--quiet", "--force", remote, "HEAD:refs/heads/main")


@cache
def packed(worker: str, queue: bool) -> Path:
    """One commit; `worker` is the file that its test jobs run as `sandbox/work.py`."""
    folder = Path(mkdtemp(prefix="flow-"))
    owners = [name for name in ("CODEOWNERS", "fixtures") if (ROOT / name).exists()]
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--", *NEEDED, *owners)
    blob = git(folder, "hash-object", "-w", worker).strip()
    git(folder, "update-index", "--cacheinfo", f"100644,{blob},sandbox/work.py")
    if not queue:
        short = folder / "short.yml"
        short.write_text((ROOT / QUEUED).read_text().replace("      queue: max\n", ""))
        blob = git(folder, "hash-object", "-w", str(short)).strip()
        git(folder, "update-index", "--cacheinfo", f"100644,{blob},{QUEUED}")
    git(folder, "commit", "--quiet", "--message", "This project")
    return folder
