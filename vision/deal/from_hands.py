"""The hands of a photo as tiles for the joint decision, and the decided labels as hands again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.tiles import is_bonus
from vision.deal.decide import JointTile
from vision.vocabulary.melds import MELD_LENGTHS, find_meld
from vision.vocabulary.readings import HandReading, MeldReading, Part, TileReading


def tiles_to_decide(
    tiles: Sequence[TileReading], hand: HandReading, player: str
) -> tuple[JointTile, ...]:
    """One player's tiles, those of each meld laid apart as one group.

    Args:
        tiles: all tiles of the reading.
        hand: the player's hand; its parts hold indices of the tiles.
        player: name of the player, such as a seat.

    Returns:
        The tiles in the order of ``hand.tiles``.
    """
    found = []
    for number, part in enumerate(hand.parts):
        apart = part.role == "set" and len(part.tiles) in MELD_LENGTHS
        group = f"set {number}" if apart else None
        found += [JointTile(tiles[i].alternatives, player, group) for i in part.tiles]
    return tuple(found)


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
