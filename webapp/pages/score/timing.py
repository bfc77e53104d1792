"""The page “How long it takes”, and storing the steps of every deal as they happen.

What is stored is the deal, the kind of step and the moment, but no names and no tiles.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from typing import Final

from flask import Blueprint, Response, render_template, request
from flask_babel import format_date, gettext
from sqlalchemy.exc import SQLAlchemyError

from webapp.deal.timing import Kind
from webapp.deal.trail import as_read
from webapp.security.bodies import may_be_read
from webapp.security.idempotency import is_repeated
from webapp.security.policy import MEMBER, Policy
from webapp.services import services

pages = Blueprint("timing", __name__)

_log = logging.getLogger(__name__)

_OPENS: Final = frozenset({"home.start", "table.next_hand", "deal.next_deal"})
"""The views that open a deal."""

_PHOTOS: Final = frozenset({"sample", "camera"})
"""The last parts of addresses under which a deal gets a photo that is not sent."""

_APART: Final = frozenset({"disputes", "shares"})
"""The blueprints whose entries come after the score and are not counted."""

_CORRECTING: Final = frozenset(
    {"change", "remove", "remove_ticked", "group", "toggle", "dissolve", "clear"}
)
"""The actions on the page of a player's tiles that change tiles read or entered before."""

Step = tuple[str, Kind, int]


@pages.get("/how-long")
@Policy(MEMBER)
def show() -> str:
    """Show the figures of all deals and of each month."""
    return render_template("score/how_long.html", summary=services().timings.summary())


@pages.app_template_filter()
def duration(seconds: float | None) -> str:
    """A time in words, such as 48 s or 1 min 20 s."""
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return str(gettext("%(seconds)s s", seconds=rest))
    return str(gettext("%(minutes)s min %(seconds)s s", minutes=minutes, seconds=rest))


@pages.app_template_filter()
def clock(seconds: float) -> str:
    """A time in minutes and seconds, such as 1:20."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


@pages.app_template_filter()
def month_name(month: tuple[int, int]) -> str:
    """A month in the reader's language, such as November 2026."""
    return str(format_date(date(*month, 1), "LLLL y"))


@pages.after_app_request
def note_steps(response: Response) -> Response:
    """Store what step of a deal this request was; a failure is logged and has no other effect."""
    if response.status_code < 400 and may_be_read() and not is_repeated():
        try:
            for deal_id, kind, count in _steps(response):
                services().timings.note(deal_id, kind, count)
        except SQLAlchemyError:
            _log.exception("the time of a step could not be noted")
    return response


def _steps(response: Response) -> Iterator[Step]:
    endpoint = request.endpoint or ""
    deal_id = (request.view_args or {}).get("deal_id", "")
    if endpoint == "result.show":
        yield from _scored(deal_id, response)
    elif request.method != "POST":
        return
    elif endpoint in _OPENS:
        yield _deal_ahead(response), "opened", 1
    elif endpoint == "table.take":
        yield from _kept(request.form.get("deal", ""))
    elif deal_id and request.blueprint not in _APART:
        yield deal_id, _entry_kind(endpoint), 1


def _entry_kind(endpoint: str) -> Kind:
    """The kind of step that an entry about a deal is."""
    if request.files or request.path.rpartition("/")[2] in _PHOTOS:
        return "photo"
    correcting = endpoint == "tiles.edit" and request.form.get("action") in _CORRECTING
    return "correction" if correcting or endpoint == "deal.undo" else "tap"


def _deal_ahead(response: Response) -> str:
    """The id of the deal to whose page the answer redirects."""
    return response.headers.get("Location", "").rstrip("/").rpartition("/")[2]


def _scored(deal_id: str, response: Response) -> Iterator[Step]:
    """The steps of showing a score: a deal outside games is confirmed, a refusal is a question."""
    if response.status_code >= 300:
        yield deal_id, "question", 1
    elif services().games.game_of(deal_id) is None:
        yield from _confirmed(deal_id)


def _kept(deal_id: str) -> Iterator[Step]:
    """The steps of entering a deal into its game, which confirms it."""
    found = services()
    link = found.games.game_of(deal_id)
    stored = None if link is None else found.games.game(link[0])
    if stored is not None and deal_id in stored.book.deals:
        yield from _confirmed(deal_id)


def _confirmed(deal_id: str) -> Iterator[Step]:
    timings = services().timings
    if timings.is_confirmed(deal_id):
        return
    doubtful = _doubtful_tiles(deal_id)
    if doubtful:
        yield deal_id, "question", doubtful
    yield deal_id, "confirmed", 1


def _doubtful_tiles(deal_id: str) -> int:
    """The number of doubtful tiles on a deal's photos that people were asked about."""
    store = services().store
    deal = store.deal(deal_id)
    if deal is None:
        return 0
    entries = store.trail(deal_id)
    read = (as_read(entries, player) for player in deal.state.players)
    return sum(len(player.doubtful) for player in read if player is not None)
