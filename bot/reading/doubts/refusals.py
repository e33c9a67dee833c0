"""Requests that are refused: other tasks, the future, data that we lack."""

from __future__ import annotations

import re

from bot.reading.asides import is_aside

FUTURE = (
    r"(?:close|price|high|low|bar|candle|day)\b[^.;\n]{0,20}\b\d+ (?:days?|bars?|hours?|weeks?|candles?) (?:from now|ahead|in the future|after (?:today|now))",
    r"(?:bar|candle|day|hour)s? before (?:every|each|any|an?|the) (?:big |large |single )?(?:bar|candle|day|hour|week)s? (?:that|which|when|where|on which|with)",
    r"(?:buy|sell|short|enter|exit|cover)(?:ing|s)?(?: exactly| right| always)? (?:at|on|near) (?:the |its )?(?:lowest|highest|best|cheapest|most expensive) (?:price |point |low |high |tick )?of (?:the|each|every|that) (?:day|week|month|session|year)(?! (?:before|so far))",
    r"before (?:the |it |its |price |rsi |macd )*(?:peaks?|tops out|bottoms(?: out)?)\b", r"(?:bottoms|peaks|tops)(?: out)? exactly",
    r"day before (?:an? |the )?(?:day|bar|candle) (?:that|which|when)", r"(?:single )?best (?:day|bar|week|time) of (?:that|the|each|every) (?:month|week|year|day)",
    r"(?:lowest|highest) (?:close|price|low|high|point) of (?:that|the same|the following|the next) (?:week|month|day|session)", r"cent(?:er|re)d (?:\d+ (?:day|bar|period) )?(?:moving )?(?:average|window|mean)", r"days? after each bar",
    r"(?:at|near) (?:the )?(?:exact |absolute )?(?:low|high|top|bottom)s? of (?:the|each|every|that) (?:same )?(?:day|session|week|month|move|swing)(?! before)",
    r"exact(?:ly)? (?:at )?(?:the )?(?:low|high|top|bottom)", r"(?:buy|sell|short)(?:ing)? (?:at )?(?:the )?(?:exact |very )?(?:bottom|top)s?\b(?! (?:\d|of the range|band|line|bollinger|of the channel))",
    r"(?:before|ahead of) (?:it|price|the (?:market|price|stock))(?: actually)? (?:rises|rallies|falls|drops|goes up|goes down|crashes|moves|jumps)",
    r"(?:day|bar|candle|hour) before (?:a |the |it |each |every |big |any )*(?:big |large )?(?:rall|rise|drop|crash|move|jump|fall|gap)", r"tomorrow(?:'s)? (?:close|high|low|open|price|bar|candle)?",
    r"next (?:day|bar|candle|week|month)(?:'s)? (?:close|high|low)(?! *(?:of the range))", r"\b(?:if|when|because|once|know|knows|knowing|sure|that|before|day|price|it)\b(?: (?!stop|sl|target|tp|order|size)\w+){0,4} (?:will|is going to|going to) (?:(?:close|be|end|finish) (?:higher|lower|up|down|green|red|above|below)|rise|fall|go up|go down|rally|drop|crash)\b",
    r"future (?:price|close|bar|high|low|data)", r"price (?:in|after) \d+ (?:bars|days) (?:is|will)", r"look(?:ing)?[\s-]?ahead", r"know(?:ing|s)? (?:the future|in advance)", r"predict(?:s|ed|ion)?\b",
    r"(?:following|subsequent|coming) (?:day|bar|candle|week)(?:'s)? (?:close|high|low|move)", r"highest (?:high|price|point) of the (?:next|following|coming)", r"lowest (?:low|price|point) of the (?:next|following|coming)",
    r"never (?:lose|loses|losing)", r"(?:no|zero|without) los(?:s|ing trades?|ers)\b(?! order)", r"guarantee[ds]?", r"always (?:win|wins|profitable)", r"100% (?:win|accura|profit)", r"risk[\s-]?free",
    r"if (?:today|the day|the bar|it) (?:will|is going to)", r"(?:repaint|hindsight|zig[\s-]?zag)", r"(?:before|just before) (?:the )?(?:rally|crash|breakout|move|drop|rise)\b",
    r"last (?:trading )?day of (?:the|each|every) month(?! before)",
)  # fmt: skip
NO_DATA = {
    "a portfolio of several symbols; one symbol at a time is supported": r"rank(?:ed|ing)? (?:all|the|stocks|them)|universe of|screener|all (?:the )?(?:s&p|nasdaq|s and p)[^.]{0,10}stocks|top \d+ (?:stocks|coins|by)|equal weight|basket of|portfolio of",
    "disclosed trades of other people, such as filings by members of congress": r"congress|insider|13f|disclos(?:e|ed|ure)s?|filings?|copy trad",
    "bars of seconds; the smallest timeframe is one minute": r"\b\d+[\s-]*sec(?:ond)?s?\b|second bars|tick chart",
    "short interest or borrow fees": r"short interest|days to cover|(?:cost|fee|rate) to borrow|borrow (?:fee|rate|cost)s?|% of (?:the )?float|short float",
    "news": r"\b(?:the )?fed (?:raises?|cuts?|hikes?|announces?|speaks|decides|decision|minutes)\b|\bthe fed\b|\becb\b|rate (?:hike|cut)s?\b|(?:raises|cuts|hikes) (?:interest )?rates|\bnews\b|headlines?|press releases?|announcements?|fomc|\bcpi\b|\bnfp\b|non-?farm|payrolls|fed meeting|rate decision|economic calendar",
    "tweets or sentiment": r"tweets?|twitter|sentiment|reddit|wallstreetbets|social media|fear (?:and|&) greed|google trends|elon|telegram",
    "earnings or fundamentals": r"\bearnings\b|\bp/?e\b(?! is)|price[\s-]to[\s-]earnings|\beps\b|dividends?|fundamentals?|balance sheet|revenue|book value|analyst|insider|market cap|buyback",
    "the order book": r"order[\s-]?book|order[\s-]?flow|level (?:2|ii)|\bdom\b|bid[\s/-]ask (?:imbalance|spread narrows)|market depth|footprint|cumulative delta|tape|iceberg|bid size|ask size|imbalance",
    "options data (puts, calls, expiry)": r"\bdelta (?:put|call)|\bdte\b|days to expir|\bputs?\b(?= on)|implied vol(?:atility)?|\biv\b|open interest|put[\s/-]call|options? (?:chain|flow|data)|gamma exposure|\bgex\b|\bstraddle|call options?|put options?|\bdelta[\s-]neutral",
    "another market": r"\bvix\b|yield curve|treasury yields?|10[\s-]?year yield|dollar index|\bdxy\b|relative to (?:the )?(?:spy|s&p|qqq|sector|index|market)|pairs? trad|\bspread between\b|correlat|cointegrat|ratio (?:of|between) \w+ (?:and|to)|advance[\s/-]decline|breadth|sector rotation|outperform|(?:bitcoin|btc|spy|es|gold|eth) (?:leads|is above its|rises first)|arbitrage|basket of|portfolio of|top \d+ stocks|rank(?:ed|ing)? (?:all|the|stocks)|universe of|screener|all (?:s&p|nasdaq) stocks",
    "funding or on-chain data": r"funding rates?|on[\s-]?chain|whale|hash ?rate|liquidations?\b(?! price)|exchange inflows?|mempool|stablecoin",
    "ticks": r"tick data|tick by tick|milliseconds?|microseconds?|latency|high[\s-]frequency|\bhft\b|every tick|scalp(?:ing)? the spread|market mak(?:e|ing)",
    "weather or the moon": r"\bweather\b|\bmoon\b|lunar|astrolog|full moon|horoscope|mercury",
    "macro data": r"\bgdp\b|unemployment|interest rates?|inflation|\bpmi\b|central bank|consumer confidence",
}  # fmt: skip
OTHER_TASK = (
    r"(?:make|let|have) (?:the |your |its )?(?:backtest|report|results?|numbers|statistics|figures)[^.]{0,30}\b(?:show|look|say|pass)", r"change (?:the|your) (?:numbers|results?|figures|report)",
    r"tests? (?:may|can|should|must|could|need to) be (?:switched off|turned off|disabled|skipped|removed|deleted|ignored)", r"mark (?:all |the |every )*tests? as (?:passed|green|skipped)",

    r"ignora (?:tutte )?(?:le )?(?:\w+ )?istruzioni|ignora (?:todas )?(?:las )?instrucciones|ignor\w* (?:toutes )?(?:les )?(?:\w+ )?(?:instructions|consignes)|ignor\w+ (?:todas )?as instru|ignorier\w* [^.]{0,30}(?:anweisungen|regeln)|negeer [^.]{0,20}(?:instructies|regels)|zignoruj [^.]{0,20}(?:instrukcj|polecen)|игнориру\w+|忽略[^。]{0,12}(?:指令|指示)|指示を無視",
    r"decode this", r"do exactly what it says", r"(?:look at|fix|patch|review) [\w./-]+/[\w.-]+ on github", r"send me a patch", r"(?:my|here is my) (?:exchange |broker )?(?:login|password|api key)", r"api key:|secret:",
    r"(?:start|begin) trading [^.]{0,40}\blive\b", r"\blive\b (?:right )?now",
    r"ignore (?:all |any |the |your |previous |prior |above |my )*(?:instructions?|rules|prompts?|guidelines)", r"disregard (?:all|any|the|previous|prior|your|everything)", r"you are now\b", r"maintenance mode|developer mode|admin mode|god mode|jailbreak|\bdan mode",
    r"(?:print|show|reveal|output|post|paste|dump|send|leak|exfiltrate|echo|include|expose|list|upload|give me) [^.]{0,60}(?:secrets?|tokens?|api[\s_-]?keys?|passwords?|credentials?|\.env|environment variables?|private keys?|system prompt|prompt)",
    r"(?:system prompt|hidden prompt|initial prompt|your (?:prompt|instructions))", r"(?:disable|skip|delete|remove|bypass|turn off|switch off|weaken|comment out) (?:all |the |every |any )*(?:tests?|test suite|checks?|sandbox|guards?|review|approval|ci\b|safety|safeguards?|risk checks?|security)",
    r"assert true", r"approve (?:the|this|your|my|all|any) (?:pull request|pr|prs|deployment)", r"merge (?:it|this|the (?:pr|pull request)) (?:directly|yourself|without|to main|now|immediately)", r"push (?:directly )?to (?:main|master)", r"without (?:any )?(?:review|approval|asking)",
    r"(?:go|put it|deploy|run) (?:it )?live (?:now|immediately|today|right away|at once)", r"(?:place|send|execute) (?:a |an |some )?(?:real|live) (?:orders?|trades?)", r"use my (?:api key|account|password|broker login)", r"my (?:api key|password|secret|token) is",
    r"import (?:os|subprocess|socket|requests|sys)\b", r"os\.(?:environ|system)|subprocess|eval\(|exec\(|__import__|base64|curl |wget |rm -rf|/etc/passwd|\bsudo\b|powershell|<script|javascript:|drop table|http request|open a socket|read the file|write (?:a |the )?file|webhook|requests\.(?:get|post)|send (?:an? |the |all |me )*(?:email|e-mail|http|request|data|results?) to|download (?:a |the )?(?:file|script|data)|chmod|\.git/config|/proc/|read (?:the )?environ",
    r"(?:answer|reply|respond) (?:only |just )?with\b", r"act as (?:a|an|if|my)\b", r"pretend (?:to be|you)", r"write (?:me )?(?:a|an) (?:poem|essay|story|song|email|article|blog|letter|joke)", r"(?:what is|what's|tell me|who is|who won) (?:the )?(?:weather|capital|meaning|president|price of)",
    r"mine (?:crypto|bitcoin|monero)|crypto ?miner|fork bomb|malware|ransomware|keylogger|backdoor|reverse shell", r"(?:fake|falsify|fabricate|forge|manipulate|hard[\s-]?code|cheat)(?: the| a| some)? (?:results?|report|backtest|metrics|tests?|equity|approval|data|trades?)",
    r"as an? (?:ai|llm|language model)", r"change (?:the |your )?(?:workflow|codeowners|permissions|branch protection|ci config)", r"grant (?:me|us|@)|add me as (?:admin|collaborator|maintainer)|make me (?:an? )?(?:admin|owner)|delete (?:the |all )*(?:repo|repository|branch|branches|issues?)|close (?:all )?(?:other )?issues",
)  # fmt: skip


