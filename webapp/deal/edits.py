"""The edits of a player's tiles: each takes the player as entered and returns the changed one.

An edit that cannot be made raises :class:`EditError`, whose message people read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from flask_babel import gettext

from scorer.tiles import BACK, ORDER, READING_LABELS, is_bonus, is_suit
from webapp.deal.state import BONUS, HAND, DealState, Meld, Player, Tile, place_for

MAX_TILES = 40
"""Maximum number of tiles of a player; no hand has as many, a finger held down enters more."""

MAX_MELD_TILES = 4
"""Number of tiles of the largest meld, a kong."""


class EditError(ValueError):
    """The edit cannot be made; the message says why and what to do instead."""


def with_player(state: DealState, player: Player) -> DealState:
    """The deal with one player replaced."""
    players = tuple(player if p.seat == player.seat else p for p in state.players)
    return replace(state, players=players)


def _next_id(prefix: str, used: Iterable[str]) -> str:
    numbers = [int(name[1:]) for name in used]
    return f"{prefix}{max(numbers, default=0) + 1}"


def tile_of(player: Player, tile_id: str) -> Tile:
    """The player's tile with this id.

    Raises:
        EditError: the tile has been removed meanwhile.
    """
    for tile in player.tiles:
        if tile.id == tile_id:
            return tile
    raise EditError(gettext("That tile has already been removed. Check the tiles as they are now."))


def _known(label: str) -> str:
    if label not in READING_LABELS:
        raise EditError(
            gettext("There is no tile “%(label)s”. Choose one from the keyboard.", label=label)
        )
    return label


def _without_empty_melds(player: Player) -> Player:
    used = {t.place for t in player.tiles}
    return replace(player, melds=tuple(s for s in player.melds if s.id in used))


def _sorted(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=lambda t: ORDER[t.label]))


def add_tiles(player: Player, labels: Sequence[str], place: str) -> Player:
    """Add tiles to ``hand``, ``bonus`` or a meld; flowers and seasons always become bonus tiles.

    Raises:
        EditError: a label is unknown, or there would be more than :data:`MAX_TILES`.
    """
    if len(player.tiles) + len(labels) > MAX_TILES:
        raise EditError(gettext("That is more tiles than one player can hold. Remove some first."))
    tiles = list(player.tiles)
    for label in labels:
        tile_id = _next_id("t", (t.id for t in tiles))
        natural = place_for(_known(label))
        target = natural if BONUS in (natural, place) else place
        tiles.append(Tile(tile_id, label, target))
    return replace(player, tiles=_sorted(tiles), claimed=None)


def meld_labels(kind: str, label: str) -> tuple[str, ...]:
    """The tiles of a meld of this kind that starts with, or consists of, the given tile.

    Raises:
        EditError: there is no such meld, for example a chow that starts with an 8.
    """
    if is_bonus(_known(label)):
        raise EditError(gettext("Flowers and seasons cannot form sets. They are bonus tiles."))
    if kind == "chow":
        if not is_suit(label) or int(label[0]) > 7:
            raise EditError(gettext("A chow starts with a 1 to 7 of a suit. Tap its lowest tile."))
        return tuple(f"{int(label[0]) + step}{label[1]}" for step in range(3))
    return (label,) * (4 if "kong" in kind else 3)


def add_meld(player: Player, kind: str, label: str) -> Player:
    """Add a whole meld: ``chow``, ``pung``, ``kong`` (exposed) or ``concealed_kong``."""
    meld_id = _next_id("s", (s.id for s in player.melds))
    labels = meld_labels(kind, label)
    melds = (*player.melds, Meld(meld_id, concealed=kind == "concealed_kong"))
    return add_tiles(replace(player, melds=melds), labels, meld_id)


def change_tile(player: Player, tile_id: str, label: str) -> Player:
    """Give a tile another label; it moves to or from the bonus tiles if the label requires it."""
    tile = tile_of(player, tile_id)
    place = tile.place
    if is_bonus(_known(label)):
        place = BONUS
    elif place == BONUS:
        place = HAND
    changed = replace(tile, label=label, place=place, checked=True, camera="", why="", odds=0.0)
    alike = _hidden_with(player, tile) if place == tile.place and label != BACK else frozenset()
    same = {t.id: replace(changed, id=t.id, quad=t.quad) for t in player.tiles if t.id in alike}
    tiles = tuple(changed if t.id == tile_id else same.get(t.id, t) for t in player.tiles)
    return _without_empty_melds(replace(player, tiles=_sorted(tiles)))


def _hidden_with(player: Player, tile: Tile) -> frozenset[str]:
    """The other tiles of a kong that lies face down, all of which get the label of one of them."""
    kong = player.in_place(tile.place)
    if tile.place in (HAND, BONUS) or len(kong) != 4 or any(t.label != BACK for t in kong):
        return frozenset()
    return frozenset(t.id for t in kong if t.id != tile.id)


def confirm_tile(player: Player, tile_id: str) -> Player:
    """Mark a tile as checked by a person, with the label that it has."""
    return change_tile(player, tile_id, tile_of(player, tile_id).label)


def confirm_all(player: Player) -> Player:
    """Mark every tile as checked by a person."""
    return replace(player, tiles=tuple(replace(t, checked=True) for t in player.tiles))


def remove_tile(player: Player, tile_id: str) -> Player:
    """Remove a tile, and its meld if that was the last tile of it."""
    tile_of(player, tile_id)
    tiles = tuple(t for t in player.tiles if t.id != tile_id)
    return _without_empty_melds(replace(player, tiles=tiles))


def _check_meld(player: Player, meld_id: str) -> None:
    if meld_id not in {s.id for s in player.melds}:
        raise EditError(gettext("That set is no longer there. Check the tiles as they are now."))


def move_tile(player: Player, tile_id: str, place: str) -> Player:
    """Move a tile to ``hand`` or to a meld.

    Raises:
        EditError: there is no such tile or meld, the meld is full, or the tile is a bonus tile,
            which cannot be moved.
    """
    tile = tile_of(player, tile_id)
    if BONUS in (place, tile.place) and place != tile.place:
        raise EditError(
            gettext(
                "Flowers and seasons are always bonus tiles, and no other tile is. Tap the tile to"
                " say which it is."
            )
        )
    if place not in (HAND, BONUS):
        _check_meld(player, place)
    if place not in (HAND, tile.place) and len(player.in_place(place)) >= MAX_MELD_TILES:
        raise EditError(gettext("That set already has four tiles. Take one of them out first."))
    tiles = tuple(replace(t, place=place) if t.id == tile_id else t for t in player.tiles)
    return _without_empty_melds(replace(player, tiles=tiles))


def group_tiles(player: Player, tile_ids: Sequence[str], *, concealed: bool = False) -> Player:
    """Make one meld of the chosen tiles.

    Raises:
        EditError: there are fewer than three or more than four, or one is a bonus tile.
    """
    chosen = [tile_of(player, tile_id) for tile_id in tile_ids]
    if len(chosen) not in (3, 4):
        raise EditError(
            gettext("A set has three or four tiles. Tick those tiles, then press again.")
        )
    if any(is_bonus(t.label) for t in chosen):
        raise EditError(gettext("Flowers and seasons cannot form sets. Leave them out."))
    meld_id = _next_id("s", (s.id for s in player.melds))
    tiles = tuple(replace(t, place=meld_id) if t.id in tile_ids else t for t in player.tiles)
    melds = (*player.melds, Meld(meld_id, concealed))
    return _without_empty_melds(replace(player, tiles=tiles, melds=melds))


def toggle_meld(player: Player, meld_id: str) -> Player:
    """Turn an exposed meld into a concealed one, or a concealed one into an exposed one."""
    _check_meld(player, meld_id)
    melds = tuple(
        replace(s, concealed=not s.concealed) if s.id == meld_id else s for s in player.melds
    )
    return replace(player, melds=melds)


def resize_meld(player: Player, meld_id: str) -> Player:
    """Turn a pung whose fourth tile was not seen into a kong, or a kong into a pung.

    Raises:
        EditError: the meld has been removed, or it is neither a pung nor a kong.
    """
    members = player.in_place(meld_id)
    if len(members) not in (3, 4) or len({t.label for t in members}) != 1:
        raise EditError(
            gettext("Only a pung can be changed into a kong, and only a kong into a pung.")
        )
    if len(members) == 4:
        unseen = [t for t in members if t.quad is None]
        return remove_tile(player, (unseen or list(members))[-1].id)
    return add_tiles(player, [members[0].label], meld_id)


def dissolve_meld(player: Player, meld_id: str) -> Player:
    """Put the tiles of a meld back into the hand."""
    tiles = tuple(replace(t, place=HAND) if t.place == meld_id else t for t in player.tiles)
    return _without_empty_melds(replace(player, tiles=tiles))


def exchange_suits(state: DealState, one: str, other: str) -> DealState:
    """Take all tiles of two suits that a camera read for those of the other of the two.

    Tiles that a person has checked stay as they are.

    Args:
        state: the deal.
        one: letter of a suit, ``m``, ``p`` or ``s``.
        other: letter of another.
    """
    letters = {one: other, other: one}

    def said(label: str) -> str:
        return label[0] + letters.get(label[1], label[1]) if is_suit(label) else label

    def taken(tile: Tile) -> Tile:
        others = tuple((said(label), chance) for label, chance in tile.alternatives)
        return replace(tile, label=said(tile.label), camera="", alternatives=others)

    for player in state.players:
        tiles = [taken(tile) if tile.open else tile for tile in player.tiles]
        state = with_player(state, replace(player, tiles=_sorted(tiles)))
    return state


def exchange_tiles(state: DealState, one: str, other: str) -> DealState:
    """Give the tiles of each of two players, with photo or typed total, to the other."""
    first, second = state.player(one), state.player(other)
    for player, source in ((first, second), (second, first)):
        given = replace(
            player,
            tiles=source.tiles,
            melds=source.melds,
            photo=source.photo,
            claimed=source.claimed,
            status=source.status,
        )
        state = with_player(state, given)
    return state


def clear_tiles(player: Player) -> Player:
    """Remove all tiles, the photo and a typed total of a player; the name stays."""
    return replace(player, tiles=(), melds=(), photo=None, claimed=None)
