from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.scenes.set_photos import set_photo
from datasets.sets.faces import load_designs
from models.evaluation.matching import match
from scorer.tiles import READING_LABELS, TILES
from tests.vision.fakes import none_of, sure_of
from tests.vision.table import lay
from vision import NoTilesFound, PhotoError, ProfileError, read_set_photo, read_set_photos
from vision.classify.views import Views, nearness_of
from vision.tilesets.teaching import (
    DOUBTFUL,
    MOST_ASKED,
    PICTURED,
    SetPhoto,
    assign,
    label_set_photo,
    label_set_photos,
)
from vision.vocabulary.copies import USUAL_COPIES

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"


def chances(*rows: dict[str, float]) -> NDArray[np.float64]:
    """(n, 45) probabilities as told, the rest shared by all others."""
    table = np.zeros((len(rows), len(READING_LABELS)))
    for row, told in zip(table, rows, strict=True):
        row[:] = (1 - sum(told.values())) / len(READING_LABELS)
        for label, share in told.items():
            row[READING_LABELS.index(label)] += share
    return table


def test_a_face_is_given_to_one_tile_only() -> None:
    table = chances({"1f": 0.6, "2f": 0.3}, {"1f": 0.9}, {"3f": 0.8})
    labels, margins = assign(table)
    assert labels == ["2f", "1f", "3f"]
    assert margins[0] < margins[2]


def test_what_is_left_over_is_a_spare_a_joker_or_a_back() -> None:
    table = chances(
        {"1m": 0.99},
        {"other": 0.99},
        {"back": 0.99},
        {"5z": 0.79, "blank": 0.2},
        {"blank": 0.99},
        {"other": 0.55, "2m": 0.4},
    )
    assert assign(table)[0] == ["1m", "other", "back", "5z", "blank", "2m"]
    assert assign(table, ["1m", "2m", "5z"])[0] == ["1m", "other", "back", "5z", "blank", "other"]


def test_a_blank_tile_is_the_white_dragon_where_there_is_no_other() -> None:
    assert assign(chances({"blank": 0.9}, {"6z": 0.9}))[0] == ["5z", "6z"]


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_the_assignment_is_the_likeliest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    faces = ("1m", "2m", "3m", "4m")
    table = rng.dirichlet(np.full(len(READING_LABELS), 0.2), 3) + 1e-5
    spare = [READING_LABELS.index(label) for label in ("back", "blank", "other")]
    table[:, spare] = 1e-9
    columns = [READING_LABELS.index(label) for label in faces]
    costs = {
        order: -np.log(np.maximum(table[np.arange(3), [columns[i] for i in order]], 1e-6)).sum()
        for order in itertools.permutations(range(4), 3)
    }
    labels, margins = assign(table, faces)
    best = min(costs, key=lambda order: costs[order])
    assert costs[best] == pytest.approx(
        -np.log(
            np.maximum(table[np.arange(3), [READING_LABELS.index(s) for s in labels]], 1e-6)
        ).sum()
    )
    for index in range(3):
        others = [c for order, c in costs.items() if faces[order[index]] != labels[index]]
        assert margins[index] <= min(others) - costs[best] + 1e-6


def views_of(labels: list[str], confidence: float = 0.97) -> Views:
    """Tiles seen upright and upside down, the classifier agreeing with the first."""
    quads = lay(" ".join(labels)).quads
    count = len(quads)
    owners = np.tile(np.arange(count), 2)
    upside_down = np.full((count, len(READING_LABELS)), 1 / len(READING_LABELS), np.float32)
    return Views(
        quads,
        owners,
        np.repeat([0, 2], count),
        np.repeat(np.array([[0, -1], [0, 1]], np.float32), count, axis=0),
        nearness_of(quads),
        np.zeros((2, count, count), np.float32),
        np.zeros((2 * count, 96, 72, 3), np.uint8),
        np.concatenate([sure_of(labels, confidence), upside_down]),
        np.repeat(np.array([3, -3], np.float32), count),
        np.ones((2 * count, 8), np.float32) / np.float32(np.sqrt(8)),
        np.ones(2 * count, np.float32),
    )


def test_a_photo_of_every_face_is_labelled() -> None:
    views = views_of(list(TILES))
    photo = label_set_photo(views)
    assert {tile.label for tile in photo.tiles} == set(TILES)
    assert photo.missing() == ()
    assert photo.doubtful() == ()
    assert len(photo.shots()) == 42
    assert photo.blank_white() is False


def test_a_photo_of_dragons_and_bonus_tiles_alone_is_taken_for_one() -> None:
    views = views_of(list(PICTURED))
    views.probabilities[:] = 1 / len(READING_LABELS)
    photo = label_set_photo(views)
    assert {tile.label for tile in photo.tiles} == set(PICTURED)
    assert len(photo.doubtful()) == len(PICTURED)


