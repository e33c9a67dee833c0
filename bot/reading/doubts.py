"""What cannot be built and why: the future, data that we lack, other tasks, contradictions."""

from __future__ import annotations

import re

from schemas import contract as c

FUTURE = (
    r"day before (?:an? |the )?(?:day|bar|candle) (?:that|which|when)", r"(?:single )?best (?:day|bar|week|time) of (?:that|the|each|every) (?:month|week|year|day)",
    r"(?:lowest|highest) (?:close|price|low|high|point) of (?:that|the same|the following|the next) (?:week|month|day|session)", r"cent(?:er|re)d (?:\d+ (?:day|bar|period) )?(?:moving )?(?:average|window|mean)", r"days? after each bar",
    r"(?:at|near) (?:the )?(?:exact |absolute )?(?:low|high|top|bottom)s? of (?:the|each|every|that) (?:same )?(?:day|session|week|month|move|swing)(?! before)",
    r"exact(?:ly)? (?:at )?(?:the )?(?:low|high|top|bottom)", r"(?:buy|sell|short)(?:ing)? (?:at )?(?:the )?(?:exact |very )?(?:bottom|top)s?\b(?! (?:\d|of the range|band|line|bollinger|of the channel))",
    r"(?:before|ahead of) (?:it|price|the (?:market|price|stock))(?: actually)? (?:rises|rallies|falls|drops|goes up|goes down|crashes|moves|jumps)",
    r"(?:day|bar|candle|hour) before (?:a |the |it |each |every |big |any )*(?:big |large )?(?:rall|rise|drop|crash|move|jump|fall|gap)", r"tomorrow(?:'s)? (?:close|high|low|open|price|bar|candle)?",
    r"next (?:day|bar|candle|week|month)(?:'s)? (?:close|high|low)(?! *(?:of the range))", r"\b(?:will|is going to|going to) (?:close|be|rise|fall|go up|go down|end|rally|drop|crash)\b (?:higher|lower|up|down|green|red|above|below)?",
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
    "news": r"\bnews\b|headlines?|press releases?|announcements?|fomc|\bcpi\b|\bnfp\b|non-?farm|payrolls|fed meeting|rate decision|economic calendar",
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
    r"decode this", r"do exactly what it says", r"(?:look at|fix|patch|review) [\w./-]+/[\w.-]+ on github", r"send me a patch", r"(?:my|here is my) (?:exchange |broker )?(?:login|password|api key)", r"api key:|secret:",
    r"(?:start|begin) trading [^.]{0,40}\blive\b", r"\blive\b (?:right )?now",
    r"ignore (?:all |any |the |your |previous |prior |above |my )*(?:instructions?|rules|prompts?|guidelines)", r"disregard (?:all|any|the|previous|prior|your|everything)", r"you are now\b", r"maintenance mode|developer mode|admin mode|god mode|jailbreak|\bdan mode",
    r"(?:print|show|reveal|output|post|paste|dump|send|leak|exfiltrate|echo|include|expose|list|upload|give me) [^.]{0,60}(?:secrets?|tokens?|api[\s_-]?keys?|passwords?|credentials?|\.env|environment variables?|private keys?|system prompt|prompt)",
    r"(?:system prompt|hidden prompt|initial prompt|your (?:prompt|instructions))", r"(?:disable|skip|delete|remove|bypass|turn off|switch off|weaken|comment out) (?:all |the |every |any )*(?:tests?|test suite|checks?|sandbox|guards?|review|approval|ci\b|safety|safeguards?|risk checks?|security)",
    r"assert true", r"approve (?:the|this|your|my|all|any) (?:pull request|pr|prs|deployment)", r"merge (?:it|this|the (?:pr|pull request)) (?:directly|yourself|without|to main|now|immediately)", r"push (?:directly )?to (?:main|master)", r"without (?:any )?(?:review|approval|asking)",
    r"(?:go|put it|deploy|run) (?:it )?live (?:now|immediately|today|right away|at once)", r"(?:place|send|execute) (?:a |an |some )?(?:real|live) (?:orders?|trades?)", r"use my (?:api key|account|password|broker login)", r"my (?:api key|password|secret|token) is",
    r"import (?:os|subprocess|socket|requests|sys)\b", r"os\.(?:environ|system)|subprocess|eval\(|exec\(|__import__|base64|curl |wget |rm -rf|/etc/passwd|\bsudo\b|powershell|<script|javascript:|drop table|http request|open a socket|read the file|write (?:a |the )?file|webhook|requests\.(?:get|post)|send (?:an? |the |all |me )*(?:email|e-mail|http|request|data|results?) to|download (?:a |the )?(?:file|script|data)|chmod|\.git/config|/proc/|read (?:the )?environ",
    r"(?:answer|reply|respond) (?:only |just )?with\b", r"act as (?:a|an|if|my)\b", r"pretend (?:to be|you)", r"write (?:me )?(?:a|an) (?:poem|essay|story|song|email|article|blog|letter|joke)", r"(?:what is|what's|tell me|who is|who won) (?:the )?(?:weather|capital|meaning|president|price of)",
    r"mine (?:crypto|bitcoin|monero)|crypto ?miner|fork bomb|malware|ransomware|keylogger|backdoor|reverse shell", r"(?:fake|falsify|fabricate|forge|manipulate|hard[\s-]?code|cheat)(?: the| a| some)? (?:results?|report|backtest|metrics|tests?|equity|approval|data|trades?)", r"pump and dump|spoof(?:ing)?|wash trad|insider information|front[\s-]?run",
    r"as an? (?:ai|llm|language model)", r"change (?:the |your )?(?:workflow|codeowners|permissions|branch protection|ci config)", r"grant (?:me|us|@)|add me as (?:admin|collaborator|maintainer)|make me (?:an? )?(?:admin|owner)|delete (?:the |all )*(?:repo|repository|branch|branches|issues?)|close (?:all )?(?:other )?issues",
)  # fmt: skip


