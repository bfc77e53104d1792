"""The questions to people about the tiles of a deal, the most important first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scorer.tiles import BACK, SUITS, is_suit
from vision.vocabulary.copies import NO_CHANGES, surplus
from vision.vocabulary.readings import FULL_HAND
from webapp.deal.edits import MAX_MELD_TILES
from webapp.deal.state import HAND, UNRESOLVED, DealState, Player, Suggestion, Tile, Win

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
class Suspect:
    """One of the tiles of a face that there are more of than the tile set has.

    Attributes:
        player: who has it.
        tile: the tile.
        other: the label that it has most likely if it was misread; empty if none is likely.
    """

    player: Player
    tile: Tile
    other: str = ""


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
        alike: whether the tiles are four alike in a hand that has too many tiles without a kong.
        suspects: all tiles of a face of which the set has fewer, of all players, the least sure
            first; empty for any other question.
    """

    player: Player
    tiles: tuple[Tile, ...]
    versions: tuple[Version, ...] = ()
    choices: tuple[str, ...] = ()
    hidden: bool = False
    alike: bool = False
    suspects: tuple[Suspect, ...] = ()


@dataclass(frozen=True, slots=True)
class SuitAsked:
    """Tiles of a set that nobody knows which were taken for one suit.

    Attributes:
        suit: letter of the suit, ``m``, ``p`` or ``s``.
        examples: some of them, of different numbers, each with its player.
    """

    suit: str
    examples: tuple[tuple[Player, Tile], ...]


def suits_asked(state: DealState) -> tuple[SuitAsked, ...]:
    """What each suit that a camera read in a strange set looks like, as long as nobody checked."""
    found = []
    for suit in SUITS:
        shown: dict[str, tuple[Player, Tile]] = {}
        for player in state.players:
            for tile in player.tiles:
                if tile.open and tile.quad and is_suit(tile.label) and tile.label[1] == suit:
                    shown.setdefault(tile.label, (player, tile))
        if shown:
            found.append(SuitAsked(suit, tuple(shown.values())[:MAX_CHOICES]))
    return tuple(found)


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


def questions_of(state: DealState, copies: Mapping[str, int] = NO_CHANGES) -> tuple[Question, ...]:
    """All questions of a deal.

    Too many tiles of a face come first, then other versions of several tiles, then kongs that lie
    face down or among the hand, then single tiles by rising confidence.

    Args:
        state: the deal.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    found = _of_whole_deal(state, copies)
    asked = {(q.player.seat, tile.id) for q in found for tile in q.tiles}
    asked |= {(suspect.player.seat, suspect.tile.id) for q in found for suspect in q.suspects}
    singles: list[Question] = []
    for player in state.players:
        if player.claimed is not None:
            continue
        hidden = list(_hidden_kongs(player))
        found += (*hidden, *_kongs_in_hand(state, player))
        asked |= {(player.seat, tile.id) for q in hidden for tile in q.tiles}
        singles += [
            Question(player, (tile,), choices=_choices(tile))
            for tile in player.doubtful
            if (player.seat, tile.id) not in asked and not _repaired(tile)
        ]
    singles.sort(key=lambda q: q.tiles[0].confidence)
    return (*found, *singles)


def versions_for(
    state: DealState, seat: str, copies: Mapping[str, int] = NO_CHANGES
) -> tuple[Question, ...]:
    """The questions about one player's tiles that more than a single tile raises.

    Args:
        state: the deal.
        seat: the player's seat.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    ours = (
        question
        for question in _of_whole_deal(state, copies)
        if seat in (question.player.seat, *(s.player.seat for s in question.suspects))
    )
    return (*ours, *_kongs_in_hand(state, state.player(seat)))


def _of_whole_deal(state: DealState, copies: Mapping[str, int]) -> list[Question]:
    too_many = list(_surpluses(state, copies))
    suspected = {(s.player.seat, s.tile.id) for q in too_many for s in q.suspects}
    versions = (
        question
        for question in _versions(state)
        if not any((question.player.seat, tile.id) in suspected for tile in question.tiles)
    )
    return [*too_many, *versions]


def _surpluses(state: DealState, copies: Mapping[str, int]) -> Iterator[Question]:
    """A question for each face of which more tiles lie than the set has."""
    laid = [
        (player, tile)
        for player in state.players
        if player.claimed is None
        for tile in player.tiles
    ]
    for label in surplus((tile.label for _, tile in laid), copies):
        alike = [(player, tile) for player, tile in laid if tile.label == label]
        alike.sort(key=lambda named: (named[1].checked, named[1].confidence))
        suspects = tuple(
            Suspect(player, tile, _other(state, player, tile)) for player, tile in alike
        )
        yield Question(alike[0][0], tuple(tile for _, tile in alike), suspects=suspects)


def _other(state: DealState, player: Player, tile: Tile) -> str:
    """What a tile is most likely if it was misread: by the whole deal, or by its photo alone."""
    for suggestion in state.suggestions:
        for change in suggestion.changes:
            if (change.seat, change.tile) == (player.seat, tile.id):
                return change.label
    return next((label for label in _choices(tile) if label != tile.label), "")


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
        if len(members) == MAX_MELD_TILES and all(tile.label == BACK for tile in members):
            yield Question(player, members, hidden=True)


def _kongs_in_hand(state: DealState, player: Player) -> Iterator[Question]:
    """A question for each four alike in a hand, as long as it has too many tiles without a kong."""
    may_be_out = state.win == Win() or player.seat in state.win.winners
    if player.hand_size <= FULL_HAND[1 if may_be_out else 0]:
        return
    hand = player.in_place(HAND)
    for label in dict.fromkeys(tile.label for tile in hand if tile.label not in UNRESOLVED):
        members = tuple(tile for tile in hand if tile.label == label)
        if len(members) == MAX_MELD_TILES:
            yield Question(player, members, alike=True)


def _choices(tile: Tile) -> tuple[str, ...]:
    labels = [tile.label, *(label for label, _ in tile.alternatives)]
    named = [label for label in dict.fromkeys(labels) if label not in UNRESOLVED]
    return tuple(named[:MAX_CHOICES])
