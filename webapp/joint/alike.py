"""Other tiles that the camera read as it read one that a person has corrected.

A camera that takes one eight of a set for a six takes all its eights for sixes. So what a person
says of one tile is asked of the others that were read alike: once for each player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from scorer.tiles import PLAYING_TILES
from vision.messages import Message
from vision.vocabulary.copies import copies_of_each
from webapp.deal.state import DealState, Player, Reread, Suggestion, Tile
from webapp.language.kept import kept

ANOTHER_READ: Final = "One that was read as {read:tile} is {tile:tile}."
"""The reason for a suggestion about tiles that are read like one that a person corrected."""

NOT_WEIGHED: Final = 0.0
"""The odds of a suggestion that does not come from what the camera saw."""


def alike(
    state: DealState, suggested: Iterable[Suggestion], copies: Mapping[str, int]
) -> Iterator[Suggestion]:
    """What to ask of the tiles that are read like one corrected.

    Only where the set has enough copies, and not of tiles that are asked about anyway.

    Args:
        state: the deal.
        suggested: what is asked already.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    asked = {(change.seat, change.tile) for found in suggested for change in found.changes}
    named = Counter(tile.label for player in state.players for tile in player.tiles)
    limits = copies_of_each(copies)
    for read, label in _put_right(state):
        left = limits[label] - named[label]
        for player in state.players:
            tiles = [t for t in _read_as(player, read, label) if (player.seat, t.id) not in asked]
            if 0 < len(tiles) <= left:
                changes = tuple(Reread(player.seat, tile.id, read, label) for tile in tiles)
                reason = Message(ANOTHER_READ, {"read": read, "tile": label})
                yield Suggestion(changes, NOT_WEIGHED, kept(reason))


def _put_right(state: DealState) -> list[tuple[str, str]]:
    """What the camera said and what a person said instead, each pair once."""
    pairs = [
        (tile.alternatives[0][0], tile.label)
        for player in state.players
        for tile in player.tiles
        if tile.checked and tile.alternatives
    ]
    return [
        (read, label)
        for read, label in dict.fromkeys(pairs)
        if read != label and read in PLAYING_TILES and label in PLAYING_TILES
    ]


def _read_as(player: Player, read: str, label: str) -> list[Tile]:
    """The tiles that the camera read so, that may be the other, and that nobody has looked at."""
    return [
        tile
        for tile in player.tiles
        if tile.open
        and tile.label == read
        and tile.alternatives[0][0] == read
        and label in dict(tile.alternatives)
    ]
