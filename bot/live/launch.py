"""What was asked for on the command line of a live run, handed to the process that does it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from schemas.base import Count, Line, Name, Seconds, Text, Version, document
from schemas.live import BrokerName


@document
class Launch:
    strategy: Name
    broker: BrokerName
    address: Line
    dry_run: bool
    token: Annotated[str, Field(max_length=60_000)] = ""
    root: Text
    state: Text
    public_key: Text
    limits: Text
    secrets: Text = "env:"
    bars: Count = 0
    """End after so many decided bars; 0 means that only `stop` ends it."""
    poll: Seconds = 1.0
    listen: Seconds = 20.0
    """Seconds between two looks for a halt in the repository."""
    unclaimed: bool = False
    """Start also where the repository cannot say that no other machine uses the token."""
    experimental: bool = False
    """Trade real money also through a client that has not been proven."""
    schema: Version = 1

    @property
    def home(self) -> Path:
        """The folder of this strategy. A dry run has one of its own: it knows no real position."""
        return strategy_home(Path(self.state), self.strategy)

    @property
    def folder(self) -> Path:
        return self.home / "paper" if self.dry_run else self.home


def strategy_home(state: Path, strategy: str) -> Path:
    return state / strategy
