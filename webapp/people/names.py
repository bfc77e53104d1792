"""The names of people: how they are stored, compared and searched, and whom each one means."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final
from unicodedata import category, combining, normalize

from flask_babel import gettext
from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.tables.book import ErasureRow, PersonEntryRow
from webapp.database.tables.deals import (
    PersonRow,
)

JOINED: Final = "joined"
"""The kind of an entry that joined two players."""

MAX_NAME: Final = 30
"""Maximum number of characters of a player's name."""

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
    """Whether a sign only says how to show the one before or after it."""
    return category(sign) == "Cf" or "\ufe00" <= sign <= "\ufe0f"


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


def _now() -> datetime:
    return datetime.now(UTC)