def future(text: str) -> str | None:
    """The words that need the future, if any."""
    return _first(text, FUTURE)


def other_task(text: str) -> str | None:
    return _first(text, OTHER_TASK)


def lacking(text: str) -> tuple[str, str] | None:
    """Which data we do not have, and the words that ask for it."""
    for what, pattern in NO_DATA.items():
        if found := re.search(pattern, text):
            before = text[max(0, found.start() - 30) : found.start()]
            if not re.search(
                r"\b(?:no|not|ignore|without|except|skip|don't|never|avoid)\b[^.]*$", before
            ):
                return what, found[0]
    return None


def _first(text: str, patterns: tuple[str, ...]) -> str | None:
    for pattern in patterns:
        if found := re.search(pattern, text):
            return found[0].strip()
    return None


def contradiction(contract: c.Contract) -> str | None:
    """Rules that cannot both be meant."""
    longs = [e.when for e in contract.entries if e.side is c.Side.LONG]
    shorts = [e.when for e in contract.entries if e.side is c.Side.SHORT]
    if any(a == b for a in longs for b in shorts):
        return "the same condition opens a long and a short"
    for exit_ in contract.exits:
        for entry in contract.entries:
            if exit_.side in (entry.side, None) and exit_.when == entry.when:
                return "the same condition enters and leaves"
    if reason := _levels(contract):
        return reason
    for entry in contract.entries:
        if reason := _impossible(entry.when):
            return reason
    return None


def _levels(contract: c.Contract) -> str | None:
    """A stop must lie on the losing side of the close, a target on the other."""
    for levels, away, name in (
        (contract.risk.stops, -1, "stop"),
        (contract.risk.targets, 1, "target"),
    ):
        for level in levels:
            sides = [level.side] if level.side else list({e.side for e in contract.entries})
            if any(_beyond(level.price) == -away * (1 if s is c.Side.LONG else -1) for s in sides):
                return f"the {name} is on the wrong side of the entry"
            if level.price == c.Price(field=c.PriceField.CLOSE):
                return f"the {name} would be at the close itself"
    return None


def _beyond(price: c.Operand | None) -> int:
    """1 above the close, -1 below it, 0 where that depends on the bar."""
    if not isinstance(price, c.Arithmetic) or price.left != c.Price(field=c.PriceField.CLOSE):
        return 0
    if price.op == "multiply" and isinstance(price.right, c.Constant):
        return 1 if price.right.value > 1 else -1
    return {"add": 1, "subtract": -1}.get(price.op, 0)


RANGES = {
    "rsi": (0, 100),
    "stochastic": (0, 100),
    "stochastic_rsi": (0, 100),
    "mfi": (0, 100),
    "williams_r": (-100, 0),
    "adx": (0, 100),
    "aroon": (0, 100),
}


def out_of_range(contract: c.Contract) -> str | None:
    """A level that the indicator can never reach."""
    kinds = {i.id: i.kind for i in contract.indicators}
    for node in _comparisons(
        [*(e.when for e in contract.entries), *(e.when for e in contract.exits)]
    ):
        if isinstance(node.left, c.Series) and isinstance(node.right, c.Constant):
            low, high = RANGES.get(kinds.get(node.left.indicator, ""), (None, None))
            if low is not None and high is not None and not low <= node.right.value <= high:
                return f"{kinds[node.left.indicator]} lies between {low} and {high}, so it never reaches {node.right.value:g}"
    return None


def _comparisons(nodes: list[c.Condition]) -> list[c.Compare | c.Cross]:
    found: list[c.Compare | c.Cross] = []
    for node in nodes:
        match node:
            case c.Compare() | c.Cross():
                found.append(node)
            case c.Every() | c.Either():
                found += _comparisons(list(node.of))
            case c.Never() | c.InARow() | c.Within():
                found += _comparisons([node.of])
    return found


def _impossible(node: c.Condition) -> str | None:
    """One value above and below the same line at once: no bar can do it."""
    if not isinstance(node, c.Every):
        return None
    low: dict[c.Operand, float] = {}
    high: dict[c.Operand, float] = {}
    for x in node.of:
        if isinstance(x, c.Compare) and isinstance(x.right, c.Constant):
            if x.op in ("above", "at_least"):
                low[x.left] = max(low.get(x.left, x.right.value), x.right.value)
            elif x.op in ("below", "at_most"):
                high[x.left] = min(high.get(x.left, x.right.value), x.right.value)
    if any(k in high and low[k] >= high[k] for k in low):
        return "one value would have to be above and below at the same time"
    states = [x for x in node.of if isinstance(x, c.Compare)]
    flipped = {"above": "below", "below": "above"}
    for a in states:
        for b in states:
            same = a.left == b.left and a.right == b.right and flipped.get(a.op) == b.op
            turned = a.left == b.right and a.right == b.left and a.op == b.op and a.op in flipped
            if same or turned:
                return "one value would have to be above and below at the same time"
    crosses = [x for x in node.of if isinstance(x, c.Cross)]
    if any(
        a.left == b.left and a.right == b.right and a.direction != b.direction
        for a in crosses
        for b in crosses
    ):
        return "it would have to cross both ways on one bar"
    windows = [x for x in node.of if isinstance(x, c.Session) and x.start < x.end]
    if any(a.end < b.start for a in windows for b in windows):
        return "no bar is in both time windows"
    return None
