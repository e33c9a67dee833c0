"""Containers that a stranger's code may run in; nothing of the host is in them but the job."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.types import LogConfig, Ulimit

from sandbox import owner
from sandbox.container import OUT, OWNER, RUN, Container, ContainerWire, connect
from sandbox.files import TMP, WORK, lay_out, tear_down
from sandbox.held import Held
from sandbox.job import (
    Cancelled,
    CannotRun,
    Ended,
    Engine,
    Job,
    Ledger,
    Lost,
    Running,
    Unwatched,
)
from sandbox.limits import Limits
from sandbox.process_engine import ProcessEngine

__all__ = [
    "Cancelled", "CannotRun", "DockerEngine", "Ended", "Engine", "Job", "Lost", "ProcessEngine",
    "Running",
]  # fmt: skip

USER = 10001  # the user of the image, see the Dockerfile
INODES = 1024
ULIMITS = {"nofile": 256, "core": 0, "fsize": 16 << 20}
FAKETIME = "/opt/stratbot/lib/libfaketime.so.1"


class DockerEngine:
    isolated = True

    def __init__(
        self, image: str, limits: Limits | None = None, ledger: Ledger | None = None
    ) -> None:
        self._image = image
        self._limits = limits or Limits()
        self._ledger = ledger or Unwatched()

    def start(self, job: Job) -> Held:
        if self._ledger.ordered():
            raise Cancelled(f"{job.name} was not started: this run was asked to end")
        client = connect()
        base = lay_out(job.files, self._ledger)
        try:
            container = Container(client, self._create(client, job, base), base)
        except BaseException:
            tear_down(base)
            client.close()
            raise
        self._ledger.opened(container.name)
        try:
            wire = ContainerWire(client, container.name)
            client.start(container.name)
            held = Held(container, wire, job, self._ledger)
        except BaseException as error:
            container.remove()
            self._ledger.closed(container.name)
            if isinstance(error, DockerException):
                raise CannotRun(f"the container of {job.name} did not start: {error}") from error
            raise
        return held.unless_told_to_end()

    def run(self, job: Job, stdin: bytes = b"") -> Ended:
        with self.start(job) as running:
            return running.wait(stdin)

    def _create(self, client: docker.APIClient, job: Job, base: Path) -> str:
        name = f"stratbot-{self._ledger.id}-{_plain(job.name)}-{secrets.token_hex(4)}"
        try:
            client.create_container(
                self._image,
                list(job.command),
                name=name,
                hostname=job.hostname,
                user=f"{USER}:{USER}",
                stdin_open=True,
                working_dir=job.workdir,
                environment=_environment(job),
                labels={RUN: self._ledger.id, OWNER: owner.me(), OUT: self._ledger.home},
                host_config=_host_config(client, job, self._limits, base),
                network_disabled=True,
                use_config_proxy=False,  # the host's proxies are the host's
            )
        except ImageNotFound:
            raise CannotRun(
                f"the image {self._image} is missing; run `make sandbox-image`"
            ) from None
        except APIError as error:
            raise CannotRun(f"no container for {job.name}: {error.explanation}") from error
        return name


def _host_config(
    client: docker.APIClient, job: Job, limits: Limits, base: Path
) -> dict[str, object]:
    tmpfs = f"rw,noexec,nosuid,nodev,size={job.scratch},nr_inodes={INODES}"
    config: dict[str, object] = client.create_host_config(
        binds={str(base / WORK): {"bind": f"/{WORK}", "mode": "ro"}},
        network_mode="none",
        mem_limit=limits.memory,
        memswap_limit=limits.memory,
        nano_cpus=int((job.cpus or limits.cpus) * 1e9),
        pids_limit=limits.pids,
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        ipc_mode="none",
        ulimits=[Ulimit(name=n, soft=v, hard=v) for n, v in ULIMITS.items()],
        # `mode` is ignored over a folder that exists, `uid` is not.
        tmpfs={f"/{TMP}": f"{tmpfs},mode=0700,uid={USER},gid={USER}"},
        log_config=LogConfig(type="none"),
        init=True,  # reaps zombies, so that they cannot eat the process limit
    )
    return config


def _environment(job: Job) -> dict[str, str]:
    if not job.clock_shift:
        return dict(job.env)
    shift = {
        "LD_PRELOAD": FAKETIME,
        "FAKETIME": f"{job.clock_shift:+d}",
        "DONT_FAKE_MONOTONIC": "1",  # deadlines and waits keep their meaning
        "NO_FAKE_STAT": "1",  # compiled modules keep theirs
    }
    return {**job.env, **shift}


def _plain(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_.-]+", "-", name)[:40] or "job"
