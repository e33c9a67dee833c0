"""How names, numbers and people's words are spelled in generated code."""

from __future__ import annotations

import builtins
import keyword
import re
from decimal import Decimal

from bot.agents.pieces import library

LONGEST = 24
OURS = {
    "self", "df", "indicators", "idx", "position", "cfg", "action", "order", "reason", "stop",
    "target", "limit", "price", "close", "open_", "high", "low", "volume", "times", "day", "held",
    "leaving", "np", "pd", "math", "main", "backtest", "refuse_live", "Strategy",
    "Callable", "NamedTuple", "TYPE_CHECKING", "last", "bars", "rules", "entering", "fills", "free",
    "nan", "calendar",
}  # fmt: skip
"""Names that the templates of a strategy and of its tests use themselves."""

LOOK_ALIKE = {"l", "i", "o", "I", "O"}
"""Letters that look like a digit, here or as the constants of the tests (flake8 E741)."""


class Names:
    """Gives each thing a name of its own."""

    def __init__(self) -> None:
        self.taken = {*OURS, *LOOK_ALIKE, *dir(builtins), *keyword.kwlist, *keyword.softkwlist}
        self.taken |= {*library()}

    def take(self, wish: str, instead: str = "") -> str:
        """The wish in letters of Python, or `instead`, or one of them with a number."""
        name = identifier(wish)
        return self._own(identifier(instead) if name in self.taken and instead else name)

    def constant(self, wish: str) -> str:
        return self._own(identifier(wish).upper())

    def _own(self, name: str) -> str:
        number, free = 2, name
        while free in self.taken:
            free, number = f"{name[: LONGEST - 3].rstrip('_')}_{number}", number + 1
        self.taken.add(free)
        return free


def identifier(text: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "x"
    return (plain if plain[0].isalpha() else f"n_{plain}")[:LONGEST].rstrip("_")


def module_name(name: str) -> str:
    """The folder of a strategy as a package, spelled as the sandbox spells it."""
    plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return f"s_{plain}" if plain[0].isdigit() else plain


def number(value: float | Decimal) -> str:
    return repr(float(value))


def whole(value: float) -> str:
    return str(int(value))


def minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def time_of(minute: float) -> str:
    """A minute of the day, as in `15 * 60 + 30`."""
    hours, rest = divmod(minute, 60)
    if minute != int(minute) or minute < 0:
        return number(minute)
    return f"{int(hours)} * 60 + {int(rest)}" if rest else f"{int(hours)} * 60"


def clock(minute: float) -> str:
    return f"{int(minute) // 60:02d}:{int(minute) % 60:02d}"


def reason(text: str) -> str:
    """A short comment for orders and exits: plain words, whatever was written."""
    spoken = text.replace("<=", " at most ").replace(">=", " at least ")
    spoken = spoken.replace("<", " below ").replace(">", " above ")
    plain = " ".join(re.sub(r"[^A-Za-z0-9 .,%()+*/'-]+", " ", spoken).split())[:60].strip()
    starts_well = bool(re.match(r"[A-Za-z]{2}", plain)) and " " in plain
    return plain if starts_well else f"rule {plain}".strip()


def prose(text: str) -> str:
    """Words for a docstring: printable, and nothing that ends it or speaks to a checker."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    shown = shown.replace("\\", "/").replace('"', "'").replace("#", "no. ")
    return " ".join(shown.split())
