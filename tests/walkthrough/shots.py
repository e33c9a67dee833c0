"""Pictures of the local GitHub's pages, as a person who reads them sees them."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.twin.browser import Person, chromium
from tests.twin.waiting import until
from tests.walkthrough.film import THEMES

MOST = 150_000
WINDOW = {"width": 860, "height": 4000, "deviceScaleFactor": 1.5, "mobile": False}
AIR = 12
LOADED = "return [...document.images].every((image) => image.complete && image.naturalWidth)"
BOX = """
const at = (path) => document.evaluate(
  path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
const [first, last] = [at(arguments[0]), at(arguments[1])];
const column = last.closest('article').getBoundingClientRect();
return [column.left, first.getBoundingClientRect().top, column.right,
        last.getBoundingClientRect().bottom];
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """`link` is how the demo names the page in its last words; from `first` to `last` (XPath)."""

    name: str
    link: str
    first: str
    last: str


LIST, TABLE = "/following-sibling::ul[1]", "/following-sibling::table[1]"
TOLD = "report.txt"
"""What the report on the pictures says: so a test knows when they are old."""
SHOTS = (
    Shot("request", "the request", "//h1", f"//p[starts-with(., 'Assumed')]{LIST}"),
    Shot("report", "the report", "//article[.//h3]", "(//article[.//h3]//img)[3]"),
    Shot("figures", "the report", "//h4[.='Figures']", f"//h4[.='Figures']{TABLE}"),
    Shot("luck", "the report", "//h4[.='Skill or luck']", f"//h4[.='Skill or luck']{LIST}"),
)


def shoot(said: str, folder: Path) -> list[Path]:
    """Parts of the pages that the demo named, in light and dark."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", said)
    links = dict(re.findall(r"^ *(the \w+) +(http\S+)", plain, re.MULTILINE))
    home = re.match(r"https?://[^/]+", links["the report"])
    assert home is not None
    with chromium() as browser:
        person = Person(browser, home[0], "you")
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(WINDOW))
        made = [
            _kept(browser, person, shot, links[shot.link], theme, folder)
            for shot in SHOTS
            for theme in THEMES
        ]
        told = browser.find_element(By.XPATH, "//article[.//h3]").text
        (folder / TOLD).write_text(f"{told}\n")
        return [*made, folder / TOLD]


def _kept(
    browser: webdriver.Chrome, person: Person, shot: Shot, link: str, theme: str, folder: Path
) -> Path:
    person.pick(theme)
    browser.get(link)
    until(lambda: browser.execute_script(LOADED), bool)
    for plan in browser.find_elements(By.XPATH, "//summary[.='The plan']"):
        plan.click()
    left, top, right, bottom = browser.execute_script(BOX, shot.first, shot.last)
    image = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    scale = image.width / int(WINDOW["width"])
    box = [int(n * scale) for n in (left - AIR, top - AIR, right + AIR, bottom + AIR)]
    path = folder / f"{shot.name}-{theme}.webp"
    image.crop((box[0], box[1], box[2], box[3])).save(path, quality=80, method=6)
    assert path.stat().st_size <= MOST, f"{path.name} is too large for a README"
    return path
