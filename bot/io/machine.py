"""What this machine brings along: git and a Docker engine."""

from __future__ import annotations

import subprocess

import docker
from docker.errors import DockerException

SECONDS = 10


def git() -> str:
    """Empty when it is here; else what is wrong."""
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"git does not run: {type(error).__name__}"
    return "" if done.returncode == 0 else f"git fails with {done.returncode}"


def engine() -> str:
    try:
        docker.from_env(timeout=SECONDS).ping()
    except (DockerException, OSError) as error:
        return f"No Docker engine answers: {type(error).__name__}"
    return ""
