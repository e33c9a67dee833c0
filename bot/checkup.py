"""What the journey needs of a repository and of this machine, and how each lack is mended. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from bot.settings import POLICY, BadSetting, Value, in_force, policy_of, problems
from bot.text import billing, site
from bot.text.machine import ADMINISTRATOR
from schemas import codec
from schemas.live import Gate
from schemas.workflow import Policy

SANDBOX = "stratbot/sandbox"
SWEEP = "sweep.yml"
OFF = ("disabled_manually", "disabled_inactivity", "disabled_fork")
"""GitHub's words for a workflow that can be switched on again."""
WORKFLOWS = (
    "stratbot.yml", "stratbot-work.yml", "stratbot-pulls.yml", "stratbot-checks.yml", SWEEP,
    "deploy.yml",
)  # fmt: skip
ACTIONS = (
    "actions/cache", "actions/cache/restore", "actions/checkout", "actions/download-artifact",
    "actions/setup-python", "actions/upload-artifact",
)  # fmt: skip
"""What those workflows use, each pinned to a commit."""
PLACEHOLDER = "@owners"
"""What CODEOWNERS says before anybody has put themselves in: a stranger's name on github.com."""
SIGNING_KEY = "STRATBOT_SIGNING_KEY"
SETUP = "Run `stratbot setup --repo {}`."


@dataclass(frozen=True, slots=True)
class Settings:
    """A repository as a token sees it. None: the token may not see it."""

    name: str
    page: str
    default_branch: str
    has_issues: bool
    private: bool
    workflows: dict[str, str] = field(default_factory=dict)
    creates_pulls: bool | None = None
    default_rights: str | None = None
    runs_actions: bool | None = None
    may_use: tuple[str, ...] = ("*",)
    """Patterns of the actions that may run here; one that begins with ! forbids."""
    reviewers: dict[str, int] | None = None
    """How many of each environment."""
    self_review: bool = False
    """A reviewer of the environment live may approve a run that they started."""
    live_from: frozenset[str] | None = None
    """The refs whose runs may reach the environment live; None: there is none."""
    checks: frozenset[str] = frozenset()
    """Required on the default branch, by rulesets or by its protection."""
    owners_asked: bool = False
    has_rules: bool = True
    """Not in a private repository on GitHub Free, which has no environments either."""
    owner_errors: tuple[str, ...] | None = None
    """None: there is no CODEOWNERS file."""
    labels: frozenset[str] = frozenset()
    variables: dict[str, str] | None = None
    secrets: frozenset[str] | None = None
    live_secrets: frozenset[str] | None = None
    """Of the environment live."""
    has_pages: bool = False

    @property
    def writer(self) -> str:
        return (self.variables or {}).get("STRATBOT_WRITER") or "offline"


@dataclass(frozen=True, slots=True)
class Machine:
    """Empty is well; else what is wrong."""

    git: str
    docker: str
    model: str | None
    """None: not asked, because no model is used or no key is here."""


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    ok: bool
    says: str
    fix: str = ""
    needed: bool = True
    off_plan: bool = False
    """The plan does not offer it; `fix` says what follows."""


def diagnose(settings: Settings, wanted_labels: frozenset[str]) -> Iterator[Finding]:
    """In the order in which a person would mend them."""
    again, page = SETUP.format(settings.name), f"{settings.page}/settings"
    yield _finding(
        "issues", settings.has_issues, "Issues are open", "Issues are switched off",
        f"Tick Issues under Features: {page}",
    )  # fmt: skip
    yield _actions(settings, f"{page}/actions")
    yield _workflows(settings)
    yield _seen(
        "pull-requests", settings.creates_pulls, "Actions may open pull requests",
        "Actions may not open pull requests",
        f"Tick 'Allow GitHub Actions to create and approve pull requests': {page}/actions",
    )  # fmt: skip
    yield _finding(
        "workflow-permissions", settings.default_rights in ("read", None),
        "A workflow gets only the rights that it names",
        "A workflow that names no rights may write everything",
        f"Choose 'Read repository contents' under Workflow permissions: {page}/actions",
        needed=False,
    )  # fmt: skip
    yield from _live(settings, f"{page}/environments", again)
    yield from _rules(settings, again)
    yield _owners(settings)
    missing = sorted(wanted_labels - settings.labels)
    yield _finding(
        "labels", not missing, "All labels are there", f"Missing labels: {', '.join(missing)}",
        again, needed=False,
    )  # fmt: skip
    yield _finding(
        "minutes", not settings.private, "Actions cost nothing in a public repository",
        "In a private repository a request takes about 40 minutes of Actions, and the sweep 48 a "
        "day while a request is open or a strategy is live",
        "Look at what your plan has. Close requests that nobody needs: then the sweep is off.",
        needed=False,
    )  # fmt: skip
    yield _policy(settings, f"{page}/variables/actions")
    bad = tuple(problems(settings.variables or {}))
    yield _finding(
        "settings", not bad, "Every setting can be used", " ".join(bad),
        f"Mend these variables; until then nothing is answered: {page}/variables/actions",
    )  # fmt: skip
    yield from _writer(settings, page)
    yield _site(settings, page)


