"""Entries without a connection: a page that opens offline, and the view that accepts them later.

The browser's service worker keeps the page together with the files of this version; the page holds
nothing about anybody. Entries wait in the browser; each has an id of its own and counts once.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from flask import Blueprint, Flask, jsonify, make_response, render_template, request, url_for
from flask_babel import gettext
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorer import DealError, GameError
from scorer.game.hands import Drawn, PlayedHand
from scorer.game.winds import Position
from scorer.notations import NotationError
from scorer.tiles import parse_tiles
from vision.messages import Message
from webapp.deal.edits import add_tiles, with_player
from webapp.deal.state import HAND, DealState
from webapp.games.forms import (
    FormRefused,
    blank_state,
    hand_of,
    position_of,
    refusal_words,
)
from webapp.games.hand_forms import NO_NAME, NOBODY, read_totals, rules_at, winner_named
from webapp.games.store import StoredGame
from webapp.games.words import Moved, hand_line
from webapp.language.chosen import html_language
from webapp.language.noted import noted
from webapp.language.translation import translated
from webapp.pages.rendering import STATIC, static_version
from webapp.pages.table.table import (
    TABLE_REMOVED,
    counts_no_more,
    hand_won,
    seat_deal,
    with_hand,
)
from webapp.rulesets.shown import asks_under
from webapp.security.policy import ANYBODY, MEMBER, SCORER, Policy
from webapp.services import services

pages = Blueprint("offline", __name__)

_WORKER: Final = STATIC / "worker.js"
"""The file of the service worker, without its list of files."""

_KEPT_FILES: Final = ("*.css", "*.js", "vendor/*.js", "tiles/*.svg")
"""The patterns of the static files that the service worker keeps."""

Name = Annotated[str, Field(max_length=30)]
Text = Annotated[str, Field(max_length=200)]


class Waiting(BaseModel):
    """An entry that waited in a browser.

    It names players by their names, because their winds may have changed meanwhile.

    Attributes:
        entry: the id that the browser gave to the entry.
        game: the id of the game.
        number: the number of the hand for which it was made.
        kind: whether it is a drawn hand, totals or tiles.
        as_next: whether it counts as the next hand, whatever number that has.
        replace: whether it replaces tiles that another phone entered.
        totals: the total of each player, for the kind ``totals``.
        tiles: tile codes by player, for the kind ``tiles``.
        winner: the winner's name, or ``-`` for a drawn hand.
        source: the id of the source of the winning tile.
        giver: the name of the player who gave the winning tile, if one did.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    entry: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    game: Annotated[str, Field(max_length=32)]
    number: Annotated[int, Field(ge=1, le=9999)]
    kind: Literal["drawn", "totals", "tiles"]
    as_next: bool = False
    replace: bool = False
    totals: Annotated[dict[Name, Text], Field(max_length=4)] = {}
    tiles: Annotated[dict[Name, Text], Field(max_length=4)] = {}
    winner: Name = ""
    source: Name = ""
    giver: Name = ""


class Conflict(ValueError):
    """Someone else entered something meanwhile; the message says what."""


@pages.get("/offline")
@Policy(ANYBODY)
def page() -> str:
    """Show the page that opens without a connection."""
    return render_template("offline.html")


@pages.get("/worker.js")
@Policy(ANYBODY)
def worker() -> Response:
    """Send the service worker with the list of files of this version that it keeps."""
    files = sorted(path for kind in _KEPT_FILES for path in STATIC.glob(kind) if path != _WORKER)
    kept = [url_for("static", filename=str(path.relative_to(STATIC))) for path in files]
    head = f"const VERSION = {json.dumps(static_version())};\nconst FILES = {json.dumps(kept)};\n"
    response = make_response(head + _WORKER.read_text("utf-8"))
    response.headers["Content-Type"] = "text/javascript; charset=utf-8"
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/offline/token")
@Policy(MEMBER)
def token() -> Response:
    """Send the CSRF token with which a browser that is online again sends its entries."""
    return jsonify({"token": generate_csrf()})


@pages.post("/offline/entries")
@Policy(SCORER)
def take() -> Response:
    """Store one entry that waited, or send why it cannot be stored."""
    try:
        sent = Waiting.model_validate_json(request.get_data())
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "JSON"
        return _told("refused", gettext("This entry cannot be read (%(where)s).", where=where))
    stored = services().games.game(sent.game)
    if stored is None:
        return _told("refused", gettext("There is no such table here."))
    try:
        _enter(stored, sent)
    except (Conflict, Moved) as conflict:
        return _told("conflict", str(conflict))
    except (FormRefused, DealError, GameError) as error:
        words = str(error) if isinstance(error, FormRefused) else refusal_words(error)
        return _told("refused", words)
    return _told("kept", "")


def _told(state: str, message: str) -> Response:
    return jsonify({"state": state, "message": message})


