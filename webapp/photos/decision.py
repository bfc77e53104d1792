"""All tiles of a deal decided together, on the page: repairs, and what is asked about.

The camera's own word on each tile is kept with it, so the decision is made anew after every entry
that may change it; what a person has said of a tile stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scorer.tiles import BACK, ORDER, is_bonus
from vision.deal.decide import DecidedTile, Decision, JointTile, decide
from vision.deal.winner import Winner
from vision.vocabulary.melds import MELD_LENGTHS, find_meld
from vision.vocabulary.readings import FULL_HAND
from webapp.deal.edits import with_player
from webapp.deal.legality import may_go_out
from webapp.deal.state import BONUS, HAND, DealState, Player, Reread, Suggestion, Tile, Win
from webapp.photos.alike import alike

LIVE: Final = "live"
OTHERS, WON = FULL_HAND
"""How many tiles a hand has, each set counted as three."""

Named = tuple[str, Tile]
"""A tile and the seat of its player."""


def with_decision(state: DealState) -> DealState:
    """The deal with every tile that nobody has looked at as all tiles together say it is."""
    tiles = list(_all(state))
    if not any(tile.open for _, tile in tiles):
        return replace(state, suggestions=())
    bound = _bound(state, tiles)
    try:
        decision = decide(bound, sizes=_sizes(state), winner=_winner(state))
    except RuntimeError:
        return replace(state, suggestions=())
    players = tuple(_decided(player, tiles, decision) for player in state.players)
    decided = replace(state, players=players)
    suggestions = tuple(_suggestions(tiles, decision))
    return replace(decided, suggestions=(*suggestions, *alike(decided, suggestions)))


def with_tiles(state: DealState, players: Iterable[Player]) -> DealState:
    """The deal with these players' tiles as they were read, all tiles then decided together."""
    for player in players:
        state = with_player(state, player)
    return with_decision(with_winner_by_size(state))


def with_winner_by_size(state: DealState) -> DealState:
    """The deal with the only player who shows 14 tiles as the one who went out.

    Only where everybody's tiles are there, all the others show 13, and nothing was said yet.
    """
    if state.win != Win() or any(player.claimed is not None for player in state.players):
        return state
    sizes = {player.seat: hand_size(player) for player in state.players}
    full = [seat for seat, size in sizes.items() if size == WON]
    if len(full) != 1 or sorted(sizes.values()) != [OTHERS] * (len(sizes) - 1) + [WON]:
        return state
    return replace(state, win=Win(seat=full[0]))


def hand_size(player: Player) -> int:
    """How many tiles a player shows, each set laid apart counted as three."""
    return len(player.in_place(HAND)) + 3 * len(player.melds)


def tiles_missing(player: Player) -> int:
    """How many tiles must still be found of a hand that lies on the table, of which some are."""
    if not player.tiles or player.claimed is not None or player.status != LIVE:
        return 0
    return max(0, OTHERS - hand_size(player))


def accept(state: DealState, number: int) -> DealState:
    """The deal with a suggestion taken over: its tiles count as looked at.

    Raises:
        IndexError: there is no such suggestion.
    """
    labels = {(c.seat, c.tile): c.label for c in state.suggestions[number].changes}
    return _settled(state, labels)


def decline(state: DealState, number: int) -> DealState:
    """The deal with a suggestion turned down: its tiles stay as they are and count as looked at.

    Raises:
        IndexError: there is no such suggestion.
    """
    labels = {(c.seat, c.tile): c.read for c in state.suggestions[number].changes}
    return _settled(state, labels)


def _settled(state: DealState, labels: dict[tuple[str, str], str]) -> DealState:
    players = []
    for player in state.players:
        tiles = tuple(
            _named(tile, labels[player.seat, tile.id], checked=True)
            if (player.seat, tile.id) in labels
            else tile
            for tile in player.tiles
        )
        players.append(_in_sets(replace(player, tiles=tiles)))
    return replace(state, players=tuple(players))


