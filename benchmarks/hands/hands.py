"""Measures how many hands are read entirely right: ``python -m benchmarks.hands``.

A hand is right if its tiles, its melds, which of these are concealed, and its bonus tiles are.
The photos are those of the path-traced benchmark, with ``--designs DIR`` scenes rendered with
held-out designs, and with ``--deals`` the four photos of each of several deals. ``--true`` gives
the layout the true corners and faces, so that only the layout is measured; otherwise the shipped
models read each photo, with ``--set-profile`` using a profile of its tile set made from one photo
of one of each face. The figures are given for each photo alone, and after all tiles of a photo or
deal were decided together with a known winner, as on the page. ``--gallery DIR`` writes a page of
the photos with wrong hands, the worst first, and pictures of the ten worst with the reading, the
true hands and the read hands.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from tqdm import tqdm

from benchmarks.hands.cases import (
    Answer,
    Case,
    content_of,
    only_readable,
    path_traced,
    rendered,
    rendered_deals,
)
from benchmarks.hands.gallery import HandGallery
from benchmarks.joint.deals import RULESET, legal_under
from datasets.designs.errors import DesignError
from datasets.photographs.benchmark import ANNOTATIONS
from datasets.sets.coco import AnnotationError
from models.evaluation.examples import photographed, rendered_set_photos
from models.evaluation.profiles import taught
from scorer.tiles import BACK
from vision.deal.from_hands import PlayerTiles, decide_hands, player_tiles, with_labels
from vision.deal.winner import Winner
from vision.errors import PhotoError
from vision.layout.arrange import arrange, renumbered
from vision.pipeline import PhotoReader
from vision.shipped import open_classifier, open_models, open_reader
from vision.vocabulary.readings import (
    FULL_HAND,
    HandReading,
    Position,
    Reading,
    TileReading,
    to_quad,
)


def read_truly(case: Case) -> Reading:
    """The reading of a recogniser that detects and classifies every readable tile rightly."""
    known = only_readable(case)
    layout = arrange(known.quads, known.labels)
    order = [index for row in layout.rows for index in row.members]
    rows = [number for number, row in enumerate(layout.rows) for _ in row.members]
    tiles = tuple(
        TileReading(
            to_quad(known.quads[i]), known.labels[i], 0.999, ((known.labels[i], 0.999),), row
        )
        for i, row in zip(order, rows, strict=True)
    )
    return Reading(1, 1, tiles, renumbered(layout).hands)


def read_with_models(case: Case, reader: PhotoReader) -> Reading | None:
    """The reading of the shipped models; None if they detect no tiles."""
    try:
        return reader.read(case.load())
    except PhotoError:
        return None


def answer(case: Case, reading: Reading | None) -> Answer:
    """The answer for one photo: its hands as read, and after the joint decision of its tiles."""
    (found,) = answer_deal([case], [reading])
    return found


def answer_deal(deal: Sequence[Case], readings: Sequence[Reading | None]) -> list[Answer]:
    """The answers for the photos of a deal, with one joint decision of the tiles of all photos."""
    hands = [_hands(case, reading) for case, reading in zip(deal, readings, strict=True)]
    joined: list[PlayerTiles] = []
    winner: Winner | None = None
    for photo, (case, reading) in enumerate(zip(deal, readings, strict=True)):
        for side, hand in hands[photo].items():
            if reading is None or not hand.tiles:
                continue
            player = f"{side} {photo}"
            size = FULL_HAND[side == case.winner]
            joined.append(player_tiles(reading.tiles, hand, player, size))
            if side == case.winner:
                winner = _winner(player, hand)
    if not joined:
        return [Answer(case, read, None, {}, {}) for case, read in zip(deal, readings, strict=True)]
    start = time.process_time()
    decision = decide_hands(joined, winner=winner)
    milliseconds = 1000 * (time.process_time() - start)
    labels = iter(decision.labels)
    found = []
    for case, reading, sides in zip(deal, readings, hands, strict=True):
        camera = {side: content_of(hand) for side, hand in sides.items()}
        joint = {
            side: content_of(with_labels(hand, [next(labels) for _ in hand.tiles]))
            for side, hand in sides.items()
        }
        found.append(Answer(case, reading, decision, camera, joint, milliseconds))
    return found


def _hands(case: Case, reading: Reading | None) -> dict[Position, HandReading]:
    """The read hands by side of the table; a single hand is the near player's wherever it lies."""
    if reading is None:
        return {}
    if len(case.hands) == len(reading.hands) == 1:
        return {"near": reading.hands[0]}
    return {hand.position: hand for hand in reading.hands}


def _winner(player: str, hand: HandReading) -> Winner | None:
    """The side of the winner, or None if a kong of that hand is not visible."""
    unknown = any(BACK in meld.tiles for meld in hand.melds)
    return None if unknown else Winner(player, legal_under(RULESET))


