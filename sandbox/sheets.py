"""The sheet beside a contract: what people reviewed must be what is tested."""

from __future__ import annotations

from sandbox.submission import SHEET, Taken
from schemas.report import FailureClass, Finding
from schemas.sheet import disagreement

FIX = (
    f"Restore {SHEET}, or ask for the change with /revise: code, tests and contract follow from it."
)


def of_sheet(taken: Taken) -> tuple[Finding, ...]:
    """Nothing where there is none: a strategy by hand, or one of an earlier version."""
    if taken.sheet is None or taken.contract is None:
        return ()
    try:
        differs = disagreement(taken.sheet.decode(), taken.contract)
    except UnicodeDecodeError:
        differs = "it is not plain text"
    if not differs:
        return ()
    message = f"{SHEET} and contract.json do not say the same"
    return (
        Finding(
            failure_class=FailureClass.STATIC_FAILURES, rule="sheet_differs", message=message,
            trace=differs[:8_000], file=SHEET, fix=FIX,
        ),
    )  # fmt: skip
