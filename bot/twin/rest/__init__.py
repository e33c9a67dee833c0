"""GitHub's REST API, a file per chapter. A new chapter is one file and its name here."""

from bot.twin.rest import comments, issues, labels, milestones, reactions, repos, subs, users

CHAPTERS = (comments, issues, labels, milestones, reactions, repos, subs, users)
