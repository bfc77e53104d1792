from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fakes import models_that_see, reader_with, sure_of
from tests.vision.table import Laid, lay, see
from vision.errors import NoTilesFound, PhotoRejected
from vision.multiview.motion import carried
from vision.multiview.photos import MOST_PHOTOS, UNSURE, Together, together
from vision.photo.decode import PhotoData
from vision.pipeline import PhotoReader, Seen
from vision.vocabulary.detections import Classified, Detections
from vision.vocabulary.readings import DOUBTFUL_BELOW

HAND = "123m 456p 789s 1155z"
TILT = np.array([[1.05, 0.1, 30.0], [-0.05, 0.95, 40.0], [8e-5, 1.5e-4, 1.0]])
WIDTH, HEIGHT = 1100, 420

Shown = tuple[Laid, float]


class Photos:
    """Models that see what each photo shows; photos are told apart by their grey level."""

    def __init__(self, *shown: Shown) -> None:
        self.models = [models_that_see(laid.quads, laid.labels, confidence=p) for laid, p in shown]

    def detect(self, image: NDArray[np.uint8], **_: bool) -> Detections:
        return self.models[int(image[0, 0, 0]) - 100][0].detect(image)

    def glance(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.classify(image, quads).probabilities

    def classify(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
        return self.models[int(image[0, 0, 0]) - 100][1].classify(image, quads)


def read(*shown: Laid | Shown) -> Together:
    """What photos of these tiles show together."""
    full = [one if isinstance(one, tuple) else (one, 0.9) for one in shown]
    return read_with(Photos(*full), len(full))


def read_with(models: Photos, count: int) -> Together:
    pictures = [np.full((HEIGHT, WIDTH, 3), 100 + n, np.uint8) for n in range(count)]
    return together(reader_with(models, models), pictures)


class MirroredReader(PhotoReader):
    """Sees what it is given, in the mirror image of each photo."""

    def see(self, data: PhotoData) -> Seen:
        return replace(super().see(data), mirrored=True)


def part(laid: Laid, *places: int) -> Laid:
    return Laid([laid.labels[i] for i in places], laid.quads[list(places)])


def labels(found: Together) -> list[str]:
    return [tile.label for tile in found.reading.tiles]


def with_label(laid: Laid, place: int, label: str) -> Laid:
    return Laid([*laid.labels[:place], label, *laid.labels[place + 1 :]], laid.quads)


def test_two_photos_are_surer_than_one() -> None:
    laid = lay(HAND)
    alone, both = read(laid), read(laid, see(laid, TILT))
    assert labels(alone) == labels(both) == laid.labels
    for one, two in zip(alone.reading.tiles, both.reading.tiles, strict=True):
        assert two.confidence > one.confidence
        assert np.allclose(one.quad, two.quad)
    assert set(both.seen_in) == {(0, 1)}


def test_views_of_mirrored_photos_lead_from_photo_to_photo() -> None:
    laid = lay(HAND)
    models = Photos((laid, 0.9), (see(laid, TILT), 0.9))
    pictures = [np.full((HEIGHT, WIDTH, 3), 100 + n, np.uint8) for n in range(2)]
    found = together(reader_with(models, models, MirroredReader), pictures)
    second = see(laid, TILT).quads.mean(axis=1).astype(np.float64)
    second[:, 0] = WIDTH - second[:, 0]
    there = carried(found.views[1], second)
    shown = {tile.label: np.mean(tile.quad, axis=0) for tile in found.reading.tiles}
    for place, label in zip(there, laid.labels, strict=True):
        if laid.labels.count(label) == 1:
            assert np.allclose(place, shown[label], atol=1.0)


def test_tiles_that_one_photo_cut_off_come_from_the_other() -> None:
    laid = lay(HAND)
    left, right = part(laid, *range(8)), see(part(laid, *range(4, 13)), TILT)
    shifted = Laid(right.labels, right.quads - np.array([700, 0], np.float32))
    moved = Laid(left.labels, left.quads + np.array([500, 0], np.float32))
    found = read(moved, shifted)
    assert labels(found) == laid.labels
    assert found.seen_in[0] == (0,)
    assert found.seen_in[5] == (0, 1)
    assert found.seen_in[12] == (1,)
    assert np.allclose(found.reading.tiles[12].quad, laid.quads[12] + [500, 0], atol=2)
    assert found.reading.hands[0].concealed == tuple(laid.labels)


@pytest.mark.parametrize("whole_first", [False, True])
def test_the_whole_tile_of_one_photo_takes_the_place_of_a_part_in_another(
    *, whole_first: bool
) -> None:
    laid = lay(HAND)
    left, right = part(laid, *range(9)), part(laid, *range(4, 13))
    left.labels[8] = "2s"
    left.quads[8, 1:3] = left.quads[8, [0, 3]] + 0.42 * (laid.quads[8, 1:3] - laid.quads[8, [0, 3]])
    left.quads[:, :, 0] += WIDTH - 1 - left.quads[:, :, 0].max()
    right.quads[:, :, 0] -= right.quads[:, :, 0].min() - 5
    found = read(right, left) if whole_first else read(left, right)
    assert labels(found) == laid.labels
    assert not [w for w in found.reading.warnings if w.id == "photos.hidden"]


def test_a_tile_that_one_photo_should_show_and_does_not_is_doubtful_there_too() -> None:
    laid = lay(HAND)
    found = read(part(laid, *range(6), *range(7, 13)), laid)
    assert labels(found) == laid.labels
    assert found.reading.tiles[6].confidence <= UNSURE


def test_how_sure_it_is_that_there_is_a_tile_is_told_by_the_surest_photo() -> None:
    laid = lay(HAND)
    photos = Photos((laid, 0.9), (laid, 0.9))
    photos.models[1][0].scores[1:] = 0.6
    alone = read(laid)
    found = read_with(photos, 2)
    for one, two in zip(alone.reading.tiles, found.reading.tiles, strict=True):
        assert two.confidence >= one.confidence


def test_tiles_of_one_photo_are_told_apart_however_near_they_lie() -> None:
    laid = lay(HAND)
    right = part(laid, *range(4, 13), 12)
    right.quads[9] += 0.6 * (laid.quads[12][1] - laid.quads[12][0])
    found = read(part(laid, *range(8)), right)
    assert labels(found) == [*laid.labels, laid.labels[12]]
    assert found.seen_in[13] == (1,)


def test_a_sure_photo_outvotes_an_unsure_one() -> None:
    laid = lay(HAND)
    photos = Photos((with_label(laid, 4, "6p"), 0.9), (see(laid, TILT), 0.97))
    photos.models[0][1].probabilities[4] = sure_of(["6p"], 0.45)[0]
    found = read_with(photos, 2)
    assert labels(found) == laid.labels


def test_photos_that_contradict_each_other_leave_a_doubt() -> None:
    laid = lay(HAND)
    found = read((laid, 0.995), (with_label(see(laid, TILT), 4, "6p"), 0.9))
    tile = found.reading.tiles[4]
    assert tile.label == "5p"
    assert tile.confidence < DOUBTFUL_BELOW
    assert {label for label, _ in tile.alternatives[:2]} == {"5p", "6p"}


def test_a_tile_that_one_photo_should_show_and_does_not_is_doubtful() -> None:
    laid = lay(HAND)
    second = see(laid, TILT)
    found = read((laid, 0.99), (part(second, *range(6), *range(7, 13)), 0.99))
    assert labels(found) == laid.labels
    assert found.reading.tiles[6].confidence < DOUBTFUL_BELOW
    assert "One photo does not show 1 tile" in str(found.reading.warnings[0])


def test_a_tile_that_two_of_three_photos_show_is_not_doubtful() -> None:
    laid = lay(HAND)
    lacking = part(see(laid, TILT), *range(6), *range(7, 13))
    found = read((laid, 0.99), (see(laid, TILT), 0.99), (lacking, 0.99))
    assert min(tile.confidence for tile in found.reading.tiles) > 0.97


def test_the_order_of_photos_does_not_matter_where_a_third_joins_two() -> None:
    laid = lay("123456789m 123456p")
    a, b, c = (part(laid, *range(n, n + 7)) for n in (0, 8, 4))
    found = read(a, b, c)
    assert labels(found) == laid.labels


def test_other_hands_are_refused_by_their_number() -> None:
    laid = lay(HAND)
    with pytest.raises(PhotoRejected, match="Photo 3 of 3 does not seem to show the same tiles"):
        read(laid, see(laid, TILT), lay("999m 222p 111s 6677z"))


def test_a_photo_without_tiles_is_refused_by_its_number() -> None:
    laid = lay(HAND)
    with pytest.raises(NoTilesFound, match="Photo 2 of 2: No mahjong tiles"):
        read(laid, part(laid))


def test_too_many_photos_are_refused() -> None:
    with pytest.raises(PhotoRejected, match="too many"):
        read(*[lay(HAND)] * (MOST_PHOTOS + 1))
    with pytest.raises(ValueError, match="at least one"):
        read()


def test_a_fault_is_told_only_if_every_photo_has_it() -> None:
    laid = lay(HAND)
    (fault,) = {text for text in read(laid).reading.warnings if "blurred" in str(text)}
    assert fault in read(laid, see(laid, TILT)).reading.warnings


def test_the_json_names_all_photos_and_where_each_tile_is_seen() -> None:
    laid = lay(HAND)
    found = read(part(laid, *range(8)), part(laid, *range(4, 13)))
    told = json.loads(json.dumps(found.to_json(["a.jpg", "b.jpg"])))
    assert (told["photo"], told["photos"]) == ("a.jpg", ["a.jpg", "b.jpg"])
    assert [tile["seen"] for tile in told["tiles"]] == [[0]] * 4 + [[0, 1]] * 4 + [[1]] * 5
    with pytest.raises(ValueError, match="2 photos cannot have 1 names"):
        found.to_json(["a.jpg"])
