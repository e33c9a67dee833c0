"""This project as a repository of the twin: what is on disk, ignored files apart."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.workflows.files import ROOT

PEOPLE = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "octocat"), ("EMAIL", "octocat@localhost"))}  # fmt: skip


def push(url: str, full_name: str, token: str, branch: str = "main") -> str:
    """Makes it the branch's only commit, whatever was there; its sha."""
    folder = packed()
    remote = f"{url.replace('://', f'://x:{token}@')}/{full_name}.git"
    git(folder, "push", "--quiet", "--force", remote, f"HEAD:refs/heads/{branch}")
    return git(folder, "rev-parse", "HEAD").strip()


@cache
def packed() -> Path:
    """One commit with everything, made once for all the tests of a process."""
    folder = Path(mkdtemp(prefix="project-"))
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all", "--", ".")
    git(folder, "commit", "--quiet", "--message", "This project")
    return folder


def git(folder: Path, *args: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_TERMINAL_PROMPT": "0", **PEOPLE}
    command = ["git", "--git-dir", str(folder / ".git"), "--work-tree", str(ROOT), *args]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
