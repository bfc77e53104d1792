from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
import pytest

from tests.vision.fakes import watcher_with
from tests.vision.painted import (
    SIZE,
    Image,
    PaintedClassifier,
    PaintedDetector,
    labels_of,
    noisy,
    table,
    with_arm,
)
from tests.vision.table import Laid, lay
from vision.multiview.tracks import KNOWN, PRESENCE
from vision.multiview.watcher import SEARCHES, SETTLE_S, Sight, Watcher

HAND = "123m 456p 7s"
RATE = 10


def watcher(
    detector: PaintedDetector | None = None, classifier: PaintedClassifier | None = None
) -> tuple[Watcher, PaintedDetector, PaintedClassifier]:
    finds, reads = detector or PaintedDetector(), classifier or PaintedClassifier()
    return watcher_with(finds, reads), finds, reads


class Film:
    """Shows pictures one after the other, a tenth of a second each."""

    def __init__(self, eye: Watcher) -> None:
        self.eye, self.number = eye, 0

    def show(self, pictures: Iterable[Image]) -> list[Sight]:
        seen = []
        for picture in pictures:
            self.number += 1
            seen.append(self.eye.look(noisy(picture, self.number), self.number / RATE))
        return seen


def labels(sight: Sight) -> list[str]:
    assert sight.reading is not None
    return [tile.label for tile in sight.reading.tiles]


def without(laid: Laid, *places: int) -> Laid:
    kept = [i for i in range(len(laid.labels)) if i not in places]
    return Laid([laid.labels[i] for i in kept], laid.quads[kept])


def test_a_still_view_is_read_and_settles() -> None:
    eye, _, _ = watcher()
    seen = Film(eye).show([table(lay(HAND))] * 16)
    assert [sight.state for sight in seen[:2]] == ["moving", "reading"]
    assert seen[-1].state == "settled"
    assert labels(seen[-1]) == labels_of(HAND)
    settled = [sight.seconds for sight in seen if sight.state == "settled"]
    assert settled[0] >= 0.2 + SETTLE_S


def test_tiles_that_are_known_are_not_looked_at_again() -> None:
    eye, finds, reads = watcher()
    Film(eye).show([table(lay(HAND))] * 40)
    assert sum(reads.asked) == len(labels_of(HAND)) * KNOWN.few
    assert finds.asked == SEARCHES
    assert (eye.looked, eye.searched) == (sum(reads.asked), finds.asked)


def test_several_looks_outvote_one_mistake() -> None:
    reads = PaintedClassifier(0.6, {"7s": ["9s", "7s", "7s"]})
    eye, _, _ = watcher(classifier=reads)
    seen = Film(eye).show([table(lay(HAND))] * 20)
    assert seen[-1].state == "settled"
    assert labels(seen[-1]) == labels_of(HAND)


def test_a_tile_that_stays_doubtful_settles_after_so_many_looks_and_is_marked() -> None:
    reads = PaintedClassifier(0.55, {"7s": ["9s", "7s"]})
    eye, _, _ = watcher(classifier=reads)
    seen = Film(eye).show([table(lay(HAND))] * 30)
    assert seen[-1].state == "settled"
    assert seen[-1].reading is not None
    doubtful = seen[-1].reading.tiles[-1]
    assert doubtful.confidence < 0.8
    assert max(reads.asked) <= len(labels_of(HAND))
    assert sum(reads.asked) <= len(labels_of(HAND)) * KNOWN.most


def test_a_hand_that_lays_tiles_is_waited_for() -> None:
    first, whole = lay("123m"), lay(HAND)
    eye, _, reads = watcher()
    film = Film(eye)
    assert labels(film.show([table(first)] * 16)[-1]) == ["1m", "2m", "3m"]
    asked = sum(reads.asked)
    moving = film.show([with_arm(table(first), x) for x in (900, 700, 500)])
    moving += film.show([with_arm(table(whole), x) for x in (600, 800)])
    assert {sight.state for sight in moving} == {"moving"}
    assert all(sight.reading is None for sight in moving)
    seen = film.show([table(whole)] * 16)
    assert seen[-1].state == "settled"
    assert labels(seen[-1]) == labels_of(HAND)
    assert sum(reads.asked) - asked <= 7 * KNOWN.few


