"""The labels that each tile and each meld laid apart may have, and the laws that bind them.

A :class:`Block` is a tile on its own or the tiles of one meld laid apart; each :class:`Option` of a
block gives labels to its tiles. A :class:`Table` holds all blocks and scores choices of one option
of each; :mod:`vision.deal.solver` finds the likeliest choice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

from scorer.tiles import BACK, PLAYING_TILES, SUITS, is_bonus
from vision.vocabulary.melds import find_meld

CLEAR: Final = 0.99
"""Least probability of the likeliest label of a clear tile, whose label no law changes."""

GROUP_ODDS: Final = 1000.0
"""Odds that the tiles of a group laid apart are a meld.

Most groups laid apart are melds, and few of the triples that differ from one in a single tile are
another meld."""

SURPLUS_ODDS: Final = 10_000.0
"""How many times as likely a misread tile is as one more tile of a face than the tile set has (a
spare piece, a tile photographed twice)."""

SIZE_ODDS: Final = 1000.0
"""How many times as likely a misread tile is as a hand with one tile too few or too many."""

CHOW_RUNS: Final = tuple(
    tuple(f"{first + step}{suit}" for step in range(3)) for suit in SUITS for first in range(1, 8)
)

"""The labels of every chow."""

_FREE_DEPTH: Final = 2
"""Number of labels of each tile that are tried for a group laid apart that is not a meld."""
_FLOOR: Final = 1e-9
"""Minimum probability in logarithms."""

Chances = Sequence[tuple[str, float]]
"""Labels with their probabilities, best first."""


@dataclass(frozen=True, slots=True)
class Option:
    """Labels for the tiles of a block.

    Attributes:
        labels: the labels, in the order of the tiles.
        score: natural logarithm of the likelihood of the labels.
        faces: the faces that it uses up of the tile set, also those known to lie face down.
        size: number of tiles of a hand that it counts as: a meld three, a bonus tile none.
        overrides: whether it changes the label of a clear tile; such an option is only suggested.
    """

    labels: tuple[str, ...]
    score: float
    faces: tuple[str, ...]
    size: int
    overrides: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Tiles whose labels are chosen together.

    Attributes:
        tiles: indices of the tiles.
        player: name of the player whose tiles they are; None for tiles of no hand.
        options: the labels that they may have, never empty.
        camera: index of the option with the labels read by the camera.
    """

    tiles: tuple[int, ...]
    player: str | None
    options: tuple[Option, ...]
    camera: int


def log_chance(probability: float) -> float:
    """The natural logarithm of a probability, which counts as 1e-9 at least."""
    return math.log(max(probability, _FLOOR))


def single(tile: int, player: str | None, chances: Chances) -> Block:
    """The block of a tile on its own."""
    clear = chances[0][1] >= CLEAR
    options = tuple(
        Option((label,), log_chance(p), (label,), 0 if is_bonus(label) else 1, clear and k > 0)
        for k, (label, p) in enumerate(chances)
    )
    return Block((tile,), player, options, 0)


def laid_meld(tiles: Sequence[int], player: str | None, chances: Sequence[Chances]) -> Block:
    """The block of tiles laid apart as a meld: equal or consecutive, or else no meld."""
    known = [dict(each) for each in chances]
    camera = tuple(each[0][0] for each in chances)
    found: dict[tuple[str, ...], Option] = {}
    melds = list(_meld_labels(known))
    in_any_order = {tuple(sorted(labels)) for labels in melds}
    free = product(*(list(each)[:_FREE_DEPTH] for each in known))
    others = [labels for labels in free if tuple(sorted(labels)) not in in_any_order]
    for labels in (*melds, camera, *others):
        if labels not in found:
            found[labels] = _group_option(labels, known, camera)
    options = tuple(found.values())
    return Block(tuple(tiles), player, options, list(found).index(camera))


def _meld_labels(known: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, ...]]:
    """The likeliest labels of the tiles for each meld that they may be."""
    for face in PLAYING_TILES:
        if any(face in each for each in known) and all(face in e or BACK in e for e in known):
            yield tuple(max((face, BACK), key=lambda k: each.get(k, -1.0)) for each in known)
    for run in CHOW_RUNS if len(known) == 3 else ():
        fitting = [
            order
            for order in permutations(run)
            if all(label in each for label, each in zip(order, known, strict=True))
        ]
        if fitting:
            yield max(fitting, key=lambda order: _score(order, known))


def _score(labels: Sequence[str], known: Sequence[Mapping[str, float]]) -> float:
    return math.fsum(log_chance(each[label]) for label, each in zip(labels, known, strict=True))


def _group_option(
    labels: tuple[str, ...], known: Sequence[Mapping[str, float]], camera: tuple[str, ...]
) -> Option:
    score = _score(labels, known)
    overrides = any(
        label != seen and each[seen] >= CLEAR
        for label, seen, each in zip(labels, camera, known, strict=True)
    )
    meld = find_meld(labels)
    if meld is not None:
        return Option(labels, score, meld.tiles, 3, overrides)
    size = sum(not is_bonus(label) for label in labels)
    return Option(labels, score - math.log(GROUP_ODDS), labels, size, overrides)


Choice = tuple[int, ...]
"""For each block the index of an option."""


@dataclass(frozen=True, slots=True)
class Table:
    """All blocks and the laws that bind them.

    Attributes:
        blocks: the blocks, which together hold each tile of the deal once.
        limits: number of tiles of each face in the tile set.
        sizes: number of tiles of each player's hand where it is known, a meld counted as three.
    """

    blocks: tuple[Block, ...]
    limits: Mapping[str, int]
    sizes: Mapping[str, int]

    @property
    def camera(self) -> Choice:
        """The choice of the labels read by the camera."""
        return tuple(block.camera for block in self.blocks)

    def chosen(self, choice: Choice) -> list[Option]:
        """The options of a choice."""
        return [block.options[k] for block, k in zip(self.blocks, choice, strict=True)]

    def surplus(self, choice: Choice) -> dict[str, int]:
        """How many more tiles of a face a choice has than the tile set, for each such face."""
        counts = Counter(face for option in self.chosen(choice) for face in option.faces)
        return {
            face: count - self.limits[face]
            for face, count in counts.items()
            if face in self.limits and count > self.limits[face]
        }

    def found_sizes(self, choice: Choice) -> dict[str, int]:
        """The number of tiles of each player's hand under a choice, for players in ``sizes``."""
        found = dict.fromkeys(self.sizes, 0)
        for block, option in zip(self.blocks, self.chosen(choice), strict=True):
            if block.player in found:
                found[block.player] += option.size
        return found

    def score(self, choice: Choice) -> float:
        """The natural logarithm of the likelihood of a choice, less the cost of broken laws."""
        found = self.found_sizes(choice)
        amiss = sum(abs(found[player] - size) for player, size in self.sizes.items())
        return (
            math.fsum(option.score for option in self.chosen(choice))
            - math.log(SURPLUS_ODDS) * sum(self.surplus(choice).values())
            - math.log(SIZE_ODDS) * amiss
        )
