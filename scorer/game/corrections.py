"""Taking hands back and correcting them: the game that results, and which later hands it changed.

Each of these gives the game that would stand if the hands had been played so from the start. The
hands after the corrected one keep their tiles and their players, while winds, dealer, round and
goulash follow again; :attr:`Correction.changes` tells every one of them that is not what it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.deal import Deal
from scorer.errors import GameError
from scorer.game.game import Game, record, replay, with_out
from scorer.game.hands import Agreed, Drawn, HandState, PlayedHand, Transfer
from scorer.game.reseat import Difference
from scorer.game.setup import GameSetup
from scorer.game.winds import Position, away
from scorer.messages import say


@dataclass(frozen=True, slots=True)
class HandChange:
    """A later hand that a correction changed.

    Attributes:
        number: its number now; None when it is among the hands beyond the end of the game.
        was: its number before; None when it was beyond the end.
        differences: what is not as it was; ``stands`` when it can no longer stand or can again.
        fault: why it cannot stand now, if it cannot.
    """

    number: int | None
    was: int | None
    differences: tuple[Difference, ...]
    fault: GameError | None

    def to_json(self) -> dict[str, Any]:
        """The change as a JSON value."""
        return {
            "number": self.number,
            "was": self.was,
            "differences": [difference.to_json() for difference in self.differences],
            "error": None if self.fault is None else self.fault.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Correction:
    """The corrected game, and the hands after the corrected one that are not what they were."""

    game: Game
    changes: tuple[HandChange, ...] = ()


def undo(game: Game) -> Correction:
    """The game without its last hand.

    Raises:
        GameError: no hand has been played.
    """
    return delete(game, len(game.played))


def correct(game: Game, number: int, hand: PlayedHand) -> Correction:
    """The game with another hand in the place of one that was played.

    If it does not tell who sat out, it is those who sat out before.

    Raises:
        GameError: there is no such hand, or the new one contradicts the hands before it or cannot
            be scored.
    """
    played = _before(game, number)
    if not isinstance(hand, Deal) and not hand.waiting and number <= len(game.hands):
        hand = replace(hand, waiting=game.hands[number - 1].position.waiting)
    start = record(replay(game.setup, played), hand).played
    after = replay(game.setup, (*start, *game.played[number:]), game.out)
    return Correction(after, tuple(_changes(game, after, number, 0)))


def insert(game: Game, number: int, hand: PlayedHand) -> Correction:
    """The game with a hand more, which gets this number; those from there on move up by one.

    Raises:
        GameError: as :func:`correct`; the number may also be that of the next hand.
    """
    if number == len(game.played) + 1:
        return Correction(record(game, hand))
    played, setup = _before(game, number), _gone_shifted(game, number, 1)
    start = record(replay(setup, played), hand).played
    after = replay(setup, (*start, *game.played[number - 1 :]), game.out)
    return Correction(after, tuple(_changes(game, after, number - 1, 1)))


def delete(game: Game, number: int) -> Correction:
    """The game without one of its hands; those after it move down by one.

    Raises:
        GameError: there is no such hand.
    """
    setup = _gone_shifted(game, number + 1, -1)
    after = replay(setup, (*_before(game, number), *game.played[number:]), game.out)
    return Correction(after, tuple(_changes(game, after, number, -1)))


def seat(game: Game, players: Mapping[str, str]) -> Correction:
    """The game with its players on other seats in the first hand; their hands stay theirs.

    Args:
        game: the game.
        players: the player of each wind in the first hand.

    Raises:
        GameError: the seats or the players are impossible, or not those of the hands.
    """
    after = replay(replace(game.setup, players=players), game.played, game.out)
    return Correction(after, tuple(_changes(game, after, 0, 0)))


def rename(game: Game, names: Mapping[str, str]) -> Game:
    """The game with other names for some of its players, in the setup and in every hand.

    Args:
        game: the game.
        names: the new name of each player who gets one.

    Raises:
        GameError: nobody has such a name, or two players would be called the same.
    """
    for name in names:
        if name not in game.totals:
            words = say("does_not_play", name=name, players=tuple(game.totals))
            raise GameError(None, None, "players", words)
    players = {seat: names.get(name, name) for seat, name in game.setup.players.items()}
    hands = [_renamed(hand, names) for hand in game.played]
    setup = replace(
        game.setup,
        players=players,
        waiting=_all_renamed(game.setup.waiting, names),
        gone={names.get(name, name): at for name, at in game.setup.gone.items()},
    )
    return replay(setup, hands, _all_renamed(game.out, names))


def join(game: Game, name: str) -> Game:
    """The game with one player more, who has sat out the hands so far and now takes turns.

    Raises:
        GameError: the game is over, or nobody of that name can wait at this table.
    """
    if game.next is None:
        raise GameError(len(game.hands) + 1, None, "hand", say("game_over", last=len(game.hands)))
    setup = replace(game.setup, waiting=(*game.setup.waiting, name))
    hands = (
        hand if isinstance(hand, Deal) else replace(hand, waiting=(*hand.waiting, name))
        for hand in game.played
    )
    return replay(setup, hands, (*game.out, name) if game.out else ())


def leave(game: Game, name: str) -> Game:
    """The game in which one plays no more; who has waited longest has the seat.

    Raises:
        GameError: the game is over, nobody of that name is here, or nobody waits.
    """
    position = game.next
    if position is None:
        raise GameError(len(game.hands) + 1, None, "hand", say("game_over", last=len(game.hands)))
    if name not in position.everybody:
        words = say("does_not_play_here", name=name, players=position.everybody)
        raise GameError(position.number, None, "gone", words)
    setup = _turned(game.setup, name, position.number)
    still = tuple(other for other in position.waiting if other != name)
    out = still if name in position.waiting else still[1:]
    return replay(setup, game.played, out)


def come_back(game: Game, name: str, instead: str | None = None) -> Game:
    """The game in which one who had gone plays again, with the total that was left.

    Args:
        game: the game.
        name: who is back.
        instead: who sits out the next hand, which the other plays; None where the one who is back
            waits for a turn.

    Raises:
        GameError: the game is over, nobody of that name had gone, or ``instead`` does not play.
    """
    position = game.next
    if position is None:
        raise GameError(len(game.hands) + 1, None, "hand", say("game_over", last=len(game.hands)))
    if name not in away(game.setup.gone, position.number):
        raise GameError(position.number, None, "gone", say("has_not_gone", name=name))
    setup = _turned(game.setup, name, position.number)
    after = replay(setup, game.played, (*game.out, name) if game.out else ())
    waits = after.next is not None and name in after.next.waiting
    return exchange(after, position.number, instead, name).game if waits and instead else after


def _turned(setup: GameSetup, name: str, number: int) -> GameSetup:
    """The setup in which one goes before a hand, or is back with it."""
    return replace(setup, gone={**setup.gone, name: (*setup.gone.get(name, ()), number)})


def _gone_shifted(game: Game, number: int, shift: int) -> GameSetup:
    """The setup where hands from this number on move; who has gone plays the hands they played."""
    gone = {
        name: tuple(at + shift * (at >= number) for at in turns)
        for name, turns in game.setup.gone.items()
    }
    return replace(game.setup, gone=gone)


def exchange(game: Game, number: int, out: str, come: str) -> Correction:
    """The game in which one sits out a hand that another plays; what was entered is the other's.

    Args:
        game: the game.
        number: the number of the hand, which may be the next one.
        out: who sits out.
        come: who plays.

    Raises:
        GameError: there is no such hand, or they do not play and sit out as it is now.
    """
    if game.next is not None and number == game.next.number:
        names = _exchanged(game.next, out, come)
        return Correction(with_out(game, names))
    before = _before(game, number)
    if number > len(game.hands):
        raise GameError(number, None, "hand", say("no_such_hand"))
    _exchanged(game.hands[number - 1].position, out, come)
    hand = _renamed(game.played[number - 1], {out: come, come: out})
    after = replay(game.setup, (*before, hand, *game.played[number:]), game.out)
    return Correction(after, tuple(_changes(game, after, number, 0)))


def _exchanged(position: Position, out: str, come: str) -> tuple[str, ...]:
    """Who sits out a hand then."""
    if out not in position.winds:
        raise GameError(position.number, None, "waiting", say("not_at_the_table", name=out))
    if come not in position.waiting:
        raise GameError(position.number, None, "waiting", say("does_not_wait", name=come))
    return _all_renamed(position.waiting, {come: out})


def _all_renamed(given: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(name, name) for name in given)


def _renamed(hand: PlayedHand, names: Mapping[str, str]) -> PlayedHand:
    if isinstance(hand, Deal):
        players = (
            replace(player, name=names.get(str(player.name), player.name))
            for player in hand.players
        )
        return replace(hand, players=tuple(players))
    waiting = _all_renamed(hand.waiting, names)
    if isinstance(hand, Drawn):
        return Drawn(waiting)
    transfers = (
        Transfer(
            names.get(item.payer, item.payer), names.get(item.receiver, item.receiver), item.amount
        )
        for item in hand.transfers
    )
    winner = hand.winner
    return Agreed(winner and names.get(winner, winner), tuple(transfers), waiting)


def _before(game: Game, number: int) -> tuple[PlayedHand, ...]:
    played = game.played
    if not 1 <= number <= len(played):
        words = say("no_hand_of_number", last=len(played)) if played else say("no_hand_played")
        raise GameError(number, None, "hand", words)
    return played[: number - 1]


def _changes(before: Game, after: Game, first: int, shift: int) -> Iterator[HandChange]:
    """The changes of the hands of which the index was ``first`` or more."""
    for index in range(first, len(before.played)):
        old, new = _state(before, index), _state(after, index + shift)
        differences = tuple(_differences(old, new))
        if differences:
            yield HandChange(
                None if new is None else new.position.number,
                None if old is None else old.position.number,
                differences,
                _fault(after, index + shift),
            )


def _state(game: Game, index: int) -> HandState | None:
    return game.hands[index] if index < len(game.hands) else None


def _fault(game: Game, index: int) -> GameError | None:
    return next((fault for fault in game.faults if fault.hand == index + 1), None)


def _differences(old: HandState | None, new: HandState | None) -> Iterator[Difference]:
    stood, stands = _stands(old), _stands(new)
    if stood != stands:
        yield Difference("stands", None, str(stood).lower(), str(stands).lower())
    if old is None or new is None:
        return
    for field, player, was, now in _compared(old, new):
        if was != now:
            yield Difference(field, player, was, now)


def _stands(state: HandState | None) -> bool:
    return state is not None and state.fault is None


def _compared(old: HandState, new: HandState) -> Iterable[tuple[str, str | None, str, str]]:
    one, other = old.position, new.position
    was, now = one.winds, other.winds
    yield "number", None, str(one.number), str(other.number)
    for name in (name for name in old.gains if name in was and name in now):
        yield "wind", name, was[name], now[name]
    yield "round_wind", None, one.round_wind, other.round_wind
    yield "dealer", None, one.dealer, other.dealer
    if isinstance(old.hand, Deal) and isinstance(new.hand, Deal):
        yield "goulash", None, str(old.hand.goulash).lower(), str(new.hand.goulash).lower()
    for name, gain in old.gains.items():
        yield "gain", name, str(gain), str(new.gains[name])
