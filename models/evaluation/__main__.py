"""Measure the whole reader on pictures it was never trained on.

``python -m models.evaluation WHAT`` where WHAT is ``sheets`` or ``scenes`` (annotated photographs,
``--photos DIR``), ``retaken`` (the sheets as poorer photographs), ``rendered`` (hands of held-out
designs, ``--designs DIR``), ``games`` (likewise of the sets of :mod:`datasets.sets.games`),
``benchmark`` (the path-traced pictures shipped here) or the path of a COCO file of the same form.
``--set-profile`` reads the same pictures with a profile of each set and without; ``--gallery DIR``
writes a page of every failure; ``--json FILE`` keeps the figures, of which ``python -m
models.evaluation.report`` makes tables.
``--searched 960 992 1024 1056 1088`` measures at several sizes of the searched photo and counts
every tile once for each, because with few photographs the figures of one size vary by chance.
``--changed`` shows each picture also in other lights and from other sides.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from datasets.designs.errors import DesignError
from datasets.sets.coco import AnnotationError
from models.evaluation.changes import changed
from models.evaluation.examples import Choice, Example
from models.evaluation.gallery import Gallery
from models.evaluation.outcomes import PhotoOutcome
from models.evaluation.photo import Examiner
from models.evaluation.profiles import borrowed, taught
from models.evaluation.said import said_lines
from models.evaluation.tally import summarise
from vision import model_versions
from vision.classify.classifier import OnnxClassifier
from vision.detect.search import SEARCHED, OnnxDetector
from vision.tilesets.classifier import ProfiledClassifier
from vision.tilesets.profile import SetProfile

Figures = dict[str, Any]

_LEAST_SEARCHED = 256
"""Least long side in pixels that ``--searched`` accepts."""


def evaluate(
    examples: Iterable[Example],
    *,
    gallery: Gallery | None = None,
    spare_as_white: bool = False,
    searched: Sequence[int] = (SEARCHED,),
) -> Figures:
    """The figures of :func:`models.evaluation.tally.summarise` for these pictures.

    Args:
        examples: the pictures with their truth.
        gallery: the page that failures are added to.
        spare_as_white: count ``blank`` for a white dragon as right.
        searched: long sides in pixels at which each picture is searched in turn.
    """
    detector, classifier = OnnxDetector.load(), OnnxClassifier.load()
    examiners = [
        Examiner(detector.searching_at(side), classifier, spare_as_white=spare_as_white)
        for side in searched
    ]
    outcomes = []
    for example in tqdm(examples, unit="photo", disable=None):
        image = example.load()
        for examiner in examiners:
            outcomes.append(examiner.examine(example, image))
            if gallery is not None:
                gallery.add(outcomes[-1], image)
    return summarise(outcomes)


def evaluate_with_profiles(
    examples: Iterable[Example], set_photos: list[Example], *, gallery: Gallery | None = None
) -> Figures:
    """The figures with a profile of each tile set, and under ``plain`` those without.

    Both are of the same tiles.

    Args:
        examples: the pictures with their truth.
        set_photos: photos of one of each face; if there are none, the profile is made from the
            first good view of each face in the pictures, which is then not measured.
        gallery: the page that failures with profiles are added to.
    """
    detector, classifier = OnnxDetector.load(), OnnxClassifier.load()
    if set_photos:
        profiles = taught(set_photos, detector, classifier)
    else:
        profiles, examples = borrowed(list(examples), classifier)
    plain: list[PhotoOutcome] = []
    outcomes: list[PhotoOutcome] = []
    readers = _Readers(detector, classifier, profiles)
    without = Examiner(detector, classifier)
    for example in tqdm(examples, unit="photo", disable=None):
        if example.group not in profiles:
            continue
        image = example.load()
        plain.append(without.examine(example, image))
        outcomes.append(readers.of(example.group).examine(example, image))
        if gallery is not None:
            gallery.add(outcomes[-1], image)
    return {**summarise(outcomes), "plain": summarise(plain)}


class _Readers:
    """One examiner for each tile set, created on first use."""

    def __init__(
        self,
        detector: OnnxDetector,
        classifier: OnnxClassifier,
        profiles: dict[str, SetProfile],
    ) -> None:
        self._detector, self._classifier, self._profiles = detector, classifier, profiles
        self._made: dict[str, Examiner] = {}

    def of(self, group: str) -> Examiner:
        if group not in self._made:
            known = ProfiledClassifier(self._classifier, self._profiles[group])
            self._made[group] = Examiner(self._detector, known)
        return self._made[group]


def headline(figures: Figures) -> str:
    """The main figures in a few lines for people."""
    reading, corners = figures["reading"], figures["corners"]
    lines = [
        _detection_line(figures),
        f"corners off by {corners['mean']:.3f} tile widths, 95 % below {corners['p95']:.3f}",
        f"right way up {corners['right_way_up']:.2%}",
        f"read right {reading['top1']:.2%}, of three {reading['top3']:.2%}",
        f"ECE {reading['ece']:.4f}",
        *said_lines(figures["said"]),
    ]
    for kind, row in figures["kinds"].items():
        if row["tiles"]:
            lines.append(f"  {kind}: {row['top1']:.2%} of {row['found']}")
    for size, row in figures["sizes"].items():
        if row["tiles"]:
            share = f"found {row['recall']:.2%}, read right {row['top1']:.2%} of {row['found']}"
            lines.append(f"  {size}: {share}")
    worst = ", ".join(f"{a}>{b} {n}" for a, b, n in figures["confusions"][:10])
    stages = ", ".join(f"{k} {1000 * v['mean']:.0f} ms" for k, v in figures["seconds"].items())
    return "\n".join([*lines, f"failures: {worst or 'none'}", f"time: {stages}"])


def _detection_line(figures: Figures) -> str:
    detection = figures["detection"]
    return (
        f"{figures['tiles']} tiles in {figures['pictures']} pictures, {figures['exact']} of them "
        f"wholly right\nfound {detection['recall']:.2%}, invented {detection['invented']} "
        f"({detection['invented_per_tile']:.2%} per tile), precision {detection['precision']:.2%}, "
        f"AP50 {detection['ap50']:.4f}, AP75 {detection['ap75']:.4f}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what", help="sheets, retaken, scenes, rendered, games, benchmark or a .coco.json file"
    )
    parser.add_argument("--photos", type=Path, help="folder of annotated photographs")
    parser.add_argument("--designs", type=Path, help="folder of tile-set designs")
    parser.add_argument("--split", default="val", help="of the COCO file; 'all' for every picture")
    parser.add_argument("--count", type=int, default=60, help="rendered or retaken pictures")
    parser.add_argument("--set-profile", action="store_true", help="read with set profiles too")
    parser.add_argument(
        "--spare-as-white", action="store_true", help="a blank tile may be the white dragon"
    )
    parser.add_argument(
        "--searched", type=int, nargs="+", help="long sides in pixels; not with profiles"
    )
    parser.add_argument(
        "--changed", action="store_true", help="each picture in other lights and views too"
    )
    parser.add_argument("--gallery", type=Path, help="folder for a page of the failures")
    parser.add_argument("--json", type=Path, help="file for the figures")
    return parser


def main() -> None:
    """Measure what the command line names, and print the figures."""
    parser = _parser()
    options = parser.parse_args()
    if options.searched and (options.set_profile or min(options.searched) < _LEAST_SEARCHED):
        parser.error(f"--searched takes sides from {_LEAST_SEARCHED} pixels, without --set-profile")
    split = None if options.split == "all" else options.split
    choice = Choice(options.what, options.photos, options.designs, split, options.count)
    gallery = Gallery(options.gallery) if options.gallery else None
    try:
        examples = changed(choice.examples()) if options.changed else choice.examples()
        if options.set_profile:
            figures = evaluate_with_profiles(examples, choice.set_photos(), gallery=gallery)
        else:
            figures = evaluate(
                examples,
                gallery=gallery,
                spare_as_white=options.spare_as_white,
                searched=options.searched or [SEARCHED],
            )
    except (AnnotationError, DesignError, FileNotFoundError, ValueError) as error:
        sys.exit(f"models.evaluation: {error}")
    if "plain" in figures:
        print(f"Without set profiles\n{headline(figures['plain'])}\nWith set profiles")
    print(headline(figures))
    if options.json:
        facts = {
            "what": Path(options.what).name + (", changed" if options.changed else ""),
            "set_profile": options.set_profile,
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
            "models": model_versions(),
        }
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({**facts, **figures}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
