"""The report and the site as text: what they say, what they leave out, what cannot get in."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import escape
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from bot.handle import handle
from bot.io.shelf import shelf
from bot.pages import charts, results
from bot.pages import site as pages
from bot.pages.draw import data, difference, numbers, page
from bot.pages.site import STATUS, Kept
from bot.pictures import table
from bot.text.measures import LUCK
from schemas import codec
from schemas.workflow import Opened, Phase
from tests import samples
from tests.fakes import FakeHub, MemoryStore, lines
from tests.pages import scene
from tests.pictures import tables
from tests.world import STORY, play

ROOT = Path(__file__).parents[2]


class Seen(HTMLParser):
    """The elements of a page, with what they point to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def links(self) -> set[str]:
        return {str(a["href"]) for tag, a in self.tags if tag in ("a", "link") and "href" in a}


def stratbot(*words: str) -> subprocess.CompletedProcess[str]:
    """Nothing of a repository that this may be running for."""
    line = [sys.executable, "-m", "bot", *words]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "STRATBOT_"))}
    return subprocess.run(line, capture_output=True, text=True, cwd=ROOT, check=False, env=kept)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("site")
    done = stratbot("site", "--clone", str(scene.clone(base / "clone")), "--out", str(base / "out"))
    assert done.returncode == 0, done.stderr
    return base / "out"


def written(folder: Path, *more: str) -> str:
    done = stratbot("report", str(folder), *more)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()).read_text()


def test_the_report_holds_all_six_pictures(tmp_path: Path) -> None:
    old = scene.results(tmp_path / "old", bend=1.0)
    text = written(scene.results(tmp_path / "new"), "--before", str(old))
    seen = Seen(text)
    ids = {a["data-chart"] for _, a in seen.tags if "data-chart" in a}
    assert ids == {f"{n}-data" for n in ("equity", "versions", "price", "spread", "stress")}
    assert "Return per month: 14 months" in text
    for _, attributes in seen.tags:
        if "data-chart" in attributes:
            assert f'id="{attributes["aria-labelledby"]}"' in text
    assert "<h2>How trades ended</h2>" in text and '<th scope="row">rule: RSI above 70 &lt;' in text
    assert 'class="number">+176.71</td>' in text and "Sharpe of holding" in text
    assert "sealed bars" in text and "-4.20" in text and "Deflated Sharpe ratio" in text


def test_the_sealed_figures_of_the_log_are_told_with_their_commit() -> None:
    """A later report has none: the bars are opened once."""
    made, sealed = scene.report(), replace(scene.FIGURES, net_pnl=Decimal("-7.77"))
    texts = {"test_report.json": codec.dump(replace(made, sealed=None))}
    look = Opened(sha="b" * 40, at=0, summary=sealed)
    told = results.read("x", texts, opened=look).figures
    assert told is not None and told.head[2] == f"sealed bars, {'b' * 12}"
    assert told.rows[0][:3] == ("net result", "+96.71", "-7.77")
    text = page("report.html", "x", results=results.read("x", texts, opened=look))
    assert f"<p>{told.note}</p>" in text and f"the sealed ones of commit {'b' * 12}" in told.note
    same = results.read("x", texts, opened=replace(look, sha=made.commit_sha)).figures
    assert same is not None and same.note == ""
    none = results.read("x", texts).figures
    assert none is not None and len(none.head) == 3


def test_the_site_knows_when_the_sealed_bars_were_opened() -> None:
    store, hub = MemoryStore(), FakeHub()
    play(hub, STORY, lambda event: handle(event, store, hub))
    *rows, last = lines(store)
    look = Opened(sha="b" * 40, at=0, summary=scene.FIGURES)
    rows.append(replace(last, workflow=replace(last.workflow, opened=look)))
    texts = {"test_report.json": codec.dump(replace(scene.report(), sealed=None))}
    made = pages.site([Kept(scene.NAME, texts)], [rows])[f"strategy-{scene.NAME}.html"]
    assert f"sealed bars, {'b' * 12}</th>" in made


def test_each_figure_about_luck_has_its_formula_and_its_source(tmp_path: Path, site: Path) -> None:
    alone = written(scene.results(tmp_path))
    pages_with = (alone, (site / f"strategy-{scene.NAME}.html").read_text())
    for text in pages_with:
        fold = text[text.index("<details><summary>How these are worked out") :]
        for name, means in LUCK:
            assert f"<dt>{name}</dt><dd>{escape(means)}</dd>" in fold
    assert all("source" in means or ", 20" in means for _, means in LUCK)


