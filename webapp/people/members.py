"""The member numbers of the players: how they are typed, and that nobody has another's."""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

from flask_babel import gettext
from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.database.tables.deals import PersonRow
from webapp.people.names import NameRefused, joined_people

MAX_MEMBER: Final = 20
"""Maximum number of characters of a member number."""


def clean_member(text: str) -> str | None:
    """A member number as it is stored; None if nothing was typed.

    Raises:
        NameRefused: it is too long, or does not begin with a letter or a digit.
    """
    number = " ".join(normalize("NFKC", text).split())
    if not number:
        return None
    if len(number) > MAX_MEMBER or not number.isprintable() or not number[0].isalnum():
        raise NameRefused(
            gettext(
                "“%(number)s” cannot be a member number. Use up to %(most)s letters and digits.",
                number=number[:MAX_MEMBER],
                most=MAX_MEMBER,
            )
        )
    return number


def member_key(number: str) -> str:
    """The form of a member number that is the same for all ways of typing it.

    >>> member_key("007"), member_key("7"), member_key("A 12") == member_key("a12")
    ('7', '7', True)
    """
    plain = "".join(normalize("NFKC", number).casefold().split())
    return plain.lstrip("0") or plain


def members(session: Session) -> dict[str, PersonRow]:
    """Who has which member number, by the numbers in the form in which they are compared."""
    query = select(PersonRow).where(PersonRow.member.is_not(None))
    return {member_key(row.member or ""): row for row in session.scalars(query)}


def numbers(session: Session) -> dict[str, tuple[str, ...]]:
    """The member numbers by the ids of the players: own first, then of those joined."""
    joined = joined_people(session)
    found: dict[str, tuple[str, ...]] = {}
    rows = session.scalars(select(PersonRow).where(PersonRow.member.is_not(None))).all()
    for row in sorted(rows, key=lambda row: row.id in joined):
        stays = row.id
        while stays in joined:
            stays = joined[stays]
        found[stays] = (*found.get(stays, ()), row.member or "")
    return found


def give_number(session: Session, row: PersonRow, text: str) -> None:
    """Give a player a member number, another one, or none; with one, a guest becomes a member.

    Raises:
        NameRefused: it cannot be stored, or someone else has it.
    """
    number = clean_member(text)
    holder = members(session).get(member_key(number)) if number else None
    if holder is not None and holder.id != row.id:
        if joined_people(session).get(holder.id) != row.id:
            raise NameRefused(
                gettext(
                    "%(name)s already has member number %(number)s. Each number is for one player "
                    "only.",
                    name=holder.name,
                    number=number,
                )
            )
        holder.member = None
        session.flush()
    row.member = number
    row.guest = row.guest and number is None
