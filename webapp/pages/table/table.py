"""The page of a table with winds, totals, the next hand and undo, and entering hands there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext, lazy_gettext
from werkzeug.wrappers import Response as AnyResponse

from scorer import DealError, GameError
from scorer.game.corrections import correct, delete, insert
from scorer.game.game import record
from scorer.game.hands import Drawn, PlayedHand
from scorer.messages import say
from vision.messages import Message
from webapp.deal.scoring import ScoreRefused, score
from webapp.deal.state import Win
from webapp.deal.store import StoredDeal
from webapp.games import words
from webapp.games.audit import audit_trail, damaged_entries
from webapp.games.forms import blank_state, hand_of, position_of, refusal_words, seated_state
from webapp.games.handovers import follow_in_deal, handover_lines
from webapp.games.store import Book, StoredGame
from webapp.games.words import Moved
from webapp.language.noted import note, noted
from webapp.pages.score.result import place_to_fix
from webapp.security.policy import LINK, MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("table", __name__, url_prefix="/tables/<game_id>")

LIVE_PART: Final = "game"
"""The HTML id of the part of the page that changes with every entry."""


def game_or_404(game_id: str) -> StoredGame:
    """The game named in the address; ends the request with status 404 if there is none."""
    stored = services().games.game(game_id)
    if stored is None:
        abort(
            404, gettext("There is no such table here. Go back to the start and choose it again.")
        )
    return stored


@pages.app_errorhandler(GameError)
def game_error(error: GameError) -> tuple[str, int]:
    """Answer for a game that cannot be shown, most likely because its ruleset is missing."""
    detail = gettext(
        "This game cannot be shown. %(reason)s Nothing is lost.", reason=refusal_words(error)
    )
    page = render_template(
        "error.html", title=gettext("Not at the moment"), detail=detail, status=409
    )
    return page, 409


@pages.get("")
@Policy(LINK)
def show(game_id: str) -> str:
    """Show a table; a phone that follows it gets only the part that changes."""
    found = services()
    follows = request.headers.get("HX-Target") == LIVE_PART
    token = found.table_token(game_id)
    # The game is read after the token, so that an entry made in between is sent once more.
    stored = game_or_404(game_id)
    open_id = found.games.open_deal(stored)
    deal = None if open_id is None else found.store.deal(open_id)
    entered = 0 if deal is None else sum(player.entered for player in deal.state.players)
    return render_template(
        "table/table_now.html" if follows else "table/table.html",
        stored=stored,
        evening=found.club.evening(stored.evening_id),
        token=token,
        left=found.clock.left(stored.evening_id),
        deal=deal,
        entered=entered,
        ready=deal is not None and _scored(deal),
    )


def _scored(deal: StoredDeal) -> bool:
    found = services()
    try:
        score(found.store, deal)
    except ScoreRefused:
        return False
    return True


@pages.get("/live")
@Policy(LINK)
def live(game_id: str) -> Response:
    """Send the stream of a table's changes."""
    found = services()
    game_or_404(game_id)
    events = found.live.stream(lambda: found.table_token(game_id), game_id)
    return Response(events, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


@pages.get("/history")
@Policy(MEMBER)
def history(game_id: str) -> str:
    """Show all entries at a table and all steps of its disputes."""
    stored = game_or_404(game_id)
    found = services()
    entries = audit_trail(
        found.games, found.disputes, found.removals.changes("table", stored.id), stored
    )
    return render_template(
        "table/table_history.html",
        stored=stored,
        entries=entries,
        damaged=damaged_entries(found.engine, game_id),
    )


def enter(stored: StoredGame, change: Callable[[Book], Book], what: Message | str) -> bool:
    """Store the entry of this request; if that fails, flash the reason and return False."""
    head = request.form.get("head", stored.head, type=int)
    if refuse_removed(stored):
        return False
    try:
        services().games.edit(stored.id, head, change, what)
    except Moved as moved:
        flash(str(moved))
    except GameError as error:
        flash(refusal_words(error))
    else:
        return True
    return False


TABLE_REMOVED = lazy_gettext("This table was removed. Restore it before you enter anything.")
"""The answer to what is entered at a table that was removed."""


def counts_no_more(stored: StoredGame) -> bool:
    """Whether a table or its evening was removed."""
    removals = services().removals
    return removals.is_removed("table", stored.id) or removals.is_removed(
        "evening", stored.evening_id
    )


def refuse_removed(stored: StoredGame) -> bool:
    """Whether a table was removed, so that nothing is entered there, which is told."""
    gone = counts_no_more(stored)
    if gone:
        flash(str(TABLE_REMOVED))
    return gone


def is_outdated(stored: StoredGame) -> bool:
    """Whether someone else entered something since the sender's page was made, which is told."""
    if request.form.get("head", stored.head, type=int) == stored.head:
        return False
    latest = services().games.history(stored.id)[0]
    flash(str(Moved(latest.what, latest.who)))
    return True


def to_table(game_id: str) -> AnyResponse:
    """A redirect to the page of the table."""
    return redirect(url_for("table.show", game_id=game_id), 303)


def with_hand(book: Book, hand: PlayedHand, deal_id: str | None) -> Book:
    """The book with one more hand.

    Raises:
        GameError: the game is over, or the hand does not fit there.
    """
    if book.closed:
        raise GameError(None, None, "hand", say("game_closed"))
    return replace(book, game=record(book.game, hand), deals=(*book.deals, deal_id))


def with_insertion(book: Book, number: int, hand: PlayedHand, deal_id: str | None) -> Book:
    """The book with a forgotten hand inserted before the one that has its number now.

    Raises:
        GameError: there is no hand with this number, or the new one does not fit there.
    """
    before, after = book.deals[: number - 1], book.deals[number - 1 :]
    game = insert(book.game, number, hand).game
    return replace(book, game=game, deals=(*before, deal_id, *after))


def with_correction(book: Book, number: int, hand: PlayedHand | None, deal_id: str | None) -> Book:
    """The book with another hand in place of one that was played; None deletes that one.

    Raises:
        GameError: there is no hand with this number, or the new one does not fit there.
    """
    before, after = book.deals[: number - 1], book.deals[number:]
    if hand is None:
        return replace(book, game=delete(book.game, number).game, deals=(*before, *after))
    game = correct(book.game, number, hand).game
    return replace(book, game=game, deals=(*before, deal_id, *after))


@pages.post("/next")
@Policy(SCORER)
def next_hand(game_id: str) -> AnyResponse:
    """Go to the deal of the next hand, which is started if there is none."""
    found, stored = services(), game_or_404(game_id)
    position = stored.game.next
    if refuse_removed(stored):
        return to_table(game_id)
    if position is None or stored.book.over:
        flash(gettext("The game is over."))
        return to_table(game_id)
    state = blank_state(stored.game, position)
    place = game_id, position.number
    deal_id = found.games.begin_deal(
        stored, position.number, lambda: found.begin_deal(state, place)
    )
    seat_deal(deal_id, stored, position.number)
    if "drawn" in request.form:
        drawn = noted("Nobody went out")
        found.store.edit(deal_id, lambda state: replace(state, win=Win(drawn=True)), drawn)
        return redirect(url_for("winning.show", deal_id=deal_id), 303)
    return redirect(url_for("deal.show", deal_id=deal_id), 303)


def seat_deal(deal_id: str, stored: StoredGame, number: int) -> None:
    """Give the players of a deal the winds that they have in the game now, if they differ."""
    deal = deal_or_404(deal_id)
    position = position_of(stored.game, number)
    if seated_state(deal.state, stored.game, position) != deal.state:
        services().store.edit(
            deal_id,
            lambda state: seated_state(state, stored.game, position),
            noted("Winds as at the table"),
        )


@pages.post("/drawn")
@Policy(SCORER)
def drawn(game_id: str) -> AnyResponse:
    """Store that the next hand was drawn."""
    stored = game_or_404(game_id)
    number = len(stored.game.played) + 1
    enter(stored, lambda book: with_hand(book, Drawn(), None), hand_won(number, None))
    return to_table(game_id)


@pages.post("/take")
@Policy(SCORER)
def take(game_id: str) -> AnyResponse:
    """Enter the result of a deal into the game; a correction is shown first."""
    found, stored = services(), game_or_404(game_id)
    deal = deal_or_404(request.form.get("deal", ""))
    place = place_at_table(deal)
    if place is None or place.stored.id != game_id:
        abort(404, gettext("This deal was not opened at this table."))
    if place.kept or is_outdated(stored):
        return to_table(game_id)
    try:
        score(found.store, deal)
    except ScoreRefused as refusal:
        return redirect(place_to_fix(deal.id, refusal.problem), 303)
    if place.correction:
        seat_deal(deal.id, stored, place.number)
        return redirect(
            url_for("hands.check", game_id=game_id, number=place.number, deal=deal.id), 303
        )
    return _record(stored, deal, place.number)


def _record(stored: StoredGame, deal: StoredDeal, number: int) -> AnyResponse:
    if not record_deal(stored, deal, number):
        return redirect(url_for("result.show", deal_id=deal.id), 303)
    return to_table(stored.id)


def record_deal(stored: StoredGame, deal: StoredDeal, number: int) -> bool:
    """Enter a deal as the next hand; if that fails, flash the reason and return False."""
    try:
        hand = hand_of(deal.state, stored.game, position_of(stored.game, number))
    except (DealError, GameError) as error:
        flash(refusal_words(error))
        return False
    win = hand.win
    names = {player.seat: player.name for player in hand.players}
    what = hand_won(number, None if win is None else names[win.seat])
    return enter(stored, lambda book: with_hand(book, hand, deal.id), what)


def hand_won(number: int, winner: str | None) -> Message:
    """The entry of a hand that was played: who won it, or that it was drawn."""
    if winner is None:
        return note("Hand {number}: drawn", number=number)
    return note("Hand {number}: {name} won", number=number, name=winner)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a deal belongs at its table.

    Attributes:
        stored: the game.
        number: the number of the hand that it is or would be.
        correction: whether the game has a hand with this number already.
        kept: whether the game has the deal exactly as it is now.
        possible: whether it can be entered.
    """

    stored: StoredGame
    number: int
    correction: bool
    kept: bool
    possible: bool


def place_at_table(deal: StoredDeal) -> Place | None:
    """Where a deal belongs at its table; None for a deal outside a game."""
    games = services().games
    link = deal.place
    stored = None if link is None else games.game(link[0])
    if link is None or stored is None:
        return None
    deals, game = stored.book.deals, stored.game
    number = deals.index(deal.id) + 1 if deal.id in deals else link[1]
    if number > len(game.hands):
        upcoming = None if stored.book.over or game.next is None else game.next.number
        return Place(stored, number, correction=False, kept=False, possible=number == upcoming)
    state = game.hands[number - 1]
    try:
        kept = hand_of(deal.state, game, state.position) == state.hand
    except (DealError, GameError):
        kept = False
    return Place(
        stored, number, correction=True, kept=kept and deals[number - 1] == deal.id, possible=True
    )


@pages.post("/undo")
@Policy(SCORER)
def undo(game_id: str) -> AnyResponse:
    """Take back the entry that the sender saw as the latest."""
    stored = game_or_404(game_id)
    if refuse_removed(stored):
        return to_table(game_id)
    try:
        services().games.undo(game_id, request.form.get("head", stored.head, type=int))
    except Moved as moved:
        flash(str(moved))
    else:
        follow_in_deals(stored)
    return to_table(game_id)


def follow_in_deals(before: StoredGame) -> None:
    """Give the deals of a table the players who sit there after the entry that was just made."""
    found = services()
    after = game_or_404(before.id)
    was, now = before.book.handovers, after.book.handovers
    open_id = found.games.open_deal(after)
    for deal_id in {*after.book.deals, open_id} if was != now else ():
        if deal_id is not None:
            found.store.edit(
                deal_id,
                lambda state: follow_in_deal(state, was, now),
                noted("Players as at the table"),
            )
    if after.game.setup.waiting:
        played = len(after.game.hands)
        for number, deal_id in enumerate([*after.book.deals[:played], open_id], 1):
            if deal_id is not None:
                seat_deal(deal_id, after, number)


@pages.post("/close")
@Policy(SCORER)
def close(game_id: str) -> AnyResponse:
    """End the game, or continue one that was ended."""
    stored = game_or_404(game_id)
    closed = request.form.get("closed") == "yes"
    what = noted("Game ended") if closed else noted("Game goes on")
    enter(stored, lambda book: replace(book, closed=closed), what)
    return to_table(game_id)


WORDS = {
    name: getattr(words, name)
    for name in (
        "counts_of", "drawn_line", "end_line", "gain_line", "hand_line", "money", "payment_lines",
        "points", "position_line", "run_line", "signed", "standings", "waiting_line",
    )
} | {"handover_lines": handover_lines}  # fmt: skip
"""The functions with which templates put a game into words."""
