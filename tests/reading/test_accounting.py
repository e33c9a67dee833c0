"""Nothing is built from a request that says something its contract does not have."""

from __future__ import annotations

import pytest

from bot.desk import written_for
from bot.io.offline import OfflineWriter
from tests.reading.drafts import reply

FORM = "### Symbol\n\nAAPL\n\n### Timeframe\n\nDaily\n\n### Entry\n\n{}\n\n### Exit\n\n{}\n\n{}"
RSI = ("Buy when RSI(2) is below 10.", "Sell when RSI(2) is above 70.")
PLAIN = "SPY daily. Buy when RSI(2) < 10. Sell when RSI(2) > 70. "
NVIDIA = (
    "whenever nvidia has had three down days in a row but is still over its 100 day average i'd "
    "like to grab some and dump it after the first green day"
)
ASKED = {
    "a percent of a condition is no stop": (
        "Buy SPY at Monday's close if it is down more than 1%, sell at Tuesday's close. Daily.",
        "if it is down more than 1%",
    ),
    "nor where the days are read": (
        "Buy AAPL on Friday's open if the week is down 3% or more, sell Monday's open. Daily.",
        "if the week is down 3% or more",
    ),
    "an exit that is a stop alone": (
        FORM.format(
            "Short when the open is 3% above the previous close.",
            "Cover at the close the same day.",
            "### Risk\n\nStop 2%",
        ),
        "Cover at the close the same day.",
    ),
    "events to stay away from": (
        FORM.format(*RSI, "### Anything else\n\nNo trades around earnings."),
        "No trades around earnings.",
    ),
    "hours on daily bars": (
        FORM.format(*RSI, "### Anything else\n\nOnly 9:30 to 16:00."),
        "Only 9:30 to 16:00.",
    ),
    "levels without a unit": ("macd crossover on gold, 1h, sl 10 tp 20", "sl 10 tp 20"),
    "a fill on Monday's close": (
        "SPY daily. If RSI(2) < 10 buy at Monday's close. Sell when RSI(2) > 70.",
        "at Monday's close",
    ),
    "a fill on the open of the gap": (
        "Short TSLA when it gaps up more than 3% at the open, cover after 2 days. Daily, stop 4%.",
        "gaps up more than 3% at the open",
    ),
    "entry and exit swapped": (NVIDIA, NVIDIA),
    "another market": (
        "KO vs PEP: buy when the spread z-score is below -2, sell when it is above 0. daily",
        "KO vs PEP",
    ),
    "the trade before": (
        PLAIN + "Don't enter if the previous signal was a winner.",
        "Don't enter if the previous signal was a winner.",
    ),
    "a rule for the portfolio": (PLAIN + "Rebalance monthly.", "Rebalance monthly."),
    "one line of two": (
        "SPY daily. Buy when %K and %D are both below 30 and RSI(14) < 40. Sell when RSI(14) > 60.",
        "%K and %D are both below 30",
    ),
    "otherwise": (
        "SPY daily. When the close is above SMA(200), go long when RSI(2) < 10; otherwise go short "
        "when RSI(2) > 90. Exit when RSI(2) crosses 50.",
        "otherwise go short",
    ),
    "another series": (
        "SPY daily. Buy below the lower Bollinger band (20, 2) of the typical price. Sell at the "
        "middle band.",
        "typical price",
    ),
    "an exit by a cross": (
        "Buy 2 lots of EURUSD on H1 when EMA 10 crosses EMA 30 upward, exit at 16:00 or when it "
        "crosses down.",
        "exit at 16:00 or when it crosses down",
    ),
    "a word that is in no list": (
        PLAIN.replace("< 10", "< 10 with a gazumped mood"),
        "with a gazumped mood",
    ),
    "a sum": (PLAIN + "Put 25% of my cash into Wheat too.", "25%"),
    "all the money": (
        PLAIN + "Full available capital is used for each trade.",
        "Full available capital",
    ),
    "a word taken for a price": (
        "AAPL daily. Buy when price closes above the 20 SMA two days in a row, sell when it closes "
        "below twice.",
        "sell when it closes below twice",
    ),
    "half of a position": (
        "GOOG daily. Buy when MACD histogram turns positive and exit half when up 5% and the rest "
        "when it turns negative.",
        "exit half when up 5%",
    ),
    "how often a month": (
        "Long AMD when it makes a 52 week high. Trailing stop of 10%. Daily. Don't buy more than "
        "once a month.",
        "Don't buy more than once a month.",
    ),
    "how long an order rests": (
        "Daily DIA. Enter long with a limit 1% below the close when RSI(3) < 20; cancel if not "
        "filled after 2 days. Exit RSI(3) > 60.",
        "cancel if not filled after 2 days",
    ),
    "the third one, and a filter that would hold the exit": (
        "buy the third red day in a row, sell first green close, SPY daily, only above 200 sma",
        "buy the third red day in a row",
    ),
    "a filter that would hold the exit": (
        "buy when RSI(2) < 10, sell when RSI(2) > 70, SPY daily, only above 200 sma",
        "only above 200 sma",
    ),
    "a close without a word before it": (
        "Daily QQQ. Buy Tuesday's close, sell Thursday's close.",
        "Buy Tuesday's close",
    ),
    "a cross without a direction": (
        "SPY daily. Enter when RSI(14) crosses 30, exit when RSI(14) crosses 70.",
        "Enter when RSI(14) crosses 30",
    ),
    "a delay that is as long as an indicator": (
        "SPY daily. Buy 2 days after RSI(2) drops below 10. Sell when RSI(2) > 70.",
        "2 days after",
    ),
    "a delay of the exit, next to a stop": (
        "SPY daily. Buy when RSI(3) < 10. Sell 3 bars after RSI(3) crosses above 70. Stop 4%.",
        "3 bars after",
    ),
    "a condition of the past": (
        "SPY daily. Enter when RSI(2) was below 10 two days ago. Sell when RSI(2) > 70.",
        "2 days ago",
    ),
    "a wait": (PLAIN + "Wait 2 days before buying.", "Wait 2 days"),
    "the second day": (
        "SPY daily. Buy when RSI(2) < 10 on the second day. Sell when RSI(2) > 70.",
        "2nd day",
    ),
    "losses that are counted": (PLAIN + "Give up after 2 losses.", "after 2 losses"),
    "a time without an hour": (
        "EURUSD H1. Buy when RSI(14) < 30 before lunch. Sell when RSI(14) > 70.",
        "before lunch",
    ),
    "only the night": (
        "EURUSD H1. Buy when RSI(14) < 30 overnight only. Sell when RSI(14) > 70.",
        "overnight only",
    ),
    "the end of a week": (
        "EURUSD H1. Buy when RSI(14) < 30. Sell when RSI(14) > 70. "
        "Close everything at the end of the week.",
        "end of the week",
    ),
    "bars of another length": (
        "SPY H1. Buy when RSI(2) < 10 on the daily chart. Sell when RSI(2) > 70.",
        "on the daily chart",
    ),
    "a quarter": (PLAIN + "Quarter size.", "Quarter size"),
    "a lot": (PLAIN + "Go big.", "Go big"),
    "a little": (PLAIN.replace("Buy when", "Buy a little when"), "Buy a little"),
    "a not of the day before": (
        "SPY daily. Buy when RSI(2) < 10 and yesterday was not a down day. Sell when RSI(2) > 70.",
        "yesterday was not a down day",
    ),
    "a not of the candle, beside an average": (
        "SPY daily. Buy when close is above SMA(50) and the previous day was not a red day. "
        "Sell when RSI(2) > 70.",
        "the previous day was not a red day",
    ),
    "a not of a shape": (
        "SPY daily. Buy when RSI(2) < 10 and the previous day was not an inside day. "
        "Sell when RSI(2) > 70.",
        "the previous day was not an inside day",
    ),
    "a stop below zero": (PLAIN + "Stop 500%.", "Stop 500%."),
    "half a bar": (PLAIN.replace("RSI(2) <", "RSI(2.5) <"), "length must be a whole number"),
    "no share": (PLAIN + "Buy 0 shares.", "the size must be above zero"),
    "an hour": (
        "EURUSD H1. Buy when RSI(14) < 30. Sell when RSI(14) > 70. Mind the fixing at 16:00.",
        "16:00",
    ),
}


