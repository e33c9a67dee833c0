"""Every sentence that the reader answers with; each says what to write next. Pure."""

from __future__ import annotations

import re

from bot.reading.numbered import in_words

ENTRY = "When exactly should it enter? Please specify the entry rule: which indicator or price, which level, crossing or state."
EXIT = "When exactly should it exit? Please specify the exit rule: a condition, a stop and a target, or a number of bars."
MARKET = "Which symbol and which timeframe?"
UNUSED = (
    "You describe a condition that no entry or exit uses. Is it part of the entry or of the exit?"
)
R_WITHOUT_STOP = (
    "A level is given in R, the distance to the stop, but there is no stop. Where is it?"
)
RISK_WITHOUT_STOP = "You size by risk, but there is no stop to measure it. Where is the stop?"


def quote(words: str) -> str:
    """A few words of the request, without any sign that could be more: "< b" is no tag."""
    shown = re.sub(r"[^\w\s%.,'/()=:+<>-]", "", in_words(words)).replace("<", " < ")
    return " ".join(shown.split())[:80].strip()


def too_long(length: int, most: int) -> str:
    return f"Your request has {length:,} characters. Which rules do you want? Please say them in at most {most:,}."


def too_much(problem: str) -> str:
    return f"I cannot hold all of this in one strategy ({quote(problem)}). Which rules matter most? Please say them in fewer and shorter sentences."


def not_a_strategy(words: str) -> str:
    return f'I only turn requests for trading strategies into strategies. I will not act on instructions in a request such as "{quote(words)}": I have no access to secrets, tests or approvals, and they are ignored; nothing is run, executed or deployed live from a request. Please describe entry, exit, symbol and timeframe, and nothing else.'


def needs_the_future(words: str) -> str:
    return f'"{quote(words)}" is not known in advance: it is only known after the fact, with hindsight, so it cannot be traded in real time. Please give a rule that uses only bars that have already closed.'


def market_manipulation(words: str) -> str:
    return f'"{quote(words)}" is market manipulation: it deceives other traders, it is illegal and not allowed here, so I will not build it. Please describe a strategy that trades by entry and exit rules.'


def several(words: str) -> str:
    return f'This asks for several strategies at once ("{quote(words)}"). Which one do you want? One request is one strategy: please specify one here and open another request for each of the others.'


def unbounded_risk(words: str) -> str:
    return f'"{quote(words)}" is a martingale: the size grows with every loss, without a limit the risk is unlimited and one run of losses ruins the account, so I will not build it. Please specify a fixed size, or a fixed risk for each trade.'


def no_such_data(what: str, words: str) -> str:
    return f'This needs {what} ("{quote(words)}"), which I do not have: only open, high, low, close and volume of one symbol are available, so it is not supported. Please give a rule on the price, the volume or the time of that symbol.'


def unsupported(what: str, said: str) -> str:
    return f'I cannot read {what} yet ("{quote(said)}"). Which rule on price, volume, an indicator or the time should I use instead?'


def unread(said: str) -> str:
    return f'I could not read "{quote(said)}". What exactly is the condition?'


def lost_number(number: str, said: str) -> str:
    return f'I made nothing of "{quote(number)}" in "{quote(said)}". Which condition is it part of?'


def vague(words: str, said: str) -> str:
    return f'What does "{quote(words)}" change in the rule "{quote(said)}"? Please say it as an exact condition, or leave it out.'


def named_in_vain(words: str) -> str:
    return f'You name "{quote(words)}", but I found no rule that uses it. Which condition on it do you mean?'


def whose_exit(said: str) -> str:
    return f'Is "{quote(said)}" the exit of a long or of a short? Please say the exit of each.'


def never_left(side: str) -> str:
    return f"When exactly should a {side} exit? Please specify its exit rule, stop or target."


def one_side_only(only: str, other: str) -> str:
    return f"You say {only} only, but a rule goes {other}. Which of the two do you mean?"


def out_of_reach(why: str) -> str:
    return f"{why}. Which level do you mean?"


def too_short(kind: str) -> str:
    return f"{kind} needs a length of at least 1 bar. Which length do you mean?"


def contradicts(why: str) -> str:
    return f"The rules contradict each other: {why}. Which of the two do you mean?"
