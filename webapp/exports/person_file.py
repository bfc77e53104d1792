"""Everything that is stored about a player as one ZIP file: ``player.json`` and photos."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, undefer

from webapp.book.balances import Balance, balances_of
from webapp.book.book import ClubBook
from webapp.book.seasons import Span
from webapp.book.statistics import PersonalFigures, PlayerHand
from webapp.database.pictures import whole
from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import (
    EveningRow,
    GameDealRow,
    GameRow,
    PersonRow,
    PhotoRow,
    VisitRow,
)
from webapp.deal.store import Store
from webapp.personal_data.erasure import photos_of
from webapp.personal_data.joining import seats_of
from webapp.personal_data.profiles import Person

FORMAT: Final = 1
"""The version of the format of ``player.json``."""

Json = dict[str, Any]


def person_zip(book: ClubBook, person_id: str) -> bytes:
    """The ZIP file of one player.

    ``player.json`` holds the player's names, evenings, tables with the gain of each hand, tiles if
    they were entered, and ratings, but nothing of the other players. The photos of the player's
    hands are in the folder ``photos``; ``player.json`` names them beside the hands they show.

    Args:
        book: the club's book.
        person_id: the id of the player.

    Raises:
        KeyError: there is no such player.
    """
    person = book.people.person(person_id)
    if person is None:
        raise KeyError(person_id)
    figures = book.statistics.person(person.id, Span())
    with sessions_on(book.engine)() as session:
        photos, places = _photos(session, person.id), _places(session, person.id)
        document = _document(session, book, person, figures)
        document["photos"] = [
            {"file": _file(photo), "taken": photo.created_at.isoformat()} for photo in photos
        ]
    pictures = {_file(photo): _bytes(book.engine, photo) for photo in photos}
    document["tiles"] = list(_tiles(Store(book.engine), places))
    return _packed(document, pictures)


def _document(session: Session, book: ClubBook, person: Person, figures: PersonalFigures) -> Json:
    """What ``player.json`` holds; tiles and photos are put in where they were found."""
    return {
        "format": FORMAT,
        "name": person.name,
        "former_names": [
            {"name": name, "until": until.isoformat()} for name, until in person.former
        ],
        "since": person.since.isoformat(),
        "guest": session.get_one(PersonRow, person.id).guest,
        "evenings": _evenings(session, person.id),
        "hands": [_hand(hand) for hand in figures.hands],
        "ratings": [
            {"day": r.day.isoformat(), "points": r.points, "doubt": r.doubt, "tables": r.tables}
            for r in figures.ratings
        ],
        "tiles": [],
        "photos": [],
        "member": person.member,
        "other_members": list(person.members[1:]),
        "penalties_and_bonuses": [
            {"contest": plan.name, "points": float(one.points), "reason": one.reason}
            for plan in (decided.plan for decided in book.contests.all())
            if plan is not None
            for one in plan.adjustments
            if one.player == person.id
        ],
        "balances": [_balance(balance) for balance in _balances(session, book, person.id)],
    }


def _hand(hand: PlayerHand) -> Json:
    return {
        "day": hand.day.isoformat(),
        "round": hand.round or 1,
        "table": hand.table,
        "hand": hand.hand,
        "ruleset": hand.ruleset,
        "won": hand.won,
        "gain": hand.gain,
        "paid": hand.paid,
        "total": hand.total,
        "counted_as": hand.kind,
    }


def _balances(session: Session, book: ClubBook, person_id: str) -> Iterator[tuple[str, Balance]]:
    """The player's points of which there are no hands, each with the season it opens, if any."""
    for balance in balances_of(session, Span()).get(person_id, ()):
        yield "", balance
    for season in book.seasons.all():
        for balance in balances_of(session, season.span).get(person_id, ()):
            if balance.day is None:
                yield season.name, balance


def _balance(told: tuple[str, Balance]) -> Json:
    season, balance = told
    return {
        "season": season,
        "day": None if balance.day is None else balance.day.isoformat(),
        "points": balance.points,
        "played": balance.played,
        "won": balance.won,
        "from": balance.source,
        "note": balance.note,
    }


def _photos(session: Session, person_id: str) -> list[PhotoRow]:
    query = select(PhotoRow).where(PhotoRow.id.in_(photos_of(session, person_id)))
    with_bytes = undefer(PhotoRow.picture), undefer(PhotoRow.original)
    rows = session.scalars(query.order_by(PhotoRow.created_at).options(*with_bytes))
    return [row for row in rows if row.picture is not None or row.original is not None]


def _bytes(engine: Engine, photo: PhotoRow) -> bytes:
    return whole(engine, photo.id, photo.picture) or photo.original or b""


def _file(photo: PhotoRow) -> str:
    return f"photos/{photo.id}.{'jpg' if photo.picture is not None else 'bin'}"


def _evenings(session: Session, person_id: str) -> list[Json]:
    query = (
        select(EveningRow, VisitRow)
        .join(VisitRow, VisitRow.evening_id == EveningRow.id)
        .where(VisitRow.person_id == person_id)
        .order_by(EveningRow.day)
    )
    return [
        {
            "day": evening.day.isoformat(),
            "place": evening.place,
            "from_round": visit.first_round,
            "to_round": visit.last_round,
            "by_phone": visit.phone is not None,
        }
        for evening, visit in session.execute(query)
    ]


@dataclass(frozen=True, slots=True)
class _Place:
    """A deal at a table of the player, and the names that mean the player there."""

    deal_id: str
    hand: int
    day: date
    round: int
    table: int
    names: frozenset[str]


def _places(session: Session, person_id: str) -> list[_Place]:
    now = session.get_one(PersonRow, person_id).name
    query = (
        select(GameDealRow.deal_id, GameDealRow.hand, EveningRow.day, GameRow.round, GameRow.number)
        .join(GameRow, GameRow.id == GameDealRow.game_id)
        .join(EveningRow, EveningRow.id == GameRow.evening_id)
        .order_by(EveningRow.day, GameRow.round, GameRow.number, GameDealRow.hand)
    )
    return [
        _Place(*row, frozenset({now, *names}))
        for game_id, names in seats_of(session, person_id).items()
        for row in session.execute(query.where(GameDealRow.game_id == game_id))
    ]


def _tiles(store: Store, places: Iterable[_Place]) -> Iterator[Json]:
    """The player's own tiles in each deal that was entered at a table."""
    for place in places:
        stored = store.deal(place.deal_id)
        for player in () if stored is None else stored.state.players:
            if player.name in place.names and player.entered:
                yield {
                    "day": place.day.isoformat(),
                    "round": place.round,
                    "table": place.table,
                    "hand": place.hand,
                    "tiles": [tile.label for tile in player.tiles],
                    "claimed": player.claimed,
                    "photo": player.photo,
                }


def _packed(document: Json, pictures: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("player.json", json.dumps(document, ensure_ascii=False, indent=1))
        for name, data in pictures.items():
            packed.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()
