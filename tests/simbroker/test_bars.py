"""Bars are read in the usual spellings, and refused with row and reason when they are bad."""

from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simbroker.bars import BadBars, tidy, tuples
from simbroker.broker import SimBroker
from simbroker.load import read_csv
from simbroker.synthetic import SAMPLES, place, sample

FIXTURES = Path(__file__).parents[2] / "fixtures"

BAD = {
    "missing_column": (None, "missing column Close"),
    "no_time": (None, "name a column Date"),
    "bad_time": (3, "'yesterday' is not a time"),
    "missing_price": (2, "High is missing"),
    "price_is_text": (4, "Open is 'n.a.-', not a number"),
    "infinite_price": (4, "High is missing or not a finite number"),
    "high_below_low": (1, "High is below Low"),
    "open_outside": (1, "Open is outside Low to High"),
    "close_outside": (1, "Close is outside Low to High"),
    "price_zero": (5, "not above zero"),
    "negative_volume": (5, "Volume is negative"),
    "time_goes_back": (2, "the time goes back"),
    "duplicate_time": (2, "the same as in the row before"),
    "mixed_zones": (3, "some times have a zone"),
    "two_closes": (None, "two columns for Close"),
    "only_a_header": (None, "no bars"),
    "empty": (None, "empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_bars_are_refused_with_row_and_reason(name: str) -> None:
    row, reason = BAD[name]
    with pytest.raises(BadBars, match=".") as refused:
        read_csv(str(FIXTURES / "bad" / f"{name}.csv"))
    assert refused.value.row == row
    assert reason in str(refused.value)


def test_every_bad_file_has_its_reason() -> None:
    assert {p.stem for p in (FIXTURES / "bad").glob("*.csv")} == set(BAD)


ROW = ["100", "102", "99", "101", "1000"]
HEADERS = {
    "Date,Open,High,Low,Close,Volume": "2024-01-02",
    "date,open,high,low,close,volume": "2024-01-02",
    "DATETIME,OPEN,HIGH,LOW,CLOSE,VOLUME": "2024-01-02 00:00:00",
    "timestamp,Open,high,LOW,cLoSe,vol": "2024-01-02T00:00:00",
    "Time, Open, High, Low, Close, Volume": "2024-01-02 00:00",
    "timestamp,o,h,l,c,v": "1704153600",
    "Timestamp,o,h,l,c,v": "1704153600000",
    "Date,Open,High,Low,Close,Volume,Adj Close": "2024-01-02",
}


@pytest.mark.parametrize("header", HEADERS)
def test_the_usual_spellings_are_read(header: str, tmp_path: Path) -> None:
    extra = ["1"] if "Adj" in header else []
    (tmp_path / "x.csv").write_text(f"{header}\n{','.join([HEADERS[header], *ROW, *extra])}\n")
    df = read_csv(str(tmp_path / "x.csv"))
    assert list(df.columns[:5]) == ["Open", "High", "Low", "Close", "Volume"]
    assert df.index[0] == pd.Timestamp("2024-01-02") and df["Close"].iloc[0] == 101.0


@pytest.mark.parametrize("text", ["2024-01-02T10:00:00Z", "2024-01-02 12:00:00+02:00"])
def test_a_time_zone_is_kept_as_the_same_moment(text: str) -> None:
    df = tidy(pd.read_csv(StringIO(f"Date,Open,High,Low,Close\n{text},100,102,99,101\n")))
    assert df.index[0] == pd.Timestamp("2024-01-02 10:00", tz="UTC")
    assert next(tuples(df))[0] == 1704189600_000000


def test_volume_may_be_missing() -> None:
    df = tidy(pd.read_csv(StringIO("Date,Open,High,Low,Close\n2024-01-02,100,102,99,101\n")))
    assert list(df.columns) == ["Open", "High", "Low", "Close"]


def test_the_given_table_is_not_changed() -> None:
    raw = pd.read_csv(FIXTURES / "bars" / "trending_D1.csv")
    before = raw.copy()
    tidy(raw)
    pd.testing.assert_frame_equal(raw, before)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_fixtures_are_what_the_generator_makes(name: str) -> None:
    made = sample(name).to_csv(lineterminator="\n").encode()
    assert (FIXTURES / place(name)).read_bytes() == made
    read_csv(str(FIXTURES / place(name)))


def test_a_single_bar_is_checked_too() -> None:
    df = read_csv(str(FIXTURES / "bars" / "gappy_D1.csv"))
    broker = SimBroker()
    broker.step_bar(df.iloc[0])
    broker.step_bar({"Date": "2020-01-03", "Open": 1.0, "High": 2.0, "Low": 0.5, "Close": 1.0})
    with pytest.raises(BadBars, match="goes back"):
        broker.step_bar(df.iloc[0])
    with pytest.raises(BadBars, match="High is below Low"):
        broker.step_bar(pd.Series({"Open": 1.0, "High": 1.0, "Low": 2.0, "Close": 1.0},
                                  name=pd.Timestamp("2021-01-01")))  # fmt: skip
    with pytest.raises(BadBars, match="no time"):
        broker.step_bar({"Open": 1.0, "High": 1.0, "Low": 1.0, "Close": 1.0})
    with pytest.raises(BadBars, match="no Close"):
        broker.step_bar({"Date": "2021-01-01", "Open": 1.0, "High": 1.0, "Low": 1.0})


def test_rows_given_one_by_one_are_the_same_bars() -> None:
    df = read_csv(str(FIXTURES / "bars" / "gappy_M15.csv")).iloc[:20]
    one, all_ = SimBroker(), SimBroker()
    for i, bar in enumerate(tuples(df)):
        all_.step_bar(bar)
        one.step_bar(df.iloc[i])
    assert np.array_equal(one.run().times, all_.run().times)
