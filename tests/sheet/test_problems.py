"""What is told about a line that cannot be read: where, which word, and the line that is right."""

import pytest

from schemas.sheet import Problem, print_sheet, read_sheet

HEAD = "symbol EURUSD\ntimeframe M15\n"
ENTRY = "enter long when close > open\n"


def problem(line: str, head: str = HEAD + ENTRY) -> Problem:
    found = read_sheet(head + line)
    assert found.rules is None, line
    return found.problems[0]


@pytest.mark.parametrize(
    ("line", "word", "column", "first"),
    [
        ("entre long when close > 5", "entre", 1, "enter long when close > 5"),
        ("enter lnog when close > 5", "lnog", 7, "enter long when close > 5"),
        ("enter long when ris(2) < 10", "ris", 17, "enter long when rsi(2) < 10"),
        ("enter long rsi(2) < 10", "rsi", 12, "enter long when rsi(2) < 10"),
        ("enter long when rsi(2) crosses 10", "crosses", 24,
         "enter long when rsi(2) crosses above 10"),
        ("enter long when close > highest(20)[1]", "highest(", 25,
         "enter long when close > highest(high, 20)[1]"),
        ("enter long when close > bollinger(20, 2)", "bollinger", 25,
         "enter long when close > bb_lower(20, 2)"),
        ("exit after 10", "", 14, "exit after 10 bars"),
        ("stop 5 % fill", "fill", 10, "stop 5 % from fill"),
        ("stop 95", "", 6, "stop at 95"),
        ("size 10 %", "", 1, "size equity_percent 10"),
        ("breakeven 1 %", "1", 11, "breakeven after 1 %"),
        ("enter long when rsi(2) < 10 and close < close[1] for 3 bars", "", 33,
         "enter long when rsi(2) < 10 and (close < close[1]) for 3 bars"),
    ],
)  # fmt: skip
def test_the_word_its_place_and_the_right_line(
    line: str, word: str, column: int, first: str
) -> None:
    found = problem(line)
    assert (found.line, found.column, found.word) == (4, column, word)
    assert found.typed == line
    assert found.tries[0] == first
    assert read_sheet(HEAD + ENTRY + found.tries[0]).problems == ()


@pytest.mark.parametrize(
    "line",
    [
        "zone Europe/London", "timezone America/New_York", "data spy_daily", "input n = 5",
        "session 09:30 to 16:00 America/New_York", "order good for 3 bars", "oco", "fill at close",
        "enter long when rsi(2..20 step 2) < 10", "exit when close < at_entry(low)",
        "enter long at stop high + 1 when close > open", "enter long at close when close > open",
        "exit long at close when close > open", "target 1 R close 50 %",
        "target 3 % after 20 minutes",
        "trail 8 % from highest close resting", "enter long when ema(50) on H1 > close",
        "enter long when value_when(close > open, high) > 3",
        "enter long when sma(high - low, 20) > 1",
        "max 2 trades per week", "order good for 2 bars", "symbol KO, PEP",
        "add 0.01 when close < 1",
        "exit when close < low[signal]", "exit when close < low of signal bar",
        "enter long when last_trading_day_of_month", "target 1 % from average price",
    ],
)  # fmt: skip
def test_what_is_known_and_not_built_is_never_called_unknown(line: str) -> None:
    head = "timeframe M15\n" + ENTRY if line.startswith("symbol") else HEAD + ENTRY
    assert "not built yet" in problem(line, head).message


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("leverage of 3", "not built yet"),
        ("flurb 3", "begins no statement"),
        ("sell when close > 5", "`exit long when …` or `enter short when …`"),
        ("enter long when close", "compare it with another"),
        ("enter long when close > open > volume and", "ends too early"),
        ("enter long when weekday = 1", "name the day"),
        ("enter long when time > 900", "write a time of day"),
        ("enter long when close > 10:00", "is compared with `time`"),
        ("enter long when close > 5 %", "a percent of what?"),
        ("enter long when stoch_k(14, 3) < 20", "say all three"),
        ("enter long when supertrend(3, 10) < close", "the length comes first"),
        ("enter long when close(1) > open", "`close[1]`"),
        ("enter long when rsi(14, 3) < 30", "too much in the brackets"),
        ("enter long when ma(50) < close", "several things"),
        ("stop 2 * range", "a distance is counted in"),
        ("stop at 5 %", "after `at` stands a price"),
        ("slippage 5 per trade", "slippage is a price"),
        ("exit after 2 days", "how many bars"),
        ("let close = open", "means something already"),
        ("stop at high + 1 tick", "how large is a tick"),
        ("exit when highest(high, 3) between 09:00 and 09:30", "a stretch of the day"),
        ("max 3 entries", "at once or a day?"),
        ("stop 20 points", "tenths of a pip"),
        ("spread 25 points", "how large is a point"),
        ("commission 4 per round turn", "of one contract or of all?"),
        ("exit on friday at 25:00", "I cannot read"),
        ("exit at 00:10", "this early every bar of the day is late enough"),
        ("exit on friday at 00:15", "this early every bar of the day is late enough"),
        ("exit when (flat) for 3 bars", "`wait … bars after exit`"),
        ("exit when any of last 3 bars not flat", "`wait … bars after exit`"),
        ("exit when any(close > open, 2.5)", "is a number of bars"),
        ("enter long at 09:30 when close > open", "`when time = 09:15 and …`"),
        ("timeframe H1", "said on line 2 already"),
        ("stop 1 lot", "I do not know `lot`"),
    ],
)
def test_what_can_be_taken_in_two_ways_is_asked(line: str, told: str) -> None:
    assert told in problem(line).message


