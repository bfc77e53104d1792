from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.scenes.set_photos import set_photo
from datasets.scenes.tables import hand_scene
from datasets.sets.faces import load_designs
from models.evaluation.matching import match
from scorer.tiles import READING_LABELS
from tests.vision.fakes import alike_near, none_of, sure_of
from tests.vision.table import lay
from vision import SetProfile, open_classifier, read_photo
from vision.classify.views import (
    AGREEMENT,
    Views,
    all_angles,
    nearness_of,
    parallel_to,
    turned_crops,
)
from vision.geometry.crops import coarser, rectify
from vision.runtime.opencv import cv2
from vision.runtime.registry import ModelEntry
from vision.tilesets.classifier import ProfiledClassifier, seen_from_afar
from vision.tilesets.fusion import (
    ProfileWeights,
    fuse,
    read_with_profile,
)
from vision.tilesets.profile import Shot, make_profile, with_copies
from vision.tilesets.templates import Templates, ink

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
ENTRY = ModelEntry("classifier", "classifier.onnx", "a" * 64, "1.0.0")


def face(text: str, shift: int = 0, light: float = 1.0) -> NDArray[np.uint8]:
    """A tile with letters on it, moved and lit as told."""
    crop = np.full((96, 72, 3), 240, np.uint8)
    place = (12 + shift, 60 + shift)
    cv2.putText(crop, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 30, 120), 4)
    return (crop * light).astype(np.uint8)


