"""Erasing a player's names and the photos of their hands at the player's request."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Engine, Table, delete, func, select
from sqlalchemy.orm import Session

from scorer.tiles import SEATS
from webapp.database.base import Base
from webapp.database.examination import ERASED, rewriting
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import (
    BroughtInRow,
    ContestRow,
    ErasureRow,
    FormerNameRow,
    SeatingRow,
)
from webapp.database.tables.deals import (
    GameDealRow,
    GameRevisionRow,
    PersonRow,
    PhotoRow,
    RevisionRow,
)
from webapp.deal.names import renamed_game, renamed_state
from webapp.deal.state import from_json, to_json
from webapp.games.handovers import read_handovers
from webapp.language.kept import changed
from webapp.language.noted import noted
from webapp.people.names import name_key, typed_pattern
from webapp.personal_data.joining import joined_to, must_have, seats_of
from webapp.personal_data.photo_keeping import delete_photos

NEUTRAL: Final = "Former player"
"""The name, with a number after it, that replaces the name of an erased player."""

NO_REASON: Final = noted("Penalty or bonus")
"""The words for a change of a contest whose reason was erased."""

_LONG_TEXT: Final = 100
"""Minimum length of a text column that holds sentences, in which names are searched."""

_NAMES: Final = frozenset({"who", "account", "author", "undone_by"})
"""The columns whose text is a name as a whole."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure changed.

    Attributes:
        now_called: the neutral name.
        tables: number of tables at which the player's name was replaced.
        photos: number of photos that were deleted.
    """

    now_called: str
    tables: int
    photos: int


def erase(engine: Engine, person_id: str) -> Erased:
    """Replace a player's names by a neutral one in everything that was entered.

    The photos of the player's hands and all earlier names are deleted. Tables, totals and payments
    stay as they are, so that they add up for the others. Copies of the database that were made
    before are not changed. The history keeps that entries were rewritten, and why.

    Raises:
        KeyError: there is no such player.
    """
    with sessions_on(engine).begin() as session, rewriting(session.connection(), ERASED):
        erased = _erase(session, person_id)
        session.flush()
    _empty_log(engine)
    return erased


def _erase(session: Session, person_id: str) -> Erased:
    row = must_have(session, person_id)
    person_id = row.id
    joined = joined_to(session, row.id)
    names = set().union(*(_all_names(session, each) for each in (row, *joined)))
    neutral = _neutral_name(session)
    seats = seats_of(session, person_id)
    photos: set[str] = set()
    for game_id, written in seats.items():
        photos |= _erase_at_table(session, game_id, written, neutral)
        session.execute(
            delete(SeatingRow).where(
                SeatingRow.game_id == game_id, SeatingRow.person_id == person_id
            )
        )
        session.add(SeatingRow(game_id=game_id, name=neutral, person_id=person_id))
    photos |= _erase_single_deals(session, names, neutral)
    _erase_names(session, names, neutral)
    _erase_reasons(session, {each.id for each in (row, *joined)})
    _erase_in_lists(session, {each.id for each in (row, *joined)}, names, neutral)
    delete_photos(session, photos)
    for each in (row, *joined):
        session.execute(delete(FormerNameRow).where(FormerNameRow.person_id == each.id))
        each.name, each.key = neutral, name_key(neutral) if each is row else each.id
        each.member = None
        session.add(ErasureRow(person_id=each.id, at=datetime.now(UTC)))
    return Erased(neutral, len(seats), len(photos))


def _erase_in_lists(
    session: Session, ids: Collection[str], names: Collection[str], neutral: str
) -> None:
    """Let no list that was brought in tell the member number that it gave, or a name by its own."""
    longest_first = "|".join(map(typed_pattern, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"(?<!\w)({longest_first})(?!\w)", re.IGNORECASE)
    for brought in session.scalars(select(BroughtInRow)):
        numbers = {who: no for who, no in brought.made["numbers"].items() if who not in ids}
        if numbers != brought.made["numbers"]:
            brought.made = {**brought.made, "numbers": numbers}
        if brought.kind == "file":
            brought.name = pattern.sub(neutral, brought.name)[:80]


def _erase_reasons(session: Session, ids: Collection[str]) -> None:
    """Forget why a player was given or lost points in a contest; how many they were stays."""
    for row in session.scalars(select(ContestRow)):
        given = [] if row.told is None else row.told["adjustments"]
        if reasons := {one["reason"] for one in given if one["player"] in ids} - {""}:
            told = [one | {"reason": ""} if one["player"] in ids else one for one in given]
            row.told = {**(row.told or {}), "adjustments": told}
            row.what = NO_REASON if any(why in row.what for why in reasons) else row.what


def _empty_log(engine: Engine) -> None:
    """Remove what was overwritten from SQLite's write-ahead log too."""
    if engine.dialect.name == "sqlite":
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()


def photos_of(session: Session, person_id: str) -> list[str]:
    """The ids of the photos of a player's hands at tables, oldest first."""
    found: set[str] = set()
    for game_id, names in seats_of(session, person_id).items():
        for deal_id in deals_of(session, game_id):
            found |= _photos(session, deal_id, names)
    query = select(PhotoRow.id).where(PhotoRow.id.in_(found)).order_by(PhotoRow.created_at)
    return list(session.scalars(query))


def deals_of(session: Session, game_id: str) -> list[str]:
    """The ids of the deals that were opened at a table."""
    query = select(GameDealRow.deal_id).where(GameDealRow.game_id == game_id)
    return list(session.scalars(query))


def _all_names(session: Session, row: PersonRow) -> set[str]:
    """All names that a player has or had."""
    former = select(FormerNameRow.name).where(FormerNameRow.person_id == row.id)
    written = select(SeatingRow.name).where(SeatingRow.person_id == row.id)
    return {row.name, *session.scalars(former), *session.scalars(written)}


