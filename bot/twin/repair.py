"""After a kill: what git knows and SQLite does not is told again, as if it had just happened."""

from __future__ import annotations

from bot.twin import gitrepo
from bot.twin.access import DEFAULT_BOT
from bot.twin.actions.runs import repo_row
from bot.twin.call import Call, View
from bot.twin.moves import HEADS, moved
from bot.twin.site import Site
from bot.twin.store import many, one


def repair(site: Site) -> None:
    """Git moves first, then SQLite: between the two only a branch of a pull request can differ."""
    with site.store.writing() as db:
        bot = one(db, "SELECT * FROM users WHERE login = ?", DEFAULT_BOT)
        sql = """SELECT DISTINCT pulls.repo_id, head_ref, head_sha, base_ref FROM pulls
                 JOIN issues ON issues.id = pulls.id WHERE state = 'open'"""
        for row in many(db, sql):
            repo = repo_row(db, row["repo_id"])
            store = gitrepo.open_repo(site.folder(repo))
            call = Call(site, View(db, site.url, site.url), {}, {}, {}, {}, "", user=bot)
            call.repo_row = repo
            head = gitrepo.ref_target(store, HEADS + row["head_ref"])
            if head != row["head_sha"]:
                moved(call, HEADS + row["head_ref"], row["head_sha"], head)
            base = gitrepo.ref_target(store, HEADS + row["base_ref"])
            if base and head and gitrepo.is_ancestor(store, head, base):
                moved(call, HEADS + row["base_ref"], base, base)
