"""A function that pandas would look up by its name is a name from the list, or a function."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from sandbox.intake import check
from sandbox.intake.by_name import DOORS, NAMED, TABLES
from tests.hostile.table import CASES, LONG_ONLY
from tests.sandbox.wrong_and_right import prepare, top

WRONG = """
df.agg("EVAL".lower(), 0, "1 + 1")
df.agg("ev" + "al", 0, "1 + 1")
df.agg("".join(["ev", "al"]), 0, "1 + 1")
df.agg(f"{'ev'}al", 0, "1 + 1")
df.agg("eval", 0, "1 + 1")
df.agg("pipe", 0, max)
df.agg("agg", func="eval")
df.agg(func="EVAL".lower())
df.agg(["max", "EVAL".lower()])
df.agg({"Close": "EVAL".lower()})
df.agg({"Close": ["max", "EVAL".lower()]})
df.agg({**{"Close": "eval"}})
df.agg(**{"func": "eval"})
df.agg(*["eval", 0, "1 + 1"])
df.agg(x=("Close", "EVAL".lower()))
df.agg(x=("eval", "max"))
df.agg(None, 0, x=("Close", "eval"))
df.agg(x=pd.NamedAgg("Close", "EVAL".lower()))
df.agg(x=pd.NamedAgg(column="Close", aggfunc="EVAL".lower()))
close.aggregate("TO_CSV".lower(), 0, "leak.csv")
close.apply("TO_CSV".lower())
close.transform("TO_CSV".lower())
close.groupby(close > 1).agg("TO_CSV".lower())
close.groupby(close > 1).apply("TO_CSV".lower())
close.rolling(3).agg("TO_CSV".lower())
close.ewm(3).agg("TO_CSV".lower())
df.resample("D").apply("TO_CSV".lower())
close.groupby(close > 1).filter("TO_CSV".lower(), True, "leak.csv")
close.groupby(close > 1).filter(func="to_csv")
keep = close.groupby(close > 1).filter; keep("to_csv")
pd.DataFrame.agg(df, "eval", 0, "1 + 1")
type(df).agg(df, "eval", 0, "1 + 1")
how = df.agg; how("eval", 0, "1 + 1")
df.pipe(pd.DataFrame.agg, "eval", 0, "1 + 1")
list(map(pd.DataFrame.agg, [df], ["eval"]))
how = "eval"; df.agg(how, 0, "1 + 1")
how = "max"; how = "EVAL".lower(); df.agg(how)
how = ["max"]; other = how; other[0] = "EVAL".lower(); df.agg(how)
how = ["max"]; how.append("EVAL".lower()); df.agg(how)
[df.agg(how) for how in ("eval",)]
self.how = "max"; df.agg(self.how)
df.agg(max if df.empty else "EVAL".lower())
df.pivot_table("Close", None, None, "EVAL".lower())
df.pivot_table(aggfunc="EVAL".lower())
pd.pivot_table(df, "Close", None, None, "EVAL".lower())
pd.crosstab(close, close, close, None, None, "EVAL".lower())
how = pd.pivot_table; how(df, "Close", None, None, "eval")
close.rolling(3, win_type="KAISER".lower())
close.rolling(3, None, False, "get_window")
how = close.rolling; how(3, win_type="KAISER".lower())
""".strip().splitlines()
RIGHT = """
df.agg("max")
df.agg(["min", "max"])
df.agg({"High": "max", "Low": ["min", "mean"]})
df.agg(func="max", axis=1)
df.agg(x=("High", "max"), y=("Low", min))
df.agg(x=pd.NamedAgg(column="High", aggfunc="max"))
df.agg("quantile", q=0.9)
close.apply(abs)
close.apply(lambda x: x + 1)
close.apply(lambda x, how: x, args=("eval",))
close.rolling(3).apply(np.mean, raw=True)
close.rolling(3, win_type="hamming").mean()
close.groupby(df.index.date).transform("cumsum")
df.filter(["Close", "High"])
df.filter(items=["Close"]).filter(like="Clo")
close.groupby(df.index.date).filter(lambda x: len(x) > 3)
list(filter(None, [1.0]))
close.map({1.0: "up", 2.0: "down"})
how = {"High": "max"}; df.resample("D").agg(how)
def spread(x): return x.max() - x.min(); close.rolling(3).apply(spread)
df.pivot_table("Close", "High", "Low", "mean")
pd.pivot_table(df, "Close", "High", "Low", "mean")
df.pivot_table(values="Close", index="High", aggfunc=["min", np.max])
""".strip().splitlines()


def lines(row: str) -> str:
    head, _, tail = row.rpartition("; ")
    return prepare("\n".join((*head.split("; "), tail) if head else (tail,)))


@pytest.mark.parametrize("row", WRONG)
def test_a_name_that_is_not_on_the_list_is_a_finding(row: str) -> None:
    assert "named_function" in {f.rule for f in check(lines(row).encode(), None)}


@pytest.mark.parametrize("row", RIGHT)
def test_a_name_on_the_list_and_a_function_are_none(row: str) -> None:
    assert check(lines(row).encode(), None) == ()


@pytest.mark.parametrize("row", WRONG)
def test_the_same_holds_in_tests(row: str) -> None:
    body = lines(row).replace("def prepare_indicators", "def test_it")
    found = {(f.file, f.rule) for f in check(top("").encode(), body.encode())}
    assert ("test_strategy.py", "named_function") in found


PATTERN = """
match df:
    case object({name}=how):
        how("EVAL".lower(), 0, "1 + 1")
