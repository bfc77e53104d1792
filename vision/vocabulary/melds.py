"""Which tiles make a meld: three or four equal tiles, or a run of three in one suit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scorer.tiles import BACK, PLAYING_TILES, is_suit, sort_tiles
from vision.vocabulary.readings import MeldReading

MELD_LENGTHS: Final = (3, 4)
"""Possible numbers of tiles of a meld."""


def find_meld(labels: Sequence[str]) -> MeldReading | None:
    """The meld that these labels make together, or None.

    A face-down tile among three or four equal ones shows that the meld was laid down concealed
    and counts as its face; four face-down tiles are a concealed kong of an unknown face.

    Args:
        labels: the tiles of one group, from left to right.
    """
    if len(labels) not in MELD_LENGTHS:
        return None
    faces = [label for label in labels if label != BACK]
    hidden = len(labels) - len(faces)
    if not faces:
        return MeldReading("kong", tuple(labels), concealed=True) if hidden == 4 else None
    if len(set(faces)) == 1 and faces[0] in PLAYING_TILES:
        if len(labels) == 4:
            return MeldReading("kong", (faces[0],) * 4, concealed=hidden > 0)
        if hidden <= 1:
            return MeldReading("pung", (faces[0],) * 3, concealed=hidden > 0)
    if hidden == 0 and _is_run(faces):
        return MeldReading("chow", tuple(sort_tiles(faces)), concealed=False)
    return None


def split_into_melds(labels: Sequence[str]) -> tuple[MeldReading, ...] | None:
    """The melds that lie side by side without a gap, or None if a tile is left over.

    Args:
        labels: the tiles of one group, from left to right; their order is kept.
    """
    best: list[tuple[MeldReading, ...] | None] = [()]
    for end in range(1, len(labels) + 1):
        best.append(None)
        for size in MELD_LENGTHS:
            before = best[end - size] if end >= size else None
            found = find_meld(labels[end - size : end]) if before is not None else None
            if before is not None and found is not None:
                best[end] = (*before, found)
    return best[-1] or None


def _is_run(faces: Sequence[str]) -> bool:
    if len(faces) != 3 or not all(is_suit(face) for face in faces):
        return False
    numbers = sorted(int(face[0]) for face in faces)
    return len({face[1] for face in faces}) == 1 and numbers == [
        numbers[0],
        numbers[0] + 1,
        numbers[0] + 2,
    ]