def test_every_faulty_line_is_told_at_once() -> None:
    found = read_sheet(
        "symbol AAPL\ntimeframe D1\nenter long when ris(2) < 3\nstopp 5 %\nsize 1 %\n"
    )
    assert [p.line for p in found.problems] == [3, 4, 5]


def test_what_follows_from_a_faulty_name_points_at_its_line() -> None:
    found = read_sheet(HEAD + "let up = closee > open\nenter long when up\n")
    assert [p.line for p in found.problems] == [3, 4]
    assert "waits for line 3" in found.problems[1].message


def test_a_hole_is_legal_anywhere_and_never_a_rule() -> None:
    sheet = (
        "symbol AAPL\ntimeframe D1\nenter long when ??? and close > 1\nstop ???\nsize ???\n???\n"
    )
    found = read_sheet(sheet)
    assert found.rules is None and found.problems == ()
    assert [(h.line, h.column) for h in found.holes] == [(3, 17), (4, 6), (5, 6), (6, 1)]


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("timeframe D1\nenter long when close > open", "which symbol?"),
        ("symbol A\nenter long when close > open", "which timeframe?"),
        ("symbol A\ntimeframe D1\nstop 1 %", "no entry"),
        (HEAD + ENTRY + "size risk_percent 1", "needs a stop"),
        (HEAD + ENTRY + "target 2 R", "a side has no stop"),
        ("symbol AAPL\ntimeframe D1\n" + ENTRY + "stop 20 pips", "how large is a pip"),
        (
            HEAD + ENTRY + "enter short when close < open\ntrail 2 % from highest close",
            "best close",
        ),
    ],
)
def test_what_only_the_whole_can_tell(sheet: str, told: str) -> None:
    assert any(told in p.message for p in read_sheet(sheet).problems)


def test_a_rule_over_several_lines_keeps_its_places() -> None:
    sheet = HEAD + "enter long when close > open\n  and ris(2) < 10\n  and volume > 1\n"
    found = read_sheet(sheet).problems[0]
    assert (found.line, found.column, found.typed) == (4, 7, "  and ris(2) < 10")


