"""What the command line says when the machine itself stands in the way."""

from __future__ import annotations

ADMINISTRATOR = (
    "a token of an administrator: of `gh auth token`, a classic one with the scope `repo`, or a "
    "fine-grained one with Administration, Contents, Issues and Variables to write, and Actions, "
    "Environments and Secrets to read"
)


def later(why: object) -> str:
    return f"{why}. Look to the network; nothing is lost, so run it again."


def signs_in(status: int) -> str:
    """What to do where GitHub does not take the very first question; nothing where nobody knows."""
    match status:
        case 401:
            return "GITHUB_TOKEN is wrong or has expired: export a new one."
        case 403:
            return f"The token may not do that: take {ADMINISTRATOR}."
        case 404:
            return "There is no such repository, or the token may not see it: look at both."
    return ""


def cannot_use(where: object, why: str | None) -> str:
    place = f"{where}: " if where else ""
    return (
        f"{place}{why or 'the machine refused it'}. Name another file or folder, or make room, and "
        "run it again."
    )


def not_a_contract(name: str, problem: str) -> str:
    return f"{name}: {problem}. Give the contract.json that `stratbot draft` wrote."
