"""A run looks for the stops of its positions: at its start, on every bar, and when it ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adapters.live.runner import Runner
from bot.live.refused import Refused
from tests.live.inside import Line, end, events, life
from tests.live.test_crash import market
from tests.live.test_hazards import Patient


class Careful(Patient):
    """Buys with a stop far below, and never leaves by itself."""

    def find_entries(self, df: Any, indicators: Any, idx: int) -> Any:
        return {**super().find_entries(df, indicators, idx), "sl": df["Close"].iloc[idx] / 2}


class Forgetful(Line):
    """An exchange that loses stops when it is told to."""

    lost = False

    def stops(self) -> frozenset[str]:
        return frozenset() if self.lost else super().stops()


def held(folder: Path) -> tuple[Forgetful, Runner, list[str]]:
    line, said = Forgetful(market()), list[str]()
    run = life(line, folder, Careful)
    run.say = said.append
    run.start()
    run.run(2)
    assert line.market.paper.net("AAPL") == 1.0 and "unguarded" not in events(folder)
    return line, run, said


def test_on_the_next_bar(tmp_path: Path) -> None:
    line, run, said = held(tmp_path)
    run.run(1)
    assert "unguarded" not in events(tmp_path) and said == []
    line.lost = True
    run.run(1)
    exits = [ticket for ticket in line.market.received if ticket["closes"]]
    assert len(exits) == 1 and "closed at the market" in said[0]


def test_at_the_start(tmp_path: Path) -> None:
    line, run, _ = held(tmp_path)
    end(run)
    line.lost = True
    life(line, tmp_path, Careful).start()
    assert [bool(ticket["closes"]) for ticket in line.market.received] == [False, True]


@pytest.mark.parametrize("how", ["hold", "handover"])
def test_whoever_stops_it_is_told(tmp_path: Path, how: str) -> None:
    line, run, said = held(tmp_path)
    line.lost = True
    (tmp_path / "STOP").write_text(f"{how}\n")
    assert run.run(0) == f"stopped: {how}"
    assert len(said) == 1 and "set a stop by hand" in said[0] and "unguarded" in events(tmp_path)
    assert line.market.paper.net("AAPL") == 1.0


def test_whoever_halts_it_is_told(tmp_path: Path) -> None:
    line, run, said = held(tmp_path)
    line.lost = True
    (tmp_path / "HALT").touch()
    with pytest.raises(Refused, match="halted"):
        run.run(0)
    assert len(said) == 1 and "set a stop by hand" in said[0]