def diagnose_machine(machine: Machine, alone: bool) -> Iterator[Finding]:
    """`alone`: no repository was named, so jobs would run here."""
    yield _finding("git", not machine.git, "git is here", machine.git, "Install git 2.30 or newer.")
    yield _finding(
        "docker", not machine.docker, "Docker answers", machine.docker,
        "Start Docker. Without it strategies run in a plain process, and no test counts.",
        needed=alone,
    )  # fmt: skip
    if machine.model is not None:
        yield _finding(
            "model", not machine.model, "The model answers", machine.model,
            "Check OPENAI_BASE_URL, OPENAI_API_KEY and MODEL_NAME.",
        )  # fmt: skip


def _finding(
    name: str, ok: bool, well: str, ill: str, fix: str, needed: bool = True
) -> Finding:  # fmt: skip
    return Finding(name, ok, well if ok else ill, "" if ok else fix, needed)


def _seen(name: str, found: bool | None, well: str, ill: str, fix: str) -> Finding:
    """What cannot be seen is not taken for granted."""
    if found is None:
        return Finding(name, False, f"Not visible with this token: {well.lower()}?",
                       f"Run this with {ADMINISTRATOR}.")  # fmt: skip
    return _finding(name, found, well, ill, fix)


def _off_plan(name: str, says: str, follows: str) -> Finding:
    return Finding(name, False, says, follows, needed=False, off_plan=True)


def _actions(settings: Settings, page: str) -> Finding:
    fix = f"Choose 'Allow all actions and reusable workflows' under Actions permissions: {page}"
    if not settings.runs_actions:
        ill = "Actions is switched off, so nothing here is answered"
        return _seen("actions", settings.runs_actions, "Actions is switched on", ill, fix)
    bad = [name for name in ACTIONS if not _may_use(settings.may_use, name)]
    return _finding(
        "actions", not bad, "Actions is switched on", f"These may not run: {', '.join(bad)}",
        f"{fix}; or choose your own list, and tick 'Allow actions created by GitHub'",
    )  # fmt: skip


def _may_use(patterns: tuple[str, ...], name: str) -> bool:
    """Of an action that is pinned to a commit: a pattern for one version is for another one."""
    pinned = f"{name}@{'0' * 40}"
    no = any(fnmatchcase(pinned, p[1:]) for p in patterns if p.startswith("!"))
    return not no and any(fnmatchcase(pinned, p) for p in patterns)


def _live_from(settings: Settings, found: frozenset[str], page: str, again: str) -> Finding:
    """Any other ref may carry a workflow of its own, and that would get the key that signs."""
    here = settings.default_branch
    weaker = settings.private and read_policy(settings).gate is Gate.COMMENT
    said = ", ".join(sorted(found)) or "nowhere, so nothing can go live"
    return _finding(
        "live-branch", found == {f"refs/heads/{here}"}, f"live can be reached from {here} alone",
        f"live can be reached from: {said}",
        f"{again} By hand: under live choose 'Selected branches and tags', with {here} alone: "
        f"{page}", needed=not weaker,
    )  # fmt: skip


def _workflows(settings: Settings) -> Finding:
    """The sweep is off where nothing is open, and the next event switches it on."""
    states = {n: settings.workflows.get(n, "not there") for n in WORKFLOWS}
    bad = [f"{name} ({state})" for name, state in states.items()
           if state != "active" and not (name == SWEEP and state in OFF)]  # fmt: skip
    return _finding(
        "workflows", not bad, f"The workflows are on {settings.default_branch}",
        f"Not running: {', '.join(bad)}",
        f"Push .github/ to {settings.default_branch}, and enable each: {settings.page}/actions",
    )  # fmt: skip


