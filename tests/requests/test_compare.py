"""Agreement of two lists of trades."""

from dataclasses import replace

import pytest

from tests.requests.compare import compare
from tests.requests.engine import Trade

WANT = [Trade(10 * i, 1, 10 * i + 1, 100.0, 10 * i + 5, 101.0, "tp", 2.0) for i in range(4)]
OTHERS = {
    "another side": (replace(WANT[0], side=-1), (0.75, 1.0, 0.75)),
    "another bar": (replace(WANT[0], signal=1), (0.75, 1.0, 0.75)),
    "another exit bar": (replace(WANT[0], exit=6), (1.0, 0.75, 0.75)),
    "another kind of exit": (replace(WANT[0], kind="signal"), (1.0, 0.75, 0.75)),
    "another entry price": (replace(WANT[0], entry_price=100.1), (1.0, 1.0, 0.75)),
    "another exit price": (replace(WANT[0], exit_price=101.1), (1.0, 1.0, 0.75)),
    "another size": (replace(WANT[0], volume=3.0), (1.0, 1.0, 0.75)),
    "no size": (replace(WANT[0], volume=None), (1.0, 1.0, 0.75)),
    "a price as good as the same": (replace(WANT[0], exit_price=101.001), (1.0, 1.0, 1.0)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_one_of_four_trades_differs(name: str) -> None:
    other, figures = OTHERS[name]
    found = compare({"a": [other, *WANT[1:]]}, {"a": WANT}, check_volume=True)
    assert (found.entries, found.exits, found.trades) == figures
    assert found.passed == (figures == (1.0, 1.0, 1.0))


def test_a_size_counts_only_where_it_is_prescribed() -> None:
    other = {"a": [replace(trade, volume=9.0) for trade in WANT]}
    assert compare(other, {"a": WANT}).passed
    assert not compare(other, {"a": WANT}, check_volume=True).passed


def test_data_sets_are_pooled_and_kept_apart() -> None:
    found = compare({"a": WANT, "b": []}, {"a": WANT, "b": WANT})
    assert (found.entries, found.exits, found.got, found.want) == (8 / 12, 1.0, 4, 8)
    assert compare({"a": WANT, "b": []}, {"a": [], "b": WANT}).entries == 0.0
    assert not compare({"a": []}, {"a": WANT}).passed
