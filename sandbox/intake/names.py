"""Builtins and attributes that may be named: what bars and numbers have, less a list."""

from __future__ import annotations

import builtins
from collections import deque
from datetime import datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
from pandas.api import typing as groups

from sandbox.intake.modules import words

ALL_BUILTINS = frozenset(dir(builtins))
BUILTINS = words(
    """
    ArithmeticError AssertionError AttributeError Ellipsis Exception FloatingPointError IndexError
    KeyError LookupError NotImplemented NotImplementedError OverflowError PermissionError
    RuntimeError StopIteration TypeError ValueError ZeroDivisionError abs all any bool
    callable classmethod complex dict divmod enumerate filter float format frozenset hasattr int
    isinstance issubclass iter len list map max min next object pow property range reversed round
    set slice sorted staticmethod str sum super tuple type zip
    """
)
TEST_BUILTINS = BUILTINS | {"print", "repr"}

KINDS: tuple[type, ...] = (
    pd.Series, pd.DataFrame, pd.Index, pd.DatetimeIndex, pd.MultiIndex, pd.Timestamp, pd.Timedelta,
    pd.Period, pd.Interval, np.ndarray, np.float64, np.ufunc, groups.Rolling, groups.Expanding,
    groups.ExponentialMovingWindow, groups.SeriesGroupBy, groups.DataFrameGroupBy, groups.Resampler,
    type(pd.Series([pd.Timestamp(0)]).dt), type(pd.Series([pd.Timedelta(0)]).dt),
    str, list, dict, set, tuple, float, int, deque, Decimal, datetime, time, timedelta,
)  # fmt: skip
"""A strategy meets values of these types. Their public attributes are the allow-list."""

COLUMNS = words("Open High Low Close Volume Time Date Index open high low close volume")
MORE = words(
    """
    __init__ __name__ __post_init__ _asdict _replace args default_factory elements
    generate_report get_account get_positions most_common setter total value
    """
)

# What these types have and a strategy must not use, by the rule that refuses it.
HARD: dict[str, frozenset[str]] = {
    "file": words(
        "dump dumps tofile tobytes save_report read_text write_text read_bytes write_bytes"
    ),
    "clock": words("now today utcnow fromtimestamp utcfromtimestamp astimezone ctime"),
    "random": words("sample shuffle randint urandom"),
    "calendar": words(
        "asi8 asm8 fromordinal ordinal timestamp to_datetime64 to_julian_date toordinal"
    ),
    "evaluates": words("eval query exec"),
    "format": frozenset({"format_map"}),
    "introspection": words(
        """
        gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await ag_frame ag_code f_back f_builtins
        f_code f_globals f_locals f_lineno f_trace tb_frame tb_next tb_lineno tb_lasti co_code
        co_consts co_names mro with_traceback ctypes setflags
        """
    ),
}
SOFT = words(
    """
    array attrs base boxplot byteswap data device encode fget flags format fset func getfield
    grouper hist info list maketrans memory_usage obj plot resize set_flags setfield sparse str
    strides struct style translate view
    """
)
"""Refused on anything but one's own `self`, where they are ordinary words."""

MAY_CONVERT = words(
    """
    from_arrays from_dict from_frame from_product from_records from_tuples to_dict
    to_flat_index to_frame to_list to_numpy to_period to_pydatetime to_pytimedelta
    to_series to_timedelta64 to_timestamp
    """
)
THEIRS = frozenset(name for kind in KINDS for name in dir(kind) if not name.startswith("_"))
CONVERTERS = frozenset(n for n in THEIRS if n.startswith(("from_", "to_"))) - MAY_CONVERT
HARD_RULE = dict.fromkeys(CONVERTERS, "file") | {
    name: rule for rule, names in HARD.items() for name in names
}
"""The rule that refuses this attribute on whatever it is asked of."""

ATTRIBUTES = (THEIRS | COLUMNS | MORE) - SOFT - HARD_RULE.keys()
TEST_ATTRIBUTES = ATTRIBUTES | words(
    """
    parametrize joinpath parent parents resolve normal standard_normal uniform integers seed rand
    readouterr match place_order step_bar close_position cancel_order prepare_indicators
    find_entries find_exits run_backtest run_live Strategy exists is_file stem
    """
)
