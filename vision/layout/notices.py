"""Warnings of a reading: what people should check or do again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scorer.tiles import BACK, BLANK, OTHER
from vision.layout.arrange import Layout
from vision.layout.unknown_set import UNKNOWN_SET, is_unknown_set
from vision.messages import Message, say
from vision.vocabulary.copies import NO_CHANGES, surplus
from vision.vocabulary.readings import DOUBTFUL_BELOW, FULL_HAND, HandReading, TileReading

_SITTERS: Final = {
    "near": say("player.near"),
    "right": say("player.right"),
    "far": say("player.far"),
    "left": say("player.left"),
}


def warnings_for(
    tiles: Sequence[TileReading],
    layout: Layout,
    copies: Mapping[str, int] = NO_CHANGES,
    *,
    taught: bool = False,
) -> tuple[Message, ...]:
    """Everything in a reading that people should check or do again.

    Args:
        tiles: the tiles of the reading.
        layout: how they lie; its indices are those of ``tiles``.
        copies: number of tiles of each face of which the tile set has an unusual number.
        taught: whether a profile of the tile set helped to read it, so that it is not unknown.

    Returns:
        the warnings; of a tile set that the reader does not know only that, since what else could
        be said of its tiles rests on labels that are mostly wrong.
    """
    if not taught and is_unknown_set(tiles):
        return (UNKNOWN_SET,)
    held = [tiles[index] for hand in layout.hands for index in hand.tiles]
    found = _unsure_tiles(held)
    for label, count in surplus((tile.label for tile in tiles), copies).items():
        found.append(say("reading.surplus", count=count, label=label))
    if tiles and not layout.hands:
        found.append(say("reading.no_hand"))
    several = len(layout.hands) > 1
    for hand in layout.hands:
        whose = _SITTERS[hand.position]
        for fault in _hand_faults(hand):
            told = say("reading.of_player", player=whose, fault=fault)
            found.append(told if several else fault)
    if layout.strays:
        shown = tuple(tiles[index].label for index in layout.strays)
        found.append(say("reading.strays", tiles=_tiles_are(len(shown)), shown=shown))
    return tuple(found)


def _unsure_tiles(tiles: Sequence[TileReading]) -> list[Message]:
    found = []
    doubtful = sum(tile.confidence < DOUBTFUL_BELOW for tile in tiles)
    if doubtful:
        found.append(say("reading.doubtful", tiles=_tiles_are(doubtful)))
    strange = sum(tile.label in (OTHER, BLANK) for tile in tiles)
    if strange:
        found.append(say("reading.strange", tiles=_tiles_are(strange)))
    return found


def _hand_faults(hand: HandReading) -> list[Message]:
    found = []
    if any(BACK in meld.tiles for meld in hand.melds):
        found.append(say("hand.hidden_kong"))
    hidden = hand.concealed.count(BACK)
    if hidden:
        found.append(say("hand.face_down", tiles=_tiles_are(hidden)))
    found += [part.reason for part in hand.parts if part.role == "set" and part.meld is None]
    return [*found, *_wrong_size(hand)]


def _wrong_size(hand: HandReading) -> list[Message]:
    """A warning if the hand has too few or too many tiles, with the usual reason for that."""
    apart = sum(part.role == "set" and part.meld is None for part in hand.parts)
    loose = sum(len(p.tiles) for p in hand.parts if p.role == "set" and p.meld is None)
    count = hand.size - loose + 3 * apart
    if count in FULL_HAND:
        return []
    fault = "hand.too_few" if count < FULL_HAND[0] else "hand.too_many"
    tiles_were = say("tiles.was") if count == 1 else say("tiles.were", count=count)
    return [say(fault, tiles_were=tiles_were)]


def _tiles_are(count: int) -> Message:
    return say("tiles.is") if count == 1 else say("tiles.are", count=count)