def _all(state: DealState) -> Iterator[Named]:
    for player in state.players:
        if player.claimed is None:
            yield from ((player.seat, tile) for tile in player.tiles)


def _bound(state: DealState, tiles: list[Named]) -> list[JointTile]:
    """The tiles as they are decided; those of a set laid apart are bound together."""
    sizes = {
        (player.seat, laid.id): len(player.in_place(laid.id))
        for player in state.players
        for laid in player.melds
    }
    found = []
    for seat, tile in tiles:
        chances = _chances(tile) if tile.open else ((tile.label, 1.0),)
        apart = tile.place if sizes.get((seat, tile.place)) in MELD_LENGTHS else None
        found.append(JointTile(chances, seat, apart))
    return found


def _chances(tile: Tile) -> tuple[tuple[str, float], ...]:
    """The camera's labels, each once, the likeliest first."""
    best: dict[str, float] = {}
    for label, chance in tile.alternatives:
        best[label] = max(chance, best.get(label, 0.0))
    return tuple(sorted(best.items(), key=lambda pair: -pair[1]))


def _sizes(state: DealState) -> dict[str, int]:
    """How many tiles each hand must have, as far as it is known."""
    if state.win.seat is None and not state.win.drawn:
        return {}
    return {
        player.seat: WON if player.seat == state.win.seat else OTHERS
        for player in state.players
        if player.claimed is None and player.tiles and player.status == LIVE
    }


def _winner(state: DealState) -> Winner | None:
    """Who went out; None where that is not known or a kong of that hand is not shown."""
    seat = state.win.seat
    if seat is None:
        return None
    player = state.player(seat)
    unknown = any(tile.label == BACK for tile in player.tiles)
    if player.claimed is not None or not player.tiles or unknown:
        return None
    return Winner(seat, may_go_out(state, seat), state.win.tile)


def _decided(player: Player, tiles: list[Named], decision: Decision) -> Player:
    answers = {
        tile.id: answer
        for (seat, tile), answer in zip(tiles, decision.tiles, strict=True)
        if seat == player.seat
    }
    if not answers:
        return player
    decided = tuple(
        _answered(tile, answers[tile.id]) if tile.open else tile for tile in player.tiles
    )
    return _in_sets(replace(player, tiles=decided))


def _answered(tile: Tile, answer: DecidedTile) -> Tile:
    named = _named(tile, answer.label, checked=False)
    if not answer.changed:
        return replace(named, camera="", why="", odds=0.0)
    return replace(named, camera=answer.camera, why=str(answer.reason), odds=answer.ratio or 0.0)


def _named(tile: Tile, label: str, *, checked: bool) -> Tile:
    """The tile with this label, among the bonus tiles or not as its kind asks for."""
    place = tile.place
    if place in (HAND, BONUS):
        place = BONUS if is_bonus(label) else HAND
    return replace(tile, label=label, place=place, checked=checked or tile.checked)


def _in_sets(player: Player) -> Player:
    """The player with the face-down tiles of each set named by its face, all tiles in order."""
    tiles = {tile.id: tile for tile in player.tiles}
    for laid in player.melds:
        members = player.in_place(laid.id)
        meld = find_meld([tile.label for tile in members])
        if meld is None or BACK in meld.tiles:
            continue
        for tile in members:
            if tile.label == BACK:
                tiles[tile.id] = replace(tile, label=meld.tiles[0])
    ordered = tuple(sorted(tiles.values(), key=lambda tile: ORDER[tile.label]))
    return replace(player, tiles=ordered)


def _suggestions(tiles: list[Named], decision: Decision) -> Iterator[Suggestion]:
    for found in decision.suggestions:
        changes = tuple(
            Reread(tiles[c.tile][0], tiles[c.tile][1].id, c.camera, c.label) for c in found.changes
        )
        if changes:
            yield Suggestion(changes, found.ratio, str(found.reason))
