"""Measures the time of a deal of four photographed hands on the page, from opening to its score.

Run as ``python -m benchmarks.page.time_to_score``: a browser with the size of a phone sends the
sample photos, corrects wrong tiles, enters the winner and opens the score, with a pause before
every tap as people make. The figures are those of the page's own “How long it takes”;
``winner_median_s`` is the part for the winner's hand alone: its photo, its tiles, how it was won,
and the score.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

from tests.webapp.browser.browser import PHONE, Page, chromium, serving
from webapp import create_app
from webapp.deal.state import Player
from webapp.services import EXTENSION, SAMPLES_FILE, Services

RUNS = 3
"""Number of deals."""
PAUSE_S = 1.0
"""Pause before each tap in seconds."""


class Person:
    """A simulated person who scores a deal with a pause before every tap."""

    def __init__(self, page: Page, app: Flask, pause_s: float) -> None:
        self.page = page
        self.found: Services = app.extensions[EXTENSION]
        self.pause_s = pause_s
        self.winner_s: list[float] = []

    def tap(self, words: str) -> None:
        """Pause, then press the element with this text."""
        time.sleep(self.pause_s)
        self.page.tap(words)

    def choose(self, answer: str) -> None:
        """Pause, then choose an answer and wait until it is stored."""
        time.sleep(self.pause_s)
        self.page.choose(answer)

    def player(self, seat: str) -> Player:
        """A player's tiles in the current state."""
        deal_id = self.page.driver.current_url.split("/deals/")[1].split("/")[0]
        deal = self.found.store.deal(deal_id)
        if deal is None:
            raise SystemExit("the deal is gone")
        return deal.state.player(seat)

    def score(self, truth: dict[str, Any], photos: list[dict[str, Any]]) -> None:
        """Score the deal of the sample photos."""
        self.page.open("/")
        self.tap("Score a deal")
        win = truth["win"]
        winner_s = 0.0
        for number, photo in enumerate(photos):
            begun = time.monotonic()
            self._photograph(number, photo["seat"])
            self._put_right(photo["seat"], truth)
            if self.player(photo["seat"]).doubtful:
                self.tap("All tiles are right")
            self.tap("Done with")
            if photo["seat"] == win["seat"]:
                winner_s = time.monotonic() - begun
        begun = time.monotonic()
        answers = [f"winner-{win['seat']}", f"tile-{win['tile']}", f"source-{win['source']}"]
        for answer in answers:
            self.choose(answer)
        if win.get("from") and self.page.all(f"#from-{win['from']}"):
            self.choose(f"from-{win['from']}")
        self.tap("Show the score")
        self.page.wait("//h2[@id='payments']")
        self.winner_s.append(winner_s + time.monotonic() - begun)

    def _photograph(self, number: int, seat: str) -> None:
        deal = "/" + self.page.driver.current_url.split("/", 3)[3]
        time.sleep(self.pause_s)
        self.page.open(f"{deal}/players/{seat}/photo")
        time.sleep(self.pause_s)
        self.page.press(self.page.all(".samples button")[number])
        self.page.wait("//h2[@id='in-hand']")

    def _put_right(self, seat: str, truth: dict[str, Any]) -> None:
        """Correct the tiles that were read wrongly, one after another."""
        true = next(player for player in truth["players"] if player["seat"] == seat)
        melds = [tile for meld in true["melds"] for tile in meld["tiles"]]
        wanted = Counter([*true["concealed"], *melds, *true["bonus"]])
        here = self.page.driver.current_url
        wrong = wanted.copy()
        wrong.subtract(tile.label for tile in self.player(seat).tiles)
        missing = list((+wrong).elements())
        for tile in self.player(seat).tiles:
            if wrong[tile.label] < 0 and missing:
                wrong[tile.label] += 1
                time.sleep(self.pause_s)
                self.page.driver.get(f"{here}/tiles/{tile.id}")
                time.sleep(self.pause_s)
                label = missing.pop(0)
                self.page.press(self.page.all(f".key[value='{label}']")[0])


def measure(runs: int, pause_s: float) -> dict[str, Any]:
    """The page's own figures after ``runs`` deals.

    Args:
        runs: number of deals to score.
        pause_s: pause before each tap, in seconds.
    """
    samples = json.loads(SAMPLES_FILE.read_text("utf-8"))
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        app = create_app(f"sqlite:///{folder / 'time.sqlite3'}", folder=folder)
        found: Services = app.extensions[EXTENSION]
        found.desk.prepare()
        with serving(app) as address, chromium(folder / "profile") as chrome:
            page = Page(chrome, address)
            page.size(*PHONE)
            person = Person(page, app, pause_s)
            for _ in range(runs):
                person.score(samples["deal"], samples["photos"])
            chrome.get("about:blank")
        figures = found.timings.summary().overall
        found.close()
    if figures is None:
        raise SystemExit("no deal was scored")
    return {
        "deals": figures.deals,
        "pause_s": pause_s,
        "median_s": round(figures.median_s, 1),
        "most_s": round(figures.most_s, 1),
        "winner_median_s": round(median(person.winner_s), 1),
        "taps": figures.taps,
        "corrections": figures.corrections,
        "questions": figures.questions,
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description="Time the scoring of four photographed hands.")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--pause", type=float, default=PAUSE_S, help="seconds before each tap")
    chosen = parser.parse_args()
    sys.stdout.write(json.dumps(measure(chosen.runs, chosen.pause)) + "\n")


if __name__ == "__main__":
    main()
