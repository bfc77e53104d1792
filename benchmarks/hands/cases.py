"""Photos with their true hands: the path-traced benchmark, and rendered tables and hands.

Rendered photos show held-out designs in the same layouts as the path-traced ones: with walls,
discards, racks, sideways and upside-down tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.hands.burnt import burnt_out
from datasets.pathtraced.drawn import SCALE, drawn, planned_deals
from datasets.pathtraced.scenes import design_of, plan_scene
from datasets.pathtraced.table.plan import ScenePlan
from datasets.pathtraced.truth import shown_quad
from datasets.photographs.benchmark import BenchmarkPhoto, TrueHand, load_benchmark
from datasets.sets.faces import FaceSet
from datasets.sets.sources import Sources, load_face_sets
from scorer.tiles import BACK
from vision.deal.decision import Decision
from vision.vocabulary.readings import HandReading, Position, Reading

Image = NDArray[np.uint8]

IGNORE: Final = "ignore"
FIRST_RENDERED: Final = 200
"""Number of the first rendered scene, above those of path-traced scenes."""

_MIN_VISIBLE: Final = 0.7
"""Visible share below which a rendered tile cannot be read."""

Content = tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...], bool], ...], tuple[str, ...]]
"""The content of a hand: tiles in hand, melds laid apart and bonus tiles, each sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A photo with its truth.

    Attributes:
        name: name of the photo.
        tile_set: name of the tile set on it.
        layout: ``hand``, ``hard`` or ``table``.
        covered: whether some tile of the hands cannot be read.
        load: reads the picture, (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) float32 true corners.
        labels: the label of each quad; ``ignore`` for one that cannot be read.
        hands: the hand on each side of the table; ``near`` alone for one player.
        winner: the side of the player who went out, if it is shown.
    """

    name: str
    tile_set: str
    layout: str
    covered: bool
    load: Callable[[], Image]
    quads: NDArray[np.float32]
    labels: tuple[str, ...]
    hands: Mapping[Position, Content]
    winner: Position | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The reading of a photo and the decision of its deal.

    Attributes:
        case: the photo.
        reading: the reading of this photo alone; None if no tiles were detected.
        decision: the joint decision of the deal; None if none of its photos has detected tiles.
        camera: each side's hand in the reading.
        joint: each side's hand after the decision.
        milliseconds: processor time of the decision.
    """

    case: Case
    reading: Reading | None
    decision: Decision | None
    camera: dict[Position, Content]
    joint: dict[Position, Content]
    milliseconds: float = 0.0

    def right(self, hands: dict[Position, Content]) -> int:
        """The number of the photo's hands that are entirely right."""
        return sum(hands.get(side) == content for side, content in self.case.hands.items())

    def exact(self, hands: dict[Position, Content]) -> bool:
        """Whether the hands equal the true ones, without missing or extra hands."""
        return hands == self.case.hands


def content_of(hand: HandReading) -> Content:
    """The content of a hand in a reading."""
    melds = [(meld.kind, tuple(sorted(meld.tiles)), meld.concealed) for meld in hand.melds]
    return tuple(sorted(hand.concealed)), tuple(sorted(melds)), tuple(sorted(hand.bonus))


def _true_content(hand: TrueHand) -> Content:
    """The visible content of a true hand; a kong that lies face down consists of four backs."""
    melds = []
    for meld in hand.melds:
        shown = (BACK,) * 4 if len(meld.down) == 4 else tuple(sorted(meld.tiles))
        melds.append((meld.kind, shown, meld.concealed))
    return tuple(sorted(hand.concealed)), tuple(sorted(melds)), tuple(sorted(hand.bonus))


def _true_hands(hands: tuple[TrueHand, ...]) -> tuple[dict[Position, Content], Position | None]:
    single = len(hands) == 1
    sides: list[Position] = ["near" if single else _side(hand.position) for hand in hands]
    contents = {side: _true_content(hand) for side, hand in zip(sides, hands, strict=True)}
    winners = [side for side, hand in zip(sides, hands, strict=True) if hand.won]
    return contents, winners[0] if winners else None


def _side(position: str) -> Position:
    sides: dict[str, Position] = {"near": "near", "right": "right", "far": "far", "left": "left"}
    return sides[position]


def path_traced() -> Iterator[Case]:
    """The photos of the shipped benchmark."""
    for photo in load_benchmark():
        yield _from_benchmark(photo)


def _from_benchmark(photo: BenchmarkPhoto) -> Case:
    hands, winner = _true_hands(photo.hands)
    return Case(
        photo.photo.path.name,
        photo.photo.set_name,
        photo.layout,
        "covered" in photo.difficulty,
        photo.photo.load_image,
        photo.photo.quads,
        photo.photo.labels,
        hands,
        winner,
    )


def rendered(designs: Path, count: int) -> Iterator[Case]:
    """``count`` scenes rendered with the held-out designs of a folder.

    Raises:
        DesignError: the folder has no held-out design.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    for number in range(FIRST_RENDERED, FIRST_RENDERED + count):
        faces = sets[number % len(sets)]
        plan = plan_scene(number, design_of(number), faces, samples=1)
        yield _from_plan(f"rendered-{number}", plan, faces)


def rendered_deals(designs: Path, count: int, first: int = 0) -> Iterator[tuple[Case, ...]]:
    """The four photos of each of ``count`` deals, rendered with held-out designs.

    Args:
        designs: folder of drawn designs.
        count: number of deals.
        first: number of the first deal.

    Raises:
        DesignError: the folder has no held-out design.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    for number, faces, plans in planned_deals(sets, count, first):
        yield tuple(
            _from_plan(f"deal-{number}-{photo}", plan, faces) for photo, plan in enumerate(plans, 1)
        )


def _from_plan(name: str, plan: ScenePlan, faces: FaceSet) -> Case:
    scene = drawn(plan, faces)
    burnt = burnt_out(scene.image, scene.quads, scene.labels, faces)
    seen = (scene.visible >= _MIN_VISIBLE) & ~burnt
    labels = tuple(
        label if clear else IGNORE for label, clear in zip(scene.labels, seen, strict=True)
    )
    hands, winner = _true_hands(plan.hands)
    load = partial(_same, scene.image)
    covered = _hides_a_hand(plan, scene.quads[np.array(labels) == IGNORE])
    return Case(name, faces.name, plan.layout, covered, load, scene.quads, labels, hands, winner)


def _hides_a_hand(plan: ScenePlan, hidden: NDArray[np.float32]) -> bool:
    """Whether one of the unreadable quads (m, 4, 2) is a tile of a hand."""
    held = [shown_quad(plan, tile)[0].mean(axis=0) for tile in plan.tiles if tile.hand >= 0]
    away = np.linalg.norm(hidden.mean(axis=1)[:, np.newaxis] - SCALE * np.array(held), axis=2)
    widths = np.linalg.norm(hidden[:, 1] - hidden[:, 0], axis=1)
    return bool((away < 0.4 * widths[:, np.newaxis]).any())


def _same(image: Image) -> Image:
    return image


def only_readable(case: Case) -> Case:
    """The case without its unreadable tiles."""
    kept = [index for index, label in enumerate(case.labels) if label != IGNORE]
    labels = tuple(case.labels[index] for index in kept)
    return replace(case, quads=case.quads[kept], labels=labels)
