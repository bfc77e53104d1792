"""“How long it takes”: notes the steps of every deal as they happen, and shows what they add up to.

What is noted is the deal, the kind of step and the moment: no names and no tiles.
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
from webapp.deal.trail import reading_of_photo
from webapp.services import services

pages = Blueprint("timing", __name__)

_log = logging.getLogger(__name__)

_OPENS: Final = frozenset({"home.start", "games.next_hand", "table.next_deal"})
_PHOTOS: Final = frozenset({"sample", "camera"})
"""What the addresses end with that give a photo without sending one."""

_APART: Final = frozenset({"disputes", "shares"})
"""The blueprints that come after the score."""

_CORRECTING: Final = frozenset(
    {"change", "remove", "remove_ticked", "group", "toggle", "dissolve", "clear"}
)
"""What people do to tiles that were read or entered before, among the actions of their page."""

Step = tuple[str, Kind, int]


@pages.get("/how-long")
def show() -> str:
    """The figures of all deals and of each month."""
    return render_template("score/how_long.html", summary=services().timings.summary())


@pages.app_template_filter()
def duration(seconds: float | None) -> str:
    """Seconds as people say them: 48 s, 1 min 20 s."""
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return str(gettext("%(seconds)s s", seconds=rest))
    return str(gettext("%(minutes)s min %(seconds)s s", minutes=minutes, seconds=rest))


@pages.app_template_filter()
def clock(seconds: float) -> str:
    """Seconds as a clock shows them: 1:20."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


@pages.app_template_filter()
def month_name(month: tuple[int, int]) -> str:
    """A month as people write it: November 2026."""
    return str(format_date(date(*month, 1), "LLLL y"))


@pages.after_app_request
def note_steps(response: Response) -> Response:
    """Note what this request was on the way to a score; a failure to do so stops nobody."""
    if response.status_code < 400:
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
    elif endpoint == "games.take":
        yield from _kept(request.form.get("deal", ""))
    elif deal_id and request.blueprint not in _APART:
        yield deal_id, _entry_kind(endpoint), 1


def _entry_kind(endpoint: str) -> Kind:
    """What an entry about a deal is."""
    if request.files or request.path.rpartition("/")[2] in _PHOTOS:
        return "photo"
    correcting = endpoint == "tiles.edit" and request.form.get("action") in _CORRECTING
    return "correction" if correcting or endpoint == "table.undo" else "tap"


def _deal_ahead(response: Response) -> str:
    """The deal whose page the answer leads to."""
    return response.headers.get("Location", "").rstrip("/").rpartition("/")[2]


def _scored(deal_id: str, response: Response) -> Iterator[Step]:
    """A single deal is confirmed when its score is shown; a refusal is a question."""
    if response.status_code >= 300:
        yield deal_id, "question", 1
    elif services().games.game_of(deal_id) is None:
        yield from _confirmed(deal_id)


def _kept(deal_id: str) -> Iterator[Step]:
    """A deal of a table is confirmed when it is in the game."""
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
    """How many tiles of the photos people were asked to look at."""
    store = services().store
    deal = store.deal(deal_id)
    if deal is None:
        return 0
    entries = store.trail(deal_id)
    photos = [player.photo for player in deal.state.players if player.photo is not None]
    read = (reading_of_photo(entries, photo) for photo in photos)
    return sum(len(player.doubtful) for player in read if player is not None)
