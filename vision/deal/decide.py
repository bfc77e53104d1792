"""All tiles of a deal decided together, by the laws of the set and the shape of the winner's hand.

The camera gives for each tile some labels with their probabilities. :func:`decide` looks for the
likeliest reading of all of them at once, where

- a set of tiles has only so many of each face (:mod:`vision.vocabulary.copies`),
- tiles laid apart as a set are equal or consecutive,
- a hand has as many tiles as it must, a set counted as three, and
- the one who went out holds a winning hand, which a function of the caller's tells.

A repair is made when it is at least 100 times as likely as what the camera alone said and 10 times
as likely as any other way to satisfy the laws; otherwise it is a suggestion, and so is whatever
would read a clear tile otherwise. Copies of one tile that are all misread alike often satisfy every
law: that the tiles agree is no evidence that they are read right.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scorer.tiles import NAMES, READING_LABELS, SEAT_NAMES
from vision.deal.options import Block, Choice, Table, laid_set, single
from vision.deal.solver import Solver
from vision.deal.winner import LEGAL_ODDS, Winner, hand_of, legal_versions, probability_ratio
from vision.vocabulary.copies import NO_CHANGES, copies_of_each
from vision.vocabulary.readings import TileReading

APPLY_ABOVE: Final = 100.0
"""A repair is made by itself when it is so many times as likely as the camera's own reading."""
RIVALS_BELOW: Final = 10.0
"""and so many times as likely as the next best repair."""
MOST_REPAIRS: Final = 4
"""Of how many repairs by the set's laws the rivals are weighed; further ones are suggested,"""
MOST_SECONDS: Final = 0.02
"""and so are those that are not weighed after so many seconds of this thread's processor time."""

_NO_SIZES: Final[Mapping[str, int]] = MappingProxyType({})
_TOLERANCE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class JointTile:
    """What the camera says of one tile, and where it lies.

    Attributes:
        alternatives: labels with their calibrated probabilities, best first.
        player: whose it is, such as a seat; None for a tile of no hand.
        group: names the set laid apart in which it lies, among those of the player; None for a
            tile that lies in the hand or on its own.

    Raises:
        ValueError: a label or a probability is out of range, or they are not in order.
    """

    alternatives: tuple[tuple[str, float], ...]
    player: str | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        labels = [label for label, _ in self.alternatives]
        chances = [p for _, p in self.alternatives]
        if not labels or len(set(labels)) < len(labels):
            raise ValueError(f"a tile needs labels that differ, not {labels}")
        for label in labels:
            if label not in READING_LABELS:
                raise ValueError(f"a tile holds the unknown label {label!r}")
        if not all(0 <= p <= 1 for p in chances) or math.fsum(chances) > 1 + _TOLERANCE:
            raise ValueError(f"probabilities lie in 0..1 and sum to 1 at most, unlike {chances}")
        if sorted(chances, reverse=True) != chances:
            raise ValueError("the likeliest label comes first")


@dataclass(frozen=True, slots=True)
class Change:
    """A tile, by its index, that the camera read as one label and that may be another."""

    tile: int
    camera: str
    label: str


