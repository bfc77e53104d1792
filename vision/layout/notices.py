"""Warnings of a reading: what people should check or do again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scorer.tiles import BACK, BLANK, NAMES, OTHER
from vision.layout.arrange import Layout
from vision.vocabulary.copies import NO_CHANGES, surplus
from vision.vocabulary.readings import DOUBTFUL_BELOW, FULL_HAND, HandReading, TileReading

_SITTERS: Final = {
    "near": "The player in front",
    "right": "The player on the right",
    "far": "The player opposite",
    "left": "The player on the left",
}


def warnings_for(
    tiles: Sequence[TileReading],
    layout: Layout,
    copies: Mapping[str, int] = NO_CHANGES,
) -> tuple[str, ...]:
    """Everything in a reading that people should check or do again.

    Args:
        tiles: the tiles of the reading.
        layout: how they lie; its indices are those of ``tiles``.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    held = [tiles[index] for hand in layout.hands for index in hand.tiles]
    found = _unsure_tiles(held)
    for label, count in surplus((tile.label for tile in tiles), copies).items():
        found.append(
            f"{count} tiles are read as {NAMES[label]}, more than the set has: check them."
        )
    several = len(layout.hands) > 1
    for hand in layout.hands:
        whose = f"{_SITTERS[hand.position]}: " if several else ""
        found.extend(whose + fault for fault in _hand_faults(hand))
    if layout.strays:
        shown = ", ".join(NAMES[tiles[index].label] for index in layout.strays)
        found.append(f"{_tiles(len(layout.strays))} near the hand but not counted to it: {shown}.")
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
    found += [part.reason for part in hand.parts if part.role == "set" and part.meld is None]
    return [*found, *_wrong_size(hand)]


def _wrong_size(hand: HandReading) -> list[str]:
    """A warning if the hand has too few or too many tiles, with the usual reason for that."""
    apart = sum(part.role == "set" and part.meld is None for part in hand.parts)
    loose = sum(len(p.tiles) for p in hand.parts if p.role == "set" and p.meld is None)
    count = hand.size - loose + 3 * apart
    if count in FULL_HAND:
        return []
    if count < FULL_HAND[0]:
        found = (
            f"{_tiles_were(count)} found where a hand has 13, or 14 after going out (each kong "
            "counts as three): look whether one is hidden in the photo. If none is, the player has "
            "too few: perhaps no tile was taken for a kong or a flower."
        )
    else:
        found = (
            f"{_tiles_were(count)} found where a hand has 13, or 14 after going out (each kong "
            "counts as three): look whether another player's tiles lie with them. If not, the "
            "player has too many: perhaps no tile was thrown away after a replacement."
        )
    return [found]


def _tiles(count: int) -> str:
    return "1 tile is" if count == 1 else f"{count} tiles are"


def _tiles_were(count: int) -> str:
    return "1 tile was" if count == 1 else f"{count} tiles were"
