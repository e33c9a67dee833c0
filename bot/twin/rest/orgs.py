"""Organizations: as much as tells whether an account is one, and what it pays for."""

from __future__ import annotations

from bot.twin.access import role_of, scopes_of
from bot.twin.call import Call, Json, missing, route
from bot.twin.plans import plan_json
from bot.twin.rest.repos import OWNED
from bot.twin.shapes.people import node_id
from bot.twin.store import Row, many, one

ENDS = ("repos", "events", "hooks", "issues")


@route("GET", "/orgs/<login>")
def get(call: Call) -> Json:
    """Its plan is for an owner whose token has `admin:org` (docs, "Get an organization")."""
    sql = "SELECT * FROM users WHERE login = ? AND type = 'Organization'"
    row = one(call.db, sql, call.args["login"])
    if row is None:
        raise missing()
    url = f"{call.view.api}/orgs/{row['login']}"
    public = many(call.db, "SELECT 1 FROM repos WHERE owner_id = ? AND private = 0", row["id"])
    return {
        "login": row["login"], "id": row["id"], "node_id": node_id("Organization", row["id"]),
        "url": url, **{f"{end}_url": f"{url}/{end}" for end in ENDS},
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": f"{call.view.web}/avatars/{row['id']}", "description": None,
        "has_organization_projects": True, "has_repository_projects": True,
        "public_repos": len(public), "public_gists": 0, "followers": 0, "following": 0,
        "html_url": f"{call.view.web}/{row['login']}", "type": "Organization",
        "created_at": row["created_at"], "updated_at": row["created_at"], "archived_at": None,
        **(plan_json(row) if _owns(call, row) else {}),
    }  # fmt: skip


def _owns(call: Call, row: Row) -> bool:
    """The twin has no members of organizations: who administers all repositories of one owns it."""
    held = (scopes_of(call.token) if call.token is not None else None) or ""
    repos = many(call.db, f"{OWNED} WHERE owner_id = ?", row["id"])
    roles = {role_of(call.db, repo, call.user) for repo in repos}
    return "admin:org" in held.split(", ") and roles == {"admin"}
