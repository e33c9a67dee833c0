"""The parts of a generated test file that are the same for every contract."""

from __future__ import annotations

DAYS = """    index = pd.bdate_range("2024-01-01", periods={count}, name="Date")"""
WEEKS = """    index = pd.date_range("2018-01-01", periods={count}, freq="W-MON", name="Date")"""
SESSION = """\
    stamps = pd.date_range("2024-01-01", periods={every}, freq="{step}min", name="Date")
    minute = stamps.hour * 60 + stamps.minute
    index = stamps[(stamps.day_of_week < 5) & (minute >= {start}) & (minute < {end})][:{count}]"""

BARS = '''def bars() -> pd.DataFrame:
    """Waves in waves with gaps and a slow rise: every bar follows from its number."""
{index}
    steps = [float(i) for i in range(len(index))]
    waves = [9.0 * math.sin(i / 19.0) + 3.0 * math.sin(i / 4.7) + math.sin(1.9 * i) for i in steps]
    close = [100.0 + 0.01 * i + wave for i, wave in zip(steps, waves, strict=True)]
    before = [close[0], *close[:-1]]
    first = [c + 0.7 * math.sin(2.3 * i) ** 3 for i, c in zip(steps, before, strict=True)]
    over = [0.2 + 0.6 * math.sin(0.9 * i) ** 2 for i in steps]
    under = [0.2 + 0.6 * math.cos(1.3 * i) ** 2 for i in steps]
    return pd.DataFrame(
        {{
            "Open": first,
            "High": [max(o, c) + x for o, c, x in zip(first, close, over, strict=True)],
            "Low": [min(o, c) - x for o, c, x in zip(first, close, under, strict=True)],
            "Close": close,
            "Volume": [1000.0 + 900.0 * math.sin(i / 3.1) ** 5 for i in steps],
        }},
        index=index,
    )


BARS = bars()
LAST = len(BARS) - 1
TIMES = [pd.Timestamp(time) for time in BARS.index]
OPEN, HIGH, LOW, CLOSE, VOLUME = (
    [float(x) for x in BARS[name]] for name in ("Open", "High", "Low", "Close", "Volume")
)'''

CALENDAR = '''def calendar() -> dict[str, list[float]]:
    """What the opening times of the bars say, counted by hand."""
    days = [time.normalize() for time in TIMES]
    months = [(time.year, time.month) for time in TIMES]
    told: dict[str, list[float]] = {
        "minute": [time.hour * 60.0 + time.minute for time in TIMES],
        "weekday": [float(time.day_of_week) for time in TIMES],
        "day": [float(time.day) for time in TIMES],
        "month": [float(time.month) for time in TIMES],
        "bar_of_day": [float(days[: i + 1].count(day)) for i, day in enumerate(days)],
        "trading_day": [],
    }
    for i in range(len(TIMES)):
        past = {days[j] for j in range(i + 1) if months[j] == months[i]}
        told["trading_day"].append(float(len(past)))
    return told


CALENDAR = calendar()'''

HELPERS = {
    "at": '''def at(values: list[float], i: int) -> float:
    """The value on bar `i`; there is none before the first."""
    return values[i] if i >= 0 else NAN''',
    "divide": """def divide(left: float, right: float) -> float:
    return left / right if right else left * math.inf""",
    "minimum": """def minimum(left: float, right: float) -> float:
    return NAN if math.isnan(left + right) else min(left, right)""",
    "maximum": """def maximum(left: float, right: float) -> float:
    return NAN if math.isnan(left + right) else max(left, right)""",
    "seen": '''def seen(value: float, i: int, first: int, price: float) -> float:
    """What a position knows: nothing before its fill, nothing without one."""
    return value if i >= first and not math.isnan(price) else NAN''',
    "reached": '''\
def reached(side: float, marks: list[float], price: float, needed: list[float]) -> bool:
    """Whether one of the marks was so far in profit."""
    return any(side * (mark - price) >= far for mark, far in zip(marks, needed, strict=True))''',
}

