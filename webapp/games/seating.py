"""Which player sits at which side of a photo of the table, kept from one deal to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scorer.errors import GameError
from scorer.tiles import SEATS
from vision.vocabulary.readings import POSITIONS, Reading
from webapp.deal.state import DealState, Player, Win
from webapp.deal.store import Store, StoredDeal
from webapp.games.forms import position_of
from webapp.games.store import GameStore, StoredGame
from webapp.joint.decision import with_tiles
from webapp.photos.from_reading import sides_of, tiles_from_reading

_LOOKED_BACK: Final = 8
"""Maximum number of earlier hands that are searched for who sat where."""


def seats_of_sides(seats: tuple[str, ...], sides: tuple[str, ...], east: str) -> dict[str, str]:
    """The side of the photo at which each seat is; the seats follow one another anticlockwise.

    If there are as many hands as players, the hands in turn belong to the players in turn. If there
    are fewer, each hand belongs to the player who sits at its side, counted from East's, which
    itself may be missing.

    Args:
        seats: the seats that are taken, East first.
        sides: the sides of the photo at which hands lie.
        east: the side at which East sits.

    Raises:
        ValueError: there are as many hands as players, and none lies at East's side.
    """
    if east not in sides and len(sides) == len(seats):
        raise ValueError(f"no hand lies at {east}")
    start = [str(side) for side in POSITIONS].index(east)
    around = (*POSITIONS[start:], *POSITIONS[:start])
    if len(sides) == len(seats):
        return dict(zip(seats, (side for side in around if side in sides), strict=True))
    placed = dict(zip(SEATS, around, strict=True))
    return {seat: placed[seat] for seat in seats if placed[seat] in sides}


def known_sides(store: Store, games: GameStore, deal: StoredDeal) -> Mapping[str, str]:
    """The side of each seat by the last photo of the table, in this deal or an earlier hand.

    Players keep their chairs while the winds pass on, so the sides follow from who is East now;
    who comes in for another takes that one's chair.
    """
    if deal.state.sides:
        return deal.state.sides
    place = deal.place
    stored = None if place is None else games.game(place[0])
    if place is None or stored is None:
        return {}
    earlier = list(enumerate(stored.book.deals, 1))[: place[1] - 1]
    for number, deal_id in reversed(earlier[-_LOOKED_BACK:]):
        before = None if deal_id is None else store.deal(deal_id)
        if before is not None and before.state.sides:
            return _moved_on(stored, before.state, number, place[1])
    return {}


def _moved_on(stored: StoredGame, before: DealState, then: int, now: int) -> dict[str, str]:
    """The sides known from an earlier hand, by the winds of a later one."""
    try:
        earlier, later = (position_of(stored.game, number) for number in (then, now))
    except GameError:
        return {}
    winds = later.winds
    chairs = {later.place_of(wind): wind for wind in later.seats}
    sides = {}
    for seat, side in before.sides.items():
        told = before.player(seat).name
        wind = winds.get(told if told in winds else earlier.seats.get(seat, ""))
        if wind is None and told in later.waiting:
            wind = chairs.get(earlier.place_of(seat))
        if wind is not None:
            sides[wind] = side
    return sides


def seated(
    state: DealState,
    reading: Reading,
    photo_id: str,
    east: str,
    copies: Mapping[str, int],
) -> DealState:
    """The deal with every player's tiles from the photo of the table.

    A hand of the same photo that another player had before moves with its corrections.

    Args:
        state: the deal.
        reading: of the photo.
        photo_id: the id of the stored photo.
        east: the side at which East sits.
        copies: number of tiles of each face of which the tile set has an unusual number.

    Raises:
        ValueError: there are as many hands as players, and none lies at East's side.
    """
    sides = seats_of_sides(state.seats, sides_of(reading), east)
    given = {
        side: state.player(seat)
        for seat, side in state.sides.items()
        if seat in state.seats and state.player(seat).photo == photo_id
    }
    players = [
        _with_hand(state.player(seat), given.get(side), reading, photo_id, side)
        for seat, side in sides.items()
    ]
    win = Win() if given and state.win == Win(seat=state.win.seat) else state.win
    return with_tiles(replace(state, sides=sides, win=win), players, copies)


def _with_hand(
    player: Player, given: Player | None, reading: Reading, photo_id: str, side: str
) -> Player:
    if given is None:
        return tiles_from_reading(player, reading, photo_id, side)
    return replace(player, tiles=given.tiles, melds=given.melds, photo=photo_id, claimed=None)