def direction(seed: int) -> NDArray[np.float32]:
    vector = np.random.default_rng(seed).normal(size=32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def club(**changes: Any) -> SetProfile:
    shots = [
        Shot("1f", face("A"), direction(1)),
        Shot("2f", face("B"), direction(2)),
        Shot("1m", face("C"), direction(3)),
        Shot("5z", face(" "), direction(4)),
    ]
    return replace(make_profile("Club", shots, ENTRY), **changes)


def seen(
    crops: list[NDArray[np.uint8]], directions: list[NDArray[np.float32]], chances: dict[str, float]
) -> Views:
    """Tiles seen one way up each, of which the classifier says the same."""
    count = len(crops)
    row = sum((p * sure_of([label], 1.0) for label, p in chances.items()), np.zeros(1))
    return Views(
        np.zeros((count, 4, 2), np.float32),
        np.arange(count),
        np.zeros(count, np.int64),
        np.tile(np.array([0, -1], np.float32), (count, 1)),
        alike_near(count),
        np.zeros((2, count, count), np.float32),
        np.stack(crops),
        np.repeat(row, count, axis=0).astype(np.float32),
        np.zeros(count, np.float32),
        np.stack(directions),
        np.ones(count, np.float32),
    )


def read(views: Views, profile: SetProfile) -> list[str]:
    table = read_with_profile(views, profile, Templates(profile)).probabilities
    return [READING_LABELS[best] for best in table.argmax(axis=1)]


def test_ink_is_told_from_the_paper_in_any_light() -> None:
    bright, dim = ink(np.stack([face("A"), face("A", light=0.5)]))
    assert np.abs(bright - dim).max() < 0.05
    assert bright.max() > 0.5
    assert abs(float(np.median(bright))) < 0.02


def test_a_tile_looks_like_its_own_shot_though_moved_and_dim() -> None:
    templates = Templates(club())
    table = templates.correlations(np.stack([face("A", 4, 0.6), face("B", -3)]))
    assert [READING_LABELS[templates.columns[k]] for k in table.argmax(axis=1)] == ["1f", "2f"]
    assert table[0].max() > 0.85
    assert table[0].max() - np.sort(table[0])[-2] > 0.4


def lead(crop: NDArray[np.floating]) -> float:
    """How much more a tile looks like 2f than like any other shot."""
    templates = Templates(club())
    table = templates.correlations(crop[np.newaxis].astype(np.uint8))[0]
    own = templates.columns == READING_LABELS.index("2f")
    return float(table[own].max() - table[~own].max())


ACROSS = np.linspace(0, 1, 72)[np.newaxis, :, np.newaxis]


@pytest.mark.parametrize(
    "spoilt",
    [
        face("B", 2) * (0.25 + 0.75 * ACROSS),
        np.minimum(face("B", 2) * 0.6 + 200 * ACROSS**2, 255),
        cv2.GaussianBlur(face("B", 2), (0, 0), 4.0).astype(np.float64),
        face("B", 2) * np.array([0.4, 0.8, 1.0]),
    ],
    ids=["shaded", "glaring", "out of focus", "under a lamp"],
)
def test_a_spoilt_tile_looks_like_its_own_shot_still(spoilt: NDArray[np.float64]) -> None:
    assert lead(spoilt) > 0.75 * lead(face("B", 2).astype(np.float64)) > 0.1


def test_nothing_looks_like_a_blank_tile_but_other_noise() -> None:
    blank = np.random.default_rng(3).normal(240, 2, (1, 96, 72, 3)).astype(np.uint8)
    templates = Templates(club())
    table = templates.correlations(blank)[0]
    printed = [READING_LABELS[column] != "5z" for column in templates.columns]
    assert np.abs(table[printed]).max() < 0.3


def test_prototypes_are_the_mean_of_the_shots() -> None:
    profile = make_profile(
        "Club", [Shot("1f", face("A"), direction(1)), Shot("1f", face("A"), direction(2))], ENTRY
    )
    mean = direction(1) + direction(2)
    cosines = Templates(profile).cosines(direction(1)[np.newaxis])
    assert cosines[0, 0] == pytest.approx(float(direction(1) @ mean / np.linalg.norm(mean)))


def test_the_rule_is_the_one_that_is_stated() -> None:
    chances = np.full((1, len(READING_LABELS)), 0.01)
    chances[0, 0] = 0.5
    columns = [READING_LABELS.index("1f"), READING_LABELS.index("1m")]
    fused = fuse(np.log(chances), np.array([[0.9, 0.2]]), np.array([[0.8, 0.1]]), columns)
    weights = ProfileWeights.shipped()
    scores = weights.classifier * np.log(chances[0])
    scores[columns[0]] += weights.cosine * 0.9 + weights.ink * 0.8 - weights.offset
    scores[columns[1]] += weights.cosine * 0.2 + weights.ink * 0.1 - weights.offset
    assert np.allclose(fused[0], np.exp(scores) / np.exp(scores).sum())


def test_a_tile_is_like_the_nearer_of_what_is_seen_from_near_and_from_afar() -> None:
    shots = [Shot("1f", face("A"), direction(1)), Shot("2f", face("B"), direction(2))]
    profile = make_profile("Club", shots, ENTRY)
    afar = np.stack([direction(5), direction(6)])
    near, far = (Templates(profile, others).cosines(afar) for others in ((), (afar,)))
    assert far.diagonal() == pytest.approx([1.0, 1.0], abs=1e-6)
    assert near.diagonal().max() < 0.9
    assert (far >= near).all()


def test_a_set_is_known_from_afar_though_its_photo_was_taken_from_near() -> None:
    classifier = open_classifier()
    crops = load_designs([SAMPLES / "0901.npz"])[0].faces
    faces = [cv2.resize(crops[label][0][..., :3], (72, 96)) for label in ("1f", "2f", "7m")]
    shots = [
        Shot(label, np.asarray(crop, np.uint8), embedding)
        for label, crop, embedding in zip(
            ("1f", "2f", "7m"), faces, classifier.embed(np.stack(faces)), strict=True
        )
    ]
    known = make_profile("Sample", shots, classifier.entry)
    far = coarser(np.stack(faces), 10)
    near = Templates(known).cosines(classifier.embed(far)).diagonal()
    told = Templates(known, seen_from_afar(known, classifier)).cosines(classifier.embed(far))
    assert (told.diagonal() >= near).all(), "a face is never known worse by more shots of it"
    assert told.diagonal().mean() > near.mean() + 0.03
    assert told.argmax(axis=1).tolist() == [0, 1, 2]


def test_a_coarser_crop_shows_less_and_is_as_large() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (2, 96, 72, 3)).astype(np.uint8)
    coarse = coarser(noise, 12)
    assert coarse.shape == noise.shape
    assert coarse.std() < 0.5 * noise.std()
    assert coarse.mean() == pytest.approx(noise.mean(), abs=1)
    assert np.abs(coarser(noise, 72).astype(int) - noise).max() == 0


def test_a_profile_tells_flowers_that_the_classifier_confuses() -> None:
    views = seen([face("A"), face("B", 2)], [direction(1), direction(2)], {"1f": 0.5, "2f": 0.5})
    assert read(views, club()) == ["1f", "2f"]


def test_a_tile_without_shots_can_still_be_read() -> None:
    views = seen([face("D")], [direction(9)], {"9m": 0.97, "1m": 0.02, "1f": 0.01})
    assert read(views, club()) == ["9m"]


def test_a_blank_white_dragon_is_read_where_the_set_has_one() -> None:
    views = seen([face(" ")], [direction(4)], {"blank": 0.9, "5z": 0.1})
    marked = seen([face(" ")], [direction(8)], {"blank": 0.999, "5z": 0.001})
    assert read(views, club(blank_white=True)) == ["5z"]
    assert read(marked, club()) == ["blank"]
    table = read_with_profile(views, club(blank_white=True), Templates(club())).probabilities
    assert table[0, READING_LABELS.index("blank")] == 0


