"""The reading of a photo as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scorer.tiles import NAMES, format_tiles
from vision import HandReading, Reading, TileReading
from vision.layout.unknown_set import UNKNOWN_SET
from vision.vocabulary.readings import DOUBTFUL_BELOW

_GUESSES = 3
"""Maximum number of labels that are shown for a doubtful tile."""

_SIDES = {
    "near": "The player in front",
    "right": "The player on the right",
    "far": "The player opposite",
    "left": "The player on the left",
}
"""The words for the sides of a photo at which a hand lies."""


def reading_summary(photo: str, reading: Reading, *, why: bool = False) -> str:
    """The hands on one photo, the doubtful tiles, and the warnings.

    Tiles of a set that the reader does not know are not listed, since most are doubtful.

    Args:
        photo: the name of the photo.
        reading: the reading of the photo.
        why: whether each part of a hand is shown with its reason and confidence.
    """
    rows = len({tile.row for tile in reading.tiles})
    found = f"{_count(len(reading.tiles), 'tile')} in {_count(rows, 'row')}"
    lines = [f"{photo}: {found}, {sum(reading.seconds.values()):.1f} s"]
    for hand in reading.hands:
        if len(reading.hands) > 1:
            lines.append(f"  {_SIDES[hand.position]}")
        lines += _hand(hand)
        if why:
            lines += _reasons(hand, reading.tiles)
    if UNKNOWN_SET not in reading.warnings:
        lines += _doubtful(reading.tiles)
    lines += [f"  ! {warning}" for warning in reading.warnings]
    return "\n".join(lines)


def _hand(hand: HandReading) -> Iterator[str]:
    yield f"  {'in hand':<16}{format_tiles(hand.concealed) or 'nothing'}"
    for meld in hand.melds:
        how = "concealed" if meld.concealed else "exposed"
        yield f"  {f'{how} {meld.kind}':<16}{format_tiles(meld.tiles)}"
    if hand.bonus:
        yield f"  {'bonus':<16}{format_tiles(hand.bonus)}"


def _reasons(hand: HandReading, tiles: Sequence[TileReading]) -> Iterator[str]:
    for part in hand.parts:
        shown = format_tiles(tiles[index].label for index in part.tiles)
        yield f"    {shown}: {part.reason} ({part.confidence:.0%} sure)"


def _doubtful(tiles: Iterable[TileReading]) -> Iterator[str]:
    for number, tile in enumerate(tiles, 1):
        if tile.confidence < DOUBTFUL_BELOW:
            guesses = ", ".join(
                f"{NAMES[label]} {probability:.0%}"
                for label, probability in tile.alternatives[:_GUESSES]
            )
            yield f"  ? tile {number} (row {tile.row + 1}): {guesses}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
