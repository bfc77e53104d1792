"""The shipped models on rendered photos of sets that they were never trained on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.photographs.demo import HANDS
from datasets.props.backgrounds import draw_background
from datasets.scenes.photography import expose, light
from models.evaluation.__main__ import evaluate
from models.evaluation.examples import rendered
from scorer.tiles import SEAT_NAMES, sort_tiles
from vision import NoTilesFound, read_photo
from vision.shipped import open_classifier

ROOT = Path(__file__).parents[3]


def test_hands_of_held_out_sets_are_found_and_read() -> None:
    figures = evaluate(rendered(ROOT / "datasets" / "samples", 8))
    assert figures["tiles"] > 100
    assert figures["detection"]["recall"] >= 0.96
    assert figures["reading"]["top1"] >= 0.88


def test_corners_that_are_off_are_put_nearer() -> None:
    rng = np.random.default_rng(8)
    off, told = [], []
    for example in rendered(ROOT / "datasets" / "samples", 4):
        quads = example.quads
        width = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, np.newaxis, np.newaxis]
        found = (quads + 0.06 * width * rng.normal(size=quads.shape)).astype(np.float32)
        seen = open_classifier().look(example.load(), found).quads
        off += list(np.abs(found - quads) / width)
        told += list(np.abs(seen - quads) / width)
    assert len(off) > 50
    assert np.mean(told) < 0.75 * np.mean(off)


@pytest.mark.parametrize("seat", HANDS)
def test_the_demo_photos_are_read_but_for_a_tile_or_two(seat: str) -> None:
    photo = ROOT / "webapp" / "static" / "samples" / f"{SEAT_NAMES[seat].lower()}.jpg"
    reading = read_photo(photo.read_bytes())
    hand = HANDS[seat]
    truth = [*hand.concealed, *hand.bonus]
    for meld in hand.melds:
        hidden = meld.concealed and len(meld.tiles) == 4
        truth += ["back", *meld.tiles[1:-1], "back"] if hidden else meld.tiles
    got = [tile.label for tile in reading.tiles]
    assert len(got) == len(truth)
    missed = list(truth)
    for label in got:
        if label in missed:
            missed.remove(label)
    assert len(missed) <= 1, (sort_tiles(got), sort_tiles(truth))


def test_the_deal_of_the_demo_is_what_was_photographed() -> None:
    deal = json.loads((ROOT / "webapp" / "samples.json").read_text())["deal"]
    for player in deal["players"]:
        hand = HANDS[player["seat"]]
        assert tuple(player["concealed"]) == hand.concealed
        assert [tuple(meld["tiles"]) for meld in player["melds"]] == [m.tiles for m in hand.melds]
        assert tuple(player["bonus"]) == hand.bonus


def test_tables_without_tiles_hardly_ever_show_any() -> None:
    seen = []
    for seed in range(8):
        rng = np.random.default_rng(900 + seed)
        table = draw_background(rng, (480, 640), 6).astype(np.float32)
        try:
            seen.append(len(read_photo(expose(rng, light(rng, table))).tiles))
        except NoTilesFound:
            seen.append(0)
    assert sum(count > 0 for count in seen) <= 1