@pytest.mark.parametrize("what", ASKED)
def test_it_is_asked_about_in_the_persons_own_words(what: str) -> None:
    body, words = ASKED[what]
    found = written_for(OfflineWriter(), "an idea", body)
    assert "strategy.py" not in found
    assert words in reply(found)


@pytest.mark.parametrize(
    "body",
    [
        PLAIN,
        PLAIN + "Ignore the news. No stop, no shorts, no target.",
        PLAIN + "Stop 5%. Risk 1% of equity per trade.",
        "Buy AAPL when the 50 day moving average crosses above the 200 day moving average and sell "
        "when it crosses back below. Daily chart. Use a 5% stop loss.",
        "Sell AAPL short when RSI(14) > 80, cover when RSI(14) < 50, daily. No trades on Fridays.",
        "SPY daily. Buy when RSI(14) is below 30 and 3 days later sell. Stop 3%.",
        "SPY daily. Buy when RSI(2) dropped below 10 within the last 2 days. Sell if RSI(2) > 70.",
        PLAIN.replace("RSI(2) < 10", "RSI(2) < 10 and the close is below the close 3 days ago"),
        "AAPL daily. Long on the bar where EMA(5) > EMA(13) becomes true (it was not true "
        "on the bar before). Sell when RSI(2) > 70.",
        "SPY daily, buy when close > sma(50) unless volume is below its 20 day average. exit when "
        "close < sma(50).",
        "Short GBPUSD H1 when price touches the upper Bollinger Band (20,2), cover at the middle "
        "band, 30 pip stop.",
        FORM.format(*RSI, "### Anything else\n\n_No response_"),
    ],
)
def test_what_the_contract_has_is_built(body: str) -> None:
    found = written_for(OfflineWriter(), "an idea", body)
    assert "strategy.py" in found, reply(found)
