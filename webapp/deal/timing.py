"""How long deals take from their opening to their score, measured by steps without any names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from statistics import mean, median, quantiles
from typing import Final, Literal

from sqlalchemy import Engine, select

from webapp.database.sessions import noting, sessions_on
from webapp.database.tables.timing import DealStepRow

Kind = Literal["opened", "photo", "tap", "correction", "question", "confirmed"]

LONGEST: Final = timedelta(hours=1)
"""Longest time of a deal that is counted; one that took longer was left unattended meanwhile."""

MONTHS: Final = 24
"""Maximum number of months that are listed, counted back from the latest."""


@dataclass(frozen=True, slots=True)
class DealTime:
    """One deal that was scored.

    Attributes:
        confirmed: when its score was confirmed.
        taken: the time from the opening of the deal to that moment.
        from_photo: the time from the first photo to that moment; None without photos.
        taps: number of entries that people made.
        corrections: number of entries that corrected what was read or entered before.
        questions: number of things the page asked people to look at: doubtful tiles, and what was
            missing.
    """

    confirmed: datetime
    taken: timedelta
    from_photo: timedelta | None
    taps: int
    corrections: int
    questions: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The times of several deals in seconds, and their mean numbers of entries per deal.

    Attributes:
        month: year and month; None for all deals.
        deals: number of deals.
        median_s: median time from the opening of a deal.
        most_s: time from the opening that nine in ten deals do not exceed.
        photo_median_s: median time from the first photo; None if no deal has photos.
        photo_most_s: time from the first photo that nine in ten deals do not exceed.
        taps: mean number of entries.
        corrections: mean number of entries that corrected something.
        questions: mean number of things that people were asked to look at.
    """

    month: tuple[int, int] | None
    deals: int
    median_s: float
    most_s: float
    photo_median_s: float | None
    photo_most_s: float | None
    taps: float
    corrections: float
    questions: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of all deals and of each month.

    ``left_out`` deals are not counted because they took longer than :data:`LONGEST`.
    """

    overall: Figures | None
    months: tuple[Figures, ...]
    left_out: int


class Timings:
    """Stores steps of deals and sums them up in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(noting(engine))

    def note(self, deal_id: str, kind: Kind, count: int = 1) -> None:
        """Store a step of a deal with the current time."""
        row = DealStepRow(deal_id=deal_id, kind=kind, count=count, at=datetime.now(UTC))
        with self._sessions.begin() as session:
            session.add(row)

    def is_confirmed(self, deal_id: str) -> bool:
        """Whether the deal's score has been confirmed."""
        row = DealStepRow
        query = select(row.id).where(row.deal_id == deal_id, row.kind == "confirmed").limit(1)
        with self._sessions() as session:
            return session.scalars(query).first() is not None

    def deals(self) -> list[DealTime]:
        """The times of all deals that were opened and confirmed."""
        row = DealStepRow
        query = select(row.deal_id, row.kind, row.count, row.at).order_by(row.deal_id, row.id)
        with self._sessions() as session:
            rows = session.execute(query).all()
        found = (
            _deal_time([(kind, count, at.replace(tzinfo=UTC)) for _, kind, count, at in steps])
            for _, steps in groupby(rows, key=lambda step: step[0])
        )
        return [deal for deal in found if deal is not None]

    def summary(self) -> Summary:
        """The figures of all deals and of each month, the latest first."""
        everything = self.deals()
        kept = sorted(
            (deal for deal in everything if deal.taken <= LONGEST),
            key=lambda deal: deal.confirmed,
            reverse=True,
        )
        months = [_figures(list(deals), month) for month, deals in groupby(kept, key=_month)]
        overall = _figures(kept, None) if kept else None
        return Summary(overall, tuple(months[:MONTHS]), len(everything) - len(kept))


Step = tuple[str, int, datetime]


def _deal_time(steps: list[Step]) -> DealTime | None:
    opened = min(_times(steps, "opened"), default=None)
    confirmed = min(_times(steps, "confirmed"), default=None)
    if opened is None or confirmed is None:
        return None
    before = [step for step in steps if step[2] <= confirmed]
    photo = min(_times(before, "photo"), default=None)
    counts = {
        kind: sum(count for found, count, _ in before if found == kind)
        for kind in ("photo", "tap", "correction", "question")
    }
    return DealTime(
        confirmed=confirmed,
        taken=confirmed - opened,
        from_photo=None if photo is None else confirmed - photo,
        taps=counts["tap"] + counts["photo"] + counts["correction"],
        corrections=counts["correction"],
        questions=counts["question"],
    )


def _times(steps: Iterable[Step], kind: Kind) -> Iterator[datetime]:
    return (at for found, _, at in steps if found == kind)


def _month(deal: DealTime) -> tuple[int, int]:
    local = deal.confirmed.astimezone()
    return local.year, local.month


def _most(seconds: list[float]) -> float:
    """The 90th percentile of the times."""
    return quantiles(seconds, n=10, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]


def _figures(deals: list[DealTime], month: tuple[int, int] | None) -> Figures:
    taken = [deal.taken.total_seconds() for deal in deals]
    photos = [deal.from_photo.total_seconds() for deal in deals if deal.from_photo is not None]
    return Figures(
        month=month,
        deals=len(deals),
        median_s=median(taken),
        most_s=_most(taken),
        photo_median_s=median(photos) if photos else None,
        photo_most_s=_most(photos) if photos else None,
        taps=mean(deal.taps for deal in deals),
        corrections=mean(deal.corrections for deal in deals),
        questions=mean(deal.questions for deal in deals),
    )
