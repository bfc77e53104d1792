"""The demo's sample photographs: one deal of four players, rendered from a held-out design.

``python -m datasets.photographs.demo --out webapp`` writes ``static/samples/*.jpg`` and
``samples.json`` with the true deal.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.designs.drawing.design import load_design
from datasets.props.backgrounds import draw_cloth
from datasets.scenes.tables import LaidHand, LaidMeld, photograph_hand
from datasets.sets.faces import from_design
from scorer.tiles import SEAT_NAMES, parse_tiles

SIZE: Final = (1200, 1600)
"""Height and width of the sample photographs in pixels."""
CLOTH: Final = (62, 104, 38)
"""Colour of the table cloth, BGR."""
_QUALITY: Final = 78
"""JPEG quality of the sample photographs."""


def _tiles(text: str) -> tuple[str, ...]:
    return tuple(parse_tiles(text))


HANDS: Final = {
    "E": LaidHand(_tiles("111m2m45p88s33z"), (LaidMeld(_tiles("999p")),), _tiles("1f")),
    "S": LaidHand(
        _tiles("222s55s666s"), (LaidMeld(_tiles("777z")), LaidMeld(_tiles("999s"))), _tiles("2f2y")
    ),
    "W": LaidHand(_tiles("34m9m1p6p777p22z"), (LaidMeld(_tiles("1111z"), concealed=True),)),
    "N": LaidHand(_tiles("567m88p1s3s9s444z55z"), (), _tiles("4f3y")),
}
"""The tiles in front of each player; South has gone out on North's discard."""

SEEDS: Final = {"E": 101, "S": 200, "W": 304, "N": 401}
"""Seed of each player's photograph, for its table, light and camera."""


def _meld(meld: LaidMeld) -> dict[str, Any]:
    kind = "kong" if len(meld.tiles) == 4 else "pung"
    return {"kind": kind, "tiles": list(meld.tiles), "concealed": meld.concealed}


def demo_deal() -> dict[str, Any]:
    """The deal in the scorer's JSON form."""
    players = [
        {
            "seat": seat,
            "concealed": list(hand.concealed),
            "melds": [_meld(meld) for meld in hand.melds],
            "bonus": list(hand.bonus),
        }
        for seat, hand in HANDS.items()
    ]
    return {
        "ruleset": "bmja-u3a",
        "round_wind": "E",
        "dealer": "E",
        "players": players,
        "win": {"seat": "S", "tile": "6s", "source": "discard", "from": "N"},
    }


def main() -> None:
    """Render the four photographs and write the deal next to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--design", type=Path, required=True, help="a drawn design")
    parser.add_argument("--out", type=Path, required=True, help="folder of the web page")
    options = parser.parse_args()
    faces = from_design(load_design(options.design))
    folder = options.out / "static" / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    samples = []
    for seat, hand in HANDS.items():
        rng = np.random.default_rng(SEEDS[seat])
        table = draw_cloth(rng, SIZE, np.array(CLOTH, np.float32))
        scene = photograph_hand(rng, faces, hand, SIZE, table)
        name = f"{SEAT_NAMES[seat].lower()}.jpg"
        cv2.imwrite(str(folder / name), scene.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        samples.append(
            {"seat": seat, "photo": f"samples/{name}", "title": f"{SEAT_NAMES[seat]}'s tiles"}
        )
    data = {"photos": samples, "deal": demo_deal()}
    (options.out / "samples.json").write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
