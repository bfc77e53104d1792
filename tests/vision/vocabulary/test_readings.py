from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from vision.messages import say
from vision.vocabulary.readings import HandReading, MeldReading, Reading, TileReading, to_quad

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
