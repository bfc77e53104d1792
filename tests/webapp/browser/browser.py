"""A headless Chromium and a real server for the tests that look at the page as people do."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from flask import Flask
from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from waitress import wasyncore

from webapp.server import THREADS
from webapp.services import EXTENSION
from webapp.serving.encrypted import Contexts, never
from webapp.serving.receiving import listening
from webapp.serving.sse import MAX_STREAMS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Answer = TypeVar("Answer")

PHONE = (390, 844)
DESK = (1280, 900)
KEY = 39
"""Least width of a tile's key in CSS pixels, nine of which fill a screen of 360."""

WAIT_S = 20
POLL_S = 0.04
ONLINE = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars",
)  # fmt: skip


def find_chromium() -> tuple[str, str]:
    """The browser and its driver; without them the test is skipped, or fails where CI is set."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if browser and driver:
        return browser, driver
    reason = "no Chromium here: install the packages chromium and chromium-driver"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


GROW_OLD = """
window.isOld = true;
if (document.getElementById('main')) document.getElementById('main').isOld = true
"""
"""Marks the page, and its content, which a script may exchange instead of the page."""


class Stage:
    """A server that users have, on a free port of this machine, and whatever application is on.

    One address for all tests lets the browser keep the files that every page needs.

    Args:
        contexts: the settings of TLS for who comes by https.
    """

    def __init__(self, contexts: Contexts = never) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._app: WSGIApplication | None = None
        self._connections: dict[int, Any] = {}
        self._listener = listener
        self._server = listening(
            self._answer, listener, THREADS + MAX_STREAMS, self._connections, contexts
        )
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        assert self._app is not None, "nothing is on"
        return self._app(environ, start_response)

    def _serve(self) -> None:
        while not self._stopped.is_set():
            wasyncore.loop(timeout=0.05, use_poll=True, map=self._connections, count=1)

    @contextmanager
    def shows(self, app: Flask, host: WSGIApplication | None = None) -> Iterator[str]:
        """The application is served, by itself or by the host of an association; its address."""
        self._app = host or app
        try:
            yield self.address
        finally:
            app.extensions[EXTENSION].live.close()
            self._app = None

    def close(self) -> None:
        """Serve no more."""
        self._server.task_dispatcher.shutdown()
        self._stopped.set()
        self._thread.join()
        wasyncore.close_all(self._connections)
        self._listener.close()


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The application by a server of its own; its address."""
    stage = Stage()
    try:
        with stage.shows(app) as address:
            yield address
    finally:
        stage.close()


