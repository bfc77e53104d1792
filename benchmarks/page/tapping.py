"""Simulates a person who knows the tiles on the table and taps until the page shows them."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Flask
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from benchmarks.page.played import Played
from benchmarks.page.truth import (
    content,
    hidden_kong,
    missing_beside,
    missing_of,
    mode_of,
    naming,
    nearest,
    other_size,
    right_choice,
    true_content,
    unmatched,
    wrong_suspect,
)
from datasets.photographs.benchmark import TrueHand, TrueMeld
from webapp.deal.photos import READING, WAITING, StoredPhoto
from webapp.deal.state import BONUS, HAND, DealState, Player, Tile
from webapp.joint.questions import Question, questions_of, versions_for
from webapp.services import EXTENSION

if TYPE_CHECKING:
    from tests.webapp.browser.browser import Page

PATIENCE_S: Final = 300
"""Maximum time in seconds to wait for the page."""
_MOST_ROUNDS: Final = 40
"""Maximum number of corrections on one page."""
_MIDDLE: Final = "arguments[0].scrollIntoView({block: 'center'})"


class Person:
    """Uses the page and counts the taps.

    Args:
        page: the browser.
        app: the app, whose store holds the state of the page.
    """

    def __init__(self, page: Page, app: Flask) -> None:
        self._page = page
        self._store = app.extensions[EXTENSION].store
        self._deal = ""
        self._seat = ""
        self.taps = 0
        self.corrections = 0

    def play(self, played: Played, photos: list[Path]) -> None:
        """Play a deal from four photos to the payments; taps count after the photos were sent."""
        self._send(photos)
        self._answer(played.hands)
        for seat in played.hands:
            self._correct(seat, played.hands)
            self._answer_elsewhere(played.hands)
        self._back_to_the_table()
        self._say_who_won(played)
        if "pays" not in self._page.text():
            raise RuntimeError(f"no payments are shown: {self._page.text()[:300]}")

    def _send(self, photos: list[Path]) -> None:
        self._page.open("/")
        self._page.tap("Score a deal")
        self._deal = self._page.driver.current_url.rsplit("/", 1)[1]
        self._page.open(f"/deals/{self._deal}/table-photo")
        chooser = self._page.driver.find_element(By.NAME, "photos")
        chooser.send_keys("\n".join(str(path) for path in photos))
        self._page.wait(
            "//h1[starts-with(., 'The players')] | //*[@id='photo-check'][not(@hidden)]"
        )
        if self._page.all("#photo-check:not([hidden])"):
            self._press(self._page.wait("//button[contains(., 'Use it anyway')]"))
        self._page.wait("//h1[starts-with(., 'The players')]")
        until = time.monotonic() + PATIENCE_S
        while any(p.stage in (WAITING, READING) for p in self._photos()):
            if time.monotonic() > until:
                raise TimeoutError("the photos were not read in time")
            time.sleep(0.2)
        self._page.open(f"/deals/{self._deal}")

    def _photos(self) -> list[StoredPhoto]:
        photos: list[StoredPhoto] = list(self._store.latest_photos(self._deal).values())
        return photos

    @property
    def _state(self) -> DealState:
        state: DealState = self._store.deal(self._deal).state
        return state

    def _press(self, element: WebElement, *, correction: bool = False) -> None:
        self.taps += 1
        self.corrections += correction
        self._page.press(element)

    def _answer(self, hands: dict[str, TrueHand]) -> None:
        """Answer the questions at the table that one tap can answer rightly."""
        for _ in range(_MOST_ROUNDS):
            answer = self._next_answer(hands)
            if answer is None:
                return
            self._press(self._page.wait(answer), correction=True)

    def _answer_elsewhere(self, hands: dict[str, TrueHand]) -> None:
        """Answer the questions at the table that a correction on a player's page has raised."""
        if self._next_answer(hands) is None:
            return
        self._back_to_the_table()
        self._answer(hands)

    def _back_to_the_table(self) -> None:
        if "/players/" in self._page.driver.current_url:
            self._press(self._page.wait("//a[contains(., 'Done with')]"), correction=True)

    def _next_answer(
        self, hands: dict[str, TrueHand], asked: tuple[Question, ...] | None = None
    ) -> str | None:
        """The button with the right answer to a question, by default to one at the table."""
        state = self._state
        for question in questions_of(state) if asked is None else asked:
            if question.suspects:
                button = wrong_suspect(question, state, hands)
                if button is not None:
                    return button
                continue
            seat = question.player.seat
            wanted = missing_beside(question.tiles[0], state.player(seat), hands[seat])
            label = right_choice(question, wanted)
            if label is not None:
                return naming(question.tiles[0].id, seat, label)
            for version in question.versions:
                changes = version.suggestion.changes
                if all(missing_of(state.player(c.seat), hands[c.seat])[c.label] for c in changes):
                    return f"//button[@name='number' and @value='{version.number}']"
        return None

    def _correct(self, seat: str, hands: dict[str, TrueHand]) -> None:
        """Correct the errors in a player's tiles and answer the questions about them."""
        hand = hands[seat]
        for _ in range(_MOST_ROUNDS):
            player = self._state.player(seat)
            if content(player) == true_content(hand):
                return
            asked = versions_for(self._state, seat)
            answer = self._next_answer(hands, asked) if self._at(seat) else None
            if answer is not None:
                self._press(self._page.wait(answer), correction=True)
            elif not player.tiles:
                self._tap_in(seat, hand)
            else:
                self._one_correction(player, hand)
        raise RuntimeError(f"{seat}'s tiles could not be put right: {content(player)}")

    def _at(self, seat: str) -> bool:
        """Whether a player's page is shown."""
        where = self._page.driver.current_url.split("#")[0]
        return where.endswith(f"/deals/{self._deal}/players/{seat}")

    def _go_to(self, seat: str) -> None:
        """Open a player's page, straight from the player's before or from the table."""
        here = f"/deals/{self._deal}/players/{seat}"
        if self._at(seat):
            return
        if not self._page.all(f"a.button[href='{here}']"):
            self._back_to_the_table()
        link = f"//a[contains(@class, 'button') and contains(@href, '{here}')]"
        self._press(self._page.wait(link), correction=True)

    def _one_correction(self, player: Player, hand: TrueHand) -> None:
        self._seat = player.seat
        free = unmatched(player, hand)
        for laid in player.melds:
            labels = sorted(tile.label for tile in player.in_place(laid.id))
            hidden = hidden_kong(labels, free)
            if hidden is not None:
                self._change(player.in_place(laid.id)[0], hidden.tiles[0])
                return
            other = other_size(labels, free)
            if other is not None:
                self._tap_meld(laid.id, "resize")
                return
            meld = nearest(labels, free)
            if meld is None:
                self._tap_meld(laid.id, "dissolve")
                return
            free.remove(meld)
            if labels == sorted(meld.tiles):
                if laid.concealed != meld.concealed:
                    self._tap_meld(laid.id, "toggle")
                    return
                continue
            self._repair_meld(player, laid.id, meld)
            return
        if free:
            self._lay(player, free[0])
            return
        self._repair_hand(player, hand)

    def _repair_meld(self, player: Player, meld_id: str, meld: TrueMeld) -> None:
        rest = list(meld.tiles)
        for tile in player.in_place(meld_id):
            if tile.label in rest:
                rest.remove(tile.label)
            elif rest:
                self._change(tile, rest[0])
                return
            else:
                self._remove(tile)
                return
        self._tap_meld(meld_id, "dissolve")

    def _lay(self, player: Player, meld: TrueMeld) -> None:
        """Enter a meld that lies apart in the way that takes fewer taps.

        Either the whole meld is tapped in, after which tiles that were there already must be
        removed, or its tiles are ticked after missing ones were added.
        """
        rest, ticked = list(meld.tiles), []
        for tile in player.in_place(HAND):
            if tile.label in rest:
                rest.remove(tile.label)
                ticked.append(tile)
        ticking = len(meld.tiles) + 2 + (len(rest) + 2 if rest else 0)
        tapping = 4 + 2 * len(ticked)
        if tapping < ticking:
            self._add([meld.tiles[0]], mode_of(meld))
            return
        if rest:
            self._add(rest)
            return
        self._go_to(self._seat)
        self._press(self._page.wait("//a[contains(., 'Lay a set apart')]"), correction=True)
        for tile in ticked:
            self._page.wait(f"//label[input[@value='{tile.id}']]").click()
            self.taps += 1
            self.corrections += 1
        self._press(self._page.wait("//button[@value='group']"), correction=True)

    def _repair_hand(self, player: Player, hand: TrueHand) -> None:
        loose = [tile for tile in player.tiles if tile.place in (HAND, BONUS)]
        wanted = Counter([*hand.concealed, *hand.bonus])
        have = Counter(tile.label for tile in loose)
        missing, extra = list((wanted - have).elements()), wanted.copy()
        wrong = []
        for tile in loose:
            if extra[tile.label]:
                extra[tile.label] -= 1
            else:
                wrong.append(tile)
        if wrong and missing:
            self._change(wrong[0], missing[0])
        elif wrong:
            self._remove(wrong[0])
        else:
            self._add(missing)

    def _tap_meld(self, meld_id: str, action: str) -> None:
        self._go_to(self._seat)
        form = f"//form[.//input[@name='set' and @value='{meld_id}']]"
        self._press(self._page.wait(f"{form}//button[@value='{action}']"), correction=True)

    def _change(self, tile: Tile, label: str) -> None:
        self._tap_tile(tile)
        key = f"//button[@name='label' and @value='{label}']"
        self._press(self._page.wait(key), correction=True)

    def _remove(self, tile: Tile) -> None:
        self._tap_tile(tile)
        self._press(self._page.wait("//button[@value='remove']"), correction=True)

    def _tap_tile(self, tile: Tile) -> None:
        """Open a tile's page, from its player's page or straight from the table."""
        if self._at(self._seat):
            link = f"//li[@id='{tile.id}']/a"
        else:
            self._back_to_the_table()
            link = f"//a[contains(@href, '/players/{self._seat}/tiles/{tile.id}?')]"
        self._press(self._page.wait(link), correction=True)

    def _add(self, labels: list[str], mode: str | None = None) -> None:
        """Tap further tiles in on the keyboard, or melds of one kind, each by its first tile."""
        self._go_to(self._seat)
        if mode is None and self._page.all("#missing .key"):
            self._tap_keys(labels[:1])
            return
        if not self._page.all("#missing .modes"):
            self._press(self._page.wait("//a[contains(., '+ Add tiles')]"), correction=True)
        if mode is not None:
            self._choose(mode)
        self._tap_keys(labels)
        self._press(self._page.wait("//a[contains(., 'Done adding')]"), correction=True)

    def _choose(self, mode: str) -> None:
        """Switch the keyboard to melds of one kind."""
        link = f"//nav[@class='modes']/a[contains(@href, '?add={mode}#')]"
        self._press(self._page.wait(link), correction=True)

    def _tap_keys(self, labels: list[str]) -> None:
        for label in labels:
            count = len(self._page.all("#tiles .tap"))
            key = self._page.wait(f"//button[@name='label' and @value='{label}']")
            self._page.driver.execute_script(_MIDDLE, key)
            key.click()
            self.taps += 1
            self.corrections += 1
            self._page.wait(f"//*[@id='tiles'][count(.//a[contains(@class, 'tap')]) > {count}]")

    def _tap_in(self, seat: str, hand: TrueHand) -> None:
        """Tap in a whole hand whose photo could not be read."""
        here = f"/deals/{self._deal}/players/{seat}"
        self._back_to_the_table()
        link = f"//a[contains(@href, '{here}?add=tile')]"
        self._press(self._page.wait(link), correction=True)
        self._tap_keys([*hand.concealed, *hand.bonus])
        for mode in dict.fromkeys(mode_of(meld) for meld in hand.melds):
            self._choose(mode)
            self._tap_keys([m.tiles[0] for m in hand.melds if mode_of(m) == mode])
        self._press(self._page.wait("//a[contains(., 'Done adding')]"), correction=True)

    def _say_who_won(self, played: Played) -> None:
        """Answer at the table what is not answered rightly already, and open the payments."""
        wanted = [f"winner-{played.winner}", f"tile-{played.tile}", f"source-{played.source}"]
        wanted += [f"from-{played.giver}"] if played.giver else []
        for answer in wanted:
            asked = self._page.all(f"input[id='{answer}']")
            if not asked and answer.startswith("from-"):
                continue
            if asked and asked[0].is_selected():
                continue
            self._page.choose(answer)
            self.taps += 1
        self._press(self._page.wait("//button[@value='score']"))
