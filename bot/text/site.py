"""What `stratbot doctor` says of the site: whether it is on, how that is changed, who reads it."""

from __future__ import annotations

READ = (
    "Anybody may read a site on GitHub Pages, also one of a private repository, unless your plan "
    "limits that."
)


def told(on: bool | None, pages: bool, private: bool, page: str) -> tuple[str, str]:
    """What is so, and what to do; nothing where everybody can read the repository anyway.

    `on` is None where it cannot be seen; `page` has the settings of the repository.
    """
    if on is None:
        return "Not visible with this token: is the site on?", "Run this as an administrator."
    if not on:
        return "The site is off", (
            f"If you want one: choose GitHub Actions as its source ({page}/pages), then set the "
            f"variable STRATBOT_SITE to on ({page}/variables/actions). {READ}"
        )
    if not pages:
        ill = "STRATBOT_SITE is on, but GitHub Pages is off, so there is no site"
        return ill, f"Choose GitHub Actions as its source: {page}/pages. {READ}"
    return "The site is on", f"{READ} See who may: {page}/pages" if private else ""