def _neutral_name(session: Session) -> str:
    number = 1 + (session.scalar(select(func.count()).select_from(ErasureRow)) or 0)
    while True:
        name = f"{NEUTRAL} {number}"
        taken = select(PersonRow.id).where(PersonRow.key == name_key(name))
        if session.scalars(taken).first() is None:
            return name
        number += 1


def _photos(session: Session, deal_id: str, names: Collection[str]) -> set[str]:
    """The ids of a deal's photos that show the hand of a player with one of these names.

    A photo belongs to each player who had tiles from it at some time. A photo from which nobody had
    tiles belongs to the player at its seat, or to everybody if it shows the whole table.
    """
    seats: set[str] = set()
    own: set[str] = set()
    used: set[str] = set()
    for state in session.scalars(select(RevisionRow.state).where(RevisionRow.deal_id == deal_id)):
        for player in state["players"]:
            used.add(player["photo"])
            if player["name"] in names:
                seats.add(player["seat"])
                own.add(player["photo"])
    query = select(PhotoRow.id, PhotoRow.seat).where(PhotoRow.deal_id == deal_id)
    return {
        row.id
        for row in session.execute(query)
        if row.id in own
        or (seats and row.id not in used and (row.seat in seats or row.seat not in SEATS))
    }


def _erase_at_table(
    session: Session, game_id: str, written: Collection[str], neutral: str
) -> set[str]:
    """Replace a player's names in a game and its deals; returns the ids of photos to delete."""
    everybody = set(session.scalars(select(SeatingRow.name).where(SeatingRow.game_id == game_id)))
    names = dict.fromkeys(written, neutral)
    revisions = select(GameRevisionRow).where(GameRevisionRow.game_id == game_id)
    for revision in session.scalars(revisions):
        book = {**revision.book, "game": renamed_game(revision.book["game"], names)}
        if "handovers" in book:
            renamed = read_handovers(book["handovers"], names)
            book["handovers"] = [handover.to_json() for handover in renamed]
        revision.book = book
    photos: set[str] = set()
    deals = deals_of(session, game_id)
    for deal_id in deals:
        photos |= _photos(session, deal_id, written)
        _rename_in_deal(session, deal_id, names)
    _erase_in_sentences(
        session, {"game_id": [game_id], "deal_id": deals, "ref": [game_id]}, names, everybody
    )
    return photos


def _rename_in_deal(session: Session, deal_id: str, names: Mapping[str, str]) -> None:
    for revision in session.scalars(select(RevisionRow).where(RevisionRow.deal_id == deal_id)):
        revision.state = to_json(renamed_state(from_json(revision.state), names))


def _erase_single_deals(session: Session, names: Collection[str], neutral: str) -> set[str]:
    """Replace the names in deals outside games; returns the ids of photos to delete."""
    keys = {name_key(name) for name in names}
    at_tables = select(GameDealRow.deal_id)
    photos: set[str] = set()
    query = select(RevisionRow).where(RevisionRow.deal_id.not_in(at_tables))
    found: dict[str, set[str]] = {}
    for revision in session.scalars(query):
        here = {p["name"] for p in revision.state["players"] if name_key(p["name"]) in keys}
        if here:
            found.setdefault(revision.deal_id, set()).update(here)
    for deal_id, here in found.items():
        photos |= _photos(session, deal_id, here)
        renames = dict.fromkeys(here, neutral)
        _rename_in_deal(session, deal_id, renames)
        _erase_in_sentences(session, {"deal_id": [deal_id]}, renames, here)
    return photos


def _erase_in_sentences(
    session: Session,
    places: Mapping[str, Collection[str]],
    names: Mapping[str, str],
    everybody: Collection[str],
) -> None:
    """Replace names in all texts that were written about a game or its deals.

    Args:
        session: the transaction.
        places: the columns that hold the id of a game or a deal, each with the ids in question.
        names: what replaces each name.
        everybody: the names of all players there, so that "Ann B won" is not about a player called
            Ann.
    """
    longest_first = sorted({*everybody, *names}, key=len, reverse=True)
    alternatives = "|".join(map(typed_pattern, longest_first))
    pattern = re.compile(rf"(?<!\w)({alternatives})(?!\w)", re.IGNORECASE)
    by_key = {name_key(name): new for name, new in names.items()}

    def without(text: str) -> str:
        return pattern.sub(lambda found: by_key.get(name_key(found[0]), found[0]), text)

    session.flush()
    for table in Base.metadata.sorted_tables:
        for column, ids in places.items():
            if column in table.c:
                for row in _sentences(session, table, column, ids):
                    keys = {key.name: row.pop(key.name) for key in table.primary_key}
                    new = {name: changed(text, without) for name, text in row.items() if text}
                    if any(row[name] != text for name, text in new.items()):
                        where = (table.c[name] == value for name, value in keys.items())
                        session.execute(table.update().where(*where).values(new))


def _sentences(
    session: Session, table: Table, column: str, ids: Collection[str]
) -> list[dict[str, str]]:
    """The rows about these games or deals, as their primary keys and the texts to change."""
    texts = [c for c in table.c if (getattr(c.type, "length", None) or 0) >= _LONG_TEXT]
    if not texts:
        return []
    query = select(*table.primary_key, *texts).where(table.c[column].in_(list(ids)))
    return [dict(row) for row in session.execute(query).mappings()]


def _erase_names(session: Session, names: Collection[str], neutral: str) -> None:
    for table in Base.metadata.sorted_tables:
        for column in table.c:
            if column.name in _NAMES:
                session.execute(
                    table.update().where(column.in_(list(names))).values({column: neutral})
                )