"""


@pytest.mark.parametrize("name", sorted(DOORS | TABLES.keys() | {"rolling"}))
def test_a_pattern_is_no_way_around_the_rule(name: str) -> None:
    """`case object(agg=how)` binds the method as `how = df.agg` does."""
    source = prepare(PATTERN.format(name=name)).encode()
    assert "named_function" in {f.rule for f in check(source, None)}
    assert check(prepare(PATTERN.format(name="empty")).encode(), None) == ()


def test_a_test_takes_no_function_from_the_strategy_by_its_text() -> None:
    tests = "from strategy import HOW, Strategy\n\ndef test_it(df):\n    assert df.agg(HOW)\n"
    assert "named_function" in {f.rule for f in check(top("").encode(), tests.encode())}


@pytest.mark.parametrize("case", ["p31-eval-by-name", "p32-writer-by-name"])
def test_the_attacks_are_refused_by_this_rule(case: str) -> None:
    source = (CASES / case / "strategy.py").read_bytes()
    assert "named_function" in {f.rule for f in check(source, LONG_ONLY.read_bytes())}


PLANTED = "planted_text"


def things() -> Iterator[object]:
    days = pd.date_range("2024-01-01", periods=6, freq="D")
    df = pd.DataFrame({"Close": [1.0, 2, 3, 4, 5, 6], "High": [2.0, 3, 4, 5, 6, 7]}, index=days)
    half = [0, 0, 0, 1, 1, 1]
    for table in (df, df["Close"]):
        yield from (table, table.groupby(half), table.resample("2D"))
        yield from (table.rolling(2), table.expanding(), table.ewm(2))
    yield from (df.index, df.groupby(half).rolling(2), pd.Index(["a", "b"]))


def public(thing: object) -> Iterator[tuple[str, Callable[..., object]]]:
    for name in dir(thing):
        if name.startswith(("_", "to_", "plot", "hist", "boxplot")):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            method = getattr(thing, name, None)
        if callable(method) and not isinstance(method, (pd.DataFrame, pd.Series, type)):
            yield name, method


def ways(method: Callable[..., object]) -> Iterator[tuple[list[object], dict[str, object]]]:
    """The text in each place: the first three, and every keyword."""
    for before in range(4):
        yield [*[None] * before, PLANTED], {}
    try:
        known = inspect.signature(method).parameters.values()
    except ValueError:
        return
    for one in known:
        if one.kind is not one.VAR_KEYWORD:
            yield [], {one.name: PLANTED}


def looks_up(method: Callable[..., object], given: list[object], by: dict[str, object]) -> bool:
    """Whether pandas asked for an attribute, or a function, of that name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            method(*given, **by)
    except AttributeError as error:
        return PLANTED in str(error)
    except Exception as error:
        return f"'{PLANTED}' is not a valid function" in str(error)
    return False


def test_no_other_method_of_this_pandas_looks_a_function_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An upgrade that opens another door makes this red."""
    doors = {
        name
        for thing in things()
        for name, method in public(thing)
        if name not in ("eval", "query")  # refused by name, whatever they are given
        for given, by in ways(method)
        if looks_up(method, given, by)
    }
    capsys.readouterr()  # `info` prints
    assert doors <= DOORS | TABLES.keys(), doors
    assert doors >= DOORS


def test_no_name_on_the_list_takes_a_path_or_text_that_is_run() -> None:
    assert not NAMED & {"eval", "query", "pipe", "agg", "apply", "map", "filter", "plot", "hist"}
    assert not any(name.startswith(("to_", "_", "from_", "read_")) for name in NAMED)