def test_trials_that_nobody_counted_are_not_claimed(tmp_path: Path, site: Path) -> None:
    assert "Nobody counted the trials" in written(scene.results(tmp_path / "run"))
    counted = (site / f"strategy-{scene.NAME}.html").read_text()
    assert "Trials: 12." in counted and "Nobody counted" not in counted


def test_a_backtest_by_hand_has_its_figures_and_its_price(tmp_path: Path) -> None:
    """As the README tells it: nothing but what the strategy file itself leaves behind."""
    out = tmp_path / "results"
    line = ["strategies/rsi_mean_reversion/strategy.py", "--mode", "backtest"]
    line += ["--data", "fixtures/sample_aapl.csv", "--out", str(out)]
    subprocess.run([sys.executable, *line], cwd=ROOT, check=True, capture_output=True)
    text = written(out)
    assert "A backtest of AAPL, D1, 2020-01-02 to 2021-12-01. Not tested" in text
    assert "<h1>A backtest by hand</h1>" in text, "not the name of whatever folder it lies in"
    assert 'td class="number">+13.99</td>' in text and "13.4%</td>" in text
    assert '<th scope="row">target</th>' in text and "best trade" in text
    assert "drawdown of holding" in text and "Sharpe of holding" in text
    assert "Only 3 trades: too few to tell skill from luck. It takes 30." in text
    price = json.loads(re.findall(r'id="price-data">(.*?)</script>', text)[0])
    assert sum(value is not None for value in price["series"][0]["values"]) == 500
    assert "Not the contract&#39;s numbers" not in text
    told = json.loads((out / "summary.json").read_text())
    told["changed_params"] = {"low": {"contract": 30.0, "here": 28.5}}
    (out / "summary.json").write_text(json.dumps(told))
    assert "Not the contract&#39;s numbers: low 28.5 instead of 30." in written(out)
    (out / "summary.json").write_text('{"total_trades": "many"}')
    done = stratbot("report", str(out))
    assert done.returncode == 2 and "summary.json" in done.stderr


def test_columns_of_numbers_are_told_from_columns_of_words() -> None:
    assert numbers([("a", "+1,200.50", "x", "–"), ("b", "-3", "2", "29.5%")]) == {1, 3}
    assert numbers([]) == set()


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    folder = scene.results(tmp_path / "run")
    assert written(folder) == written(folder)


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    done = stratbot("report", str(tmp_path))
    assert done.returncode == 1 and "run a backtest or the sandbox" in done.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_drawn_beside_where_there_is_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    done = stratbot("report", str(scene.results(tmp_path / "run")), "--before", str(empty))
    assert done.returncode == 1 and "holds no equity_curve.csv" in done.stderr


def test_a_table_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    folder = scene.results(tmp_path / "run")
    (folder / "trades.csv").write_text("x\n1\n")
    done = stratbot("report", str(folder))
    assert done.returncode == 2 and "the first line must name" in done.stderr
    assert "Traceback" not in done.stderr


def test_words_of_strangers_stay_words(site: Path) -> None:
    for path in site.glob("*.html"):
        seen = Seen(path.read_text())
        assert not [a for tag, a in seen.tags if tag == "img"]
        assert [a.get("type") for tag, a in seen.tags if tag == "script"].count(None) == 1
    assert "&lt;script&gt;alert(1)" in (site / f"strategy-{scene.NAME}.html").read_text()


def test_numbers_cannot_leave_their_place() -> None:
    told = str(data({"x": "</script><b>&\u2028"}))
    assert "<" not in told and json.loads(told) == {"x": "</script><b>&\u2028"}


def test_a_difference_is_marked_and_harmless() -> None:
    marked = str(difference("+<b>\n-x\n y"))
    assert marked == "<ins>+&lt;b&gt;</ins>\n<del>-x</del>\n y"


def test_every_link_of_the_site_leads_to_a_page(site: Path) -> None:
    for path in site.glob("*.html"):
        for link in Seen(path.read_text()).links() - {"#content", "data:,"}:
            assert (site / link).is_file(), f"{path.name}: {link}"


def policy(text: str) -> str:
    [found] = [a["content"] for _, a in Seen(text).tags if a.get("http-equiv")]
    return str(found)


