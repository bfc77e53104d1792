from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from vision.messages import say, verbatim
from vision.vocabulary.reading_form import ReadingFormError, reading_from_json
from vision.vocabulary.readings import (
    HandReading,
    MeldReading,
    Part,
    Reading,
    TileReading,
    to_quad,
)

QUAD = to_quad(np.array([[1.04, 2], [3, 2], [3, 5], [1, 5]]))


def tile(**changes: Any) -> TileReading:
    values: dict[str, Any] = {
        "quad": QUAD,
        "label": "5z",
        "confidence": 0.99812,
        "alternatives": (("5z", 0.99812), ("blank", 0.00101)),
        "row": 0,
    }
    return TileReading(**{**values, **changes})


def test_a_reading_is_written_as_other_programs_expect_it() -> None:
    reading = Reading(
        width=4032,
        height=3024,
        tiles=(tile(),),
        hands=(
            HandReading(1, ("1m",), (MeldReading("pung", ("5z",) * 3, concealed=True),), ("1f",)),
        ),
        warnings=(say("photo.dark"),),
        seconds=MappingProxyType({"decode": 0.05001, "detect": 0.1}),
    )
    assert json.loads(json.dumps(reading.to_json("table.jpg"))) == {
        "photo": "table.jpg",
        "width": 4032,
        "height": 3024,
        "tiles": [
            {
                "quad": [[1.0, 2.0], [3.0, 2.0], [3.0, 5.0], [1.0, 5.0]],
                "label": "5z",
                "confidence": 0.9981,
                "alternatives": [["5z", 0.9981], ["blank", 0.001]],
                "row": 0,
            }
        ],
        "hands": [
            {
                "row": 1,
                "concealed": ["1m"],
                "melds": [{"kind": "pung", "tiles": ["5z", "5z", "5z"], "concealed": True}],
                "bonus": ["1f"],
            }
        ],
        "warnings": ["The photo is dark: switch on a lamp or move the tiles to the light."],
        "seconds": {"decode": 0.05, "detect": 0.1},
    }
    assert list(reading.to_json("x")) == [
        "photo",
        "width",
        "height",
        "tiles",
        "hands",
        "warnings",
        "seconds",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"label": "10m"}, "unknown label '10m'"),
        ({"alternatives": (("joker", 0.5),)}, "unknown label 'joker'"),
        ({"confidence": 1.5}, "0..1, not 1.5"),
        ({"alternatives": (("5z", -0.1),)}, "0..1, not -0.1"),
        ({"confidence": float("nan")}, "0..1, not nan"),
        ({"row": -1}, "counted from 0"),
    ],
)
def test_impossible_tiles_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tile(**changes)


def test_impossible_sets_hands_and_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="kong cannot have 3 tiles"):
        MeldReading("kong", ("1m",) * 3, concealed=False)
    with pytest.raises(ValueError, match="unknown label"):
        MeldReading("pung", ("1x",) * 3, concealed=False)
    with pytest.raises(ValueError, match="neither a flower nor a season"):
        HandReading(0, (), (), ("1m",))
    with pytest.raises(ValueError, match="counted from 0"):
        HandReading(-1, (), (), ())
    with pytest.raises(ValueError, match="0 x 5 pixels"):
        Reading(0, 5, (), ())
    with pytest.raises(ValueError, match=r"shape \(4, 2\)"):
        to_quad(np.zeros((3, 2)))


def whole() -> Reading:
    """A reading with a hand, a concealed meld, a flower, and a tile that is nobody's."""
    labels = ["1m", "back", "5z", "5z", "1f", "9p"]
    tiles = tuple(tile(label=label, alternatives=((label, 0.9),), row=1) for label in labels)
    pung = MeldReading("pung", ("5z",) * 3, concealed=True)
    parts = (
        Part("hand", (0,), None, 1.0, say("part.hand_one")),
        Part("set", (1, 2, 3), pung, 0.91, say("part.concealed_one", kind="pung")),
        Part("bonus", (4,), None, 0.5, say("part.bonus_near")),
    )
    hand = HandReading(1, ("1m",), (pung,), ("1f",), "left", parts)
    warnings = (say("photo.dark"), verbatim("{braces} are words"))
    return Reading(4032, 3024, tiles, (hand,), warnings, MappingProxyType({"decode": 0.1}))


def written(reading: Reading) -> dict[str, Any]:
    form = reading.to_json("table.jpg") | {"layout": reading.layout_json()}
    read: dict[str, Any] = json.loads(json.dumps(form))
    return read


def test_a_reading_is_read_back_as_it_was_written() -> None:
    read = reading_from_json(written(whole()))
    assert written(read) == written(whole())
    assert read.aside == (5,)
    assert read.hands == whole().hands


def test_without_its_layout_a_reading_has_hands_without_parts() -> None:
    form = written(whole())
    del form["layout"], form["seconds"]
    (hand,) = reading_from_json(form).hands
    assert (hand.position, hand.parts) == ("near", ())
    assert (hand.concealed, hand.melds, hand.bonus) == (("1m",), whole().hands[0].melds, ("1f",))


def test_hands_follow_from_the_layout_where_they_are_not_written() -> None:
    read = reading_from_json(written(whole()) | {"hands": []})
    assert read.hands == whole().hands
    assert [part.tiles for part in read.hands[0].parts] == [(0,), (1, 2, 3), (4,)]


def test_a_reading_may_show_nothing() -> None:
    empty = Reading(10, 10, (), ())
    assert reading_from_json(written(empty)) == empty


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tiles": 7}, "^tiles: "),
        ({"width": 0}, "^width: .*greater than 0"),
        ({"tiles": [{}]}, r"^tiles\.0\.quad: "),
        ({"warnings": [1]}, r"^warnings\.0: "),
        ({"tiles": []}, "only tiles that are there"),
        ({"hands": [{"row": 0, "concealed": ["0m"], "melds": [], "bonus": []}]}, "no tile '0m'"),
        (
            {"hands": [{"row": 0, "concealed": [], "melds": [], "bonus": ["1m"]}]},
            "neither a flower",
        ),
        (
            {"hands": [{"row": 0, "concealed": [], "melds": [], "bonus": []}] * 2},
            "do not fit 2 hands",
        ),
        ({"layout": [{"position": "above", "parts": []}]}, r"^layout\.0\.position: "),
    ],
)
def test_what_is_no_reading_is_refused_with_the_place_of_the_fault(
    changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ReadingFormError, match=words):
        reading_from_json(written(whole()) | changes)


@pytest.mark.parametrize("data", [None, 7, "reading", [], {}])
def test_other_json_is_no_reading(data: object) -> None:
    with pytest.raises(ReadingFormError):
        reading_from_json(data)
