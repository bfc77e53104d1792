"""The forms of a hand: totals that were counted at the table, and payments that were agreed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorer.deal import Deal
from scorer.game.game import Game
from scorer.game.hands import Agreed, HandState, Transfer
from scorer.rules.info import RulesetInfo, describe
from scorer.rules.rulebook import load_ruleset
from webapp.deal.state import DealState, Penalty, Player, Win
from webapp.games.forms import FormRefused, whole_number
from webapp.games.words import counts_of
from webapp.language.numbers import grouped
from webapp.rulesets.shown import asks_under

PAYMENT_ROWS: Final = 6
"""Number of rows of the form for agreed payments."""

MAX_POINTS: Final = 10_000_000
"""Maximum number of points of a total or a payment."""

NOBODY: Final = "nobody"
"""The value of the winner's field that stands for a drawn hand where the others are winds."""

NO_NAME: Final = "-"
"""The value of the winner's field that stands for a drawn hand where the others are names; no name
is written so, since each begins with a letter or a digit."""

Form = MultiDict[str, str]


def rules_at(game: Game) -> RulesetInfo:
    """The ruleset of a game, with its house rules."""
    return describe(load_ruleset(game.setup.ruleset, game.setup.changes))


def doubt_of_total(total: int, name: str, rules: RulesetInfo, *, won: bool) -> str | None:
    """A question about a total that the rules hardly give, or cannot give; None for any other."""
    told = {"total": grouped(total), "name": name}
    if rules.usual_most is not None and total > rules.usual_most:
        most = grouped(rules.usual_most)
        return str(
            gettext(
                "Really %(total)s for %(name)s? Totals above %(most)s are very rare.",
                most=most,
                **told,
            )
        )
    if won and total < rules.least_win:
        return str(
            gettext(
                "Really %(total)s for %(name)s? Going out already scores %(least)s.",
                least=rules.least_win,
                **told,
            )
        )
    return None


def read_totals(form: Form, blank: DealState, rules: RulesetInfo) -> DealState:
    """A deal for which totals were typed instead of tiles.

    Raises:
        FormRefused: a total is missing or not a whole number, or it is missing who won and how.
    """
    who = form.get("winner", "")
    if who not in (*blank.seats, NOBODY):
        raise FormRefused(gettext("Say who went out, or that nobody did."))
    needless = who == NOBODY and not rules.settles_draws
    claims = {player.seat: _claim(form, player) for player in blank.players}
    counts = asks_under(blank.ruleset, blank.changes).others
    asked = [player for player in blank.players if counts or player.seat == who]
    missing = [player.name for player in asked if claims[player.seat] is None]
    if missing and not needless:
        raise FormRefused(
            gettext(
                "The total for %(names)s is missing. Enter it, or 0 if nothing was counted.",
                names=gettext(" and ").join(missing),
            )
        )
    typed = replace(
        blank,
        players=tuple(replace(p, claimed=claims[p.seat] or 0) for p in blank.players),
        penalties=_penalties(form, blank, rules),
    )
    if who == NOBODY:
        return replace(typed, win=Win(drawn=True))
    source, giver = form.get("source", ""), form.get("from", "")
    known = {item.id: item for item in rules.sources}
    if source not in known:
        raise FormRefused(gettext("Say where the last tile came from."))
    takes = known[source].needs_from and giver in blank.seats and giver != who
    return replace(typed, win=Win(seat=who, source=source, source_from=giver if takes else None))


def _claim(form: Form, player: Player) -> int | None:
    what = gettext("The total for %(name)s", name=player.name)
    return whole_number(form.get(f"total_{player.seat}", ""), MAX_POINTS, what)


def _penalties(form: Form, blank: DealState, rules: RulesetInfo) -> tuple[Penalty, ...]:
    """The faults of the form, which has a row for each."""
    kinds = {penalty.id for penalty in rules.penalties}
    rows = zip(
        form.getlist("fault"), form.getlist("offender"), [*form.getlist("victim"), ""], strict=False
    )
    found = []
    for kind, offender, victim in rows:
        if kind not in kinds:
            continue
        if offender not in blank.seats:
            raise FormRefused(gettext("Say who made the fault."))
        found.append(Penalty(kind, offender, victim if victim in blank.seats else None))
    return tuple(found)


