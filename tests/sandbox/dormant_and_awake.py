"""What waits for other bars or draws lots in secret, each beside the nearest honest code."""

from __future__ import annotations

from tests.sandbox.wrong_and_right import REAL, case, entries, prepare, top

NOW = "df.index[idx]"


def when(condition: str) -> str:
    return entries(f"if {condition}:\n    return None")


WAITING: list[tuple[str, str, str]] = [
    ("calendar", when(f"{NOW}.year - 2060 > 0"), when(f"{NOW}.year - df.index[0].year > 0")),
    ("calendar", when(f"{NOW}.year in (2060, 2061)"), when(f"{NOW}.month in (8, 12)")),
    ("calendar", when(f"{NOW}.year % 100 > 60"), when(f"{NOW}.year % 4 == 3")),
    (
        "calendar",
        entries(f"year = {NOW}.year\nif year > 2055:\n    pass"),
        entries(f"year = {NOW}.year\nif year > df.index[0].year:\n    pass"),
    ),
    (
        "calendar",
        top("LAST = 20 * 100 + 55")
        + f"\n    def f(self, df, idx):\n        return {NOW}.year > LAST\n",
        top("LAST = 20") + f"\n    def f(self, df, idx):\n        return {NOW}.day > LAST\n",
    ),
    ("calendar", when(f"{NOW}.isocalendar()[0] > 2055"), when(f"{NOW}.isocalendar()[1] > 26")),
    (
        "calendar",
        when(f"int({NOW}.strftime('%Y')) > 2055"),
        when(f"int({NOW}.strftime('%H%M')) > 930"),
    ),
    (
        "calendar",
        when("int(f'{df.index[idx]:%Y}') > 2055"),
        when("int(f'{df.index[idx]:%H}') > 12"),
    ),
    (
        "calendar",
        when(f"int(str({NOW})[:4]) > 2055"),
        when(f"str({NOW})[:10] != str(df.index[0])[:10]"),
    ),
    ("calendar", when(f"{NOW}.value > 2.9e18"), when(f"{NOW}.value > df.index[0].value")),
    ("calendar", when(f"{NOW} > pd.Timestamp(0) + close"), when(f"{NOW} > pd.Timestamp(0)")),
    ("calendar", when(f"str({NOW}) > '20' + '55-01'"), when(f"str({NOW}) > 'a' + 'b'")),
    ("late", when("idx > 3000"), when("idx > 1000")),
    ("late", when("len(df) > 1900"), when("len(df) < 300")),
    ("late", when("df.shape[0] // 10 == 400"), when("df.shape[0] // 10 == 40")),
    ("late", when(f"({NOW} - df.index[0]).days > 3000"), when(f"({NOW} - df.index[0]).days > 300")),
    (
        "late",
        entries("self.n += 1\nif self.n > 6000:\n    pass"),
        entries("self.n += 1\nif self.n > 60:\n    pass"),
    ),
    (
        "late",
        when(f"{NOW} - df.index[0] > pd.Timedelta(days=9000)"),
        when(f"{NOW} - df.index[0] > pd.Timedelta(days=90)"),
    ),
    ("clock", prepare("x = pd.Timestamp('no' + 'w')"), prepare("x = 'no' + ' way'")),
    (
        "clock",
        prepare("x = pd.Timestamp(''.join(['to', 'day']))"),
        prepare("x = ''.join(['to', 'do'])"),
    ),
    ("clock", prepare("x = 'no'\nx += 'w'"), prepare("x = 'no'\nx += 'ne'")),
    ("clock", prepare("x = 'won'[::-1]"), prepare("x = 'own'[::-1]")),
    ("dunder", prepare("x = '__' + 'dict__'"), prepare("x = '_' + 'dict'")),
    ("address", prepare("x = str(self.find_exits)"), prepare("x = str(self.cfg['symbol'])")),
    ("address", prepare("x = '%s' % (self,)"), prepare("x = '%s' % (self.cfg,)")),
    ("address", prepare("me = self\nx = str(me)"), prepare("me = self.cfg\nx = str(me)")),
    ("address", prepare("x = str(object())"), top("MISSING = None")),
    ("address", prepare("x = f'{zip(df)}'"), prepare("x = f'{list(zip(df))}'")),
    (
        "address",
        top("class Box:\n    pass") + "\n    def f(self):\n        return f'{Box()}'\n",
        top("from dataclasses import dataclass\n@dataclass\nclass Box:\n    x: int = 1")
        + "\n    def f(self):\n        return f'{Box()}'\n",
    ),
    (
        "address",
        top("def half(x):\n    return x / 2") + "\n    def f(self):\n        return f'{half}'\n",
        top("def half(x):\n    return x / 2") + "\n    def f(self):\n        return f'{half(3)}'\n",
    ),
    ("uninitialised", prepare("x = np.ndarray(3)"), prepare("x: np.ndarray = np.zeros(3)")),
    (
        "uninitialised",
        prepare("x = np.divide(close, 2.0, where=close > 0)"),
        prepare("x = np.divide(close, 2.0, out=np.zeros(3), where=close > 0)"),
    ),
    (
        "uninitialised",
        top("from numpy import empty as blank") + "\n    def f(self):\n        return blank(3)\n",
        top("from numpy import zeros as blank") + "\n    def f(self):\n        return blank(3)\n",
    ),
    ("uninitialised", prepare("make = np.empty"), prepare("make = np.zeros")),
    (
        "uninitialised",
        prepare("x = np.empty(3)\nx[:] = x"),
        prepare("x = np.empty(3)\nx[:] = np.nan"),
    ),
    ("set_order", prepare("s = {'a'}\nlist(s | {'b'})"), prepare("s = {'a'}\nsorted(s | {'b'})")),
    (
        "set_order",
        prepare("s = {'a'}\nlist(s.union(['b']))"),
        prepare("s = {'a'}\n'b' in s.union(['b'])"),
    ),
    (
        "set_order",
        prepare("a = {'x': 1}\nlist(a.keys() & a.keys())"),
        prepare("a = {'x': 1}\nlist(a.keys())"),
    ),
    (
        "set_order",
        top("def f(names: set[str]) -> str:\n    return list(names)[0]"),
        top("def f(names: set[str]) -> bool:\n    return 'a' in names"),
    ),
    (
        "set_order",
        top(
            "def f() -> frozenset[str]:\n    return frozenset('ab')\ndef g():\n    return list(f())"
        ),
        top("def f() -> list[str]:\n    return ['ab']\ndef g():\n    return list(f())"),
    ),
    (
        "named_function",
        prepare("x = df.agg(**{'func': 'to_csv'})"),
        prepare("x = df.agg(func='max')"),
    ),
    (
        "named_function",
        prepare("self.how = 'to_' + 'csv'\nx = df.agg(self.how)"),
        prepare("how = 'max'\nx = df.agg(how)"),
    ),
]

BY_ITS_SOURCE: list[tuple[str, str, str]] = [
    (
        "reads_source",
        case("pd.read_csv(Path(__file__).parent / 'strategy.py')" + REAL),
        case("x = 'strategy'" + REAL),
    ),
    ("reads_source", case("name = 'strategy.' + 'py'" + REAL), case("name = 'rsi.' + '1'" + REAL)),
    (
        "dunder",
        "import strategy\n" + case("strategy.__file__" + REAL),
        "import strategy\n" + case("strategy.Strategy" + REAL),
    ),
]
