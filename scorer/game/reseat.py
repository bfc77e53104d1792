"""A deal checked against the position of its game: refused where it differs, or given its winds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.deal import ChangeValue, Deal, Penalty, Win
from scorer.errors import GameError
from scorer.game.winds import ON_TABLE, Position
from scorer.messages import Message, say
from scorer.rules.info import describe, settings_told
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import SEAT_NAMES


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing about a hand that is not what it was.

    ``field`` is a field of the deal or of the hand (``wind``, ``round_wind``, ``goulash``,
    ``gain``, ...), ``player`` the name of the player whose it is, if it is one player's.
    """

    field: str
    player: str | None
    was: str
    now: str

    def to_json(self) -> dict[str, Any]:
        """The difference as a JSON value."""
        return {"field": self.field, "player": self.player, "was": self.was, "now": self.now}


def check_agreement(
    deal: Deal, ruleset: str, changes: Mapping[str, ChangeValue], position: Position
) -> None:
    """Refuse a deal that contradicts its game.

    Raises:
        GameError: naming the field, what the deal says and what the game says.
    """
    number = position.number
    if deal.ruleset != ruleset:
        words = say("other_ruleset", given=deal.ruleset, ruleset=ruleset)
        raise GameError(number, None, "ruleset", words)
    if dict(deal.changes) != dict(changes):
        rules = describe(load_ruleset(ruleset))
        given, due = settings_told(rules, deal.changes), settings_told(rules, changes)
        words = say("other_changes", given=given, changes=due)
        raise GameError(number, None, "changes", words)
    _check_seats(deal, position)
    for player in deal.players:
        name = position.seats[player.seat]
        if player.name is not None and player.name != name:
            words = say("other_name", given=player.name, seat=player.seat, name=name)
            raise GameError(number, name, "name", words)
    for key, says, wind in (
        ("round_wind", deal.round_wind, position.round_wind),
        ("dealer", deal.dealer, position.dealer),
    ):
        if says != wind:
            told = "other_wind" if says in SEAT_NAMES else "unknown_wind_given"
            words = say(told, given=says, wind=wind, code=wind)
            raise GameError(number, None, key, words)
    for key in ON_TABLE:
        lie, due = getattr(deal, key), getattr(position, key)
        if lie != due:
            raise GameError(number, None, key, say("other_on_table", given=lie, due=due))
    if deal.goulash != position.goulash:
        raise GameError(number, None, "goulash", _goulash_fault(position))


def _check_seats(deal: Deal, position: Position) -> None:
    taken = set(deal.seats)
    if taken != set(position.seats) or len(deal.seats) != len(taken):
        sitting = tuple(say("sits", seat=seat, name=name) for seat, name in position.seats.items())
        words = say("other_seats", given=deal.seats, sitting=sitting)
        raise GameError(position.number, None, "players", words)


def _goulash_fault(position: Position) -> Message:
    if position.goulash:
        return say("goulash_due")
    return say("no_first_goulash" if position.number == 1 else "no_goulash_due")


def reseated(
    deal: Deal, ruleset: str, changes: Mapping[str, ChangeValue], position: Position
) -> tuple[Deal, tuple[Difference, ...]]:
    """The deal as it is at that position, and what had to be changed for it.

    The players keep their tiles; winner, giver of the tile and offenders stay the same people. A
    player without a name is the one who has that wind at this position.

    Raises:
        GameError: the players of the deal are not those of the game.
    """
    names = _names(deal, position)
    moves = {seat: position.wind_of(name) for seat, name in names.items()}
    players = tuple(
        replace(player, seat=moves[player.seat], name=names[player.seat]) for player in deal.players
    )
    moved = replace(
        deal,
        ruleset=ruleset,
        changes=dict(changes),
        players=players,
        win=_moved_win(deal.win, moves, position),
        further_wins=tuple(
            won
            for win in deal.further_wins
            if (won := _moved_win(win, moves, position)) is not None
        ),
        honba=position.honba,
        sticks=position.sticks,
        round_wind=position.round_wind,
        dealer=position.dealer,
        goulash=position.goulash,
        penalties=tuple(_moved_penalty(item, moves, position) for item in deal.penalties),
    )
    return moved, tuple(_differences(deal, moved, names, moves))


def _names(deal: Deal, position: Position) -> dict[str, str]:
    """The name of the player of each of the deal's seats."""
    names: dict[str, str] = {}
    known = tuple(position.seats.values())
    for player in deal.players:
        name = position.seats.get(player.seat) if player.name is None else player.name
        if name is None:
            raise _nobody_at(player.seat, "players", position.seats, position)
        if name not in known:
            words = say("does_not_play_here", name=name, players=known)
            raise GameError(position.number, None, "name", words)
        if name in names.values():
            raise GameError(position.number, name, "name", say("name_given_twice"))
        names[player.seat] = name
    if len(names) != len(known):
        absent = next(name for name in known if name not in names.values())
        raise GameError(position.number, absent, "players", say("player_missing"))
    return names


def _moved_win(win: Win | None, moves: Mapping[str, str], position: Position) -> Win | None:
    if win is None:
        return None
    seat = _moved(win.seat, "win.seat", moves, position)
    giver = win.from_seat
    from_seat = None if giver is None else _moved(giver, "win.from", moves, position)
    liable = None if win.liable is None else _moved(win.liable, "win.liable", moves, position)
    return replace(win, seat=seat, from_seat=from_seat, liable=liable)


def _moved_penalty(penalty: Penalty, moves: Mapping[str, str], position: Position) -> Penalty:
    offender = _moved(penalty.offender, "penalties.offender", moves, position)
    victim = penalty.victim
    if victim is not None:
        victim = _moved(victim, "penalties.victim", moves, position)
    return replace(penalty, offender=offender, victim=victim)


def _moved(seat: str, key: str, moves: Mapping[str, str], position: Position) -> str:
    if seat not in moves:
        raise _nobody_at(seat, key, moves, position)
    return moves[seat]


def _nobody_at(seat: str, key: str, seats: Iterable[str], position: Position) -> GameError:
    words = say("nobody_at", seat=seat, seats=tuple(seats))
    return GameError(position.number, None, key, words)


def _differences(
    deal: Deal, moved: Deal, names: Mapping[str, str], moves: Mapping[str, str]
) -> Iterator[Difference]:
    if deal.ruleset != moved.ruleset:
        yield Difference("ruleset", None, deal.ruleset, moved.ruleset)
    if dict(deal.changes) != dict(moved.changes):
        yield Difference("changes", None, listed(deal.changes), listed(moved.changes))
    for seat, now in moves.items():
        if seat != now:
            yield Difference("wind", names[seat], seat, now)
    if deal.round_wind != moved.round_wind:
        yield Difference("round_wind", None, deal.round_wind, moved.round_wind)
    if deal.dealer != moved.dealer:
        yield Difference("dealer", None, deal.dealer, moved.dealer)
    for key in ON_TABLE:
        was, now = getattr(deal, key), getattr(moved, key)
        if was != now:
            yield Difference(key, None, str(was), str(now))
    if deal.goulash != moved.goulash:
        yield Difference("goulash", None, _said(deal.goulash), _said(moved.goulash))


def listed(changes: Mapping[str, ChangeValue]) -> str:
    """House rules as they are written in a deal."""
    rules = (f"{name} = {_said(value)}" for name, value in sorted(changes.items()))
    return ", ".join(rules) or str(say("no_house_rules"))


def _said(value: object) -> str:
    """A setting as it is written in a deal."""
    return str(value).lower() if isinstance(value, bool) else str(value)
