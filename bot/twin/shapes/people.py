"""Users and repositories as GitHub shows them."""

from __future__ import annotations

import base64
from functools import lru_cache

from bot.twin.access import at_least
from bot.twin.call import Json, View
from bot.twin.site import settings
from bot.twin.store import Row, seldom, value

USER_URLS = {
    "followers_url": "/followers", "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}", "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions", "organizations_url": "/orgs", "repos_url": "/repos",
    "events_url": "/events{/privacy}", "received_events_url": "/received_events",
}  # fmt: skip
REPO_URLS = {
    "forks_url": "/forks", "keys_url": "/keys{/key_id}",
    "collaborators_url": "/collaborators{/collaborator}", "teams_url": "/teams",
    "hooks_url": "/hooks", "issue_events_url": "/issues/events{/number}", "events_url": "/events",
    "assignees_url": "/assignees{/user}", "branches_url": "/branches{/branch}", "tags_url": "/tags",
    "blobs_url": "/git/blobs{/sha}", "git_tags_url": "/git/tags{/sha}",
    "git_refs_url": "/git/refs{/sha}", "trees_url": "/git/trees{/sha}",
    "statuses_url": "/statuses/{sha}", "languages_url": "/languages",
    "stargazers_url": "/stargazers", "contributors_url": "/contributors",
    "subscribers_url": "/subscribers", "subscription_url": "/subscription",
    "commits_url": "/commits{/sha}", "git_commits_url": "/git/commits{/sha}",
    "comments_url": "/comments{/number}", "issue_comment_url": "/issues/comments{/number}",
    "contents_url": "/contents/{+path}", "compare_url": "/compare/{base}...{head}",
    "merges_url": "/merges", "archive_url": "/{archive_format}{/ref}",
    "downloads_url": "/downloads", "issues_url": "/issues{/number}", "pulls_url": "/pulls{/number}",
    "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all}",
    "labels_url": "/labels{/name}", "releases_url": "/releases{/id}",
    "deployments_url": "/deployments",
}  # fmt: skip
ZEROS = ["forks_count", "stargazers_count", "watchers_count", "size", "forks", "watchers"]
YES = ["has_projects", "has_downloads", "has_wiki"]
NO = ["fork", "has_pages", "has_discussions", "disabled", "is_template"]


def node_id(kind: str, key: int | str) -> str:
    return base64.b64encode(f"{kind}{key}".encode()).decode().rstrip("=")


def user_json(view: View, key: int | None) -> Json | None:
    """None for nobody; a user that is gone is GitHub's `ghost`."""
    if key is None:
        return None
    row = seldom(view.db, "SELECT id, login, type, site_admin FROM users WHERE id = ?", key)
    return _user(view.api, view.web, *(tuple(row) if row else (10137, "ghost", "User", 0)))


def user_of(view: View, row: Row) -> Json:
    return _user(view.api, view.web, row["id"], row["login"], row["type"], row["site_admin"])


@lru_cache(maxsize=4096)
def _user(api: str, web: str, key: int, login: str, kind: str, admin: int) -> Json:
    url = f"{api}/users/{login}"
    return {
        "login": login, "id": key, "node_id": node_id("User", key), "gravatar_id": "", "url": url,
        "avatar_url": f"{web}/avatars/{key}", "html_url": f"{web}/{login}",
        **{name: url + tail for name, tail in USER_URLS.items()},
        "type": kind, "user_view_type": "public", "site_admin": bool(admin),
    }  # fmt: skip


def full_user_json(view: View, row: Row) -> Json:
    sql = "SELECT count(*) FROM repos WHERE owner_id = ? AND private = ?"
    return {
        **user_of(view, row), "name": row["name"], "email": row["email"], "company": None,
        "blog": "", "location": None, "hireable": None, "bio": None, "twitter_username": None,
        "public_repos": value(view.db, sql, row["id"], 0), "public_gists": 0, "followers": 0,
        "following": 0, "created_at": row["created_at"], "updated_at": row["created_at"],
    }  # fmt: skip


def own_user_json(view: View, row: Row) -> Json:
    private = value(
        view.db, "SELECT count(*) FROM repos WHERE owner_id = ? AND private = 1", row["id"]
    )
    return {
        **full_user_json(view, row), "user_view_type": "private", "private_gists": 0,
        "total_private_repos": private, "owned_private_repos": private, "disk_usage": 0,
        "collaborators": 0, "two_factor_authentication": False,
    }  # fmt: skip


def permissions_json(role: str) -> dict[str, bool]:
    names = {"admin": "admin", "maintain": "maintain", "push": "write", "triage": "triage",
             "pull": "read"}  # fmt: skip
    return {name: at_least(role, wanted) for name, wanted in names.items()}


def repo_url(view: View, row: Row) -> str:
    return f"{view.api}/repos/{row['owner']}/{row['name']}"


def html_url(view: View, row: Row) -> str:
    return f"{view.web}/{row['owner']}/{row['name']}"


def repo_json(view: View, row: Row, role: str = "") -> Json:
    """`row` carries the login of its owner as `owner`."""
    url, html = repo_url(view, row), html_url(view, row)
    sql = "SELECT count(*) FROM issues WHERE repo_id = ? AND state = 'open'"
    open_issues = value(view.db, sql, row["id"])
    shown: Json = {
        "id": row["id"], "node_id": node_id("Repository", row["id"]), "name": row["name"],
        "full_name": f"{row['owner']}/{row['name']}", "private": bool(row["private"]),
        "owner": user_json(view, row["owner_id"]), "html_url": html, "url": url,
        "description": row["description"], **dict.fromkeys(NO, False),
        **{name: url + tail for name, tail in REPO_URLS.items()},
        "git_url": f"git://{html.removeprefix('http://')}.git",
        "ssh_url": f"git@127.0.0.1:{row['owner']}/{row['name']}.git", "clone_url": f"{html}.git",
        "svn_url": html, "homepage": row["homepage"], **dict.fromkeys(ZEROS, 0),
        **dict.fromkeys(YES, True), "language": None, "mirror_url": None, "license": None,
        "archived": bool(row["archived"]), "open_issues_count": open_issues,
        "open_issues": open_issues, "allow_forking": True, "web_commit_signoff_required": False,
        "topics": [], "visibility": "private" if row["private"] else "public",
        "custom_properties": {}, "has_issues": bool(settings(row).get("has_issues", True)),
        "default_branch": row["default_branch"], "created_at": row["created_at"],
        "updated_at": row["updated_at"], "pushed_at": row["pushed_at"] or row["created_at"],
    }  # fmt: skip
    if role:
        shown["permissions"] = permissions_json(role)
    return shown


def full_repo_json(view: View, row: Row, role: str) -> Json:
    kept = {k: v for k, v in settings(row).items() if k.startswith(("allow_", "delete_"))}
    more = kept if at_least(role, "write") else {}
    return {**repo_json(view, row, role), **more, "network_count": 0, "subscribers_count": 0}


def association(view: View, repo: Row, user_id: int) -> str:
    if user_id == repo["owner_id"]:
        return "OWNER"
    sql = "SELECT 1 FROM collaborators WHERE repo_id = ? AND user_id = ?"
    return "COLLABORATOR" if seldom(view.db, sql, repo["id"], user_id) else "NONE"
