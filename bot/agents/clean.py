"""A stranger's words as a person sees them, and a fence that they cannot close. Pure."""

from __future__ import annotations

import html
import re
import unicodedata

from schemas import codec

MOST = 20_000
LAYERS = 20
"""One thing may hide another. Nobody packs a request twenty times by accident."""

UNSEEN = (
    re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))", re.DOTALL),
    re.compile(r"<\?.*?(?:\?>|\Z)", re.DOTALL),
    re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL),
    re.compile(r"<![A-Za-z][^>]*(?:>|\Z)"),
    re.compile(
        r"""(?m)^ {0,3}\[[^\]\n]{1,999}\]:[ \t]*\S+[ \t]+"""
        r"""(?:"[^"\n]*"|'[^'\n]*'|\([^)\n]*\))[ \t]*$"""
    ),
)
"""Comments, processing instructions, CDATA, declarations, and link titles used as comments."""

TAG = re.compile(
    r"""<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s*+(?:[^\s<>/=]++(?:\s*+=\s*+"""
    r"""(?:"[^"]*+"|'[^']*+'|[^\s<>"'][^\s<>]*+))?|/|=))*+)\s*+>"""
)
ATTRIBUTE = re.compile(r"""([^\s<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s<>]+))?""")
ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,30});?")
HIDES = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|(?:opacity|font-size|width|height):0*\.?0*"
    r"(?![.0-9])|color:transparent|(?:left|top|right|bottom|text-indent):-[0-9]{3}"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BLOCKS = _words(
    """address article aside blockquote body br center dd details div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section
    summary table tbody td tfoot th thead tr ul"""
)
SILENT = _words(
    """applet audio canvas embed head iframe noscript object script style svg template title
    video"""
)
INLINE = _words(
    """a abbr acronym b base bdi bdo big button caption cite code col colgroup data datalist del
    dfn dialog em font i img input ins kbd label link map mark math meta meter output picture
    progress q rp rt ruby s samp search select small source span strike strong sub sup textarea
    time track tt u var wbr"""
)
VOID = _words("base br col embed hr img input link meta source track wbr")
ELEMENTS = BLOCKS | SILENT | INLINE
"""Only these are markup. `close<low and high>open` is a rule."""

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc") | {
    chr(c) for c in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
"""Fillers and variation selectors: letters by their category, nothing to the eye."""


def clean(text: str, most: int = MOST) -> str:
    """What a person sees of it, and no more than `most` characters. Cleaning twice is once."""
    text = text[: 8 * most]
    for layer in range(2 * LAYERS):
        if layer == LAYERS:
            text = re.sub(r"[<&\[]", " ", text)
        seen = _peel(text)[:most]
        if seen == text:
            break
        text = seen
    return text


def fenced(name: str, text: str) -> str:
    """Quoted as data. The mark is the digest of the text, so no text can hold its own."""
    mark = codec.digest_of(text).removeprefix("sha256:")[:32]
    return f"<<<{name} {mark}\n{text}\n{mark} {name}>>>"


def _peel(text: str) -> str:
    """One layer less of what nobody sees."""
    text = "".join(_shown(c) for c in text.replace("\r\n", "\n").replace("\r", "\n"))
    text = ENTITY.sub(_unless_unseen, text)
    for pattern in UNSEEN:
        text = pattern.sub("", text)
    return unicodedata.normalize("NFC", _without_markup(text))


def _shown(char: str) -> str:
    if char in "\n\t":
        return char
    kind = unicodedata.category(char)
    if kind[0] == "C" or char in BLANK:
        return ""
    if kind in ("Zl", "Zp"):
        return "\n"
    return " " if kind == "Zs" else char


def _unless_unseen(found: re.Match[str]) -> str:
    """An entity is left as it is spelt, unless it spells something that cannot be seen."""
    meant = html.unescape(found[0])
    return "" if meant != found[0] and not any(_shown(c) for c in meant) else found[0]


def _without_markup(text: str) -> str:
    """The text between tags, less what sits in an element that is not shown."""
    kept, at, inside, depth = [], 0, "", 0
    for tag in TAG.finditer(text):
        closes, name = bool(tag[1]), tag[2].lower()
        if name not in ELEMENTS:
            continue
        if inside:
            depth += (-1 if closes else 1) if name == inside else 0
            inside = inside if depth else ""
        else:
            kept += [text[at : tag.start()], "\n" if name in BLOCKS else ""]
            if not closes and name not in VOID and _is_hidden(name, tag[3]):
                inside, depth = name, 1
        at = tag.end()
    return "".join([*kept, "" if inside else text[at:]])


def _is_hidden(name: str, attributes: str) -> bool:
    if name in SILENT:
        return True
    given = {a[1].lower(): html.unescape(a[2] or "") for a in ATTRIBUTE.finditer(attributes)}
    style = re.sub(r"/\*.*?\*/|\s", "", given.get("style", "").lower())
    return "hidden" in given or HIDES.search(style) is not None
