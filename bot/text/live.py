"""What a live run says when it is refused or stopped: the reason, and what to do next."""

from __future__ import annotations

from bot.live.refused import Code, Refused
from schemas.live import Approval

SAYS: dict[Code, tuple[str, str]] = {
    Code.MALFORMED: (
        "This is not an approval token.",
        "Copy all of it from the deploy run: human_verified_<time>.<signed part>.",
    ),
    Code.NO_KEY: (
        "There is no public key to check the token with.",
        "Save the repository's public key and name it with --public-key.",
    ),
    Code.WRONG_KEY: (
        "The token was signed with another key than the one on this machine.",
        "Compare the public key with the repository's; if that one was changed, get the new one.",
    ),
    Code.FORGED: (
        "The signature does not fit: the token was changed or made up.",
        "Copy the token again. If it is still refused, look at who sent it to you.",
    ),
    Code.NOT_YET: (
        "The approval lies in the future.",
        "Set this machine's clock, then run again.",
    ),
    Code.EXPIRED: ("The approval has expired.", "Ask for a new one: `/deploy` in the issue."),
    Code.TOO_LONG: (
        "The approval is valid for longer than 30 days.",
        "Ask for a new one: `/deploy` in the issue.",
    ),
    Code.OTHER_STRATEGY: (
        "The approval is for another strategy.",
        "Run the strategy that the token names, or ask for an approval of this one.",
    ),
    Code.IN_CI: (
        "Live trading never runs in CI.",
        "Run it on your own machine. In CI only a dry run on the simulated broker is possible.",
    ),
    Code.CLOCK_BACK: (
        "The clock was moved back since the last run.",
        "Set this machine's clock, then run again.",
    ),
    Code.OTHER_COMMIT: (
        "This checkout is not the commit that was approved.",
        "Check out the newest tag live/<strategy>/<n>, then run again.",
    ),
    Code.CHANGED_TREE: (
        "Files of this checkout were changed.",
        "See them with `git status`; undo the changes, or have them reviewed and approved.",
    ),
    Code.EDITED_FILE: (
        "A file of the strategy is not the one that was approved.",
        "Undo the change with `git checkout`, or have it reviewed and approved.",
    ),
    Code.MISSING_FILE: (
        "A file that was approved is not here.",
        "Check out the newest tag live/<strategy>/<n>, then run again.",
    ),
    Code.UNLISTED_FILE: (
        "The strategy's folder has a file that nobody approved.",
        "Remove it, or have it reviewed and approved.",
    ),
    Code.NOT_GENERATED: (
        "The strategy is not what the generator writes from its contract.json, so none of it was "
        "run, not even dry.",
        "Describe the strategy in an issue and have it delivered: what the generator writes can "
        "be run. Code by hand or by a model is only tested in the sandbox. Open positions stay at "
        "the broker with their stops: close them there if you want them closed.",
    ),
    Code.EARLIER_GENERATOR: (
        "An earlier version of the generator wrote this strategy, and the one here writes other "
        "bytes from the same contract.json, so none of it was run, not even dry.",
        "Open an issue with the same request and have it delivered again. A strategy that was "
        "approved before the update still runs from the checkout of its tag live/<strategy>/<n>, "
        "which holds the generator of that time. Open positions stay at the broker with their "
        "stops: close them there if you want them closed.",
    ),
    Code.NO_TAG: (
        "There is no tag live/<strategy>/<n> for the approved commit.",
        "Run `git fetch --tags`. If it is still missing, look at the deploy run.",
    ),
    Code.TAG_MOVED: (
        "The newest tag of this strategy is on another commit than the approval.",
        "Use the token of the newest approval; if nobody moved the tag on purpose, ask who did.",
    ),
    Code.SUPERSEDED: (
        "There is a newer approval of this strategy.",
        "Stop this run, check out the newest tag live/<strategy>/<n>, and use its token.",
    ),
    Code.REPLAYED: (
        "This token is used by another machine or state folder, or for another commit.",
        "Ask for an approval of its own: `/deploy` in the issue.",
    ),
    Code.NO_DRY_RUN: (
        "This commit was never run dry on this machine.",
        "Run the same command with --dry-run first and stop it after some bars.",
    ),
    Code.HALTED: (
        "Trading is halted.",
        "A run that was under way called off the entries that waited; open positions stay at the "
        "broker with their stops. If none was under way, look there. Read the file HALT, mend the "
        "reason, type `stratbot live resume`, then run again.",
    ),
    Code.HALTED_THERE: (
        "Somebody halted this approval with `/halt` on GitHub.",
        "Entries that waited were called off; open positions stay at the broker with their stops: "
        "close them there if you want them closed. To trade again: `/deploy` in the issue, a new "
        "approval, `stratbot live resume`.",
    ),
    Code.TAKEN_BACK: (
        "Somebody took this approval back with `/rollback` on GitHub.",
        "A run that was under way did with its positions what is named here; look at the broker. "
        "To trade again: the approval of what was put forward, `stratbot live resume`.",
    ),
    Code.NO_REPOSITORY: (
        "The repository cannot be reached, so nobody can say whether it is halted or used "
        "elsewhere.",
        "Try `git ls-remote origin` here. --unclaimed starts without it, and is weaker.",
    ),
    Code.NOT_CLAIMED: (
        "This machine may not write into the repository that it uses the token.",
        "Give its git write access, or start with --unclaimed: then another machine could use "
        "the token too.",
    ),
    Code.AUDIT_CUT: (
        "The audit log is not as it was left.",
        "Keep a copy of the folder and find out who was there. Move audit.jsonl and audit.head "
        "away together to start a new log.",
    ),
    Code.RUNNING: (
        "A run of this strategy is under way.",
        "See it with `stratbot live status`, end it with `stratbot live stop`.",
    ),
    Code.BAD_STATE: (
        "A file of the state folder cannot be read.",
        "Look at the named line. Move the folder away only when the broker's account is flat.",
    ),
    Code.NO_SECRET: (
        "A credential is missing.",
        "Add it to the place that --secrets names; see `stratbot live run --help`.",
    ),
    Code.OPEN_FILE: (
        "Others can read the file with the credentials.",
        "Run `chmod 600` on it. If others use this machine, change the credentials too.",
    ),
    Code.BAD_LIMITS: ("The limits cannot be read.", "Correct the named field in the file."),
    Code.NO_LIMITS: (
        "The contract does not say how many units one order may have, so you must.",
        "Save the shown line with your own numbers as limits.json, and add --limits limits.json.",
    ),
    Code.NO_BROKER: (
        "The library of this broker is not installed.",
        "Install it: `pip install 'stratbot[ibkr]'` or `'stratbot[mt5]'`.",
    ),
    Code.DENIED: (
        "The broker does not accept the credentials.",
        "Log in by hand once, then correct what --secrets names. It was not tried again.",
    ),
    Code.UNFIT: (
        "The broker's account or program is not set up for this strategy.",
        "Set up what is named here, then run again. Where positions are netted: use a hedging "
        "account, or close what the account holds of this symbol.",
    ),
    Code.NO_ANSWER: (
        "The broker cannot be reached.",
        "Open positions and their stops stay as they are. Start its program, then run again.",
    ),
    Code.REAL_MONEY: (
        "This account trades real money, and the client of this broker has not been proven on it.",
        "Use a paper account. --experimental starts all the same, after it has listed what has not "
        "been proven.",
    ),
    Code.ACCOUNT_UNKNOWN: (
        "Nobody can say whether this account trades real money.",
        "Compare the account in --secrets with the one that the broker's program is logged in to.",
    ),
    Code.SYMBOL: ("This symbol is not allowed.", "Add it to `symbols` in the limits."),
    Code.ORDER_SIZE: ("The order is too large.", "Lower the volume, or raise `max_order`."),
    Code.POSITION: ("The position would be too large.", "Close some, or raise `max_position`."),
    Code.DUPLICATE: ("This order was sent before.", "Nothing to do: it is not sent twice."),
    Code.RATE: (
        "Too many orders in one minute.",
        "Read the audit log, mend the cause, type `stratbot live resume`, then run again.",
    ),
    Code.DAILY_LOSS: (
        "The loss of this day is at its limit.",
        "Exits are still sent. Look at the trades; tomorrow, type `stratbot live resume` and run "
        "again.",
    ),
    Code.STALE: (
        "The newest bar is too old to trade on.",
        "Check the broker's data feed. Trading goes on with the next fresh bar.",
    ),
    Code.UNHEARD: (
        "The repository has not answered for too long, so a `/halt` would not be heard.",
        "Exits are still sent. Check the network; `max_unheard` in the limits says how long is "
        "too long.",
    ),
    Code.BAD_BAR: (
        "The broker sent a bar that cannot be true.",
        "Entries that waited were called off. Compare it with another source, type `stratbot live "
        "resume`, then run again.",
    ),
    Code.SKEW: (
        "This machine's clock and the broker's differ too much.",
        "Set the clock, type `stratbot live resume`, then run again.",
    ),
    Code.GUARD_ERROR: (
        "A guard failed, so nothing is traded any more.",
        "Report the named error, type `stratbot live resume` when it is mended, then run again.",
    ),
    Code.MISMATCH: (
        "The broker holds another position than our records.",
        "Compare both, correct the account by hand, type `stratbot live resume`, then run again.",
    ),
    Code.PARITY: (
        "The live decision is not the one that the stored inputs give.",
        "Read incident.json; where this machine may write into the repository, an incident issue "
        "tells it too. Do not run this commit again before the cause is known.",
    ),
}


