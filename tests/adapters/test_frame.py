"""A quick column is a pandas column in everything but speed."""

import numpy as np
import pandas as pd
import pytest

from adapters.frame import column, frame
from simbroker.synthetic import sample

BARS = sample("gappy_D1").iloc[:50]


def test_single_values_are_those_of_pandas() -> None:
    quick, plain = frame(BARS), BARS
    for name in BARS.columns:
        for i in (0, 7, -1):
            assert quick[name].iloc[i] == plain[name].iloc[i] == quick[name].iat[i]
            assert quick[name][i if i >= 0 else 49] == plain[name].iloc[i]
            assert getattr(quick, name).iloc[i] == plain[name].iloc[i]
        assert quick[name].iloc[np.int64(3)] == plain[name].iloc[3]
    with pytest.raises(IndexError):
        quick["Close"].iloc[50]


def test_everything_else_is_pandas() -> None:
    quick = frame(BARS)
    close = quick["Close"]
    assert isinstance(quick, pd.DataFrame) and isinstance(close, pd.Series)
    assert quick["Close"] is close  # made once
    pd.testing.assert_series_equal(close.iloc[3:9], BARS["Close"].iloc[3:9])
    pd.testing.assert_series_equal(close.rolling(3).mean(), BARS["Close"].rolling(3).mean())
    pd.testing.assert_series_equal(close > 100.0, BARS["Close"] > 100.0)
    pd.testing.assert_frame_equal(quick.iloc[:5], BARS.iloc[:5])
    pd.testing.assert_frame_equal(quick[["Open", "Close"]], BARS[["Open", "Close"]])
    pd.testing.assert_series_equal(quick.iloc[4], BARS.iloc[4])
    pd.testing.assert_series_equal(close.head(3), BARS["Close"].head(3))
    assert close.loc[BARS.index[5]] == BARS["Close"].iloc[5] == close[BARS.index[5]]
    assert np.asarray(close).sum() == BARS["Close"].to_numpy().sum()
    assert len(quick) == 50 and list(quick.index) == list(BARS.index)
    with pytest.raises(KeyError):
        quick["nothing"]


def test_truth_values_stay_numpy_truth_values() -> None:
    """With Python's True, `~signal.iloc[i]` would be -2, which is true."""
    signal = column(BARS["Close"] > BARS["Open"])
    assert not ~signal.iloc[1] if signal.iloc[1] else ~signal.iloc[1]
    assert type(signal.iloc[0]) is np.bool_


def test_nothing_can_be_written() -> None:
    quick = frame(BARS)
    with pytest.raises(TypeError, match="cannot change"):
        quick["Close"] = 1.0
    with pytest.raises(TypeError, match="cannot change"):
        quick["Close"].iloc[0] = 1.0


FLOATS = {
    "wide": pd.Series([0.0, 2.0, 4.0, 6.0]),
    "narrow": pd.Series(np.array([0.0, 2.0, 4.0, 6.0], dtype="float32")),
    "of pandas": pd.Series(pd.array([0.0, 2.0, 4.0, 6.0], dtype="Float64")),
    "every second": pd.Series(np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])[::2], copy=False),
}


@pytest.mark.parametrize("kind", FLOATS)
def test_floats_of_every_kind_are_python_floats(kind: str) -> None:
    quick = column(FLOATS[kind])
    assert [quick.iloc[i] for i in (0, 1, -1)] == [0.0, 2.0, 6.0]
    assert type(quick.iloc[1]) is float


def test_what_is_written_later_is_not_seen() -> None:
    given = pd.Series([1.0, 2.0])
    quick = column(given)
    given.iloc[0] = 7.0
    assert quick.iloc[0] == 1.0 == quick.iloc[:1].sum()
