"""The game around the hands: whose wind is which, what is played next, and the running totals.

A game is its :class:`GameSetup` and the hands played so far; everything else follows from them:

>>> from scorer.game.hands import Drawn
>>> setup = GameSetup("bmja-u3a", {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"})
>>> game = replay(setup, [Drawn(), Agreed("Bob", (Transfer("Ann", "Bob", 40),))])
>>> game.hands[1].position.goulash, game.next.seats["E"], game.totals["Bob"]
(True, 'Bob', 40)

Players are known by their names, which stay while their winds change. A hand is a
:class:`~scorer.Deal` to be scored, a drawn hand, or payments that the players agreed on. To take
hands back or to correct them see :mod:`scorer.game.corrections`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import itemgetter
from typing import Any

from scorer.counting.pays import played_again
from scorer.deal import Deal, Player
from scorer.errors import DealError, GameError
from scorer.evaluation.evaluate import score_deal
from scorer.game.hands import Agreed, HandState, PlayedHand, Transfer, hand_json
from scorer.game.reseat import Difference, check_agreement, reseated
from scorer.game.setup import GameSetup, check_setup, ruleset_of, table_of
from scorer.game.winds import PLAIN, Ended, Position
from scorer.messages import say
from scorer.result import DealResult
from scorer.rules.ruleset import Ruleset
from scorer.tiles import SEAT_NAMES


@dataclass(frozen=True, slots=True)
class Game:
    """A game so far.

    Attributes:
        setup: what was settled before it.
        hands: the hands played, in order.
        next: the position of the next hand; None when the game is over.
        totals: each player's points, in the order of play from the first East.
        ended: ``rounds`` when the last round is over, ``broke`` when someone has nothing left and
            the ruleset ends the game there; None while it goes on.
        beyond: hands that were given for after the end; they count for nothing.
        out: who sits out the next hand, where that was told; empty where it goes by turns.
        left: who got the sticks left on the table when the game was over, and their points, which
            are among the gains of the last hand; None where there were none.
    """

    setup: GameSetup
    hands: tuple[HandState, ...]
    next: Position | None
    totals: Mapping[str, int]
    ended: str | None = None
    beyond: tuple[PlayedHand, ...] = ()
    out: tuple[str, ...] = ()
    left: tuple[str, int] | None = None

    @property
    def faults(self) -> tuple[GameError, ...]:
        """Why hands cannot stand as they are, in the order of the hands."""
        found = [state.fault for state in self.hands if state.fault is not None]
        last = len(self.hands)
        words = say("game_ended", last=last)
        late = range(last + 1, last + 1 + len(self.beyond))
        return (*found, *(GameError(number, None, "hand", words) for number in late))

    @property
    def broke(self) -> tuple[str, ...]:
        """The players who have no points left."""
        return _broke(self.totals)

    @property
    def played(self) -> tuple[PlayedHand, ...]:
        """The hands as they are, from which :func:`replay` gives this game again."""
        return (*(state.hand for state in self.hands), *self.beyond)

    def blank_deal(self) -> Deal:
        """The deal of the next hand without its tiles: winds, names, dealer, round and goulash.

        Raises:
            GameError: the game is over.
        """
        position = _next_position(self)
        return Deal(
            ruleset=self.setup.ruleset,
            changes=dict(self.setup.changes),
            players=tuple(Player(seat, name=name) for seat, name in position.seats.items()),
            win=None,
            round_wind=position.round_wind,
            dealer=position.dealer,
            goulash=position.goulash,
            honba=position.honba,
            sticks=position.sticks,
        )

    def to_json(self) -> dict[str, Any]:
        """The game as a JSON value: the setup, each hand with what came of it, what is next."""
        return {
            **self.setup.to_json(),
            "hands": [state.to_json() for state in self.hands],
            "beyond": [hand_json(hand) for hand in self.beyond],
            **({"out": list(self.out)} if self.out else {}),
            "next": None if self.next is None else self.next.to_json(),
            "ended": self.ended,
            "totals": dict(self.totals),
            **({"left": dict([self.left])} if self.left else {}),
            "errors": [fault.to_json() for fault in self.faults],
        }


def new_game(setup: GameSetup) -> Game:
    """The game before its first hand.

    Raises:
        GameError: the ruleset, its changes, the players or the rounds are impossible.
    """
    check_setup(setup)
    totals = dict.fromkeys(setup.names, ruleset_of(setup).game.start_points)
    return Game(setup, (), table_of(setup).first(), totals)


def record(game: Game, hand: PlayedHand) -> Game:
    """The game with one hand more, which must agree with the position of the game in everything.

    A deal may leave the names of its players out.

    Raises:
        GameError: the game is over, or the hand contradicts it or cannot be scored; it names the
            field and the reason.
    """
    position = lined_up(_next_position(game), hand)
    if isinstance(hand, Deal):
        check_agreement(hand, game.setup.ruleset, game.setup.changes, position)
    state = _play(game, position, hand)
    if state.fault is not None:
        raise state.fault
    return _extended(game, state)


def replay(setup: GameSetup, hands: Iterable[PlayedHand], out: Collection[str] = ()) -> Game:
    """The game that these hands make, from its start.

    Who sat out a hand is what the hand tells, by the names of its deal or by ``waiting``, so that a
    correction of an earlier hand lets everybody have played the hands that they played.

    Deals are given the winds, the dealer, the round, the goulash and the ruleset that the hands
    before them lead to; :attr:`HandState.reseated` lists what that changed in a deal. A deal that
    can then not be scored any more, and hands after the end of the game, stay in the game as its
    :attr:`Game.faults`.

    Args:
        setup: what was settled before the game.
        hands: the hands.
        out: who sits out the next hand, as :attr:`Game.out`.

    Raises:
        GameError: the setup is impossible, or a hand is not one of these players.
    """
    game = reduce(follow, hands, new_game(setup))
    return with_out(game, out) if out and game.next is not None else game


def with_out(game: Game, names: Collection[str]) -> Game:
    """The game in which these sit out the next hand, whose turn it may not be.

    Raises:
        GameError: the game is over, or they are not as many of its players as have to sit out.
    """
    now = _next_position(game)
    due = _following(game) or now
    position = _with_out(due, names)
    by_turns = set(due.waiting) == set(position.waiting)
    return replace(game, next=position, out=() if by_turns else position.waiting)


def follow(game: Game, hand: PlayedHand) -> Game:
    """The game with one hand more, taken as :func:`replay` takes it.

    Raises:
        GameError: the hand is not one of these players.
    """
    if game.next is None:
        return replace(game, beyond=(*game.beyond, hand))
    return _extended(game, _play(game, lined_up(game.next, hand), hand))


def lined_up(position: Position, hand: PlayedHand) -> Position:
    """The position with those sitting out who did so in a hand, as far as the hand tells it.

    Raises:
        GameError: as many of these players cannot sit out.
    """
    if not isinstance(hand, Deal):
        return _with_out(position, hand.waiting) if hand.waiting else position
    names = {player.name for player in hand.players}
    out = [name for name in position.everybody if name not in names]
    told = len(names) == len(position.seats) and len(out) == len(position.waiting)
    return position.with_out(out) if told else position


def _next_position(game: Game) -> Position:
    if game.next is None:
        words = say("game_over", last=len(game.hands))
        raise GameError(len(game.hands) + 1, None, "hand", words)
    return game.next


def _following(game: Game) -> Position | None:
    """The position of the next hand where it goes by turns."""
    table = table_of(game.setup)
    if not game.hands:
        return table.first()
    last = game.hands[-1]
    if last.broken_off:
        return table.again(last.position)
    return table.after(last.position, last.winner, _ended(last))


def _ended(state: HandState) -> Ended:
    """What a hand left behind beside its winner."""
    hand, names = state.hand, state.position.seats
    if state.broken_off or not isinstance(hand, Deal):
        return PLAIN
    return Ended(
        also=tuple(names[win.seat] for win in hand.further_wins),
        ready=tuple(names[player.seat] for player in hand.players if player.fishing),
        laid=sum(player.riichi or player.double_riichi for player in hand.players),
        aborted=hand.aborted,
    )


def _with_out(position: Position, names: Collection[str]) -> Position:
    known, count = {*names} & {*position.everybody}, len(position.waiting)
    if not count:
        raise GameError(position.number, None, "waiting", say("nobody_waits"))
    if not len(known) == len(names) == count:
        words = say("others_wait", count=count, players=position.everybody)
        raise GameError(position.number, None, "waiting", words)
    return position.with_out(known)


def _extended(game: Game, state: HandState) -> Game:
    after = Game(game.setup, (*game.hands, state), None, state.totals)
    following = _following(after)
    ended = "rounds" if following is None else None
    if ruleset_of(game.setup).game.broke_ends and _broke(state.totals):
        following, ended = None, "broke"
    after = replace(after, next=following, ended=ended)
    return after if following is not None else with_sticks_left(after)


def with_sticks_left(game: Game) -> Game:
    """A game that no hand follows, the sticks left on the table given to the first player.

    They are so in the last hand, where the ruleset says it. Of players with as many points the
    first is the one who was East before the others. A game to be continued is kept without.
    """
    rules = ruleset_of(game.setup)
    if game.left is not None or not game.hands:
        return game
    last = game.hands[-1]
    lying = table_of(game.setup).on_table(last.position, last.winner, _ended(last))
    if rules.counters is None or rules.game.sticks_left != "first" or not lying.get("sticks"):
        return game
    first, points = max(game.totals.items(), key=itemgetter(1))
    worth = lying["sticks"] * rules.counters.stick
    totals = {**game.totals, first: points + worth}
    gains = {**last.gains, first: last.gains[first] + worth}
    hands = (*game.hands[:-1], replace(last, gains=gains, totals=totals))
    return replace(game, hands=hands, totals=totals, left=(first, worth))


def _broke(totals: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name, points in totals.items() if points <= 0)


def _play(game: Game, position: Position, hand: PlayedHand) -> HandState:
    """What comes of a hand at a position."""
    differences: tuple[Difference, ...] = ()
    result, fault = None, None
    transfers: tuple[Transfer, ...] = ()
    winner: str | None = None
    rules = ruleset_of(game.setup)
    if isinstance(hand, Deal):
        hand, differences = reseated(hand, game.setup.ruleset, game.setup.changes, position)
        winner = None if hand.win is None else position.seats[hand.win.seat]
        try:
            result = score_deal(hand)
        except DealError as error:
            fault = _fault_of(error, position)
        else:
            transfers = _transfers(result, position)
    else:
        hand = replace(hand, waiting=position.waiting)
        if isinstance(hand, Agreed):
            _check_agreed(hand, position)
            winner, transfers = hand.winner, hand.transfers
        elif rules.settlement.after_draw or rules.game.counters:
            raise GameError(position.number, None, "drawn", say("drawn_is_settled"))
    gains = dict.fromkeys(game.totals, 0)
    for item in transfers:
        gains[item.payer] -= item.amount
        gains[item.receiver] += item.amount
    _with_sticks(gains, position, winner, result, rules)
    totals = {name: points + gains[name] for name, points in game.totals.items()}
    broken_off = fault is None and isinstance(hand, Deal) and played_again(hand, rules)
    return HandState(
        *(position, hand, winner, result, transfers, gains, totals, differences, fault, broken_off)
    )


def _with_sticks(
    gains: dict[str, int],
    position: Position,
    winner: str | None,
    result: DealResult | None,
    rules: Ruleset,
) -> None:
    """Add to the gains what sticks come to lie on the table or are taken from it."""
    if result is not None:
        gains.update({position.seats[seat]: gain for seat, gain in result.net.items()})
    elif winner is not None and rules.counters is not None:
        gains[winner] += position.sticks * rules.counters.stick


def _transfers(result: DealResult, position: Position) -> tuple[Transfer, ...]:
    seats = position.seats
    return tuple(
        Transfer(seats[item.from_seat], seats[item.to_seat], item.amount)
        for item in result.payments
    )


def _fault_of(error: DealError, position: Position) -> GameError:
    seat = error.player
    name = None if seat is None else position.seats.get(seat, SEAT_NAMES.get(seat, seat))
    return GameError(position.number, name, error.field, error.words)


def _check_agreed(hand: Agreed, position: Position) -> None:
    names = tuple(position.seats.values())
    if hand.winner is not None and hand.winner not in names:
        words = say("does_not_play_here", name=hand.winner, players=names)
        raise GameError(position.number, None, "winner", words)
    for item in hand.transfers:
        for key, name in (("from", item.payer), ("to", item.receiver)):
            if name not in names:
                words = say("does_not_play_here", name=name, players=names)
                raise GameError(position.number, None, f"payments.{key}", words)
        if item.payer == item.receiver:
            words = say("payer_is_receiver")
            raise GameError(position.number, item.receiver, "payments.to", words)
        if item.amount <= 0:
            words = say("no_amount", amount=item.amount)
            raise GameError(position.number, item.payer, "payments.amount", words)