UNPROVEN = {
    "ibkr": (
        "no order of this client was ever sent to a real TWS, only to a stand-in",
        "partial fills of a stop or a target (ocaType 1)",
        "fills of an earlier day that TWS no longer tells",
        "futures, options and shares that are not in USD",
    ),
    "mt5": (
        "no order of this client was ever sent to a real terminal, only to a stand-in",
        "lots: a volume of 1.0 is one lot, whatever the backtest traded",
        "servers that cut or replace the comment of an order, by which ours are known",
        "orders that are refused while the market is closed or the price has changed",
    ),
}
"""What nobody has shown yet of a broker's client, with real money at stake."""


def experimental(broker: str) -> str:
    """Said at the start of a run with real money on a client that has not been proven."""
    points = "".join(f"\n  - {point}" for point in UNPROVEN[broker])
    return (
        f"experimental: This run trades real money through {broker}. Not proven:{points}\n"
        "Watch it at the broker; `stratbot live halt` stops it."
    )


def expired() -> str:
    """Said once to a run whose approval ends while it trades."""
    said, what_next = SAYS[Code.EXPIRED]
    return f"{Code.EXPIRED}: {said} Nothing new is opened; exits are still sent. {what_next}"


def superseded(tag: str) -> str:
    """Said once to a run when another one may trade its strategy."""
    said, what_next = SAYS[Code.SUPERSEDED]
    opened = "Nothing new is opened; exits are still sent."
    return f"{Code.SUPERSEDED}: {said} ({tag}) {opened} {what_next}"