def test_a_profile_has_no_say_in_whether_there_is_a_tile() -> None:
    views = replace(two_ways_up(0.5, others=6), crops=np.stack([face("A")] * 14))
    directions = np.tile(direction(1), (14, 1))
    views = replace(views, embeddings=directions, valid=np.repeat(np.array([1, 0], np.float32), 7))
    assert read_with_profile(views, club(), Templates(club())).valid.min() == 1
    none = replace(views, valid=1 - views.valid)
    assert read_with_profile(none, club(), Templates(club())).valid.max() == 0


def test_a_tile_unlike_the_profiles_picture_of_a_face_is_read_as_another() -> None:
    views = seen([face("Q")], [direction(9)], {"1f": 0.8, "1m": 0.2})
    (chances,) = read_with_profile(views, club(), Templates(club())).probabilities
    assert READING_LABELS[int(chances.argmax())] == "1m"
    assert chances.max() == pytest.approx(0.772, abs=0.005)


def test_what_the_set_lacks_is_never_read() -> None:
    views = seen([face("A")], [direction(1)], {"1f": 0.9, "1m": 0.1})
    without = with_copies(club(), {"1f": 0})
    assert read(views, club()) == ["1f"]
    assert read(views, without) == ["1m"]


def test_nothing_is_read_where_nothing_was_found() -> None:
    views = seen([face("A")], [direction(1)], {"1f": 1.0})
    none = none_of(views)
    assert len(read_with_profile(none, club(), Templates(club())).probabilities) == 0


def test_a_profile_takes_nothing_from_the_certainty_of_backs() -> None:
    known, chances = club(), {"back": 0.9, "5z": 0.06, "1f": 0.04}
    table = read_with_profile(
        seen([face("Q")], [direction(9)], chances), known, Templates(known)
    ).probabilities
    assert READING_LABELS[int(table[0].argmax())] == "back"
    assert table[0].max() >= 0.9 - 1e-6
    assert table[0].sum() == pytest.approx(1)
    drawn = read(seen([face("A")], [direction(1)], {"back": 0.55, "1f": 0.45}), known)
    assert drawn == ["1f"]


def two_ways_up(doubt: float, others: int) -> Views:
    """One tile that looks upside down by a hair among others that are clearly upright."""
    count = others + 1
    upright = np.concatenate([[0.0], np.full(others, 4.0), [doubt], np.full(others, -4.0)])
    return Views(
        np.zeros((count, 4, 2), np.float32),
        np.tile(np.arange(count), 2),
        np.repeat([0, 2], count),
        np.repeat(np.array([[0, -1], [0, 1]], np.float32), count, axis=0),
        alike_near(count),
        np.zeros((2, count, count), np.float32),
        np.zeros((2 * count, 96, 72, 3), np.uint8),
        sure_of(["1m"] * (2 * count)),
        upright.astype(np.float32),
        np.ones((2 * count, 4), np.float32),
        np.ones(2 * count, np.float32),
    )


@pytest.mark.parametrize(("doubt", "turn"), [(0.5, 0), (2 * AGREEMENT + 0.5, 2)])
def test_a_doubtful_tile_lies_as_the_others_do(doubt: float, turn: int) -> None:
    views = two_ways_up(doubt, others=6)
    assert views.turns[views.pick(views.credence())].tolist() == [turn, *[0] * 6]


def test_a_tile_lies_as_those_beside_it_do_and_not_as_those_far_away() -> None:
    near = lay("1m 2m 3m").quads
    far = np.concatenate([near + np.array([0, y], np.float32) for y in (900, 1100)])
    nearness = nearness_of(np.concatenate([near, far]))
    assert np.allclose(nearness.sum(axis=1), 1)
    assert nearness[0, 1:3].sum() > 0.9
    lone = nearness_of(near[:1])
    assert lone.tolist() == [[0.0]]


