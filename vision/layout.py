"""Tells from where the tiles lie which are in hand, which are laid out as sets, which are bonus.

The convention at the table: the hand lies in one row; exposed sets lie apart from it, before it
in a row of their own or beside it after a gap; flowers and seasons may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import is_bonus
from vision.readings import HandReading, MeldReading
from vision.rows import Row, find_rows
from vision.sets import find_set, split_into_sets


@dataclass(frozen=True, slots=True)
class Layout:
    """How the tiles of a photo lie.

    Attributes:
        rows: the rows, far to near, as indices into the tiles that were given.
        hands: one entry per player whose tiles are shown.
    """

    rows: tuple[Row, ...]
    hands: tuple[HandReading, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Neighbouring tiles of one row without the bonus tiles, and the sets they make."""

    row: int
    labels: tuple[str, ...]
    sets: tuple[MeldReading, ...] | None


def arrange(quads: NDArray[np.float32], labels: Sequence[str]) -> Layout:
    """The rows and the hand of one player's tiles.

    Args:
        quads: (n, 4, 2) face corners in pixels; corner 0 is the top-left as read upright.
        labels: what each of the n tiles shows, of :data:`scorer.tiles.READING_LABELS`.

    Raises:
        ValueError: the numbers of quads and labels differ.
    """
    if len(quads) != len(labels):
        raise ValueError(f"{len(quads)} quads cannot have {len(labels)} labels")
    rows = find_rows(quads)
    return Layout(rows, (_hand(rows, labels),) if rows else ())


def _hand(rows: Sequence[Row], labels: Sequence[str]) -> HandReading:
    groups: list[_Group] = []
    bonus: list[str] = []
    for number, row in enumerate(rows):
        for members in row.groups:
            shown = [labels[index] for index in members]
            bonus.extend(label for label in shown if is_bonus(label))
            kept = tuple(label for label in shown if not is_bonus(label))
            if kept:
                groups.append(_Group(number, kept, split_into_sets(kept)))
    main = _main_group(groups)
    concealed: list[str] = []
    melds: list[MeldReading] = []
    for group in groups:
        if group is main or group.sets is None:
            concealed.extend(group.labels)
        else:
            melds.extend(group.sets)
    main_row = main.row if main is not None else len(rows) - 1
    return HandReading(main_row, tuple(concealed), tuple(melds), tuple(bonus))


def _main_group(groups: Sequence[_Group]) -> _Group | None:
    """The group that is the hand itself; None if nothing but sets lies on the table.

    It is the largest group, of equal ones the nearest. A group that is made of sets throughout
    gives way to a nearer one that is not: exposed sets lie before the hand.
    """
    if not groups:
        return None
    ranked = sorted(groups, key=lambda group: (len(group.labels), group.row), reverse=True)
    largest = ranked[0]
    loose = [group for group in ranked if group.sets is None]
    if largest.sets is None or len(groups) == 1:
        return largest
    if find_set(largest.labels) is not None:
        return loose[0] if loose else None
    nearer = [group for group in loose if group.row > largest.row]
    return nearer[0] if nearer else largest
