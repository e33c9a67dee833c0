"""The codes of TWS, pure: what decides how an order stands, and what must be asked about."""

import pytest

from adapters.live.codes import Seen, informs, verdict
from adapters.live.port import Standing
from tests.adapters.tws_messages import INFORMATIONAL, REFUSED

W, F, C, R = Standing.WORKING, Standing.FILLED, Standing.CANCELLED, Standing.REJECTED


@pytest.mark.parametrize(
    ("seen", "stands"),
    [
        (Seen("PendingSubmit"), W),
        (Seen("PreSubmitted"), W),
        (Seen("Submitted", traded=1, volume=2), W),
        (Seen("Filled"), F),
        (Seen("Cancelled", 10349, traded=2, volume=2), F),
        (Seen("Cancelled"), C),
        (Seen("ApiCancelled"), C),
        (Seen("Cancelled", 202), C),
        (Seen("Cancelled", refused=True), R),
        (Seen("Cancelled", 201, refused=True), R),
        (Seen("Cancelled", 201, refused=True, traded=1, volume=2), C),
        (Seen("Cancelled", 110, refused=True), R),
        (Seen("Cancelled", 10243, refused=True), R),
        (Seen("Cancelled", 10349), None),
        (Seen("Cancelled", 10148), None),
        (Seen("Cancelled", 10999), None),
        (Seen("ValidationError", 321), R),
        (Seen("ValidationError", 434), R),
        (Seen("ValidationError", 321, acknowledged=True), None),
        (Seen("ValidationError", 399), None),
        (Seen("ValidationError", 2109), None),
        (Seen("Inactive"), R),
    ],
    ids=str,
)
def test_what_only_an_error_says_is_asked_about(seen: Seen, stands: Standing | None) -> None:
    assert verdict(seen) == stands


def test_a_note_is_no_refusal() -> None:
    assert all(informs(message.code) for message in INFORMATIONAL)
    assert not any(informs(message.code) for message in REFUSED)
