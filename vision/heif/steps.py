"""How a picture is cut, turned and mirrored before it is shown (ISO/IEC 23008-12, 6.5).

A step is a number of quarter turns to the left, ``top`` where top and bottom are exchanged,
``side`` where left and right are, or an aperture that is cut out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import damaged
from vision.heif.boxes import Fields

Pixels = NDArray[np.uint8]

NAMES: Final = frozenset({b"clap", b"irot", b"imir"})
"""The properties that are steps; a picture has each of them once at most."""


@dataclass(frozen=True, slots=True)
class Aperture:
    """What is cut out of a picture (ISO/IEC 14496-12, 12.1.4), in pixels.

    Attributes:
        size: width and height.
        off: how far its centre lies to the right of the picture's, and below it.
    """

    size: tuple[Fraction, Fraction]
    off: tuple[Fraction, Fraction]

    def spans(self, sides: tuple[int, int]) -> tuple[slice, slice]:
        """The columns and the rows of a picture of this width and height that are shown."""
        across, down = (
            slice(max(0, start), max(0, min(side, start + floor(length + Fraction(1, 2)))))
            for side, length, off in zip(sides, self.size, self.off, strict=True)
            for start in (floor(off + (side - length) / 2),)
        )
        return across, down


Step = int | str | Aperture


def read_step(kind: str, name: bytes, content: memoryview) -> Step:
    """The step that a property says.

    Args:
        kind: the file format that refusals name.
        name: the property's name, one of :data:`NAMES`.
        content: its bytes.

    Raises:
        PhotoRejected: it is cut short, or divides by nothing.
    """
    body = Fields(kind, content)
    if name == b"clap":
        width, height, right, below = (_fraction(body) for _ in range(4))
        return Aperture((width, height), (right, below))
    how = body.number(1)
    return how & 3 if name == b"irot" else ("top", "side")[how & 1]


def _fraction(body: Fields) -> Fraction:
    above, under = (int.from_bytes(body.take(4), "big", signed=True) for _ in range(2))
    if under <= 0:
        raise damaged(body.kind)
    return Fraction(above, under)


def is_turned(steps: Sequence[Step]) -> bool:
    """Whether width and height are exchanged in the end."""
    return sum(step for step in steps if isinstance(step, int)) % 2 == 1


def shown_size(steps: Sequence[Step], width: int, height: int) -> tuple[int, int]:
    """Width and height of what is shown of a picture; 0 where nothing is left."""
    for step in steps:
        if isinstance(step, Aperture):
            across, down = step.spans((width, height))
            width, height = max(0, across.stop - across.start), max(0, down.stop - down.start)
        elif isinstance(step, int) and step % 2:
            width, height = height, width
    return width, height


def as_shown(steps: Sequence[Step], pixels: Pixels) -> Pixels:
    """A view of pixels (h, w, 3) as they are shown."""
    for step in steps:
        if isinstance(step, Aperture):
            across, down = step.spans((pixels.shape[1], pixels.shape[0]))
            pixels = pixels[down, across]
        elif isinstance(step, int):
            pixels = np.rot90(pixels, step)
        else:
            pixels = pixels[::-1] if step == "top" else pixels[:, ::-1]
    return pixels


def as_stored(steps: Sequence[Step], upright: Pixels) -> Pixels:
    """A view of upright pixels (h, w, 3) that nothing was cut from, as the file stores them."""
    for step in reversed(steps):
        if isinstance(step, int):
            upright = np.rot90(upright, -step)
        elif isinstance(step, str):
            upright = upright[::-1] if step == "top" else upright[:, ::-1]
    return upright
