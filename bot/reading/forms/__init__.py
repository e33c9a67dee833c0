"""Forms by concern, in the order in which they are looked for: an earlier one takes its words."""

from bot.reading.forms import (  # noqa: I001
    remarks,
    adds,
    moves,
    spans,
    profits,
    channels,
    bodies,
    sizes,
    counts,
    time_ifs,
    time_exits,
    hours_off,
    hours,
    days,
    costs,
    ratios,
    streaks,
    gaps,
    opening_range,
)

__all__ = [
    "remarks", "adds", "moves", "spans", "profits", "channels", "bodies", "sizes", "counts",
    "time_ifs", "time_exits", "hours_off", "hours",
    "days", "costs", "ratios", "streaks", "gaps", "opening_range",
]  # fmt: skip
