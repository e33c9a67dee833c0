"""Starts a twin: loopback only, one ready line on stdout, an end on SIGTERM."""

from __future__ import annotations

import signal
import threading
from functools import partial
from pathlib import Path

from bot.twin import hooks, telling
from bot.twin.actions.runner import Runner
from bot.twin.app import App
from bot.twin.faults import Faults
from bot.twin.githttp import git_routes
from bot.twin.pages.serve import page_routes
from bot.twin.repair import repair
from bot.twin.seed import plant
from bot.twin.site import Site, open_site
from bot.twin.wire import Wire

HOST = "127.0.0.1"


def run(port: int, data: Path, seed: Path | None, executor: str) -> None:
    wire = _bound(port)
    site = open_site(data, f"http://{HOST}:{wire.port}")
    site.executor = executor
    if seed is not None or not _planted(site):
        plant(site, seed)
    repair(site)
    stop = site.stopping
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    app = Faults(App(site, [*git_routes(site), *page_routes()]), site)
    threading.Thread(target=wire.serve, args=(app,), daemon=True).start()
    runner = Runner(site)
    for work in (partial(telling.forever, site), partial(hooks.forever, site), runner.forever):
        threading.Thread(target=work, args=(stop,), daemon=True).start()
    print(f"twin ready at {site.url}", flush=True)
    stop.wait()
    runner.pool.shutdown(cancel_futures=True)


def _bound(port: int) -> Wire:
    try:
        return Wire(HOST, port)
    except OSError as error:
        why = f"Port {port} of this machine cannot be had ({error.strerror})."
        raise ValueError(f"{why} Choose another with --port; 0 takes a free one.") from None


def _planted(site: Site) -> bool:
    return site.store.reader.execute("SELECT 1 FROM users").fetchone() is not None
