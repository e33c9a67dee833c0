"""What a running twin consists of, for whoever serves a request or works behind one."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.twin.clock import Clock
from bot.twin.limits import Limits
from bot.twin.store import Row, Store

if TYPE_CHECKING:
    from bot.twin.faults import Fault


@dataclass
class Site:
    data: Path
    url: str
    store: Store
    clock: Clock = field(default_factory=Clock)
    limits: Limits = field(default_factory=Limits)
    news: threading.Event = field(default_factory=threading.Event)
    """Set when something was written that a run may have waited for."""
    events: threading.Event = field(default_factory=threading.Event)
    """Set when an event waits to be told."""
    due: threading.Event = field(default_factory=threading.Event)
    """Set when a webhook waits to be delivered."""
    locks: dict[int, threading.RLock] = field(default_factory=dict)
    guard: threading.Lock = field(default_factory=threading.Lock)
    stopping: threading.Event = field(default_factory=threading.Event)
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "later"))
    executor: str = "quick"
    faults: list[Fault] = field(default_factory=list)
    event_faults: list[dict[str, Any]] = field(default_factory=list)
    held: list[Row] = field(default_factory=list)
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """What `faults.py` was asked to break; in memory, as a fault is gone after a restart."""

    def later(self, work: Callable[[], None]) -> None:
        """After the answer, as GitHub does what takes long."""
        self.pool.submit(work)

    def folder(self, repo: Row) -> Path:
        return self.data / "git" / f"{repo['id']}.git"

    def lock(self, repo_id: int) -> threading.RLock:
        """One at a time moves refs of a repository."""
        with self.guard:
            return self.locks.setdefault(repo_id, threading.RLock())


def open_site(data: Path, url: str) -> Site:
    (data / "git").mkdir(parents=True, exist_ok=True)
    return Site(data, url, Store(data / "twin.sqlite"))


def settings(repo: Row) -> dict[str, object]:
    return dict(_settings(repo["settings"]))


def actions_enabled(repo: Row) -> bool:
    return bool(_settings(repo["settings"]).get("actions_enabled", True))


@lru_cache(maxsize=1024)
def _settings(text: str) -> dict[str, object]:
    """Asked for with every write, and changed seldom."""
    found: dict[str, object] = json.loads(text)
    return found
