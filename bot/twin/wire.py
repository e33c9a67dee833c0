"""HTTP on the wire: one thread reads whole requests, and sends each to where it is done.

Quick writes that have come together are done together, on this very thread, with one commit: what
50 clients ask for costs little more than their own statements. All else is done by a few threads,
each of which holds a connection until its answer is out.
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
from collections import deque
from queue import SimpleQueue
from typing import Protocol

import httptools

from bot.twin.app import Turn
from bot.twin.asked import Asked, Headers, written
from bot.twin.call import Answer

LOG = logging.getLogger("twin")
THREADS = 16
"""A slow answer or a clone holds one; the rest go on."""
WAITING = 256
MUCH = 65_536
PATIENCE = 60.0


class Torn(Exception):
    """The connection is closed instead of an answer."""


class Work(Protocol):
    def quick(self, asked: Asked) -> Turn | None: ...
    def together(self, turns: list[Turn]) -> list[Answer] | None: ...
    def __call__(self, asked: Asked) -> Answer: ...


class Line:
    """One client's connection: bytes in, requests out. The parser calls what begins with `on_`."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.parser = httptools.HttpRequestParser(self)
        self.asked: deque[Asked] = deque()
        self.last = False
        self._begin()

    def _begin(self) -> None:
        self.target, self.headers, self.parts = b"", dict[str, str](), list[bytes]()
        self.head = 0

    def on_url(self, part: bytes) -> None:
        self.target += part

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("utf-8", "replace")

    def on_headers_complete(self) -> None:
        self.head = 0
        if self.headers.get("expect", "").lower() == "100-continue":
            self.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, part: bytes) -> None:
        self.parts.append(part)

    def on_message_complete(self) -> None:
        verb, target = self.parser.get_method().decode(), self.target.decode("utf-8", "replace")
        self.last = not self.parser.should_keep_alive()
        self.asked.append(Asked(verb, target, Headers(self.headers), b"".join(self.parts)))
        self._begin()

    def read(self) -> bool:
        """Whether the client is still there and makes sense."""
        try:
            got = self.sock.recv(MUCH)
            self.head += len(got)
            if got:
                self.parser.feed_data(got)
        except BlockingIOError:
            return True
        except httptools.HttpParserUpgrade:  # an offer that need not be taken
            self.last = True
        except (OSError, httptools.HttpParserError):
            return False
        return bool(got) and (self.head <= MUCH or bool(self.parts))

    def write(self, answer: Answer, verb: str) -> bool:
        """Whether the connection goes on. What does not fit at once is waited for."""
        text = written(answer, verb, self.last and not self.asked)
        try:
            sent = self.sock.send(text)
            if sent < len(text):
                self.sock.settimeout(PATIENCE)
                self.sock.sendall(text[sent:])
                self.sock.setblocking(False)
        except OSError:
            return False
        return not self.last or bool(self.asked)


class Wire:
    def __init__(self, host: str, port: int) -> None:
        self.door = socket.create_server((host, port), backlog=WAITING)
        self.door.setblocking(False)
        self.port = int(self.door.getsockname()[1])
        self.bell, self.ear = socket.socketpair()
        self.ear.setblocking(False)
        self.back: deque[Line] = deque()
        self.queue: SimpleQueue[tuple[Line, Asked]] = SimpleQueue()
        self.select = selectors.DefaultSelector()

    def serve(self, work: Work) -> None:
        """For ever; the process ends it."""
        self.work = work
        for n in range(THREADS):
            threading.Thread(target=self._work, name=f"answer-{n}", daemon=True).start()
        for sock in (self.door, self.ear):
            self.select.register(sock, selectors.EVENT_READ)
        while True:
            ready = []
            for key, _ in self.select.select():
                if key.fileobj is self.door:
                    self._accept()
                elif key.fileobj is self.ear:
                    self.ear.recv(MUCH)
                elif not key.data.read():
                    self._close(key.data)
                elif key.data.asked:
                    ready.append(key.data)
            self._do(ready + self._returned())

    def _accept(self) -> None:
        try:
            sock, _ = self.door.accept()
        except OSError:
            return
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.select.register(sock, selectors.EVENT_READ, Line(sock))

    def _close(self, line: Line) -> None:
        self.select.unregister(line.sock)
        line.sock.close()

    def _do(self, ready: list[Line]) -> None:
        while ready:
            quick: list[tuple[Line, Asked, Turn]] = []
            for line in ready:
                asked = line.asked.popleft()
                turn = self.work.quick(asked)
                if turn is None:
                    self._hand_over(line, asked)
                else:
                    quick.append((line, asked, turn))
            answers = self.work.together([turn for _, _, turn in quick]) if quick else []
            if answers is None:  # somebody holds the writer: wait for it elsewhere
                for line, asked, _ in quick:
                    self._hand_over(line, asked)
                return
            ready = []
            for (line, asked, _), answer in zip(quick, answers, strict=True):
                if not line.write(answer, asked.verb):
                    self._close(line)
                elif line.asked:
                    ready.append(line)

    def _hand_over(self, line: Line, asked: Asked) -> None:
        self.select.unregister(line.sock)
        self.queue.put((line, asked))

    def _work(self) -> None:
        while True:
            line, asked = self.queue.get()
            try:
                good = line.write(self.work(asked), asked.verb)
            except Torn:
                good = False
            except Exception:
                LOG.exception("%s %s", asked.verb, asked.target)
                good = line.write(Answer(500), asked.verb)
            if not good:
                line.sock.close()
                continue
            self.back.append(line)
            self.bell.send(b"!")

    def _returned(self) -> list[Line]:
        found = []
        while self.back:
            line = self.back.popleft()
            self.select.register(line.sock, selectors.EVENT_READ, line)
            if line.asked:
                found.append(line)
        return found
