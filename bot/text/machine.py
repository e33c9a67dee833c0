"""What the command line says when the machine itself stands in the way."""

from __future__ import annotations


def cannot_use(where: object, why: str | None) -> str:
    place = f"{where}: " if where else ""
    return (
        f"{place}{why or 'the machine refused it'}. Name another file or folder, or make room, and "
        "run it again."
    )
