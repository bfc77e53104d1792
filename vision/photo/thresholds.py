"""From which measures on a photo is said to be dark, blurred, small or spoilt by glare.

Plain numbers without any library, so that a page can look at a photo by the same ones before it is
sent. The limits on tiles come from ``python -m benchmarks.hands.quality``, which spoils rendered
photos by known amounts and counts how many tiles are still read right; those on whole photos from
its option ``--glance``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SMALL_TILE: Final = 26.0
"""Narrow side in pixels below which tiles are small. Careful photos are still read at 20 pixels;
shaken, dim or seen from aside they need more."""

BLURRED_BELOW: Final = 0.04
"""Sharpness below which faces are out of focus or shaken.

At 0.058 99.5% of the tiles are read right, at 0.043 98%, at 0.024 90%, at 0.019 44%."""

DARK_BELOW: Final = 45.0
"""Grey level, of 255, of the tiles' light parts below which a photo is too dark.

At 56 98% of the tiles are read right, at 41 96%, at 27 83%, at 20 40%."""

GLARE_ABOVE: Final = 0.03
"""Share of the faces' area from which on lamps that are mirrored in them cost tiles.

Over 3% of each face they leave 93% of the tiles read right, over 6% 87%, over 10% 79%."""

BRIGHTEST: Final = 95
"""Percentile of a photo's grey levels that stands for the light parts of its tiles."""

BURNT: Final = 250
"""Grey level from which on nothing is told apart."""

SMALL_PHOTO: Final = 18 * SMALL_TILE
"""Longer side in pixels below which a row of 14 tiles, with some table round it, is small."""

GLANCE_SIDE: Final = 1024
"""Pixels of the longer side at which a whole photo is glanced at."""
GLANCE_BLOCK: Final = 32
"""Side in pixels of the squares in which it is then looked at,"""
GLANCE_SHARE: Final = 0.1
"""of which the share with most contrast tells how sharp it is,"""
GLANCE_LEAST: Final = 8
"""at least so many of them,"""
GLANCE_CONTRAST: Final = 100.0
"""if one has at least this variance of grey levels: an empty table is neither sharp nor blurred."""
GLANCE_FAINT: Final = 25.0
"""Variance of a sensor's grain, which is no contrast."""
GLANCE_QUANTILE: Final = 0.75
"""The crisper of them speak for the photo."""
GLANCE_BLURRED_BELOW: Final = 0.006
"""Sharpness of a whole photo below which it is blurred.

Of the benchmark's photos and of phone photos of tables none is below 0.009; out of focus by 3% of a
tile's width they are at 0.004, shaken by 15% at 0.005."""

BLOWN_ABOVE: Final = 0.3
"""Share of a photo that is burnt out from which on it is too bright: the benchmark's photos have
up to 0.08, careful rendered ones up to 0.2. A lamp mirrored in the tiles is far less, and is only
seen on the tiles themselves."""


def glance_limits() -> Mapping[str, float]:
    """The limits by which a whole photo is judged, by their names, for other programs."""
    return MappingProxyType(
        {
            "side": GLANCE_SIDE,
            "block": GLANCE_BLOCK,
            "share": GLANCE_SHARE,
            "least": GLANCE_LEAST,
            "contrast": GLANCE_CONTRAST,
            "faint": GLANCE_FAINT,
            "quantile": GLANCE_QUANTILE,
            "blurred_below": GLANCE_BLURRED_BELOW,
            "brightest": BRIGHTEST,
            "dark_below": DARK_BELOW,
            "burnt": BURNT,
            "blown_above": BLOWN_ABOVE,
            "small_below": SMALL_PHOTO,
        }
    )
