"""A request for 100 shares, drafted with the command that a user types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORDS = (
    "Buy 100 shares of AAPL on the daily chart when the close crosses above the 20-day simple "
    "moving average. Sell when the close crosses below it.\n"
)
KEYS = "raise ValueError('cfg has ' + ' '.join(cfg))"
"""Put into `__init__`, it says what a strategy is told."""
SETS = "self.cfg = cfg"


def draft(folder: Path) -> Path:
    """strategy.py, test_strategy.py, contract.json and plan.json."""
    folder.mkdir(parents=True, exist_ok=True)
    body, out = folder / "request.md", folder / "drafted"
    body.write_text(WORDS)
    command = [sys.executable, "-m", "bot", "draft", "--title", "Hundred shares"]
    command += ["--body", str(body), "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return out


def changed(folder: Path, old: str, new: str) -> Path:
    """The drafted strategy with one thing changed."""
    file = folder / "strategy.py"
    text = file.read_text()
    assert old in text, f"{old!r} is not in the drafted strategy"
    file.write_text(text.replace(old, new))
    return folder
