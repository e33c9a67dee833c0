"""Starts a twin: loopback only, a fixed set of threads, one ready line on stdout."""

from __future__ import annotations

import signal
import socket
import threading
from functools import partial
from pathlib import Path

from cheroot.wsgi import Server

from bot.twin import hooks
from bot.twin.actions.runner import Runner
from bot.twin.app import App
from bot.twin.faults import Faults
from bot.twin.githttp import git_routes
from bot.twin.pages.serve import page_routes
from bot.twin.repair import repair
from bot.twin.seed import plant
from bot.twin.site import Site, open_site

HOST = "127.0.0.1"
THREADS = 16
"""A slow answer or a clone holds one; the rest go on."""


def run(port: int, data: Path, seed: Path | None, executor: str) -> None:
    server = Server((HOST, port), None, numthreads=THREADS, request_queue_size=256)
    server.shutdown_timeout = 1
    server.prepare()
    # The next twin may take this port at once, also while a client still holds a connection.
    server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    site = open_site(data, f"http://{HOST}:{server.bind_addr[1]}")
    site.executor = executor
    if seed is not None or not _planted(site):
        plant(site, seed)
    repair(site)
    server.wsgi_app = Faults(App(site, [*git_routes(site), *page_routes()]), site)
    stop = site.stopping
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    threading.Thread(target=server.serve, name="http", daemon=True).start()
    runner = Runner(site)
    for name, work in (("events", partial(hooks.forever, site)), ("runs", runner.forever)):
        threading.Thread(target=work, args=(stop,), name=name, daemon=True).start()
    print(f"twin ready at {site.url}", flush=True)
    stop.wait()
    server.stop()
    runner.pool.shutdown(cancel_futures=True)


def _planted(site: Site) -> bool:
    return site.store.reader.execute("SELECT 1 FROM users").fetchone() is not None
