"""The pages of evenings, with who came and the tables, and the form that opens a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from flask import (
    Blueprint,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorer import GameError, GameSetup
from scorer.game.game import new_game, replay
from scorer.game.hands import Agreed, Drawn, PlayedHand, Transfer
from webapp.club_settings.groups import LastHand, RoundLength, Stake
from webapp.club_settings.rules import Rules
from webapp.club_settings.words import decided_words
from webapp.draw.sizes import FULL
from webapp.evening.evenings import Evening, clean_place, today
from webapp.games.forms import (
    MAX_PLACE_NUMBER,
    FormRefused,
    Opening,
    changed_rules,
    past_or_today,
    read_opening,
    refusal_words,
)
from webapp.games.handovers import everybody, who_sat
from webapp.games.store import Book, StoredGame
from webapp.games.tables import TableAt, TableTaken
from webapp.games.words import places
from webapp.language.numbers import whole_or_none
from webapp.people.names import NameRefused
from webapp.rulesets.shown import rules_of, rulesets
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import services

pages = Blueprint("evenings", __name__)

Form = MultiDict[str, str]
FEW_CARDS = 4
"""Number of cards for the tables that is offered where no more tables are known."""

LINES_OF_A_PAGE = 145
"""Number of lines of an evening's lists up to which they are printed on one page in print of 8
points: 16 tables of four with one round."""

LETTERS_OF_A_LINE = 17
"""Number of letters of a name that fit on one line there; what is longer takes two."""

MAX_ARRIVALS = 40
"""Maximum number of names that one form can add to an evening."""


def evening_or_404(evening_id: str) -> Evening:
    """The evening named in the address; ends the request with status 404 if there is none."""
    evening = services().club.evening(evening_id)
    if evening is None:
        abort(404, gettext("There is no such evening. Choose one from the list of evenings."))
    return evening


def results(games: list[StoredGame]) -> list[tuple[str, int, int]]:
    """Name, total gain and number of games of each player over several games, best first.

    As in a standing, those who have not played a hand yet are left out.
    """
    gains: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for stored in games:
        handovers = stored.book.handovers
        played.update(everybody(handovers, stored.game))
        for state in stored.game.hands:
            for name, gain in state.gained.items():
                gains[who_sat(handovers, name, state.position.number)] += gain
    return sorted(((n, g, played[n]) for n, g in gains.items()), key=lambda row: (-row[1], row[0]))


def placed_results(games: list[StoredGame]) -> list[tuple[int, str, int, int]]:
    """The results with the place of each player; equal gains share a place."""
    found = results(games)
    at = places([gain for _, gain, _ in found])
    return [(place, *line) for place, line in zip(at, found, strict=True)]


@pages.get("/evenings")
@Policy(MEMBER)
def index() -> str:
    """Show the evenings, latest first."""
    return _list_page(None)


def _list_page(message: str | None) -> str:
    return render_template(
        "evening/evenings.html",
        evenings=services().club.evenings(),
        days=services().book.balances.days(),
        today=today(),
        message=message,
        form=request.form,
    )


@pages.post("/evenings")
@Policy(SCORER)
def begin() -> Response:
    """Add an evening."""
    try:
        day = past_or_today(request.form.get("day", ""), today())
        evening_id = services().club.open_evening(day, request.form.get("place", ""))
    except (FormRefused, NameRefused) as refusal:
        return make_response(_list_page(str(refusal)), 400)
    return redirect(url_for("evenings.show", evening_id=evening_id), 303)


@pages.get("/evenings/<evening_id>")
@Policy(MEMBER)
def show(evening_id: str) -> str:
    """Show an evening with its tables, who came, and the results so far."""
    return evening_page(evening_or_404(evening_id), None)


def evening_page(evening: Evening, message: str | None) -> str:
    """The page of an evening; with a message, it holds what was typed into the form sent to it."""
    found, evening_id = services(), evening.id
    games, came = found.games.of_evening(evening_id), found.club.came(evening_id)
    results_ = placed_results(games)
    return render_template(
        "evening/evening.html",
        evening=evening,
        games=games,
        came=came,
        people=found.club.people(),
        results=results_,
        one_page=_lines(games, results_) <= LINES_OF_A_PAGE,
        tournament=services().book.contests.of_evening(evening_id) is not None,
        today=today(),
        left=found.clock.left(evening_id),
        minutes=found.decided_today(RoundLength).minutes or found.clock.minutes(),
        next_round=_next_round(evening_id, games),
        waiting=min(_unopened(evening_id), default=None),
        cards=max([FEW_CARDS, len(came) // FULL, *(it.number for it in games)]),
        last_hand=decided_words(found.decided.of(LastHand)),
        message=message,
        form=request.form,
    )


def _lines(games: list[StoredGame], results: list[tuple[int, str, int, int]]) -> int:
    """How many lines the lists of an evening take on paper, the headings of its tables counted."""
    names = [name for _, name, *_ in results]
    names += [name for stored in games for name in stored.game.totals]
    return len(games) + sum(1 + (len(name) > LETTERS_OF_A_LINE) for name in names)


def _next_round(evening_id: str, games: list[StoredGame]) -> int | None:
    """The round for which the clock is started next; None where the evening has one round.

    It is the one that is being played, else the first that was drawn and is not open.
    """
    kept, waiting = services().book.draws.latest(evening_id), _unopened(evening_id)
    playing = [it.round for it in games if not it.book.over]
    if (kept is None or len(kept.drawing.rounds) < 2) and not any(it.several for it in games):
        return None
    known = [it.round for it in games]
    return max(playing) if playing else min(waiting, default=max(known, default=1))


def _unopened(evening_id: str) -> list[int]:
    """The rounds of an evening that were drawn and whose tables are not open, counted from 1."""
    kept = services().book.draws.latest(evening_id)
    if kept is None:
        return []
    rounds = range(len(kept.drawing.rounds))
    return [kept.round_number(at) for at in rounds if at not in kept.opened]


@pages.post("/evenings/<evening_id>/day")
@Policy(SCORER)
def correct(evening_id: str) -> Response:
    """Give an evening another day or place."""
    evening = evening_or_404(evening_id)
    form = request.form
    try:
        text = form.get("day", "")
        same = text in ("", evening.day.isoformat())
        day = evening.day if same else past_or_today(text, today())
        place = clean_place(form.get("place", evening.place))
        services().removals.correct_day(evening_id, day, place)
    except (FormRefused, NameRefused) as refusal:
        return make_response(evening_page(evening, str(refusal)), 400)
    return redirect(url_for("evenings.show", evening_id=evening_id), 303)


@pages.post("/evenings/<evening_id>/people")
@Policy(SCORER)
def welcome(evening_id: str) -> Response:
    """Store who came: one name, or several with commas between them."""
    evening = evening_or_404(evening_id)
    try:
        services().club.welcome(evening_id, _names_typed())
    except NameRefused as refusal:
        return make_response(evening_page(evening, str(refusal)), 400)
    return redirect(url_for("evenings.show", evening_id=evening_id) + "#people", 303)


def _names_typed() -> list[str]:
    """The names that were typed with commas between them.

    Raises:
        NameRefused: there is none, or there are more than :data:`MAX_ARRIVALS`.
    """
    names = [name for name in request.form.get("names", "").split(",") if name.strip()]
    if not names or len(names) > MAX_ARRIVALS:
        raise NameRefused(
            gettext(
                "Enter one to %(max_arrivals)s names, separated by commas.",
                max_arrivals=MAX_ARRIVALS,
            )
        )
    return names


@pages.get("/tables/new")
@Policy(MEMBER)
def new_table() -> str:
    """Show the form that opens a table, with the club's rules or those of the table opened last."""
    number = whole_or_none(request.args.get("at_table", ""), 1, MAX_PLACE_NUMBER)
    return _opening_page(replace(usual_opening(), table=number), request.args, None)


