"""A game in words and figures: how a hand ended, and what a correction changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from flask_babel import format_date, get_locale, gettext, lazy_gettext, ngettext

from scorer.deal import Deal
from scorer.game.corrections import Correction, HandChange
from scorer.game.game import Game
from scorer.game.hands import Agreed, Drawn, HandState
from scorer.game.reseat import Difference
from scorer.game.winds import Position
from scorer.tiles import SEAT_NAMES
from webapp.language.numbers import grouped, in_language
from webapp.language.translation import translated

NOTE_WORDS: Final = {
    "drawn": lazy_gettext("drawn"),
    "broken_off": lazy_gettext("abandoned, played again"),
    "goulash": lazy_gettext("goulash"),
    "agreed": lazy_gettext("as agreed"),
    "unscored": lazy_gettext("not valid, not counted"),
}
"""The words for the remarks on a hand, by their ids."""


def points(number: int) -> str:
    """A total with commas and a minus sign, such as 1,234."""
    return grouped(number)


def table_title(number: int, round_: int | None) -> str:
    """What a table is called; the round is told where the evening has several."""
    if round_ is None:
        return str(gettext("Table %(number)s", number=number))
    return str(gettext("Round %(round)s, table %(number)s", round=round_, number=number))


def drawn_line(number: int, drawn: int | None) -> str:
    """That a table has another number in the room than in the draw; empty if it has not."""
    if drawn in (None, number):
        return ""
    told = {"number": number, "drawn": drawn}
    return str(gettext("Table %(number)s was drawn as table %(drawn)s.", **told))


def signed(number: int) -> str:
    """A gain with its sign, such as +40; 0 has no sign."""
    return grouped(number, "+") if number else "0"


def money(gain: int, stake: int) -> str:
    """A gain in pounds.

    Args:
        gain: the gain in points.
        stake: worth of 100 points in pence.
    """
    pounds = (Decimal(gain * stake) / 10_000).quantize(Decimal("0.01"))
    sign = "+" if pounds > 0 else "\N{MINUS SIGN}" if pounds < 0 else ""
    return f"{sign}£{in_language(f'{abs(pounds):,}')}"


def long_day(day: date) -> str:
    """A day with its weekday in the reader's language, such as Thursday 5 March 2026."""
    locale = get_locale()
    if locale is None or locale.language == "en":
        return f"{day:%A} {day.day} {day:%B %Y}"
    return str(format_date(day, "full"))


def day_of_month(day: date) -> str:
    """A day without its weekday in the reader's language, such as 5 March 2026."""
    locale = get_locale()
    if locale is None or locale.language == "en":
        return f"{day.day} {day:%B %Y}"
    return str(format_date(day, "long"))


def position_line(position: Position) -> str:
    """The hand that is played, such as “Hand 5 · South round · goulash”."""
    wind = gettext(SEAT_NAMES[position.round_wind])
    parts = [
        gettext("Hand %(number)s", number=position.number),
        gettext("%(wind)s round", wind=wind),
    ]
    if position.goulash:
        parts.append(gettext("goulash"))
    if position.honba:
        parts.append(gettext("%(count)s honba", count=position.honba))
    if position.sticks:
        sticks = position.sticks
        parts.append(ngettext("%(num)s stick on the table", "%(num)s sticks on the table", sticks))
    return " · ".join(parts)


def run_line(position: Position) -> str:
    """How often the dealer has won in a row, in words; empty if not at all."""
    if not position.dealer_wins:
        return ""
    name = position.seats[position.dealer]
    if position.dealer_wins == 1:
        return str(gettext("%(name)s has won once as dealer.", name=name))
    return str(
        gettext(
            "%(name)s has won %(count)s times in a row as dealer.",
            name=name,
            count=position.dealer_wins,
        )
    )


def waiting_line(position: Position) -> str:
    """Who sits out a hand and who comes in next, in sentences; empty if everybody plays."""
    if not position.waiting:
        return ""
    told = {"name": position.waiting[0], "dealer": position.seats[position.dealer]}
    if len(position.waiting) == 1:
        return str(
            gettext(
                "%(name)s sits out this hand, and comes in when %(dealer)s loses the deal.", **told
            )
        )
    names = gettext(" and ").join(position.waiting)
    return str(
        gettext(
            "%(names)s sit out this hand. %(name)s comes in next, when %(dealer)s loses the deal.",
            names=names,
            **told,
        )
    )


