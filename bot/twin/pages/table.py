"""The table of pages: `@page` shows one, `@form` takes one, `@file` sends what is no page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

from bot.twin.call import Answer
from bot.twin.pages.visit import Visit

Show = Callable[[Visit], Answer]
Take = Callable[[Visit], str]
REPO = "/<owner>/<repo>"


@dataclass(frozen=True)
class Page:
    path: str
    show: Show


@dataclass(frozen=True)
class FormPage:
    """`take` answers where to go then; `again` is the page that shows why it did not work."""

    path: str
    take: Take
    again: Show


PAGES: list[Page] = []
FILES: list[Page] = []
FORMS: list[FormPage] = []


def page(path: str) -> Callable[[Show], Show]:
    def add(show: Show) -> Show:
        PAGES.append(Page(path, show))
        return show

    return add


def file(path: str) -> Callable[[Show], Show]:
    def add(show: Show) -> Show:
        FILES.append(Page(path, show))
        return show

    return add


def form(path: str, again: Show) -> Callable[[Take], Take]:
    def add(take: Take) -> Take:
        FORMS.append(FormPage(path, take, again))
        return take

    return add


def load_pages() -> None:
    """A new chapter is a new file in this folder, and nothing else."""
    package = __name__.rpartition(".")[0]
    for chapter in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{chapter.name}")