MANIPULATION = (
    r"tell (?:my|our|the|all) (?:\w+ )?(?:group|followers|subscribers|channel|friends)[^.]{0,40}\bbuy",
    r"so that (?:nobody|no one) notices",
    r"(?:sell|dump)(?: it| them| mine| everything)? (?:into|on) (?:them|my followers|the followers|my group)",
    r"(?:buy|sell|trade|trading)[^.]{0,60}\b(?:with|to|from|against|between) (?:myself|my own (?:account|orders?)|my (?:2nd|other) account|2 accounts of mine|my accounts)",
    r"fake (?:[a-z]+ )?(?:volume|orders?|liquidity|bids?|asks?)",
    r"orders? (?:that are |which are |and )?cancell?(?:ed)? (?:them )?before (?:they|it)",
    r"(?:push|drive|pump|move|manipulate) the (?:price|market) (?:up|down|higher|lower)",
    r"pump (?:and|&) dump|spoof(?:ing)?|wash[\s-]?trad\w*|insider (?:information|tips?|knowledge)|front[\s-]?run\w*|paint(?:ing)? the tape|layering",
)
SEVERAL = (
    r"(?:build|make|code|create|implement|write|test|backtest|run|do) (?:me )?(?:all|both)(?: of)?(?: the| these| them)?(?: (?:\d+|strategies|bots|systems|of them))?(?: please)?(?=\s*(?:$|[.,!\n]| and compare| please| at once| in one))",
    r"(?:want|need|build|make|create|code|implement|write|test|give me) (?:me )?(?:(?:[2-9]|several|multiple|many|a few|different|a bunch of) )+(?:different |separate |trading )*(?:strategies|bots|systems)\b",
    r"strategy (?:1|a|one)\b[\s\S]{5,400}\bstrategy (?:2|b)\b",
)
DOUBLED = (
    r"(?:if|when|once) (?:an? |the |i |we |it )?(?:last |previous )?(?:trade |position )?(?:loses|lose|lost|is a los\w+|was a los\w+)[^.;\n]{0,30}(?:2 times|doubl(?:e|es|ing)|3 times)",
    r"(?:2 times|doubl(?:e|es|ing)) down\b",
    r"(?:2 times|3 times|doubl(?:e|es|ing)|tripl(?:e|es|ing)|increase|raise|multiply)[^.;\n]{0,40}(?:after|on|with) (?:each|every|an?|any|the) (?:\w+ )?(?:loss|loser|losing trade|lost trade|stop(?:-| )?out)",
    r"(?:after|on|with) (?:each|every|an?|any|the) (?:\w+ )?(?:loss|loser|losing trade|lost trade|stop(?:-| )?out)[^.;\n]{0,40}(?:2 times|3 times|doubl(?:e|es|ing)|tripl(?:e|es|ing)|bigger|larger)",
    r"(?<!anti )(?<!anti-)(?<!no )martingale",
    r"(?:2 times|doubl(?:e|es|ing))(?: the| my| its)?(?: \w+){0,2} (?:each time|every time|until (?:it|you|i|we) wins?)",
)


