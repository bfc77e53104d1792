"""The joint decision about all tiles of a deal on the page: repairs, and what people are asked.

The labels read by the camera are kept with each tile, so the decision is made again after every
entry that may change it; a label that a person has checked stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from scorer.tiles import BACK, ORDER, SEATS, is_bonus
from vision.deal.decision import DecidedTile, Decision
from vision.deal.from_hands import PlayerTiles, decide_hands
from vision.deal.winner import Winner
from vision.layout.set_off import claimed_from, set_off
from vision.vocabulary.melds import find_meld
from vision.vocabulary.readings import FULL_HAND, POSITIONS
from webapp.deal.edits import exchange_tiles, with_player
from webapp.deal.rules_asked import asks_of, needs_tile
from webapp.deal.state import BONUS, HAND, DealState, Player, Reread, Suggestion, Tile, Win
from webapp.joint.alike import alike
from webapp.joint.legality import goes_out, may_go_out
from webapp.language.kept import kept

LIVE: Final = "live"
OTHERS, WON = FULL_HAND
"""Number of tiles of a hand, each meld counted as three: of the others, and of who went out."""

Named = tuple[str, Tile]
"""A tile and the seat of its player."""


def with_decision(state: DealState, copies: Mapping[str, int]) -> DealState:
    """The deal with all tiles that nobody has checked labelled by the joint decision.

    Args:
        state: the deal.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    tiles = list(_all(state))
    if not any(tile.open for _, tile in tiles):
        return replace(state, suggestions=())
    try:
        decision = decide_hands(_hands(state), copies=copies, winner=_winner(state))
    except RuntimeError:
        return replace(state, suggestions=())
    players = tuple(_decided(player, tiles, decision) for player in state.players)
    decided = _with_tile_set_off(replace(state, players=players))
    suggestions = tuple(_suggestions(tiles, decision))
    return replace(decided, suggestions=(*suggestions, *alike(decided, suggestions, copies)))


def _with_tile_set_off(state: DealState) -> DealState:
    """The deal with the winning tile by how it lies, unless one that the winner has was told."""
    win = state.win
    if win.seat is None or not needs_tile(state, win.source):
        return state
    winner = state.player(win.seat)
    label = tile_set_off(winner)
    if label is None or any(tile.label == win.tile for tile in winner.tiles):
        return state
    return replace(state, win=replace(win, tile=label))


def tile_set_off(player: Player) -> str | None:
    """The label of the only tile in a player's hand that is turned, or lies apart, on the photo."""
    shown = [(tile, tile.quad) for tile in player.in_place(HAND) if tile.quad]
    found = set_off([quad for _, quad in shown])
    return None if found is None or shown[found][0].unresolved else shown[found][0].label


def fed_by(state: DealState, seat: str) -> Iterator[tuple[str, str]]:
    """A player's sets that were claimed, as far as the photo shows from whom.

    Yields:
        The first tile of a set, and the seat of who discarded the tile that lies across in it.
    """
    player, place = state.player(seat), SEATS.index(seat)
    for meld in player.melds:
        tiles = player.in_place(meld.id)
        quads = [tile.quad for tile in tiles if tile.quad]
        if (
            meld.concealed
            or len(quads) < len(tiles)
            or find_meld([it.label for it in tiles]) is None
        ):
            continue
        side = claimed_from(quads)
        giver = None if side is None else SEATS[(place + POSITIONS.index(side)) % len(SEATS)]
        if giver in state.seats:
            yield tiles[0].label, giver


def with_tiles(state: DealState, players: Iterable[Player], copies: Mapping[str, int]) -> DealState:
    """The deal with these players' tiles as they were read, all tiles then decided together.

    Args:
        state: the deal.
        players: with their tiles.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    for player in players:
        state = with_player(state, player)
    return with_decision(with_winner_by_size(state), copies)


def with_winner_by_size(state: DealState) -> DealState:
    """The deal with the only player who can have gone out as the one who did.

    Only where nothing was said yet. It is the player who shows 14 tiles where all the others show
    13 or their tiles do not matter; else the only one with 14 with which someone may go out.
    """
    if state.win != Win() or any(player.claimed is not None for player in state.players):
        return state
    sizes = {player.seat: player.hand_size for player in state.players}
    full = [seat for seat, size in sizes.items() if size == WON]
    by_size = sorted(sizes.values()) == [OTHERS] * (len(sizes) - 1) + [WON]
    by_size = by_size or (len(full) == 1 and not asks_of(state).others)
    winners = full if by_size else [seat for seat in full if goes_out(state, seat)]
    return replace(state, win=Win(seat=winners[0])) if len(winners) == 1 else state


def exchanged(state: DealState, one: str, other: str, copies: Mapping[str, int]) -> DealState:
    """The deal with the tiles of two players exchanged; who went out by size is found again.

    Args:
        state: the deal.
        one: the seat of a player.
        other: the seat of another, who may have no tiles.
        copies: number of tiles of each face of which the tile set has an unusual number.
    """
    by_size = with_winner_by_size(replace(state, win=Win())).win
    told = state.win.seat != by_size.seat or state.win.source is not None
    given = exchange_tiles(state if told else replace(state, win=Win()), one, other)
    return with_decision(with_winner_by_size(given), copies)


def tiles_missing(player: Player) -> int:
    """How many tiles must still be found of a hand that lies on the table, of which some are."""
    if not player.tiles or player.claimed is not None or player.status != LIVE:
        return 0
    return max(0, OTHERS - player.hand_size)


def tiles_too_many(player: Player) -> int:
    """How many tiles a hand that lies on the table has more than one that went out."""
    if player.claimed is not None or player.status != LIVE:
        return 0
    return max(0, player.hand_size - WON)


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


def _hands(state: DealState) -> list[PlayerTiles]:
    """All players' tiles to be decided; a label that a person has checked is certain."""
    over = state.win.seat is not None or state.win.drawn
    found = []
    for player in state.players:
        if player.claimed is None and player.tiles:
            apart = {laid.id for laid in player.melds}
            tiles = tuple(t.alternatives if t.open else ((t.label, 1.0),) for t in player.tiles)
            groups = tuple(t.place if t.place in apart else None for t in player.tiles)
            whole = WON if player.seat in state.win.winners else OTHERS
            size = whole if over and player.status == LIVE else None
            found.append(PlayerTiles(player.seat, tiles, groups, size))
    return found


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
    return replace(
        named, camera=answer.camera, why=kept(answer.reason or ""), odds=answer.ratio or 0.0
    )


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
            yield Suggestion(changes, found.ratio, kept(found.reason))
