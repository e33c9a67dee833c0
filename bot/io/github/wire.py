"""Every request to GitHub passes here: paced, conditional, cleaned, sent once, and its no named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from github.Auth import Token
from github.Requester import (
    HTTPRequestsConnectionClass,
    HTTPSRequestsConnectionClass,
    Requester,
)
from urllib3 import Retry

from bot.io.clock import Clock
from bot.io.github.fit import fit
from bot.ports import Rejected, Unavailable

PAGE = 100
KEPT = 256
MINUTE = 60
"""What GitHub asks for after a secondary limit that names no time."""

READ_AGAIN = Retry(
    total=1, redirect=0, other=0, backoff_factor=0, allowed_methods={"GET"},
    status_forcelist={500, 502, 504}, raise_on_status=False, respect_retry_after_header=False,
)  # fmt: skip
"""PyGithub's own retry repeats a POST too. A write that got no answer may have been done."""


class Refused(Rejected):
    """GitHub understood and said no. Callers that know what a status means look at it."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True)
class Answer:
    headers: dict[str, Any]
    body: str


class Wire(Requester):
    """PyGithub sends everything through `requestJson`, so this one method holds all the rules."""

    def __init__(
        self, token: str, base_url: str, clock: Clock, spacing: float, timeout: int
    ) -> None:
        super().__init__(
            Token(token), base_url, timeout, "stratbot", PAGE, True, READ_AGAIN, None, lazy=True
        )
        self.token, self.clock, self.spacing = token, clock, spacing
        self.base, self.patience = base_url, timeout
        self.kept: dict[str, Answer] = {}
        self.next_write = self.closed_until = 0.0
        self.sent = self.free = 0

    def requestJson(
        self,
        verb: str,
        url: str,
        parameters: dict[str, Any] | None = None,
        headers: dict[str, Any] | None = None,
        input: Any | None = None,
        cnx: HTTPRequestsConnectionClass | HTTPSRequestsConnectionClass | None = None,
        follow_302_redirect: bool = False,
    ) -> tuple[int, dict[str, Any], str]:
        self._pace(verb)
        what = f"{verb} {urlsplit(url).path}"
        name = json.dumps([url, parameters, headers], sort_keys=True)
        kept = self.kept.get(name) if verb == "GET" else None
        self.sent += 1
        sent = {**(headers or {}), **({"If-None-Match": kept.headers["etag"]} if kept else {})}
        try:
            status, got, body = super().requestJson(
                verb, url, parameters, sent, self._clean(input), cnx, follow_302_redirect
            )
        except (requests.RequestException, RuntimeError) as e:
            raise Unavailable(f"{what}: no answer ({type(e).__name__})") from e
        finally:
            if verb != "GET":
                self.next_write = self.clock.now() + self.spacing
        if status == 304 and kept:
            self.free += 1
            return 200, kept.headers, kept.body
        if status >= 300:
            raise self._no(what, status, got, body)
        if verb == "GET" and "etag" in got:
            self._keep(name, Answer(got, body))
        return status, got, body

    def rows(self, url: str, **parameters: str) -> Iterator[object]:
        """A listing as GitHub sends it. PyGithub's objects would ask again for their raw form."""
        following: str | None = url
        asked: dict[str, Any] | None = {**parameters, "per_page": PAGE}
        while following:
            headers, page = self.requestJsonAndCheck("GET", following, parameters=asked)
            yield from page
            links = requests.utils.parse_header_links(headers.get("link", ""))
            following = next((x["url"] for x in links if x.get("rel") == "next"), None)
            asked = None

    def download(self, url: str, most: int) -> bytes:
        """A file that GitHub keeps elsewhere: it sends us there, and our token stays here."""
        self._pace("GET")
        self.sent += 1
        signed = {"Authorization": f"token {self.token}", "User-Agent": "stratbot"}
        try:
            with requests.get(
                f"{self.base}{url}", headers=signed, timeout=self.patience, stream=True
            ) as got:
                body = got.raw.read(most + 1, decode_content=True)
        except (requests.RequestException, urllib3.exceptions.HTTPError) as e:
            raise Unavailable(f"GET {url}: no answer ({type(e).__name__})") from e
        if got.status_code >= 300 or len(body) > most:
            raise self._no(f"GET {url}", max(got.status_code, 400), got.headers, "no such file")
        return bytes(body)

    def outgoing(self, text: str) -> str:
        """As it will be sent: never our token, never too long."""
        return fit(text.replace(self.token, "***") if self.token else text)

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                return value.replace(self.token, "***") if self.token else value
            case {"body": str(body), **rest}:
                return {"body": self.outgoing(body), **self._clean(rest)}
            case Mapping():
                return {k: self._clean(v) for k, v in value.items()}
            case list() | tuple():
                return [self._clean(v) for v in value]
        return value

    def _pace(self, verb: str) -> None:
        now = self.clock.now()
        if now < self.closed_until:  # asking on while limited makes the limit longer
            raise Unavailable(_come_back(self.closed_until - now))
        if verb != "GET" and now < self.next_write:
            self.clock.sleep(self.next_write - now)

    def _keep(self, name: str, answer: Answer) -> None:
        self.kept.pop(name, None)
        self.kept[name] = answer
        if len(self.kept) > KEPT:
            self.kept.pop(next(iter(self.kept)))

    def _no(
        self, what: str, status: int, headers: Mapping[str, str], body: str
    ) -> Unavailable | Refused:
        wait = _limited(status, headers, body, self.clock.now())
        if wait is not None:
            self.closed_until = self.clock.now() + wait
            return Unavailable(f"{what}: {status}. {_come_back(wait)}")
        if status >= 500:
            return Unavailable(f"{what}: GitHub answered {status}")
        return Refused(status, self.outgoing(f"{_why(body)} ({what}: {status})"))


def _limited(status: int, headers: Mapping[str, str], body: str, now: float) -> float | None:
    """Seconds to stay away; None when this is no limit."""
    if status not in (403, 429, 503):
        return None
    if headers.get("retry-after", "").isdigit():
        return float(headers["retry-after"])
    if headers.get("x-ratelimit-remaining") == "0":
        return max(float(headers.get("x-ratelimit-reset", now + MINUTE)) - now, 1.0)
    if status == 429 or Requester.isRateLimitError(_why(body)):
        return MINUTE
    return None


def _come_back(seconds: float) -> str:
    return f"GitHub asks to wait; come back in {seconds:.0f} seconds"


def _why(body: str) -> str:
    """GitHub's own words: the message, then what its `errors` add."""
    try:
        said = json.loads(body)
    except ValueError:
        return body[:200]
    if not isinstance(said, dict):
        return body[:200]
    errors = said.get("errors")
    more = [_error(e) for e in errors] if isinstance(errors, list) else []
    return ": ".join([str(said.get("message", "")), *more])[:1000]


def _error(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    return str(error.get("message") or f"{error.get('field')} {error.get('code')}")
