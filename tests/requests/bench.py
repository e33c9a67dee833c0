"""How long a draft takes, from a request's words to its files, for every request of the corpus.

python -m tests.requests.bench
"""

import statistics
import subprocess
import sys
import time

from bot.desk import written_for
from bot.io.offline import OfflineWriter
from tests.requests.corpus import questions, requests


def main() -> int:
    items = [(i.title, i.body) for i in requests().values()]
    items += [(i.title, i.body) for i in questions().values()]
    writer, seconds = OfflineWriter(), list[float]()
    for title, body in items:
        started = time.perf_counter()
        written_for(writer, title, body)
        seconds.append(time.perf_counter() - started)
    seconds.sort()
    bare = _of(["-c", "pass"])
    whole = _of(["-m", "bot", "--help"])
    print(f"{len(items)} requests, one process: mean {statistics.mean(seconds):.3f} s,")
    print(f"  median {statistics.median(seconds):.3f} s, slowest {seconds[-1]:.3f} s")
    print(f"start of the command: {whole:.2f} s, {whole / bare:.0f} times an empty Python")
    return 0


def _of(words: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    raise SystemExit(main())
