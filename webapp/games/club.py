"""The players of the club, its evenings, and who came to them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from unicodedata import category, combining, normalize

from flask_babel import gettext
from sqlalchemy import Engine, Select, and_, func, select
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ErasureRow, PersonEntryRow
from webapp.database.tables.deals import (
    EveningRow,
    GameRow,
    PersonRow,
    VisitRow,
    games_removed,
    removed,
)

JOINED: Final = "joined"
"""The kind of an entry that joined two players."""

MAX_NAME: Final = 30
"""Maximum number of characters of a player's name."""

MAX_PLACE: Final = 60
"""Maximum number of characters of the place of an evening."""

MAX_EVENINGS: Final = 200
"""Maximum number of evenings that are listed at once."""


_TYPED_ALIKE: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4\u0060\uff07", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\uff0d", "-")
)
"""Apostrophes and hyphens as phones, computers and word processors type them."""

_WITHOUT_STROKE: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "\u0131": "i"}
)
"""Letters of which nothing but the letter can be typed on an English keyboard."""


class NameRefused(ValueError):
    """The name or place cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening on which the club plays; ``tables`` is the number of games opened on it."""

    id: str
    day: date
    place: str
    tables: int


def clean_name(text: str) -> str:
    """The name as it is stored: single spaces, accents joined, no signs that start a formula.

    Raises:
        NameRefused: the name is empty, too long, or does not begin with a letter or a digit.
    """
    name = " ".join("".join(s for s in normalize("NFC", text) if category(s) != "Cf").split())
    if not name:
        raise NameRefused(gettext("A name is missing. Enter one."))
    if len(name) > MAX_NAME:
        raise NameRefused(
            gettext(
                "“%(max_name)s…” is too long. Use %(max_name2)s characters or fewer.",
                max_name=name[:MAX_NAME],
                max_name2=MAX_NAME,
            )
        )
    if not name.isprintable() or not name[0].isalnum():
        raise NameRefused(
            gettext("“%(name)s” cannot be a name. Begin it with a letter.", name=name)
        )
    return name


def clean_place(text: str) -> str:
    """The place as it is stored; it may be empty.

    Raises:
        NameRefused: the place is too long or has characters that cannot be shown.
    """
    place = " ".join(text.split())
    if len(place) > MAX_PLACE or not place.isprintable():
        raise NameRefused(
            gettext(
                "Enter a venue of %(max_place)s letters or fewer.",
                max_place=MAX_PLACE,
            )
        )
    return place


def name_key(name: str) -> str:
    """The form of a name that is the same for all ways of typing it.

    Capitals, apostrophes and hyphens of any kind, wide letters, spaces and the way in which accents
    are put together make no difference; the accents themselves do.
    """
    folded = normalize("NFKC", name.translate(_TYPED_ALIKE)).casefold()
    plain = normalize("NFKC", "".join(sign for sign in folded if not _unseen(sign)))
    return re.sub(r"\s*(['-])\s*", r"\1", " ".join(plain.split()))[: 2 * MAX_NAME]


def search_key(text: str) -> str:
    """The form of a text in which it is searched: as a name's, without accents and apostrophes."""
    plain = normalize("NFKD", text.translate(_TYPED_ALIKE)).casefold().translate(_WITHOUT_STROKE)
    return "".join(s for s in plain if not combining(s) and not _unseen(s) and s != "'")


def typed_pattern(name: str) -> str:
    """A regular expression for a name, however its apostrophes, hyphens and accents are typed."""
    return "".join(map(_pattern_of, normalize("NFC", name)))


def _pattern_of(sign: str) -> str:
    plain = sign.translate(_TYPED_ALIKE)
    alike = {sign, plain, normalize("NFD", sign)}
    alike |= {chr(code) for code, meant in _TYPED_ALIKE.items() if meant == plain}
    return f"(?:{'|'.join(map(re.escape, sorted(alike)))})"


def _unseen(sign: str) -> bool:
    """Whether a sign only tells how to show the one before or after it."""
    return category(sign) == "Cf" or "\ufe00" <= sign <= "\ufe0f"


def today() -> date:
    """Today's date by this computer's clock."""
    return datetime.now().astimezone().date()


