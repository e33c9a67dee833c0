"""Markdown as people read it, and as plain text, for who asks the API for more than the source."""

from __future__ import annotations

import re
from typing import Any

from markdown_it import MarkdownIt

READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
"""No HTML of the writer's passes: it is shown as text."""
FORMS = {"full": ("body_html", "body_text"), "html": ("body_html",), "text": ("body_text",)}
ASKED = re.compile(r"application/vnd\.github(?:\.v3)?\.(full|html|text)\+json")


def to_html(text: str) -> str:
    return str(READER.render(text))


def to_text(text: str) -> str:
    return re.sub(r"<[^>]*>", "", to_html(text)).strip()


def with_forms(accept: str, shown: Any) -> Any:
    """Adds the forms of each body that the caller asks for with its media type."""
    found = ASKED.search(accept)
    if found is None:
        return shown
    if isinstance(shown, list):
        return [with_forms(accept, row) for row in shown]
    if not isinstance(shown, dict) or "body" not in shown:
        return shown
    text = shown["body"] or ""
    forms = {"body_html": to_html, "body_text": to_text}
    return {**shown, **{name: forms[name](text) for name in FORMS[found[1]]}}
