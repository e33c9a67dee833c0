"""The prompts: files with a version, and a digest of what was said apart from any request."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template

from schemas import codec
from schemas.indicators import KINDS

VERSION = "v2"
SHARED = ("data", "strategy", "testing")
"""Parts that more than one prompt has, by their file."""


@cache
def prompt(name: str) -> str:
    """What an agent is told, whatever it is asked."""
    parts = {part: _file(part) for part in SHARED}
    return Template(_file(name)).substitute(parts, indicators=_indicators())


def prompt_hash(name: str, schema: str) -> str:
    return codec.digest_of(f"{prompt(name)}\n{schema}")


def _file(name: str) -> str:
    return files("bot.agents").joinpath("prompts", VERSION, f"{name}.md").read_text("utf-8").strip()


def _indicators() -> str:
    """From the one list, so that a prompt cannot promise what is not there."""
    rows = [
        f"- {name}: {k.label}; parameters "
        + (", ".join(f"{p}={v:g}" for p, v in k.parameters.items()) or "none")
        + f"; outputs {', '.join(k.outputs)}; reads {k.reads}"
        for name, k in KINDS.items()
    ]
    return "\n".join(rows)
