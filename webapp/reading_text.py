"""What a photo was read as, in plain text, for people who use the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.tiles import NAMES, format_tiles
from vision import HandReading, Reading, TileReading
from vision.notices import DOUBTFUL_BELOW

_GUESSES = 3


def reading_summary(photo: str, reading: Reading) -> str:
    """What one photo shows, and what to check."""
    rows = len({tile.row for tile in reading.tiles})
    found = f"{_count(len(reading.tiles), 'tile')} in {_count(rows, 'row')}"
    lines = [f"{photo}: {found}, {sum(reading.seconds.values()):.1f} s"]
    for hand in reading.hands:
        lines += _hand(hand)
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
