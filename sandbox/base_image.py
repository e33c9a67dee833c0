"""The image below the sandbox's: the usual one, or its like made from Debian packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import docker
from docker.errors import APIError

from sandbox.job import CannotRun

USUAL = "python:3.11-slim"
SUITE = "bookworm"  # the Debian release whose python3 is 3.11
PACKAGES = ("ca-certificates", "python3", "python3-venv", "tzdata")
NOT_NEEDED = (
    "./var/cache/apt/*",
    "./var/lib/apt/lists/*",
    "./usr/share/doc/*",
    "./usr/share/man/*",
)
MADE = f"stratbot-base:{SUITE}"


def ensure(client: docker.APIClient) -> str:
    if present(client, USUAL) or _pulled(client):
        return USUAL
    if not present(client, MADE):
        print(
            f"{USUAL} cannot be pulled here; making {MADE} from Debian packages instead",
            file=sys.stderr,
            flush=True,
        )
        _make(client)
    return MADE


def present(client: docker.APIClient, name: str) -> bool:
    return bool(client.images(name))


def _pulled(client: docker.APIClient) -> bool:
    name, tag = USUAL.split(":")
    try:
        client.pull(name, tag=tag)
    except APIError:
        return False
    return present(client, USUAL)


def _make(client: docker.APIClient) -> None:
    program = _debootstrap()
    with tempfile.TemporaryDirectory(prefix="stratbot-base-") as folder:
        packages = ",".join(PACKAGES)
        _run(program, "--variant=minbase", f"--include={packages}", SUITE, folder)
        _bring_in(client, Path(folder))


def _debootstrap() -> str:
    if os.geteuid():
        raise CannotRun(
            f"{USUAL} cannot be pulled, and only root can make a base from Debian packages; "
            f"run `docker pull {USUAL}` where a registry is reachable, or `sudo make sandbox-image`"
        )
    found = shutil.which("debootstrap")
    if not found and shutil.which("apt-get"):
        _run("apt-get", "update", "--quiet=2")
        _run("apt-get", "install", "--quiet=2", "--yes", "--no-install-recommends", "debootstrap")
        found = shutil.which("debootstrap")
    if not found:
        raise CannotRun(
            f"{USUAL} cannot be pulled and debootstrap is not installed; "
            "install debootstrap, or pull the image where a registry is reachable"
        )
    return found


def _bring_in(client: docker.APIClient, folder: Path) -> None:
    name, tag = MADE.split(":")
    left_out = [f"--exclude={pattern}" for pattern in NOT_NEEDED]
    packed = subprocess.Popen(
        ["tar", "--directory", str(folder), "--create", *left_out, "."], stdout=subprocess.PIPE
    )
    with packed:
        client.import_image_from_stream(packed.stdout, repository=name, tag=tag)
    if packed.returncode:
        raise CannotRun(f"the base image could not be packed: tar ended with {packed.returncode}")


def _run(*command: str) -> None:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    if done.returncode:
        raise CannotRun(
            f"`{' '.join(command)}` failed; see what it says and try again: "
            f"{(done.stderr or done.stdout)[-1500:]}"
        )
