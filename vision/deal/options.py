"""What each tile, and each set laid apart, may be, and the likeliest choice the set's tiles allow.

A :class:`Block` is a tile on its own or the tiles of one set laid apart; each :class:`Option` of it
says what its tiles are and how likely that is. A :class:`Table` holds all blocks and weighs choices
of one option of each; :mod:`vision.deal.solver` finds the likeliest.
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
"""A tile whose likeliest label has this probability is clear: no law makes it be read otherwise."""

GROUP_ODDS: Final = 1000.0
"""How much likelier the tiles of a group laid apart make a set than that they make none.

Most groups laid apart are sets, and of the triples that differ from one in a single tile few are
another."""

SURPLUS_ODDS: Final = 10_000.0
"""How much likelier it is that a tile was misread than that the table holds one more of a face than
the set has (a spare piece, a tile photographed twice)."""

SIZE_ODDS: Final = 1000.0
"""How much likelier a tile was misread than that a hand has one tile too few or too many."""

CHOW_RUNS: Final = tuple(
    tuple(f"{first + step}{suit}" for step in range(3)) for suit in SUITS for first in range(1, 8)
)

_FREE_DEPTH: Final = 2
_FLOOR: Final = 1e-9
_WHOLE_WITHIN: Final = 1e-6

Chances = Sequence[tuple[str, float]]
"""Labels with their probabilities, best first."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to read the tiles of a block.

    Attributes:
        labels: of the tiles, in their order.
        score: natural logarithm of its likelihood.
        faces: the faces that it takes from the set, also those known to lie face down.
        size: how many tiles of a hand it stands for: a set three, a bonus tile none.
        overrides: whether it reads a clear tile otherwise; such an option is only ever suggested.
    """

    labels: tuple[str, ...]
    score: float
    faces: tuple[str, ...]
    size: int
    overrides: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Tiles that are read together.

    Attributes:
        tiles: their indices.
        player: whose they are; None for tiles of no hand.
        options: what they may be, never empty.
        camera: index of the option that the camera alone says.
    """

    tiles: tuple[int, ...]
    player: str | None
    options: tuple[Option, ...]
    camera: int


def log_chance(probability: float) -> float:
    """The natural logarithm, of at least one in a thousand million."""
    return math.log(max(probability, _FLOOR))


def single(tile: int, player: str | None, chances: Chances) -> Block:
    """The block of a tile on its own."""
    clear = chances[0][1] >= CLEAR
    options = tuple(
        Option((label,), log_chance(p), (label,), 0 if is_bonus(label) else 1, clear and k > 0)
        for k, (label, p) in enumerate(chances)
    )
    return Block((tile,), player, options, 0)


def laid_set(tiles: Sequence[int], player: str | None, chances: Sequence[Chances]) -> Block:
    """The block of tiles that lie as a set of their own: equal or consecutive, or else no set."""
    known = [dict(each) for each in chances]
    camera = tuple(each[0][0] for each in chances)
    found: dict[tuple[str, ...], Option] = {}
    sets = list(_set_labels(known))
    in_any_order = {tuple(sorted(labels)) for labels in sets}
    free = product(*(list(each)[:_FREE_DEPTH] for each in known))
    others = [labels for labels in free if tuple(sorted(labels)) not in in_any_order]
    for labels in (*sets, camera, *others):
        if labels not in found:
            found[labels] = _group_option(labels, known, camera)
    options = tuple(found.values())
    return Block(tuple(tiles), player, options, list(found).index(camera))


def _set_labels(known: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, ...]]:
    """The likeliest way in which the tiles show each set that they may show."""
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
    """All blocks and what binds them.

    Attributes:
        blocks: every tile of the deal is in one of them.
        limits: how many of each face the set has.
        sizes: how many tiles each player's hand has, a set counted as three, where it is known.
    """

    blocks: tuple[Block, ...]
    limits: Mapping[str, int]
    sizes: Mapping[str, int]

    @property
    def camera(self) -> Choice:
        """What the camera alone says."""
        return tuple(block.camera for block in self.blocks)

    def chosen(self, choice: Choice) -> list[Option]:
        """The options of a choice."""
        return [block.options[k] for block, k in zip(self.blocks, choice, strict=True)]

    def surplus(self, choice: Choice) -> dict[str, int]:
        """How many more of a face there would be than the set has."""
        counts = Counter(face for option in self.chosen(choice) for face in option.faces)
        return {
            face: count - self.limits[face]
            for face, count in counts.items()
            if face in self.limits and count > self.limits[face]
        }

    def found_sizes(self, choice: Choice) -> dict[str, int]:
        """How many tiles each player's hand would have, of those whose number is known."""
        found = dict.fromkeys(self.sizes, 0)
        for block, option in zip(self.blocks, self.chosen(choice), strict=True):
            if block.player in found:
                found[block.player] += option.size
        return found

    def score(self, choice: Choice) -> float:
        """The natural logarithm of the choice's likelihood, less what it does against the laws."""
        found = self.found_sizes(choice)
        amiss = sum(abs(found[player] - size) for player, size in self.sizes.items())
        return (
            math.fsum(option.score for option in self.chosen(choice))
            - math.log(SURPLUS_ODDS) * sum(self.surplus(choice).values())
            - math.log(SIZE_ODDS) * amiss
        )
