"""What two clients of GitHub were told about one repository: the same, or what differs. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.checkup import Finding, Settings

NAME = "second-client"


@dataclass(frozen=True, slots=True)
class Second:
    """The settings that github3.py can read; its code shares nothing with PyGithub's."""

    default_branch: str
    private: bool
    has_issues: bool
    labels: frozenset[str]
    checks: frozenset[str] | None
    """Which the branch's own protection requires; None: there is none, or it cannot be seen."""


def compared(first: Settings, second: Second | str) -> Finding:
    """A difference is no lack of the repository: one of the two is wrong, and a person must look.

    `second` is why it could not look, where it could not.
    """
    if isinstance(second, str):
        says, fix = f"github3.py could not look: {second}", "Run `stratbot doctor` again."
        return Finding(NAME, False, says, fix, needed=False)
    found = list(_differences(first, second))
    if not found:
        well = f"github3.py reads the same as PyGithub: {len(second.labels)} labels, the branch"
        return Finding(NAME, True, f"{well} {second.default_branch} and what it requires")
    fix = f"Run it again; if it stays, trust neither and look: {first.page}/settings"
    return Finding(NAME, False, "; ".join(found), fix, needed=False)


def _differences(first: Settings, second: Second) -> Iterator[str]:
    pairs = {
        "the default branch": (first.default_branch, second.default_branch),
        "private": (first.private, second.private),
        "issues open": (first.has_issues, second.has_issues),
    }
    for what, (one, two) in pairs.items():
        if one != two:
            yield f"{what}: PyGithub reads {one}, github3.py reads {two}"
    yield from _apart("label", first.labels - second.labels, "PyGithub")
    yield from _apart("label", second.labels - first.labels, "github3.py")
    yield from _apart("required check", (second.checks or frozenset()) - first.checks, "github3.py")


def _apart(what: str, names: frozenset[str], client: str) -> Iterator[str]:
    if names:
        yield f"only {client} sees the {what}{'s' * (len(names) > 1)} {', '.join(sorted(names))}"
