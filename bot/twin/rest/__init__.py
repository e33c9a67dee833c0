"""GitHub's REST API, a file per chapter: a new chapter is a new file, and nothing else."""

from importlib import import_module
from pkgutil import iter_modules


def load_chapters() -> None:
    """Fills the table of routes."""
    for chapter in iter_modules(__path__):
        import_module(f"{__name__}.{chapter.name}")
