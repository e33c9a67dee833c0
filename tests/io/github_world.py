"""What a GitHub repository holds, and GitHub's words for it: the shapes that two clients parse."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]
REPO = "acme/desk"
LIMIT = 65_536

REPO_URLS = """archive assignees blobs branches collaborators comments commits compare contents
contributors deployments downloads events forks git_commits git_refs git_tags hooks issue_comment
issue_events issues keys labels languages merges milestones notifications pulls releases stargazers
statuses subscribers subscription tags teams trees git ssh svn clone mirror html"""
REPO_COUNTS = "forks network open_issues stargazers subscribers watchers"
USER_URLS = """avatar events followers following gists organizations received_events repos starred
subscriptions html"""
PULL_URLS = "comments commits diff patch review_comment review_comments statuses issue"


class Problem(Exception):
    """GitHub's error body with its status."""

    def __init__(self, status: int, message: str, *errors: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"message": message, "documentation_url": "", "status": str(status)}
        if errors:
            self.body["errors"] = list(errors)


@dataclass
class World:
    """All state of one repository; every change ticks its clock by one second."""

    url: str = ""
    time: int = int(datetime(2026, 1, 5, tzinfo=UTC).timestamp())
    lock: threading.RLock = field(default_factory=threading.RLock)
    users: dict[str, Json] = field(default_factory=dict)
    permissions: dict[str, str] = field(default_factory=dict)
    issues: dict[int, Json] = field(default_factory=dict)
    pulls: dict[int, Json] = field(default_factory=dict)
    comments: dict[int, Json] = field(default_factory=dict)
    reactions: list[Json] = field(default_factory=list)
    labels: dict[str, Json] = field(default_factory=dict)
    subs: dict[int, list[int]] = field(default_factory=dict)
    commits: dict[str, Json] = field(default_factory=dict)
    trees: dict[str, dict[str, str]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    statuses: list[Json] = field(default_factory=list)
    runs: dict[int, Json] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    forks: dict[str, str] = field(default_factory=dict)
    last_id: int = 1000

    def tick(self) -> str:
        self.time += 1
        return stamp(self.time)

    def new_id(self) -> int:
        self.last_id += 1
        return self.last_id

    def person(self, login: str, number: int, *, kind: str = "User", role: str = "read") -> str:
        """Their token."""
        urls = {f"{name}_url": f"{self.url}/x/{login}/{name}" for name in USER_URLS.split()}
        self.users[f"token-of-{login}"] = {
            "id": number, "login": login, "type": kind, "gravatar_id": "", "site_admin": False,
            "url": f"{self.url}/users/{login}", **urls,
        }  # fmt: skip
        self.permissions[login] = role
        return f"token-of-{login}"

    def issue(self, by: str, title: str, body: str | None, labels: list[str]) -> Json:
        at, number = self.tick(), len(self.issues) + 1
        base = f"{self.url}/repos/{REPO}/issues/{number}"
        self.issues[number] = {
            "id": self.new_id(), "number": number, "title": title, "body": body, "state": "open",
            "user": self.users[by], "labels": [self.label(name) for name in labels], "url": base,
            "assignee": None, "assignees": [], "locked": False, "milestone": None, "comments": 0,
            "created_at": at, "updated_at": at, "closed_at": None, "closed_by": None,
            "comments_url": f"{base}/comments", "events_url": f"{base}/events",
            "labels_url": f"{base}/labels", "html_url": base, "state_reason": None,
            "body_html": "", "body_text": "", "author_association": "NONE",
        }  # fmt: skip
        return self.issues[number]

    def label(self, name: str) -> Json:
        """GitHub makes a label that is not there yet."""
        made = {
            "id": self.new_id(), "name": name, "color": "ededed", "description": None,
            "default": False, "url": f"{self.url}/repos/{REPO}/labels/{name}",
        }  # fmt: skip
        return self.labels.setdefault(name.lower(), made)

    def comment(self, by: str, number: int, body: str) -> Json:
        at, key = self.tick(), self.new_id()
        base = f"{self.url}/repos/{REPO}/issues"
        self.comments[key] = {
            "id": key, "body": body, "user": self.users[by], "created_at": at, "updated_at": at,
            "url": f"{base}/comments/{key}", "issue_url": f"{base}/{number}", "html_url": base,
            "author_association": "NONE", "body_html": "", "body_text": "",
        }  # fmt: skip
        self.issues[number]["comments"] += 1
        return self.comments[key]

    def commit(self, branch: str, files: dict[str, str], message: str) -> str:
        """As a person who pushes."""
        parents = [self.refs[branch]] if branch in self.refs else []
        below = self.trees[self.commits[parents[0]]["tree"]] if parents else {}
        sha = self.write_commit(message, self.write_tree({**below, **files}), parents)
        self.refs[branch] = sha
        return sha

    def write_tree(self, files: dict[str, str]) -> str:
        sha = digest(files)
        self.trees[sha] = files
        return sha

    def write_commit(self, message: str, tree: str, parents: list[str]) -> str:
        made = {"message": message, "tree": tree, "parents": parents, "at": self.tick()}
        sha = digest(made)
        self.commits[sha] = made
        return sha

    def pull(self, by: str, head: str, base: str, title: str, body: str | None) -> Json:
        issue = self.issue(by, title, body, [])
        number = issue["number"]
        issue["pull_request"] = {"url": f"{self.url}/repos/{REPO}/pulls/{number}"}
        self.pulls[number] = {
            "head": head, "base": base, "sha": None, "merged_at": None, "merge_sha": None,
            "merged_by": None, "blocked": None, "ways": ("merge", "squash", "rebase"),
        }  # fmt: skip
        return issue

    def run(
        self,
        title: str,
        *,
        status: str = "queued",
        conclusion: str | None = None,
        branch: str = "main",
    ) -> Json:
        at, key = self.tick(), self.new_id()
        base = f"{self.url}/repos/{REPO}/actions/runs/{key}"
        self.runs[key] = {
            "id": key, "display_title": title, "name": "work", "status": status, "url": base,
            "conclusion": conclusion, "created_at": at, "updated_at": at, "html_url": base,
            "event": "workflow_dispatch", "cancel_url": f"{base}/cancel", "head_branch": branch,
        }  # fmt: skip
        return self.runs[key]

    def repo_json(self) -> Json:
        base = f"{self.url}/repos/{REPO}"
        at = stamp(self.time)
        return {
            **{f"{name}_url": f"{base}/{name}" for name in REPO_URLS.split()},
            **{f"{name}_count": 0 for name in REPO_COUNTS.split()},
            **{f"has_{x}": True for x in ("downloads", "issues", "pages", "projects", "wiki")},
            "id": 1, "name": "desk", "full_name": REPO, "url": base, "description": None,
            "fork": False, "private": False, "owner": next(iter(self.users.values())),
            "archived": False, "created_at": at, "pushed_at": at, "updated_at": at, "size": 0,
            "default_branch": "main", "homepage": None, "language": None, "license": None,
        }  # fmt: skip

    def pull_json(self, number: int) -> Json:
        """The full form; a listing lacks the last two rows."""
        pull, issue = self.pulls[number], self.issues[number]
        url = f"{self.url}/repos/{REPO}/pulls/{number}"
        return {
            **{k: v for k, v in issue.items() if k != "pull_request"},
            **{f"{name}_url": f"{url}/{name}" for name in PULL_URLS.split()},
            "url": url, "html_url": url, "_links": {}, "active_lock_reason": None, "draft": False,
            "head": self.end_json(pull["head"], pull["sha"]),
            "base": self.end_json(pull["base"], None),
            "merged_at": pull["merged_at"], "merge_commit_sha": pull["merge_sha"],
            "requested_teams": [], "requested_reviewers": [], "additions": 0, "deletions": 0,
            "commits": 1, "review_comments": 0, "mergeable": None, "mergeable_state": "unknown",
            "merged": pull["merged_at"] is not None, "merged_by": pull["merged_by"],
            "comments": issue["comments"],
        }  # fmt: skip

    def end_json(self, branch: str, sha: str | None) -> Json:
        owner = REPO.split("/")[0]
        return {
            "ref": branch, "sha": sha or self.refs.get(branch), "label": f"{owner}:{branch}",
            "user": next(iter(self.users.values())),
            "repo": {**self.repo_json(), "full_name": self.forks.get(branch, REPO)},
        }  # fmt: skip

    def commit_json(self, sha: str) -> Json:
        made = self.commits[sha]
        base = f"{self.url}/repos/{REPO}"
        who = {"name": "x", "email": "x@example.org", "date": made["at"]}
        return {
            "sha": sha, "url": f"{base}/commits/{sha}", "html_url": "", "comments_url": "",
            "author": None, "committer": None,
            "commit": {
                "message": made["message"], "author": who, "committer": who, "comment_count": 0,
                "tree": {"sha": made["tree"], "url": f"{base}/git/trees/{made['tree']}"},
                "url": f"{base}/git/commits/{sha}", "verification": {},
            },
            "parents": [{"sha": p, "url": f"{base}/commits/{p}"} for p in made["parents"]],
        }  # fmt: skip

    def ancestors(self, sha: str) -> list[str]:
        """Newest first, along every parent."""
        found, todo = {sha}, [sha]
        while todo:
            for parent in self.commits[todo.pop()]["parents"]:
                if parent not in found:
                    found.add(parent)
                    todo.append(parent)
        return sorted(found, key=lambda s: str(self.commits[s]["at"]), reverse=True)


def stamp(time: int) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha1(text, usedforsecurity=False).hexdigest()