def usual_opening() -> Opening:
    """A form without players: with what the club has decided, else as the table opened last."""
    found = services()
    last, stake = found.games.latest(), found.decided_today(Stake).pence
    rules = found.club_rules()
    if rules is None:
        setup = None if last is None else last.game.setup
        default = rulesets()[0].id
        rules = Rules(default, {}) if setup is None else _rules_of(setup)
    if stake is None:
        stake = 0 if last is None else last.book.stake
    return Opening(
        players={},
        draw=False,
        ruleset=rules.ruleset,
        changes=rules.changes,
        rounds=rules.rounds,
        stake=stake,
    )


def _rules_of(setup: GameSetup) -> Rules:
    return Rules(setup.ruleset, setup.changes, setup.rounds)


def _opening_page(opening: Opening, form: Form, message: str | None) -> str:
    found = services()
    evening_id = form.get("evening", "")
    evening = found.club.evening(evening_id) if evening_id else found.tonight()[0]
    rules = rules_of(opening.ruleset)
    return render_template(
        "evening/new_table.html",
        opening=opening,
        evening=evening,
        place=form.get("place", ""),
        people=found.club.people(),
        rules=rules,
        rulesets=rulesets(),
        message=message,
    )


@pages.post("/tables")
@Policy(SCORER)
def open_table() -> Response:
    """Open a table, or change the form if the field ``then`` names such a button."""
    form = request.form
    try:
        opening = read_opening(form)
    except FormRefused as refusal:
        return make_response(_opening_page(_as_typed(form), form, str(refusal)), 400)
    if form.get("then") == "rules" or "without" in request.args:
        return make_response(_opening_page(_more_rules(opening, form), form, None))
    try:
        game_id = _open(opening, form)
    except (FormRefused, NameRefused) as refusal:
        return make_response(_opening_page(opening, form, str(refusal)), 400)
    except GameError as error:
        return make_response(_opening_page(opening, form, refusal_words(error)), 400)
    return redirect(url_for("table.show", game_id=game_id), 303)


