"""What workflows may read: variables and secrets, of the repository and of an environment."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

from nacl.exceptions import CryptoError
from nacl.public import SealedBox

from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.sealed import private_key
from bot.twin.store import Row, one

NAME = re.compile(r"(?!GITHUB_)[A-Za-z_][A-Za-z0-9_]{0,99}")
PLACES = {f"{REPO}/actions": "", f"{REPO}/environments/<name>": "name"}
LARGEST = 48_000


def _where(call: Call) -> tuple[int, str]:
    name = call.args.get("name", "")
    sql = "SELECT 1 FROM environments WHERE repo_id = ? AND name = ?"
    if name and one(call.db, sql, call.repo["id"], name) is None:
        raise missing()
    return call.repo["id"], name


def _named(call: Call, name: str) -> str:
    if not NAME.fullmatch(name):
        why = (
            "must only contain alphanumeric characters and underscores, and not start with GITHUB_"
        )
        raise Problem(422, f"Name {why}")
    return name.upper()


def _find(call: Call, table: str, name: str) -> Row | None:
    sql = f"SELECT * FROM {table} WHERE repo_id = ? AND environment = ? AND name = ?"  # nosec B608
    return one(call.db, sql, *_where(call), name.upper())


def _page(call: Call, table: str, fields: tuple[str, ...]) -> Answer:
    sql = f"SELECT * FROM {table} WHERE repo_id = ? AND environment = ? ORDER BY name"  # nosec B608
    return call.page(sql, _where(call), lambda r: {k: r[k] for k in fields}, table)


VARIABLE = ("name", "value", "created_at", "updated_at")
SECRET = ("name", "created_at", "updated_at")


def list_variables(call: Call) -> Answer:
    return _page(call, "variables", VARIABLE)


def get_variable(call: Call) -> Json:
    row = _find(call, "variables", call.args["key"])
    if row is None:
        raise missing()
    return {k: row[k] for k in VARIABLE}


def create_variable(call: Call) -> Answer:
    name, value, at = _named(call, call.need("name")), call.need("value"), call.now()
    if _find(call, "variables", name):
        raise Problem(409, "Already exists - Variable already exists")
    if len(value.encode()) > LARGEST:
        raise Problem(422, f"Value is too large (maximum is {LARGEST} bytes)")
    sql = "INSERT INTO variables VALUES (?, ?, ?, ?, ?, ?)"
    call.db.execute(sql, (*_where(call), name, value, at, at))
    return Answer(201, {})


def edit_variable(call: Call) -> Answer:
    row = _find(call, "variables", call.args["key"])
    if row is None:
        raise missing()
    sql = """UPDATE variables SET name = ?, value = ?, updated_at = ?
             WHERE repo_id = ? AND environment = ? AND name = ?"""
    name = _named(call, call.text("name") or row["name"])
    value = call.text("value", row["value"])
    call.db.execute(sql, (name, value, call.now(), *_where(call), row["name"]))
    return Answer(204)


def delete_variable(call: Call) -> Answer:
    return _delete(call, "variables")


def _delete(call: Call, table: str) -> Answer:
    row = _find(call, table, call.args["key"])
    if row is None:
        raise missing()
    sql = f"DELETE FROM {table} WHERE repo_id = ? AND environment = ? AND name = ?"  # nosec B608
    call.db.execute(sql, (*_where(call), row["name"]))
    return Answer(204)


def public_key(call: Call) -> Json:
    with call.site.store.writing() as db:  # made when it is first asked for
        key = private_key(db, call.repo["id"]).public_key
    text = base64.b64encode(bytes(key)).decode()
    return {"key_id": _key_id(text), "key": text}


def _key_id(text: str) -> str:
    return str(int(hashlib.sha256(text.encode()).hexdigest()[:15], 16))


def list_secrets(call: Call) -> Answer:
    return _page(call, "secrets", SECRET)


def get_secret(call: Call) -> Json:
    """Its name and times. No request gives its value."""
    row = _find(call, "secrets", call.args["key"])
    if row is None:
        raise missing()
    return {k: row[k] for k in SECRET}


def put_secret(call: Call) -> Answer:
    name, sealed, at = _named(call, call.args["key"]), call.need("encrypted_value"), call.now()
    key = private_key(call.db, call.repo["id"])
    text = base64.b64encode(bytes(key.public_key)).decode()
    try:
        if call.need("key_id") != _key_id(text):
            raise CryptoError
        SealedBox(key).decrypt(base64.b64decode(sealed))
    except (CryptoError, binascii.Error, ValueError):
        raise Problem(422, "Bad request - The encrypted value could not be decrypted") from None
    there = _find(call, "secrets", name)
    sql = "INSERT OR REPLACE INTO secrets VALUES (?, ?, ?, ?, ?, ?)"
    created = there["created_at"] if there else at
    call.db.execute(sql, (*_where(call), name, sealed, created, at))
    return Answer(204) if there else Answer(201, {})


def delete_secret(call: Call) -> Answer:
    return _delete(call, "secrets")


for place in PLACES:
    for verb, path, handler, kind in (
        ("GET", "variables", list_variables, "variables"),
        ("POST", "variables", create_variable, "variables"),
        ("GET", "variables/<key>", get_variable, "variables"),
        ("PATCH", "variables/<key>", edit_variable, "variables"),
        ("DELETE", "variables/<key>", delete_variable, "variables"),
        ("GET", "secrets/public-key", public_key, "secrets"),
        ("GET", "secrets", list_secrets, "secrets"),
        ("GET", "secrets/<key>", get_secret, "secrets"),
        ("PUT", "secrets/<key>", put_secret, "secrets"),
        ("DELETE", "secrets/<key>", delete_secret, "secrets"),
    ):
        level = "read" if verb == "GET" else "write"
        route(verb, f"{place}/{path}", role="write", scope=f"{kind}:{level}")(handler)
