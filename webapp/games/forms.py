"""The forms of a table, read into what the scorer needs: the setup of a game, and its hands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorer import DealError, GameError, GameSetup, parse_deal
from scorer.deal import ChangeValue, Deal
from scorer.game.game import Agreed, Drawn, Game, PlayedHand, Transfer
from scorer.game.reseat import reseated
from scorer.game.winds import Position
from scorer.messages import say
from scorer.rules.info import OptionInfo
from scorer.text.game_json import parse_game
from scorer.tiles import SEATS
from webapp.deal.for_scorer import deal_form
from webapp.deal.state import DealState, Penalty, Player, Win
from webapp.games.club import NameRefused, clean_name
from webapp.language.translation import as_sentence, translated
from webapp.rulesets.shown import rules_of

MAX_STAKE: Final = 10_000
"""Maximum worth of 100 points, in pence."""

PAYMENT_ROWS: Final = 6
"""Number of rows of the form for agreed payments."""

MAX_POINTS: Final = 10_000_000
"""Maximum number of points of a total or a payment."""

NOBODY: Final = "nobody"
"""The value of the winner's field that stands for a drawn hand."""

Form = MultiDict[str, str]


class FormRefused(ValueError):
    """The form cannot be used as it was filled in; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The form that opens a table, as it was filled in.

    Attributes:
        players: the names by seat, empty where none was typed.
        draw: whether the seats are drawn by lot.
        ruleset: the id of the ruleset.
        changes: settings of the ruleset's options, by option id.
        rounds: number of rounds; None for the usual number.
        stake: worth of 100 points in pence; 0 for none.
    """

    players: Mapping[str, str]
    draw: bool
    ruleset: str
    changes: Mapping[str, ChangeValue]
    rounds: int | None
    stake: int

    def setup(self) -> GameSetup:
        """The setup of the game, with the seats drawn by lot if that was chosen.

        Raises:
            FormRefused: a name is missing, cannot be stored or is there twice.
        """
        try:
            players = {seat: clean_name(name) for seat, name in self.players.items() if name}
        except NameRefused as refusal:
            raise FormRefused(str(refusal)) from refusal
        if len(players) < 3:
            raise FormRefused(gettext("Write the names of three or four players."))
        known: set[str] = set()
        for name in players.values():
            if name.casefold() in known:
                raise FormRefused(
                    gettext("Two players are called %(name)s. Tell them apart.", name=name)
                )
            known.add(name.casefold())
        if self.draw:
            players = drawn_seats(players)
        return GameSetup(self.ruleset, players, dict(self.changes), self.rounds)


def drawn_seats(players: Mapping[str, str]) -> dict[str, str]:
    """The players on as many seats by lot; East is always among the seats."""
    taken = [seat for seat in SEATS if seat in players]
    if "E" not in taken:
        taken[0] = "E"
    names = list(players.values())
    secrets.SystemRandom().shuffle(names)
    return dict(zip(taken, names, strict=True))


def whole_number(text: str, most: int, what: str) -> int:
    """The whole number from 0 to ``most`` in a field; an empty field counts as 0.

    Args:
        text: what was typed.
        most: the largest number allowed.
        what: the name of the field, for the message.

    Raises:
        FormRefused: it is not such a number.
    """
    digits = text.replace(",", "").replace(" ", "").strip() or "0"
    if not digits.isascii() or not digits.isdigit() or int(digits[:12]) > most:
        raise FormRefused(
            gettext(
                "%(what)s must be a whole number from 0 to %(most)s.", what=what, most=f"{most:,}"
            )
        )
    return int(digits)


def read_opening(form: Form) -> Opening:
    """The form that opens a table, as it was filled in.

    Raises:
        FormRefused: a number is not a whole number in its range.
    """
    ruleset = rules_of(form.get("ruleset", "")).id
    rounds = form.get("rounds", "")
    return Opening(
        players={seat: form.get(f"name_{seat}", "").strip() for seat in SEATS},
        draw=form.get("seats") == "draw",
        ruleset=ruleset,
        changes=read_changes(form, ruleset),
        rounds=int(rounds) if rounds in ("1", "2", "3", "4") else None,
        stake=whole_number(form.get("stake", ""), MAX_STAKE, gettext("The stake")),
    )


def read_changes(form: Form, ruleset: str) -> dict[str, ChangeValue]:
    """The settings of the ruleset's options that differ from its own.

    Raises:
        FormRefused: a number is not a whole number in the range of its option.
    """
    changes: dict[str, ChangeValue] = {}
    for option in rules_of(ruleset).options:
        text = form.get(f"change_{option.id}")
        if text is not None:
            changes[option.id] = _setting(option, text)
    return changes


def _setting(option: OptionInfo, text: str) -> ChangeValue:
    if option.kind == "boolean":
        return text == "true"
    if option.kind == "choice":
        known = [choice for choice, _ in option.choices]
        return text if text in known else option.default
    number = whole_number(text, option.maximum, option.name)
    if number < option.minimum:
        raise FormRefused(
            gettext(
                "%(name)s must be %(minimum)s or more.",
                name=option.name,
                minimum=f"{option.minimum:,}",
            )
        )
    return number


def first_setting(option: OptionInfo) -> ChangeValue:
    """The setting of an option that was just chosen: the other of two answers, else the default."""
    return not option.default if option.kind == "boolean" else option.default


def position_of(game: Game, number: int) -> Position:
    """The position of the game before a hand that was played or is next.

    Raises:
        GameError: there is no hand with this number.
    """
    if 1 <= number <= len(game.hands):
        return game.hands[number - 1].position
    if game.next is None or number != game.next.number:
        raise GameError(number, None, "hand", say("no_such_hand"))
    return game.next


