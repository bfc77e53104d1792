"""The pixels of a picture, put together of its pieces, the right way up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.heif import av1, hevc
from vision.heif.picture import Demand, Picture
from vision.heif.steps import as_shown, as_stored, is_turned

_DEMANDS: Final = {"hvcC": hevc.demand, "av1C": av1.demand}
"""What looks through pieces, by the box with their parameters."""
_DECODERS: Final = {"hvcC": hevc.decoded, "av1C": av1.decoded}
"""What decodes them."""


def demand(picture: Picture) -> Demand:
    """What decoding a picture's pieces takes, each of them looked through.

    Raises:
        PhotoRejected: a piece is damaged, or says another size than the file.
    """
    return _DEMANDS[picture.coding](picture)


def pixels_of(picture: Picture) -> NDArray[np.uint8]:
    """The picture as (h, w, 3) BGR, upright.

    Raises:
        PhotoRejected: a piece is damaged, or nothing here can decode it.
    """
    pieces = _DECODERS[picture.coding](picture)
    if len(picture.pieces) == 1:
        (piece,) = pieces
        stored = piece[: picture.height, : picture.width]
    else:
        stored = _together(picture, pieces)
    return np.ascontiguousarray(as_shown(picture.steps, stored))


def _together(picture: Picture, pieces: Iterator[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The pieces of a picture put together as (h, w, 3), laid out so that no turn copies them."""
    size = picture.width, picture.height
    upright = np.zeros((*(size if is_turned(picture.steps) else size[::-1]), 3), np.uint8)
    stored = as_stored(picture.steps, upright)
    across, down = picture.piece
    for number, piece in enumerate(pieces):
        row, column = divmod(number, picture.columns)
        place = stored[down * row :, across * column :][:down, :across]
        place[:] = piece[: place.shape[0], : place.shape[1]]
    return stored
