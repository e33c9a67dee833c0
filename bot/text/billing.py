"""What a plan of GitHub does not offer to a private repository, and what follows from that."""

from __future__ import annotations

HEADING = "Not on your plan"
LIVE = (
    "Live trading needs a public repository or GitHub Enterprise; or GitHub Pro or Team with "
    '"gate": "comment" in the variable STRATBOT_POLICY: then two people approve by comments, which '
    "is weaker. All else works as it is."
)
NO_ENVIRONMENTS = f"A private repository has no environments on GitHub Free. {LIVE}"
NO_REVIEWERS = (
    "A private repository has required reviewers on GitHub Enterprise alone (if that is your plan, "
    f"run `stratbot setup`). {LIVE}"
)
NO_RULES = (
    "A private repository has no rules for its branches on GitHub Free, so a delivery can be "
    "merged without its check and without a review. Look at the status and at the report before "
    "you merge; or make the repository public, or take GitHub Pro or Team."
)