def test_a_tile_that_is_taken_away_is_told_no_more() -> None:
    whole = lay(HAND)
    eye, _, _ = watcher()
    film = Film(eye)
    film.show([table(whole)] * 16)
    film.show([with_arm(table(whole), 300)] * 2)
    seen = film.show([table(without(whole, 2))] * (PRESENCE.misses + 16))
    assert seen[-1].state == "settled"
    assert labels(seen[-1]) == [*labels_of(HAND)[:2], *labels_of(HAND)[3:]]


def test_a_tile_that_is_exchanged_is_read_anew() -> None:
    before, after = lay(HAND), lay("123m 456p 7z")
    eye, _, _ = watcher()
    film = Film(eye)
    film.show([table(before)] * 16)
    film.show([with_arm(table(before), 500), with_arm(table(after), 600)])
    seen = film.show([table(after)] * 16)
    assert labels(seen[-1]) == labels_of("123m 456p 7z")
    assert seen[-1].state == "settled"


def test_a_tile_that_was_missed_once_is_kept() -> None:
    finds = PaintedDetector()
    eye, _, _ = watcher(finds)
    film = Film(eye)
    picture = table(lay(HAND))
    film.show([picture] * 3)
    finds.blind = {"5p"}
    film.show([picture])
    finds.blind = set()
    seen = film.show([picture] * 12)
    assert labels(seen[-1]) == labels_of(HAND)


def test_what_is_seen_only_once_is_not_believed() -> None:
    finds = PaintedDetector({"7s"})
    eye, _, _ = watcher(finds)
    film = Film(eye)
    picture = table(lay(HAND))
    film.show([picture] * 3)
    finds.blind = set()
    film.show([picture])
    finds.blind = {"7s"}
    seen = film.show([picture] * 20)
    assert seen[-1].state == "settled"
    assert labels(seen[-1]) == labels_of(HAND)[:-1]


def panned(x: float, size: tuple[int, int] = SIZE) -> Image:
    """A long table seen from ``x`` pixels farther to the right."""
    wide = table(lay("123456789m 123456789p"), (size[0], 2200))
    return wide[:, int(x) : int(x) + size[1]]


def test_a_camera_that_moves_over_the_table_keeps_what_it_knows() -> None:
    eye, _, reads = watcher()
    film = Film(eye)
    start = film.show([panned(0)] * 16)[-1]
    assert start.state == "settled"
    assert len(labels(start)) == 14
    asked = sum(reads.asked)
    film.show([panned(x) for x in range(0, 400, 25)])
    there = film.show([panned(400)] * 16)[-1]
    assert there.state == "settled"
    new = set(labels(there)) - set(labels(start))
    assert len(new) >= 4
    film.show([panned(x) for x in range(400, 0, -25)])
    back = film.show([panned(0)] * 16)[-1]
    assert labels(back) == labels(start)
    assert sum(reads.asked) - asked <= (len(new) + 2) * (KNOWN.few + 1)


def test_tiles_are_read_again_after_the_picture_was_lost() -> None:
    eye, _, _ = watcher()
    film = Film(eye)
    picture = table(lay(HAND))
    film.show([picture] * 16)
    film.show([np.zeros_like(picture)] * 3)
    seen = film.show([np.roll(picture, 40, axis=1)] * 16)
    assert seen[-1].state == "settled"
    assert labels(seen[-1]) == labels_of(HAND)


def test_an_empty_table_is_empty() -> None:
    eye, _, _ = watcher()
    seen = Film(eye).show([table(None)] * 8)
    assert seen[-1].state == "empty"
    assert seen[-1].reading is None


def test_a_sight_is_told_as_json_with_its_state() -> None:
    eye, _, _ = watcher()
    film = Film(eye)
    empty = json.loads(json.dumps(film.show([table(None)] * 3)[-1].to_json("camera 0")))
    assert (empty["state"], empty["tiles"], empty["hands"]) == ("empty", [], [])
    assert (empty["width"], empty["height"]) == (SIZE[1], SIZE[0])
    full = json.loads(json.dumps(film.show([table(lay(HAND))] * 20)[-1].to_json("camera 0")))
    assert (full["photo"], full["state"]) == ("camera 0", "settled")
    assert full["time"] == pytest.approx(2.3)
    assert [tile["label"] for tile in full["tiles"]] == labels_of(HAND)
