"""Everything that is kept about one player, as one ZIP file: ``player.json`` and the photos."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from webapp.book import ClubBook
from webapp.book_schema import SeatingRow
from webapp.erasure import deals_of, photos_of
from webapp.people import seats_of
from webapp.schema import EveningRow, GameDealRow, GameRow, PhotoRow, VisitRow
from webapp.statistics import Span
from webapp.store import Store

FORMAT: Final = 1
Json = dict[str, Any]


def person_zip(book: ClubBook, person_id: str) -> bytes:
    """The file of one player.

    ``player.json`` holds the names, the evenings, each table with what every hand brought, the
    tiles where they were entered, and the ratings; nothing of the other players. The photos of the
    player's hands lie in ``photos/``, and in ``player.json`` beside the hands they show.

    Args:
        book: the club's book.
        person_id: whose file it is.

    Raises:
        KeyError: there is no such player.
    """
    person = book.people.person(person_id)
    if person is None:
        raise KeyError(person_id)
    figures = book.statistics.person(person_id, Span())
    with sessionmaker(book.engine)() as session:
        photos = _photos(session, person_id)
        document: Json = {
            "format": FORMAT,
            "name": person.name,
            "former_names": [
                {"name": name, "until": until.isoformat()} for name, until in person.former
            ],
            "since": person.since.isoformat(),
            "evenings": _evenings(session, person_id),
            "hands": [
                {
                    "day": hand.day.isoformat(),
                    "table": hand.table,
                    "hand": hand.hand,
                    "ruleset": hand.ruleset,
                    "won": hand.won,
                    "gain": hand.gain,
                    "paid": hand.paid,
                    "total": hand.total,
                    "counted_as": hand.kind,
                }
                for hand in figures.hands
            ],
            "ratings": [
                {"day": r.day.isoformat(), "points": r.points, "doubt": r.doubt, "tables": r.tables}
                for r in figures.ratings
            ],
            "tiles": _tiles(session, Store(book.engine), person_id),
            "photos": [
                {"file": _file(photo), "taken": photo.created_at.isoformat()} for photo in photos
            ],
        }
        pictures = {_file(photo): photo.picture or photo.original or b"" for photo in photos}
    return _packed(document, pictures)


def _photos(session: Session, person_id: str) -> list[PhotoRow]:
    query = select(PhotoRow).where(PhotoRow.id.in_(photos_of(session, person_id)))
    rows = session.scalars(query.order_by(PhotoRow.created_at))
    return [row for row in rows if row.picture is not None or row.original is not None]


def _file(photo: PhotoRow) -> str:
    return f"photos/{photo.id}.{'jpg' if photo.picture is not None else 'bin'}"


def _evenings(session: Session, person_id: str) -> list[Json]:
    query = (
        select(EveningRow.day, EveningRow.place)
        .join(VisitRow, VisitRow.evening_id == EveningRow.id)
        .where(VisitRow.person_id == person_id)
        .order_by(EveningRow.day)
    )
    return [{"day": row.day.isoformat(), "place": row.place} for row in session.execute(query)]


def _tiles(session: Session, store: Store, person_id: str) -> list[Json]:
    """The player's own tiles of every deal that was entered at a table."""
    told: list[Json] = []
    for game_id in seats_of(session, person_id):
        place = session.execute(
            select(EveningRow.day, GameRow.number)
            .join(GameRow, GameRow.evening_id == EveningRow.id)
            .where(GameRow.id == game_id)
        ).one()
        names = set(
            session.scalars(
                select(SeatingRow.name).where(
                    SeatingRow.game_id == game_id, SeatingRow.person_id == person_id
                )
            )
        )
        for deal_id in deals_of(session, game_id):
            stored = store.deal(deal_id)
            link = session.get_one(GameDealRow, deal_id)
            players = () if stored is None else stored.state.players
            told += [
                {
                    "day": place.day.isoformat(),
                    "table": place.number,
                    "hand": link.hand,
                    "tiles": [tile.label for tile in player.tiles],
                    "claimed": player.claimed,
                    "photo": player.photo,
                }
                for player in players
                if player.name in names and player.entered
            ]
    return told


def _packed(document: Json, pictures: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("player.json", json.dumps(document, ensure_ascii=False, indent=1))
        for name, data in pictures.items():
            packed.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()
