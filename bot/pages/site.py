"""The site: every strategy, every request, what is live and how the work goes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.metrics import History
from bot.pages import results
from bot.pages.draw import page, when
from bot.pages.links import Home, home, listed
from bot.pages.measured import measured
from bot.pages.results import Results, Row, Table
from bot.pictures.table import NotReadable
from bot.text.measures import NONE
from schemas import codec
from schemas.events import ApprovalGranted
from schemas.live import Deployment, Stage
from schemas.workflow import Phase, Step, Workflow

DONE = {Phase.DELIVERED, Phase.LIVE, Phase.ROLLED_BACK, Phase.CANCELLED, Phase.DECLINED}
STATUS: dict[Phase, str] = {
    Phase.OPENED: "being planned",
    Phase.ASKING: "waits for answers",
    Phase.DECLINED: "declined",
    Phase.PLANNED: "waits for approval of its plan",
    Phase.BUILDING: "being built",
    Phase.DELIVERING: "waits for review and merge",
    Phase.DELIVERED: "delivered",
    Phase.PAPER: "trades on paper",
    Phase.WAITING: "waits for approval to go live",
    Phase.LIVE: "live",
    Phase.ROLLED_BACK: "rolled back",
    Phase.ESCALATED: "waits for a person",
    Phase.CANCELLED: "cancelled",
}
BY_HAND = "written by hand"
COMPARED = ("net result", "maximum drawdown of the peak", "trades", "Sharpe")


@dataclass(frozen=True, slots=True)
class Version:
    """A commit that changed the strategy. `difference` is against the version before it."""

    sha: str
    at: int
    said: str
    difference: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one strategy by name, its versions newest first, the equity before the last."""

    name: str
    texts: Mapping[str, str]
    versions: tuple[Version, ...] = ()
    before: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A strategy as its page has it."""

    name: str
    status: str
    live: str
    results: Results
    versions: tuple[Version, ...]
    approvals: tuple[Row, ...]
    deployments: tuple[Row, ...]
    problem: str
    requests: str
    home: Home

    @property
    def address(self) -> str:
        return f"strategy-{self.name}.html"


def site(shelf: Sequence[Kept], histories: Sequence[History], address: str = "") -> dict[str, str]:
    """File name -> page. The same files and the same log give the same bytes.

    `address`: of the repository, for links; without it, what the log says.
    """
    newest = [history[-1].workflow for history in histories if history]
    where = home([address, *_homes(histories)])
    shown = [_shown(kept, histories, where) for kept in shelf]
    pages = {
        "index.html": page(
            "index.html", "Strategies", strategies=shown, rows=[_row(s) for s in shown],
            live=[s for s in shown if s.live], waiting=sum(w.phase not in DONE for w in newest),
        ),
        "requests.html": page("requests.html", "Requests", tables=_queue(newest, where)),
        "metrics.html": page("metrics.html", "Metrics", **measured(histories)),
    }  # fmt: skip
    return pages | {s.address: page("strategy.html", s.name, shown=s) for s in shown}


def _homes(histories: Sequence[History]) -> list[str]:
    """As the requests know it, the newest first: a repository may have moved."""
    last = sorted((h[-1] for h in histories if h), key=lambda line: -line.written)
    return [line.workflow.policy.home for line in last]


def _shown(kept: Kept, histories: Sequence[History], where: Home) -> Shown:
    mine = [h for h in histories if h and _named(h[-1].workflow) == kept.name]
    newest = mine[-1][-1].workflow if mine else None
    found, problem = _results(kept, newest)
    return Shown(
        name=kept.name,
        status=STATUS[newest.phase] if newest else BY_HAND,
        live=_live(newest, where) if newest else "",
        results=found,
        versions=kept.versions,
        approvals=tuple(row for history in mine for row in _approvals(history, where)),
        deployments=tuple(_deployed(d, where) for h in mine for d in h[-1].workflow.deployments),
        problem=problem,
        requests=listed(where.issue(history[-1].workflow.issue) for history in mine),
        home=where,
    )


def _named(workflow: Workflow) -> str:
    return workflow.contract.name if workflow.contract else ""


def _results(kept: Kept, newest: Workflow | None) -> tuple[Results, str]:
    """A file that cannot be read is named; the page shows what is left."""
    try:
        known = (newest.runs, newest.trials, newest.opened) if newest else ()
        return results.read(kept.name, kept.texts, kept.before, *known), ""
    except (NotReadable, codec.Invalid) as error:
        return results.read(kept.name, {}), f"A file of this strategy cannot be read: {error}"


def _live(workflow: Workflow, where: Home) -> str:
    now = [d for d in workflow.deployments if d.stage is Stage.LIVE]
    if not now:
        return ""
    newest = now[-1]
    said = Markup("{} since {}, approved by {}")
    return said.format(where.commit(newest.commit_sha), when(newest.since), _agreed(newest))


def _agreed(deployment: Deployment) -> str:
    return ", ".join(deployment.approvers) or "nobody"


def _approvals(history: History, where: Home) -> Iterator[Row]:
    request = where.issue(history[-1].workflow.issue)
    for line in history:
        for event in line.record.events:
            if isinstance(event, ApprovalGranted):
                sha = where.commit(event.commit_sha) if event.commit_sha else NONE
                yield when(line.written), event.approver, event.subject, request, sha


def _deployed(d: Deployment, where: Home) -> Row:
    """The newest word on each: a deployment keeps only when it last changed."""
    tag = where.tag(d.tag) if d.tag else NONE
    return when(d.since), d.stage.replace("_", " "), where.commit(d.commit_sha), tag, _agreed(d)


def _row(shown: Shown) -> tuple[Shown, Row]:
    """Side by side stand only figures of the known bars: one by hand may be of any others."""
    table = shown.results.figures if shown.results.checks else None
    figures = {row[0]: row[1] for row in table.rows} if table else {}
    return shown, tuple(figures.get(n, NONE) for n in COMPARED)


def _queue(newest: Sequence[Workflow], where: Home) -> tuple[Table, ...]:
    head = ("Request", "Title", "Status", "Steps", "Pull requests", "Trials", "USD", "Since")
    waiting = sorted((w for w in newest if w.phase not in DONE), key=lambda w: w.since)
    ended = sorted((w for w in newest if w.phase in DONE), key=lambda w: -w.since)
    groups = (("Under way, the longest wait first", waiting), ("Ended, the newest first", ended))
    return tuple(
        Table(name, head, tuple(_request(w, where) for w in group))
        for name, group in groups
        if group
    )


def _request(w: Workflow, where: Home) -> Row:
    merged = sum(t.step is Step.MERGED for t in w.tasks)
    title = w.request.title if w.request else NONE
    steps = f"{merged} of {len(w.tasks)}" if w.tasks else NONE
    held = " (held)" if w.held else ""
    status = STATUS[w.phase] + held
    pulls = [n for n in (*(t.pull for t in w.tasks), w.delivery_pull) if n]
    return (
        where.issue(w.issue), title, status, steps, listed(map(where.pull, pulls)) or NONE,
        str(w.trials), f"{w.usage.cost:.2f}", when(w.since),
    )  # fmt: skip
