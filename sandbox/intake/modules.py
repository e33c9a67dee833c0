"""What a submission may import, module by module, and what it may take from each."""

from __future__ import annotations

import math
import typing

import numpy as np

from adapters import base_adapter


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMPY_WORDS = """
    abs all allclose amax amin angle any append apply_along_axis arange argmax argmin argpartition
    argsort argwhere around array array_equal array_split asarray ascontiguousarray atleast_1d
    atleast_2d average bincount bool bool_ broadcast_to c_ choose clip column_stack concatenate
    convolve copy corrcoef correlate count_nonzero cov cross cumprod cumsum diag diff digitize dot
    dtype e ediff1d einsum empty empty_like errstate expand_dims extract eye fft finfo fix
    flatnonzero flip fliplr flipud full full_like gradient histogram hstack hypot identity iinfo
    inf inner insert interp intersect1d isclose isin isneginf isposinf isscalar ix_ linalg
    linspace logspace max mean median meshgrid min nan nan_to_num nanargmax nanargmin nancumprod
    nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum
    nanvar ndarray ndim newaxis nonzero ones ones_like outer pad partition percentile pi piecewise
    polyfit polyval prod ptp put_along_axis putmask quantile r_ ravel repeat reshape roll rot90
    round s_ searchsorted select setdiff1d shape size sort split squeeze stack std sum swapaxes
    take take_along_axis tensordot tile trace transpose trapezoid tri tril triu typing union1d
    unique unwrap vander var vdot vectorize vstack where zeros zeros_like
"""
NUMPY = words(NUMPY_WORDS) | {
    name
    for name, value in vars(np).items()
    if isinstance(value, np.ufunc) or (isinstance(value, type) and issubclass(value, np.generic))
}
"""Arithmetic, whole: every ufunc and every number type; functions by name."""

PANDAS_WORDS = """
    Categorical DataFrame DateOffset DatetimeIndex Grouper Index Interval IntervalIndex MultiIndex
    NA NaT NamedAgg Period PeriodIndex RangeIndex Series Timedelta TimedeltaIndex Timestamp
    bdate_range concat crosstab cut date_range factorize infer_freq isna isnull merge merge_asof
    notna notnull offsets pivot_table qcut timedelta_range to_datetime to_numeric to_timedelta
    unique
"""
TYPING_WORDS = """
    Annotated Any Callable ClassVar DefaultDict Deque Dict Final FrozenSet Generic Iterable Iterator
    List Literal Mapping MutableMapping NamedTuple NewType NoReturn NotRequired Optional Protocol
    Required Self Sequence Set SupportsFloat SupportsIndex Tuple Type TypeAlias TypeVar TypedDict
    Union TYPE_CHECKING assert_never cast final overload
"""
LINALG = "LinAlgError cond det eig eigh eigvals inv lstsq matrix_rank norm pinv qr solve svd"
OFFSETS = "BDay BMonthEnd BusinessDay Day Hour Minute MonthBegin MonthEnd Second Week"

STRATEGY: dict[str, frozenset[str]] = {
    module: words(names)
    for module, names in {
        "__future__": "annotations",
        "bisect": "bisect bisect_left bisect_right insort",
        "collections": "Counter OrderedDict defaultdict deque namedtuple abc",
        "collections.abc": "Callable Collection Generator Hashable Iterable Iterator Mapping"
        " MutableMapping MutableSequence Sequence Set Sized",
        "dataclasses": "asdict astuple dataclass field replace",
        "datetime": "UTC date datetime time timedelta timezone",
        "decimal": "Decimal ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP",
        "enum": "Enum IntEnum StrEnum auto unique",
        "functools": "cache cached_property lru_cache partial reduce",
        "itertools": "accumulate chain combinations groupby islice pairwise product repeat"
        " starmap takewhile zip_longest",
        "math": " ".join(n for n in vars(math) if not n.startswith("_")),
        "operator": "itemgetter",
        "pandas": PANDAS_WORDS,
        "pandas.offsets": OFFSETS,
        "pandas.tseries.offsets": OFFSETS,
        "numpy": " ".join(NUMPY),
        "numpy.fft": "fft fftfreq ifft irfft rfft rfftfreq",
        "numpy.lib.stride_tricks": "sliding_window_view",
        "numpy.linalg": LINALG,
        "numpy.typing": "ArrayLike DTypeLike NDArray",
        "statistics": "fmean linear_regression mean median pstdev pvariance stdev variance",
        "typing": TYPING_WORDS,
        "adapters.base_adapter": " ".join(
            n for n in vars(base_adapter) if n[0].isupper() and n not in vars(typing)
        ),
        "strategies.template": "backtest main refuse_live",
    }.items()
}

TESTS: dict[str, frozenset[str]] = STRATEGY | {
    module: words(names) | STRATEGY.get(module, frozenset())
    for module, names in {
        "adapters.simbroker_adapter": "SimBrokerAdapter",
        "json": "dumps loads",
        "numpy": "random testing",
        "numpy.random": "Generator RandomState default_rng normal rand randn seed uniform",
        "numpy.testing": "assert_allclose assert_almost_equal assert_array_almost_equal"
        " assert_array_equal assert_equal",
        "pandas": "read_csv read_json testing",
        "pandas.testing": "assert_frame_equal assert_index_equal assert_series_equal",
        "pathlib": "Path",
        "pytest": "approx fixture mark param raises warns",
        "pytest.mark": "parametrize usefixtures",
        "simbroker.broker": "SimBroker",
        "simbroker.load": "read_csv",
        "simbroker.terms": "Costs FREE Terms",
    }.items()
}
"""What tests may import besides, and the strategy itself: see `is_strategy`."""


def is_strategy(module: str) -> bool:
    """The sibling file, or the same file in its place in the repository."""
    first, *rest = module.split(".")
    return module == "strategy" or (
        first == "strategies" and len(rest) == 2 and rest[1] == "strategy"
    )
