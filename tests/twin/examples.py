"""Keeps of GitHub's own examples of webhooks those of events that the bot or the twin knows.

    npm pack @octokit/webhooks-examples@7.6.1 && tar xzf octokit-webhooks-examples-7.6.1.tgz
    python -m tests.twin.examples package/api.github.com/index.json

Addresses are most of their bytes and say nothing: the names stay, the values go.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = "@octokit/webhooks-examples 7.6.1"
FILE = Path(__file__).parents[2] / "fixtures" / "github" / "webhooks.json.gz"
EVENTS = (
    "check_run", "deployment", "deployment_status", "issue_comment", "issues", "ping",
    "pull_request", "pull_request_review", "pull_request_review_comment", "push", "release",
    "repository_dispatch", "status", "workflow_dispatch",
)  # fmt: skip


def pruned(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {k: pruned(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [pruned(v) for v in value]
    address = isinstance(value, str) and (name.endswith("_url") or name == "url")
    return "" if address else value


@cache
def examples() -> dict[str, list[dict[str, Any]]]:
    """By the name of the event."""
    found: dict[str, list[dict[str, Any]]] = json.loads(gzip.decompress(FILE.read_bytes()))[
        "events"
    ]
    return found


def main() -> None:
    raw = Path(sys.argv[1]).read_bytes()
    found = {e["name"]: pruned(e["examples"]) for e in json.loads(raw) if e["name"] in EVENTS}
    kept = {"source": SOURCE, "sha256": hashlib.sha256(raw).hexdigest(), "events": found}
    text = json.dumps(kept, separators=(",", ":"), sort_keys=True).encode()
    FILE.write_bytes(gzip.compress(text, mtime=0))
    print(f"{FILE}: {sum(map(len, found.values()))} examples, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
