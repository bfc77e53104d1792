"""What people are asked about the tiles of a deal, what matters most first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scorer.tiles import BACK
from webapp.deal.state import UNRESOLVED, DealState, Player, Suggestion, Tile

MOST_CHOICES: Final = 4
"""How many labels a question offers; the others are a tap further."""


@dataclass(frozen=True, slots=True)
class Version:
    """Other labels for some tiles, to be taken with one tap; ``number`` names the suggestion."""

    number: int
    suggestion: Suggestion
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be looked at.

    Attributes:
        player: whose tiles.
        tiles: those that are meant, all of one photo.
        versions: readings that all tiles together make likely; empty for a tile on its own.
        choices: labels that the tile may have, the likeliest first.
        hidden: whether it is a kong of which no tile is shown.
    """

    player: Player
    tiles: tuple[Tile, ...]
    versions: tuple[Version, ...] = ()
    choices: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A tile that all tiles together say is another than the camera said."""

    player: Player
    tile: Tile


def repairs_of(state: DealState) -> tuple[Repair, ...]:
    """The tiles that were put right without asking and that nobody has looked at."""
    return tuple(
        Repair(player, tile)
        for player in state.players
        for tile in player.tiles
        if tile.camera and not tile.checked
    )


def questions_of(state: DealState) -> tuple[Question, ...]:
    """All questions: other versions first, then kongs not shown, then the tiles least sure."""
    found = [*_versions(state)]
    asked = {(q.player.seat, tile.id) for q in found for tile in q.tiles}
    singles: list[Question] = []
    for player in state.players:
        if player.claimed is not None:
            continue
        hidden = list(_hidden_kongs(player))
        found += hidden
        asked |= {(player.seat, tile.id) for q in hidden for tile in q.tiles}
        singles += [
            Question(player, (tile,), choices=_choices(tile))
            for tile in player.doubtful
            if (player.seat, tile.id) not in asked and not _repaired(tile)
        ]
    singles.sort(key=lambda q: q.tiles[0].confidence)
    return (*found, *singles)


def versions_for(state: DealState, seat: str) -> tuple[Question, ...]:
    """What is asked of one player's tiles because of the other tiles."""
    return tuple(question for question in _versions(state) if question.player.seat == seat)


def _repaired(tile: Tile) -> bool:
    return bool(tile.camera) and not tile.unresolved


def _versions(state: DealState) -> Iterator[Question]:
    """Suggestions about the same tiles make one question."""
    groups: list[tuple[set[tuple[str, str]], list[tuple[int, Suggestion]]]] = []
    for number, suggestion in enumerate(state.suggestions):
        touched = {(change.seat, change.tile) for change in suggestion.changes}
        for known, members in groups:
            if known & touched:
                known.update(touched)
                members.append((number, suggestion))
                break
        else:
            groups.append((touched, [(number, suggestion)]))
    for touched, members in groups:
        seat = members[0][1].changes[0].seat
        player = state.player(seat)
        tiles = tuple(
            tile for p in state.players for tile in p.tiles if (p.seat, tile.id) in touched
        )
        if tiles:
            versions = tuple(Version(number, found, tiles) for number, found in members)
            yield Question(player, tiles, versions)


def _hidden_kongs(player: Player) -> Iterator[Question]:
    for laid in player.melds:
        members = player.in_place(laid.id)
        if len(members) == 4 and all(tile.label == BACK for tile in members):
            yield Question(player, members, hidden=True)


def _choices(tile: Tile) -> tuple[str, ...]:
    labels = [tile.label, *(label for label, _ in tile.alternatives)]
    named = [label for label in dict.fromkeys(labels) if label not in UNRESOLVED]
    return tuple(named[:MOST_CHOICES])
