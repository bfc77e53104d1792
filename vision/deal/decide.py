"""The likeliest labels of all tiles of a deal, given the tile set and the winner's hand.

The camera gives some labels with their probabilities for each tile. :func:`decide` looks for the
likeliest labels of all tiles together, provided that

- the tile set has only so many tiles of each face (:mod:`vision.vocabulary.copies`),
- the tiles of a meld laid apart are equal or consecutive,
- each hand has as many tiles as it must, a meld counted as three, and
- the player who went out holds a winning hand, which a function of the caller decides.

A repair is applied when it is at least 100 times as likely as the labels read by the camera and 10
times as likely as any other way to satisfy these laws. Otherwise it is a suggestion, and so is
every change of a tile that was read with certainty. Copies of one face that are all misread in the
same way often satisfy every law, so agreement between tiles is no evidence that they are read
correctly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from vision.deal.decision import Change, DecidedTile, Decision, JointTile, Problem, Suggestion
from vision.deal.options import Block, Choice, Table, laid_meld, single
from vision.deal.winner import LEGAL_ODDS, Winner, hand_of, legal_versions, probability_ratio
from vision.messages import Message, say
from vision.vocabulary.copies import NO_CHANGES, copies_of_each

if TYPE_CHECKING:
    from vision.deal.solver import Solver


@dataclass(frozen=True, slots=True)
class Repairs:
    """When a change of the camera's labels is applied rather than suggested.

    Attributes:
        apply_above: how many times as likely as the labels read by the camera it must be.
        rivals_below: how many times as likely as the next best repair it must be.
        most: maximum number of repairs whose rivals are weighed; further ones are suggested. A
            number, not a time, so that slow and fast computers decide alike.
    """

    apply_above: float = 100.0
    rivals_below: float = 10.0
    most: int = 4


REPAIRS: Final = Repairs()

_NO_SIZES: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Repair:
    """A change that is applied.

    Attributes:
        ratio: how many times as likely the labels are with it as without.
        reason: why it is applied.
    """

    ratio: float
    reason: Message


def decide(
    tiles: Sequence[JointTile],
    *,
    copies: Mapping[str, int] = NO_CHANGES,
    sizes: Mapping[str, int] = _NO_SIZES,
    winner: Winner | None = None,
) -> Decision:
    """Decide the labels of all tiles of a deal together.

    A tile set has one plum, so the tile that is less surely the plum is the orchid:

    >>> from vision import JointTile, decide
    >>> doubtful = JointTile((("1f", 0.6), ("2f", 0.4)))
    >>> decide([doubtful, JointTile((("1f", 0.99), ("2f", 0.01)))]).labels
    ('2f', '1f')

    Args:
        tiles: the tiles of all photos and players.
        copies: number of tiles of each face of which the tile set has an unusual number.
        sizes: number of tiles of each player's hand where it is known, a meld counted as three and
            bonus tiles left out.
        winner: the player who declared going out; None if nobody did or it is not known.

    Raises:
        ValueError: a meld laid apart has neither three nor four tiles, or a player named in
            ``sizes`` or ``winner`` has no tiles.
        RuntimeError: the solver found no choice.
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
        blocks.append(laid_meld(members, player, [tiles[i].alternatives for i in members]))
    return tuple(blocks)


def _by_the_laws(table: Table) -> tuple[Choice, dict[int, _Repair], list[Suggestion]]:
    """The camera's choice with the repairs that the tile set's laws require, and suggestions."""
    camera = table.camera
    if _is_lawful(table):
        return camera, {}, []
    from vision.deal.solver import Solver  # it takes longer to load than to run

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
        weighed = place < REPAIRS.most
        ratio, rival = _weigh(solver, table, best, number) if weighed else (0.0, None)
        margin = math.inf if rival is None else top - table.score(rival)
        if ratio > math.log(REPAIRS.apply_above) and margin > math.log(REPAIRS.rivals_below):
            choice[number] = best[number]
            repairs[number] = _Repair(probability_ratio(ratio), reason)
            continue
        for version in (best, rival):
            if version is not None and version != camera:
                gain = table.score(version) - table.score(camera)
                suggestions.append(_suggestion(table, camera, version, gain, reason))
    return tuple(choice), repairs, list(dict.fromkeys(suggestions))


