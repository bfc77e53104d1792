"""Counts how long pages are on a phone: ``python -m benchmarks.page.lengths [--pictures FOLDER]``.

Of each page of the demo and of the rules, at 360x740 and in each size of print: screens from top to
foot, choices (what can be tapped or typed in, as far as it is not folded away), how many pixels it
is too wide, and the bytes of its HTML. With ``--pictures`` each is kept as a PNG in the folder.
"""

from __future__ import annotations

import argparse
import base64
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.webapp.browser.browser import Page, chromium, serving
from tests.webapp.browser.screenshots import make_app
from tests.webapp.conftest import wait_for_photos
from webapp.pages.display import CHOICES, cookie

SCREEN: Final = (360, 740)
"""Width and height of a small phone's screen in CSS pixels."""

READING_S: Final = 240
"""How long the demo's photos may take to be read, in seconds."""

MEASURED: Final = """
const shown = each => each.offsetParent !== null && each.checkVisibility();
const chosen = '#main :is(a[href], button, input:not([type=hidden]), select, textarea, summary)';
const root = document.documentElement;
return [root.scrollHeight, [...document.querySelectorAll(chosen)].filter(shown).length,
  root.scrollWidth - root.clientWidth, new Blob([root.outerHTML]).size]
"""


def demo_pages(page: Page) -> dict[str, str]:
    """The addresses of the pages to be measured, by their names; the demo is read for it."""
    page.open("/")
    page.tap("Try the demo")
    deal = "/" + page.driver.current_url.split("/", 3)[3].split("?")[0].split("#")[0]
    return {
        "home": "/",
        "hands read": deal,
        "player's tiles": f"{deal}/players/E",
        "tap in": f"{deal}/players/E#keyboard",
        "who won": f"{deal}/win",
        "score": f"{deal}/result",
        "why not more": f"{deal}/why/E",
        "other rules": f"{deal}/rules",
        "house rules": "/house-rules/bmja-u3a/edit",
        "course": "/course",
        "settings": "/settings",
        "players": "/players",
    }


def measure(page: Page, name: str, path: str, pictures: Path | None) -> str:
    """A line of figures about one page."""
    width, height = SCREEN
    page.open(path)
    long, choices, wide, weight = page.driver.execute_script(MEASURED)
    if pictures:
        clip = {"x": 0, "y": 0, "width": width, "height": long, "scale": 1}
        taken = page.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
        )
        (pictures / f"{name}.png").write_bytes(base64.b64decode(taken["data"]))
    return f"{name:16}{long / height:8.1f}{choices:9}{wide:7}{weight / 1000:9.1f}\n"


def run(folder: Path, pictures: Path | None, sizes: list[str]) -> None:
    """Print the figures of every page in each size of print."""
    app = make_app(folder)
    with chromium(folder / "profile") as driver, serving(app) as address:
        page = Page(driver, address)
        page.size(*SCREEN)
        pages = demo_pages(page)
        wait_for_photos(app, pages["hands read"].rsplit("/", 1)[1], READING_S)
        for size in sizes:
            page.driver.add_cookie({"name": cookie("print"), "value": size})
            sys.stdout.write(
                f"print: {size or 'usual'}\n{'':16} screens  choices   wide       kB\n"
            )
            kept = pictures / (size or "usual") if pictures else None
            if kept:
                kept.mkdir(parents=True, exist_ok=True)
            for name, path in pages.items():
                sys.stdout.write(measure(page, name, path, kept))
                sys.stdout.flush()


def main() -> None:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=Path, help="the folder for a picture of each page")
    parser.add_argument("--usual", action="store_true", help="in the usual size of print only")
    options = parser.parse_args()
    sizes = [""] if options.usual else list(CHOICES["print"].values)
    with TemporaryDirectory() as folder:
        run(Path(folder), options.pictures, sizes)


if __name__ == "__main__":
    main()
