"""`make demo`: the life of one request on this machine, with its state in a real git repository."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

from bot.events import CommentPosted, Event, IssueOpened, WorkFinished
from bot.handle import handle
from bot.io.gitref import GitRefStore
from schemas.workflow import Workflow
from tests.fakes import FakeHub
from tests.world import ISSUE, STORY, play


def told(event: Event) -> str:
    match event:
        case IssueOpened():
            return f"{event.login} opens an issue: {event.body}"
        case CommentPosted():
            return f"{event.login} types: {event.body.splitlines()[0]}"
        case WorkFinished():
            return f"a worker answers: {event.result.product.kind.replace('_', ' ')}"
    return "the bot looks around"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="stratbot-demo-") as folder:
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)
        store, hub, start = GitRefStore(folder), FakeHub(), time.monotonic()

        def deliver(event: Event) -> Workflow:
            workflow = handle(event, store, hub)
            print(f"{time.monotonic() - start:5.1f} s  {told(event):<58.58} -> {workflow.phase}")
            return workflow

        play(hub, STORY, deliver)
        print(f"\nWhat the issue shows at the end:\n\n{hub.status[ISSUE]}\n")
        states = len(list(store.history(ISSUE)))
        print(f"{states} states were kept in git as the audit log.")
        print("GitHub, the workers and the people were played by this script; the bot was real.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nstopped; nothing is left behind", file=sys.stderr)
        sys.exit(130)