class Club:
    """Reads and adds players and evenings in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def people(self) -> list[str]:
        """The names of all players of the club, in alphabetical order."""
        with self._sessions() as session:
            gone = {*session.scalars(select(ErasureRow.person_id)), *joined_people(session)}
            query = select(PersonRow.name).where(PersonRow.id.not_in(gone)).order_by(PersonRow.key)
            return list(session.scalars(query))

    def spelled(self, name: str) -> str:
        """A name as the club has it, or as it would be stored.

        Raises:
            NameRefused: the name cannot be stored.
        """
        cleaned = clean_name(name)
        query = select(PersonRow.id).where(PersonRow.key == name_key(cleaned))
        with self._sessions() as session:
            known = session.scalars(query).first()
            if known is None:
                return cleaned
            return session.get_one(PersonRow, standing_for(session, known)).name

    def open_evening(self, day: date, place: str = "") -> str:
        """Store a new evening and return its id.

        Raises:
            NameRefused: the place cannot be stored.
        """
        row = EveningRow(id=new_id(), day=day, place=clean_place(place), created_at=_now())
        with self._sessions.begin() as session:
            session.add(row)
            return row.id

    def evening(self, evening_id: str) -> Evening | None:
        """The evening with this id; None if there is none."""
        with self._sessions() as session:
            row = session.execute(_evenings().where(EveningRow.id == evening_id)).first()
            return None if row is None else Evening(*row)

    def evenings(self, most: int | None = MAX_EVENINGS) -> list[Evening]:
        """The evenings, latest first; ``most`` limits their number unless it is None."""
        query = _evenings().where(EveningRow.id.not_in(removed("evening"))).limit(most)
        with self._sessions() as session:
            return [Evening(*row) for row in session.execute(query)]

    def any_evening(self) -> bool:
        """Whether there is any evening."""
        with self._sessions() as session:
            query = select(EveningRow.id).where(EveningRow.id.not_in(removed("evening"))).limit(1)
            return session.scalars(query).first() is not None

    def evening_of(self, day: date) -> Evening | None:
        """The evening last stored for this day; None if there is none."""
        query = _evenings().where(EveningRow.day == day, EveningRow.id.not_in(removed("evening")))
        with self._sessions() as session:
            row = session.execute(query.limit(1)).first()
            return None if row is None else Evening(*row)

    def came(self, evening_id: str) -> list[str]:
        """The names of the players who came to an evening, in alphabetical order."""
        query = (
            select(PersonRow.name)
            .join(VisitRow, VisitRow.person_id == PersonRow.id)
            .where(VisitRow.evening_id == evening_id)
            .order_by(PersonRow.key)
        )
        with self._sessions() as session:
            hidden = joined_people(session)
            return list(session.scalars(query.where(PersonRow.id.not_in(hidden))))

    def welcome(self, evening_id: str, names: Iterable[str]) -> tuple[str, ...]:
        """Store who came to an evening; new names become players of the club.

        Args:
            evening_id: the evening.
            names: the names as they were typed.

        Returns:
            The names as the club has them, in the order given: a known player keeps the known
            spelling, however the name was typed.

        Raises:
            NameRefused: a name cannot be stored; then nothing is stored.
        """
        cleaned = [clean_name(name) for name in names]
        with self._sessions.begin() as session:
            people = [person_named(session, name) for name in cleaned]
            for person_id in dict.fromkeys(person.id for person in people):
                if session.get(VisitRow, (evening_id, person_id)) is None:
                    session.add(
                        VisitRow(evening_id=evening_id, person_id=person_id, created_at=_now())
                    )
            return tuple(person.name for person in people)


def _now() -> datetime:
    return datetime.now(UTC)


def joined_people(session: Session) -> dict[str, str]:
    """The ids of the players who were joined to another, each with that one's id."""
    found: dict[str, str] = {}
    for row in session.scalars(select(PersonEntryRow).order_by(PersonEntryRow.id)):
        if row.kind == JOINED:
            found[row.other_id] = row.person_id
        else:
            found.pop(row.other_id, None)
    return found


def standing_for(session: Session, person_id: str) -> str:
    """The id of the player under whose name this one is shown: the same, unless joined."""
    joined = joined_people(session)
    while person_id in joined:
        person_id = joined[person_id]
    return person_id


def person_named(session: Session, name: str) -> PersonRow:
    """The player with this name, added if there is none yet.

    Raises:
        NameRefused: the name is one that was given to a player who was erased.
    """
    row = session.scalars(select(PersonRow).where(PersonRow.key == name_key(name))).first()
    if row is None:
        row = PersonRow(id=new_id(), name=name, key=name_key(name), created_at=_now())
        session.add(row)
        session.flush()
    elif session.get(ErasureRow, row.id) is not None:
        raise NameRefused(
            gettext(
                "“%(name)s” is reserved for a player who was erased. Use another name.", name=name
            )
        )
    return session.get_one(PersonRow, standing_for(session, row.id))


def _evenings() -> Select[str, date, str, int]:
    """A query for evenings, latest first, each with the number of its tables that count."""
    row, counts = EveningRow, GameRow.id.not_in(games_removed())
    return (
        select(row.id, row.day, row.place, func.count(GameRow.id))
        .outerjoin(GameRow, and_(GameRow.evening_id == row.id, counts))
        .group_by(row.id, row.day, row.place, row.created_at)
        .order_by(row.day.desc(), row.created_at.desc())
    )
