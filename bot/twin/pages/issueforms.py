"""Issue forms and templates of a repository, and the body that a filled form becomes."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from bot.twin.call import Problem
from bot.twin.pages.visit import Form, Visit
from bot.twin.rest import contents

FOLDER = ".github/ISSUE_TEMPLATE"
NOTHING = "_No response_"
KINDS = ("markdown", "textarea", "input", "dropdown", "checkboxes")


@dataclass(frozen=True)
class Field:
    """One part of a form; `key` is its name in the HTML, whatever the author called it."""

    key: str
    kind: str
    label: str = ""
    description: str = ""
    placeholder: str = ""
    value: str = ""
    render: str = ""
    multiple: bool = False
    required: bool = False
    options: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class Template:
    file: str
    name: str
    about: str
    title: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    body: str = ""
    fields: tuple[Field, ...] = field(default=())


def templates(visit: Visit) -> tuple[list[Template], bool]:
    """All of the default branch, by name of file; and whether a blank issue may be opened."""
    try:
        listed = visit.ask(contents.get, path=FOLDER)
    except Problem:
        return [], True
    files = [row["path"] for row in listed if row["type"] == "file"] if listed else []
    found = [_read(visit, path) for path in sorted(files)]
    blank = True
    for path in files:
        if path.endswith(("/config.yml", "/config.yaml")):
            blank = bool(_yaml(_text(visit, path)).get("blank_issues_enabled", True))
    return [template for template in found if template], blank


def _text(visit: Visit, path: str) -> str:
    shown = visit.ask(contents.get, path=path)
    return base64.b64decode(shown["content"]).decode(errors="replace")


def _yaml(text: str) -> dict[str, Any]:
    try:
        found = YAML(typ="safe").load(text)
    except YAMLError:
        return {}
    return found if isinstance(found, dict) else {}


def _read(visit: Visit, path: str) -> Template | None:
    file = path.rsplit("/", 1)[-1]
    if file.startswith("config."):
        return None
    text = _text(visit, path)
    if file.endswith(".md"):
        return _plain(file, text)
    raw = _yaml(text) if file.endswith((".yml", ".yaml")) else {}
    parts = raw.get("body")
    if not isinstance(parts, list):
        return None
    fields = tuple(_field(n, part) for n, part in enumerate(parts) if _known(part))
    return Template(fields=fields, body="", **_head(file, raw, "description"))


def _plain(file: str, text: str) -> Template:
    """An older template: a head between two lines of dashes, then the text itself."""
    parts = text.split("---\n", 2)
    if len(parts) < 3 or parts[0].strip():
        return Template(file, file, "", body=text)
    return Template(body=parts[2].lstrip("\n"), **_head(file, _yaml(parts[1]), "about"))


def _head(file: str, raw: dict[str, Any], about: str) -> dict[str, Any]:
    return {
        "file": file, "name": str(raw.get("name") or file), "about": str(raw.get(about) or ""),
        "title": str(raw.get("title") or ""), "labels": _names(raw.get("labels")),
        "assignees": _names(raw.get("assignees")),
    }  # fmt: skip


def _names(given: object) -> tuple[str, ...]:
    rows = given.split(",") if isinstance(given, str) else given
    return tuple(str(x).strip() for x in rows) if isinstance(rows, list) else ()


def _known(part: object) -> bool:
    """What GitHub would not draw is left out."""
    if not isinstance(part, dict) or part.get("type") not in KINDS:
        return False
    about, rules = part.get("attributes") or {}, part.get("validations") or {}
    if not isinstance(about, dict) or not isinstance(rules, dict):
        return False
    return isinstance(about.get("options") or [], list)


def _field(number: int, part: dict[str, Any]) -> Field:
    about, rules = part.get("attributes") or {}, part.get("validations") or {}
    options = tuple(
        (str(x.get("label", "")), bool(x.get("required"))) if isinstance(x, dict)
        else (str(x), False) for x in about.get("options") or ()
    )  # fmt: skip
    default = about.get("default")
    value = options[default][0] if isinstance(default, int) and default < len(options) else ""
    texts = {k: str(about.get(k) or "") for k in ("label", "description", "placeholder", "render")}
    return Field(
        f"field-{number}", str(part["type"]), value=str(about.get("value") or value),
        multiple=bool(about.get("multiple")), required=bool(rules.get("required")),
        options=options, **texts,
    )  # fmt: skip


def filled(template: Template, form: Form) -> str:
    """The body as GitHub writes it: a heading for each question, then what was answered."""
    asked = [part for part in template.fields if part.kind != "markdown"]
    return "\n\n".join(f"### {part.label}\n\n{_answer(part, form)}" for part in asked)


def _answer(part: Field, form: Form) -> str:
    given = [x.replace("\r\n", "\n").strip() for x in form.get(part.key, [])]
    given = [x for x in given if x]
    if part.kind == "checkboxes":
        for label, required in part.options:
            if required and label not in given:
                raise Problem(422, f"{part.label}: {label} must be ticked.")
        rows = (f"- [{'X' if label in given else ' '}] {label}" for label, _ in part.options)
        return "\n".join(rows)
    if not given and part.required:
        raise Problem(422, f"{part.label}: an answer is needed.")
    if part.kind == "dropdown":
        known = {label for label, _ in part.options}
        return ", ".join(x for x in given if x in known) or NOTHING
    text = "\n".join(given)
    return f"```{part.render}\n{text}\n```" if text and part.render else text or NOTHING