def test_people_are_never_asked_about_more_than_a_few_tiles() -> None:
    views = views_of(list(TILES))
    views.probabilities[:] = 1 / len(READING_LABELS)
    assert len(label_set_photo(views).doubtful()) == MOST_ASKED


def test_the_faces_that_are_missing_are_named() -> None:
    views = views_of([label for label in TILES if label not in ("3s", "2y")])
    assert label_set_photo(views).missing() == ("3s", "2y")


def two_alike() -> SetPhoto:
    views = views_of(list(TILES))
    columns = [READING_LABELS.index(label) for label in ("1f", "2f")]
    for label in ("1f", "2f"):
        row = views.probabilities[TILES.index(label)]
        row[columns] = row[columns].mean()
    return label_set_photo(views)


def test_people_are_asked_about_the_weakest_tiles_only() -> None:
    photo = two_alike()
    assert sorted(photo.tiles[i].label for i in photo.doubtful()) == ["1f", "2f"]
    for index in photo.doubtful():
        assert photo.tiles[index].margin < DOUBTFUL
        assert set(photo.tiles[index].guesses[:2]) == {"1f", "2f"}


def test_faces_change_places_when_people_say_so() -> None:
    photo = two_alike()
    index = next(i for i, tile in enumerate(photo.tiles) if tile.label == "1f")
    other = next(i for i, tile in enumerate(photo.tiles) if tile.label == "2f")
    said = photo.with_labels({index: "2f"})
    assert (said.tiles[index].label, said.tiles[other].label) == ("2f", "1f")
    assert index not in said.doubtful()
    assert len(said.without([index]).tiles) == 41
    assert [t.label for t in photo.with_labels({index: "other"}).tiles].count("1f") == 0
    with pytest.raises(ProfileError, match="not a tile code"):
        photo.with_labels({index: "11m"})
    with pytest.raises(ProfileError, match="given to two"):
        photo.with_labels({index: "3f", other: "3f"})


def test_several_photos_of_one_row_each_are_decided_together() -> None:
    rows = [list(TILES[start : start + 9]) for start in range(0, 42, 9)]
    photos = label_set_photos([views_of(row) for row in rows], [()] * len(rows))
    assert [[tile.label for tile in photo.tiles] for photo in photos] == rows
    assert all(photo.doubtful() == () for photo in photos)


def test_a_face_lies_on_one_tile_of_all_photos() -> None:
    first, second = views_of(list(TILES[:21])), views_of(list(TILES[21:]))
    taken, own = (READING_LABELS.index(label) for label in (TILES[0], TILES[21]))
    second.probabilities[0, [taken, own]] = second.probabilities[0, [own, taken]]
    second.probabilities[0, own] = 0.2
    photos = label_set_photos([first, second], [(), ()])
    assert {tile.label for photo in photos for tile in photo.tiles} == set(TILES)


def test_of_a_whole_box_the_clearest_tile_of_each_face_is_kept() -> None:
    copies = [face for face, count in USUAL_COPIES.items() for _ in range(count)]
    views = views_of(copies)
    worse = READING_LABELS.index("1m"), READING_LABELS.index("2m")
    views.probabilities[0, worse] = 0.5
    photo = label_set_photo(views)
    assert [tile.label for tile in photo.tiles] == list(TILES)
    assert photo.doubtful() == ()


def test_photos_that_cannot_be_read_are_told_one_by_one() -> None:
    broken, white = read_set_photos([b"no photo", np.full((400, 300, 3), 255, np.uint8)])
    assert isinstance(broken, PhotoError)
    assert isinstance(white, NoTilesFound)
    assert read_set_photos([]) == []


def test_photos_of_no_set_are_refused() -> None:
    views = views_of(["1m"])
    none = none_of(views)
    with pytest.raises(NoTilesFound, match="photo of the set"):
        label_set_photo(none)
    views = views_of(["1m"] * 155)
    with pytest.raises(ProfileError, match=r"show 155 tiles.*154"):
        label_set_photo(views)


def test_a_rendered_photo_of_a_set_never_seen_is_labelled_but_for_a_tile_or_two() -> None:
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    scene = set_photo(np.random.default_rng(5), faces)
    photo = read_set_photo(scene.image)
    pairs = match(scene.quads, np.array([tile.quad for tile in photo.tiles], np.float32))
    right = sum(scene.labels[i] == photo.tiles[j].label for i, j in pairs)
    assert len(pairs) >= 40
    assert right >= len(pairs) - 2
