"""What a view asks of a request: who may send it, how large it may be, and how often it may come.

Each view declares it where it stands, by the decorator :class:`Policy`; every guard asks
:func:`current`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])


class Access(StrEnum):
    """Who may use a view where people log in; where nobody has an account, everybody may."""

    ANYBODY = "anybody"
    """Without a login."""
    LINK = "link"
    """Anybody who was given its address may look at it."""
    HALL = "hall"
    """Anybody may look at it if the club lets strangers see the display in the hall."""
    MEMBER = "member"
    """Everybody who is logged in, guests too."""
    SCORER = "scorer"
    """Everybody who is logged in may look at it; only those who may enter things send to it."""
    SECRETARY = "secretary"
    """Only a secretary."""


ANYBODY: Final = Access.ANYBODY
LINK: Final = Access.LINK
HALL: Final = Access.HALL
MEMBER: Final = Access.MEMBER
SCORER: Final = Access.SCORER
SECRETARY: Final = Access.SECRETARY


@dataclass(frozen=True)
class Most:
    """The most that a request to a view may hold.

    Attributes:
        size: of the body, in bytes.
        fields: number of fields, each file among them.
        too_large: the message for a body that is larger.
    """

    size: int
    fields: int
    too_large: Any


@dataclass(frozen=True, slots=True)
class Rate:
    """How often one phone may send something to a view.

    Attributes:
        per_minute: the maximum number of times in a minute.
        is_entry: whether it also counts as one of the forms that a phone may send.
    """

    per_minute: int
    is_entry: bool = True


@dataclass(frozen=True, slots=True)
class Policy:
    """What a view asks of a request.

    Attributes:
        access: who may use it.
        body: the most that it accepts; None for a form without files.
        rate: how often a phone may send something to it, beside what holds for all forms.
        once: whether a form counts once however often it is sent.
        disk: whether it stores pictures or files, which a nearly full disk has no room for.
        wakes: whether phones that follow the table are told when something was sent.
        any_host: whether it answers under every name of this computer.
        retracts: whether the association must not show afterwards what it showed before.
        files: whether it changes files of the club beside the database.
    """

    access: Access
    body: Most | None = None
    rate: Rate | None = None
    once: bool = True
    disk: bool = False
    wakes: bool = True
    any_host: bool = False
    retracts: bool = False
    files: bool = False

    def __call__(self, view: View) -> View:
        """Declare the policy of a view: as its decorator, directly below its route."""
        view.__dict__["policy"] = self
        return view


_NO_VIEW: Final = Policy(ANYBODY)
"""The policy where no view answers: a wrong address, or a file that comes with the page."""

_CLOSED: Final = Policy(SECRETARY)
"""The policy of a view that declares none, as no view should."""


def policy_of(view: Callable[..., Any] | None) -> Policy | None:
    """The policy that a view declares; None for one that declares none."""
    declared = getattr(view, "policy", None)
    return declared if isinstance(declared, Policy) else None


def current() -> Policy:
    """The policy of the view that this request asks for."""
    endpoint = request.endpoint
    if endpoint in (None, "static"):
        return _NO_VIEW
    return policy_of(current_app.view_functions.get(endpoint)) or _CLOSED
