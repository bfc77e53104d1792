"""Hands, as they were read or as people left them, decided together, and decided labels as hands.

Anyone who decides a deal does it by :func:`decide_hands`: the page, whose tiles people may have
corrected, and the benchmark, which measures what the page does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.tiles import is_bonus
from vision.deal.decide import decide
from vision.deal.decision import Decision, JointTile
from vision.deal.winner import Winner
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.melds import MELD_LENGTHS, find_meld
from vision.vocabulary.readings import HandReading, MeldReading, Part, TileReading

Alternatives = Sequence[tuple[str, float]]
"""Labels of one tile with their probabilities."""


@dataclass(frozen=True, slots=True)
class PlayerTiles:
    """One player's tiles, ready to be decided together with those of the others.

    Attributes:
        player: name of the player, such as a seat.
        tiles: the labels that each tile may have; a label that is certain stands alone.
        groups: for each tile the name of the group laid apart in which it lies, None for a tile in
            hand or a bonus tile. Groups of three or four tiles are melds, others count for nothing.
        size: the number of tiles that the hand must have, each meld counted as three and bonus
            tiles left out; None where that is not known.
    """

    player: str
    tiles: tuple[Alternatives, ...]
    groups: tuple[str | None, ...]
    size: int | None = None

    def joint_tiles(self) -> list[JointTile]:
        """The tiles as :func:`vision.deal.decide.decide` takes them."""
        members = Counter(self.groups)
        return [
            JointTile(_ranked(each), self.player, group if members[group] in MELD_LENGTHS else None)
            for each, group in zip(self.tiles, self.groups, strict=True)
        ]


def decide_hands(
    hands: Sequence[PlayerTiles],
    *,
    copies: Mapping[str, int] = NO_CHANGES,
    winner: Winner | None = None,
) -> Decision:
    """Decide the labels of all players' tiles together.

    Args:
        hands: of all players that have tiles.
        copies: number of tiles of each face of which the tile set has an unusual number.
        winner: the player who declared going out; None if nobody did or it is not known.

    Returns:
        The decision about the tiles of all hands, one hand after the other.

    Raises:
        ValueError: the winner has no tiles.
        RuntimeError: the solver found no choice.
    """
    tiles = [tile for hand in hands for tile in hand.joint_tiles()]
    sizes = {hand.player: hand.size for hand in hands if hand.size is not None}
    return decide(tiles, copies=copies, sizes=sizes, winner=winner)


def _ranked(alternatives: Alternatives) -> tuple[tuple[str, float], ...]:
    """The labels, each once, the likeliest first."""
    best: dict[str, float] = {}
    for label, probability in alternatives:
        best[label] = max(probability, best.get(label, 0.0))
    return tuple(sorted(best.items(), key=lambda pair: -pair[1]))


def player_tiles(
    tiles: Sequence[TileReading], hand: HandReading, player: str, size: int | None = None
) -> PlayerTiles:
    """The tiles of a hand as they were read.

    Args:
        tiles: all tiles of the reading.
        hand: the player's hand; its parts hold indices of the tiles.
        player: name of the player, such as a seat.
        size: the number of tiles that the hand must have, if it is known.

    Returns:
        The tiles in the order of ``hand.tiles``.
    """
    groups = [
        f"part {number}" if part.role == "set" else None
        for number, part in enumerate(hand.parts)
        for _ in part.tiles
    ]
    read = tuple(tiles[index].alternatives for index in hand.tiles)
    return PlayerTiles(player, read, tuple(groups), size)


def with_labels(hand: HandReading, labels: Sequence[str]) -> HandReading:
    """The hand with other labels, from which its melds and bonus tiles follow.

    Args:
        hand: a hand whose parts hold indices of its tiles.
        labels: the labels of the tiles in the order of ``hand.tiles``.

    Raises:
        ValueError: the numbers of labels and tiles differ.
    """
    if len(labels) != len(hand.tiles):
        raise ValueError(f"{len(hand.tiles)} tiles cannot have {len(labels)} labels")
    rest = iter(labels)
    concealed: list[str] = []
    melds: list[MeldReading] = []
    bonus: list[str] = []
    parts: list[Part] = []
    for part in hand.parts:
        shown = [next(rest) for _ in part.tiles]
        meld = find_meld(shown) if part.role == "set" else None
        parts.append(replace(part, meld=meld))
        if meld is not None:
            melds.append(meld)
            continue
        for label in shown:
            (bonus if is_bonus(label) else concealed).append(label)
    return replace(
        hand,
        concealed=tuple(concealed),
        melds=tuple(melds),
        bonus=tuple(bonus),
        parts=tuple(parts),
    )