def measure(
    deals: Iterable[Sequence[Case]], read: Callable[[Case], Reading | None]
) -> list[Answer]:
    """The answers for all photos of the deals, read with ``read``."""
    found: list[Answer] = []
    for deal in tqdm(deals, unit="deal", disable=None):
        found += answer_deal(deal, [read(case) for case in deal])
    return found


def _profiled(designs: Path | None) -> Callable[[Case], Reading | None]:
    """A function that reads photos of the benchmark or of ``designs`` with their set profiles."""
    photos = photographed(ANNOTATIONS, "profile")
    if designs is not None:
        photos = rendered_set_photos(designs)
    profiles = taught(photos, open_models()[0], open_classifier())
    readers = {name: open_reader(profile) for name, profile in profiles.items()}
    return lambda case: read_with_models(case, readers[case.tile_set])


def report(answers: Sequence[Answer]) -> str:
    """The figures as a table, with separate rows for photos with covered or overexposed tiles."""
    lines = [f"{'photos':<24}{'':>8}{'camera alone':>22}{'decided together':>22}"]
    whole = [found for found in answers if not found.case.covered]
    for title, layouts in (
        ("one player", ("hand",)),
        ("one player, hard", ("hard",)),
        ("four players", ("table",)),
    ):
        chosen = [found for found in whole if found.case.layout in layouts]
        if chosen:
            lines.append(_photo_line(f"{title}: photos", chosen))
            if layouts == ("table",):
                lines.append(_hand_line(f"{title}: hands", chosen))
    covered = [found for found in answers if found.case.covered]
    if covered:
        lines.append(_photo_line("with unreadable tiles", covered))
    decisions = {id(found.decision): found for found in answers if found.decision is not None}
    times = [found.milliseconds for found in decisions.values()]
    if times:
        lines.append(f"decision: median {np.median(times):.1f} ms, most {max(times):.1f} ms")
    counts = Counter[str]()
    for found in decisions.values():
        counts.update(_changes(found))
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    lines.append(f"tiles read otherwise by the decision: {told or 'none'}")
    return "\n".join(lines)


def _photo_line(title: str, answers: list[Answer]) -> str:
    camera = sum(found.exact(found.camera) for found in answers)
    joint = sum(found.exact(found.joint) for found in answers)
    return _line(title, len(answers), camera, joint)


def _hand_line(title: str, answers: list[Answer]) -> str:
    camera = sum(found.right(found.camera) for found in answers)
    joint = sum(found.right(found.joint) for found in answers)
    return _line(title, sum(len(found.case.hands) for found in answers), camera, joint)


def _line(title: str, count: int, camera: int, joint: int) -> str:
    shares = "".join(f"{right:>12} {right / count:>8.1%} " for right in (camera, joint))
    return f"{title:<24}{count:>8}{shares}"


def _changes(found: Answer) -> Iterator[str]:
    if found.decision is None:
        return
    yield from ("changed" for tile in found.decision.tiles if tile.changed)
    yield from ("suggested" for _ in found.decision.suggestions)


def _deals(options: argparse.Namespace) -> Iterator[tuple[Case, ...]]:
    """The groups of photos that are decided together: all of a deal, or each alone."""
    if options.deals:
        return rendered_deals(options.designs, options.count, options.first)
    alone = path_traced() if options.designs is None else rendered(options.designs, options.count)
    return ((case,) for case in alone)


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--designs", type=Path, help="folder of drawn designs to render")
    parser.add_argument("--set-profile", action="store_true", help="read with set profiles")
    parser.add_argument("--true", action="store_true", help="true corners and faces, no models")
    parser.add_argument("--count", type=int, default=200, help="rendered scenes or deals")
    parser.add_argument("--deals", action="store_true", help="render four photos of each deal")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--gallery", type=Path, help="folder for a page of what is wrong")
    options = parser.parse_args()
    if options.true and options.set_profile:
        parser.error("--true reads nothing, so --set-profile has no meaning with it")
    if options.deals and options.designs is None:
        parser.error("deals are rendered: say with --designs of which sets")
    try:
        deals = _deals(options)
        if options.true:
            found = measure(deals, read_truly)
        elif options.set_profile:
            found = measure(deals, _profiled(options.designs))
        else:
            found = measure(deals, partial(read_with_models, reader=open_reader()))
    except (AnnotationError, DesignError, FileNotFoundError) as error:
        sys.exit(f"benchmarks.hands.hands: {error}")
    sys.stdout.write(report(found) + "\n")
    if options.gallery is not None:
        HandGallery(options.gallery).write(found)


if __name__ == "__main__":
    main()
