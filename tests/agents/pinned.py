"""Writes down what this version of the generator writes: `python -m tests.agents.pinned`."""

import json
from pathlib import Path

from bot.agents.coder import VERSION
from schemas import codec
from tests.agents.running import source_of
from tests.agents.table import CONTRACTS

if __name__ == "__main__":
    written = {name: codec.digest_of(source_of(c)) for name, c in sorted(CONTRACTS.items())}
    file = Path("fixtures/generator") / f"{VERSION}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(written, indent=1) + "\n")
