"""Counts over many pictures, and the figures computed from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from models.evaluation.matching import average_precision
from models.evaluation.outcomes import NOTHING, PhotoOutcome, TileOutcome
from models.evaluation.said import expected_calibration_error, said_figures
from scorer.tiles import BONUS_TILES, DRAGONS, READING_LABELS, SAME_UPSIDE_DOWN, TILES

LEAST_OVERLAPS: Final = (0.5, 0.75)
"""The overlaps at which average precision is computed."""
KINDS: Final[Mapping[str, frozenset[str]]] = {
    "suits and honours": frozenset(TILES) - frozenset(BONUS_TILES),
    "bonus tiles": frozenset(BONUS_TILES),
    "dragons": frozenset(DRAGONS),
    "one bamboo": frozenset({"1s"}),
    "pictured": frozenset({*BONUS_TILES, *DRAGONS, "1s"}),
    "others": frozenset(TILES) - frozenset({*BONUS_TILES, *DRAGONS, "1s"}),
}
"""Groups of faces whose accuracy is reported separately."""

SIZES: Final = (0, 16, 24, 32, 48)
"""Lower bounds, in pixels of the narrower side, of the tile sizes reported separately."""


def summarise(outcomes: Sequence[PhotoOutcome]) -> dict[str, object]:
    """All figures of some pictures, as JSON values; shares lie in 0..1.

    Keys: ``pictures``, ``exact`` (all tiles found and right, none invented), ``tiles``,
    ``detection``, ``corners`` (errors in tile widths), ``reading`` (of the found tiles),
    ``said`` (:func:`models.evaluation.said.said_figures`), ``kinds``, ``sizes``, ``classes``,
    ``sets``, ``confusions`` and ``seconds``.
    """
    tiles = [tile for outcome in outcomes for tile in outcome.tiles]
    report = {**_heart(outcomes), "corners": _corners(tiles), "said": said_figures(tiles)}
    report["kinds"] = {
        kind: _reading([tile for tile in tiles if tile.wanted in labels])
        for kind, labels in KINDS.items()
    }
    report["sizes"] = _sizes([tile for tile in tiles if tile.wanted != NOTHING])
    report["classes"] = {
        label: _reading(rows)
        for label in READING_LABELS
        if (rows := [tile for tile in tiles if tile.wanted == label])
    }
    report["sets"] = {
        group: _heart(rows) for group, rows in _grouped(outcomes, lambda o: o.group).items()
    }
    wrong = Counter((t.wanted, t.got) for t in tiles if not t.right)
    report["confusions"] = [[*pair, count] for pair, count in wrong.most_common(25)]
    report["seconds"] = _seconds(outcomes)
    return report


def _grouped(
    outcomes: Iterable[PhotoOutcome], key: Callable[[PhotoOutcome], str]
) -> dict[str, list[PhotoOutcome]]:
    groups: dict[str, list[PhotoOutcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[key(outcome)].append(outcome)
    return dict(sorted(groups.items()))


def _heart(outcomes: Sequence[PhotoOutcome]) -> dict[str, object]:
    tiles = [tile for outcome in outcomes for tile in outcome.tiles]
    true = [tile for tile in tiles if tile.wanted != NOTHING]
    found = sum(tile.found for tile in true)
    invented = len(tiles) - len(true)
    detection = {
        "found": found,
        "recall": _share(found, len(true)),
        "invented": invented,
        "invented_per_tile": _share(invented, len(true)),
        "precision": _share(found, found + invented),
    }
    for index, least in enumerate(LEAST_OVERLAPS):
        finds = [find for outcome in outcomes for find in outcome.finds[index]]
        detection[f"ap{least * 100:.0f}"] = average_precision(finds, len(true))
    return {
        "pictures": len(outcomes),
        "exact": sum(not outcome.failures for outcome in outcomes),
        "tiles": len(true),
        "detection": detection,
        "reading": _reading(true),
    }


def _reading(tiles: Sequence[TileOutcome]) -> dict[str, float]:
    """The accuracy of the labels of those of some true tiles that were detected."""
    found = [tile for tile in tiles if tile.found]
    pairs = [(tile.confidence, tile.right) for tile in found]
    return {
        "tiles": len(tiles),
        "found": len(found),
        "right": sum(tile.right for tile in found),
        "top1": _share(sum(tile.right for tile in found), len(found)),
        "top3": _share(sum(tile.in_top3 for tile in found), len(found)),
        "ece": expected_calibration_error(pairs),
    }


def _sizes(true: Sequence[TileOutcome]) -> dict[str, dict[str, float]]:
    """The accuracy of true tiles by the narrower side of their faces."""
    report = {}
    for least, below in zip(SIZES, (*SIZES[1:], float("inf")), strict=True):
        tiles = [tile for tile in true if least <= tile.across < below]
        found = sum(tile.found for tile in tiles)
        report[f"from {least} px"] = {"recall": _share(found, len(tiles)), **_reading(tiles)}
    return report


def _corners(tiles: Sequence[TileOutcome]) -> dict[str, float]:
    errors = [tile.corners for tile in tiles if tile.corners is not None]
    telling = [
        t for t in tiles if t.found and t.wanted in TILES and t.wanted not in SAME_UPSIDE_DOWN
    ]
    if not errors:
        return {"mean": 0.0, "median": 0.0, "p95": 0.0, "right_way_up": 0.0}
    every = np.concatenate(errors)
    return {
        "mean": float(every.mean()),
        "median": float(np.median(every)),
        "p95": float(np.percentile(every, 95)),
        "right_way_up": _share(sum(tile.turn == 0 for tile in telling), len(telling)),
    }


def _seconds(outcomes: Sequence[PhotoOutcome]) -> dict[str, dict[str, float]]:
    stages: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for stage, seconds in outcome.seconds.items():
            stages[stage].append(seconds)
    return {
        stage: {
            "mean": float(np.mean(values)),
            "p95": float(np.percentile(values, 95)),
        }
        for stage, values in stages.items()
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
