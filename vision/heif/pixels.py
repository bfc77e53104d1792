"""The pixels of a picture, put together of its pieces, the right way up."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.heif import av1, hevc
from vision.heif.picture import Demand, Picture

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
    turned = sum(turn for turn in picture.turns if isinstance(turn, int)) % 2
    shape = (picture.width, picture.height) if turned else (picture.height, picture.width)
    upright = np.zeros((*shape, 3), np.uint8)
    as_stored = upright
    for turn in reversed(picture.turns):
        if isinstance(turn, int):
            as_stored = np.rot90(as_stored, -turn)
        else:
            as_stored = as_stored[::-1] if turn == "top" else as_stored[:, ::-1]
    across, down = picture.piece
    for number, piece in enumerate(_DECODERS[picture.coding](picture)):
        row, column = divmod(number, picture.columns)
        place = as_stored[down * row :, across * column :][:down, :across]
        place[:] = piece[: place.shape[0], : place.shape[1]]
    return upright
