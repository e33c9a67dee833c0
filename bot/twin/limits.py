"""GitHub's rate limits: so many requests an hour, and so many new things a minute and an hour."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from bot.twin.call import Problem

HOUR, MINUTE = 3600, 60
DOCS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"


def limited(why: str, **headers: str) -> Problem:
    problem = Problem(403, why, **headers)
    problem.body["documentation_url"] = DOCS
    return problem


def named(who: str) -> str:
    """As GitHub calls who asked too often; whoever has no name is told how to get more."""
    kind, _, key = who.partition(":")
    if kind == "nobody":
        return f"{key}. (Authenticated requests get a higher rate limit.)"
    return f"installation ID {key}." if kind == "actions" else f"user ID {key}."


@dataclass
class Window:
    reset: float
    used: int = 0


@dataclass
class Limits:
    """Zero means no limit. The secondary ones start at zero: a test that wants them sets them."""

    hourly: int = 5000
    anonymous: int = 60
    actions: int = 1000
    writes_a_minute: int = 0
    writes_an_hour: int = 0
    windows: dict[str, Window] = field(default_factory=dict)
    written: dict[str, deque[float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def limit(self, who: str) -> int:
        kind = who.partition(":")[0]
        return {"actions": self.actions, "nobody": self.anonymous}.get(kind, self.hourly)

    def window(self, who: str, now: float) -> Window:
        found = self.windows.get(who)
        if found is None or found.reset <= now:
            found = self.windows[who] = Window(now + HOUR)
        return found

    def spend(self, who: str, now: float) -> None:
        limit = self.limit(who)
        with self.lock:
            window = self.window(who, now)
            window.used += 1
            over = limit and window.used > limit
        if over:
            raise limited(f"API rate limit exceeded for {named(who)}")

    def give_back(self, who: str, now: float) -> None:
        """An answer of 304 costs nothing."""
        with self.lock:
            window = self.window(who, now)
            window.used = max(0, window.used - 1)

    def write(self, who: str, now: float) -> None:
        """The secondary limit, on requests that make content."""
        if not (self.writes_a_minute or self.writes_an_hour):
            return
        with self.lock:
            times = self.written.setdefault(who, deque())
            while times and times[0] <= now - HOUR:
                times.popleft()
            young = [at for at in times if at > now - MINUTE]
            wait = self._wait(times, young, now)
            if not wait:
                times.append(now)
        if wait:
            why = "You have exceeded a secondary rate limit. Please wait a few minutes."
            raise limited(why, Retry_After=str(wait))

    def _wait(self, times: deque[float], young: list[float], now: float) -> int:
        if self.writes_an_hour and len(times) >= self.writes_an_hour:
            return max(1, int(times[0] + HOUR - now) + 1)
        if self.writes_a_minute and len(young) >= self.writes_a_minute:
            return max(1, int(young[0] + MINUTE - now) + 1)
        return 0

    def headers(self, who: str, now: float) -> dict[str, str]:
        limit = self.limit(who) or 1_000_000
        window = self.window(who, now)
        return {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - window.used)),
            "X-RateLimit-Used": str(min(window.used, limit)),
            "X-RateLimit-Reset": str(int(window.reset)),
            "X-RateLimit-Resource": "core",
        }