SHARED = '''def cfg() -> Config:
    """A new one for each strategy: a run writes its account into it."""
    return {{
        "symbol": "{symbol}",
        "volume": 2.0,
        "initial_balance": 10_000.0,
        "balance": 10_000.0,
        "equity": 10_000.0,
    }}


def account() -> SimBrokerAdapter:
    """With money for every size, so that no order is refused for want of it."""
    terms = Terms(initial_balance=1e7, leverage=1e6, costs=FREE, max_positions={most})
    return SimBrokerAdapter(SimBroker(terms))


def made() -> Indicators:
    return Strategy(cfg()).prepare_indicators(BARS)


def same(one: list[float], two: list[float]) -> bool:
    """Equal on every bar, and unknown on the same bars."""
    return len(one) == len(two) and all(
        math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-7) or (math.isnan(a) and math.isnan(b))
        for a, b in zip(one, two, strict=True)
    )


def forced(bar: int, **given: float) -> Indicators:
    """The series with no rule holding anywhere, but these values on this bar."""
    values = made()
    for name in values:
        if name in RULES:
            values[name] = values[name] * 0.0
        if name in given:
            values[name] = values[name].copy()
            values[name].iloc[bar] = given[name]
    return values


def position(action: str, first: int, price: float, stop: float) -> Position:
    told = {{
        "position_id": "p1",
        "action": action,
        "volume": 2.0,
        "entry_idx": first,
        "entry_price": price,
        "sl": stop,
        "tp": None,
    }}
    return cast(Position, told)'''

DATA = """def test_data_each_series_has_one_value_per_bar_and_no_bar_is_changed() -> None:
    before, values = BARS.copy(), made()
    for name, series in Strategy(cfg()).prepare_indicators(BARS.reset_index()).items():
        assert len(series) == len(BARS)
        assert same(list(series), list(values[name])), name
    assert BARS.equals(before)


def test_data_no_series_uses_a_later_bar() -> None:
    values = made()
    for count in (LAST // 2, LAST):
        early = Strategy(cfg()).prepare_indicators(BARS.iloc[:count])
        assert all(same(list(early[name]), list(values[name])[:count]) for name in values)"""

TAKEN = """def test_data_the_bars_are_taken_and_left_as_they_are() -> None:
    before = BARS.copy()
    assert made() == Strategy(cfg()).prepare_indicators(BARS.reset_index()) == {}
    assert BARS.equals(before)"""

QUIET = """def test_nothing_is_ordered_before_there_are_rules_for_it() -> None:
    values = made()
    assert [i for i in range(LAST) if Strategy(cfg()).find_entries(BARS, values, i)] == []
    report = run_backtest(account(), BARS, cfg())
    assert (report["bars"], report["total_trades"]) == (len(BARS), 0)"""

INDICATORS = """def test_indicators_are_what_their_formulas_say() -> None:
    values = made()
    for name, expected in INDICATORS.items():
        assert same(list(values[name]), expected), name"""

ENTRIES = '''def is_sound(action: str, prices: dict[str, float], i: int) -> bool:
    """All prices are known, and a stop and a target are where a broker takes them."""
    low, high = prices.get("price", LOW[i]), prices.get("price", HIGH[i])
    side, near, far = (1.0, low, high) if action == "BUY" else (-1.0, high, low)
    stop, target = prices.get("sl", near - side * 1e9), prices.get("tp", far + side * 1e9)
    known = all(price > 0.0 for price in prices.values())
    placed = side * stop <= side * far and side * target >= side * near
    return known and placed and side * target > side * stop and size(prices, i) > 0.0


def test_entries_are_ordered_as_the_contract_says() -> None:
    values = made()
    for i in range(LAST):
        order, expected = Strategy(cfg()).find_entries(BARS, values, i), wanted(i, i, NAN)
        if expected is None or not is_sound(*expected, i):
            assert order is None, i
            continue
        action, prices = expected
        assert order is not None and order["action"] == action, i
        assert order["type"] == ("LIMIT" if "price" in prices else "MARKET")
        assert order["volume"] == pytest.approx(size(prices, i))
        told = [order.get("price"), order.get("sl"), order.get("tp")]
        assert told == pytest.approx([prices.get(name) for name in ("price", "sl", "tp")])'''


def entries(keys: list[str]) -> str:
    """`keys` are those that orders have besides their prices."""
    if not keys:
        return ENTRIES
    names = ["price", "sl", "tp", *keys]
    told = "".join(f'            order.get("{name}"),\n' for name in names)
    wanted = "".join(f'            "{name}",\n' for name in names)
    start = ENTRIES.rpartition("        told = ")[0]
    return (
        f"{start}        told = [\n{told}        ]\n        names = [\n{wanted}        ]\n"
        "        assert told == pytest.approx([prices.get(name) for name in names])"
    )


