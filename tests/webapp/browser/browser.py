"""A headless Chromium and a real server for the tests that look at the page as people do."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from flask import Flask
from selenium import webdriver
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from waitress import wasyncore
from waitress.server import create_server

from webapp.server import CONNECTIONS, MAX_BODY_BYTES, THREADS
from webapp.services import EXTENSION

Answer = TypeVar("Answer")

PHONE = (390, 844)
DESK = (1280, 900)
WAIT_S = 20
POLL_S = 0.02
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


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The application on a free port of this machine, by the server users have; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    connections: dict[int, Any] = {}
    server = create_server(
        app,
        connections,
        sockets=[listener],
        threads=THREADS,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        max_request_body_size=MAX_BODY_BYTES,
    )
    stopped = threading.Event()

    def answer() -> None:
        while not stopped.is_set():
            wasyncore.loop(timeout=0.05, use_poll=True, map=connections, count=1)

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        app.extensions[EXTENSION].live.close()
        server.task_dispatcher.shutdown()
        stopped.set()
        thread.join()
        wasyncore.close_all(connections)
        listener.close()


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

    def press(self, element: WebElement) -> None:
        """Press an element and wait until its page is gone."""
        self.driver.execute_script(
            "window.isOld = true; arguments[0].scrollIntoView({block: 'center'})", element
        )
        element.click()
        self.wait_for_new_page()

    def enter(self) -> None:
        """Press the enter key and wait until its page is there."""
        self.driver.execute_script("window.isOld = true")
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait_for_new_page()

    def wait_for_new_page(self) -> None:
        """Wait until the page that was marked as old is gone and the next is complete."""
        ready = "return !window.isOld && document.readyState === 'complete'"
        self.until(lambda: self.driver.execute_script(ready))

    def text(self) -> str:
        """What can be read on the page."""
        return self.driver.find_element(By.TAG_NAME, "main").text

    def check(self) -> None:
        """What holds for every page: accessible, and all that can be tapped large enough."""
        self.assert_accessible()
        self.assert_large_targets()

    def assert_accessible(self) -> None:
        """No violation of WCAG 2.2 A and AA found by axe, no sideways scrolling, no log entry."""
        self.driver.execute_script(AXE.read_text("utf-8"))
        result: dict[str, Any] = self.driver.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa',"
            " 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}).then(done);"
        )
        found = [(v["id"], [n["html"][:160] for n in v["nodes"][:3]]) for v in result["violations"]]
        assert found == [], self.driver.current_url
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
        small = [box for box in boxes if min(box[1], box[2]) < smallest]
        assert boxes
        assert small == []


@contextmanager
def chromium(profile: Path) -> Iterator[webdriver.Chrome]:
    """A fresh browser with its profile in this folder."""
    browser, driver = find_chromium()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    try:
        chrome.set_script_timeout(WAIT_S)
        yield chrome
    finally:
        chrome.quit()


def forget_everything(chrome: webdriver.Chrome, address: str) -> None:
    """Empty the browser of cookies, and of what a server at this address may have left."""
    chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
    chrome.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})


def close_windows(chrome: webdriver.Chrome) -> None:
    """Leave one empty window, with no setting that a test has made."""
    old = chrome.window_handles
    chrome.switch_to.new_window("tab")
    new = chrome.current_window_handle
    for window in old:
        chrome.switch_to.window(window)
        chrome.close()
    chrome.switch_to.window(new)
