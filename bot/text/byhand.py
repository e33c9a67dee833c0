"""What the required status says of a pull request that a person opened: at most 140 characters."""

from __future__ import annotations


def no_strategy() -> str:
    return "Nothing to test: no strategy is touched."


def has_strategy() -> str:
    return (
        "Not tested: it changes strategies/ by hand. Run sandbox/run_in_sandbox.py (see README); "
        "then an administrator may merge it."
    )
