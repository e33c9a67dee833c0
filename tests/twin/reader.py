"""A browser without scripts and without eyes: cookies, forms, and the elements of a page."""

from __future__ import annotations

import http.cookiejar
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

from tests.twin.running import Twin

Fields = Mapping[str, str | Sequence[str]]


class Elements(HTMLParser):
    """Every element that a browser would make, with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {k: v or "" for k, v in attrs}))
        self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.words.append(" ")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@dataclass(frozen=True)
class Seen:
    status: int
    headers: Mapping[str, str]
    text: str
    url: str
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    words: str = ""

    def every(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        return [a for t, a in self.elements if t == tag and wanted.items() <= a.items()]


class Reader:
    def __init__(self, twin: Twin, login: str = "") -> None:
        self.url, self.jar = twin.url, http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self.jar)
        self.opener = urllib.request.build_opener(handler)
        if login:
            assert self.post("/login", {"login": login}, on="/login").status == 200

    def get(self, path: str, **headers: str) -> Seen:
        return self._open(urllib.request.Request(self.url + path, headers=_browser(headers)))

    def token(self, page: str) -> str:
        found = self.get(page).every("input", name="token")
        return found[0]["value"] if found else ""

    def post(self, path: str, fields: Fields, on: str = "/", **headers: str) -> Seen:
        """Sends the form that is on a page, with the token that the page has."""
        sent = {"token": self.token(on), **fields}
        own = {"Origin": self.url, **headers}
        body = urlencode(sent, doseq=True).encode()
        return self._open(urllib.request.Request(self.url + path, body, _browser(own)))

    def _open(self, request: urllib.request.Request) -> Seen:
        try:
            with self.opener.open(request, timeout=20) as answer:
                return _seen(answer.status, dict(answer.headers), answer.read(), answer.url)
        except urllib.error.HTTPError as error:
            return _seen(error.code, dict(error.headers.items()), error.read(), str(error.url))


def _browser(headers: Mapping[str, str]) -> dict[str, str]:
    return {"Accept": "text/html", **{k.replace("_", "-"): v for k, v in headers.items()}}


def _seen(status: int, headers: Mapping[str, str], body: bytes, url: str) -> Seen:
    text = body.decode(errors="replace")
    parsed = Elements(text)
    return Seen(status, headers, text, url, parsed.found, " ".join("".join(parsed.words).split()))
