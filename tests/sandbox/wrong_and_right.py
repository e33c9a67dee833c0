"""For each rule the smallest source that breaks it, and the nearest honest one that does not."""

from __future__ import annotations

HEAD = "import math\nimport numpy as np\nimport pandas as pd\n"
BODY = """
class Strategy:
    def __init__(self, cfg):
        self.cfg = cfg

    def prepare_indicators(self, df):
        close = df["Close"]
        {prepare}
        return {{"move": close.diff(5)}}

    def find_entries(self, df, indicators, idx):
        {entries}
        return None

    def find_exits(self, position, df, indicators, idx):
        return None
"""


def prepare(line: str) -> str:
    return HEAD + BODY.format(prepare=line.replace("\n", "\n        "), entries="pass")


def entries(line: str) -> str:
    return HEAD + BODY.format(prepare="pass", entries=line.replace("\n", "\n        "))


def top(line: str) -> str:
    return HEAD + line + "\n" + BODY.format(prepare="pass", entries="pass")


MAIN = """
if __name__ == "__main__":
    {imports}

    raise SystemExit(main(run_backtest, run_live))
"""

STRATEGIES: list[tuple[str, str, str]] = [
    ("encoding", "# coding: latin-1\n" + top(""), "# encodes the trend\n" + top("")),
    ("character", prepare("x = '\u202e'"), prepare("x = 'é ≥ →'")),
    ("character", prepare("x = 1\r"), prepare("x = 1")),
    ("long_line", top("X = " + "1 + " * 120 + "1"), top("X = " + "1 + " * 20 + "1")),
    ("identifier", prepare("\uff41bs(close)"), prepare("abs(close)")),
    ("pragma", prepare("x = 1  #NoQA"), prepare("x = 1  # no quantity")),
    ("pragma", prepare("x = 1  # type:ignore"), prepare("x = 1  # type: MARKET")),
    ("pragma", prepare("x = 1  # noSec B101"), prepare("x = 1  # no second entry")),
    ("pragma", prepare("x = 1  # noqaE501"), prepare("x = 1  # no quality at all")),
    ("pragma", prepare("x = 1  # nosecB101"), prepare("x = 1  # no sector is better")),
    ("pragma", prepare("x = 1  # fmt: off"), prepare("x = 1  # a format of our own")),
    ("pragma", "# mypy: ignore-errors\n" + top(""), "# checked by mypy\n" + top("")),
    ("syntax", top("def"), top("")),
    ("too_many", top("X = (" + "1,\n" * 10_000 + ")"), top("X = (" + "1,\n" * 9_900 + ")")),
    ("too_deep", prepare("close" + ".abs()" * 40), prepare("close" + ".abs()" * 20)),
    ("import", top("import os"), top("import itertools")),
    ("import", top("from pandas.io import common"), top("from collections.abc import Iterator")),
    ("star_import", top("from math import *"), top("from math import sqrt")),
    ("import_name", top("from numpy import genfromtxt"), top("from numpy import maximum")),
    ("import_name", prepare("np.load('x')"), prepare("np.log(close)")),
    ("import_name", prepare("pd.read_csv('x')"), prepare("pd.concat([close])")),
    ("import_name", prepare("np.random.seed(1)"), prepare("np.linalg.norm(close)")),
    ("import_name", top("from strategies.template import sys"),
     top("from strategies.template import backtest")),
    ("builtin", prepare("getattr(df, 'x')"), prepare("isinstance(df, pd.DataFrame)")),
    ("builtin", prepare("[0 for open in ()]\nopen('x')"), prepare("open = df['Open']\nopen.max()")),
    ("builtin", prepare("[open for open in open('x')]"), prepare("[open for open in df['Open']]")),
    ("builtin", top("def f(open=open):\n    pass"), top("def f(open=1):\n    return open")),
    ("builtin", entries("raise SystemExit"), entries("raise ValueError")),
    ("dunder", prepare("df.__class__"), prepare("type(df).__name__")),
    ("dunder", prepare("__builtins__"), prepare("__name__")),
    ("dunder", prepare("x = '__globals__'"), prepare("x = 'a__b'")),
    ("private", prepare("df._mgr"), prepare("self._mgr = 1\nself._mgr")),
    ("attribute", prepare("df.nonsense"), prepare("df['nonsense'] = 1\ndf.nonsense")),
    ("attribute", prepare("df.style"), prepare("self.style = 1\nself.style")),
    ("attribute", prepare("close.str.match('x')"), prepare("close.dt.hour")),
    ("file", prepare("df.to_csv('x')"), prepare("df.to_numpy()")),
    ("file", prepare("close.values.tofile('x')"), prepare("close.values.tolist()")),
    ("clock", prepare("pd.Timestamp.now()"), prepare("pd.Timestamp(df.index[0]).minute")),
    ("clock", prepare("np.datetime64('now')"), prepare("x = 'buy now'")),
    ("clock", prepare("df.tz_convert('tzlocal()')"), prepare("df.tz_convert('Europe/Berlin')")),
    ("clock", prepare("pd.Timestamp('16:00')"), prepare("pd.Timestamp('16:00').time()")),
    ("attribute", prepare("df.columns.str.match('(a+)+')"), prepare("df.columns.str.lower()")),
    ("random", prepare("df.sample(3)"), prepare("df.head(3)")),
    ("address", prepare("id(df)"), prepare("x = {'id': 1}['id']")),
    ("address", prepare("sorted([df], key=hash)"), prepare("sorted([1], key=abs)")),
    ("address", prepare("f'{self}'"), prepare("f'{self.cfg}'")),
    ("evaluates", prepare("df.eval('x')"), prepare("df.assign(x=1)")),
    ("evaluates", prepare("df.query('Close > 1')"), prepare("df[close > 1]")),
    ("introspection", prepare("(x for x in close).gi_frame"), prepare("(x for x in close)")),
    ("introspection", prepare("match df:\n    case object(f_back=x):\n        pass"),
     prepare("match df:\n    case object(shape=x):\n        pass")),
    ("introspection", prepare("type('X', (), {})"), prepare("type(df)")),
    ("format", prepare("'{0.cfg}'.format(self)"), prepare("'{:.2f}'.format(1.0)")),
    ("format", prepare("x = 'a'\nx.format(df)"), prepare("x = 'a'\nx.upper()")),
    ("module_value", prepare("n = np"), prepare("n = np.nan")),
    ("rebound", prepare("np = 1"), prepare("n = 1")),
    ("named_function", prepare("close.agg('to_csv')"), prepare("close.agg('max')")),
    ("named_function", prepare("close.agg('a' + 'b')"),
     prepare("how = {'a': 'max'}\nclose.agg(how)")),
    ("named_function", prepare("for how in ['to_' + 'csv']:\n    close.apply(how + '')"),
     prepare("close.apply(lambda x: x + 1)")),
    ("uninitialised", prepare("x = np.empty(3)\nx[0] = 1.0"),
     prepare("x = np.empty(3)\nx[:] = 0.0")),
    ("set_order", prepare("for x in {1, 2}:\n    pass"),
     prepare("for x in sorted({1, 2}):\n    pass")),
    ("set_order", prepare("s = {1}\nlist(s)"), prepare("s = {1}\n2 in s")),
    ("set_order", prepare("a, b = {1, 2}"), prepare("a = close.isin({1, 2})")),
    ("engine", prepare("close.rolling(3).apply(abs, engine='numba')"),
     prepare("close.rolling(3).apply(abs, raw=True)")),
    ("spec_mismatch", HEAD + "class Plan:\n    pass\n", top("class Plan:\n    pass")),
    ("spec_mismatch", top("").replace("def find_exits", "def find_exit"), top("")),
    ("spec_mismatch", top("").replace("(self, df, indicators, idx)", "(self, df)"), top("")),
    ("side_effect", top("np.seterr(all='raise')"), top("X = np.sqrt(2.0)")),
    ("side_effect", top("for x in (1, 2):\n    pass"), top("X = tuple(range(3))")),
    ("side_effect", top("if True:\n    X = 1"), top("X: int = 1")),
    ("side_effect", top("") + MAIN.format(imports="from strategies.template import backtest"),
     top("") + MAIN.format(imports="from strategies.template import main")),
    ("side_effect", top("") + MAIN.format(imports="X = 1"),
     top("if TYPE_CHECKING:\n    from adapters.base_adapter import Config")),
    ("class_body", top("class A:\n    if True:\n        x = 1"), top("class A:\n    x = 1")),
    ("base_class", top("class A(float):\n    pass"), top("class A:\n    pass")),
    ("base_class", top("class A(metaclass=type):\n    pass"),
     top("class A(ValueError):\n    pass")),
    ("decorator", top("@print\ndef f():\n    pass"), top("def f():\n    pass")),
    ("special_method", top("class A:\n    def __del__(self):\n        pass"),
     top("class A:\n    def __len__(self):\n        return 1")),
    ("global_state", top("X = 1\ndef f():\n    global X\n    X = 2"),
     top("X = 1\ndef f():\n    x = X")),
    ("global_state", top("X = []\ndef f():\n    X.append(1)"),
     top("X = []\ndef f():\n    x = []\n    x.append(1)")),
    ("global_state", prepare("Strategy.x = 1"), prepare("self.x = 1")),
    ("mutable_default", top("def f(x=[]):\n    pass"), top("def f(x=()):\n    pass")),
    ("asynchronous", top("async def f():\n    pass"), top("def f():\n    yield 1")),
    ("swallows", prepare("try:\n    pass\nexcept:\n    pass"),
     prepare("try:\n    pass\nexcept KeyError:\n    pass")),
    ("swallows", prepare("try:\n    pass\nexcept (KeyError, Exception):\n    pass"),
     prepare("try:\n    pass\nexcept Exception:\n    raise")),
    ("endless", prepare("while True:\n    pass"), prepare("while True:\n    break")),
    ("huge", prepare("x = 10 ** 1000"), prepare("x = 10 ** 6")),
    ("huge", prepare("x = 'a' * 10 ** 9"), prepare("x = [0.0] * 100")),
    ("huge", prepare("x = [0] * 999_999_999_999 ** 60"), prepare("x = [0] * 10 ** 2")),
    ("look_ahead", prepare("close.shift(-1)"), prepare("close.shift(1)")),
    ("look_ahead", prepare("close.rolling(3, center=True)"), prepare("close.rolling(3)")),
    ("calendar", entries("if df.index[idx] > pd.Timestamp('2031-01-01'):\n    pass"),
     entries("if df.index[idx].month > 6:\n    pass")),
    ("calendar", entries("if df.index[idx].year > 2040:\n    pass"),
     entries("if df.index[idx].year > df.index[idx - 1].year:\n    pass")),
    ("exact_price", entries("if close == 100.06:\n    pass"),
     entries("if idx == 100.0:\n    pass")),
    ("writes_bars", entries("df.iloc[idx, 0] = 1.0"), prepare("df['x'] = 1.0")),
    ("live_text", entries("return {'comment': '::error::x'}"),
     entries("return {'comment': 'a < b'}")),
    ("live_text", entries("return {'comment': '@octocat'}"),
     entries("return {'comment': 'at @ 5'}")),
    ("live_text", entries("return {'comment': '=1+1'}"), entries("return {'comment': 'a = b'}")),
]  # fmt: skip