class Page:
    """A browser window; finds, taps and checks."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        self.address = address
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        self.log()

    def log(self) -> list[str]:
        """What the browser has complained about since this was last asked."""
        entries = self.driver.execute("getLog", {"type": "browser"})["value"]
        return [entry["message"] for entry in entries]

    def size(self, width: int, height: int) -> None:
        """Show the page as on a screen of this size; narrow ones are phones."""
        metrics = {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600
        }  # fmt: skip
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def open(self, path: str) -> None:
        """Go to an address of the application."""
        self.driver.get(self.address + path)

    def wait(self, xpath: str) -> WebElement:
        """The element, as soon as it is there."""
        return self.until(lambda: self.driver.find_element(By.XPATH, xpath))

    def until(self, asked: Callable[[], Answer]) -> Answer:
        """The first answer that is true; elements that are not there yet are waited for."""
        waiting = WebDriverWait(self.driver, WAIT_S, POLL_S, [JavascriptException])
        return waiting.until(lambda _driver: asked())

    def all(self, css: str) -> list[WebElement]:
        """The elements that are there now."""
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def tap(self, words: str) -> None:
        """Press the button or link that says this, and wait until the page has answered."""
        xpath = f"//*[self::a or self::button][contains(normalize-space(.), '{words}')]"
        self.press(self.wait(xpath))

    def unfold(self, words: str) -> None:
        """Open the part of the page that is folded under these words."""
        folded = self.wait(f"//details[summary[contains(normalize-space(.), '{words}')]]")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", folded)
        folded.find_element(By.TAG_NAME, "summary").click()
        self.until(lambda: folded.get_attribute("open"))

    def choose(self, answer: str) -> None:
        """Tap an answer that is kept at once, by its id, and wait until it is."""

        def tapped() -> bool:
            label = self.driver.find_element(By.XPATH, f"//label[input[@id='{answer}']]")
            unfold = "const part = arguments[0].closest('details'); if (part) part.open = true"
            self.driver.execute_script(unfold, label)
            label.click()
            return True

        # Another phone's entry may exchange the form between finding and tapping.
        ignored = [StaleElementReferenceException]
        WebDriverWait(self.driver, WAIT_S, POLL_S, ignored).until(lambda _driver: tapped())
        self.wait(f"//input[@id='{answer}' and @checked]")

    def press(self, element: WebElement) -> None:
        """Press an element and wait until its page is gone."""
        self.driver.execute_script(
            f"{GROW_OLD}; arguments[0].scrollIntoView({{block: 'center'}})", element
        )
        element.click()
        self.wait_for_new_page()

    def enter(self) -> None:
        """Press the enter key and wait until its page is there."""
        self.driver.execute_script(GROW_OLD)
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait_for_new_page()

    def wait_for_new_page(self) -> None:
        """Wait until what was marked as old is gone, or exchanged, and the next is complete."""
        ready = (
            "const main = document.getElementById('main');"
            "return !(window.isOld && (!main || main.isOld)) && document.readyState === 'complete'"
            " && !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')"
        )
        self.until(lambda: self.driver.execute_script(ready))

    def text(self) -> str:
        """What can be read on the page."""
        return self.driver.find_element(By.TAG_NAME, "main").text

    def check(self) -> None:
        """What holds for every page: accessible, and all that can be tapped large enough."""
        self.assert_accessible()
        self.assert_large_targets()

    def with_axe(self) -> AbstractContextManager[None]:
        """Each page that is opened meanwhile brings axe, which is quicker than to send it there."""
        return on_every_page(self.driver, AXE.read_text("utf-8"))

    def assert_accessible(self) -> None:
        """No violation of WCAG 2.2 A and AA found by axe, no sideways scrolling, no log entry."""
        if self.driver.execute_script("return !window.axe"):
            self.driver.execute_script(AXE.read_text("utf-8"))
        result: dict[str, Any] = self.driver.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa',"
            " 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}).then(done);"
        )
        found = [(v["id"], [n["html"][:160] for n in v["nodes"][:3]]) for v in result["violations"]]
        assert found == [], (found, self.driver.current_url)
        wide = self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{self.driver.current_url} is {wide} px too wide"
        assert self.log() == []

    def assert_large_targets(self, smallest: int = 44) -> None:
        """Whatever can be pressed, the outlines on the photo and links in text apart, is large."""
        boxes = self.driver.execute_script(
            "return [...document.querySelectorAll('button, .button, .key, .tap, .file, summary')]"
            ".filter(e => e.offsetParent !== null && e.checkVisibility())"
            ".map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect().width,"
            " e.getBoundingClientRect().height])"
        )
        small = [box for box in boxes if min(box[1], box[2]) < _least(box[0], smallest)]
        assert boxes
        assert small == []


def _least(html: str, smallest: int) -> int:
    """How narrow a target may be: nine keys stand in a row, which are higher for that."""
    return KEY if 'class="key' in html else smallest


@contextmanager
def chromium(profile: Path, *flags: str) -> Iterator[webdriver.Chrome]:
    """A fresh browser with its profile in this folder."""
    browser, driver = find_chromium()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, *flags, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    try:
        chrome.set_script_timeout(WAIT_S)
        yield chrome
    finally:
        chrome.quit()


def forget_everything(chrome: webdriver.Chrome, address: str) -> None:
    """Leave one window, with no setting, no cookie and nothing kept of a server at this address."""
    first, *others = chrome.window_handles
    for window in others:
        chrome.switch_to.window(window)
        chrome.close()
    chrome.switch_to.window(first)
    for command, values in (
        ("Network.clearBrowserCookies", {}),
        ("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"}),
        ("Emulation.setEmulatedMedia", {"media": "", "features": []}),
        ("Network.emulateNetworkConditions", ONLINE),
    ):
        chrome.execute_cdp_cmd(command, values)


@contextmanager
def on_every_page(chrome: webdriver.Chrome, script: str) -> Iterator[None]:
    """Each page that is opened meanwhile runs this script before its own."""
    source = {"source": script}
    added = chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
    try:
        yield
    finally:
        chrome.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def no_worker(chrome: webdriver.Chrome) -> AbstractContextManager[None]:
    """A browser without service workers: ours fetches twenty files on a first visit."""
    return on_every_page(chrome, "delete Navigator.prototype.serviceWorker")
