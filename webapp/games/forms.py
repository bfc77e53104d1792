"""The forms of a table, read into what the scorer needs: the setup of a game, and its hands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorer import DealError, GameError, GameSetup
from scorer.deal import ChangeValue, Deal
from scorer.evaluation.checks import check_deal
from scorer.game.game import Game, lined_up
from scorer.game.hands import Agreed, Drawn, PlayedHand
from scorer.game.reseat import reseated
from scorer.game.winds import Position
from scorer.messages import say
from scorer.rules.info import OptionInfo
from scorer.rules.rulebook import load_ruleset
from scorer.text.game_json import parse_hand
from scorer.tiles import SEAT_NAMES, SEATS
from webapp.club_settings.groups import MAX_STAKE
from webapp.deal.for_scorer import to_deal
from webapp.deal.names import renamed_state
from webapp.deal.state import DealState, Penalty, Player
from webapp.games.words import long_day
from webapp.language.numbers import NumberRefused, grouped, read_whole
from webapp.language.translation import as_sentence, field_words, translated
from webapp.people.names import NameRefused, clean_name, name_key
from webapp.rulesets.shown import rules_of

MAX_PLACE_NUMBER: Final = 99
"""Largest number of a round of an evening, and of a table in the room."""

MAX_SHOWN: Final = 20
"""Maximum number of characters of a wrong number that its message repeats."""

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
        round: the round of the evening; None for the latest.
        table: the table in the room; None for the lowest number that is free.
        waiting: with five or six players the names of those who sit out first.
    """

    players: Mapping[str, str]
    draw: bool
    ruleset: str
    changes: Mapping[str, ChangeValue]
    rounds: int | None
    stake: int
    round: int | None = None
    table: int | None = None
    waiting: tuple[str, ...] = ()

    def setup(self) -> GameSetup:
        """The setup of the game, with the seats drawn by lot if that was chosen.

        Raises:
            FormRefused: a name is missing, cannot be stored or is there twice.
        """
        try:
            players = {seat: clean_name(name) for seat, name in self.players.items() if name}
            waiting = tuple(clean_name(name) for name in self.waiting if name)
        except NameRefused as refusal:
            raise FormRefused(str(refusal)) from refusal
        if len(players) < 3:
            raise FormRefused(gettext("Enter the names of three or four players."))
        known: set[str] = set()
        for name in (*players.values(), *waiting):
            if name_key(name) in known:
                raise FormRefused(
                    gettext(
                        "Two players are called %(name)s. Add an initial to tell them apart.",
                        name=name,
                    )
                )
            known.add(name_key(name))
        if self.draw:
            players, waiting = drawn_seats(players, waiting)
        return GameSetup(self.ruleset, players, dict(self.changes), self.rounds, waiting)