def test_a_problem_is_shown_with_a_mark_below_the_word() -> None:
    shown = str(problem("enter long when ris(2) < 10")).splitlines()
    assert shown[1].index("ris") == shown[2].index("^^^")
    assert shown[3] == "    Try: enter long when rsi(2) < 10"


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("exit on friday at 20:00", "exit when weekday in (fri) and time >= 19:45"),
        ("exit on friday at 00:00", "exit when weekday in (thu) and time >= 23:45"),
        ("exit at 15:45", "exit at 15:45"),
        ("exit at 00:00", "exit at 00:00"),
        ("exit after 1 bar", "exit after 1 bar"),
        ("exit after 45 minutes", "exit after 3 bars"),
        ("commission 5 bps", "commission 0.05 %"),
        ("commission 2.10 per contract per side", "commission 2.1 per unit"),
        ("size 0.5 lots", "size units 50000"),
        ("wait 12 bars between trades", "wait 12 bars after exit"),
        ("stop at lowest(low, 10) - 2 pips", "stop at lowest(low, 10) - 0.0002"),
        ("sl 20 pips", "stop 20 pips from fill"),
        ("tp 2 % from entry price", "target 2 % from fill"),
        ("stop 2 atr", "stop 2 * atr(14) from fill"),
        ("trail 3 % from highest close", "trail 3 % from best close checked on close"),
        ("max_trades_per_day 2", "max 2 trades per day"),
        ("exit when hour >= 15", "exit when time >= 15:00"),
        ("exit long when ta.crossunder(ta.rsi(close, 14), 70)",
         "exit long when rsi(14) crosses below 70"),
        ("exit long when close < RSI(df, 14)", ""),
        ("exit when bollinger(20, 2).lower > close", "exit when bb_lower(20, 2) > close"),
        ("exit when close(D1)[1] > open of day", "exit when prev_day_close > day_open"),
        ("exit when close > ref(hhv(high, 55), -1)", "exit when close > highest(high, 55)[1]"),
        ("exit when barssince(close > open) <= 5", "exit when (close > open) within 6 bars"),
        ("exit when ichimoku_kijun(30) > close", "exit when ichimoku_kijun(9, 30, 52, 26) > close"),
        ("exit when close is above vwap and friday", "exit when close > vwap and weekday = fri"),
        ("stop at low[signal] - 5 pips", "stop at low - 0.0005"),
        ("exit when range > 20 pips", "exit when range > 0.002"),
        ("exit when weekday is friday", "exit when weekday = fri"),
        ("exit when close > vwap(day)", "exit when close > vwap"),
        ("exit when ema(50) on M15 > close", "exit when ema(50) > close"),
        ("filter close > sma(200)", "enter long when close > open and close > sma(200)"),
        ("no entry when close < open", "enter long when close > open and not (close < open)"),
        ("exit when all(close > open, 3)", "exit when (close > open) for 3 bars"),
        ("exit when close > high[1] on D1", "exit when close > prev_day_high"),
        ("exit when 30 < rsi(14) < 70", "exit when 30 < rsi(14) and rsi(14) < 70"),
    ],
)  # fmt: skip
def test_what_people_write_and_its_canonical_line(typed: str, canonical: str) -> None:
    found = read_sheet(HEAD + ENTRY + typed)
    if not canonical:
        assert found.problems
        return
    assert found.rules is not None, found.problems
    assert canonical in print_sheet(found.rules).splitlines()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("stop 3 %", "counts from the fill price"),
        ("trail 8 % from best close", "looked at on each close"),
        ("trail 3 * atr(14) from best price checked on close", "can move away again"),
        ("exit at 15:45", "each bar stamped 15:30 or later on its day: what is filled after"),
        ("exit after 3 bars", "held for 3 bars, that of the fill being the first"),
        ("target at vwap", "worked out once, on the signal bar"),
        ("max 2 trades per day", "on which the entry is decided"),
        ("session 09:30 to 16:00", "positions are not closed"),
        ("size contracts 2", "the value of a point is 1"),
        ("size 2 contracts", "the value of a point is 1"),
        ("size equity_percent 10", "not rounded"),
        ("commission 1 per order", "booked as 2 per trade"),
        ("spread 2 pips", "half of it on each fill, limits and targets included"),
        ("exit when kc_upper(20, 1.5) < close", "atr_length 10"),
        ("exit when close > open of day", "hours outside the session included"),
        ("exit when trading_day_of_month = -4", "this never changes"),
        ("enter short at limit high when close < open", "good for the next bar only"),
    ],
)
def test_what_two_readers_could_take_differently_is_told(typed: str, told: str) -> None:
    found = read_sheet(HEAD + ENTRY + typed)
    assert found.rules is not None, found.problems
    assert any(told in a.text for a in found.assumed if a.line == 4), found.assumed
