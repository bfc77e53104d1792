"""Measures the accuracy and time of joint decisions of deals: ``python -m benchmarks.joint``.

Random deals of four hands are read with answers of the shipped classifier for rendered tiles of
held-out designs (:mod:`benchmarks.joint.rows`; ``--rows FILE`` stores them for the next run). In
``independent`` deals every tile draws its own answer; in ``one design`` deals all tiles are of one
design, so that copies are often misread alike. The winner's and the losers' tiles are counted
separately: the classifier's errors; how many of them were corrected, given another suggestion,
reported, marked as doubtful by the reading itself, or missed; and how many errors were introduced.
Times are processor times of one decision, the median of three, because a single run may include a
garbage collection of the benchmark's own data.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.joint.deals import RULESET, SIZES, Laid, legal_under, random_deal
from benchmarks.joint.rows import Rows, collect
from datasets.designs.errors import DesignError
from datasets.sets.sources import Sources, load_face_sets
from scorer.tiles import READING_LABELS
from vision.deal.decide import decide
from vision.deal.decision import Decision, JointTile
from vision.deal.winner import Winner
from vision.pipeline import ALTERNATIVES
from vision.vocabulary.readings import DOUBTFUL_BELOW

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
LIMIT_S: Final = 0.05
"""Maximum processor time of a decision in seconds."""
_TIMES: Final = 3
"""Number of measurements of each decision, of which the median counts."""
_COLUMNS: Final = (
    "tiles",
    "errors",
    "repaired",
    "suggested",
    "told",
    "marked",
    "silent",
    "introduced",
)


class Camera:
    """Reads true tiles with the classifier's answers for tiles of the same face."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._of_face = {
            label: np.flatnonzero(rows.truths == k) for k, label in enumerate(READING_LABELS)
        }
        self._designs = sorted(set(rows.designs.tolist()))

    def look(self, deal: list[Laid], rng: random.Random, *, one_design: bool) -> list[JointTile]:
        """The classifier's answers for the tiles of a deal."""
        design = rng.choice(self._designs) if one_design else None
        return [self._tile(tile, rng, design) for tile in deal]

    def _tile(self, tile: Laid, rng: random.Random, design: int | None) -> JointTile:
        answers = self._of_face[tile.face]
        if design is not None:
            same = answers[self._rows.designs[answers] == design]
            answers = same if len(same) else answers
        row = self._rows.probabilities[rng.choice(answers.tolist())].astype(float)
        order = np.argsort(-row, kind="stable")[:ALTERNATIVES]
        chances = tuple((READING_LABELS[k], min(1.0, float(row[k]))) for k in order)
        return JointTile(chances, tile.player, tile.group)


def tally(deal: list[Laid], tiles: list[JointTile], decision: Decision) -> dict[str, Counter[str]]:
    """Add the outcome of the winner's and of the losers' tiles to the counts."""
    counts = {"winner": Counter[str](), "losers": Counter[str]()}
    suggested = {change.tile for found in decision.suggestions for change in found.changes}
    told = {tile for problem in decision.problems for tile in problem.tiles}
    for index, (true, read) in enumerate(zip(deal, decision.tiles, strict=True)):
        count = counts["winner" if true.player == "E" else "losers"]
        count["tiles"] += 1
        if read.camera == true.face:
            count["introduced"] += read.changed
            continue
        count["errors"] += 1
        if read.label == true.face:
            count["repaired"] += 1
        elif index in suggested:
            count["suggested"] += 1
        elif index in told:
            count["told"] += 1
        else:
            confidence = tiles[index].alternatives[0][1]
            count["marked" if confidence < DOUBTFUL_BELOW else "silent"] += 1
    return counts


def run(rows: Rows, deals: int, *, one_design: bool) -> tuple[dict[str, Counter[str]], list[float]]:
    """The counts over random deals, and the processor seconds of each decision."""
    camera, rng = Camera(rows), random.Random(1)
    winner = Winner("E", legal_under(RULESET))
    total = {"winner": Counter[str](), "losers": Counter[str]()}
    seconds = []
    for _ in range(deals):
        deal = random_deal(rng)
        tiles = camera.look(deal, rng, one_design=one_design)
        spent = []
        for _ in range(_TIMES):
            start = time.process_time()
            decision = decide(tiles, sizes=SIZES, winner=winner)
            spent.append(time.process_time() - start)
        seconds.append(statistics.median(spent))
        for who, count in tally(deal, tiles, decision).items():
            total[who].update(count)
    return total, seconds


def _report(name: str, total: dict[str, Counter[str]], seconds: list[float]) -> str:
    lines = [f"{name}\n"]
    for who, count in total.items():
        cells = "".join(f"{count[column]:>11}" for column in _COLUMNS)
        met = count["errors"] - count["silent"] - count["marked"]
        lines.append(
            f"  {who:<8}{cells}  met {met / max(1, count['errors']):.1%}, with marks "
            f"{(met + count['marked']) / max(1, count['errors']):.1%}, introduced per ten "
            f"repaired {10 * count['introduced'] / max(1, count['repaired']):.2f}\n"
        )
    ordered = 1000 * np.sort(seconds)
    late = np.mean(ordered > 1000 * LIMIT_S)
    lines.append(
        f"  ms per deal: median {np.median(ordered):.1f}, 99th of 100 "
        f"{np.quantile(ordered, 0.99):.1f}, most {ordered[-1]:.1f}; {late:.2%} over "
        f"{1000 * LIMIT_S:.0f}\n"
    )
    return "".join(lines)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, help="file of the classifier's answers")
    parser.add_argument(
        "--designs",
        type=Path,
        default=SAMPLES,
        help="folder of designs kept out of training",
    )
    parser.add_argument("--scenes", type=int, default=12, help="rendered hands of each design")
    parser.add_argument("--deals", type=int, default=300)
    args = parser.parse_args()
    if args.rows is not None and args.rows.exists():
        rows = Rows.load(args.rows)
    else:
        from vision.classify.classifier import OnnxClassifier

        try:
            designs = load_face_sets(Sources(None, args.designs), "val")
        except DesignError as error:
            sys.exit(f"benchmarks.joint.joint: {error}")
        rows = collect(designs, args.scenes, OnnxClassifier.load())
        if args.rows is not None:
            rows.save(args.rows)
    right = rows.probabilities.argmax(axis=1) == rows.truths
    sys.stdout.write(f"{len(right)} answers of the classifier, {right.mean():.2%} right\n")
    sys.stdout.write(" " * 10 + "".join(f"{column:>11}" for column in _COLUMNS) + "\n")
    for name, one_design in (("independent", False), ("one design", True)):
        sys.stdout.write(_report(name, *run(rows, args.deals, one_design=one_design)))


if __name__ == "__main__":
    main()
