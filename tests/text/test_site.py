"""The doctor on the site: on or off, how to change it, who reads it; and never a fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.checkup import Settings, diagnose

BARE = Settings("you/x", "https://github.com/you/x", "main", has_issues=True, private=False)
ON = {"STRATBOT_SITE": "on"}


@pytest.mark.parametrize(
    ("settings", "ok", "says", "fix"),
    [
        (BARE, False, "Not visible with this token", "administrator"),
        (replace(BARE, variables={}), False, "is off", "STRATBOT_SITE to on (https://github.com/"),
        (replace(BARE, variables={}), False, "is off", "also one of a private repository"),
        (replace(BARE, variables={"STRATBOT_SITE": "yes"}), False, "is off", "GitHub Actions"),
        (replace(BARE, variables=ON), False, "Pages is off", "https://github.com/you/x/settings/p"),
        (replace(BARE, variables=ON, has_pages=True), True, "The site is on", ""),
        (replace(BARE, variables=ON, has_pages=True, private=True), False, "is on", "Anybody may"),
    ],
)
def test_whether_there_is_a_site_is_a_note(
    settings: Settings, ok: bool, says: str, fix: str
) -> None:
    [found] = [f for f in diagnose(settings, frozenset()) if f.name == "site"]
    assert (found.ok, found.needed) == (ok, False)
    assert says in found.says and fix in found.fix and bool(found.fix) is not ok
