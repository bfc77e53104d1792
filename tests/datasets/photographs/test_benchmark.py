"""The shipped benchmark is complete, lawful, and small enough to be carried along."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np

from datasets.photographs.benchmark import (
    ANNOTATIONS,
    LAYOUTS,
    BenchmarkPhoto,
    TrueHand,
    load_benchmark,
)
from datasets.sets.coco import load_photos
from datasets.sets.sources import VAL_DESIGNS
from scorer import parse_deal, score_deal
from scorer.tiles import BACK, BONUS_TILES, SEATS, TILES
from tests.datasets.pathtraced.traced_scenes import as_player
from tests.offenders import assert_of_all

SCENES = load_benchmark()
SHEETS = load_benchmark(split="profile")
HANDS = [hand for scene in SCENES for hand in scene.hands]
MEGABYTE = 1_000_000


def name(scene: BenchmarkPhoto) -> str:
    return scene.photo.path.stem


def tiles_of(hand: TrueHand) -> list[str]:
    return [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles), *hand.bonus]


def test_there_are_enough_scenes_of_many_unseen_designs() -> None:
    assert len(SCENES) >= 120
    layouts = Counter(scene.layout for scene in SCENES)
    assert set(layouts) == {"hand", "table", "hard"} < set(LAYOUTS)
    assert layouts["hand"] >= 70
    assert layouts["table"] >= 25
    assert layouts["hard"] >= 15
    designs = {int(scene.photo.set_name.removeprefix("drawn-")) for scene in SCENES}
    assert len(designs) >= 20
    assert designs <= VAL_DESIGNS


def test_all_of_it_stays_within_15_megabytes() -> None:
    files = [ANNOTATIONS, *(scene.photo.path for scene in [*SCENES, *SHEETS])]
    assert sum(path.stat().st_size for path in files) <= 15 * MEGABYTE
    pictures = set(ANNOTATIONS.with_name("scenes").iterdir())
    assert pictures == set(files[1:])


def test_pictures_are_photographs_of_the_stated_kind() -> None:
    def check(scene: BenchmarkPhoto) -> None:
        image = scene.photo.load_image()
        assert max(image.shape[:2]) == (1600 if scene.layout == "table" else 960)
        assert 15 < image.mean() < 225
        assert image.std() > 8

    assert_of_all(check, SCENES[::9], name)


def test_the_tiles_of_a_scene_are_those_of_one_mahjong_set() -> None:
    def check(scene: BenchmarkPhoto) -> None:
        counts = Counter(tile for hand in scene.hands for tile in tiles_of(hand))
        loose = zip(scene.tiles, scene.owners, strict=True)
        counts.update(tile for tile, owner in loose if owner < 0)
        assert set(counts) <= set(TILES)
        for tile, count in counts.items():
            assert count <= (1 if tile in BONUS_TILES else 4), tile

    assert_of_all(check, SCENES, name)


def test_annotated_tiles_belong_to_the_hands_that_are_stored() -> None:
    def check(scene: BenchmarkPhoto) -> None:
        assert len(scene.hands) == (4 if scene.layout == "table" else 1)
        for index, hand in enumerate(scene.hands):
            shown: dict[str, Counter[str]] = {}
            rows = zip(scene.tiles, scene.owners, scene.groups, strict=True)
            for tile, owner, group in rows:
                if owner == index:
                    shown.setdefault(group, Counter()).update([tile])
            assert shown.pop("hand") <= Counter(hand.concealed)
            assert shown.pop("bonus", Counter()) <= Counter(hand.bonus)
            for number, meld in enumerate(hand.melds):
                assert shown.pop(f"meld {number}", Counter()) <= Counter(meld.tiles)
            assert shown == {}

    assert_of_all(check, SCENES, name)


def test_labels_and_quads_are_sound() -> None:
    def check(scene: BenchmarkPhoto) -> None:
        image_size = (1600, 1200) if scene.layout == "table" else (960, 960)
        rows = zip(scene.photo.labels, scene.tiles, scene.photo.quads, scene.visible, strict=True)
        for label, tile, quad, visible in rows:
            assert label in {tile, BACK, "ignore"}
            assert cv2.contourArea(quad, oriented=True) > 0
            assert cv2.isContourConvex(quad)
            if label != "ignore":
                assert visible >= 0.7
                assert (quad > -3).all()
                assert (quad < np.array(image_size) + 3).all()

    assert_of_all(check, SCENES, name)


def test_most_tiles_of_the_players_can_be_read() -> None:
    labels = [
        label
        for scene in SCENES
        for label, owner in zip(scene.photo.labels, scene.owners, strict=True)
        if owner >= 0
    ]
    assert len(labels) > 2500
    assert labels.count("ignore") / len(labels) < 0.06


def test_a_scene_whose_hands_cannot_all_be_read_says_so() -> None:
    def check(scene: BenchmarkPhoto) -> None:
        rows = zip(scene.photo.labels, scene.owners, strict=True)
        readable = sum(label != "ignore" for label, owner in rows if owner >= 0)
        wanted = sum(len(tiles_of(hand)) for hand in scene.hands)
        assert readable <= wanted
        assert ("covered" in scene.difficulty) == (readable < wanted)

    assert_of_all(check, SCENES, name)


def test_every_face_and_every_seat_occurs() -> None:
    faces = Counter(label for scene in SCENES for label in scene.photo.labels)
    assert set(TILES) | {BACK, "ignore"} == set(faces)
    assert min(faces[tile] for tile in TILES) >= 5
    assert {hand.seat for hand in HANDS} == set(SEATS)
    kinds = Counter((meld.kind, meld.concealed) for hand in HANDS for meld in hand.melds)
    assert {("chow", False), ("pung", False), ("pung", True), ("kong", False)} <= set(kinds)
    hidden = {meld.down for hand in HANDS for meld in hand.melds if meld.kind == "kong"}
    assert hidden == {(), (0, 3), (1, 2), (0, 1, 2, 3)}


def test_winners_have_a_winning_hand() -> None:
    def check(hand: TrueHand) -> None:
        winner = as_player(hand)
        others = [{"seat": seat, "claimed": 0} for seat in SEATS if seat != hand.seat]
        win = {"seat": hand.seat, "tile": hand.concealed[0], "source": "wall"}
        deal = {"ruleset": "bmja-u3a", "players": [winner, *others], "win": win}
        (scored,) = (p for p in score_deal(parse_deal(deal)).players if p.seat == hand.seat)
        assert scored.total >= 20
        assert scored.hand != "none"

    assert_of_all(check, [hand for hand in HANDS if hand.won], str)


def test_losers_hold_thirteen_tiles() -> None:
    def check(hand: TrueHand) -> None:
        assert len(hand.concealed) + 3 * len(hand.melds) == 13

    assert_of_all(check, [hand for hand in HANDS if not hand.won], str)


def test_there_is_a_profile_sheet_with_each_face_for_every_design() -> None:
    assert {sheet.photo.set_name for sheet in SHEETS} == {scene.photo.set_name for scene in SCENES}
    for sheet in SHEETS:
        assert sorted(sheet.photo.labels) == sorted(TILES)
        assert set(sheet.groups) == {"sheet"}


def test_it_is_read_like_any_other_annotated_photographs_too() -> None:
    photos = load_photos(ANNOTATIONS, "val")
    assert [photo.path for photo in photos] == [scene.photo.path for scene in SCENES]
