"""Things that look like tiles but are not of the set on the table, such as keys of a keyboard."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.evidence.colour import Papers
from vision.vocabulary.labels import SURE, chance_of_print, column, sure_prints

Chances = NDArray[np.float64]

_LEAST_TELLING: Final = 2
"""How many such tiles it takes for their colours to tell anything."""
_NEAREST: Final = 7
_LIGHT: Final = 50.0
"""CIELAB lightness from which faces count as light."""
_SHADE: Final = 0.55
"""Share of the others' lightness that a face keeps even in a shadow: less than a fifth of the
light."""
_PRINTED: Final = 0.5
"""Chance of showing print from which the print is compared."""
FAINT: Final = 0.1
"""Which share of the others' difference from paper to dark print a find's own must not reach, to be
of another set,"""
_DULLER: Final = 0.7
"""and which share of theirs the lightness of its paper."""
_ONE_WAY: Final = 0.75
"""Share of the tiles nearby whose print must be darker."""


def foreign(
    papers: Papers, probabilities: Chances, evidence: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which finds (n,) cannot be of the same set as the sure tiles beside them.

    Either they are far darker than light faces, all but one of those nearby, since a rack or a cup
    may shade several, or light print or next to none stands on duller paper where that of the
    others is dark. No find is told so where fewer than two tiles surely show print, and none that
    is sure itself or, for its darkness, a back.

    Args:
        papers: of the n finds.
        probabilities: (n, 45), each row summing to 1.
        evidence: (n,) from 0 to 1, as :data:`vision.vocabulary.labels.SURE` describes it.
    """
    told = np.zeros(len(evidence), np.bool_)
    printed = chance_of_print(probabilities)
    faces = sure_prints(probabilities, evidence)
    doubtful = np.nonzero((evidence < SURE) & (probabilities[:, column(BACK)] < 0.5))[0]
    if len(faces) < _LEAST_TELLING:
        return told
    for index in doubtful.tolist():
        near = papers.nearest(faces, index, _NEAREST)
        told[index] = _far_darker(papers, index, near) or (
            printed[index] >= _PRINTED and _printed_otherwise(papers, index, near)
        )
    return told


def _far_darker(papers: Papers, index: int, near: NDArray[np.intp]) -> bool:
    paper = float(np.sort(papers.colours[near, 0])[_LEAST_TELLING - 1])
    return paper >= _LIGHT and float(papers.light[index]) < _SHADE * paper


def _printed_otherwise(papers: Papers, index: int, near: NDArray[np.intp]) -> bool:
    darker = float((papers.print_lighter[near] < 0).mean())
    duller = papers.light[index] < _DULLER * np.median(papers.colours[near, 0])
    faint = papers.print_lighter[index] > FAINT * np.median(papers.print_lighter[near])
    return bool(darker >= _ONE_WAY and duller and faint)
