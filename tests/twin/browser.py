"""A real headless Chromium, and what a person does in it. Screenshots are kept in `results/`."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.twin.waiting import until

SHOTS = Path(__file__).parents[2] / "results" / "pages"
NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)
DRIVER = shutil.which("chromedriver")
SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
    "--window-size=1280,1000", "--hide-scrollbars", "--disable-background-networking",
    "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)  # fmt: skip
"""The last one: a page that asked the network for anything would not get it."""


def needed() -> None:
    """In CI the browser must be there; elsewhere a machine without one skips, and says why."""
    if BROWSER and DRIVER:
        return
    why = "chromium and chromedriver are not installed; run `.ci/browser` as root on Debian"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for switch in SWITCHES:
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options, webdriver.ChromeService(str(DRIVER)))
    try:
        yield running
    finally:
        running.quit()


class Person:
    """Somebody in front of the browser, who is logged in."""

    def __init__(self, browser: webdriver.Chrome, url: str, login: str) -> None:
        self.browser, self.url = browser, url
        browser.delete_all_cookies()
        self.go("/login")
        self.send(f"button[value='{login}']")
        assert self.read(".who span") == login
        self.complaints()

    def go(self, path: str) -> None:
        self.browser.get(self.url + path)

    def see(self, css: str) -> WebElement:
        return until(lambda: self.all(css), bool)[0]

    def all(self, css: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def read(self, css: str = "main") -> str:
        """In one go, so that the page cannot change between finding and reading."""
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.browser.execute_script(script, css))

    def send(self, css: str) -> None:
        """Presses what leads to another page, and waits for that page."""
        self.browser.execute_script("window.before = true")
        self.see(css).click()
        there = "return !window.before && document.readyState === 'complete'"
        until(lambda: self.browser.execute_script(there), bool)

    def write(self, css: str, text: str) -> None:
        box = self.see(css)
        box.clear()
        box.send_keys(text)

    def wait_for(self, words: str, css: str = "main") -> None:
        """Without a reload: only what the page does by itself."""
        until(lambda: self.read(css), lambda text: words in text)

    def pick(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def keep(self, name: str) -> None:
        """The whole page as a picture, in light and dark."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        wide = self.browser.get_window_size()
        tall = self.browser.execute_script("return document.documentElement.scrollHeight")
        self.browser.set_window_size(1280, max(700, min(4000, int(str(tall)) + 140)))
        for scheme in ("light", "dark"):
            self.pick(scheme)
            self.browser.save_screenshot(
                str(SHOTS / f"{re.sub(r'[^a-z-]', '', name)}-{scheme}.png")
            )
        self.browser.set_window_size(wide["width"], wide["height"])

    def complaints(self) -> list[str]:
        """What the browser's console says: a policy that is broken, a script that fails."""
        found: list[dict[str, object]] = self.browser.execute("getLog", {"type": "browser"})[
            "value"
        ]
        return [str(row["message"]) for row in found]
