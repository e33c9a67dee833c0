"""Writes the series of a contract into a test, bar by bar: nothing is shared with a strategy."""

from __future__ import annotations

from bot.agents.layout import Code, assign
from bot.agents.sheet import PIECES
from bot.agents.spelling import number, whole
from bot.agents.tree import SMOOTHINGS, WHOLE, parameters
from schemas import contract as c
from schemas.indicators import KINDS

COLUMNS = ("open", "high", "low", "close", "volume")
HEAD = '''def worked_out(df: pd.DataFrame) -> dict[str, list[float]]:
    """Every series that the contract speaks of, by its name there."""
    made = {name: [float(v) for v in df[name.capitalize()]] for name in COLUMNS}
    times = list(pd.DatetimeIndex(df.index))
    made["minute"] = [t.hour * 60.0 + t.minute for t in times]
    made["weekday"] = [float(t.day_of_week) for t in times]
    made["day"] = [float(t.day) for t in times]
    made["month"] = [float(t.month) for t in times]
    days = [t.normalize() for t in times]
    months = [(t.year, t.month) for t in times]
    made["bar_of_day"], made["trading_day"] = [], []
    for i in range(len(times)):
        earlier = [j for j in range(max(0, i - 1440), i) if days[j] == days[i]]
        made["bar_of_day"].append(len(earlier) + 1.0)
        same = {days[j] for j in range(max(0, i - 3000), i + 1) if months[j] == months[i]}
        made["trading_day"].append(float(len(same)))'''
CALENDAR = ("bar_of_day", "trading_day")


def write_series(contract: c.Contract) -> tuple[str, set[str]]:
    """The function that works them out, and the plain pieces that it calls."""
    lines, used = [HEAD if _counts_days(contract) else _short_head()], set[str]()
    for found in _in_order(contract.indicators):
        kind, piece = KINDS[found.kind], f"plain_{PIECES.get(found.kind, found.kind)}"
        used.add(piece)
        given = _arguments(found)
        used |= {a for a in given if a.startswith("plain_")}
        targets = ", ".join(f'made["{found.id}.{output}"]' for output in kind.outputs)
        lines += _assigned(targets, len(kind.outputs), f"{piece}({', '.join(given)})", found)
    return "\n".join([*lines, "    return made"]), used


def longest(contract: c.Contract) -> int:
    """The most bars that one indicator looks back."""
    bars = WHOLE - {"start", "minutes"}
    counts = [v for i in contract.indicators for n, v in parameters(i).items() if n in bars]
    return int(max(counts, default=1))


def looks_at_days(contract: c.Contract) -> bool:
    """Such series are worked out from every earlier bar, which takes time."""
    return any("day" in KINDS[i.kind].reads for i in contract.indicators)


def _assigned(targets: str, count: int, call: str, found: c.Indicator) -> list[str]:
    """On one line, or output by output where there are too many."""
    if len(targets) < 60:
        return assign(targets, Code(call), "    ")
    lines = assign("outputs", Code(call), "    ")
    outputs = KINDS[found.kind].outputs
    return lines + [f'    made["{found.id}.{o}"] = outputs[{n}]' for n, o in enumerate(outputs)]


def _arguments(found: c.Indicator) -> list[str]:
    kind = KINDS[found.kind]
    if kind.reads != "source":
        reads = [name.strip() for name in kind.reads.split(",")]
        given = ["times" if name == "day" else f'made["{name}"]' for name in reads]
    elif found.of is not None:
        series = f'made["{found.of.indicator}.{found.of.output}"]'
        given = [f"earlier({series}, {found.of.shift})" if found.of.shift else series]
    else:
        given = [f'made["{found.source}"]']
    for name, value in parameters(found).items():
        given.append(whole(value) if name in WHOLE else number(value))
    if kind.smoothing:
        given.append(f"plain_{SMOOTHINGS[(found.smoothing or kind.smoothing).lower()]}")
    return given


def _in_order(indicators: tuple[c.Indicator, ...]) -> list[c.Indicator]:
    """Each after the one that it is made of."""
    waiting, done = list(indicators), list[c.Indicator]()
    while waiting:
        found = waiting.pop(0)
        later = found.of is not None and any(found.of.indicator == w.id for w in waiting)
        (waiting if later else done).append(found)
    return done


def _counts_days(contract: c.Contract) -> bool:
    return any(f'field="{name}"' in repr(contract) or f"field='{name}'" in repr(contract)
               for name in CALENDAR)  # fmt: skip


def _short_head() -> str:
    return HEAD.partition("    days = ")[0].rstrip("\n")
