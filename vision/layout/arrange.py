"""The layout of the tiles of a photo: whose they are, and whether in hand, in melds or bonus.

By the convention at the table a hand lies in one row; exposed melds lie apart from it, before it
in a row of their own or beside it after a gap; flowers and seasons lie near by. Walls, discards and
strays belong to nobody. A photo may show one player's tiles or those of several, or no hand at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS, is_bonus
from vision.geometry.table_plane import seen_from_above
from vision.layout.by_place import BonusGuess, bonus_guess
from vision.layout.groups import Group, groups_of
from vision.layout.players import find_seats, strays
from vision.layout.rows import Row, find_rows, with_added_kongs
from vision.layout.seats import Assignment, Seat
from vision.layout.shown import hands_shown
from vision.layout.tabletop import Tabletop
from vision.messages import Message, say
from vision.vocabulary.readings import POSITIONS, HandReading, MeldReading, Part, Position

Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Layout:
    """How the tiles of a photo lie.

    Attributes:
        rows: the rows, far to near, as indices of the tiles that were given.
        hands: one entry for each player whose tiles are shown; their parts hold the same indices.
        strays: indices of tiles that lie with the only hand but do not belong to it.
    """

    rows: tuple[Row, ...]
    hands: tuple[HandReading, ...]
    strays: tuple[int, ...] = ()

    @property
    def bonus(self) -> dict[int, float]:
        """Tiles that lie as bonus tiles, with the probability that they belong to a hand."""
        parts = [part for hand in self.hands for part in hand.parts if part.role == "bonus"]
        return {index: part.confidence for part in parts for index in part.tiles}

    @property
    def in_hand(self) -> tuple[int, ...]:
        """Indices of the tiles in hand, which are neither laid apart nor left aside."""
        parts = (part for hand in self.hands for part in hand.parts if part.role == "hand")
        return tuple(index for part in parts for index in part.tiles)


def arrange(
    quads: NDArray[np.float32], labels: Sequence[str], guess: BonusGuess | None = None
) -> Layout:
    """Find the rows and the hands on a photo.

    Args:
        quads: (n, 4, 2) float32 face corners in pixels; corner 0 is the top-left as read upright.
        labels: labels of the n tiles, of :data:`scorer.tiles.READING_LABELS`.
        guess: the likeliest flower or season for each tile; a tile that may be one and lies as one
            gets this label. By default a tile is a bonus tile only if its label is one.

    Raises:
        ValueError: the numbers of quads and labels differ.
    """
    if len(quads) != len(labels):
        raise ValueError(f"{len(quads)} quads cannot have {len(labels)} labels")
    if len(quads) == 0:
        return Layout((), ())
    guess = guess or BonusGuess(labels, np.zeros(len(labels)))
    above = seen_from_above(quads)
    rows = with_added_kongs(find_rows(above), above, labels)
    tabletop = Tabletop(groups_of(rows, above, labels, guess.chances), above, labels)
    seats = hands_shown(tabletop, find_seats(tabletop))
    positions = _positions([seat.toward for seat in seats])
    hands = [
        _hand(tabletop, seat, position, _as_laid(tabletop, seat, labels, guess.labels))
        for seat, position in zip(seats, positions, strict=True)
    ]
    hands.sort(key=lambda hand: POSITIONS.index(hand.position))
    near = strays(tabletop, seats[0]) if len(seats) == 1 else ()
    members = [index for number in near for index in tabletop.groups[number].members]
    return Layout(rows, tuple(hands), tuple(members))


def laid(quads: NDArray[np.float32], probabilities: Vectors) -> Layout:
    """The layout of tiles by their likeliest labels.

    Args:
        quads: (n, 4, 2) float32 face corners in pixels; corner 0 is the top-left as read upright.
        probabilities: (n, 45), each row summing to 1.
    """
    labels = [READING_LABELS[best] for best in probabilities.argmax(axis=1)]
    return arrange(quads, labels, bonus_guess(probabilities))


def renumbered(layout: Layout) -> Layout:
    """The layout with its tiles renumbered row by row, each row from left to right."""
    order = [index for row in layout.rows for index in row.members]
    number = {index: place for place, index in enumerate(order)}
    rows = tuple(
        Row(tuple(tuple(number[i] for i in group) for group in row.groups)) for row in layout.rows
    )
    hands = tuple(
        replace(
            hand,
            parts=tuple(
                replace(part, tiles=tuple(number[i] for i in part.tiles)) for part in hand.parts
            ),
        )
        for hand in layout.hands
    )
    strays = tuple(number[index] for index in layout.strays)
    return replace(layout, rows=rows, hands=hands, strays=strays)


def _positions(toward: Sequence[Vectors]) -> list[Position]:
    """The side at which each player sits, from the directions (2,) in which the players look.

    A single player sits near.
    """
    if len(toward) < 2:
        return ["near"] * len(toward)
    quarters = np.array([np.degrees(np.arctan2(-way[0], -way[1])) for way in toward]) / 90
    lean = float(np.angle(np.exp(2j * np.pi * quarters).mean())) / (2 * np.pi)
    sides = np.round(quarters - lean).astype(int)
    return [POSITIONS[side % 4] for side in sides.tolist()]


def _hand(tabletop: Tabletop, seat: Seat, position: Position, labels: Sequence[str]) -> HandReading:
    groups = tabletop.groups
    parts = [
        part
        for assigned in _in_order(tabletop, seat)
        for group in (groups[assigned.group],)
        for part in _parts(assigned, group, _members(group, assigned, seat, labels), labels)
    ]
    concealed = [
        labels[index]
        for part in parts
        for index in part.tiles
        if part.role != "bonus" and part.meld is None
    ]
    melds = tuple(part.meld for part in parts if part.meld is not None)
    bonus = tuple(labels[i] for part in parts if part.role == "bonus" for i in part.tiles)
    row = groups[seat.assignments[0].group].row
    return HandReading(row, tuple(concealed), melds, bonus, position, tuple(parts))


def _as_laid(
    tabletop: Tabletop, seat: Seat, labels: Sequence[str], guessed: Sequence[str]
) -> Sequence[str]:
    """The labels, with the guessed ones of tiles that lie as the player's flowers and seasons."""
    laid = [
        i for c in seat.assignments if c.role == "bonus" for i in tabletop.groups[c.group].members
    ]
    taken = {index for index in laid if not is_bonus(labels[index])}
    return [guessed[i] if i in taken else label for i, label in enumerate(labels)]


