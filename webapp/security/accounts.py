"""The accounts of the people who may log in: roles, passwords as argon2id, and their logins."""

from __future__ import annotations

import logging
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final, Literal, get_args

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from flask_babel import gettext
from flask_login import UserMixin
from sqlalchemy import Engine, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.sessions import noting, sessions_on, writing
from webapp.database.tables.accounts import AccountRow, LoginRow
from webapp.runtime.steady_clock import steady_now
from webapp.security.passwords import AT_ONCE, WAITING, Turns

Role = Literal["secretary", "scorer", "guest"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""The roles: a secretary may do everything, a scorer may enter play, a guest may only look."""

MAX_NAME: Final = 30
"""Maximum number of characters of a name."""

MIN_PASSWORD: Final = 8
"""Minimum number of characters of a password."""

MAX_PASSWORD: Final = 200
"""Maximum number of characters of a password."""

SESSION_LENGTH: Final = timedelta(hours=12)
"""How long a login lasts without use: an evening at the club, with time before and after."""

NOTED_EVERY: Final = timedelta(hours=1)
"""After how long it is written down again that a login is in use."""

COOKIE_KEPT: Final = timedelta(days=400)
"""How long a browser keeps the cookie; what it stands for ends on the server, and much earlier.

It is the longest time that browsers allow, so that the cookie of a computer whose clock is a year
slow is not old when it is set.
"""

_log = logging.getLogger(__name__)


class AccountRefused(ValueError):
    """The account cannot be made or changed; the message says why and what to do."""


@dataclass(frozen=True)
class Account(UserMixin):  # type: ignore[misc]
    """An account.

    Attributes:
        id: its id.
        name: the name under which the person logs in.
        role: what the person may do.
        stamp: changes with the password and the role, which ends all logins that there were.
        login: the id of the login, which ends with it; empty for a program's single request.
    """

    id: str
    name: str
    role: Role
    stamp: str
    login: str = ""

    def get_id(self) -> str:
        """The id that the session holds: that of the account as it is now, and of the login."""
        return f"{self.id}.{self.stamp}.{self.login}"

    @property
    def writes(self) -> bool:
        """Whether the person may enter things, not only look at them."""
        return self.role != "guest"


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()[:60]


def _account(row: AccountRow) -> Account:
    role = next(role for role in ROLES if role == row.role)
    return Account(row.id, row.name, role, row.stamp)


def _check_password(password: str) -> None:
    if len(password) < MIN_PASSWORD:
        raise AccountRefused(
            gettext(
                "The password has %(password)s characters; it needs at least %(min_password)s. "
                "Three unrelated words are easy to remember.",
                password=len(password),
                min_password=MIN_PASSWORD,
            )
        )
    if len(password) > MAX_PASSWORD:
        raise AccountRefused(
            gettext(
                "The password is longer than %(max_password)s characters.",
                max_password=MAX_PASSWORD,
            )
        )


class Accounts:
    """Reads and writes accounts in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sessions = sessions_on(engine)
        self._hasher = PasswordHasher()
        self._turns = Turns(AT_ONCE, WAITING)

    @cached_property
    def _nobody(self) -> str:
        return self._hasher.hash(new_id())

    def _hashed(self, password: str) -> str:
        with self._turns.turn():
            return self._hasher.hash(password)

    def any(self) -> bool:
        """Whether anybody has an account."""
        with self._sessions() as session:
            return session.scalars(select(AccountRow.id).limit(1)).first() is not None

    def all(self) -> list[Account]:
        """All accounts, sorted by name."""
        with self._sessions() as session:
            return [_account(row) for row in session.scalars(select(AccountRow).order_by("key"))]

    def has_secretary(self) -> bool:
        """Whether there is a secretary's account."""
        return any(account.role == "secretary" for account in self.all())

    def add(self, name: str, role: Role, password: str) -> Account:
        """Add an account.

        Raises:
            AccountRefused: the name or the password cannot be used.
        """
        name = " ".join(name.split())
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise AccountRefused(
                gettext("A name has 1 to %(max_name)s letters, digits or signs.", max_name=MAX_NAME)
            )
        _check_password(password)
        hashed = self._hashed(password)
        with self._sessions.begin() as session:
            if _find(session, name) is not None:
                raise AccountRefused(
                    gettext("There is already an account for %(name)s.", name=name)
                )
            first = session.scalar(select(func.count()).select_from(AccountRow)) == 0
            if first and role != "secretary":
                raise AccountRefused(gettext("The first account must be a secretary's."))
            row = AccountRow(
                id=new_id(),
                name=name,
                key=_key(name),
                role=role,
                password=hashed,
                stamp=new_id(),
                created_at=datetime.now(UTC),
            )
            session.add(row)
            session.flush()
            return _account(row)

    def set_password(self, name: str, password: str) -> None:
        """Give an account a new password and end all logins that it has.

        Raises:
            AccountRefused: there is no such account, or the password cannot be used.
        """
        _check_password(password)
        hashed = self._hashed(password)
        with self._sessions.begin() as session:
            row = _must_find(session, name)
            row.password, row.stamp = hashed, new_id()

    def account(self, account_id: str) -> Account:
        """The account with this id.

        Raises:
            AccountRefused: there is none.
        """
        with self._sessions() as session:
            return _account(_with_id(session, account_id))

    def set_role(self, account_id: str, role: Role) -> Account:
        """Give an account another role and end all logins that it has.

        Raises:
            AccountRefused: there is no such account, or it is the only secretary's.
        """
        with self._sessions.begin() as session:
            row = _with_id(session, account_id)
            if row.role == "secretary" != role and _secretaries(session) == 1:
                raise AccountRefused(
                    gettext(
                        "%(name)s is the only secretary. Make someone else secretary first.",
                        name=row.name,
                    )
                )
            row.role, row.stamp = role, new_id()
            return _account(row)

    def remove(self, name: str) -> None:
        """Delete an account; what was entered under it stays.

        Raises:
            AccountRefused: there is no such account, or it is the only secretary's.
        """
        with self._sessions.begin() as session:
            row = _must_find(session, name)
            others = session.scalar(select(func.count()).select_from(AccountRow)) != 1
            if row.role == "secretary" and others and _secretaries(session) == 1:
                raise AccountRefused(
                    gettext(
                        "%(name)s is the only secretary. Add another one first, or remove the "
                        "other accounts.",
                        name=row.name,
                    )
                )
            session.delete(row)

    def password_of(self, name: str) -> str:
        """A word for the password that a name has now, the same for all spellings of the name.

        A new password has another one, so that wrong tries of the old password are over with it.
        """
        with self._sessions() as session:
            row = _find(session, name)
        return f"{_key(name)} {'' if row is None else row.stamp}"

    def verify(self, name: str, password: str) -> Account | None:
        """The account with this name and password; None if one of them is wrong.

        It takes as long for an unknown name as for a known one.

        Raises:
            ServiceUnavailable: too many passwords wait to be checked already.
        """
        with self._sessions() as session:
            row = _find(session, name)
        try:
            with self._turns.turn():
                self._hasher.verify(
                    self._nobody if row is None else row.password, password[:MAX_PASSWORD]
                )
        except VerifyMismatchError:
            return None
        return None if row is None else _account(row)

    def begin_login(self, account: Account) -> Account:
        """Log someone in, and return the account with its login."""
        login, now = new_id(), steady_now()
        with writing(self._engine).begin() as connection:
            connection.execute(delete(LoginRow).where(LoginRow.seen_at < now - COOKIE_KEPT))
            connection.execute(insert(LoginRow).values(id=login, seen_at=now))
        return replace(account, login=login)

    def end_login(self, session_id: str) -> None:
        """End the login of a session, also for anyone who holds a copy of its cookie."""
        login = session_id.rpartition(".")[2]
        with writing(self._engine).begin() as connection:
            connection.execute(delete(LoginRow).where(LoginRow.id == login))

    def remembered(self, session_id: str) -> Account | None:
        """The account that a session belongs to; None if its login has ended."""
        names, _, login = session_id.rpartition(".")
        account_id, _, stamp = names.partition(".")
        with self._sessions() as session:
            row, seen = session.get(AccountRow, account_id), session.get(LoginRow, login)
        if row is None or seen is None or row.stamp != stamp:
            return None
        unused = steady_now() - seen.seen_at.replace(tzinfo=UTC)
        if unused > SESSION_LENGTH:
            return None
        if not timedelta(0) <= unused < NOTED_EVERY:
            self._note_use(login)
        return replace(_account(row), login=login)

    def _note_use(self, login: str) -> None:
        """Write down that a login is in use; on a full disk it lasts as long as it would have."""
        used = update(LoginRow).where(LoginRow.id == login).values(seen_at=steady_now())
        try:
            with writing(noting(self._engine)).begin() as connection:
                connection.execute(used)
        except SQLAlchemyError:
            _log.exception("the use of a login could not be written down")


def _find(session: Session, name: str) -> AccountRow | None:
    return session.scalars(select(AccountRow).where(AccountRow.key == _key(name))).first()


def _must_find(session: Session, name: str) -> AccountRow:
    row = _find(session, name)
    if row is None:
        raise AccountRefused(gettext("There is no account for %(name)s.", name=name))
    return row


def _with_id(session: Session, account_id: str) -> AccountRow:
    row = session.get(AccountRow, account_id)
    if row is None:
        raise AccountRefused(
            gettext("This person can no longer log in. Someone removed the account.")
        )
    return row


def _secretaries(session: Session) -> int:
    """The number of accounts that are secretaries'."""
    query = select(func.count()).where(AccountRow.role == "secretary")
    return session.scalar(query) or 0
