"""The sandbox's image: built when what goes into it has changed, without network in the build."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import docker
from docker.errors import APIError

from sandbox import base_image
from sandbox.container import connect
from sandbox.job import CannotRun

ROOT = Path(__file__).parent.parent
NAME = "stratbot-sandbox"
RECIPE = {"Dockerfile": "sandbox/Dockerfile", "requirements.lock": "sandbox/requirements.lock"}
# Our files in the image, at the same place under /opt/stratbot; those that exist are taken.
INSIDE = (
    "adapters/*.py",
    "simbroker/*.py",
    "strategies/__init__.py",
    "strategies/template.py",
    "sandbox/__init__.py",
    "sandbox/worker.py",
    "sandbox/syscalls.py",
    "sandbox/static_tools.py",
    "sandbox/own_tests.py",
    "sandbox/trials.py",
    "sandbox/mypy.ini",
)
WHEEL_SYSTEMS = ("manylinux_2_28", "manylinux_2_17", "manylinux2014", "linux")


def ensure() -> str:
    """The tag of an image made from exactly these files; built first where it is missing."""
    client = connect(seconds=900)
    with contextlib.closing(client):
        files = ingredients()
        tag = f"{NAME}:{digest(files)}"
        if base_image.present(client, tag):
            return tag
        with _one_builder(), _said_clearly():
            if not base_image.present(client, tag):
                _build(client, tag, files)
    return tag


def ingredients() -> dict[str, bytes]:
    """Name in the build's context -> content."""
    paths = {name: ROOT / path for name, path in RECIPE.items()}
    for pattern in INSIDE:
        paths |= {f"stratbot/{p.relative_to(ROOT).as_posix()}": p for p in ROOT.glob(pattern)}
    return {name: path.read_bytes() for name, path in sorted(paths.items())}


def digest(files: dict[str, bytes]) -> str:
    lines = (f"{hashlib.sha256(content).hexdigest()} {name}\n" for name, content in files.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def _build(client: docker.APIClient, tag: str, files: dict[str, bytes]) -> None:
    base = base_image.ensure(client)
    say(f"building {tag} on {base}")
    machine = str(client.info()["Architecture"])
    wheels = download(files["requirements.lock"], machine)
    steps = client.build(
        fileobj=context(files, wheels),
        custom_context=True,
        tag=tag,
        buildargs={"BASE": base},
        network_mode="none",
        rm=True,
        forcerm=True,
        decode=True,
    )
    told: list[str] = []
    for step in steps:
        told.append(str(step.get("stream", "")))
        if "error" in step:
            raise CannotRun(f"the image was not built: {step['error']}\n{''.join(told[-20:])}")


def context(files: dict[str, bytes], wheels: Path) -> IO[bytes]:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, content in files.items():
            _add(tar, name, content)
        for wheel in sorted(wheels.glob("*.whl")):
            _add(tar, f"wheels/{wheel.name}", wheel.read_bytes())
    packed.seek(0)
    return packed


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o644
    tar.addfile(entry, io.BytesIO(content))


def download(lock: bytes, machine: str) -> Path:
    """The locked wheels for Python 3.11 on Linux, kept per lock so that they come only once."""
    kept = cache() / f"wheels-{machine}-{hashlib.sha256(lock).hexdigest()[:12]}"
    if kept.exists():
        return kept
    partial = kept.with_suffix(".partial")
    partial.mkdir(exist_ok=True)
    listed = partial / "requirements.lock"
    listed.write_bytes(lock)
    systems = [o for s in WHEEL_SYSTEMS for o in ("--platform", f"{s}_{machine}")]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--only-binary=:all:", "--require-hashes", "--no-deps", "--python-version", "3.11",
         "--implementation", "cp", *systems, "--dest", str(partial), "-r", str(listed)],
        capture_output=True,
        text=True,
    )  # fmt: skip
    if done.returncode:
        raise CannotRun(f"the sandbox's packages cannot be downloaded: {done.stderr[-2000:]}")
    partial.rename(kept)
    return kept


def cache() -> Path:
    place = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stratbot"
    place.mkdir(parents=True, exist_ok=True)
    return place


@contextlib.contextmanager
def _one_builder() -> Iterator[None]:
    with (cache() / "image.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _said_clearly() -> Iterator[None]:
    try:
        yield
    except (OSError, APIError) as error:
        raise CannotRun(f"the image was not built: {error}") from error
    except CannotRun as error:
        if "no space left" in str(error).lower():
            raise CannotRun(f"the disk is full; run `docker system prune`. {error}") from error
        raise


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        print(ensure())
    except CannotRun as problem:
        sys.exit(f"sandbox image: {problem}")
