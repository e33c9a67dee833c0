"""What belongs to a run that ends or has died: its containers, its processes, its folders."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from docker.errors import APIError, NotFound

from sandbox import files, owner, state
from sandbox.container import OUT, OWNER, RUN, connect
from sandbox.job import CannotRun

STALE = 3600  # seconds after which an ended container of another machine is nobody's


def sweep() -> None:
    """Remove what dead owners left behind, and say so in the state of their runs."""
    for base, run, out in files.orphans():
        declare_killed(out, run)
        files.tear_down(base)
    try:
        client = connect()
    except CannotRun:
        return  # no engine: nothing of ours can be in it
    with contextlib.closing(client):
        for found in client.containers(all=True, filters={"label": OWNER}):
            labels = found["Labels"]
            if not _is_orphan(labels[OWNER], found["State"], found["Created"]):
                continue
            with contextlib.suppress(NotFound, APIError):
                client.remove_container(found["Id"], force=True, v=True)
            declare_killed(labels.get(OUT, ""), labels.get(RUN, ""))


def declare_killed(home: str, run: str) -> None:
    out = Path(home)
    known = state.read(out) if home else None
    if known and known.under_way and known.run == run:
        end_processes(known.containers, signal.SIGKILL)
        state.write(out, replace(known.enter("killed"), containers=()))


def end_containers(run: str, signal_name: str) -> None:
    """A signal to each container of this run, at once: one that hangs must not hold up others."""
    with contextlib.closing(connect()) as client:
        names = [c["Id"] for c in client.containers(filters={"label": f"{RUN}={run}"})]
    if names:
        with ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(lambda name: _signal(name, signal_name), names))


def remove_containers(run: str) -> None:
    with contextlib.closing(connect()) as client:
        for found in client.containers(all=True, filters={"label": f"{RUN}={run}"}):
            with contextlib.suppress(NotFound, APIError):
                client.remove_container(found["Id"], force=True, v=True)


def end_processes(names: Iterable[str], number: signal.Signals) -> None:
    """Plain processes have names that tell pid and start, so a reused pid is left alone."""
    for name in names:
        kind, _, rest = name.partition("-")
        pid, _, start = rest.partition("-")
        if kind == "process" and pid.isdecimal() and owner.started_at(int(pid)) == start:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(int(pid), number)


def _signal(name: str, signal_name: str) -> None:
    """An engine does not answer a kill while the owner leaves the pipe full: wait, not for ever."""
    gone = contextlib.suppress(NotFound, APIError, OSError)
    with contextlib.closing(connect(seconds=5)) as client, gone:
        client.kill(name, signal_name)


def _is_orphan(whose: str, status: str, created: float) -> bool:
    if owner.is_elsewhere(whose):
        return status != "running" and time.time() - created > STALE
    return owner.is_dead(whose)