def no_stop(name: str, follows: str) -> str:
    return f"no_stop: The stop of {name} is not at the broker. {follows} Look there for the cause."


def not_moved(name: str, why: str) -> str:
    return (
        f"levels_not_moved: The stop or target of {name} was not moved to its level from the fill "
        f"({why[:300]}). It works where it was, and is moved with the next bar if the broker lets "
        "it. If this comes again, look there for the cause."
    )


def hearing(deaf: bool, seconds: float, why: str) -> str:
    """Said once when the repository falls silent, and once when it answers again."""
    if not deaf:
        return "heard_again: The repository answers again. New positions are opened again."
    said, what_next = SAYS[Code.UNHEARD]
    return f"{Code.UNHEARD}: {said} ({seconds:.0f} seconds; {why[:300]}) {what_next}"


def unclaimed(why: str) -> str:
    return (
        f"This run is not claimed in the repository ({why[:300]}). It is weaker: another machine "
        "could use the token too. Keep the token like a password."
    )


def refusal(refused: Refused) -> str:
    """The sentence for a person: code, reason, the thing itself, next step."""
    why, what_next = SAYS[refused.code]
    detail = f" ({refused.detail})" if refused.detail else ""
    return f"{refused.code}: {why}{detail} {what_next}"


def halted_nothing(strategy: str, running: list[str]) -> str:
    """The switch is set, but whoever pulls it must learn that it stopped nothing."""
    now = f"Running here: {', '.join(running)}." if running else "Nothing runs here now."
    return (
        f"nothing was stopped: no strategy {strategy} ever ran on this machine, so look at the "
        f"name. {now} Should {strategy} start later, it is halted."
    )


def only_a_timestamp(strategy: str) -> str:
    """To whoever gave a strategy file the first part of a token."""
    return (
        "human_verified_<timestamp> is how an approval token begins, and proves nothing alone. The "
        "deploy run keeps all of it as its artifact `token`: "
        "human_verified_<timestamp>.<key>.<approval>.<signature>. " + start_it_there(strategy)
    )


def start_it_there(strategy: str, approval: Approval | None = None) -> str:
    """A strategy file never trades itself: the runner does, with its guards and its audit log."""
    said = f"The token is good for {strategy} at {approval.commit_sha}. " if approval else ""
    return (
        f"{said}A strategy file starts no live run: an approved deployment does. Type: stratbot "
        f"live run --strategy {strategy} --token TOKEN --broker ibkr (or mt5, sim), with all of "
        "the token for TOKEN."
    )