def test_nothing_is_asked_of_the_network(site: Path) -> None:
    for path in site.glob("*.html"):
        text = path.read_text()
        assert "default-src 'none'" in policy(text)
        for tag, attributes in Seen(text).tags:
            for name in ("src", "href", "action", "srcset", "data"):
                assert not str(attributes.get(name, "")).startswith(("http", "//")), (tag, path)


def test_a_page_about_a_strategy_tells_its_whole_story(site: Path) -> None:
    text = (site / f"strategy-{scene.NAME}.html").read_text()
    assert STATUS[Phase.ROLLED_BACK] in text and "Lower the limit" in text
    assert "<del>-LOW = 30</del>" in text and "<ins>+LOW = 25</ins>" in text
    assert "hubot-owner" in text or "octocat" in text
    assert 'data-chart="versions-data"' in text, "the results before are drawn beside"
    assert "written by hand" in (site / "strategy-by_hand.html").read_text()


def test_the_queue_and_the_metrics_come_from_the_log(site: Path) -> None:
    queue = (site / "requests.html").read_text()
    assert "#7" in queue and "A strategy" in queue and "Ended" in queue
    figures = (site / "metrics.html").read_text()
    assert re.search(r'<th scope="row">\d{4}-W\d\d</th>', figures)
    assert 'data-chart="commands-data"' in figures
    assert "API calls per week" in figures and "average command seconds" in figures


def test_programs_get_the_figures_beside_the_pages(site: Path) -> None:
    links = Seen((site / "metrics.html").read_text()).links()
    assert {"metrics.json", "metrics.txt"} <= links
    figures = json.loads((site / "metrics.json").read_text())
    text = (site / "metrics.txt").read_text()
    families = text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
    [trials] = [s for f in families if f.name == "stratbot_trials" for s in f.samples]
    assert trials.value == figures["trials"] == 12


def test_what_is_live_is_said_first() -> None:
    kept, told = Kept(scene.NAME, {}), map(scene.told_until, (Phase.LIVE, Phase.ROLLED_BACK))
    now, later = (pages.site([kept], [rows])["index.html"] for rows in told)
    assert "approved by hubot-owner" in now and "Nothing trades live" not in now
    assert "Nothing trades live" in later


def test_a_file_that_cannot_be_read_is_named() -> None:
    made = pages.site([Kept("odd", {"trades.csv": "x"})], [])["strategy-odd.html"]
    assert "A file of this strategy cannot be read: the first line must name" in made


def test_a_backtest_by_hand_is_told_on_its_page_and_compared_with_nothing(tmp_path: Path) -> None:
    """Its bars may be any: beside figures of the known bars they would mean something else."""
    line = ["strategies/rsi_mean_reversion/strategy.py", "--mode", "backtest"]
    home = tmp_path / "strategies" / "mine"
    line += ["--data", "fixtures/sample_aapl.csv", "--out", str(home / "results")]
    subprocess.run([sys.executable, *line], cwd=ROOT, check=True, capture_output=True)
    (home / "contract.json").write_text(codec.dump(samples.contract()))
    (kept,) = shelf(tmp_path)
    made = pages.site([kept], [])
    assert "A backtest of AAPL, D1" in made["strategy-mine.html"]
    assert 'td class="number">+13.99</td>' in made["strategy-mine.html"]
    assert "+13.99" not in made["index.html"] and "No request is under way" in made["index.html"]


def test_every_phase_has_a_word() -> None:
    assert set(STATUS) == set(Phase)


def test_every_trade_is_in_one_bar_of_the_spread() -> None:
    trades = table.trades(tables.trades(40))
    chart = charts.spread(trades)
    heights = [sum(v or 0 for v in s.values) for s in chart.series]
    assert heights == [sum(t.pnl > 0 for t in trades), sum(t.pnl < 0 for t in trades)]


def test_each_line_has_a_value_for_each_moment() -> None:
    points, trades = table.points(tables.equity([1.0, 2.0, 1.5])), table.trades(tables.trades(5))
    bars = table.bars(tables.bars(30))
    made = (charts.equity(points), charts.price(trades, bars), charts.stress(trades))
    for chart in made:
        assert all(len(s.values) == len(chart.x) for s in chart.series)
        assert list(chart.x) == sorted({at for at in chart.x if at is not None})
    assert made[0].series[1].values == (0.0, 0.0, -0.5)


def test_a_page_runs_its_own_script_and_no_other() -> None:
    found = policy(page("requests.html", "x", tables=()))
    assert "unsafe" not in found and found.count("sha256-") == 2
