"""From which measured values a photo counts as dark, blurred, small or spoilt by glare.

This module needs no library, and :func:`glance_limits` gives the page the numbers to judge a photo
before it is sent. ``python -m benchmarks.hands.quality``, which spoils rendered photos by known
amounts and counts how many tiles are still read right, gave the thresholds for tiles, its option
``--glance`` those for whole photos.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

BURNT: Final = 250
"""Grey level, 0..255, from which a pixel is burnt out and shows nothing."""

STEADY_SPEED: Final = 0.08
"""Maximum speed of a steady camera in picture widths per second: with an exposure of 1/30 s it
blurs tiles that are a twentieth of the picture wide by a twentieth of their width."""

AIMED_AT: Final = 640
"""Long side in pixels of the frames of a live picture in which tiles are counted. Of the 40 hands
of the benchmark's photos 29 are counted right so, and 39 within three tiles, in one pass of the
detector, which takes 12 ms of one processor; a frame has about 36 kB."""


@dataclass(frozen=True, slots=True)
class TileThresholds:
    """When the tiles of a photo are hard to read. The values are those of ``Quality``.

    Attributes:
        small: narrow side of the faces in pixels below which tiles are small.
        blurred: sharpness below which faces are out of focus or shaken.
        dark: grey level, 0..255, of the faces' light parts below which a photo is dark.
        glare: share of the faces' area above which mirrored lamps cost tiles.
    """

    small: float = 26.0
    blurred: float = 0.04
    dark: float = 45.0
    glare: float = 0.03


TILES: Final = TileThresholds()


@dataclass(frozen=True, slots=True)
class GlanceThresholds:
    """How a whole photo is judged at a glance, before any tile is detected.

    Attributes:
        side: longer side in pixels to which a larger photo is reduced.
        block: side in pixels of the squares in which contrast is measured.
        share: share of the squares that show how sharp the photo is: those with most contrast.
        least: minimum number of such squares.
        contrast: variance of grey levels that some square must have; an empty table is neither
            sharp nor blurred.
        faint: variance of grey levels that is added to each contrast: the grain of a sensor.
        quantile: quantile of these squares' sharpness that is the sharpness of the photo.
        blurred: sharpness below which the photo is blurred.
        brightest: percentile of the grey levels that stands for the light parts of the tiles.
        blown: share of burnt-out pixels above which the photo is too bright.
        small: longer side in pixels below which a row of 14 tiles, with some table round it, is
            small.
    """

    side: int = 1024
    block: int = 32
    share: float = 0.1
    least: int = 8
    contrast: float = 100.0
    faint: float = 25.0
    quantile: float = 0.75
    blurred: float = 0.006
    brightest: int = 95
    blown: float = 0.3
    small: float = 18 * TILES.small


GLANCE: Final = GlanceThresholds()


def glance_limits() -> Mapping[str, float]:
    """The numbers by which a whole photo is judged, by their names, for other programs."""
    return MappingProxyType(
        {
            "side": GLANCE.side,
            "block": GLANCE.block,
            "share": GLANCE.share,
            "least": GLANCE.least,
            "contrast": GLANCE.contrast,
            "faint": GLANCE.faint,
            "quantile": GLANCE.quantile,
            "blurred_below": GLANCE.blurred,
            "brightest": GLANCE.brightest,
            "dark_below": TILES.dark,
            "burnt": BURNT,
            "blown_above": GLANCE.blown,
            "small_below": GLANCE.small,
        }
    )
