"""Disputes about deals: a note by a named person, its outcome, and every step between.

A dispute is opened and ends either with the score left as it is or with a correction. Someone may
first announce a correction; the dispute then ends when that correction is stored at the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Final, Literal

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import DealRow, GameDealRow
from webapp.database.tables.disputes import DisputeEventRow
from webapp.deal.names import new_names_of_deal

Kind = Literal["opened", "correcting", "stands", "corrected"]
KINDS: Final[tuple[Kind, ...]] = ("opened", "correcting", "stands", "corrected")
"""The kinds of steps: opened, a correction announced, the score left, the score corrected."""

OUTCOMES: Final[tuple[Kind, ...]] = ("stands", "corrected")
"""The kinds of steps that end a dispute."""

MAX_TEXT: Final = 500
"""Maximum number of characters of a note."""

MAX_OPEN: Final = 8
"""Maximum number of open disputes about one deal."""


class DisputeRefused(ValueError):
    """The step cannot be stored."""


class Settled(DisputeRefused):
    """The dispute was settled already, perhaps on another phone."""


class TooMany(DisputeRefused):
    """The deal has the maximum number of open disputes."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a dispute.

    Attributes:
        kind: what was done.
        who: the person who speaks.
        text: the person's note.
        at: when it was entered.
        account: the account under which it was entered, if any.
    """

    kind: Kind
    who: str
    text: str
    at: datetime
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute about a deal; the first of its ``steps`` opened it."""

    id: str
    deal_id: str
    steps: tuple[Step, ...]

    @property
    def opened(self) -> Step:
        """The step that opened the dispute."""
        return self.steps[0]

    @property
    def last(self) -> Step:
        """The latest step."""
        return self.steps[-1]

    @property
    def is_open(self) -> bool:
        """Whether the dispute has no outcome yet."""
        return self.last.kind not in OUTCOMES


def clean_text(text: str) -> str:
    """The note as it is stored: with single spaces, without unprintable characters, cut if long."""
    joined = " ".join(text.split())
    return "".join(sign for sign in joined if sign.isprintable())[:MAX_TEXT]


class Disputes:
    """Reads and adds to disputes in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def open(self, deal_id: str, who: str, text: str, entry: str = "") -> str:
        """Open a dispute about a deal and return its id; one that is sent twice is opened once.

        Raises:
            KeyError: there is no such deal.
            TooMany: too many are open already.
        """
        with self._sessions.begin() as session:
            deal = _must_have(session, deal_id)
            known = _known(session, deal_id, entry)
            if known is not None:
                return known.dispute_id
            rows = _rows_of(session, deal_id)
            if sum(dispute.is_open for dispute in _disputes(session, rows)) >= MAX_OPEN:
                raise TooMany
            dispute_id = new_id()
            session.add(_row(dispute_id, deal_id, 0, "opened", who, text, entry))
            deal.updated_at = datetime.now(UTC)
            return dispute_id

    def add(self, dispute_id: str, kind: Kind, who: str, text: str = "", entry: str = "") -> None:
        """Add a step to an open dispute; one that is sent twice is added once.

        Raises:
            KeyError: there is no such dispute.
            Settled: it has an outcome already.
        """
        query = select(DisputeEventRow).where(DisputeEventRow.dispute_id == dispute_id)
        with self._sessions.begin() as session:
            found = _disputes(session, list(session.scalars(query)))
            if not found:
                raise KeyError(dispute_id)
            dispute = found[0]
            if _known(session, dispute.deal_id, entry) is not None:
                return
            if not dispute.is_open:
                raise Settled
            number = len(dispute.steps)
            session.add(_row(dispute_id, dispute.deal_id, number, kind, who, text, entry))
            _must_have(session, dispute.deal_id).updated_at = datetime.now(UTC)

    def corrected(self, deal_id: str, text: str) -> None:
        """End the disputes about a deal for which its correction was announced."""
        for dispute in self.of_deal(deal_id):
            if dispute.is_open and dispute.last.kind == "correcting":
                self.add(dispute.id, "corrected", dispute.last.who, text)

    def dispute(self, dispute_id: str) -> Dispute | None:
        """The dispute with this id; None if there is none."""
        query = select(DisputeEventRow).where(DisputeEventRow.dispute_id == dispute_id)
        with self._sessions() as session:
            found = _disputes(session, list(session.scalars(query)))
            return found[0] if found else None

    def of_deal(self, deal_id: str) -> list[Dispute]:
        """The disputes about a deal, oldest first."""
        with self._sessions() as session:
            return _disputes(session, _rows_of(session, deal_id))

    def of_game(self, game_id: str) -> list[tuple[int, Dispute]]:
        """The disputes about a game's deals, each with the number its hand was opened under."""
        query = (
            select(DisputeEventRow, GameDealRow.hand)
            .join(GameDealRow, GameDealRow.deal_id == DisputeEventRow.deal_id)
            .where(GameDealRow.game_id == game_id)
        )
        with self._sessions() as session:
            found = [(row, hand) for row, hand in session.execute(query)]
            disputes = _disputes(session, [row for row, _ in found])
        hands = {row.deal_id: hand for row, hand in found}
        return sorted(
            ((hands[dispute.deal_id], dispute) for dispute in disputes),
            key=lambda pair: pair[1].opened.at,
        )


def _row(
    dispute_id: str, deal_id: str, number: int, kind: Kind, who: str, text: str, entry: str
) -> DisputeEventRow:
    return DisputeEventRow(
        dispute_id=dispute_id,
        deal_id=deal_id,
        number=number,
        kind=kind,
        who=who[:30],
        text=clean_text(text),
        entry=(entry or new_id())[:64],
        at=datetime.now(UTC),
    )


def _must_have(session: Session, deal_id: str) -> DealRow:
    row = session.get(DealRow, deal_id)
    if row is None:
        raise KeyError(deal_id)
    return row


def _known(session: Session, deal_id: str, entry: str) -> DisputeEventRow | None:
    if not entry:
        return None
    query = select(DisputeEventRow).where(
        DisputeEventRow.deal_id == deal_id, DisputeEventRow.entry == entry[:64]
    )
    return session.scalars(query).first()


def _rows_of(session: Session, deal_id: str) -> list[DisputeEventRow]:
    query = select(DisputeEventRow).where(DisputeEventRow.deal_id == deal_id)
    return list(session.scalars(query))


def _disputes(session: Session, rows: Sequence[DisputeEventRow]) -> list[Dispute]:
    """The disputes whose steps the rows are, in the order in which they were opened."""
    ordered = sorted(rows, key=lambda row: (row.dispute_id, row.number))
    names = {
        deal_id: new_names_of_deal(session, deal_id) for deal_id in {row.deal_id for row in rows}
    }
    found = [
        Dispute(dispute_id, steps[0].deal_id, tuple(_step(row, names) for row in steps))
        for dispute_id, group in groupby(ordered, key=lambda row: row.dispute_id)
        for steps in (list(group),)
    ]
    return sorted(found, key=lambda dispute: dispute.opened.at)


def _step(row: DisputeEventRow, names: Mapping[str, Mapping[str, str]]) -> Step:
    """A step with the speaker's current name."""
    kind = next(kind for kind in KINDS if kind == row.kind)
    who = names[row.deal_id].get(row.who, row.who)
    return Step(kind, who, row.text, row.at.replace(tzinfo=UTC), row.account)