def turned_by(quad: np.ndarray, degrees: float, slant: float = 1.0) -> np.ndarray:
    """The quad turned round its middle, then seen from so low down that heights shrink."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = quad.mean(axis=0)
    seen = (middle + (quad - middle) @ turn.T) * (1, slant)
    return np.asarray(seen, np.float32)


@pytest.mark.parametrize(("slant", "most"), [(1.0, 0.01), (0.4, 0.3)])
def test_only_parallel_tiles_tell_how_a_tile_lies(slant: float, most: float) -> None:
    quad = lay("1m").quads[0]
    turns = (0, 4, 90, 180, 35, 125)
    quads = np.array([turned_by(quad, degrees, slant) for degrees in turns])
    parallel = parallel_to(quads)
    assert np.allclose(np.diag(parallel), 1)
    assert np.allclose(parallel, parallel.T)
    assert (parallel[0, :4] > 0.7).all()
    assert (parallel[0, 4:] < most).all()


@pytest.mark.parametrize(("degrees", "turn"), [(0, 0), (40, 2)])
def test_a_tile_thrown_among_others_is_read_as_it_looks(degrees: float, turn: int) -> None:
    quads = lay("1m 2m 3m 4m").quads
    quads[0] = turned_by(quads[0], degrees)
    doubtful = two_ways_up(0.5, others=3)
    views = replace(doubtful, nearness=doubtful.nearness * parallel_to(quads))
    assert views.turns[views.pick(views.credence())].tolist() == [turn, 0, 0, 0]


def test_a_tile_by_itself_is_read_as_it_looks() -> None:
    views = two_ways_up(0.1, others=0)
    assert views.turns[views.pick(views.credence())].tolist() == [2]


def test_very_near_tiles_show_no_more_than_others() -> None:
    image = np.random.default_rng(0).integers(0, 255, (400, 400, 3)).astype(np.uint8)
    far = np.array([[10, 10], [70, 10], [70, 90], [10, 90]], np.float32)
    near = np.array([[100, 10], [340, 10], [340, 330], [100, 330]], np.float32)
    for order in ([far, near], [near, far]):
        crops = turned_crops(image, np.stack(order), 0, (96, 72))
        for crop, quad in zip(crops, order, strict=True):
            whole = rectify(image, quad[np.newaxis], (96, 72))[0]
            if quad is far:
                assert (crop == whole).all()
            else:
                assert crop.std() < 0.8 * whole.std()
                assert crop.mean() == pytest.approx(whole.mean(), abs=2)


def test_each_tile_is_looked_at_every_way_up_and_its_outline_speaks_for_the_long_side() -> None:
    tall = np.array([[10, 10], [40, 10], [40, 50], [10, 50]], np.float32)
    square = np.array([[10, 10], [40, 10], [40, 40], [10, 40]], np.float32)
    image = np.random.default_rng(0).integers(0, 255, (60, 60, 3)).astype(np.uint8)
    quads = np.stack([tall, square])
    angles = all_angles(quads)
    seen_at = sorted(zip(angles.owners.tolist(), angles.turns.tolist(), strict=True))
    assert seen_at == [(tile, turn) for tile in (0, 1) for turn in range(4)]
    for owner, turn, up in zip(angles.owners, angles.turns, angles.ups, strict=True):
        assert up.tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]][turn]
        crop = turned_crops(image, quads[owner : owner + 1], int(turn), (24, 18))[0]
        quad = np.roll(quads[owner], -turn, axis=0)
        assert np.abs(crop.astype(int) - rectify(image, quad[np.newaxis], (24, 18))[0]).max() <= 2
    gain = {
        (owner, turn): outline
        for owner, turn, outline in zip(angles.owners, angles.turns, angles.outline, strict=True)
    }
    assert gain[0, 0] == gain[0, 2] > 0 > gain[0, 1] == gain[0, 3]
    assert gain[1, 0] == gain[1, 1] == 0


def test_a_profile_helps_and_harms_nothing_on_a_set_never_seen() -> None:
    (faces,) = load_designs([SAMPLES / "0901.npz"])
    classifier = open_classifier()
    scene = set_photo(np.random.default_rng(3), faces)
    views = classifier.look(scene.image, scene.quads)
    upright = np.array([np.nonzero(views.owners == i)[0][0] for i in range(len(scene.labels))])
    shots = [
        Shot(label, views.crops[view], views.embeddings[view])
        for label, view in zip(scene.labels, upright, strict=True)
    ]
    profile = make_profile("Sample", shots, classifier.entry)
    right = {"plain": 0, "profile": 0}
    for seed in range(2):
        hand = hand_scene(np.random.default_rng(seed), faces, (1200, 1600))
        for key, known in (("plain", None), ("profile", profile)):
            tiles = read_photo(hand.image, known).tiles
            pairs = match(hand.quads, np.array([tile.quad for tile in tiles], np.float32))
            right[key] += sum(hand.labels[i] == tiles[j].label for i, j in pairs)
    assert right["profile"] >= right["plain"] > 20


def test_a_profile_of_another_classifier_is_seen_again() -> None:
    classifier = open_classifier()
    shots = [Shot("1f", face("A"), direction(1)), Shot("2f", face("B"), direction(2))]
    known = ProfiledClassifier(classifier, make_profile("Old", shots, ENTRY))
    assert known.profile.sha256 == classifier.entry.sha256
    assert np.allclose(known.profile.shots[0].embedding, classifier.embed(face("A")[np.newaxis])[0])
