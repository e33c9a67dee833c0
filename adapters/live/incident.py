"""What a machine tells of a run that was stopped: a bar, the decision on it, and its audit log."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from adapters.live.book import when
from adapters.live.parity import Difference
from adapters.live.port import Bar
from adapters.live.runner import Runner
from bot.live.refused import Code
from schemas.contract import Contract
from schemas.live import Incident

BARS, LINES = 10, 15
"""How many bars before it, and how many last lines of the audit log, go with it."""
CHAIN = ("before", "hash")
"""What binds the lines of the log: of use only where all of them are."""


def of(run: Runner, code: Code, contract: Contract, commit_sha: str) -> Incident | None:
    """None where nothing was decided, or where it ended for another reason."""
    found = run.difference if code == Code.PARITY else None
    if code == Code.TAKEN_BACK:
        found = _as_decided(run)
    if found is None:
        return None
    bars = run.adapter.book.bars
    return Incident(
        strategy=contract.name, workflow_id=contract.workflow_id,
        correlation_id=contract.correlation_id, commit_sha=commit_sha, bar=found.bar,
        bar_time=found.bar_time, what="decision" if run.difference else "rollback",
        live=found.live[:8000], offline=found.offline[:8000], noticed_at=int(time.time()),
        bars=tuple(_bar(b) for b in bars[max(0, found.bar + 1 - BARS) : found.bar + 1]),
        audit=tuple(_lines(run.folder / "audit.jsonl")),
    )  # fmt: skip


def _as_decided(run: Runner) -> Difference | None:
    """The newest decision that did something, else the newest. Each was compared on its bar."""
    told = (dict[str, Any](r) for r in run.adapter.journal.read() if r["kind"] == "decided")
    own = [row for row in told if row.get("by") == run.adapter.owner]
    acted = [row for row in own if any(row["decision"].values())]
    if not own:
        return None
    record = (acted or own)[-1]
    idx, said = int(record["inputs"]["idx"]), json.dumps(record["decision"], sort_keys=True)
    return Difference(idx, when(run.adapter.book.bars[idx]), said, said)


def _bar(bar: Bar) -> str:
    return (
        f"{when(bar)}: open {bar.open:g}, high {bar.high:g}, low {bar.low:g}, close {bar.close:g}"
    )


def _lines(file: Path) -> list[str]:
    rows = file.read_text(encoding="utf-8").splitlines()[-LINES:]
    told = [{k: v for k, v in json.loads(row).items() if k not in CHAIN} for row in rows]
    return [json.dumps(row)[:1000] for row in told]
