"""How much a container may use: set by flags, within bounds. The network is never among them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

MIB = 1 << 20
TIMEOUT = "SANDBOX_TIMEOUT"
"""The variable that `--timeout` is read from where it is not given."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Of each container. `memory` is in bytes, swap included; `pids` counts threads too."""

    cpus: float = 0.5
    memory: int = 1 << 30
    pids: int = 64


def add_limits(parser: argparse.ArgumentParser) -> None:
    """`--cpus`, `--memory` and `--pids`."""
    usual = Limits()
    parser.add_argument("--cpus", type=number(0.1, 16), default=usual.cpus,
                        help="cores per container, 0.1 to 16 (default 0.5)")  # fmt: skip
    parser.add_argument("--memory", type=whole(256, 8192), default=usual.memory // MIB,
                        metavar="MIB", help="memory per container, 256 to 8192 MiB "
                        "(default 1024)")  # fmt: skip
    parser.add_argument("--pids", type=whole(16, 512), default=usual.pids, metavar="N",
                        help="processes and threads per container, 16 to 512 "
                        "(default 64)")  # fmt: skip


def limits_of(args: argparse.Namespace) -> Limits:
    return Limits(cpus=args.cpus, memory=args.memory * MIB, pids=args.pids)


def add_timeout(parser: argparse.ArgumentParser, env: Mapping[str, str] = os.environ) -> None:
    """A default that is text is read as the flag is: a bad variable is refused like a bad flag."""
    parser.add_argument("--timeout", type=number(1, 3600), default=env.get(TIMEOUT) or "300",
                        metavar="SECONDS", help="for each container, 1 to 3600 (default: the "
                        f"environment variable {TIMEOUT}, else 300)")  # fmt: skip


def number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        found = float(text)
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least:g} to {most:g}")
        return found

    return read


def whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        found = int(text)
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least} to {most}")
        return found

    return read
