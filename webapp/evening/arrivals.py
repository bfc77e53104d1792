"""Phones that check people in without a login: what one may do, and how often."""

from __future__ import annotations

from typing import Final

from flask_babel import lazy_gettext

from webapp.evening.code import CheckInCode
from webapp.evening.visits import Visit, VisitRefused, Visits
from webapp.runtime.counts import Counts

WRONG_CODES: Final = 20
"""Maximum number of wrong codes from one address in the time of :data:`WINDOW_S`."""

LOOKUPS: Final = 60
"""Maximum number of names that are looked up from one address in that time."""

CHECK_INS: Final = 40
"""Maximum number of people who are checked in from one address in that time: a full hall behind one
router."""

NEW_NAMES: Final = 8
"""Maximum number of guests that are added from one address in that time."""

WINDOW_S: Final = 900.0
"""How long each of these counts, in seconds."""

BY_ONE_PHONE: Final = 4
"""Maximum number of people whom one phone checks in to an evening: a car full."""

GUESTS_BY_PHONES: Final = 40
"""Maximum number of guests whom phones check in to one evening."""

TOO_OFTEN: Final = lazy_gettext(
    "Too many attempts from here. Wait a quarter of an hour, or ask the organiser "
    "to tick your name."
)
"""The message for anyone who tries too many codes or names."""

_ASK: Final = lazy_gettext(
    "Nobody else can be checked in from here. Ask the organiser to tick them."
)

_SEATED: Final = lazy_gettext(
    "You already have a seat at a table. Tell the organiser if you are leaving."
)


class Arrivals:
    """Lets phones look up names and check people in, from any thread.

    Args:
        visits: who is here.
        code: the code by which they check in.
        counts: counts what each address tried, within :data:`WINDOW_S`.
    """

    def __init__(self, visits: Visits, code: CheckInCode, counts: Counts | None = None) -> None:
        self._visits, self._code = visits, code
        self._counts = counts or Counts(WINDOW_S)

    def _take(self, what: str, sender: str, most: int) -> None:
        if self._counts.take({f"{what} {sender}": most}) is None:
            raise VisitRefused(str(TOO_OFTEN))

    def evening(self, code: str, sender: str) -> str | None:
        """The id of the evening for which a code is good; None if it is wrong or check-in closed.

        Raises:
            VisitRefused: too many codes from this address were wrong; this one is not looked at.
        """
        key = f"code {sender}"
        counted = self._counts.take({key: WRONG_CODES})
        if counted is None:
            raise VisitRefused(str(TOO_OFTEN))
        evening = self._code.evening(code)
        if evening is not None:
            self._counts.give_back(counted)
        return evening

    def look_up(self, sender: str) -> None:
        """Count that names were looked up.

        Raises:
            VisitRefused: that was done too often from this address.
        """
        self._take("look", sender, LOOKUPS)

    def known(self, evening_id: str, person_id: str, phone: str, sender: str) -> Visit:
        """Check in someone who was chosen from the names.

        Raises:
            KeyError: there is no such player.
            VisitRefused: too many were checked in by this phone or from this address.
        """
        self._count(evening_id, phone, sender)
        return self._visits.enter(evening_id, person_id, phone)

    def named(self, evening_id: str, name: str, phone: str, sender: str) -> Visit:
        """Check in someone whose name was typed; anyone who is not known is a guest.

        Raises:
            NameRefused: the name cannot be stored.
            VisitRefused: too many were checked in by this phone, or as guests.
        """
        self._count(evening_id, phone, sender)
        if not self._visits.knows(name):
            here = self._visits.here(evening_id)
            if sum(visit.guest and visit.phone is not None for visit in here) >= GUESTS_BY_PHONES:
                raise VisitRefused(str(_ASK))
            self._take("guest", sender, NEW_NAMES)
        return self._visits.enter_named(evening_id, name, phone)

    def of_phone(self, evening_id: str, phone: str) -> list[Visit]:
        """Those whom a phone has checked in."""
        return [visit for visit in self._visits.here(evening_id) if visit.phone == phone]

    def take_back(self, evening_id: str, person_id: str, phone: str) -> None:
        """Take back someone whom this phone has checked in; nothing happens to others.

        Raises:
            VisitRefused: they have a seat at a table.
        """
        if any(visit.person == person_id for visit in self.of_phone(evening_id, phone)):
            try:
                self._visits.leave(evening_id, person_id)
            except VisitRefused as seated:
                raise VisitRefused(str(_SEATED)) from seated

    def _count(self, evening_id: str, phone: str, sender: str) -> None:
        if len(self.of_phone(evening_id, phone)) >= BY_ONE_PHONE:
            raise VisitRefused(str(_ASK))
        self._take("name", sender, CHECK_INS)
