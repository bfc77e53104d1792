"""How the colours of a picture were made brightness and two differences (ITU-T H.273, 8.3)."""

from __future__ import annotations

from typing import Final

from vision.errors import strange_colours

_CONVERTED: Final = frozenset({1, 2, 4, 5, 6, 7, 9})
"""Matrices of table 4 that OpenCV's decoder converts: BT.709, not told, FCC, BT.470BG, BT.601,
SMPTE 240M and BT.2020. With another it hands over a picture that nothing was written into."""


def check_matrix(kind: str, matrix: int) -> None:
    """Let pass only a matrix that is known to be converted.

    Args:
        kind: the file format that refusals name.
        matrix: the number of the matrix in the table.

    Raises:
        PhotoRejected: it is another one.
    """
    if matrix not in _CONVERTED:
        raise strange_colours(kind)
