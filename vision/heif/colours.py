"""How the colours of a picture were made brightness and two differences (ITU-T H.273, 8.3)."""

from __future__ import annotations

from typing import Final

from vision.errors import strange_colours

_CONVERTED: Final = {
    "hvcC": frozenset({1, 2, 4, 5, 6, 7, 9}),
    "av1C": frozenset({0, 1, 2, 4, 5, 6, 7, 8, 9, 12}),
}
"""Matrices of table 4 that are converted, by the box of the coding. OpenCV knows BT.709, not told,
FCC, BT.470BG, BT.601, SMPTE 240M and BT.2020; with another it hands over a picture that nothing was
written into. Pillow knows red, green and blue, YCgCo and what the primaries tell besides."""


def check_matrix(kind: str, matrix: int, coding: str = "hvcC") -> None:
    """Let pass only a matrix that is known to be converted.

    Args:
        kind: the file format that refusals name.
        matrix: the number of the matrix in the table.
        coding: the name of the box with the parameters of the coding.

    Raises:
        PhotoRejected: it is another one.
    """
    if matrix not in _CONVERTED[coding]:
        raise strange_colours(kind)
