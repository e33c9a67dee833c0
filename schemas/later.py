"""Which fields of a document are not written: later ones, as long as they have their default.

A document is named by the digest of its text, and such names are stored: in requests, drafts,
reports, passports and work orders. A field that was added later is written only where it says
something, so documents of an earlier version keep their text and their name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from schemas.first_fields import FIRST

TAGS = frozenset({"kind", "event_type", "schema"})
Left: TypeAlias = "dict[Any, Left | bool]"
"""Field, or place in a tuple -> True where it is not written, else what is not written inside."""


def left_out(doc: object, written: Callable[[object], bytes]) -> Left:
    """`written`: the text of a document with all its fields."""
    if isinstance(doc, tuple | list):
        parts = ((n, left_out(child, written)) for n, child in enumerate(doc))
        return {n: part for n, part in parts if part}
    if not dataclasses.is_dataclass(doc) or isinstance(doc, type):
        return {}
    found: Left = {}
    later = later_fields(type(doc))
    for field in dataclasses.fields(doc):
        if field.name in later and _has_default(doc, field, written):
            found[field.name] = True
        elif inside := left_out(getattr(doc, field.name), written):
            found[field.name] = inside
    return found


@cache
def later_fields(kind: type[Any]) -> frozenset[str]:
    """Optional, and not there from the start. A tag tells two types apart, so it always stays."""
    first = next((FIRST[t.__name__] for t in kind.__mro__ if t.__name__ in FIRST), "").split()
    hints = get_type_hints(kind, include_extras=True)
    optional = {
        f.name for f in dataclasses.fields(kind) if default_of(f) is not dataclasses.MISSING
    }
    return frozenset(n for n in optional - {*first} if not (n in TAGS and _is_one(hints[n])))


def _is_one(hint: Any) -> bool:
    """One word is all that it can say."""
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return get_origin(bare) is Literal and len(get_args(bare)) == 1


def default_of(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _has_default(
    doc: Any, field: dataclasses.Field[Any], written: Callable[[object], bytes]
) -> bool:
    """To the letter: 0.00 is not 0 and -0.0 is not 0.0, though Python calls them equal."""
    value, default = getattr(doc, field.name), default_of(field)
    if value is default or value != default:
        return value is default
    return written(doc) == written(dataclasses.replace(doc, **{field.name: default}))
