"""The sequence parameter set of HEVC (ITU-T H.265, 7.3.2.2): size, depth, and what colours mean.

OpenCV shows a picture in other colours, and takes two seconds for it, where its set names primaries
or a curve of its own, as iPhones do. They are put to those of an ordinary picture; JPEG files are
read in the same way, as they are stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.errors import costly, damaged
from vision.heif.bits import Bits
from vision.heif.colours import check_matrix

_KIND: Final = "HEIC"
_SAMPLES: Final = {0: 1.0, 1: 1.5, 2: 2.0, 3: 3.0}
"""Samples of a pixel, by the number of its kind of colour."""
_MOST: Final = 64
"""Maximum number of sets of other pictures, and of pictures in one: the standard has no more."""
_OWN_SHAPE: Final = 255
"""Number that says that the shape of pixels is told in 32 bits."""
_ORDINARY: Final = (1 << 8) + 13
"""Primaries and curve of an ordinary picture, sRGB, as two bytes."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a sequence parameter set says.

    Attributes:
        coded: width and height in pixels of what is coded.
        held: bytes that a decoder holds of a pixel.
        unit: the set, with the primaries and the curve of an ordinary picture.
    """

    coded: tuple[int, int]
    held: float
    unit: bytes


def read_sizes(unit: bytes) -> Sizes:
    """What a sequence parameter set says.

    Raises:
        PhotoRejected: it is damaged, or its colours are not known to be converted.
    """
    bits = Bits(_KIND, unit[:2] + unit[2:].replace(b"\0\0\3", b"\0\0"))
    bits.number(16 + 4)
    layers = bits.number(3)
    bits.number(1)
    _pass_over_levels(bits, layers)
    bits.any_number()
    colours = bits.any_number()
    if colours == 3:
        bits.number(1)
    coded = bits.any_number(), bits.any_number()
    if bits.number(1):
        bits.any_numbers(4)
    depths = bits.any_number(), bits.any_number()
    _pass_over_tools(bits, layers)
    held = _SAMPLES.get(colours, 3.0) * (2 if any(depths) else 1)
    return Sizes(coded, held, _in_ordinary_colours(bits))


def _pass_over_levels(bits: Bits, layers: int) -> None:
    bits.number(96)
    present = [(bits.number(1), bits.number(1)) for _ in range(layers)]
    if layers:
        bits.number(2 * (8 - layers))
    for profile, level in present:
        bits.number(88 * profile + 8 * level)


def _pass_over_tools(bits: Bits, layers: int) -> None:
    """Pass over everything between the depth and what colours mean."""
    of_order = bits.any_number() + 4
    every = bits.number(1)
    bits.any_numbers(3 * (layers + 1 if every else 1))
    bits.any_numbers(6)
    if bits.number(1) and bits.number(1):
        _pass_over_scales(bits)
    bits.number(2)
    if bits.number(1):
        bits.number(8)
        bits.any_numbers(2)
        bits.number(1)
    _pass_over_sets(bits)
    if bits.number(1):
        for _ in range(_at_most(bits.any_number())):
            bits.number(of_order + 1)
    bits.number(2)


def _at_most(count: int) -> int:
    """A count that the standard allows."""
    if count > _MOST:
        raise damaged(_KIND)
    return count


def _pass_over_scales(bits: Bits) -> None:
    """Pass over scaling lists (7.3.4)."""
    for size in range(4):
        for _ in range(2 if size == 3 else 6):
            if bits.number(1):
                bits.any_numbers(min(64, 16 << 2 * size) + (size > 1))
            else:
                bits.any_number()


def _pass_over_sets(bits: Bits) -> None:
    """Pass over sets of other pictures (7.3.7), which films need."""
    pictures = 0
    for number in range(_at_most(bits.any_number())):
        if number and bits.number(1):
            bits.number(1)
            bits.any_number()
            pictures = sum(bits.number(1) or bits.number(1) for _ in range(pictures + 1))
        else:
            pictures = _at_most(bits.any_number()) + _at_most(bits.any_number())
            for _ in range(pictures):
                bits.any_number()
                bits.number(1)
        _at_most(pictures)


def _in_ordinary_colours(bits: Bits) -> bytes:
    """The set, whose flag for what colours mean (E.2.1) comes next, in ordinary colours."""
    value, length = int.from_bytes(bits.data, "big"), 8 * len(bits.data)
    if bits.number(1):
        if bits.number(1) and bits.number(8) == _OWN_SHAPE:
            bits.number(32)
        if bits.number(1):
            bits.number(1)
        if bits.number(1):
            bits.number(4)
            if bits.number(1):
                told = bits.number(16)
                value ^= (told ^ _ORDINARY) << (length - bits.at)
                check_matrix(_KIND, bits.number(8))
    return _guarded(value.to_bytes(len(bits.data), "big"))


def _guarded(data: bytes) -> bytes:
    """The bytes with a 3 wherever they would look like the start of another unit."""
    guarded = bytearray()
    for byte in data:
        if byte <= 3 and guarded[-2:] == b"\0\0":
            guarded.append(3)
        guarded.append(byte)
    if len(guarded) > 0xFFFF:
        raise costly(_KIND)
    return bytes(guarded)
