"""What the book has already, beside which a list is held."""

from __future__ import annotations

from datetime import date

from flask_babel import gettext
from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.book.balances import Balance, balances_of
from webapp.book.seasons import Season, Span
from webapp.database.tables.book import HandScoreRow
from webapp.database.tables.deals import EveningRow, GameRow, games_removed
from webapp.list_import.matching import Directory, Found, Named
from webapp.people.members import member_key
from webapp.people.names import NameRefused
from webapp.personal_data.profiles import Person


class Known:
    """The players of the book with their balances and the days on which they have hands.

    Args:
        session: a transaction, in which the book stays as it is.
        people: the players.
        season: the season whose opening balances are asked about, if any.
        now: today.
    """

    def __init__(
        self, session: Session, people: list[Person], season: Season | None, now: date
    ) -> None:
        self.now = now
        self.season = season
        self.directory = Directory(session, people)
        span = Span() if season is None else season.span
        self._balances = balances_of(session, span)
        query = (
            select(HandScoreRow.person_id, EveningRow.day)
            .join(GameRow, GameRow.id == HandScoreRow.game_id)
            .join(EveningRow, EveningRow.id == GameRow.evening_id)
            .where(GameRow.id.not_in(games_removed()))
            .distinct()
        )
        self._played = {(row[0], row[1]) for row in session.execute(query)}

    def _told(self, person: Person | None, day: date | None) -> list[Balance]:
        found = () if person is None else self._balances.get(person.id, ())
        return [balance for balance in found if balance.day == day]

    def opening(self, person: Person | None) -> int:
        """The points with which a player begins the season so far."""
        return sum(balance.points for balance in self._told(person, None))

    def already(
        self, person: Person | None, day: date | None, points: int, target: str
    ) -> str | None:
        """Why points are not taken because the book has them already; None if they are."""
        if person is None:
            return None
        before = self._told(person, day)
        if target == "standing":
            same = sum(balance.points for balance in before) == points
            return str(gettext("The season already begins with these points.")) if same else None
        if (person.id, day) in self._played:
            return str(
                gettext(
                    "%(name)s already has hands on this day, so the points would count twice.",
                    name=person.name,
                )
            )
        if not before:
            return None
        told = sum(balance.points for balance in before)
        if told == points:
            return str(gettext("This result has already been entered."))
        return str(
            gettext(
                "%(name)s already has a different result on this day: %(points)s. If that is "
                "wrong, first undo the import it came from.",
                name=person.name,
                points=told,
            )
        )

    def refuse_number_twice(self, who: Named, found: Found, numbers: dict[str, str]) -> None:
        """Remember whose a member number of the list is.

        Raises:
            NameRefused: someone else in the list has it.
        """
        if not who.member or found.why:
            return
        holder = numbers.setdefault(
            member_key(who.member), who.key if found.person is None else found.person.id
        )
        if holder != (who.key if found.person is None else found.person.id):
            raise NameRefused(
                gettext("Member number %(number)s appears twice in this list.", number=who.member)
            )
