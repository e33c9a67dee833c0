"""HTTP as it really comes: in pieces, several at once, wrong; and writes that are done together."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.twin.desk import Desk


@contextmanager
def line(desk: Desk) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", desk.twin.port), timeout=20) as sock:
        yield sock


def request(desk: Desk, verb: str, path: str, body: bytes = b"", *more: str) -> bytes:
    head = [
        f"{verb} {desk.at(path)} HTTP/1.1", "Host: 127.0.0.1", *more,
        "Authorization: token token-of-octocat",
    ]  # fmt: skip
    if not any(x.startswith("Transfer-Encoding") for x in more):
        head.append(f"Content-Length: {len(body)}")
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def answers(sock: socket.socket, count: int) -> list[tuple[bytes, bytes]]:
    """Head and body of each; a hang-up ends it."""
    found: list[tuple[bytes, bytes]] = []
    got = b""
    while len(found) < count and (part := sock.recv(65_536)):
        got += part
        while b"\r\n\r\n" in got:
            head, _, rest = got.partition(b"\r\n\r\n")
            size = 0
            for row in head.lower().split(b"\r\n"):
                if row.startswith(b"content-length:"):
                    size = int(row.split(b":")[1])
            if len(rest) < size:
                break
            found.append((head, rest[:size]))
            got = rest[size:]
    return found


def test_requests_that_come_at_once_are_answered_in_their_order(desk: Desk) -> None:
    three = [json.dumps({"title": t}).encode() for t in "abc"]
    wire = b"".join(request(desk, "POST", "/issues", body) for body in three)
    wire += request(desk, "GET", "/issues/1") + request(desk, "POST", "/issues", three[0])
    with line(desk) as sock:
        sock.sendall(wire)
        found = [json.loads(body) for _, body in answers(sock, 5)]
    assert [(f["number"], f["title"]) for f in found] == [
        (1, "a"), (2, "b"), (3, "c"), (1, "a"), (4, "a"),
    ]  # fmt: skip


def test_a_request_in_pieces_and_in_chunks(desk: Desk) -> None:
    body = b'{"title": "in pieces"}'
    chunks = b"5\r\n" + body[:5] + b"\r\n" + f"{len(body) - 5:x}\r\n".encode() + body[5:]
    whole = request(
        desk, "POST", "/issues", chunks + b"\r\n0\r\n\r\n", "Transfer-Encoding: chunked"
    )
    with line(desk) as sock:
        for at in range(len(whole)):
            sock.sendall(whole[at : at + 1])
        [(_, made)] = answers(sock, 1)
    assert json.loads(made)["title"] == "in pieces"


def test_a_client_that_asks_first_is_told_to_go_on(desk: Desk) -> None:
    whole = request(desk, "POST", "/issues", b'{"title": "x"}', "Expect: 100-continue")
    head, _, body = whole.partition(b"\r\n\r\n")
    with line(desk) as sock:
        sock.sendall(head + b"\r\n\r\n")
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(body)
        [(said, _)] = answers(sock, 1)
    assert said.startswith(b"HTTP/1.1 201 ")


def test_a_connection_that_is_to_be_closed_is_closed(desk: Desk) -> None:
    with line(desk) as sock:
        sock.sendall(request(desk, "POST", "/issues", b'{"title": "x"}', "Connection: close"))
        [(head, _)] = answers(sock, 2)
    assert b"\r\nConnection: close" in head


@pytest.mark.parametrize(
    "sent",
    [b"gossip\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000],
    ids=["no HTTP", "endless"],
)
def test_nonsense_is_hung_up_on_and_others_go_on(desk: Desk, sent: bytes) -> None:
    with line(desk) as sock:
        try:
            sock.sendall(sent)
            assert sock.recv(100) == b""
        except ConnectionError:
            pass
    assert desk.repo().name == desk.name


def test_what_a_client_said_begins_no_header_of_its_own(desk: Desk) -> None:
    with line(desk) as sock:
        sock.sendall(request(desk, "GET", "/labels%0d%0aX-Evil:%201?per_page=1"))
        sock.sendall(request(desk, "GET", "/labels?per_page=1&x=%0d%0aX-Evil:%201"))
        heads = [head for head, _ in answers(sock, 2)]
    assert not any(row.startswith(b"X-Evil") for head in heads for row in head.split(b"\r\n"))


def test_a_head_request_has_no_body(desk: Desk) -> None:
    with line(desk) as sock:
        sock.sendall(request(desk, "HEAD", "", b"", "Connection: close"))
        got = b""
        while part := sock.recv(65_536):
            got += part
    head, _, body = got.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ") and b"Content-Length: 0" not in head and body == b""


def test_of_writes_that_come_together_a_refused_one_leaves_the_others(desk: Desk) -> None:
    bodies = [b'{"title": "a"}', b'{"title": " "}', b"{", b'{"title": "b"}']
    lines = [socket.create_connection(("127.0.0.1", desk.twin.port)) for _ in bodies]
    try:
        for sock, body in zip(lines, bodies, strict=True):
            sock.sendall(request(desk, "POST", "/issues", body))
        heads = [answers(sock, 1)[0][0].split()[1] for sock in lines]
    finally:
        for sock in lines:
            sock.close()
    assert heads == [b"201", b"422", b"400", b"201"]
    assert sorted(i.number for i in desk.repo().get_issues()) == [1, 2]
