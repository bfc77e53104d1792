"""The names of players in games and deals: entries keep old names, pages show the current ones.

An entry keeps the names of its day. The database notes beside a game which person each name means,
so that a renamed player has the new name at every table, also at those played before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.tiles import SEAT_NAMES
from vision.messages import Message
from webapp.database.tables.book import SeatingRow
from webapp.database.tables.deals import GameDealRow, PersonRow
from webapp.deal.state import DealState
from webapp.language.kept import brought_back
from webapp.language.noted import note

Json = dict[str, Any]


def of_player(what: str, seat: str) -> Message:
    """The words of an entry about one player's tiles, which name the seat.

    Args:
        what: the entry in a few words, as marked for the catalogues.
        seat: the player's seat.
    """
    player = Message(SEAT_NAMES[seat], {})
    return note("{what} ({player})", what=Message(what, {}), player=player, seat=seat)


def player_of(entry: str) -> str | None:
    """The seat of the player whose tiles an entry is about, from its kept words; None without."""
    what = brought_back(entry)
    seat = None if isinstance(what, str) else what.values.get("seat")
    return seat if isinstance(seat, str) else None


def names_now(session: Session, game_id: str) -> dict[str, str]:
    """The current name of the player for each name that was ever written in a game."""
    return names_of(session, [game_id])[game_id]


def names_of(session: Session, games: Collection[str]) -> dict[str, dict[str, str]]:
    """As :func:`names_now`, for each of these games."""
    found: dict[str, dict[str, str]] = {game_id: {} for game_id in games}
    query = (
        select(SeatingRow.game_id, SeatingRow.name, PersonRow.name)
        .join(PersonRow, PersonRow.id == SeatingRow.person_id)
        .where(SeatingRow.game_id.in_(games))
    )
    for game_id, written, current in session.execute(query):
        found[game_id][written] = current
    return found


def new_names_of_deal(session: Session, deal_id: str) -> dict[str, str]:
    """The current names for the names written in the game of a deal; empty without a game."""
    link = session.get(GameDealRow, deal_id)
    return {} if link is None else names_now(session, link.game_id)


def renamed_game(document: Json, names: Mapping[str, str]) -> Json:
    """A game's JSON value (see :mod:`scorer.text.game_json`) with its players renamed."""
    if all(written == current for written, current in names.items()):
        return document
    players = {seat: names.get(name, name) for seat, name in document["players"].items()}
    told = [key for key in ("waiting", "out") if key in document]
    waiting: Json = {key: _renamed(document[key], names) for key in told}
    if "gone" in document:
        waiting["gone"] = {names.get(name, name): at for name, at in document["gone"].items()}
    return {
        **document,
        "players": players,
        **waiting,
        "hands": [_renamed_hand(hand, names) for hand in document["hands"]],
    }


def _renamed(given: Iterable[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(name, name) for name in given]


def _renamed_hand(hand: Json, names: Mapping[str, str]) -> Json:
    if "waiting" in hand:
        hand = {**hand, "waiting": _renamed(hand["waiting"], names)}
    if "deal" in hand:
        deal = hand["deal"]
        players = [
            {**player, "name": names.get(player["name"], player["name"])}
            if player.get("name")
            else player
            for player in deal["players"]
        ]
        return {"deal": {**deal, "players": players}}
    if "payments" in hand:
        paid = [
            {
                **item,
                "from": names.get(item["from"], item["from"]),
                "to": names.get(item["to"], item["to"]),
            }
            for item in hand["payments"]
        ]
        return {**hand, "winner": names.get(hand["winner"], hand["winner"]), "payments": paid}
    return hand


def renamed_state(state: DealState, names: Mapping[str, str]) -> DealState:
    """A deal with its players renamed."""
    if not names:
        return state
    players = tuple(replace(p, name=names.get(p.name, p.name)) for p in state.players)
    return replace(state, players=players)
