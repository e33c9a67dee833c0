"""What a strategy file answers to `--mode live`: the live runner's own check, and what to type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from bot.live import machine, token
from bot.live.gate import admit
from bot.live.launch import strategy_home
from bot.live.refused import Code, Refused
from bot.text.live import only_a_timestamp, refusal, start_it_there

TIMESTAMP = re.compile(r"human_verified_\d{10,}")
"""How the token begins. Anybody can type that: only the signature says who approved what."""


def answer(strategy: Path, given: str, env: Mapping[str, str], now: int) -> str:
    """Nothing is traded from here. `strategy` is its file, `given` the token that was typed."""
    name, root = strategy.parent.name, strategy.parent.parent.parent
    if TIMESTAMP.fullmatch(given):
        return only_a_timestamp(name)
    state = Path(env.get("STRATBOT_LIVE", "~/.stratbot/live")).expanduser()
    try:
        found = machine.found(root, strategy_home(state, name), name, now, env)
        approval = admit(given, _key(state), name, found)
    except Refused as refused:
        return f"{refusal(refused)}\n{start_it_there(name)}"
    return start_it_there(name, approval)


def _key(state: Path) -> token.PublicKey:
    file = state / "approver.pub"
    try:
        return token.read_public(file.read_bytes())
    except OSError as error:
        raise Refused(Code.NO_KEY, f"{file}: {error.strerror}") from None