def _live(settings: Settings, page: str, again: str) -> Iterator[Finding]:
    if not settings.has_rules:
        yield _off_plan("environment-live", "The environment live", billing.NO_ENVIRONMENTS)
        return
    yield _environment(settings, page, again)
    if settings.live_from is not None:
        yield _live_from(settings, settings.live_from, page, again)
    yield _finding(
        "signing-key", SIGNING_KEY in (settings.live_secrets or ()), "Approvals can be signed",
        f"The environment live has no secret {SIGNING_KEY}, so nothing can go live",
        f"Run `stratbot live keygen`; the private key is the secret: {page}", needed=False,
    )  # fmt: skip


def _environment(settings: Settings, page: str, again: str) -> Finding:
    name, well = "environment-live", "The environment live is there"
    if settings.reviewers is None:
        return _seen(name, None, well, "", "")
    if "live" not in settings.reviewers:
        return Finding(name, False, "There is no environment live", again)
    if settings.reviewers["live"] and settings.self_review:
        says = "Whoever starts a run of live may approve it too"
        return Finding(name, False, says, again)
    if settings.reviewers["live"]:
        return Finding(name, True, well)
    if read_policy(settings).gate is Gate.COMMENT:
        return Finding(name, True, "Two people approve live by comments: the weaker gate")
    if settings.private:
        return _off_plan(name, "Required reviewers of the environment live", billing.NO_REVIEWERS)
    says = "live has no reviewers: nothing can go live"
    return Finding(name, False, says, f"Add required reviewers to live: {page}")


def _rules(settings: Settings, again: str) -> Iterator[Finding]:
    if not settings.has_rules:
        yield _off_plan("rules", "Rules of the default branch", billing.NO_RULES)
        return
    yield _finding(
        "required-check", SANDBOX in settings.checks, f"{SANDBOX} must pass before a merge",
        f"A delivery can be merged without {SANDBOX}", again,
    )  # fmt: skip
    yield _finding(
        "code-owners-review", settings.owners_asked, "A code owner must review a delivery",
        "A delivery can be merged without a code owner", again,
    )  # fmt: skip


def read_policy(settings: Settings) -> Policy:
    """The default where it cannot be read, which is told by itself."""
    try:
        return policy_of(settings.variables or {})
    except (codec.Invalid, BadSetting):
        return Policy()


def values(settings: Settings) -> tuple[Value, ...]:
    """In force for the next request; none where they cannot be seen or read."""
    try:
        return in_force(settings.variables or {}) if settings.variables is not None else ()
    except (codec.Invalid, BadSetting):
        return ()


def _owners(settings: Settings) -> Finding:
    errors = settings.owner_errors
    if errors is None:
        fix = f"Add a CODEOWNERS file with the people who must review: {settings.page}"
        return Finding("codeowners", False, "There is no CODEOWNERS file", fix, settings.has_rules)
    said = errors[0] if errors else ""
    return _finding(
        "codeowners", not errors, "CODEOWNERS names people who may write",
        f"CODEOWNERS: {said}",
        f"Name people or teams with write access there instead: {settings.page}",
        needed=settings.has_rules,
    )  # fmt: skip


def _policy(settings: Settings, page: str) -> Finding:
    raw = (settings.variables or {}).get(POLICY)
    try:
        policy = codec.load(Policy, raw) if raw else Policy()
    except codec.Invalid as error:
        return Finding("policy", False, f"STRATBOT_POLICY cannot be read: {error}", f"See {page}")
    here = settings.default_branch
    return _finding(
        "policy", policy.default_branch == here, "The bot knows the default branch",
        f"The bot takes {policy.default_branch} for the default branch; it is {here}",
        f'Set STRATBOT_POLICY to {{"default_branch": "{here}"}}: {page}',
    )  # fmt: skip


def _writer(settings: Settings, page: str) -> Iterator[Finding]:
    if settings.writer != "llm":
        yield Finding("writer", True, "Strategies are written by rules, without a model")
        return
    there = None if settings.secrets is None else "OPENAI_API_KEY" in settings.secrets
    yield _seen(
        "model-key", there, "The secret OPENAI_API_KEY is set",
        "The writer is a model, and the secret OPENAI_API_KEY is not set",
        f"Add it: {page}/secrets/actions",
    )  # fmt: skip
    yield _finding(
        "model-name", bool((settings.variables or {}).get("MODEL_NAME")), "MODEL_NAME is set",
        "The writer is a model, and the variable MODEL_NAME is not set",
        f"Add it: {page}/variables/actions",
    )  # fmt: skip


def _site(settings: Settings, page: str) -> Finding:
    """A choice, so never a fault."""
    found = settings.variables
    on = None if found is None else found.get("STRATBOT_SITE") == "on"
    says, fix = site.told(on, settings.has_pages, settings.private, page)
    return Finding("site", not fix, says, fix, needed=False)
