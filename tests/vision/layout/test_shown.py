"""What is offered as a hand on a table, and what is not: ponds, heaps and sheets of faces."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, BLANK, PLAYING_TILES, READING_LABELS, parse_tiles
from tests.vision.fakes import models_that_see, sure_of
from tests.vision.table import TILE_HEIGHT, Laid, lay, tile, turned
from vision.layout.arrange import arrange
from vision.messages import say
from vision.pipeline import PhotoReader, Seen
from vision.vocabulary.labels import column
from vision.vocabulary.readings import Reading

NEAR, FAR = "123m 456p 789s 1155z", "234m 567p 678s 2266z"
TEN = "123m 45p 99s 115z"
LEFT, RIGHT = "345m 123p 345s 3377z", "789m 345p 567s 4477z"
TOUCHING = TILE_HEIGHT + 4
"""Distance between the centres of touching rows, in pixels."""


def together(*parts: Laid) -> Laid:
    return Laid(
        [label for part in parts for label in part.labels],
        np.concatenate([part.quads for part in parts]).astype(np.float32),
    )


def at(part: Laid, x: float, y: float, degrees: float = 0.0) -> Laid:
    """The tiles turned, and their middle moved to that place."""
    view = turned(part, degrees)
    corners = view.quads.reshape(-1, 2)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    return Laid(view.labels, (view.quads - middle + [x, y]).astype(np.float32))


def pond(seed: int, count: int = 18) -> Laid:
    """Random tiles in touching rows of six."""
    labels = np.random.default_rng(seed).choice(PLAYING_TILES, count)
    rows = [" ".join(labels[start : start + 6]) for start in range(0, count, 6)]
    return lay(*rows, row_distance=TOUCHING)


def heap(seed: int, count: int, x: float, y: float) -> Laid:
    """Random tiles thrown on a patch of the table, at any angle, touching but not overlapping."""
    random = np.random.default_rng(seed)
    places = [(x + 105 * (k % 5), y + 105 * (k // 5)) for k in range(count)]
    quads = [tile(a, b, degrees=random.uniform(0, 360)) for a, b in places]
    return Laid([str(label) for label in random.choice(PLAYING_TILES, count)], np.array(quads))


def ponds(seed: int, count: int = 18) -> Laid:
    """The discards of four players round the middle of a table."""
    ways = ((0, 330, 0), (330, 0, -90), (0, -330, 180), (-330, 0, 90))
    return together(
        *(at(pond(4 * seed + k, count), x, y, turn) for k, (x, y, turn) in enumerate(ways))
    )


def hands_of(shown: Laid) -> list[str]:
    """The tiles in hand of each player who is offered, sorted."""
    hands = arrange(shown.quads, shown.labels).hands
    return sorted(" ".join(sorted(hand.concealed)) for hand in hands)


def tiles(text: str) -> str:
    return " ".join(sorted(parse_tiles(text)))


def read(shown: Laid, probabilities: NDArray[np.float64] | None = None) -> Reading:
    """The reading of tiles that the networks saw like that; by default with certainty."""
    if probabilities is None:
        probabilities = sure_of(shown.labels, 0.999).astype(np.float64)
    models = models_that_see(shown.quads, shown.labels)
    image = np.zeros((40, 40, 3), np.uint8)
    seen = Seen(
        image,
        shown.quads,
        probabilities,
        np.ones(len(probabilities)),
        (),
        (),
        MappingProxyType({}),
        mirrored=False,
    )
    return PhotoReader(*models).lay_out(seen)


@pytest.mark.parametrize("count", [10, 12, 13, 14, 18])
@pytest.mark.parametrize("seed", range(3))
def test_ponds_of_rows_of_six_are_no_hands(seed: int, count: int) -> None:
    assert hands_of(ponds(seed, count)) == []


@pytest.mark.parametrize("seed", range(3))
def test_four_hands_are_found_where_four_lie_round_their_ponds(seed: int) -> None:
    table = together(
        ponds(seed),
        at(lay(NEAR), 0, 900),
        at(lay(RIGHT), 900, 0, -90),
        at(lay(FAR), 0, -900, 180),
        at(lay(LEFT), -900, 0, 90),
    )
    assert hands_of(table) == sorted(map(tiles, (NEAR, FAR, LEFT, RIGHT)))


@pytest.mark.parametrize("seed", range(3))
def test_the_only_hand_that_is_shown_is_offered_alone(seed: int) -> None:
    walls = together(at(lay("back " * 13), -900, 0, 90), at(lay("back " * 13), 0, -900, 180))
    table = together(ponds(seed), walls, at(lay(NEAR), 0, 900))
    assert hands_of(table) == [tiles(NEAR)]


@pytest.mark.parametrize("hand", [NEAR, NEAR + " 2z", NEAR + " 222z"])
@pytest.mark.parametrize("seed", range(3))
def test_a_hand_beside_a_heap_is_offered(seed: int, hand: str) -> None:
    table = together(heap(seed, 25, 200, -700), lay(hand))
    assert hands_of(table) == [tiles(hand)]


@pytest.mark.parametrize("seed", range(3))
def test_a_heap_alone_is_no_hand(seed: int) -> None:
    assert hands_of(heap(seed, 25, 0, 0)) == []


def test_a_sheet_of_all_faces_is_no_hand() -> None:
    sheet = lay("123456789m", "123456789p", "123456789s", "1234567z", row_distance=TOUCHING)
    assert hands_of(sheet) == []


@pytest.mark.parametrize(
    "shown", ["1m5p", "123m 55z", "1m 5z 9p 2s 7z", "19m 28p 37s 146z", "777z", "135m 2468p 1z"]
)
def test_the_few_tiles_of_a_photo_of_little_else_are_offered(shown: str) -> None:
    assert hands_of(lay(shown)) == [tiles(shown)]
    beside = together(lay(shown), Laid(["9s"], np.array([tile(0, 700, degrees=40)])))
    assert hands_of(beside) == [tiles(shown)]


@pytest.mark.parametrize("kong", ["6s back back 6s", "back 6s 6s back"])
@pytest.mark.parametrize("before", ["", "19m", "19m 456p 99s 116z"])
def test_a_concealed_kong_in_the_row_of_the_hand_is_laid_apart(kong: str, before: str) -> None:
    every = "19m 456p 99s 116z"
    shown = lay(f"{before} {kong} {every.removeprefix(before)}")
    (hand,) = arrange(shown.quads, shown.labels).hands
    assert [(meld.kind, meld.tiles, meld.concealed) for meld in hand.melds] == [
        ("kong", ("6s",) * 4, True)
    ]
    assert tiles(" ".join(hand.concealed)) == tiles(every)


def plain(print_share: float, labels: list[str]) -> NDArray[np.float64]:
    """(n, 45): sure faces; of white dragons what is no ``print_share`` speaks for a blank tile."""
    rows = np.full((len(labels), len(READING_LABELS)), 1e-9)
    for row, label in zip(rows, labels, strict=True):
        row[column(label)] = 1.0
        if label == "5z":
            row[column(BLANK)], row[column(BACK)] = 1 - print_share, (1 - print_share) / 5
    shares: NDArray[np.float64] = rows / rows.sum(axis=1, keepdims=True)
    return shares


@pytest.mark.parametrize("middle", ["5z 5z", "5z blank", "blank blank", "back 5z", "back back"])
@pytest.mark.parametrize("row", ["{}|777z", "{}"])
def test_two_plain_tiles_between_equal_faces_are_a_concealed_kongs(middle: str, row: str) -> None:
    shown = lay(row.format(f"6s {middle} 6s"), "123m 99s 11z" if "777z" in row else TEN)
    reading = read(shown, plain(0.998, shown.labels))
    (hand,) = reading.hands
    kong = next(meld for meld in hand.melds if meld.kind == "kong")
    assert (kong.tiles, kong.concealed) == (("6s",) * 4, True)
    labels = [tile.label for tile in reading.tiles]
    start = labels.index("6s")
    assert labels[start : start + 4] == ["6s", "back", "back", "6s"]


def test_printed_white_dragons_between_equal_faces_stay_to_be_checked() -> None:
    shown = lay("6s 5z 5z 6s", TEN)
    reading = read(shown, plain(0.9999, shown.labels))
    assert [tile.label for tile in reading.tiles].count("5z") == 3
    assert all(meld.kind != "kong" for hand in reading.hands for meld in hand.melds)


def test_plain_tiles_beside_a_face_or_between_two_others_stay_dragons() -> None:
    shown = lay("6s 6s 5z 5z 7s 5z 5z 8s 11z 222z")
    reading = read(shown, plain(0.998, shown.labels))
    assert [tile.label for tile in reading.tiles].count("5z") == 4


def test_where_no_hand_is_laid_out_that_is_said_and_nothing_of_its_size() -> None:
    assert read(ponds(1)).warnings[-1] == say("reading.no_hand")
    ids = {
        warning.id for table in (ponds(1), heap(1, 25, 0, 0)) for warning in read(table).warnings
    }
    assert "reading.no_hand" in ids
    assert ids <= {"reading.no_hand", "reading.surplus"}
    assert say("reading.no_hand") not in read(lay(NEAR)).warnings