TEST_HEAD = (
    "import numpy as np\nimport pandas as pd\nimport pytest\nfrom strategy import Strategy\n"
)


def case(line: str, mark: str = "") -> str:
    inner = line.replace("\n", "\n    ")
    return f"{TEST_HEAD}\n{mark}\ndef test_x():\n    s = Strategy({{}})\n    {inner}"


REAL = "\nassert s.find_entries(None, {}, 1) is None"
TESTS: list[tuple[str, str, str]] = [
    ("no_tests", TEST_HEAD + "x = Strategy({})\n", case("pass" + REAL)),
    ("no_strategy", "def test_x():\n    x = 1\n    assert x == 2\n", case("pass" + REAL)),
    ("no_assertion", case("s.find_exits"), case("with pytest.raises(KeyError):\n    s.cfg['x']")),
    ("constant_assert", case("assert True" + REAL), case("assert s.cfg == {}")),
    ("constant_assert", case("assert len(s.cfg) >= 0" + REAL), case("assert len(s.cfg) > 0")),
    ("constant_assert", case("assert s or True" + REAL), case("assert s.cfg or s.cfg == {}")),
    ("skipped", case("pytest.skip('x')" + REAL), case("pytest.approx(1.0)" + REAL)),
    ("swallowed_assertion", case("try:\n    assert s.cfg\nexcept AssertionError:\n    pass"),
     case("try:\n    s.cfg\nexcept KeyError:\n    pass" + REAL)),
    ("swallowed_assertion", case("with pytest.raises(Exception):\n    assert s.cfg"),
     case("with pytest.raises(ValueError):\n    assert s.cfg")),
    ("unreached", case("return" + REAL), case("for i in range(3):\n    continue" + REAL)),
    ("unreached", case("if False:\n    assert s.cfg"), case("if s.cfg:\n    pass" + REAL)),
    ("unreached", case("pass" + REAL, "@pytest.mark.parametrize('i', [])"),
     case("pass" + REAL, "@pytest.mark.parametrize('i', [1])")),
    ("patched", case("Strategy.x = 1" + REAL), case("df = pd.DataFrame()\ndf.index = []" + REAL)),
    ("patched", case("pass" + REAL).replace("test_x()", "test_x(monkeypatch)"),
     case("pass" + REAL).replace("test_x()", "test_x(tmp_path)")),
    ("hook", case("pass" + REAL) + "\n\ndef pytest_configure(config):\n    pass\n",
     case("pass" + REAL) + "\n\ndef helper(config):\n    pass\n"),
    ("unseeded", case("np.random.default_rng()" + REAL), case("np.random.default_rng(7)" + REAL)),
    ("unseeded", case("np.random.normal()" + REAL),
     case("np.random.seed(1)\nnp.random.normal()" + REAL)),
    ("fixture_path", case("pd.read_csv('/etc/passwd')" + REAL),
     case("pd.read_csv('fixtures/sample_aapl.csv')" + REAL)),
    ("builtin", case("setattr(s, 'x', 1)" + REAL), case("print(repr(s))" + REAL)),
    ("import", "import subprocess\n" + case("pass" + REAL), "import json\n" + case("pass" + REAL)),
]  # fmt: skip
