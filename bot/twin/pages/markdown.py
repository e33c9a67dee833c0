"""People's text -> HTML that is safe to show: GitHub's markdown, then a list of what may stay."""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from urllib.parse import quote, urljoin, urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.gfm import gfm_plugin

MENTION = re.compile(r"(?<![\w/`])(?:#(?P<number>\d{1,9})|@(?P<login>[A-Za-z0-9][A-Za-z0-9-]*))\b")
TAGS = (nh3.ALLOWED_TAGS | {"input", "picture", "section", "source"}) - {"map", "area"}
CLASSES = {
    "div": {"markdown-alert", *(f"markdown-alert-{kind}" for kind in
            ("note", "tip", "important", "warning", "caution"))},
    "p": {"markdown-alert-title"}, "ul": {"contains-task-list"}, "li": {"task-list-item"},
    "section": {"footnotes"}, "code": {"language-mermaid"}, "a": {"mention"},
}  # fmt: skip
ATTRIBUTES = {
    **nh3.ALLOWED_ATTRIBUTES, "details": {"open"}, "input": {"checked", "disabled"},
    "img": {"src", "alt", "title", "width", "height"}, "source": {"media", "srcset"},
}  # fmt: skip
LEADS = {("img", "src"): "raw", ("source", "srcset"): "raw", ("a", "href"): "blob"}
"""What names a file of the repository, and which page has it."""


@lru_cache(maxsize=2048)
def said(text: str, base: str) -> Markup:
    """A body or comment: a new line is a new line there. `base` is the repository's address."""
    return _safe(_parser(True), text, base, "")


@lru_cache(maxsize=256)
def written(text: str, base: str, place: str) -> Markup:
    """A file; `place` is its ref and folder, so that it may name its neighbours."""
    return _safe(_parser(False), text, base, place)


def _safe(parser: MarkdownIt, text: str, base: str, place: str) -> Markup:
    html = parser.render(text.replace("\r\n", "\n"), {"base": base})
    return Markup(_cleaner(base, place).clean(html))  # nosec B704


def _cleaner(base: str, place: str) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=TAGS, attributes=ATTRIBUTES, allowed_classes=CLASSES,
        tag_attribute_values={"input": {"type": {"checkbox"}}},
        set_tag_attribute_values={"input": {"disabled": "", "type": "checkbox"}},
        url_schemes={"http", "https", "mailto"}, attribute_filter=partial(_led, base, place),
        link_rel="nofollow noopener noreferrer",
    )  # fmt: skip


def _led(base: str, place: str, tag: str, attribute: str, value: str) -> str | None:
    """A neighbour's name becomes its address; the schemes of a `srcset` are checked by nobody."""
    kind = LEADS.get((tag, attribute))
    url = urlsplit(value)
    ours = bool(place) and not (url.scheme or url.netloc or value.startswith(("/", "#")))
    if kind and ours:
        return urljoin(f"{base}/{kind}/{place}/", value)
    return None if attribute == "srcset" else value


@cache
def _parser(breaks: bool) -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True, "breaks": breaks}).use(gfm_plugin)
    made.core.ruler.push("mentions", _link_mentions)
    made.core.ruler.push("align", _align)
    return made


def _align(state: StateCore) -> None:
    """The page's policy forbids styles, so a column says its side in the older way."""
    for token in state.tokens:
        style = str(token.attrs.pop("style", "")) if token.type in ("td_open", "th_open") else ""
        if style.startswith("text-align:"):
            token.attrs["align"] = style.removeprefix("text-align:")


def _link_mentions(state: StateCore) -> None:
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = _linked(block.children, str(state.env.get("base", "")))


def _linked(tokens: list[Token], base: str) -> list[Token]:
    found: list[Token] = []
    inside = 0
    for token in tokens:
        inside += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "text" and not inside:
            found += _pieces(token.content, base)
        else:
            found.append(token)
    return found


def _pieces(text: str, base: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    for hit in MENTION.finditer(text):
        number, login = hit["number"], hit["login"]
        where = f"{base}/issues/{number}" if number else f"/{quote(login)}"
        found += [
            Token("text", "", 0, content=text[at : hit.start()]),
            Token("link_open", "a", 1, attrs={"href": where, "class": "mention"}),
            Token("text", "", 0, content=hit[0]),
            Token("link_close", "a", -1),
        ]
        at = hit.end()
    return [*found, Token("text", "", 0, content=text[at:])]