FILLS = """FILLS = range(LAST // 5, LAST - 20, LAST // 10)"""

EXITS = """@pytest.mark.parametrize("action", {actions})
def test_exits_are_those_of_the_contract(action: str) -> None:
    values = made()
    for first in FILLS:
        price = OPEN[first]
        stop = price * (0.97 if action == "BUY" else 1.03)
        held = position(action, first, price, stop)
        for i in range(first, min(first + 90, LAST)):
            leave = Strategy(cfg()).find_exits(held, BARS, values, i)
            expected = by_rule(action, i, first, price) or by_risk(action, i, first, price, stop)
            assert (leave is not None) == expected, (first, i)
            assert leave is None or (leave["position_id"] == "p1" and leave["reason"])"""

BESIDE = """def test_entries_beside_an_open_position_are_those_of_the_contract() -> None:
    values = made()
    for first in FILLS:
        price = OPEN[first]
        held = position("{action}", first, price, price * {stop})
        for i in range(first + 1, min(first + 90, LAST)):
            strategy = Strategy(cfg())
            if strategy.find_exits(held, BARS, values, i) is None:
                order, expected = strategy.find_entries(BARS, values, i), wanted(i, first, price)
                sound = expected is not None and is_sound(*expected, i)
                assert (order is not None) == sound, (first, i)"""

PACE = '''def pauses(event: Event) -> bool:
    """Whether a pause follows this end of a position."""
    return {counts}


def walk(values: Indicators) -> dict[str, list[int]]:
    """A run over the bars: when it was asked, what it ordered and what was filled, by decision;
    when positions ended, by the bar of the fill; and the bars on which exits were decided."""
    adapter, strategy = account(), Strategy(cfg())
    names = ("asked", "ordered", "filled", "ended", "leaving", "open")
    told: dict[str, list[int]] = {{name: [] for name in names}}
    for i in range(LAST):
        for event in adapter.step_bar(BARS.iloc[i]):
            if event["event"] == "position_opened":
                told["filled"].append(i - 1)
            elif event["event"] == "position_closed" and pauses(event):
                told["ended"].append(i)
        staying = 0
        for held in adapter.get_positions():
            leave = strategy.find_exits(held, BARS, values, i)
            staying += leave is None
            if leave is not None:
                adapter.close_position(leave["position_id"], reason=leave["reason"])
                told["leaving"].append(i)
        told["open"].append(staying)
        if staying < {most}:
            told["asked"].append(i)
            order = strategy.find_entries(BARS, values, i)
            if order is not None:
                told["ordered"].append(i)
                adapter.place_order(order)
    return told


@cache
def always() -> dict[str, list[int]]:
    """The same where every rule of an entry holds on every bar."""
    values = made()
    return walk({{n: s * 0.0 + 1.0 if n in ENTERING else s for n, s in values.items()}})


def allowed(i: int) -> bool:
    """What the trades before leave open."""
    told = always()
    today = [j for j in told["filled"] if j < i and TIMES[j].normalize() == TIMES[i].normalize()]
    resting = any(0 <= i - end < {bars} for end in told["ended"])
    return len(today) < {daily} and not resting


def test_no_entry_comes_before_earlier_trades_allow_it() -> None:
    told = always()
    assert max(told["open"]) <= {most} and told["asked"]
    assert all(allowed(i) for i in told["ordered"])'''

STRICT = """def test_entries_come_as_soon_as_earlier_trades_allow_it() -> None:
    told = always()
    due = [i for i in told["asked"] if allowed(i) and is_sound(*first_order(i), i)]
    assert [i for i in due if i not in told["ordered"] and i not in told["leaving"]] == []"""

FULL = """def test_a_full_backtest_trades_what_is_ordered() -> None:
    adapter, values = account(), made()
    report = run_backtest(adapter, BARS, cfg())
    orders = [i for i in range(LAST) if Strategy(cfg()).find_entries(BARS, values, i)]
    assert report["bars"] == len(BARS)
    assert {told}"""

DETERMINISM = """def test_determinism_two_runs_give_the_same_report() -> None:
    one, two = (run_backtest(account(), BARS, cfg()) for _ in range(2))
    assert one == two and one["bars"] == len(BARS)"""