def _as_typed(form: Form) -> Opening:
    """The form as it was sent, without numbers that could not be read."""
    kept = [
        (key, value)
        for key, value in form.items(multi=True)
        if key not in ("stake", "in_round", "at_table") and not key.startswith("change_")
    ]
    return read_opening(MultiDict(kept))


def _more_rules(opening: Opening, form: Form) -> Opening:
    """The form with the house rule that was chosen, or without the one that was removed."""
    added, removed = form.get("rule", ""), request.args.get("without", "")
    changes = changed_rules(opening.ruleset, opening.changes, added, removed)
    return replace(opening, changes=changes)


def _open(opening: Opening, form: Form) -> str:
    """Store the game and return its id.

    Raises:
        FormRefused: a name is missing or cannot be stored, or the table is open already.
        NameRefused: the place cannot be stored.
        GameError: the scorer does not accept the setup of the game.
    """
    found = services()
    setup = opening.setup()
    new_game(setup)
    evening_id = form.get("evening", "")
    evening = found.club.evening(evening_id) if evening_id else found.tonight()[0]
    chosen = found.club.open_evening(today(), form.get("place", "")) if evening is None else ""
    evening_id = chosen if evening is None else evening.id
    names = found.club.welcome(evening_id, (*setup.players.values(), *setup.waiting))
    seated = len(setup.players)
    players = dict(zip(setup.players, names[:seated], strict=True))
    game = new_game(replace(setup, players=players, waiting=tuple(names[seated:])))
    at = TableAt(opening.round, opening.table)
    try:
        return found.games.create(evening_id, Book(game, stake=opening.stake), at)
    except TableTaken as error:
        raise FormRefused(
            gettext(
                "Table %(number)s is already open. Choose another number, or leave it empty.",
                number=opening.table,
            )
        ) from error


DEMO_PLAYERS = {"E": "Ann", "S": "Ben", "W": "Cat", "N": "Dee"}
"""The players of the demo table, by their seats in the first hand."""


@pages.post("/tables/demo")
@Policy(SCORER)
def demo() -> Response:
    """Open a table with three hands played, for trying things out."""
    found = services()
    evening = found.club.evening_of(today())
    evening_id = found.club.open_evening(today(), "Demo") if evening is None else evening.id
    found.club.welcome(evening_id, DEMO_PLAYERS.values())
    hands: list[PlayedHand] = [
        _won("Ben", {"Ann": 256, "Cat": 128, "Dee": 128}),
        Drawn(),
        _won("Ben", {"Ann": 96, "Cat": 96, "Dee": 96}),
    ]
    game = replay(GameSetup(rulesets()[0].id, DEMO_PLAYERS), hands)
    game_id = found.games.create(evening_id, Book(game, deals=(None,) * len(hands)))
    return redirect(url_for("table.show", game_id=game_id), 303)


def _won(winner: str, payments: dict[str, int]) -> Agreed:
    paid = (Transfer(payer, winner, amount) for payer, amount in payments.items())
    return Agreed(winner, tuple(paid))
