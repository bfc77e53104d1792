"""Counts what was said of a table: faces and backs, invented tiles, and how sure it was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

import numpy as np

from models.evaluation.outcomes import NOTHING, TileOutcome
from scorer.tiles import BACK
from vision.vocabulary.readings import DOUBTFUL_BELOW

_WHITE_DRAGON: Final = "5z"
"""The face that plain white surfaces are mistaken for."""


class SaidFigures(TypedDict):
    """Numbers of tiles, and the calibration of their confidences.

    Attributes:
        faces: true tiles that lie face up.
        found: those of them that were found, read as whatever.
        right: those of them that were read right.
        invented: faces said where there is no tile; a back said there is none of them.
        invented_per_100: the same for each 100 true faces.
        invented_white: the White dragons among them.
        on_backs: faces said on true backs, not counted as invented.
        on_backs_white: the White dragons among them.
        backs: true tiles that lie face down.
        backs_found: those of them that were found, read as whatever.
        backs_right: those of them that were read as backs.
        sure: tiles of any kind said with the confidence from which nobody is asked to check.
        sure_wrong: those of them that are wrong, invented or on a back.
        ece: expected calibration error of all that is said; what is invented is wrong.
    """

    faces: int
    found: int
    right: int
    invented: int
    invented_per_100: float
    invented_white: int
    on_backs: int
    on_backs_white: int
    backs: int
    backs_found: int
    backs_right: int
    sure: int
    sure_wrong: int
    ece: float


def said_figures(tiles: Sequence[TileOutcome]) -> SaidFigures:
    """The figures of all true tiles and false positives of some pictures."""
    backs = [tile for tile in tiles if tile.wanted == BACK]
    faces = [tile for tile in tiles if tile.wanted not in (BACK, NOTHING)]
    said = [tile for tile in tiles if tile.found or tile.wanted == NOTHING]
    invented = [tile for tile in said if tile.wanted == NOTHING and tile.got != BACK]
    on_backs = [tile for tile in backs if tile.found and tile.got != BACK]
    sure = [tile for tile in said if tile.confidence >= DOUBTFUL_BELOW]
    return {
        "faces": len(faces),
        "found": sum(tile.found for tile in faces),
        "right": sum(tile.right for tile in faces),
        "invented": len(invented),
        "invented_per_100": 100 * len(invented) / len(faces) if faces else 0.0,
        "invented_white": _white_dragons(invented),
        "on_backs": len(on_backs),
        "on_backs_white": _white_dragons(on_backs),
        "backs": len(backs),
        "backs_found": sum(tile.found for tile in backs),
        "backs_right": sum(tile.right for tile in backs),
        "sure": len(sure),
        "sure_wrong": sum(not tile.right for tile in sure),
        "ece": expected_calibration_error([(tile.confidence, tile.right) for tile in said]),
    }


def said_lines(figures: SaidFigures) -> list[str]:
    """The figures in a few lines for people."""
    f = figures
    return [
        f"faces found {_of(f['found'], f['faces'])}, right {_of(f['right'], f['found'])}",
        (
            f"faces invented {f['invented']} ({f['invented_per_100']:.2f} per 100 true ones), "
            f"{f['invented_white']} of them White dragons"
        ),
        f"faces said on backs {f['on_backs']}, {f['on_backs_white']} of them White dragons",
        (
            f"backs found {_of(f['backs_found'], f['backs'])}, "
            f"right {_of(f['backs_right'], f['backs_found'])}"
        ),
        f"wrong of what is said from {DOUBTFUL_BELOW:.2f} on: {_of(f['sure_wrong'], f['sure'])}",
        f"ECE of all that is said, the invented included, {f['ece']:.4f}",
    ]


def _white_dragons(tiles: Sequence[TileOutcome]) -> int:
    return sum(tile.got == _WHITE_DRAGON for tile in tiles)


def _of(part: int, whole: int) -> str:
    """A share as numbers and, if there are any, as percent."""
    return f"{part} of {whole}" + (f" ({part / whole:.2%})" if whole else "")


def expected_calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """Expected calibration error: mean gap between confidence and accuracy (arXiv 1706.04599)."""
    if not pairs:
        return 0.0
    sure, right = np.array([p for p, _ in pairs]), np.array([r for _, r in pairs], float)
    which = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(sure[which == b].mean() - right[which == b].mean()) * (which == b).mean()
        for b in range(bins)
        if np.any(which == b)
    ]
    return float(np.sum(gaps))
