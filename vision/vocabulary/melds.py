"""What a set of tiles looks like on the table: three or four equal tiles, or a run of three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scorer.tiles import BACK, PLAIN_FACES, PLAYING_TILES, is_suit, sort_tiles
from vision.vocabulary.readings import MeldReading

SET_SIZES: Final = (3, 4)
"""Of how many tiles a set laid apart consists."""


def find_set(labels: Sequence[str]) -> MeldReading | None:
    """The one set that these labels make, or None.

    A face-down tile among three or four equal ones shows that the set was laid down concealed
    and counts as its face; four face-down tiles are a concealed kong of an unknown face.

    Args:
        labels: the tiles of one group, from left to right.
    """
    if len(labels) not in SET_SIZES:
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


def split_into_sets(labels: Sequence[str]) -> tuple[MeldReading, ...] | None:
    """The sets that lie side by side without a gap, or None if a tile is left over.

    Args:
        labels: the tiles of one group, from left to right; sets are taken as they lie.
    """
    best: list[tuple[MeldReading, ...] | None] = [()]
    for end in range(1, len(labels) + 1):
        best.append(None)
        for size in SET_SIZES:
            before = best[end - size] if end >= size else None
            found = find_set(labels[end - size : end]) if before is not None else None
            if before is not None and found is not None:
                best[end] = (*before, found)
    return best[-1] or None


def nearly_a_set(labels: Sequence[str]) -> bool:
    """Whether all but one of three or four tiles are equal, face-down ones taken as the others.

    Or whether they would be a set if its plain tiles lay face down, or a run if one of the three
    showed something else.

    Args:
        labels: the tiles of one group, from left to right.
    """
    faces = [label for label in labels if label != BACK]
    if len(labels) not in SET_SIZES or not faces:
        return False
    if find_set([BACK if label in PLAIN_FACES else label for label in labels]):
        return True
    most = max(faces.count(face) for face in faces)
    if len(faces) > 1 and most == len(faces) - 1 and (most > 1 or len(faces) < len(labels)):
        return True
    suited = [face for face in faces if is_suit(face)]
    pairs = [(a, b) for k, a in enumerate(suited) for b in suited[k + 1 :]]
    close = any(a[1] == b[1] and 0 < abs(int(a[0]) - int(b[0])) <= 2 for a, b in pairs)
    return len(labels) == 3 and close


def _is_run(faces: Sequence[str]) -> bool:
    if len(faces) != 3 or not all(is_suit(face) for face in faces):
        return False
    numbers = sorted(int(face[0]) for face in faces)
    return len({face[1] for face in faces}) == 1 and numbers == [
        numbers[0],
        numbers[0] + 1,
        numbers[0] + 2,
    ]
