"""The fixed parts of added tests: made bars, lookups, and one test for each kind of gap."""

from __future__ import annotations

BARS = '''def made_bars() -> pd.DataFrame:
    """A rise and a fall at once, then calm and rough waves, gaps, and the same noise for all."""
    rows, price, noise = [], 100.0, 12345
    for i in range(COUNT):
        draws = []
        for _ in range(4):
            noise = (1103515245 * noise + 12345) % 2147483648
            draws.append(noise / 2147483648.0)
        wave = 0.8 * math.sin(i / 5.0) + 0.7 * math.sin(i / 17.0) + 0.5 * math.sin(i / 61.0)
        drift = 0.9 if i < 5 else -5.0 if i < 12 else wave
        drift += (0.8 if i // 40 % 2 else 2.6) * (draws[0] - 0.5)
        gap = (6.0 if draws[2] > 0.9 else 0.4) * (draws[1] - 0.5)
        first = price * (1.0 + gap / 100.0)
        price = first * (1.0 + drift / 100.0)
        top = max(first, price) * (1.0 + 0.006 * draws[2])
        bottom = min(first, price) * (1.0 - 0.006 * draws[3])
        rows.append((first, top, bottom, price, 1000.0 + 4000.0 * draws[3] ** 4))
    return pd.DataFrame(rows, index=stamps(), columns=["Open", "High", "Low", "Close", "Volume"])'''

STAMPS = {
    "W1": 'return pd.date_range("2004-01-05", periods=COUNT, freq="W-MON")',
    "D1": 'return pd.bdate_range("2019-01-01", periods=COUNT)',
}
INTRADAY = """days = pd.bdate_range("2024-01-01", periods=COUNT)
    times = [day + pd.Timedelta(minutes=m) for day in days for m in range(0, 1440, {step})]
    return pd.DatetimeIndex(times[:COUNT])"""
STEPS = {"M1": 15, "M5": 15, "M15": 15, "M30": 30, "H1": 60, "H4": 240}

LOOKUPS = '''def at(name: str, i: int) -> float:
    """A value of bar i; unknown before the first bar."""
    return SERIES[name][i] if i >= 0 else NAN


def earlier(values: list[float], shift: int) -> list[float]:
    return [NAN] * shift + values[: len(values) - shift]


def filled(e: int) -> float:
    return at("open", e)


def held(name: str, i: int, e: int) -> float:
    """What a position of bar e knows on bar i; nothing where there is none."""
    if e < 0 or i < e:
        return NAN
    if name == "entry_price":
        return filled(e)
    if name == "bars":
        return float(i - e)
    most, _, column = name.partition("_")
    return (max if most == "highest" else min)(at(column, j) for j in range(e, i + 1))


def ratio(left: float, right: float) -> float:
    if right == 0.0:
        return math.copysign(math.inf, left) if left else NAN
    return left / right


def lesser(left: float, right: float) -> float:
    return NAN if math.isnan(left + right) else min(left, right)


def greater(left: float, right: float) -> float:
    return NAN if math.isnan(left + right) else max(left, right)'''

LEVELS = '''def placeable(n: int, i: int) -> bool:
    """Every price is known and on its side, so that no order can be refused for it."""
    found, way = prices(n, i), WAYS[n]
    base = found.get("price", at("close", i))
    stop, target = found.get("sl", base - way), found.get("tp", base + way)
    return base > 0.0 and way * (base - stop) > 0.0 and way * (target - base) > 0.0


def stop_of(e: int, way: float) -> float:
    """The stop of a position that was decided on the bar before."""
    stops = [prices(n, e - 1).get("sl", NAN) for n in range(len(WAYS)) if WAYS[n] == way]
    return stops[0] if stops else NAN'''

