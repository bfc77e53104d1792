"""The tables of the club's book: who sat where, former names, seasons and results of hands.

``tallies`` and ``hand_scores`` are calculated from the games and can be calculated again at any
time; all other tables hold what people entered.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Date, DateTime, ForeignKey, Index, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from webapp.database.author import author
from webapp.database.base import Base
from webapp.database.history import Entered
from webapp.database.sessions import once_a_page


class SeatingRow(Base):
    """Which person a name in a game means; the game's entries keep the name as it was then."""

    __tablename__ = "seatings"
    __table_args__ = (Index("ix_seatings_person_id", "person_id"),)

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", name="fk_seatings_game"), primary_key=True
    )
    name: Mapped[str] = mapped_column(String(30), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id", name="fk_seatings_person"))


class FormerNameRow(Base):
    """A name that a player had until the moment ``until``."""

    __tablename__ = "former_names"
    __table_args__ = (Index("ix_former_names_person_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id", name="fk_former_names_person"))
    name: Mapped[str] = mapped_column(String(30))
    until: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class PersonEntryRow(Entered, Base):
    """Two players who were joined to one, or split again; no entry is ever changed.

    ``person_id`` is the player who stays, ``other_id`` the one who is shown under that name.
    ``moved`` holds the ids of the games and evenings that became theirs. ``who`` is the account
    that made the entry; None if nobody was logged in.
    """

    __tablename__ = "person_entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id", name="fk_person_entries_person"))
    other_id: Mapped[str] = mapped_column(ForeignKey("people.id", name="fk_person_entries_other"))
    moved: Mapped[dict[str, list[str]]] = mapped_column(JSON)
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class ErasureRow(Base):
    """A person whose name and photos were erased on request; the row does not say who it was."""

    __tablename__ = "erasures"

    person_id: Mapped[str] = mapped_column(
        ForeignKey("people.id", name="fk_erasures_person"), primary_key=True
    )
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class SeasonRow(Base):
    """A season of the club: all evenings from its first to its last day, both included."""

    __tablename__ = "seasons"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    first_day: Mapped[date] = mapped_column(Date)
    last_day: Mapped[date] = mapped_column(Date)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class BroughtInRow(Base):
    """What was brought into the book at once: typed, from the end of a season, or from a file.

    ``kind`` is ``typed``, ``season`` or ``file``, and ``name`` that of the season or the file.
    ``made`` holds the ids of the ``people`` who were added, and the member ``numbers`` that were
    given, by ids. ``undone_at`` is when all of it was taken back; then its balances are gone.
    """

    __tablename__ = "brought_in"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    name: Mapped[str] = mapped_column(String(80))
    digest: Mapped[str | None] = mapped_column(String(64))
    made: Mapped[dict[str, Any]] = mapped_column(JSON)
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    undone_by: Mapped[str | None] = mapped_column(String(30))
    undone_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class BalanceRow(Base):
    """Points of a player of which the book has no hands.

    With a ``season_id`` they are what the player begins that season with, of which the last that
    was brought in counts; with a ``day`` they are the result of an evening.
    """

    __tablename__ = "balances"
    __table_args__ = (Index("ix_balances_person_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    brought_in_id: Mapped[str] = mapped_column(
        ForeignKey("brought_in.id", name="fk_balances_brought")
    )
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id", name="fk_balances_person"))
    season_id: Mapped[str | None] = mapped_column(
        ForeignKey("seasons.id", name="fk_balances_season")
    )
    day: Mapped[date | None] = mapped_column(Date)
    points: Mapped[int]
    played: Mapped[int | None]
    won: Mapped[int | None]
    note: Mapped[str] = mapped_column(String(80))


class ClubSettingRow(Base):
    """A setting of the club, such as how long photos are kept."""

    __tablename__ = "club_settings"

    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[Any] = mapped_column(JSON)

    @classmethod
    def told(cls, session: Session, key: str) -> Any:  # noqa: ANN401 - each setting has its form
        """What the club has decided; None if it has decided nothing."""

        def read() -> dict[str, Any]:
            return {row.key: row.value for row in session.scalars(select(cls))}

        return once_a_page(session, cls.__tablename__, read).get(key)

    @classmethod
    def decide(cls, session: Session, key: str, value: object) -> None:
        """Keep what the club decides, in the place of what it decided before."""
        row = session.get(cls, key) or cls(key=key)
        row.value = value
        session.add(row)


class DecisionRow(Entered, Base):
    """A change of what the club has decided; no entry is ever changed.

    ``key`` is that of the setting; ``was`` and ``now`` are its values before and since, null for
    nothing decided.
    """

    __tablename__ = "decisions"
    __table_args__ = (Index("ix_decisions_key", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(40))
    was: Mapped[Any] = mapped_column(JSON)
    now: Mapped[Any] = mapped_column(JSON)
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class DrawingRow(Base):
    """The tables that were drawn for an evening; the newest row counts.

    ``drawn`` names the players by their ids, so that it need not be changed with a name.
    """

    __tablename__ = "drawings"
    __table_args__ = (Index("ix_drawings_evening_id", "evening_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    evening_id: Mapped[str] = mapped_column(ForeignKey("evenings.id", name="fk_drawings_evening"))
    drawn: Mapped[dict[str, Any]] = mapped_column(JSON)
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class ContestRow(Base):
    """A tournament or a league as it was after one change; the newest row of a contest counts.

    ``told`` names the players by their ids; it is None once the contest was removed. ``parent`` is
    the row that undo goes back to; a row made by undo ``restores`` an earlier one.
    """

    __tablename__ = "contests"
    __table_args__ = (Index("ix_contests_contest", "contest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest: Mapped[str] = mapped_column(String(32))
    told: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    what: Mapped[str] = mapped_column(String(200))
    parent: Mapped[int | None]
    restores: Mapped[int | None]
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class TallyRow(Base):
    """The revision ``head`` of a game from which its hands were last counted."""

    __tablename__ = "tallies"

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", name="fk_tallies_game"), primary_key=True
    )
    head: Mapped[int]
    over: Mapped[bool]
    ruleset: Mapped[str] = mapped_column(String(60))


class HandScoreRow(Base):
    """The result of one player in one hand that counts.

    ``total`` is the worth of the player's tiles and ``kind`` what they were scored as; both are
    None if no tiles were scored. ``run`` is the dealer's number of wins in a row up to and
    including this hand, 0 for everybody else.
    """

    __tablename__ = "hand_scores"
    __table_args__ = (Index("ix_hand_scores_person_id", "person_id"),)

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", name="fk_hand_scores_game"), primary_key=True
    )
    hand: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[str] = mapped_column(
        ForeignKey("people.id", name="fk_hand_scores_person"), primary_key=True
    )
    won: Mapped[bool]
    gain: Mapped[int]
    paid: Mapped[int]
    total: Mapped[int | None]
    kind: Mapped[str | None] = mapped_column(String(80))
    run: Mapped[int]