def _weigh(solver: Solver, table: Table, best: Choice, number: int) -> tuple[float, Choice | None]:
    """How much likelier the best choice is with its option of a block than with the camera's.

    Returns:
        The natural logarithm of the ratio to the best choice that keeps the camera's option of the
        block; and the best choice with any other option of it, None if there is none.
    """
    block = table.blocks[number]
    rival = without = solver.solve({(number, best[number])})
    if rival is not None and rival[number] != block.camera:
        others = {(number, k) for k in range(len(block.options)) if k != block.camera}
        without = solver.solve(others)
    ratio = math.inf if without is None else table.score(best) - table.score(without)
    return ratio, rival


def _is_lawful(table: Table) -> bool:
    """Whether the camera's labels satisfy every law, and so are the likeliest."""
    best = all(
        block.options[block.camera].score >= max(o.score for o in block.options if not o.overrides)
        for block in table.blocks
    )
    fitting = table.found_sizes(table.camera) == dict(table.sizes)
    return best and fitting and not table.surplus(table.camera)


def _by_shape(
    table: Table, choice: Choice, repairs: Mapping[int, _Repair], winner: Winner
) -> tuple[Choice, dict[int, _Repair], list[Suggestion]]:
    """The choice with the winner's tiles repaired to a winning hand, or else suggestions for it."""
    reason = say("decision.winning_hand", player=winner.player)
    versions = legal_versions(table, choice, winner)
    if not versions:
        return choice, dict(repairs), []
    scores = [table.score(version) for version in versions]
    gains = [score - table.score(choice) + math.log(LEGAL_ODDS) for score in scores]
    margin = math.inf if len(scores) == 1 else scores[0] - scores[1]
    changed = [n for n, taken in enumerate(versions[0]) if taken != choice[n]]
    clear = any(table.chosen(versions[0])[number].overrides for number in changed)
    if (
        gains[0] > math.log(REPAIRS.apply_above)
        and margin > math.log(REPAIRS.rivals_below)
        and not clear
    ):
        made = _Repair(probability_ratio(gains[0]), reason)
        return versions[0], {**repairs, **dict.fromkeys(changed, made)}, []
    offered = [
        _suggestion(table, choice, version, gain, reason)
        for version, gain in zip(versions, gains, strict=True)
    ]
    return choice, dict(repairs), offered


def _suggestion(
    table: Table, start: Choice, version: Choice, gain: float, reason: Message
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


def _law_behind(table: Table, number: int) -> Message:
    """The law that the camera's labels of a block break."""
    block, surplus = table.blocks[number], table.surplus(table.camera)
    option = block.options[block.camera]
    if len(block.tiles) > 1 and option.score < max(o.score for o in block.options):
        return say("decision.laid_apart")
    for face in option.faces:
        if face in surplus:
            limit = table.limits[face]
            count = limit + surplus[face]
            return say("decision.surplus", count=count, face=face, limit=limit)
    if block.player is not None and block.player in table.sizes:
        size = table.sizes[block.player]
        return say("decision.hand_size", player=block.player, size=size)
    return say("decision.other_repairs")


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
        text = say("problem.surplus", count=limit + over, face=face, limit=limit)
        found.append(Problem(text, tuple(sorted(tiles))))
    return found


def _wrong_sizes(table: Table, choice: Choice) -> list[Problem]:
    found = []
    for player, count in table.found_sizes(choice).items():
        size = table.sizes[player]
        if count != size:
            text = say("problem.hand_size", player=player, count=count, size=size)
            found.append(Problem(text, _tiles_of(table, player)))
    return found


def _no_hand(table: Table, choice: Choice, winner: Winner | None) -> list[Problem]:
    if winner is None or winner.accepts(hand_of(table, choice, winner.player)):
        return []
    text = say("problem.no_winning_hand", player=winner.player)
    return [Problem(text, _tiles_of(table, winner.player))]


def _tiles_of(table: Table, player: str) -> tuple[int, ...]:
    return tuple(sorted(t for block in table.blocks if block.player == player for t in block.tiles))