def read_agreed(form: Form, names: tuple[str, ...]) -> Agreed:
    """The agreed payments that were typed in.

    Raises:
        FormRefused: a payment is not complete, or someone won and no payment was entered.
    """
    winner = winner_named(form.get("winner", ""), names)
    if winner not in (*names, NO_NAME):
        raise FormRefused(gettext("Say who won, or that nobody did."))
    rows = [_transfer(form, row, names) for row in range(payment_rows(form))]
    given = [item for item in rows if item is not None]
    if winner != NO_NAME and not given:
        raise FormRefused(
            gettext("No payment was entered. Enter who pays %(name)s, and how much.", name=winner)
        )
    moved = tuple(item for item in given if item.amount)
    return Agreed(None if winner == NO_NAME else winner, moved)


def winner_named(value: str, names: Collection[str]) -> str:
    """The value of a winner's field whose other values are names.

    Pages that a phone kept from before say ``nobody`` for a drawn hand, which is a name as well.
    """
    return NO_NAME if value == NOBODY and NOBODY not in names else value


def payment_rows(form: Mapping[str, str]) -> int:
    """Number of rows that the form for payments needs for what is in it."""
    amounts = [text for key, text in form.items() if key.startswith("amount_")]
    return max(PAYMENT_ROWS, len(amounts), 1 + sum(1 for text in amounts if text))


def _transfer(form: Form, row: int, names: tuple[str, ...]) -> Transfer | None:
    """The payment in a row of the form; None if the row is empty."""
    payer, receiver = form.get(f"from_{row}", ""), form.get(f"to_{row}", "")
    amount = whole_number(form.get(f"amount_{row}", ""), MAX_POINTS, gettext("Each payment"))
    if amount is None and not payer and not receiver:
        return None
    if amount is None:
        raise FormRefused(gettext("Payment %(row)s has no points. Enter them.", row=row + 1))
    if payer not in names or receiver not in names:
        raise FormRefused(gettext("Say who pays %(amount)s to whom.", amount=grouped(amount)))
    if payer == receiver:
        raise FormRefused(
            gettext(
                "%(payer)s cannot pay %(amount)s to the same player.",
                payer=payer,
                amount=grouped(amount),
            )
        )
    return Transfer(payer, receiver, amount)


def doubts_of_totals(state: DealState, rules: RulesetInfo) -> list[str]:
    """Questions about typed totals that the rules hardly give, or cannot give."""
    asked = (
        doubt_of_total(p.claimed or 0, p.name, rules, won=p.seat == state.win.seat)
        for p in state.players
    )
    return [question for question in asked if question is not None]


def doubts_of_payments(hand: Agreed, rules: RulesetInfo) -> list[str]:
    """Questions about agreed payments that are larger than any that the rules usually give."""
    most = rules.usual_payment
    return [
        gettext(
            "Really %(amount)s from %(payer)s to %(receiver)s? Payments above %(most)s are "
            "very rare.",
            amount=grouped(item.amount),
            payer=item.payer,
            receiver=item.receiver,
            most=grouped(most or 0),
        )
        for item in hand.transfers
        if most is not None and item.amount > most
    ]


def told_totals(state: HandState) -> Form:
    """The form for totals, filled in with what is known of a hand that was played."""
    counts = counts_of(state)
    winds = {name: seat for seat, name in state.position.seats.items()}
    form: Form = MultiDict({f"total_{winds[name]}": str(counts[name]) for name in counts})
    form["winner"] = winds[state.winner] if state.winner is not None else NOBODY
    if not isinstance(state.hand, Deal):
        return form
    if state.hand.win is not None:
        form["source"], form["from"] = state.hand.win.source, state.hand.win.from_seat or ""
    for penalty in state.hand.penalties:
        form.add("fault", penalty.kind)
        form.add("offender", penalty.offender)
        form.add("victim", penalty.victim or "")
    return form


def told_payments(state: HandState) -> Form:
    """The form for payments, filled in with those of a hand that was played."""
    form: Form = MultiDict({"winner": state.winner or NO_NAME})
    for row, item in enumerate(state.transfers):
        form[f"from_{row}"], form[f"to_{row}"] = item.payer, item.receiver
        form[f"amount_{row}"] = str(item.amount)
    return form
