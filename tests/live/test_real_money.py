"""Real money is refused on a client that has not been proven, unless the owner insists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.live import setup
from adapters.live.ibkr import Ibkr
from adapters.live.mt5 import Mt5
from adapters.live.port import Kind
from bot.live.launch import Launch
from bot.live.refused import Code, Refused
from bot.text.live import UNPROVEN
from schemas.live import BrokerName
from tests.adapters.conformance import DAY, LOGIN
from tests.adapters.terminal import Terminal
from tests.adapters.tws import ACCOUNT, REAL_ACCOUNT, Tws
from tests.adapters.venue import Venue
from tests.live.stage import Stage

LAUNCH = Launch(strategy="x", broker=BrokerName.IBKR, address="", dry_run=False, root="/r",
                state="/s", public_key="/k", limits="")  # fmt: skip


@pytest.mark.parametrize(
    ("there", "account", "kind"),
    [
        ((ACCOUNT,), ACCOUNT, Kind.PAPER),
        (("DF815",), "DF815", Kind.PAPER),
        ((REAL_ACCOUNT,), REAL_ACCOUNT, Kind.REAL),
        ((ACCOUNT, REAL_ACCOUNT), REAL_ACCOUNT, Kind.REAL),
        ((REAL_ACCOUNT,), ACCOUNT, Kind.UNKNOWN),
        ((REAL_ACCOUNT,), "", Kind.UNKNOWN),
    ],
)
def test_the_kind_of_an_account_at_tws(there: tuple[str, ...], account: str, kind: Kind) -> None:
    tws = Tws(Venue())
    tws.accounts = there
    broker = Ibkr("127.0.0.1", tws.port, account, DAY)
    broker.connect()
    assert broker.kind() == kind
    broker.close()


@pytest.mark.parametrize(
    ("mode", "kind"), [(0, Kind.PAPER), (1, Kind.PAPER), (2, Kind.REAL), (7, Kind.UNKNOWN)]
)
def test_the_kind_of_an_account_at_mt5(mode: int, kind: Kind) -> None:
    terminal = Terminal(Venue())
    terminal.trade_mode = mode
    broker = Mt5(terminal, LOGIN, DAY)
    broker.connect()
    assert broker.kind() == kind


@pytest.mark.parametrize("broker", [BrokerName.IBKR, BrokerName.MT5])
def test_only_paper_is_traded_unless_the_owner_insists(broker: BrokerName) -> None:
    launch = replace(LAUNCH, broker=broker)
    insists, dry = replace(launch, experimental=True), replace(launch, dry_run=True)
    assert setup.may_trade(launch, Kind.PAPER) == setup.may_trade(dry, Kind.REAL) == ""
    with pytest.raises(Refused, match=Code.REAL_MONEY):
        setup.may_trade(launch, Kind.REAL)
    warning = setup.may_trade(insists, Kind.REAL)
    assert all(point in warning for point in UNPROVEN[broker]) and len(UNPROVEN[broker]) > 2
    for one in (launch, insists):
        with pytest.raises(Refused, match=Code.ACCOUNT_UNKNOWN):
            setup.may_trade(one, Kind.UNKNOWN)


@pytest.mark.parametrize("insists", [False, True])
def test_a_run_on_a_real_account(root: Path, tmp_path: Path, insists: bool) -> None:
    """The process itself, against the stand-in TWS: nothing is sent before it is refused."""
    stage = Stage.build(root, tmp_path, "restless").rehearsed()
    tws: Any = Tws(Venue())
    tws.accounts = (REAL_ACCOUNT,)
    stage.env["STRATBOT_IBKR_ACCOUNT"] = REAL_ACCOUNT
    (stage.home / "STOP").write_text("hold\n")
    code, out, err = stage.run(stage.launch(
        token=stage.token(), broker=BrokerName.IBKR, address=f"127.0.0.1:{tws.port}",
        experimental=insists))  # fmt: skip
    assert tws.received == []
    if insists:
        assert code == 0 and "stopped: hold" in out and "Not proven:" in err, err
        assert "experimental" in [line["event"] for line in stage.audit()]
    else:
        assert code == 1 and "real_money_unproven" in err and "--experimental" in err, err
