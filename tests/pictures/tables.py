"""Tables as a run leaves them behind, made by counting: no chance, no file."""

from __future__ import annotations

from datetime import date, timedelta

HEAD = (
    "position_id,symbol,action,volume,signal_bar,entry_bar,entry_time,entry_price,exit_bar,"
    "exit_time,exit_price,exit_kind,exit_reason,sl,tp,gross_pnl,commission,spread,slippage,pnl,"
    "mae,mfe,balance,comment"
)
FIRST = date(2020, 1, 1)


def day(n: int) -> str:
    return f"{FIRST + timedelta(days=n)}T00:00:00"


def trades(count: int) -> str:
    return "\n".join([HEAD, *(trade(n) for n in range(count))]) + "\n"


def trade(n: int, reason: str = "opposite cross") -> str:
    """Every third one wins; each costs 0.5."""
    action = "SELL" if n % 2 else "BUY"
    gross = 9.0 if n % 3 == 0 else -2.0
    return (
        f"pos_{n},SPY,{action},1.0,{n * 5},{n * 5 + 1},{day(n * 5 + 1)},100.0,{n * 5 + 4},"
        f"{day(n * 5 + 4)},{100.0 + n % 7},signal,{reason},,,{gross},0.25,0.125,0.125,"
        f"{gross - 0.5},-1.0,2.0,10000.0,cross"
    )


def equity(values: list[float]) -> str:
    rows = [f"{day(n)},{value},{value}" for n, value in enumerate(values)]
    return "\n".join(["timestamp,balance,equity", *rows]) + "\n"


def bars(count: int) -> str:
    rows = [f"{day(n)},{90.0 + n % 13},{100.0 + n % 11}" for n in range(count)]
    return "\n".join(["timestamp,open,close", *rows]) + "\n"
