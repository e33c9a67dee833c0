"""Reads bars from a CSV file."""

import pandas as pd

from simbroker.bars import BadBars, tidy


def read_csv(path: str) -> pd.DataFrame:
    """Bars with a time index and columns Open, High, Low, Close, Volume; refused with the reason.

    The time column may be called Date, Datetime or timestamp, the others may be in any case.
    """
    try:
        raw = pd.read_csv(path, skipinitialspace=True)
    except pd.errors.EmptyDataError:
        raise BadBars("the file is empty") from None
    except (pd.errors.ParserError, UnicodeDecodeError) as error:
        raise BadBars(f"this is not a CSV table: {error}") from None
    return tidy(raw)
