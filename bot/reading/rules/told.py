"""Everything that was read of a request, before it is put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Settings
from bot.reading.levels import Put
from bot.reading.rules.join import Parts, join
from bot.reading.rules.overlooked import Vague
from schemas import contract as c


@dataclass
class Rule:
    """`act` is enter, exit or sell (which of the two depends on the whole request)."""

    act: str
    side: str | None
    parts: Parts
    said: str
    limit: c.Operand | None = None
    role: str = "-"

    @property
    def when(self) -> Cond | None:
        return join(self.parts) if self.parts else None


@dataclass
class Told:
    """Everything that was read, before it is put together."""

    settings: Settings = field(default_factory=Settings)
    rules: list[Rule] = field(default_factory=list)
    filters: list[tuple[str | None, Cond]] = field(default_factory=list)
    puts: list[Put] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    waiting: Parts = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    """Indicators that a sentence names, each with the words it was named by."""
    unsupported: list[tuple[str, str]] = field(default_factory=list)
    vague: list[Vague] = field(default_factory=list)
    """Words that change a rule and that nothing was made of."""
