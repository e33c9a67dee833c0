"""What is said about a strategy sheet: what cannot be read in it, and the line that can."""

from __future__ import annotations

from schemas.sheet import Hole, Problem


def sheet_problem(problem: Problem) -> str:
    """One line, for a list of questions."""
    where = f"Line {problem.line} of the sheet: " if problem.line else "The sheet: "
    line = f' Try this line: "{problem.tries[0].strip()}".' if problem.tries else ""
    return f"{where}{_plain(problem.message)}{line}"


def sheet_hole(hole: Hole) -> str:
    return (
        f'Line {hole.line} of the sheet has a hole: "{hole.typed.strip()}". '
        "Reply with `/answer` and the whole line."
    ).replace("`", '"')


def more_problems(many: int) -> str:
    return f"{many} more lines of the sheet cannot be read; these first."


def sheet_too_long(most: int) -> str:
    return f"The sheet has more than {most} characters. Shorten it."


def not_a_statement(note: str) -> str:
    said = " ".join(note.split())[:200]
    return (
        f'"{said}" is no statement of a sheet, and the request is one. Write the line that should '
        'be in it, such as "stop 3 % from fill", or the whole sheet in a code block.'
    )


def not_in_the_sheet() -> str:
    return "the sheet does not say"


def _plain(message: str) -> str:
    said = message.replace("`", '"')
    return said if said.endswith(("?", ".", "…")) else f"{said}."
