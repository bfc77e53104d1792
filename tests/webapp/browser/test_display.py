"""Every setting of a device leaves the pages whole: large print, high contrast, Chinese."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules.folder import FOLDER_VARIABLE
from tests.webapp.browser.browser import Page
from webapp.rulesets.files import forget

pytestmark = pytest.mark.browser

PAGES = ("/settings", "/login", "/phones", "/house-rules", "/sets", "/sets/new", "/offline", "/")
EDITOR = "/house-rules/ming-1876/edit"


@pytest.fixture(autouse=True)
def nobodys_sets_and_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("KONGBOX_SETS", str(tmp_path / "sets"))
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    forget()
    yield
    forget()


def choose(page: Page, *choices: str) -> None:
    page.open("/settings")
    for choice in choices:
        page.wait(f"//label[input[@id='{choice}']]").click()
    page.press(page.wait("//form//button[contains(@class, 'big')]"))


@pytest.mark.parametrize(
    "choices",
    [
        ("language-en", "print-same", "contrast-high", "colours-light"),
        ("language-zh_Hans", "print-largest", "contrast-high", "colours-dark"),
        ("language-zh_Hans", "print-large", "contrast-same", "colours-dark"),
    ],
)
def test_pages_are_accessible_as_they_were_chosen(page: Page, choices: tuple[str, ...]) -> None:
    choose(page, *choices)
    chinese = "language-zh_Hans" in choices
    assert ("已在本设备上保留" in page.text()) is chinese
    with page.with_axe():
        for path in (*PAGES, EDITOR):
            page.open(path)
            page.assert_accessible()
            page.assert_large_targets()
            shown = page.driver.execute_script(
                "const style = getComputedStyle(document.body);"
                "return [style.backgroundColor, style.color]"
            )
            if "contrast-high" in choices:
                wanted = ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
                assert shown == (wanted if "colours-dark" in choices else wanted[::-1])


def test_print_grows_with_the_setting(page: Page) -> None:
    sizes = []
    for size in ("same", "large", "largest"):
        choose(page, f"print-{size}")
        page.open("/")
        sizes.append(
            page.driver.execute_script(
                "const button = document.querySelector('button.big');"
                "return parseFloat(getComputedStyle(button).fontSize)"
            )
        )
    assert sizes[0] * 1.2 < sizes[1] < sizes[2]


def test_a_screen_reader_hears_choices_without_the_marks_that_are_drawn(page: Page) -> None:
    page.open("/settings")
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = ("radio", "checkbox")
    heard = [it["name"]["value"] for it in nodes if it.get("role", {}).get("value") in roles]
    assert {"Usual", "Large", "Very large"} <= set(heard)