@dataclass(frozen=True, slots=True)
class DecidedTile:
    """What a tile is taken to be.

    Attributes:
        label: the decision.
        camera: what the camera alone said.
        ratio: how many times as likely the reading with this label is as the camera's own; None
            where they agree.
        reason: why it was changed, in words; empty where it was not.
    """

    label: str
    camera: str
    ratio: float | None = None
    reason: str = ""

    @property
    def changed(self) -> bool:
        """Whether the camera alone said another label."""
        return self.label != self.camera


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Another version that people should be asked about.

    Attributes:
        changes: what would be read otherwise than it is decided; each names both labels.
        ratio: how many times as likely the version is as the one decided on.
        reason: why it is suggested, in words.
    """

    changes: tuple[Change, ...]
    ratio: float
    reason: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A law that the decided tiles do not satisfy, in words, and the tiles to look at."""

    text: str
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The tiles of a deal, decided together.

    Attributes:
        tiles: in the order in which they were given.
        suggestions: versions to be asked about.
        problems: what cannot be right as it stands.
    """

    tiles: tuple[DecidedTile, ...]
    suggestions: tuple[Suggestion, ...]
    problems: tuple[Problem, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels decided on."""
        return tuple(tile.label for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class _Repair:
    """A choice that is better than the camera's in some blocks, and why."""

    ratio: float
    reason: str


def from_readings(tiles: Iterable[TileReading], player: str | None) -> tuple[JointTile, ...]:
    """The tiles of one player's photo, none of them in a set laid apart."""
    return tuple(JointTile(tile.alternatives, player) for tile in tiles)


def decide(
    tiles: Sequence[JointTile],
    *,
    copies: Mapping[str, int] = NO_CHANGES,
    sizes: Mapping[str, int] = _NO_SIZES,
    winner: Winner | None = None,
) -> Decision:
    """The likeliest reading of all tiles of a deal.

    Args:
        tiles: of all photos and players.
        copies: how many of a face the set has, where it is not the usual number.
        sizes: how many tiles a player's hand has, a set counted as three and bonus tiles left out,
            where that is known.
        winner: who is said to have gone out; None if nobody did or it is not known.

    Raises:
        ValueError: a set laid apart has another number of tiles than three or four, or a player
            named in ``sizes`` or ``winner`` has no tiles.
    """
    table = Table(_blocks(tiles), copies_of_each(copies), sizes)
    for player in (*sizes, *([winner.player] if winner else [])):
        if not any(tile.player == player for tile in tiles):
            raise ValueError(f"{player} has no tiles")
    choice, repairs, suggestions = _by_the_laws(table)
    if winner is not None and not winner.accepts(hand_of(table, choice, winner.player)):
        choice, repairs, more = _by_shape(table, choice, repairs, winner)
        suggestions = [*more, *suggestions]
    decided = _decided(table, choice, repairs)
    kept = [found for found in suggestions if _still_open(found, decided)]
    problems = (
        *_surplus(table, choice),
        *_wrong_sizes(table, choice),
        *_no_hand(table, choice, winner),
    )
    return Decision(decided, tuple(kept), problems)


def _blocks(tiles: Sequence[JointTile]) -> tuple[Block, ...]:
    groups: dict[tuple[str | None, str], list[int]] = {}
    blocks = []
    for index, tile in enumerate(tiles):
        if tile.group is None:
            blocks.append(single(index, tile.player, tile.alternatives))
        else:
            groups.setdefault((tile.player, tile.group), []).append(index)
    for (player, name), members in groups.items():
        if len(members) not in (3, 4):
            raise ValueError(f"the set {name!r} has {len(members)} tiles, not three or four")
        blocks.append(laid_set(members, player, [tiles[i].alternatives for i in members]))
    return tuple(blocks)


def _by_the_laws(table: Table) -> tuple[Choice, dict[int, _Repair], list[Suggestion]]:
    """The camera's choice with the repairs that the laws of the set call for, and suggestions."""
    camera = table.camera
    if _is_lawful(table):
        return camera, {}, []
    ending = time.thread_time() + MOST_SECONDS
    solver = Solver(table)
    best = solver.solve()
    if best is None or best == camera:
        return camera, {}, []
    top = table.score(best)
    choice = list(camera)
    repairs: dict[int, _Repair] = {}
    suggestions = []
    changed = [n for n, taken in enumerate(best) if taken != camera[n]]
    for place, number in enumerate(changed):
        reason = _law_behind(table, number)
        weighed = place < MOST_REPAIRS and time.thread_time() < ending
        ratio, rival = _weigh(solver, table, best, number) if weighed else (0.0, None)
        margin = math.inf if rival is None else top - table.score(rival)
        if ratio > math.log(APPLY_ABOVE) and margin > math.log(RIVALS_BELOW):
            choice[number] = best[number]
            repairs[number] = _Repair(probability_ratio(ratio), reason)
            continue
        for version in (best, rival):
            if version is not None and version != camera:
                gain = table.score(version) - table.score(camera)
                suggestions.append(_suggestion(table, camera, version, gain, reason))
    return tuple(choice), repairs, list(dict.fromkeys(suggestions))


def _weigh(solver: Solver, table: Table, best: Choice, number: int) -> tuple[float, Choice | None]:
    """How much likelier the best choice is than the camera's block, and its rival.

    The first is the logarithm of the ratio to the best choice with the block as the camera read
    it; the rival is the best choice with anything else there, None where nothing else may be.
    """
    block = table.blocks[number]
    rival = without = solver.solve({(number, best[number])})
    if rival is not None and rival[number] != block.camera:
        others = {(number, k) for k in range(len(block.options)) if k != block.camera}
        without = solver.solve(others)
    ratio = math.inf if without is None else table.score(best) - table.score(without)
    return ratio, rival


def _is_lawful(table: Table) -> bool:
    """Whether the camera's own reading satisfies every law, and so is the likeliest."""
    best = all(
        block.options[block.camera].score >= max(o.score for o in block.options if not o.overrides)
        for block in table.blocks
    )
    fitting = table.found_sizes(table.camera) == dict(table.sizes)
    return best and fitting and not table.surplus(table.camera)


def _by_shape(
    table: Table, choice: Choice, repairs: Mapping[int, _Repair], winner: Winner
) -> tuple[Choice, dict[int, _Repair], list[Suggestion]]:
    """The choice with the winner's tiles repaired to a winning hand, or with suggestions."""
    who = _name(winner.player)
    reason = f"So {who}'s tiles make a winning hand; as the camera read them they make none."
    versions = legal_versions(table, choice, winner)
    if not versions:
        return choice, dict(repairs), []
    scores = [table.score(version) for version in versions]
    gains = [score - table.score(choice) + math.log(LEGAL_ODDS) for score in scores]
    margin = math.inf if len(scores) == 1 else scores[0] - scores[1]
    changed = [n for n, taken in enumerate(versions[0]) if taken != choice[n]]
    clear = any(table.chosen(versions[0])[number].overrides for number in changed)
    if gains[0] > math.log(APPLY_ABOVE) and margin > math.log(RIVALS_BELOW) and not clear:
        made = _Repair(probability_ratio(gains[0]), reason)
        return versions[0], {**repairs, **dict.fromkeys(changed, made)}, []
    offered = [
        _suggestion(table, choice, version, gain, reason)
        for version, gain in zip(versions, gains, strict=True)
    ]
    return choice, dict(repairs), offered


def _suggestion(
    table: Table, start: Choice, version: Choice, gain: float, reason: str
) -> Suggestion:
    changes = []
    for block, old, new in zip(
        table.blocks, table.chosen(start), table.chosen(version), strict=True
    ):
        parts = zip(block.tiles, old.labels, new.labels, strict=True)
        changes += [Change(tile, before, after) for tile, before, after in parts if before != after]
    changes.sort(key=lambda change: change.tile)
    return Suggestion(tuple(changes), probability_ratio(gain), reason)


def _decided(
    table: Table, choice: Choice, repairs: Mapping[int, _Repair]
) -> tuple[DecidedTile, ...]:
    decided: dict[int, DecidedTile] = {}
    for number, (block, option) in enumerate(zip(table.blocks, table.chosen(choice), strict=True)):
        seen = block.options[block.camera].labels
        for tile, label, camera in zip(block.tiles, option.labels, seen, strict=True):
            decided[tile] = DecidedTile(label, camera)
            if label != camera:
                made = repairs[number]
                decided[tile] = DecidedTile(label, camera, made.ratio, made.reason)
    return tuple(decided[index] for index in sorted(decided))


def _still_open(suggestion: Suggestion, decided: Sequence[DecidedTile]) -> bool:
    return all(decided[change.tile].label == change.camera for change in suggestion.changes)


def _law_behind(table: Table, number: int) -> str:
    """Which law the camera's reading of a block goes against, in words."""
    block, surplus = table.blocks[number], table.surplus(table.camera)
    option = block.options[block.camera]
    if len(block.tiles) > 1 and option.score < max(o.score for o in block.options):
        return "The tiles of a set laid apart are equal or follow each other."
    for face in option.faces:
        if face in surplus:
            limit = table.limits[face]
            return f"{limit + surplus[face]} tiles were read as {NAMES[face]}; the set has {limit}."
    if block.player is not None and block.player in table.sizes:
        size = table.sizes[block.player]
        return f"So {_name(block.player)}'s hand has {size} tiles, each set counted as three."
    return "It follows from the other repairs."


def _surplus(table: Table, choice: Choice) -> list[Problem]:
    found = []
    for face, over in table.surplus(choice).items():
        limit = table.limits[face]
        tiles = [
            tile
            for block, option in zip(table.blocks, table.chosen(choice), strict=True)
            for tile in block.tiles
            if face in option.faces
        ]
        text = (
            f"{limit + over} tiles are read as {NAMES[face]}, but the set has {limit}: check them."
        )
        found.append(Problem(text, tuple(sorted(tiles))))
    return found


def _wrong_sizes(table: Table, choice: Choice) -> list[Problem]:
    found = []
    for player, count in table.found_sizes(choice).items():
        size = table.sizes[player]
        if count != size:
            text = (
                f"{_name(player)} shows {count} tiles where {size} belong, each set counted as "
                "three: check that every tile lies open in the photo, and none of another player."
            )
            found.append(Problem(text, _tiles_of(table, player)))
    return found


def _no_hand(table: Table, choice: Choice, winner: Winner | None) -> list[Problem]:
    if winner is None or winner.accepts(hand_of(table, choice, winner.player)):
        return []
    text = f"{_name(winner.player)}'s tiles as they are read make no winning hand: check them."
    return [Problem(text, _tiles_of(table, winner.player))]


def _tiles_of(table: Table, player: str) -> tuple[int, ...]:
    return tuple(sorted(t for block in table.blocks if block.player == player for t in block.tiles))


def _name(player: str) -> str:
    return SEAT_NAMES.get(player, player)
