"""Links to the requests, pull requests, commits and tags of a repository with a home. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9_.-]+){2,4}\Z")
LINK = Markup('<a href="{}" rel="noreferrer">{}</a>')
AND = Markup(", ")


@dataclass(frozen=True, slots=True)
class Home:
    """Where people see the repository. Without an address all of it stays text."""

    address: str = ""

    def issue(self, number: int) -> str:
        return self._link(f"issues/{number}", f"#{number}")

    def pull(self, number: int) -> str:
        return self._link(f"pull/{number}", f"#{number}")

    def commit(self, sha: str) -> str:
        return self._link(f"commit/{quote(sha, safe='')}", sha[:12])

    def tag(self, name: str) -> str:
        return self._link(f"releases/tag/{quote(name)}", name)

    def _link(self, path: str, text: str) -> str:
        """Markup is a str that templates do not escape again: what it is made of is escaped."""
        return LINK.format(f"{self.address}/{path}", text) if self.address else text


def home(candidates: Iterable[str]) -> Home:
    """The first that is the address of a repository; anything else is nobody's home."""
    return Home(next((a for a in candidates if ADDRESS.match(a)), ""))


def listed(cells: Iterable[str]) -> Markup:
    return AND.join(cells)