ASKING = '''@cache
def indicators() -> Any:
    return Strategy(dict(CFG)).prepare_indicators(MADE.copy())


def asked(i: int, **more: float) -> Any:
    """The order of a strategy that has not traded yet."""
    return Strategy({**CFG, **more}).find_entries(MADE, indicators(), i)


def position(e: int, way: float) -> Any:
    """As a broker tells it; a level that is not there is None."""
    stop, when = stop_of(e, way), MADE.index[e]
    action, known = ("BUY" if way > 0.0 else "SELL"), (None if math.isnan(stop) else stop)
    return {
        **dict.fromkeys(("position_id", "id", "ticket"), "p7"),
        **dict.fromkeys(("action", "side", "direction", "type"), action),
        **dict.fromkeys(("entry_price", "price", "open_price", "price_open"), filled(e)),
        **dict.fromkeys(("entry_idx", "entry_index", "entry_bar", "open_idx"), e),
        **dict.fromkeys(("entry_time", "open_time", "time"), when),
        **{"symbol": CFG["symbol"], "volume": 1.0, "sl": known, "tp": None, "comment": ""},
    }


def broker() -> Any:
    names = ("symbol", "initial_balance", "leverage", "max_positions")
    return SimBrokerAdapter(SimBroker(Terms(**{name: CFG[name] for name in names})))'''


EARLY = """    ready = (n for n in range(COUNT) if not any(map(math.isnan, known(n))))
    unknown = min(ready, default=0)
    said = [i for i in range(unknown) if entry(i) is None and asked(i) is not None]
    assert said == []"""
ENTRIES = """    wrong = []
    for i in range(WARM, COUNT - 1):
        n, order = entry(i), asked(i)
        if n is not None and not placeable(n, i):
            continue
        wanted = None if n is None else "BUY" if WAYS[n] > 0.0 else "SELL"
        if (order["action"] if order else None) != wanted:
            wrong.append((i, wanted, order))
    assert wrong == []"""
PRICES = """    for i in range(WARM, COUNT - 1):
        n, order = entry(i), asked(i)
        if n is None or not placeable(n, i):
            continue
        found = prices(n, i)
        assert order is not None and order["symbol"] == CFG["symbol"]
        assert order["type"] == ("LIMIT" if "price" in found else "MARKET")
        for name in ("price", "sl", "tp"):
            assert (order.get(name) or 0.0) == pytest.approx(found.get(name, 0.0), rel=1e-6)"""
SIZES = """    for i in range(WARM, COUNT - 1):
        n, order = entry(i), asked(i, equity=EQUITY, balance=EQUITY)
        if n is None or not placeable(n, i):
            continue
        found = prices(n, i)
        wanted = size(found.get("price", at("close", i)), found.get("sl", NAN))
        assert order is not None and order["volume"] == pytest.approx(wanted, rel=1e-6)"""
EXITS = """    wrong = []
    for way in sorted(set(WAYS)):
        for e in range(WARM, COUNT - SPAN, 11):
            for i in range(e, e + SPAN):
                asked_about = position(e, way)
                left = Strategy(dict(CFG)).find_exits(asked_about, MADE, indicators(), i)
                if bool(left) != leaves(i, e, way):
                    wrong.append((i, e, way, left))
                assert not left or left["position_id"] == "p7"
    assert wrong == []"""
BACKTEST = """    adapter = broker()
    report = run_backtest(adapter, MADE, dict(CFG))
    placed = [i for i in range(WARM, COUNT - 2) if entry(i) is not None]
    assert report == adapter.generate_report()
    assert not placed or report["total_trades"] > 0"""
LIVE = """    adapter = broker()
    with pytest.raises(PermissionError):
        run_live(adapter, dict(CFG))"""
REST = """    adapter = broker()
    strategy, ended, decided = Strategy(dict(CFG)), -COUNT, -1
    wrong: list[Any] = []
    taken: dict[Any, int] = {}
    for i in range(COUNT - 1):
        for event in adapter.step_bar(MADE.iloc[i]):
            if event["event"] == "position_opened":
                day = MADE.index[decided].normalize()
                taken[day] = taken.get(day, 0) + 1
            elif event["event"] in ("sl_hit", "tp_hit", "position_closed"):
                ended = i
        staying = 0
        for open_one in adapter.get_positions():
            left = strategy.find_exits(open_one, MADE, indicators(), i)
            staying += not left
            if left:
                adapter.close_position(left["position_id"])
                ended = i + 1
        if staying:
            continue
        order, n = strategy.find_entries(MADE, indicators(), i), entry(i)
        free = i - ended >= REST and taken.get(MADE.index[i].normalize(), 0) < PER_DAY
        sure = i >= WARM and n is not None and placeable(n, i)
        if (order is not None and not free) or (free and sure and order is None):
            wrong.append((i, free, order))
        if order is not None:
            adapter.place_order(order)
            decided = i
    assert wrong == [] and decided >= 0"""