def drawn_seats(
    players: Mapping[str, str], waiting: tuple[str, ...]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The players on as many seats by lot, and who of all waits; East is among the seats."""
    taken = [seat for seat in SEATS if seat in players]
    if "E" not in taken:
        taken[0] = "E"
    names = [*players.values(), *waiting]
    secrets.SystemRandom().shuffle(names)
    return dict(zip(taken, names, strict=False)), tuple(names[len(taken) :])


def whole_number(text: str, most: int, what: str) -> int | None:
    """The whole number from 0 to ``most`` in a field; None if the field is empty.

    Args:
        text: what was typed.
        most: the largest number allowed.
        what: the name of the field, for the message.

    Raises:
        FormRefused: it is not such a number.
    """
    try:
        return read_whole(text, 0, most)
    except NumberRefused as error:
        raise FormRefused(
            gettext(
                "%(what)s must be a whole number from 0 to %(most)s, not “%(typed)s”.",
                what=what,
                most=grouped(most),
                typed=text.strip()[:MAX_SHOWN],
            )
        ) from error


def read_opening(form: Form) -> Opening:
    """The form that opens a table, as it was filled in.

    Raises:
        FormRefused: a number is not a whole number in its range.
    """
    ruleset = rules_of(form.get("ruleset", "")).id
    rounds = form.get("rounds", "")
    return Opening(
        players={seat: form.get(f"name_{seat}", "").strip() for seat in SEATS},
        waiting=tuple(name.strip() for name in form.getlist("waiting") if name.strip()),
        draw=form.get("seats") == "draw",
        ruleset=ruleset,
        changes=read_changes(form, ruleset),
        rounds=int(rounds) if rounds in ("1", "2", "3", "4") else None,
        stake=whole_number(form.get("stake", ""), MAX_STAKE, gettext("The stake")) or 0,
        round=whole_number(
            form.get("in_round", ""), MAX_PLACE_NUMBER, gettext("The round of the evening")
        ),
        table=whole_number(form.get("at_table", ""), MAX_PLACE_NUMBER, gettext("The table number")),
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
    name = translated(option.name)
    number = whole_number(text, option.maximum, name)
    if number is None:
        raise FormRefused(gettext("Enter a number for %(name)s, or untick it.", name=name))
    if number < option.minimum:
        raise FormRefused(
            gettext(
                "%(name)s must be %(minimum)s or more.",
                name=name,
                minimum=grouped(option.minimum),
            )
        )
    return number


def first_setting(option: OptionInfo) -> ChangeValue:
    """The setting of an option that was just chosen: the other of two answers, else the default."""
    return not option.default if option.kind == "boolean" else option.default


def changed_rules(
    ruleset: str, changes: Mapping[str, ChangeValue], added: str, removed: str
) -> dict[str, ChangeValue]:
    """House rules with the one that was just chosen, and without the one that was taken off."""
    kept = {name: value for name, value in changes.items() if name != removed}
    for option in rules_of(ruleset).options:
        if option.id == added:
            kept.setdefault(option.id, first_setting(option))
    return kept


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
        honba=position.honba,
        sticks=position.sticks,
    )


def seated_state(state: DealState, game: Game, position: Position) -> DealState:
    """The deal with each player and their tiles at the seat that the game gives them.

    The tiles of one who sits out the hand are those of the one who plays instead.
    """
    if game.setup.waiting:
        state = renamed_state(state, _instead(state, position))
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
            also=tuple(moves[seat] for seat in win.also),
            liable=win.liable and moves[win.liable],
        ),
        penalties=penalties,
        suggestions=tuple(
            replace(asked, changes=tuple(replace(c, seat=moves[c.seat]) for c in asked.changes))
            for asked in state.suggestions
        ),
        tile_set=state.tile_set,
        dora=state.dora,
        ura=state.ura,
        sides={moves[seat]: side for seat, side in state.sides.items() if seat in moves},
    )


def _instead(state: DealState, position: Position) -> dict[str, str]:
    """Who plays a hand, for each name in its deal of someone who does not."""
    told = [player.name for player in state.players]
    out = [name for name in told if name not in position.winds]
    return dict(zip(out, (name for name in position.winds if name not in told), strict=False))


def hand_of(state: DealState, game: Game, position: Position) -> Deal:
    """The deal that was entered, as a hand of the game.

    Raises:
        DealError: the scorer does not accept the deal.
        GameError: its players are not those of the game.
    """
    deal = to_deal(state)
    check_deal(deal, load_ruleset(deal.ruleset, deal.changes))
    there = lined_up(position, deal)
    return reseated(deal, game.setup.ruleset, game.setup.changes, there)[0]


def read_hand(value: object, game: Game) -> PlayedHand:
    """A drawn hand or agreed payments, from their JSON value.

    Raises:
        GameError: it is neither of them.
    """
    if not isinstance(value, dict):
        raise GameError(None, None, "hand", say("no_form_of_hand"))
    found = parse_hand(value, len(game.hands), game)
    if not isinstance(found, (Agreed, Drawn)):
        raise GameError(None, None, "hand", say("only_drawn_or_agreed"))
    return found


def past_or_today(text: str, now: date) -> date:
    """The day that was typed; ``now`` if nothing was typed.

    Raises:
        FormRefused: what was typed is not a day, or one that is still to come.
    """
    if not text:
        return now
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise FormRefused(gettext("Enter the date like 2026-03-05.")) from error
    if day > now:
        raise FormRefused(
            gettext(
                "%(day)s is in the future. Start the evening on the day itself.", day=long_day(day)
            )
        )
    return day


def refusal_words(error: GameError | DealError) -> str:
    """The scorer's error as sentences in the reader's language, of a deal all its faults."""
    if isinstance(error, DealError):
        return " ".join(map(_fault_words, error.errors))
    if error.field == "hand":
        return as_sentence(error.words)
    where = field_words(error.field)
    who = error.player or where[:1].upper() + where[1:]
    return str(gettext("%(player)s: %(reason)s.", player=who, reason=translated(error.words)))


def _fault_words(error: DealError) -> str:
    if error.player is None:
        return as_sentence(error.words)
    player = gettext(SEAT_NAMES.get(error.player, error.player))
    reason = translated(error.words)
    return str(gettext("%(player)s: %(reason)s.", player=player, reason=reason))
