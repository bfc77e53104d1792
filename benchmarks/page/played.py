"""The benchmark's won deals, to be played on the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from datasets.photographs.benchmark import BenchmarkPhoto, TrueHand, load_benchmark
from scorer import DealError, parse_deal, score_deal

_SOURCES: Final = ("discard", "wall", "discard", "discard", "wall")


@dataclass(frozen=True, slots=True)
class Played:
    """A deal that someone won.

    Attributes:
        hands: the hand of each seat.
        winner: seat of the winner.
        tile: the tile on which the winner went out.
        source: ``wall`` or ``discard``.
        giver: seat of the player who discarded the tile.
        photo: the photo of the table.
    """

    hands: dict[str, TrueHand]
    winner: str
    tile: str
    source: str
    giver: str | None
    photo: BenchmarkPhoto


def won_deals() -> Iterator[Played]:
    """The benchmark's tables with a winner that can be scored."""
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
        played = Played(hands, winner.seat, tile, source, giver, photo)
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
