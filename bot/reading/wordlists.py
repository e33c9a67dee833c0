"""Lists of words: those that change nothing, those that are mended, those that are no symbol."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FILLERS = _words(
    """
    a an the is are was be been being am i we you he they it's i'd i've i'm we're my our your me
    us them there here this these those that's which who what so just simply please thanks thank
    hi hello hey cheers want would like could can should will shall may might need needs make
    build create write give test testing backtest strategy strategies system bot idea rules rule
    as to in at on by for from into onto off about around until till during per each every any
    some all has have had do does did done get gets got go goes going gone come comes use uses
    using used via based according default defaults standard settings setting parameters parameter
    params usual normal regular classic plain simple basic fine ok okay good etc too very really
    quite rather again first 1st then next straight away right immediately directly soon there's
    let lets let's keep keeps stay stays hold holds remain remains still ever even yet already
    back time times case bar bars candle candles day days daily session chart timeframe tf
    intraday swing trade trades trading position positions trader setup signal signals condition
    conditions following follows understand read reading stuff thing things something everything
    nothing anything also called known definition defined define mean meaning value values level
    levels line lines point number period periods length smoothing wilder wilder's wilders
    population exponential version style type kind sort mode example way ways part parts side
    sides direction directions market end start begin beginning measured counted computed
    calculated checked taken placed set put fill filled fills order orders limit one ones two both
    whole itself only other another same different where how why because since work works idea's
    mine yours own new old big small little bit lot much many more most less least few several
    enough up down out over under move moves run runs try tried trying look looking looks see seen
    likes love hate think thought believe hope hopefully maybe perhaps probably basically actually
    mostly usually generally typically exactly precisely nice great cool awesome perfect sure yes
    no not never always sometimes often well better best ago later before after while that than
    and or if when whenever once within without with of s t don't doesn't won't isn't i'll we'll
    you're they're wait wanted ticker symbol instrument stock stocks etf future futures forex fx
    crypto coin coins currency pair index commodity equity equities share shares contract
    contracts unit units lots pip price prices open high low close volume buy sell long short
    entry entries exit exits money cash account capital balance dollars dollar usd eur euro euros
    risk management size sizing trend filter regime breakout pullback reversion reversal momentum
    volatility scalp scalping oscillator indicator indicators average averages band bands channel
    channels cloud turtle turtles connors larry darvas livermore minervini rule-based mechanical
    discretionary years year month months week weeks weekly monthly hour hours hourly minute
    minutes morning afternoon evening night noon today yesterday tomorrow now currently current
    previous prior last experience wondering possible someone somebody anybody anyone guys folks
    team everyone regards kindly greetings appreciate appreciated advance issue request feature
    add implement code python file script program automate automated automatically algo algorithm
    github repo repository title body description details context background note notes nb ps btw
    lock locked locking start over fyi imo imho honestly lol haha ;) :) long-term short-term term medium eod
    """
)
"""Words that change nothing about the rules."""

FORM_WORDS = _words(
    """
    trailing chandelier breakeven even percent percentage stop loss profit target take cooldown
    risk equity shares lots pips minimum maximum commission slippage spread fees january february
    march april june july august september october november december pyramiding gap gaps row
    straight consecutive stamped included session london york asian tokyo overnight opening widest
    narrowest exceeds confirmed swing pullback
    """
)
"""Words of the forms: known to the speller, though no table of phrases has them."""

MENDED = _words(
    """
    buy sell long short stop loss when above below only with daily exit entry cross crosses close
    closes open high low over under profit target take from then once after bars days hours hourly
    position trade trades each time average moving simple band upper lower middle both sides price
    volume trend filter limit order risk percent equity back into until than more less every other
    nothing else still hour pips before times previous row first next candle bands channel signal line enter leave without week month
    """
)
"""Short words that are mended: others of their length are too easily something else."""

NOT_A_SYMBOL = _words(
    """
    TL DR TLDR IBS PDH PDL PDC HOD LOD BE RRR TSL ADR QTY OCO IOC
    VWMA KAMA TRIX STOCH BBANDS ICHIMOKU AROON CMF PPO
    A I AN AND OR NOT THE IF IS IT ON IN AT TO OF BY NO DO WE MY US GO UP VS SO AS BE AM PM OK RSI
    SMA EMA WMA MA MACD ATR ADX DI CCI VWAP OBV ROC SAR PSAR MFI HMA DEMA TEMA BB KC SL TP RR R N
    K D BUY SELL LONG SHORT EXIT ENTRY STOP OPEN HIGH LOW CLOSE VOLUME RISK TARGET ORB NR NR7 NR4
    H1 H2 H4 H6 H8 H12 M1 M5 M15 M30 D1 W1 MN1 EOD EST ET UTC GMT CET NY LONDON USD EUR PDF API
    BOT AI PR TODO FYI IMO IMHO BTW PS THX EDIT NB TF LTF HTF OHLC HLC HH LL HL LH PNL DD CAGR RTH
    ETH TA ALL NONE MON TUE WED THU FRI SAT SUN JAN FEB MAR APR JUN JUL AUG SEP OCT NOV DEC MIN
    MAX AVG ONLY WHEN THEN ELSE ABOVE BELOW CROSS CROSSES OVER UNDER LONGS SHORTS BARS BAR DAILY
    HOURLY YES SD STD STDEV CROSSOVER BULLISH BEARISH SIGNAL TREND FILTER PIPS PIP LOT LOTS NOTE
    HELP IGNORE DONE NEVER ALWAYS ANY BOTH EACH MUST FOR WITH FROM DAY WEEK ENV GITHUB TOKEN KEY
    SECRET ER IE EG OBS LOL PLS PLEASE HI HELLO THANKS GTC DAX30 TRUE FALSE HA ST TWS IBKR MT5 MT4
    FX IV DEBUG TEST CI MODE NOW SYSTEM ADMIN ROOT SUDO PASS ASAP CSV JSON XML HTML URL HTTP
    """
)
"""In capitals, and yet no market."""
