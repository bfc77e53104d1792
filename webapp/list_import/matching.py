"""Whom a list means: by member number, by name as it is now or was, or asked where it is alike."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from flask_babel import gettext
from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.database.tables.book import ErasureRow
from webapp.database.tables.deals import PersonRow
from webapp.people.members import clean_member, member_key
from webapp.people.names import NameRefused, clean_name, name_key, search_key
from webapp.personal_data.profiles import Person

ALIKE: Final = 0.8
"""How alike two names must be for a question, 0 to 1: one letter of five is another."""

MOST_ALIKE: Final = 5
"""Maximum number of players of whom is asked whether a name means one of them."""

MOST_COMPARED: Final = 300
"""Maximum number of new names that are compared with each other, which takes half a second."""

MOST_PAIRS: Final = 20
"""Maximum number of pairs of alike names that are told."""

NEW: Final = "new"
"""The answer that a name means someone who is not in the book."""

LEAVE: Final = "leave"
"""The answer that the lines of a name are left out."""


@dataclass(frozen=True, slots=True)
class Named:
    """Someone as a list names them: a name and a member number, either of which may be empty."""

    name: str
    member: str

    @property
    def key(self) -> str:
        """A short form that is the same however the name and the number are typed."""
        told = f"{name_key(self.name)}\n{member_key(self.member)}"
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Found:
    """Whom a name means, or what there is to ask.

    Attributes:
        person: the player of the book; None for a new one, or where it must be asked.
        how: by what the player was found: ``number``, ``name``, ``earlier`` or ``answer``.
        asked: the players of whom is asked whether one of them is meant.
        why: what is asked, in a sentence; empty where nothing is.
        may_be_new: whether it can be someone who is not in the book.
    """

    person: Person | None = None
    how: str = ""
    asked: tuple[Person, ...] = ()
    why: str = ""
    may_be_new: bool = True


def named(name: str, member: str) -> Named:
    """Someone as a list names them, in the spelling in which they would be stored.

    Raises:
        NameRefused: neither is told, or one of them cannot be stored.
    """
    last, comma, first = name.partition(",")
    if comma and last.strip() and first.strip():
        name = f"{first} {last}"
    number = clean_member(member) or ""
    return Named(clean_name(name) if name.strip() or not number else "", number)


class Directory:
    """The players of the book, in which those of a list are searched."""

    def __init__(self, session: Session, people: list[Person]) -> None:
        self._people = people
        self._by_number: dict[str, list[Person]] = {}
        self._by_name: dict[str, list[Person]] = {}
        self._searched = [(person, [_plain(name) for name in person.names]) for person in people]
        for person in people:
            for number in person.members:
                self._by_number.setdefault(member_key(number), []).append(person)
            for name in {name_key(name) for name in person.names}:
                self._by_name.setdefault(name, []).append(person)
        gone = select(PersonRow.key).join(ErasureRow, ErasureRow.person_id == PersonRow.id)
        self._gone = set(session.scalars(gone))

    def find(self, who: Named, answer: str = "") -> Found:
        """Whom a name means.

        Args:
            who: the name and the number.
            answer: what was answered when it was asked: the id of a player, or :data:`NEW`.

        Raises:
            NameRefused: it stands for someone who was erased, or its number contradicts the book.
        """
        if name_key(who.name) in self._gone:
            raise NameRefused(
                gettext("“%(name)s” is the name given to a player who was erased.", name=who.name)
            )
        found = self._find(who)
        if not found.why:
            return self._agreeing(who, found)
        chosen = next((person for person in self._people if person.id == answer), None)
        if chosen is not None:
            return self._agreeing(who, Found(chosen, "answer"))
        return Found() if answer == NEW and found.may_be_new else found

    def _find(self, who: Named) -> Found:
        same = self._by_name.get(name_key(who.name), []) if who.name else []
        holders = self._by_number.get(member_key(who.member), []) if who.member else []
        if holders:
            holder = holders[0]
            if not who.name or holder in same:
                return Found(holder, "number")
            words = gettext(
                "Number %(number)s belongs to %(name)s.",
                number=who.member,
                name=holder.name,
            )
            return Found(asked=_once([holder, *same]), why=words, may_be_new=False)
        now = [person for person in same if name_key(person.name) == name_key(who.name)]
        if now:
            return Found(now[0], "name")
        if len(same) == 1:
            return Found(same[0], "earlier")
        if same:
            words = gettext("Several players have used this name in the past.")
            return Found(asked=_once(same), why=words)
        if not who.name:
            raise NameRefused(
                gettext(
                    "Nobody has member number %(number)s, and the line has no name.",
                    number=who.member,
                )
            )
        alike = self._alike(who.name)
        why = gettext("There is a player with a similar name.") if alike else ""
        return Found(asked=alike, why=why)

    def _alike(self, name: str) -> tuple[Person, ...]:
        plain = _plain(name)
        matcher = SequenceMatcher(None, "", " ".join(plain))
        rated = sorted(
            ((max(_alike(plain, other, matcher) for other in names), person.id, person)
             for person, names in self._searched),
            reverse=True,
        )  # fmt: skip
        return tuple(person for rate, _, person in rated if rate >= ALIKE)[:MOST_ALIKE]

    def _agreeing(self, who: Named, found: Found) -> Found:
        """What was found, unless the player's number in the book is another one."""
        person = found.person
        numbers = () if person is None else person.members
        if who.member and numbers and member_key(who.member) not in map(member_key, numbers):
            raise NameRefused(
                gettext(
                    "%(name)s has member number %(number)s, but this list says %(other)s. Correct "
                    "one of them.",
                    name=numbers and person and person.name,
                    number=numbers[0],
                    other=who.member,
                )
            )
        return found


def alike_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of names that may mean one person, as far as so many are worth to be told."""
    plain = [_plain(name) for name in names[:MOST_COMPARED]]
    found: list[tuple[str, str]] = []
    for at, one in enumerate(plain):
        matcher = SequenceMatcher(None, "", " ".join(one))
        later = range(at + 1, len(plain))
        alike = [other for other in later if _alike(one, plain[other], matcher) >= ALIKE]
        found += [(names[at], names[other]) for other in alike]
    return found[:MOST_PAIRS]


def _once(people: list[Person]) -> tuple[Person, ...]:
    return tuple({person.id: person for person in people}.values())[:MOST_ALIKE]


def _plain(name: str) -> tuple[str, ...]:
    """The words of a name without accents, sorted, so that their order makes no difference."""
    return tuple(sorted(search_key(name).replace("-", " ").replace(".", " ").split()))


def _alike(one: tuple[str, ...], other: tuple[str, ...], matcher: SequenceMatcher[str]) -> float:
    """How alike two names are, 0 to 1; more than alike where one has but a part of the other.

    The matcher holds the letters of the first name already.
    """
    if not {word[0] for word in one}.isdisjoint(word[0] for word in other) and _holds(one, other):
        return 1.0
    matcher.set_seq1(" ".join(other))
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()


def _holds(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the shorter of two names is a part of the longer, with a word or but initials."""
    short, rest = sorted((one, other), key=len)
    left = list(rest)
    for word in short:
        fits = [w for w in left if w == word or (min(len(w), len(word)) == 1 and w[0] == word[0])]
        if not fits:
            return False
        left.remove(min(fits, key=lambda w: w != word))
    return any(len(word) > 1 and word in rest for word in short)
