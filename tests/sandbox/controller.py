"""A program that controls a run, so that a test can cancel it, kill it or let it finish."""

import sys
from pathlib import Path

from sandbox import lifecycle
from sandbox.engine import DockerEngine, Engine, Lost, ProcessEngine
from sandbox.lifecycle import Run
from tests.sandbox.jobs import python

WORKER = """
import signal, sys
if {deaf}: signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('up', flush=True)
while True: signal.pause()
"""


def chosen(image: str, run: Run) -> Engine:
    return DockerEngine(image, ledger=run) if image != "process" else ProcessEngine(run)


def main(out: str, image: str, deaf: str) -> None:
    """Prints `up` when its worker is, then waits for the worker's end, which only others bring."""
    with lifecycle.run(Path(out)) as run:
        job = python(WORKER.format(deaf=deaf == "deaf"), seconds=120)
        with chosen(image, run).start(job) as running:
            print(running.receive(30).decode(), flush=True)
            try:
                running.receive(100)
            except Lost:
                print(running.wait().reason, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