def hand_line(state: HandState) -> str:
    """How a hand ended, such as “Bob won” or “Drawn”."""
    if state.fault is not None:
        words = gettext("Not valid, not counted")
    elif state.winner is not None and isinstance(state.hand, Agreed):
        words = gettext("%(name)s won, payments as agreed", name=state.winner)
    elif state.winner is not None:
        words = gettext("%(name)s won", name=state.winner)
    elif state.broken_off:
        words = gettext("Abandoned, played again")
    elif isinstance(state.hand, Deal) and state.hand.aborted:
        words = gettext("Abortive draw")
    elif isinstance(state.hand, Drawn) or not state.transfers:
        words = gettext("Drawn")
    else:
        words = gettext("Drawn, with payments")
    return str(words)


def gain_line(gains: Mapping[str, int]) -> str:
    """What each player gained, such as “Ann +40 · Bob +8”, without those who gained nothing."""
    moved = [f"{name}\N{NO-BREAK SPACE}{signed(gain)}" for name, gain in gains.items() if gain]
    return " · ".join(moved) or gettext("No payments.")


def payment_lines(state: HandState) -> list[str]:
    """The payments of a hand in words, those to the winner first."""
    return [
        gettext(
            "%(payer)s pays %(receiver)s %(amount)s",
            payer=t.payer,
            receiver=t.receiver,
            amount=points(t.amount),
        )
        for t in sorted(state.transfers, key=lambda transfer: transfer.receiver != state.winner)
    ]


def end_line(game: Game) -> str:
    """Why no further hand is played, in words."""
    if game.ended == "broke":
        names = gettext(" and ").join(game.broke)
        words = gettext("The game is over: no points left for %(names)s.", names=names)
    elif game.ended == "rounds":
        words = gettext("The game is over: the last round has been played.")
    else:
        words = gettext("The players ended the game here.")
    if game.left is None:
        return str(words)
    name, worth = game.left
    left = gettext(
        "%(name)s takes the sticks left on the table: +%(points)s.", name=name, points=points(worth)
    )
    return f"{words} {left}"


def standings(game: Game) -> list[tuple[int, str, int, int]]:
    """Place, name, total and gain of each player, best first; equal totals share a place."""
    start = dict.fromkeys(game.totals, 0)
    for state in game.hands:
        for name, gain in state.gains.items():
            start[name] += gain
    ordered = sorted(game.totals.items(), key=lambda item: -item[1])
    at = places([total for _, total in ordered])
    return [
        (place, name, total, start[name]) for place, (name, total) in zip(at, ordered, strict=True)
    ]


def places(figures: Sequence[float]) -> list[int]:
    """The place of each figure of a list in order; equal figures share a place."""
    return [1 + figures.index(figure) for figure in figures]


def correction_lines(before: Game, number: int, correction: Correction) -> list[str]:
    """What a correction changes, in sentences: the hand itself first, then later hands.

    The number is 0 if no hand was corrected, but the seats.
    """
    after = correction.game
    lines: list[str] = []
    if len(after.played) == len(before.played) and 1 <= number <= len(after.hands):
        lines += _own_lines(before.hands[number - 1], after.hands[number - 1])
    for change in correction.changes:
        lines += _change_lines(change)
    if before.ended != after.ended:
        lines.append(end_line(after) if after.ended else gettext("The game goes on."))
    return lines


def entered_by(what: str, who: str | None) -> str:
    """What someone else entered just before, in a sentence."""
    if who is None:
        return str(gettext("Another phone has just entered “%(what)s”.", what=translated(what)))
    return str(gettext("%(who)s has just entered “%(what)s”.", who=who, what=translated(what)))


class Moved(RuntimeError):
    """Someone else entered something first; the message says who and what.

    Args:
        what: the other entry, as it is kept.
        who: the account that made it, if any.
        undoing: whether an entry was to be taken back.
    """

    def __init__(self, what: str, who: str | None, *, undoing: bool = False) -> None:
        other = entered_by(what, who)
        nothing = gettext("%(other)s Your Undo changed nothing.", other=other)
        not_kept = gettext(
            "%(other)s Your entry was not saved: check, and enter it again if it is still needed.",
            other=other,
        )
        super().__init__(nothing if undoing else not_kept)


