"""50 clients write 5,000 issues and comments at once: nothing lost, no number twice, how fast.

    make bench-twin

Every client sends its next request when it has the whole answer to the last. All of them live in
one process and one thread, so that what is measured is the twin and not who measures it.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import selectors
import socket
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.twin.running import Twin

CLIENTS, WRITES, COMMENTS = 50, 5000, 4
LIMIT_MS = 50.0
USERS = "users:\n" + "".join(f"  - {{login: user-{n}, token: token-{n}}}\n" for n in range(CLIENTS))
SEED = USERS + "repos:\n  - {owner: user-0, name: desk, auto_init: true}\n"
BODY = b'{"title":"One of many","body":"' + b"x" * 400 + b'"}'
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n", re.IGNORECASE)
NUMBER, KEY = re.compile(rb'"number":(\d+)'), re.compile(rb'"id":(\d+)')


@dataclass
class Client:
    """An issue, then four comments on it, and so on: `made` is what, its number, seconds."""

    who: int
    sock: socket.socket
    share: int
    issue: int = 0
    sent: float = 0.0
    got: bytes = b""
    made: list[tuple[str, int, float]] = field(default_factory=list)

    def send(self) -> None:
        comments = len(self.made) % (COMMENTS + 1)
        path = f"/repos/user-0/desk/issues{f'/{self.issue}/comments' if comments else ''}"
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: token token-{self.who}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
        )
        self.got, self.sent = b"", time.perf_counter()
        self.sock.sendall(head.encode() + BODY)

    def read(self) -> bool:
        """Whether the answer is whole now."""
        part = self.sock.recv(65_536)
        if not part:
            raise SystemExit(f"client {self.who} was hung up on after {len(self.made)} writes")
        self.got += part
        head, whole, body = self.got.partition(b"\r\n\r\n")
        length = LENGTH.search(head + b"\r\n")
        return bool(whole and length and len(body) >= int(length[1]))

    def note(self) -> None:
        took = time.perf_counter() - self.sent
        head, _, body = self.got.partition(b"\r\n\r\n")
        kind = "comment" if len(self.made) % (COMMENTS + 1) else "issue"
        found = (KEY if kind == "comment" else NUMBER).search(body)
        if b" 201 " not in head[:15] or found is None:
            raise SystemExit(f"{kind}: {self.got[:500]!r}")
        if kind == "issue":
            self.issue = int(found[1])
        self.made.append((kind, int(found[1]), took))


def drive(port: int) -> list[tuple[str, int, float]]:
    clients = []
    with selectors.DefaultSelector() as select:
        for n in range(CLIENTS):
            sock = socket.create_connection(("127.0.0.1", port))
            clients.append(Client(n, sock, WRITES // CLIENTS))
            select.register(sock, selectors.EVENT_READ, clients[-1])
        for client in clients:
            client.send()
        left = CLIENTS
        while left:
            for key, _ in select.select():
                client = key.data
                if client.read():
                    client.note()
                    if len(client.made) < client.share:
                        client.send()
                    else:
                        left -= 1
    return [row for client in clients for row in client.made]


def used(pid: int) -> tuple[float, float]:
    """Seconds that its threads had a processor, and that they were ready and had none."""
    ran = waited = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "schedstat").read_text().split()
        ran, waited = ran + int(fields[0]), waited + int(fields[1])
    return ran / 1e9, waited / 1e9


def count(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    total, page = 0, 1
    while True:
        path = f"/repos/user-0/desk/issues?state=all&per_page=100&page={page}"
        connection.request("GET", path, headers={"Authorization": "token token-0"})
        rows = json.loads(connection.getresponse().read())
        if not rows:
            return total
        total += len(rows) + sum(row["comments"] for row in rows)
        page += 1


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Twin(Path(folder), SEED) as twin:
        before = used(twin.process.pid)
        began, mine = time.perf_counter(), time.process_time()
        made = drive(twin.port)
        whole, mine = time.perf_counter() - began, time.process_time() - mine
        after = used(twin.process.pid)
        kept = count(twin.port)
    times = sorted(took * 1000 for _, _, took in made)
    p95 = times[int(len(times) * 0.95)]
    twice = len(made) - len({(kind, number) for kind, number, _ in made})
    each = [1000 * (a - b) / len(made) for a, b in zip(after, before, strict=True)]
    print(
        f"{len(made)} writes by {CLIENTS} clients in {whole:.1f} s: "
        f"median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms, longest {times[-1]:.1f} ms; "
        f"lost {len(made) - kept}, numbers twice {twice}\n"
        f"per write: {1000 * whole / len(made):.2f} ms, of which the twin had a processor "
        f"{each[0]:.2f} ms and waited for one {each[1]:.2f} ms; the clients took "
        f"{1000 * mine / len(made):.2f} ms; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    if len(made) != WRITES or kept != WRITES or twice or p95 >= LIMIT_MS:
        sys.exit(f"must be: {WRITES} kept, none twice, p95 below {LIMIT_MS:.0f} ms")


if __name__ == "__main__":
    main()
