"""Counts the taps from four photos to the payments: ``python -m benchmarks.page.taps``.

The deals are those of the path-traced benchmark with four hands, one of which went out. The
benchmark has one picture of each table, so the four photos are cut out of it: each player's tiles
with their surroundings, turned so that the player sits in front, and enlarged to twice their size,
since the hint at small photos is meant for photos from a phone. The cuttings also show parts of
other players' tiles, walls and discards. With ``--rendered`` the tiles of each player in the same
deals are rendered as photos of their own, with held-out designs and without path tracing.

A browser with the size of a phone sends the four photos; a simulated person who knows the tiles
answers the questions, corrects remaining errors, taps in hands whose photo could not be read,
enters how the winner got which tile from whom, and opens the payments. Every press on the page is a
tap, except choosing the photos. ``--deals N`` limits the number of deals.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.page.played import Played, won_deals
from benchmarks.page.tapping import Person
from datasets.photographs.benchmark import BenchmarkPhoto
from datasets.scenes.tables import LaidHand, LaidMeld, photograph_hand
from datasets.sets.faces import FaceSet, load_designs
from tests.webapp.browser.browser import PHONE, Page, chromium, serving
from vision.geometry.quads import side_lengths
from webapp import create_app

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
PHOTO: Final = (1200, 1600)
"""Height and width of rendered photos in pixels."""
AIM: Final = 4.0
"""Maximum mean number of taps."""

Image = NDArray[np.uint8]
_SPARE: Final = 1.0
"""Margin around a player's tiles in the cut-out photo, in long sides of a tile."""
_TURNS: Final = {"near": 0, "right": -1, "far": 2, "left": 1}
"""Number of quarter turns to the left of each player's part."""


def cut_out(photo: BenchmarkPhoto, number: int, image: Image) -> Image:
    """A player's part of a picture of the table, turned so that the player sits in front.

    Args:
        photo: the picture's annotations.
        number: index of the player among its hands.
        image: (h, w, 3) uint8 BGR, the picture.
    """
    quads = photo.photo.quads[np.array(photo.owners) == number]
    spare = _SPARE * float(np.median(side_lengths(quads).max(axis=1)))
    left, top = np.maximum(quads.min(axis=(0, 1)) - spare, 0).astype(int)
    right, bottom = (quads.max(axis=(0, 1)) + spare).astype(int)
    part = np.rot90(image[top:bottom, left:right], _TURNS[photo.hands[number].position])
    large = cv2.resize(np.ascontiguousarray(part), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.uint8)


def cut_outs(played: Played, number: int, folder: Path) -> list[Path]:
    """One cut-out photo of each player, East's first."""
    photo = played.photo
    image = photo.photo.load_image()
    place = {hand.seat: index for index, hand in enumerate(photo.hands)}
    paths = [folder / f"{number:02d}-{seat}.jpg" for seat in "ESWN"]
    for path, seat in zip(paths, "ESWN", strict=True):
        cv2.imwrite(str(path), cut_out(photo, place[seat], image))
    return paths


def photograph(played: Played, faces: FaceSet, number: int, folder: Path) -> list[Path]:
    """One rendered photo of each player, East's first."""
    paths = []
    for place, seat in enumerate("ESWN"):
        hand = played.hands[seat]
        melds = tuple(LaidMeld(meld.tiles, meld.concealed) for meld in hand.melds)
        laid = LaidHand(hand.concealed, melds, hand.bonus)
        rng = np.random.default_rng([number, place, 77])
        paths.append(folder / f"{number:02d}-{seat}.jpg")
        cv2.imwrite(str(paths[-1]), photograph_hand(rng, faces, laid, PHOTO).image)
    return paths


def run(deals: int, folder: Path, *, rendered: bool) -> list[tuple[int, int]]:
    """The number of taps for each deal, and of those that correct tiles."""
    app = create_app(f"sqlite:///{folder / 'taps.sqlite3'}", folder=folder)
    sets = load_designs(sorted(SAMPLES.glob("*.npz")))
    counts = []
    with chromium(folder / "profile") as driver, serving(app) as address:
        page = Page(driver, address)
        page.size(*PHONE)
        for number, played in zip(range(deals), won_deals(), strict=False):
            if rendered:
                photos = photograph(played, sets[number % len(sets)], number, folder)
            else:
                photos = cut_outs(played, number, folder)
            person = Person(page, app)
            person.play(played, photos)
            counts.append((person.taps, person.corrections))
            sys.stdout.write(f"deal {number + 1}: {person.taps} taps, {person.corrections} of ")
            sys.stdout.write("them to put tiles right\n")
            sys.stdout.flush()
    return counts


def main() -> None:
    """Count the taps and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--rendered", action="store_true", help="photos of each player's own")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        counts = run(options.deals, Path(folder), rendered=options.rendered)
    taps, corrections = np.array(counts).mean(axis=0)
    sys.stdout.write(
        f"{len(counts)} deals: {taps:.1f} taps in the mean (aim {AIM:.0f}), {corrections:.1f} of "
        f"them to put tiles right; median {np.median([count for count, _ in counts]):.0f}, "
        f"most {max(count for count, _ in counts)}\n"
    )


if __name__ == "__main__":
    main()