def _enter(stored: StoredGame, sent: Waiting) -> None:
    """Store an entry; one that was stored before changes nothing.

    Raises:
        Conflict: someone else entered the hand meanwhile.
        Moved: someone else entered something at this moment.
        FormRefused: what was typed cannot be used.
        DealError: the scorer does not accept the deal.
        GameError: the hand does not fit there.
    """
    found = services()
    if found.games.knows(stored.id, sent.entry):
        return
    upcoming = stored.game.next
    if counts_no_more(stored):
        raise Conflict(str(TABLE_REMOVED))
    if upcoming is None or stored.book.over:
        raise Conflict(gettext("The game has since ended."))
    number = upcoming.number
    if number != sent.number and not sent.as_next:
        raise Conflict(_meanwhile(stored, sent.number))
    if sent.kind not in _kinds(stored):
        raise FormRefused(gettext("Its rules need more than that: enter the tiles."))
    position = position_of(stored.game, number)
    _refuse_waiting(position, sent)
    if sent.kind == "tiles":
        _put_tiles(stored, position, sent)
    elif sent.kind == "drawn":
        _record(stored, sent, Drawn(), None, hand_won(number, None))
    else:
        blank, rules = blank_state(stored.game, position), rules_at(stored.game)
        state = read_totals(_totals_form(position, sent), blank, rules)
        hand = hand_of(state, stored.game, position)
        deal_id = found.begin_deal(state, (stored.id, number))
        winner = winner_named(sent.winner, position.seats.values())
        what = hand_won(number, None if winner == NO_NAME else winner)
        _record(stored, sent, hand, deal_id, what)


def _kinds(stored: StoredGame) -> list[str]:
    """What can be entered of a hand without a connection: what its rules need no more than."""
    setup = stored.game.setup
    asks = asks_under(setup.ruleset, setup.changes)
    offered = {"totals": asks.others, "drawn": not asks.ready, "tiles": True}
    return [kind for kind, possible in offered.items() if possible]


def _refuse_waiting(position: Position, sent: Waiting) -> None:
    """Refuse what was entered of someone who sits out this hand.

    Raises:
        Conflict: there is such a player.
    """
    for name in (*sent.totals, *sent.tiles):
        if name in position.waiting:
            told = gettext(
                "%(name)s sits out hand %(number)s. Enter it at the table.",
                name=name,
                number=position.number,
            )
            raise Conflict(told)


def _meanwhile(stored: StoredGame, number: int) -> str:
    if number > len(stored.game.hands):
        gone: str = gettext("Hand %(number)s is no longer the next one.", number=number)
        return gone
    told = {"number": number, "outcome": hand_line(stored.game.hands[number - 1])}
    who = services().games.history(stored.id)[0].who
    if who is None:
        return str(gettext("Another phone has since entered hand %(number)s: %(outcome)s.", **told))
    return str(gettext("%(who)s has since entered hand %(number)s: %(outcome)s.", who=who, **told))


def _record(
    stored: StoredGame, sent: Waiting, hand: PlayedHand, deal_id: str | None, what: Message
) -> None:
    services().games.edit(
        stored.id, stored.head, lambda book: with_hand(book, hand, deal_id), what, sent.entry
    )


def _totals_form(position: Position, sent: Waiting) -> MultiDict[str, str]:
    """The entry in the form in which totals are sent, with the players' current winds."""
    seats = {name: seat for seat, name in position.seats.items()}
    form = {f"total_{seats[name]}": text for name, text in sent.totals.items() if name in seats}
    winner = winner_named(sent.winner, seats)
    form["winner"] = NOBODY if winner == NO_NAME else seats.get(winner, "")
    form["source"], form["from"] = sent.source, seats.get(sent.giver, "")
    return MultiDict(form)


def _put_tiles(stored: StoredGame, position: Position, sent: Waiting) -> None:
    """Give the players of the next hand's deal the tiles of the entry."""
    found = services()
    labels = {}
    for name, text in sent.tiles.items():
        try:
            labels[name] = parse_tiles(text)
        except NotationError as error:
            raise FormRefused(f"{name}: {error}") from error
    state = blank_state(stored.game, position)
    place = stored.id, position.number
    deal_id = found.games.begin_deal(
        stored, position.number, lambda: found.begin_deal(state, place)
    )
    seat_deal(deal_id, stored, position.number)

    def put(now: DealState) -> DealState:
        for player in now.players:
            tiles = labels.get(player.name)
            if not tiles:
                continue
            if player.entered and not sent.replace:
                raise Conflict(
                    gettext("Another phone has since entered tiles for %(name)s.", name=player.name)
                )
            empty = replace(player, tiles=(), melds=(), photo=None, claimed=None)
            now = with_player(now, add_tiles(empty, tiles, HAND))
        return now

    found.store.edit(deal_id, put, noted("Tiles entered without a connection"), sent.entry)


def table_data(stored: StoredGame) -> dict[str, Any] | None:
    """What a phone must know of a table for entries without a connection; None if it is over."""
    upcoming = stored.game.next
    if upcoming is None or stored.book.over:
        return None
    rules = rules_at(stored.game)
    return {
        "id": stored.id,
        "title": stored.title,
        "number": upcoming.number,
        "players": list(upcoming.seats.values()),
        "totals": dict(stored.game.totals),
        "sources": [
            [source.id, translated(source.name), source.needs_from] for source in rules.sources
        ],
        "least": rules.least_win,
        "most": rules.usual_most,
        "draws": rules.settles_draws,
        "kinds": _kinds(stored),
        "address": url_for("table.show", game_id=stored.id),
    }


class OfflineForm:
    """The form for entries without a connection, rendered once for each language."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, str, bool], Markup] = {}

    def __call__(self, *, always: bool = False) -> Markup:
        """The form as HTML; ``always`` shows it also while there is a connection."""
        key = html_language(), request.script_root, always
        part = self._parts.get(key)
        if part is None:
            part = Markup(render_template("offline_entry.html", always=always))  # noqa: S704
            self._parts[key] = part
        return part


def set_up(app: Flask) -> None:
    """Register the views and give templates the form and the data of a table."""
    app.register_blueprint(pages)
    app.jinja_env.globals.update(table_data=table_data, offline_form=OfflineForm())