def counts_of(state: HandState) -> dict[str, int]:
    """What each player counted in a hand, by name; empty where nothing was counted."""
    parts = () if state.result is None else state.result.players
    in_fan = [part for part in parts if part.counted is not None]
    totals = [(part.seat, part.total) for part in in_fan or parts]
    if state.winner is None and not any(total for _, total in totals):
        return {}
    return {state.position.seats[seat]: total for seat, total in totals}


def _own_lines(was: HandState, now: HandState) -> Iterator[str]:
    title = gettext("Hand %(number)s", number=now.position.number)
    if was.winner != now.winner:
        names = {"hand": title, "now": now.winner, "was": was.winner}
        if now.winner is None:
            yield gettext("%(hand)s: drawn, not won by %(was)s.", **names)
        elif was.winner is None:
            yield gettext("%(hand)s: won by %(now)s, not drawn.", **names)
        else:
            yield gettext("%(hand)s: won by %(now)s, not by %(was)s.", **names)
    counted = counts_of(was)
    for name, count in counts_of(now).items():
        if name not in counted:
            yield gettext(
                "%(hand)s: %(name)s counted %(now)s.", hand=title, name=name, now=points(count)
            )
        elif count != counted[name]:
            yield gettext(
                "%(hand)s: %(name)s counted %(now)s, not %(was)s.",
                hand=title,
                name=name,
                now=points(count),
                was=points(counted[name]),
            )
    for name, gain in now.gains.items():
        if gain != was.gains[name]:
            yield gettext(
                "%(hand)s: %(name)s gets %(now)s, not %(was)s.",
                hand=title,
                name=name,
                now=signed(gain),
                was=signed(was.gains[name]),
            )


def _change_lines(change: HandChange) -> Iterator[str]:
    number = change.number or change.was
    title = gettext("Hand %(number)s", number=number)
    winds = [
        gettext("%(name)s is %(wind)s", name=item.player, wind=gettext(SEAT_NAMES[item.now]))
        for item in change.differences
        if item.field == "wind"
    ]
    if winds:
        yield gettext(
            "%(hand)s has different winds: %(winds)s.", hand=title, winds=", ".join(winds)
        )
    for difference in change.differences:
        if difference.field == "stands" and change.fault is not None:
            yield gettext(
                "%(hand)s is no longer valid: %(reason)s.",
                hand=title,
                reason=translated(change.fault.words),
            )
        elif difference.field != "wind":
            yield _difference(title, difference)


def _difference(hand: str, item: Difference) -> str:
    if item.field == "gain":
        words = gettext(
            "%(hand)s brings %(name)s %(now)s, not %(was)s.",
            hand=hand,
            name=item.player,
            now=signed(int(item.now)),
            was=signed(int(item.was)),
        )
    elif item.field == "number":
        words = gettext("%(hand)s was hand %(was)s.", hand=hand, was=item.was)
    elif item.field in ("round_wind", "dealer"):
        winds = {"now": gettext(SEAT_NAMES[item.now]), "was": gettext(SEAT_NAMES[item.was])}
        if item.field == "round_wind":
            words = gettext("%(hand)s is in the round of %(now)s, not %(was)s.", hand=hand, **winds)
        else:
            words = gettext("The dealer in %(hand)s is %(now)s, not %(was)s.", hand=hand, **winds)
    elif item.field in ("honba", "sticks"):
        told = {"hand": hand, "now": item.now, "was": item.was}
        if item.field == "honba":
            words = gettext("%(hand)s has %(now)s counters, not %(was)s.", **told)
        else:
            words = gettext("%(hand)s has %(now)s sticks on the table, not %(was)s.", **told)
    elif item.field == "goulash" and item.now == "true":
        words = gettext("%(hand)s is now a goulash.", hand=hand)
    elif item.field == "goulash":
        words = gettext("%(hand)s is no longer a goulash.", hand=hand)
    elif item.now == "true":
        words = gettext("%(hand)s is valid again.", hand=hand)
    else:
        words = gettext("%(hand)s is no longer valid.", hand=hand)
    return str(words)
