"""How many taps lead from four photos to the payments: ``python -m benchmarks.taps``.

Deals of the path-traced benchmark are laid out once more, each player's tiles photographed on
their own with designs that nothing was trained on. A browser the size of a phone sends the four
photos; somebody who knows the tiles answers what is asked, corrects what is still wrong, says how
the winner got which tile from whom and looks at the payments. Every press on the page is a tap;
choosing the photos is not. ``--deals N`` takes fewer deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
import numpy as np

from benchmarks.tapping import Person
from datasets.benchmark import TrueHand, load_benchmark
from datasets.faces import FaceSet, load_designs
from datasets.table_scenes import LaidHand, LaidMeld, photograph_hand
from scorer import DealError, parse_deal, score_deal
from tests.webapp.browser import PHONE, Page, chromium, serving
from webapp import create_app

SAMPLES: Final = Path(__file__).parents[1] / "datasets" / "samples"
PHOTO: Final = (1200, 1600)
AIM: Final = 8.0
_SOURCES: Final = ("discard", "wall", "discard", "discard", "wall")


@dataclass(frozen=True, slots=True)
class Played:
    """A deal that somebody won.

    Attributes:
        hands: of each seat.
        winner: the seat.
        tile: on which the winner went out.
        source: ``wall`` or ``discard``.
        giver: who discarded it.
    """

    hands: dict[str, TrueHand]
    winner: str
    tile: str
    source: str
    giver: str | None


def won_deals() -> Iterator[Played]:
    """The benchmark's tables on which somebody went out and that can be scored."""
    for photo in load_benchmark():
        winner = next((hand for hand in photo.hands if hand.won), None)
        if len(photo.hands) != 4 or winner is None:
            continue
        hands = {hand.seat: hand for hand in photo.hands}
        number = len(photo.tiles)
        source = _SOURCES[number % len(_SOURCES)]
        others = [seat for seat in "ESWN" if seat != winner.seat]
        giver = others[number % 3] if source == "discard" else None
        tile = winner.concealed[number % len(winner.concealed)]
        played = Played(hands, winner.seat, tile, source, giver)
        if _can_be_scored(played):
            yield played


def _can_be_scored(played: Played) -> bool:
    players = [
        {
            "seat": seat,
            "concealed": list(hand.concealed),
            "melds": [
                {"kind": m.kind, "tiles": list(m.tiles), "concealed": m.concealed}
                for m in hand.melds
            ],
            "bonus": list(hand.bonus),
        }
        for seat, hand in played.hands.items()
    ]
    win = {"seat": played.winner, "tile": played.tile, "source": played.source}
    win |= {"from": played.giver} if played.giver else {}
    try:
        score_deal(parse_deal({"ruleset": "bmja-u3a", "players": players, "win": win}))
    except DealError:
        return False
    return True


def photograph(played: Played, faces: FaceSet, number: int, folder: Path) -> list[Path]:
    """One photo of each player, East's first."""
    paths = []
    for place, seat in enumerate("ESWN"):
        hand = played.hands[seat]
        melds = tuple(LaidMeld(meld.tiles, meld.concealed) for meld in hand.melds)
        laid = LaidHand(hand.concealed, melds, hand.bonus)
        rng = np.random.default_rng([number, place, 77])
        paths.append(folder / f"{number:02d}-{seat}.jpg")
        cv2.imwrite(str(paths[-1]), photograph_hand(rng, faces, laid, PHOTO).image)
    return paths


def run(deals: int, folder: Path) -> list[tuple[int, int]]:
    """The taps of each deal: all of them, and those that put tiles right."""
    app = create_app(f"sqlite:///{folder / 'taps.sqlite3'}", folder=folder)
    sets = load_designs(sorted(SAMPLES.glob("*.npz")))
    counts = []
    with chromium(folder / "profile") as driver, serving(app) as address:
        page = Page(driver, address)
        page.size(*PHONE)
        for number, played in zip(range(deals), won_deals(), strict=False):
            photos = photograph(played, sets[number % len(sets)], number, folder)
            person = Person(page, app)
            person.play(played, photos)
            counts.append((person.taps, person.corrections))
            sys.stdout.write(f"deal {number + 1}: {person.taps} taps, {person.corrections} of ")
            sys.stdout.write("them to put tiles right\n")
            sys.stdout.flush()
    return counts


def main() -> None:
    """Count and tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=20)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        counts = run(options.deals, Path(folder))
    taps, corrections = np.array(counts).mean(axis=0)
    sys.stdout.write(
        f"{len(counts)} deals: {taps:.1f} taps in the mean (aim {AIM:.0f}), {corrections:.1f} of "
        f"them to put tiles right; most {max(count for count, _ in counts)}\n"
    )


if __name__ == "__main__":
    main()
