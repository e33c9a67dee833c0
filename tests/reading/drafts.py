"""A request as `stratbot draft` answers it: a strategy file, or words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bot.desk import written_for
from bot.io.offline import OfflineWriter
from tests.requests.corpus import Question, Request, questions, requests

Files = dict[str, str]


@cache
def drafted(name: str) -> Files:
    item: Request | Question = requests().get(name) or questions()[name]
    return written_for(OfflineWriter(), item.title, item.body)


def reply(files: Files) -> str:
    """The words of an answer; none where a strategy was built."""
    return files.get("reply.md", "")


def strategy(files: Files, folder: Path) -> Path | None:
    """The file that was built; None where the answer is words."""
    if "strategy.py" not in files:
        return None
    compile(files["test_strategy.py"], "test_strategy.py", "exec")
    path = folder / "strategy.py"
    path.write_text(files["strategy.py"])
    return path
