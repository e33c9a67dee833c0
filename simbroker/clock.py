"""Time inside the broker: microseconds since 1970 and the zone of the bars, nothing that ticks."""

from datetime import tzinfo

import numpy as np
import pandas as pd


def micros(stamp: pd.Timestamp) -> int:
    return int(stamp.value // 1000)


def stamp(at: int, zone: tzinfo | None) -> pd.Timestamp:
    """The moment as the bars' index spells it."""
    if zone is None:
        return pd.Timestamp(np.datetime64(at, "us"))
    return pd.Timestamp(at, unit="us", tz="UTC").tz_convert(zone)


def iso(at: int, zone: tzinfo | None) -> str:
    """ISO 8601. Bars without a zone are stamped as they stand; with one, the offset is kept."""
    return stamp(at, zone).isoformat()
