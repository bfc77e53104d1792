"""The questions to people about the tiles of a deal, the most important first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scorer.tiles import BACK
from webapp.deal.state import UNRESOLVED, DealState, Player, Suggestion, Tile

MAX_CHOICES: Final = 4
"""Maximum number of labels that a question offers; all others are one tap further away."""


@dataclass(frozen=True, slots=True)
class Version:
    """Other labels for some tiles that people can accept with one tap.

    Attributes:
        number: the index of the suggestion within the deal.
        suggestion: the other labels, with their odds and the reason.
        tiles: all tiles that the question is about, as they are now.
    """

    number: int
    suggestion: Suggestion
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Tiles of a player that a person should look at.

    Attributes:
        player: the player whose tiles they are.
        tiles: the tiles in question.
        versions: other labels that the tiles of the whole deal make likely; empty for a question
            about a single tile.
        choices: the labels that a single tile may have, most probable first.
        hidden: whether the tiles are a kong that lies face down.
    """

    player: Player
    tiles: tuple[Tile, ...]
    versions: tuple[Version, ...] = ()
    choices: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A tile whose label from the photo was changed by the joint decision on the whole deal."""

    player: Player
    tile: Tile


def repairs_of(state: DealState) -> tuple[Repair, ...]:
    """The tiles that the joint decision changed and that nobody has checked yet."""
    return tuple(
        Repair(player, tile)
        for player in state.players
        for tile in player.tiles
        if tile.camera and not tile.checked
    )


def questions_of(state: DealState) -> tuple[Question, ...]:
    """All questions of a deal.

    Other versions of several tiles come first, then kongs that lie face down, then single tiles by
    rising confidence.
    """
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
    """The questions about one player's tiles that the tiles of the whole deal raise."""
    return tuple(question for question in _versions(state) if question.player.seat == seat)


def _repaired(tile: Tile) -> bool:
    return bool(tile.camera) and not tile.unresolved


def _versions(state: DealState) -> Iterator[Question]:
    """One question for each group of suggestions that share tiles."""
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
    return tuple(named[:MAX_CHOICES])