def blank_state(game: Game, position: Position) -> DealState:
    """The deal of a hand before its tiles are entered: winds, names, round, goulash and rules."""
    return DealState(
        players=tuple(Player(seat, name=name) for seat, name in position.seats.items()),
        ruleset=game.setup.ruleset,
        round_wind=position.round_wind,
        goulash=position.goulash,
        dealer=position.dealer,
        changes=dict(game.setup.changes),
    )


def seated_state(state: DealState, game: Game, position: Position) -> DealState:
    """The deal with each player and their tiles at the seat that the game gives them."""
    winds = {name: wind for wind, name in position.seats.items()}
    moves = {player.seat: winds.get(player.name, player.seat) for player in state.players}
    by_seat = {moves[p.seat]: replace(p, seat=moves[p.seat]) for p in state.players}
    if set(by_seat) != set(position.seats):
        return state
    win = state.win
    penalties = tuple(
        Penalty(p.kind, moves[p.offender], p.victim and moves[p.victim]) for p in state.penalties
    )
    return replace(
        blank_state(game, position),
        players=tuple(by_seat[seat] for seat in position.seats),
        win=replace(
            win,
            seat=win.seat and moves[win.seat],
            source_from=win.source_from and moves[win.source_from],
        ),
        penalties=penalties,
        suggestions=tuple(
            replace(asked, changes=tuple(replace(c, seat=moves[c.seat]) for c in asked.changes))
            for asked in state.suggestions
        ),
        tile_set=state.tile_set,
        sides={moves[seat]: side for seat, side in state.sides.items() if seat in moves},
    )


def hand_of(state: DealState, game: Game, position: Position) -> Deal:
    """The deal that was entered, as a hand of the game.

    Raises:
        DealError: the scorer does not accept the deal.
        GameError: its players are not those of the game.
    """
    deal = parse_deal(deal_form(state))
    return reseated(deal, game.setup.ruleset, game.setup.changes, position)[0]


def read_totals(form: Form, blank: DealState) -> DealState:
    """A deal for which totals were typed instead of tiles.

    Raises:
        FormRefused: a total is not a whole number, or it is missing who won and how.
    """
    players = tuple(
        replace(
            player,
            claimed=whole_number(
                form.get(f"total_{player.seat}", ""),
                MAX_POINTS,
                gettext("The total of %(name)s", name=player.name),
            ),
        )
        for player in blank.players
    )
    penalties = _penalties(form, blank)
    who = form.get("winner", "")
    if who == NOBODY:
        return replace(blank, players=players, win=Win(drawn=True), penalties=penalties)
    if who not in blank.seats:
        raise FormRefused(gettext("Say who went out, or that nobody did."))
    source, giver = form.get("source", ""), form.get("from", "")
    known = {item.id: item for item in rules_of(blank.ruleset).sources}
    if source not in known:
        raise FormRefused(gettext("Say how the last tile came."))
    takes = known[source].needs_from and giver in blank.seats and giver != who
    win = Win(seat=who, source=source, source_from=giver if takes else None)
    return replace(blank, players=players, win=win, penalties=penalties)


def _penalties(form: Form, blank: DealState) -> tuple[Penalty, ...]:
    kind = form.get("fault", "")
    if kind not in {penalty.id for penalty in rules_of(blank.ruleset).penalties}:
        return ()
    offender, victim = form.get("offender", ""), form.get("victim", "")
    if offender not in blank.seats:
        raise FormRefused(gettext("Say who made the fault."))
    return (Penalty(kind, offender, victim if victim in blank.seats else None),)


def read_agreed(form: Form, names: tuple[str, ...]) -> Agreed:
    """The agreed payments that were typed in.

    Raises:
        FormRefused: a payment is not complete, or nothing was entered at all.
    """
    winner = form.get("winner", "")
    if winner not in (*names, NOBODY):
        raise FormRefused(gettext("Say who won, or that nobody did."))
    transfers = []
    for row in range(PAYMENT_ROWS):
        amount = whole_number(form.get(f"amount_{row}", ""), MAX_POINTS, gettext("Each payment"))
        payer, receiver = form.get(f"from_{row}", ""), form.get(f"to_{row}", "")
        if not amount:
            continue
        if payer not in names or receiver not in names:
            raise FormRefused(gettext("Say who pays %(amount)s to whom.", amount=f"{amount:,}"))
        if payer == receiver:
            raise FormRefused(
                gettext(
                    "%(payer)s cannot pay %(amount)s to the same player.",
                    payer=payer,
                    amount=f"{amount:,}",
                )
            )
        transfers.append(Transfer(payer, receiver, amount))
    return Agreed(None if winner == NOBODY else winner, tuple(transfers))


def read_hand(value: object, game: Game) -> PlayedHand:
    """A drawn hand or agreed payments, from their JSON value.

    Raises:
        GameError: it is neither of them, or its players are not those of the game.
    """
    found = parse_game({**game.setup.to_json(), "hands": [value]}).hands[0].hand
    if not isinstance(found, (Agreed, Drawn)):
        raise GameError(None, None, "hand", say("only_drawn_or_agreed"))
    return found


def past_or_today(text: str, now: date) -> date:
    """The day that was typed; ``now`` if nothing was typed.

    Raises:
        FormRefused: what was typed is not a day.
    """
    if not text:
        return now
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise FormRefused(gettext("Write the day as in 2026-03-05.")) from error


def refusal_words(error: GameError | DealError) -> str:
    """The scorer's error as a sentence in the reader's language."""
    if error.player is None:
        return as_sentence(error.words)
    return str(
        gettext(
            "%(player)s, %(field)s: %(reason)s.",
            player=translated(error.player),
            field=translated(error.field),
            reason=translated(error.words),
        )
    )
