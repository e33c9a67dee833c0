"""GitHub's REST API, a file per chapter. A new chapter is one file and its name here."""

from bot.twin.rest import (
    branches,
    checks,
    comments,
    commits,
    contents,
    gitdata,
    issues,
    labels,
    merging,
    milestones,
    pulls,
    reactions,
    refs,
    releases,
    repos,
    reviews,
    statuses,
    subs,
    users,
)  # fmt: skip

CHAPTERS = (
    branches, checks, comments, commits, contents, gitdata, issues, labels, merging, milestones,
    pulls, reactions, refs, releases, repos, reviews, statuses, subs, users,
)  # fmt: skip
