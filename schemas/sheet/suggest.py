"""The whole line that was probably meant. Nothing is offered that could not be read itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemas.sheet.problems import Fault, Unbound

MOST = 3
EXAMPLES = {
    "enter": ("enter long when rsi(2) < 10", "enter long at limit close * 0.99 when rsi(2) < 10"),
    "exit": ("exit long when rsi(2) > 70", "exit after 10 bars", "exit at 15:55"),
    "stop": ("stop 5 % from fill", "stop 2 * atr(14) from fill", "stop at lowest(low, 10)"),
    "target": ("target 10 % from fill", "target 2 R", "target at bb_middle(20, 2)"),
    "trail": ("trail 8 % from best close checked on close", "trail 3 * atr(22) from best price"),
    "breakeven": ("breakeven after 1 R",),
    "size": ("size equity_percent 10", "size risk_percent 1", "size units 100", "size cash 5000"),
    "max": ("max 1 trade per day", "max 3 positions"),
    "wait": ("wait 10 bars after loss",),
    "session": ("session 09:30 to 16:00",),
    "trade": ("trade only on mon, tue", "trade only 09:30 to 11:00"),
    "no": ("no trades on fri", "no trades after 15:00"),
    "commission": ("commission 0.05 %", "commission 1 per trade", "commission 0.005 per share"),
    "slippage": ("slippage 0.01", "slippage 2 % of range"),
    "spread": ("spread 0.02", "spread 1.2 pips"),
}
"""What a statement looks like, where nothing closer is known."""
ALSO = {"sl": "stop", "tp": "target", "take_profit": "target", "trailing": "trail",
        "fee": "commission",
        "fees": "commission", "cooldown": "wait", "hours": "session"}  # fmt: skip


def tries(fault: Fault, text: str, legal: Callable[[str], bool]) -> tuple[str, ...]:
    """Lines that can be read, the likeliest first."""
    return tuple(dict.fromkeys(line for line in _lines(fault, text) if legal(line)))[:MOST]


def example(fault: Fault, text: str) -> str:
    first = text.split()[0].lower()
    return "" if fault.later else EXAMPLES.get(ALSO.get(first, first), ("",))[0]


def _lines(fault: Fault, text: str) -> Iterator[str]:
    if isinstance(fault, Unbound):
        yield f"{text[: fault.start]}({text[fault.start : fault.end]}){text[fault.end :]}"
    until = fault.until or fault.column + len(fault.word)
    for words in fault.tries:
        yield text[: fault.column] + words + text[until:]
        yield words
