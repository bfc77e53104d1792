"""Takes the screenshots of the club's book: ``python -m tests.webapp.browser.book_screenshots``.

They show a made-up season, so that nobody's name or figures are told.
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.webapp.browser.browser import PHONE, Page, chromium, serving
from tests.webapp.browser.screenshots import FOLDER, make_app, shoot
from tests.webapp.conftest import services_of
from webapp.book.demo_season import fill

LAST_DAY = date(2026, 11, 19)
EVENINGS = 24


def main(folder: Path = FOLDER) -> None:
    """Take both."""
    with TemporaryDirectory() as scratch:
        app = make_app(Path(scratch))
        fill(services_of(app).engine, evenings=EVENINGS, seed=1, last_day=LAST_DAY)
        with serving(app) as address, chromium(Path(scratch) / "profile") as chrome:
            page = Page(chrome, address)
            page.size(*PHONE)
            page.open("/board")
            shoot(page, folder / "board.png")
            page.press(page.all(".board tbody th a")[0])
            shoot(page, folder / "player.png")
            chrome.get("about:blank")
        services_of(app).close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
