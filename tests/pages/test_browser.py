"""The report and the site in a real browser: drawn, walked, silent, and open to everybody."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.pages import scene
from tests.pages.test_pages import Seen, stratbot
from tests.twin.browser import SHOTS, chromium, needed
from tests.twin.waiting import until

AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
DRAWN = """
const style = getComputedStyle(document.documentElement);
const near = (a, b) => Math.abs(a - b) < 3;
return [...document.querySelectorAll('[data-chart]')].map((place) => {
  const spec = JSON.parse(document.getElementById(place.dataset.chart).textContent);
  const canvas = place.querySelector('canvas');
  const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const missing = spec.series.filter((s) => s.values.some((v) => v)).filter((s) => {
    const [r, g, b] = style.getPropertyValue('--' + s.ink).match(/[0-9a-f]{2}/g)
      .map((two) => parseInt(two, 16));
    let count = 0;
    for (let n = 0; n < all.length; n += 4)
      count += all[n + 3] > 60 && near(all[n], r) && near(all[n + 1], g) && near(all[n + 2], b);
    return count < 40;
  });
  return [place.dataset.chart, missing.map((s) => s.label)];
});
"""
"""Of each chart the lines that have values but no pixels in their colour."""


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    needed()
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, and among its pages the report."""
    base = tmp_path_factory.mktemp("pages")
    clone = scene.clone(base / "clone")
    out = base / "out"
    assert stratbot("site", "--clone", str(clone), "--out", str(out)).returncode == 0
    old, new = scene.results(base / "old", 1.0), scene.results(base / "new")
    words = ("report", str(new), "--before", str(old), "--out", str(out / "report.html"))
    assert stratbot(*words).returncode == 0
    return out


def names(pages: Path) -> list[Path]:
    return sorted(pages.glob("*.html"))


def visit(browser: webdriver.Chrome, page: Path, scheme: str = "light") -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get(page.as_uri())
    until(lambda: browser.execute_script("return document.readyState"), lambda s: s == "complete")


def complaints(browser: webdriver.Chrome) -> list[object]:
    return [row["message"] for row in browser.get_log("browser")]  # type: ignore[no-untyped-call]


@SCHEMES
def test_every_chart_is_drawn_and_nothing_complains(
    browser: webdriver.Chrome, pages: Path, scheme: str
) -> None:
    complaints(browser)
    count = 0
    for page in names(pages):
        visit(browser, page, scheme)
        drawn = browser.execute_script(DRAWN)
        expected = [a["data-chart"] for _, a in Seen(page.read_text()).tags if "data-chart" in a]
        assert [name for name, _ in drawn] == expected
        assert not any(missing for _, missing in drawn), (page.name, drawn)
        asked = browser.execute_script("return performance.getEntriesByType('resource').length")
        assert asked == 0, page.name
        count += len(drawn)
        _keep(browser, f"site-{page.stem}-{scheme}")
    assert count >= 5 + 5 + 9
    assert complaints(browser) == []


def _keep(browser: webdriver.Chrome, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    tall = browser.execute_script("return document.documentElement.scrollHeight")
    browser.set_window_size(1280, max(700, min(4000, int(str(tall)) + 140)))
    browser.save_screenshot(str(SHOTS / f"{name}.png"))
    browser.set_window_size(1280, 1000)


def test_links_are_followed_from_the_first_page(browser: webdriver.Chrome, pages: Path) -> None:
    visit(browser, pages / "index.html")
    browser.find_element(By.LINK_TEXT, scene.NAME).click()
    assert browser.find_element(By.TAG_NAME, "h1").text == scene.NAME
    for name in ("Requests", "Metrics", "Strategies"):
        browser.find_element(By.LINK_TEXT, name).click()
        assert browser.find_element(By.TAG_NAME, "h1").text == name


def test_a_chart_is_read_with_the_keyboard(browser: webdriver.Chrome, pages: Path) -> None:
    visit(browser, pages / "report.html")
    chart = browser.find_element(By.CSS_SELECTOR, "[data-chart='equity-data']")
    heard = chart.find_element(By.XPATH, "following-sibling::*[@aria-live='polite']")
    assert heard.get_attribute("textContent") == "", "nothing is said before somebody asks"
    chart.send_keys(Keys.END)
    until(lambda: chart.text, lambda text: "2021-02-03" in text and "10,206.7" in text)
    assert heard.get_attribute("textContent") == "time 2021-02-03, equity 10,206.7, drawdown -12"
    assert heard.size == {"width": 1, "height": 1}, "heard, not seen"
    chart.send_keys(Keys.HOME)
    until(lambda: chart.text, lambda text: "2020-01-01" in text and "10,000" in text)
    chart.send_keys(Keys.ARROW_RIGHT)
    until(lambda: chart.text, lambda text: "2020-01-02" in text)
    assert str(heard.get_attribute("textContent")).startswith("time 2020-01-02, equity ")


def test_a_change_of_light_draws_again(browser: webdriver.Chrome, pages: Path) -> None:
    visit(browser, pages / "report.html", "light")
    inks = "return getComputedStyle(document.documentElement).getPropertyValue('--main')"
    light, canvas = browser.execute_script(inks), "canvas"
    first = browser.find_element(By.TAG_NAME, canvas).id
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    until(lambda: browser.find_element(By.TAG_NAME, canvas).id, lambda now: now != first)
    assert browser.execute_script(inks) != light


@SCHEMES
def test_nobody_is_left_outside(browser: webdriver.Chrome, pages: Path, scheme: str) -> None:
    if not AXE.exists():
        why = "axe-core is not installed: install npm, then run `make axe`"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    for page in names(pages):
        visit(browser, page, scheme)
        browser.execute_script(AXE.read_text())
        found = browser.execute_async_script(
            "const done = arguments[0]; axe.run(document).then((r) => done(r.violations.map("
            "(v) => [v.impact, v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200))])))"
        )
        assert found == [], f"{page.name}: {json.dumps(found, indent=1)}"


def test_it_fits_a_phone(browser: webdriver.Chrome, pages: Path) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for page in names(pages):
            visit(browser, page)
            wide = browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= 390, page.name
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
