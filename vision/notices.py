"""What people should look at again in a reading, said in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scorer.tiles import BACK, BLANK, NAMES, OTHER
from vision.copies import NO_CHANGES, surplus
from vision.readings import HandReading, TileReading

DOUBTFUL_BELOW: Final = 0.8
"""A tile read with less confidence than this should be checked."""

FULL_HAND: Final = (13, 14)
"""How many tiles one player's hand holds, each kong counted as three."""


def warnings_for(
    tiles: Sequence[TileReading],
    hands: Sequence[HandReading],
    copies: Mapping[str, int] = NO_CHANGES,
) -> tuple[str, ...]:
    """Everything in a reading that people should check or do again.

    Args:
        tiles: the readings.
        hands: the hands they make up.
        copies: how many of a face the set has, where it is not the usual number.
    """
    found = _unsure_tiles(tiles)
    for label, count in surplus((tile.label for tile in tiles), copies).items():
        found.append(
            f"{count} tiles are read as {NAMES[label]}, more than the set has: check them."
        )
    for hand in hands:
        found.extend(_hand_faults(hand))
    return tuple(found)


def _unsure_tiles(tiles: Sequence[TileReading]) -> list[str]:
    found = []
    doubtful = sum(tile.confidence < DOUBTFUL_BELOW for tile in tiles)
    if doubtful:
        found.append(f"{_tiles(doubtful)} hard to read: check what is marked.")
    strange = sum(tile.label in (OTHER, BLANK) for tile in tiles)
    if strange:
        found.append(f"{_tiles(strange)} blank or not of the game: say what is meant.")
    return found


def _hand_faults(hand: HandReading) -> list[str]:
    found = []
    if any(BACK in meld.tiles for meld in hand.melds):
        found.append("A kong lies face down: say which tile it is.")
    hidden = hand.concealed.count(BACK)
    if hidden:
        found.append(f"{_tiles(hidden)} face down in the hand: turn over or say what it is.")
    count = len(hand.concealed) + 3 * len(hand.melds)
    if count not in FULL_HAND:
        found.append(
            f"{count} tiles were found where a hand has 13, or 14 after going out "
            "(each kong counts as three): check that all lie open in the photo."
        )
    return found


def _tiles(count: int) -> str:
    return "1 tile is" if count == 1 else f"{count} tiles are"
