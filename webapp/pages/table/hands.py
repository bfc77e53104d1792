"""The pages of a game's hands: typing totals and payments, and correcting earlier hands."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorer import DealError, GameError
from scorer.game.corrections import Correction, correct, delete, insert
from scorer.game.hands import Drawn, HandState, PlayedHand
from vision.messages import Message
from webapp.games.disputes import clean_text
from webapp.games.forms import (
    FormRefused,
    blank_state,
    hand_of,
    position_of,
    read_hand,
    refusal_words,
)
from webapp.games.hand_forms import (
    doubts_of_payments,
    doubts_of_totals,
    payment_rows,
    read_agreed,
    read_totals,
    rules_at,
    told_payments,
    told_totals,
)
from webapp.games.store import StoredGame
from webapp.games.words import correction_lines
from webapp.language.noted import note, noted
from webapp.pages.table.table import (
    enter,
    game_or_404,
    is_outdated,
    record_deal,
    seat_deal,
    to_table,
    with_correction,
    with_hand,
    with_insertion,
)
from webapp.runtime.untrusted import parse_json
from webapp.security.policy import LINK, MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("hands", __name__, url_prefix="/tables/<game_id>/hands/<int:number>")

Form = MultiDict[str, str]


@dataclass(frozen=True, slots=True)
class _Typed:
    """A form for a hand that was counted, or whose payments were agreed, at the table.

    Attributes:
        template: the page with the form.
        more: what this page shows besides what every such page does.
    """

    template: str
    more: Callable[[StoredGame, Form], dict[str, object]]

    def page(
        self,
        stored: StoredGame,
        number: int,
        form: Form,
        message: str = "",
        doubts: Sequence[str] = (),
    ) -> str:
        """The page of a hand, filled in with what was typed."""
        return render_template(
            self.template,
            stored=stored,
            number=number,
            played=_hand_or_404(stored, number),
            position=position_of(stored.game, number),
            form=form,
            insert="insert" in request.values,
            message=message,
            doubts=doubts,
            **self.more(stored, form),
        )


_TOTALS: Final = _Typed(
    "table/hand_totals.html", lambda stored, _form: {"rules": rules_at(stored.game)}
)
_PAYMENTS: Final = _Typed(
    "table/hand_payments.html", lambda _stored, form: {"rows": payment_rows(form)}
)


def _hand_or_404(stored: StoredGame, number: int) -> bool:
    """Whether the hand was played; False for the next one, status 404 for any other."""
    game = stored.game
    if 1 <= number <= len(game.hands):
        return True
    upcoming = None if stored.book.over or game.next is None else game.next.number
    if number != upcoming:
        abort(404, gettext("There is no such hand at this table."))
    return False


@pages.get("")
@Policy(LINK)
def show(game_id: str, number: int) -> str:
    """Show a hand that was played, and how it can be corrected."""
    stored = game_or_404(game_id)
    if not 1 <= number <= len(stored.game.played):
        abort(404, gettext("There is no such hand at this table."))
    beyond = number > len(stored.game.hands)
    return render_template(
        "table/hand.html",
        stored=stored,
        number=number,
        state=None if beyond else stored.game.hands[number - 1],
        deal_id=stored.book.deals[number - 1],
        confirmed=[] if beyond else confirmed_by(stored, number),
    )


def _mark(stored: StoredGame, number: int) -> str:
    """What changes with whatever a hand came to."""
    state = stored.game.hands[number - 1]
    return sha256(repr((state.winner, state.transfers)).encode()).hexdigest()[:12]


def confirmed_by(stored: StoredGame, number: int) -> list[str]:
    """The players who confirmed a hand as it is now."""
    return services().removals.confirmed_by(stored.id, number, _mark(stored, number))


@pages.post("/confirm")
@Policy(SCORER)
def confirm(game_id: str, number: int) -> Response:
    """Note that a player confirms what a hand came to."""
    stored = game_or_404(game_id)
    if not 1 <= number <= len(stored.game.hands):
        abort(404, gettext("There is no such hand at this table."))
    name = request.form.get("name", "")
    if name not in stored.game.hands[number - 1].position.winds:
        flash(gettext("Choose your name."))
    elif name not in confirmed_by(stored, number):
        services().removals.confirm(game_id, number, name, _mark(stored, number))
    return redirect(url_for("hands.show", game_id=game_id, number=number), 303)


@pages.post("/deal")
@Policy(SCORER)
def open_deal(game_id: str, number: int) -> Response:
    """Go to the deal of a hand for a correction; a hand without a deal gets one."""
    found, stored = services(), game_or_404(game_id)
    if not _hand_or_404(stored, number):
        abort(404, gettext("This hand has not been played yet."))
    deal_id = stored.book.deals[number - 1]
    if deal_id is None:
        state = blank_state(stored.game, position_of(stored.game, number))
        deal_id = found.begin_deal(state, (game_id, number))
    seat_deal(deal_id, stored, number)
    return redirect(url_for("deal.show", deal_id=deal_id), 303)


def _unsure(doubts: list[str]) -> bool:
    """Whether there are doubts about what was typed that the sender has not yet been asked."""
    return bool(doubts) and request.form.get("sure") != " ".join(doubts)


def _as_played(stored: StoredGame, number: int, told: Callable[[HandState], Form]) -> Form:
    """A form filled in with a hand to be corrected; empty for a hand that is entered again."""
    played = _hand_or_404(stored, number) and "insert" not in request.args
    return told(stored.game.hands[number - 1]) if played else MultiDict()


@pages.get("/totals")
@Policy(MEMBER)
def totals(game_id: str, number: int) -> str:
    """Show the form for totals that were counted at the table, filled in for a correction."""
    stored = game_or_404(game_id)
    return _TOTALS.page(stored, number, _as_played(stored, number, told_totals))


@pages.post("/totals")
@Policy(SCORER)
def send_totals(game_id: str, number: int) -> Response:
    """Score a hand by the totals that were typed."""
    found, stored = services(), game_or_404(game_id)
    played = _hand_or_404(stored, number)
    position, rules = position_of(stored.game, number), rules_at(stored.game)
    try:
        state = read_totals(request.form, blank_state(stored.game, position), rules)
        hand_of(state, stored.game, position)
    except FormRefused as refusal:
        return _refused(_TOTALS.page(stored, number, request.form, str(refusal)))
    except (DealError, GameError) as error:
        return _refused(_TOTALS.page(stored, number, request.form, refusal_words(error)))
    doubts = doubts_of_totals(state, rules)
    if _unsure(doubts):
        return _refused(_TOTALS.page(stored, number, request.form, doubts=doubts))
    if is_outdated(stored):
        return to_table(game_id)
    deal_id = found.begin_deal(state, (game_id, number))
    if played:
        return _to_check(game_id, number, deal=deal_id)
    record_deal(stored, deal_or_404(deal_id), number)
    return to_table(game_id)


def _to_check(game_id: str, number: int, **candidate: str) -> Response:
    """Go to the page that shows what the hand in the form would change."""
    more = {"insert": "1"} if "insert" in request.form else {}
    values: dict[str, Any] = {"game_id": game_id, "number": number, **candidate, **more}
    return redirect(url_for("hands.check", **values), 303)


def _refused(page: str) -> Response:
    return make_response(page, 400)


@pages.get("/payments")
@Policy(MEMBER)
def payments(game_id: str, number: int) -> str:
    """Show the form for payments that were agreed, filled in for a correction."""
    stored = game_or_404(game_id)
    return _PAYMENTS.page(stored, number, _as_played(stored, number, told_payments))


@pages.post("/payments")
@Policy(SCORER)
def send_payments(game_id: str, number: int) -> Response:
    """Store payments that the players agreed."""
    stored = game_or_404(game_id)
    played = _hand_or_404(stored, number)
    try:
        position = position_of(stored.game, number)
        names = tuple(name for name in stored.game.setup.names if name in position.winds)
        hand = read_agreed(request.form, names)
    except FormRefused as refusal:
        return _refused(_PAYMENTS.page(stored, number, request.form, str(refusal)))
    doubts = doubts_of_payments(hand, rules_at(stored.game))
    if _unsure(doubts):
        return _refused(_PAYMENTS.page(stored, number, request.form, doubts=doubts))
    if played:
        return _to_check(game_id, number, hand=json.dumps(hand.to_json()))
    what = note("Hand {number}: payments as agreed", number=number)
    enter(stored, lambda book: with_hand(book, hand, None), what)
    return to_table(game_id)


_DRAWN: Final = (noted("Hand {number} corrected: drawn"), noted("Hand {number} added: drawn"))
_PLAYED: Final = (noted("Hand {number} corrected"), noted("Hand {number} added"))
_AGREED: Final = (
    noted("Hand {number} corrected: payments as agreed"),
    noted("Hand {number} added: payments as agreed"),
)
"""The entry of a hand that was corrected, and of one that was forgotten and is added."""


MAX_REASON: Final = 60
"""Maximum number of characters of the reason of a correction."""


def _candidate(
    stored: StoredGame, number: int, form: Form
) -> tuple[PlayedHand | None, str | None, Message]:
    """The hand of a correction, the id of the deal it comes from, and the entry in words.

    Raises:
        DealError: the deal cannot be scored.
        GameError: the hand does not belong to this game.
    """
    if "delete" in form:
        return None, None, note("Hand {number} deleted", number=number)
    added = "insert" in form
    if "drawn" in form:
        return Drawn(), None, Message(_DRAWN[added], {"number": number})
    deal_id = form.get("deal")
    if deal_id:
        deal = deal_or_404(deal_id)
        link = services().games.game_of(deal_id)
        if link is None or link[0] != stored.id:
            abort(404, gettext("This deal was not opened at this table."))
        hand = hand_of(deal.state, stored.game, position_of(stored.game, number))
        return hand, deal_id, Message(_PLAYED[added], {"number": number})
    hand_form = read_hand(_decoded(form.get("hand", "")), stored.game)
    return hand_form, None, Message(_AGREED[added], {"number": number})


def _decoded(text: str) -> object:
    try:
        return parse_json(text)
    except ValueError:
        abort(
            400,
            gettext("The correction could not be read. Go back to the hand and enter it again."),
        )


def _change(
    stored: StoredGame, number: int, hand: PlayedHand | None, *, insertion: bool
) -> Correction:
    if hand is None:
        return delete(stored.book.game, number)
    return (insert if insertion else correct)(stored.book.game, number, hand)


@pages.get("/check")
@Policy(MEMBER)
def check(game_id: str, number: int) -> Response:
    """Show what a correction would change before it is stored."""
    stored = game_or_404(game_id)
    if not 1 <= number <= len(stored.game.played):
        abort(404, gettext("There is no such hand at this table."))
    try:
        hand, _, what = _candidate(stored, number, request.args)
        change = _change(stored, number, hand, insertion="insert" in request.args)
    except (DealError, GameError) as error:
        flash(refusal_words(error))
        return redirect(url_for("hands.show", game_id=game_id, number=number), 303)
    page = render_template(
        "table/hand_check.html",
        stored=stored,
        number=number,
        what=what,
        lines=correction_lines(stored.book.game, number, change),
        after=replace(stored.book, game=change.game).settled,
        fields=request.args,
    )
    return make_response(page)


def _with_reason(what: Message) -> Message:
    """The entry of a correction, with who says so and why as far as that was written."""
    who, why = (clean_text(request.form.get(field, ""))[:MAX_REASON] for field in ("by", "why"))
    if who and why:
        return note("{what}, says {who}: {why}", what=what, who=who, why=why)
    if why:
        return note("{what}: {why}", what=what, why=why)
    return note("{what}, says {who}", what=what, who=who) if who else what


@pages.post("/keep")
@Policy(SCORER)
def keep(game_id: str, number: int) -> Response:
    """Store a correction that was shown."""
    stored = game_or_404(game_id)
    try:
        hand, deal_id, what = _candidate(stored, number, request.form)
    except (DealError, GameError) as error:
        flash(refusal_words(error))
        return redirect(url_for("hands.show", game_id=game_id, number=number), 303)
    what = _with_reason(what)
    if hand is not None and "insert" in request.form:
        added = hand
        enter(stored, lambda book: with_insertion(book, number, added, deal_id), what)
        return to_table(game_id)
    if enter(stored, lambda book: with_correction(book, number, hand, deal_id), what):
        corrected = stored.book.deals[number - 1 : number]
        for disputed in filter(None, {*corrected, deal_id}):
            services().disputes.corrected(disputed, str(what))
    return to_table(game_id)
