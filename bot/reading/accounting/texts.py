"""The questions about what a contract does not account for. Each quotes the person's own words."""

from __future__ import annotations

from bot.reading.accounting.said import Said


def lost(words: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}", and no rule of my plan has "{words}". Which rule is it part of? Please say that rule on its own, or leave it out.'


def misplaced(words: str, sentence: Said, part: str) -> str:
    return f'You wrote "{sentence.quoted}". I am not sure that "{words}" is part of the {part} as I read it. Please say the entry and the exit in two sentences: "Buy when ...", "Sell when ...".'


def which_unit(words: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". What is "{words}" counted in: percent, pips, points, ATR, or is it a price?'


def other_bars(words: str, sentence: Said, timeframe: str) -> str:
    return f'You wrote "{sentence.quoted}", but my plan looks at bars of {timeframe} alone. Please say the rule on those ("{words}" is another timeframe), or leave it out.'


def hours_on_long_bars(words: str, sentence: Said, timeframe: str) -> str:
    return f'You wrote "{sentence.quoted}", but bars of {timeframe} have no hours, so "{words}" can never be met. Which shorter timeframe do you mean, or should I leave the hours out?'


def fills_later(words: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". I decide when a bar has closed and fill at the next bar\'s open, so "{words}" would be a day later. Is the next open what you want? Please say it with "at the next open", or choose a shorter timeframe.'


def lost_side(words: str, sentence: Said, side: str) -> str:
    return f'You wrote "{sentence.quoted}", but nothing in my plan goes {side} ("{words}"). When exactly should it go {side}?'


def lost_exit(sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}", but my plan has no exit rule for it. When exactly should it exit? For example: "Sell when RSI(2) is above 70, or after 10 bars."'


def lost_negation(words: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}", and nothing in my plan rules that out ("{words}"). Which condition on price, volume, an indicator or the time is it? Or leave it out.'


def exit_needs(sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". As I read it, the exit too would wait for a condition of the entry, and the position would be kept without it. Please say the entry and the exit in two sentences: "Buy when ...", "Sell when ...".'


def never_true(sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". As I read it, this can never be true. Please say the condition in other words.'


def cannot_be_built(fault: str, sentence: Said | None) -> str:
    wrote = f'You wrote "{sentence.quoted}". ' if sentence else ""
    return f"{wrote}As I read it, this cannot be built: {fault}. What do you mean?"


def misplaced_negation(words: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". I am not sure which bar and which condition "{words}" is about. Please say it as a comparison, as in "yesterday\'s close is above the close 2 days ago".'


def no_such_level(number: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". I read a price of {number} in it, which you did not write. Please say what the price is compared with.'


def unknown(word: str, sentence: Said) -> str:
    return f'You wrote "{sentence.quoted}". I do not know what "{word}" does to this rule. Please say it as a condition on price, volume, an indicator or the time, or leave the word out.'
