"""Secrets: sealed by the client for the repository's key, opened only for a job."""

from __future__ import annotations

import base64
import sqlite3

from nacl.public import PrivateKey, SealedBox

from bot.twin.site import Site
from bot.twin.store import many, one


def private_key(db: sqlite3.Connection, repo_id: int) -> PrivateKey:
    row = one(db, "SELECT private FROM keys WHERE repo_id = ?", repo_id)
    if row is not None:
        return PrivateKey(base64.b64decode(row["private"]))
    made = PrivateKey.generate()
    text = base64.b64encode(bytes(made)).decode()
    db.execute("INSERT INTO keys VALUES (?, ?)", (repo_id, text))
    return made


def opened_secrets(
    site: Site, db: sqlite3.Connection, repo_id: int, environment: str
) -> dict[str, str]:
    """The environment's own come over the repository's."""
    sql = """SELECT name, sealed FROM secrets WHERE repo_id = ? AND environment IN ('', ?)
             ORDER BY environment != ''"""
    rows = many(db, sql, repo_id, environment)
    if not rows:
        return {}
    box = SealedBox(private_key(db, repo_id))
    return {
        row["name"]: box.decrypt(base64.b64decode(row["sealed"])).decode(errors="replace")
        for row in rows
    }