def _in_order(tabletop: Tabletop, seat: Seat) -> list[Assignment]:
    """The player's groups, the farthest row first, each row from the player's left to right."""
    right = _right_of(seat)

    def place(assigned: Assignment) -> tuple[float, float]:
        row = tabletop.groups[assigned.group].row
        same = [c.group for c in seat.assignments if tabletop.groups[c.group].row == row]
        ahead = float((tabletop.places[same] @ seat.toward).max())
        return -ahead, float(tabletop.places[assigned.group] @ right)

    return sorted(seat.assignments, key=place)


def _right_of(seat: Seat) -> Vectors:
    """The unit direction (2,) to the player's right."""
    return np.array([-seat.toward[1], seat.toward[0]])


def _members(
    group: Group, assigned: Assignment, seat: Seat, labels: Sequence[str]
) -> tuple[int, ...]:
    """The group's tiles from the player's left to right, without those that are not counted."""
    members = _left_to_right(group, seat)
    if assigned.role != "hand" or not seat.without_backs:
        return members
    return tuple(index for index in members if labels[index] != BACK)


def _left_to_right(group: Group, seat: Seat) -> tuple[int, ...]:
    """The group's tiles from the player's left to right."""
    forward = float(group.axis @ _right_of(seat)) * group.direction
    return group.members if forward >= 0 else group.members[::-1]


def _parts(
    assigned: Assignment, group: Group, members: Sequence[int], labels: Sequence[str]
) -> Iterator[Part]:
    bonus = tuple(index for index in members if is_bonus(labels[index]))
    kept = tuple(index for index in members if not is_bonus(labels[index]))
    if assigned.role == "hand" and kept:
        yield Part("hand", kept, None, assigned.confidence, _why_hand(kept, labels))
    elif assigned.role == "set":
        melds = group.melds_of([labels[index] for index in kept])
        if melds is None:
            yield Part("set", kept, None, assigned.confidence, _why_no_meld(kept, labels))
        start = 0
        for meld in melds or ():
            tiles = kept[start : start + len(meld.tiles)]
            start += len(meld.tiles)
            yield Part("set", tiles, meld, assigned.confidence, _why_meld(meld, tiles, labels))
    if bonus:
        alone = assigned.role == "bonus"
        why = say("part.bonus_near" if alone else "part.bonus_among")
        yield Part("bonus", bonus, None, assigned.confidence if alone else 1.0, why)


def _why_hand(tiles: Sequence[int], labels: Sequence[str]) -> Message:
    backs = sum(labels[index] == BACK for index in tiles)
    count = len(tiles)
    hand = say("part.hand_one") if count == 1 else say("part.hand", tiles=count)
    return say("part.unseen", hand=hand, backs=backs) if backs else hand


def _why_meld(meld: MeldReading, tiles: Sequence[int], labels: Sequence[str]) -> Message:
    backs = sum(labels[index] == BACK for index in tiles)
    if backs == len(tiles):
        return say("part.hidden_kong")
    if backs == 1:
        return say("part.concealed_one", kind=meld.kind)
    if backs:
        return say("part.concealed", backs=backs, kind=meld.kind)
    return say("part.exposed", what=_WHAT_LIES[meld.kind], kind=meld.kind)


_WHAT_LIES: Final = {
    "chow": say("part.chow"),
    "pung": say("part.pung"),
    "kong": say("part.kong"),
}


def _why_no_meld(tiles: Sequence[int], labels: Sequence[str]) -> Message:
    shown = " ".join(labels[index] for index in tiles)
    return say("part.no_meld", tiles=len(tiles), shown=shown)
