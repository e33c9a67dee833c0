"""50 clients write 5,000 issues and comments at once: nothing lost, no number twice, how fast.

    make bench-twin

The clients live in two processes of their own and keep their connections, as real ones do.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.twin.running import Twin

CLIENTS, WRITES, PROCESSES = 50, 5000, 2
LIMIT_MS = 50.0
USERS = "users:\n" + "".join(f"  - {{login: user-{n}, token: token-{n}}}\n" for n in range(CLIENTS))
SEED = USERS + "repos:\n  - {owner: user-0, name: desk, auto_init: true}\n"
Answer = tuple[str, int, float]


def client(url: str, who: int, share: int, found: list[Answer]) -> None:
    """An issue, then four comments on it, and so on: what was made, its number, seconds."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    headers = {"Authorization": f"token token-{who}", "Content-Type": "application/json"}
    issue = 0
    for n in range(share):
        kind = "comment" if n % 5 else "issue"
        path = f"/repos/user-0/desk/issues{f'/{issue}/comments' if n % 5 else ''}"
        body = json.dumps({"title": f"{who}.{n}", "body": f"{who}.{n} " + "x" * 400})
        began = time.perf_counter()
        connection.request("POST", path, body, headers)
        got = connection.getresponse()
        made = json.loads(got.read())
        took = time.perf_counter() - began
        if got.status != 201:
            raise SystemExit(f"{path}: {got.status} {made}")
        issue = made["number"] if kind == "issue" else issue
        found.append((kind, made["number"] if kind == "issue" else made["id"], took))


def some_clients(
    url: str, numbers: range, share: int, out: multiprocessing.Queue[list[Answer]]
) -> None:
    found: list[Answer] = []
    threads = [threading.Thread(target=client, args=(url, n, share, found)) for n in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    out.put(found)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Twin(Path(folder), SEED) as twin:
        out: multiprocessing.Queue[list[Answer]] = multiprocessing.Queue()
        each = CLIENTS // PROCESSES
        workers = [
            multiprocessing.Process(
                target=some_clients,
                args=(twin.url, range(n * each, (n + 1) * each), WRITES // CLIENTS, out),
            )
            for n in range(PROCESSES)
        ]
        began = time.perf_counter()
        for worker in workers:
            worker.start()
        answers = [answer for _ in workers for answer in out.get()]
        whole = time.perf_counter() - began
        busy = cpu_seconds(twin.process.pid)
        kept = count(twin.url)
    report(answers, whole, kept, busy)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def count(url: str) -> int:
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    total, page = 0, 1
    while True:
        path = f"/repos/user-0/desk/issues?state=all&per_page=100&page={page}"
        connection.request("GET", path, headers={"Authorization": "token token-0"})
        rows = json.loads(connection.getresponse().read())
        if not rows:
            return total
        total += len(rows) + sum(row["comments"] for row in rows)
        page += 1


def report(answers: list[Answer], whole: float, kept: int, busy: float) -> None:
    times = sorted(took * 1000 for _, _, took in answers)
    p95 = times[int(len(times) * 0.95)]
    twice = len(answers) - len({(kind, number) for kind, number, _ in answers})
    print(
        f"{len(answers)} writes by {CLIENTS} clients in {whole:.1f} s: "
        f"median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms, longest {times[-1]:.1f} ms; "
        f"lost {len(answers) - kept}, numbers twice {twice}; "
        f"{1000 * busy / len(answers):.2f} ms of processor per write"
    )
    if len(answers) != WRITES or kept != WRITES or twice or p95 >= LIMIT_MS:
        sys.exit(f"must be: {WRITES} kept, none twice, p95 below {LIMIT_MS:.0f} ms")


if __name__ == "__main__":
    main()
