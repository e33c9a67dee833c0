"""A real twin in a process of its own, on a free port."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

SEED = """
users:
  - {login: octocat, token: token-of-octocat}
  - {login: hubot, token: token-of-hubot}
  - {login: monalisa, token: token-of-monalisa}
  - {login: stranger, token: token-of-stranger}
  - {login: root, token: token-of-root, site_admin: true}
"""


class Twin:
    """Use it as a context: leaving ends the process."""

    def __init__(self, data: Path, seed: str = SEED, *more: str) -> None:
        self.data, self.more = data, more
        self.url, self.port, self.env = "", 0, dict[str, str]()
        self.numbers = itertools.count(1)
        (data / "seed.yaml").write_text(seed)

    def start(self) -> Twin:
        command = [
            sys.executable, "-m", "bot", "twin", "--port", str(self.port), "--data",
            str(self.data), "--seed", str(self.data / "seed.yaml"), *self.more,
        ]  # fmt: skip
        log = (self.data / "log").open("a")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=self._environment()
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("twin ready at "), (self.data / "log").read_text()
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])
        return self

    def _environment(self) -> dict[str, str]:
        """One that runs jobs is kept quick: its lines are measured by the tests of its parts."""
        measured = not self.more
        kept = {k: v for k, v in os.environ.items() if measured or not k.startswith("COVERAGE_")}
        return {**kept, **self.env}

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def __enter__(self) -> Twin:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.process.terminate()
        self.process.wait(20)