def manipulates(text: str) -> str | None:
    """The words that ask to deceive a market, if any."""
    return _first(text, MANIPULATION)


def several(text: str) -> str | None:
    """The words that ask for more than one strategy, if any."""
    return _first(text, SEVERAL)


def grows(text: str) -> str | None:
    """The words of a size that grows with every loss, if any."""
    return _first(text, DOUBLED)


def future(text: str) -> str | None:
    """The words of a rule that needs the future, if any; a word that is ruled out needs nothing."""
    for sentence in _sentences(text):
        for pattern in FUTURE:
            found = re.search(pattern, sentence)
            if found and not DENIED.search(sentence[: found.start()]):
                return found[0].strip()
    return None


DENIED = re.compile(
    r"\b(?:no|not|ignor\w+|without|except|skip|don't|doesn't|never|avoid\w*|free of|regardless of"
    r"|isn't|cannot|can't|won't|any)\b(?:[^.,;]{0,30})$"
)
RULE = re.compile(
    r"\b(?:buy\w*|sell\w*|short\w*|long\w*|enter\w*|exit\w*|cover\w*|trad(?:e|es|ing)|go|hold|stop|when\w*|if"
    r"|before|after|based on|use[sd]?|using|follow\w*|copy|rank\w*|signals?|only|on|each|every|open|close)\b|->|:"
)
"""What a sentence needs to ask for something; a word beside it asks for nothing."""


