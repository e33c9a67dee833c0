"""An independent look at a repository through github3.py: what another client is told."""

from __future__ import annotations

from typing import Any

import github3
import requests
from github3.exceptions import ForbiddenError, GitHubException, NotFoundError
from github3.session import GitHubSession

from bot.second_look import Second


def look(token: str, api: str, name: str, seconds: float) -> Second | str:
    """`name` is owner/repository. Why it could not look, where it could not."""
    session = GitHubSession(default_connect_timeout=seconds, default_read_timeout=seconds)
    session.base_url = api.rstrip("/")
    owner, _, repository = name.partition("/")
    try:
        repo = github3.GitHub(token=token, session=session).repository(owner, repository)
        return Second(
            default_branch=repo.default_branch,
            private=repo.private,
            has_issues=repo.has_issues,
            labels=frozenset(label.name for label in repo.labels()),
            checks=_checks(repo),
        )
    except (GitHubException, requests.RequestException) as error:
        return f"{type(error).__name__}: {error}"[:200]


def _checks(repo: Any) -> frozenset[str] | None:
    """Rulesets are newer than this client: it knows a branch's own protection alone."""
    try:
        protection = repo.branch(repo.default_branch).protection()
    except (ForbiddenError, NotFoundError):
        return None
    required = protection.required_status_checks
    return frozenset(required.original_contexts if required else ())
