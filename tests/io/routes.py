"""Which function answers which request of GitHub's REST API: the part that the bot uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from tests.io.github_world import LIMIT, REPO, Json, Problem, World

ROUTES: list[tuple[str, re.Pattern[str], Callable[[World, Call], tuple[int, Any]]]] = []


@dataclass(frozen=True)
class Call:
    token: str
    path: tuple[str, ...]
    query: dict[str, str]
    body: Any

    @property
    def number(self) -> int:
        return int(self.path[0])


Handler = Callable[[World, Call], tuple[int, Any]]


def route(verb: str, pattern: str) -> Callable[[Handler], Handler]:
    def add(handler: Handler) -> Handler:
        ROUTES.append((verb, re.compile(f"/repos/{REPO}{pattern}"), handler))
        return handler

    return add


def answer(world: World, verb: str, path: str, call: Callable[..., Call]) -> tuple[int, Any]:
    for method, pattern, handler in ROUTES:
        found = pattern.fullmatch(path)
        if found and method == verb:
            return handler(world, call(tuple(unquote(g) for g in found.groups())))
    raise Problem(404, "Not Found")


def get(there: dict[int, Json], key: int) -> Json:
    if key not in there:
        raise Problem(404, "Not Found")
    return there[key]


def checked(body: str | None) -> str | None:
    if len(body or "") > LIMIT:
        raise Problem(422, "Validation Failed", f"body is too long (maximum is {LIMIT} characters)")
    return body