def _sentences(text: str) -> list[str]:
    return [s for s in re.split(r"[.;!?](?=\s|$)|\n", text) if s.strip()]


def other_task(text: str) -> str | None:
    return _first(text, OTHER_TASK)


def lacking(text: str) -> tuple[str, str] | None:
    """Which data we do not have, and the words that ask for it."""
    for what, pattern in NO_DATA.items():
        for sentence in _sentences(text):
            found = re.search(pattern, sentence)
            if not found or is_aside(sentence) or not RULE.search(sentence):
                continue
            if not DENIED.search(sentence[: found.start()]):
                return what, found[0]
    return None


MOVES = r"(?:'s)? (?:is|falls|rises|drops|closes|crosses|moves|breaks|rallies|gains|loses|trades|has|rsi|sma|ema|above|below|goes|makes)\b"
OTHERS = r"\b(spy|qqq|vix|dxy|btcusd|ethusd|gld|tlt|xauusd|nasdaq|dax|s&p 500|(?:eur|gbp|usd|aud|nzd|chf|cad|jpy){2})"


def other_market(typed: str, symbol: str) -> str | None:
    """A second market that something is said of: "short when GBPUSD falls"."""
    found = (
        m
        for m in re.finditer(
            rf"\b(?:when|if|while|and|but|unless|only when|until) (?:the )?{OTHERS}{MOVES}", typed
        )
    )
    return next((m[1] for m in found if m[1] != symbol.lower()), None)


def _first(text: str, patterns: tuple[str, ...]) -> str | None:
    for pattern in patterns:
        if found := re.search(pattern, text):
            return found[0].strip()
    return None
