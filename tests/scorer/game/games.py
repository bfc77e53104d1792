"""Games in a few words: four players by their initials, hands with claimed totals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scorer.deal import Deal, Win
from scorer.game.game import Game, new_game, record
from scorer.game.hands import Agreed, Drawn, PlayedHand, Transfer
from scorer.game.setup import GameSetup
from scorer.rules.rulebook import load_ruleset
from tests.scorer.builders import WITHOUT_COUNTERS

NAMES = ("Ann", "Bob", "Cat", "Dee")
FOUR = dict(zip("ESWN", NAMES, strict=True))
THREE = {"E": "Ann", "S": "Bob", "N": "Dee"}
U3A = "bmja-u3a"


def named(initial: str) -> str:
    return next(name for name in NAMES if name[0] == initial)


def setup(ruleset: str = U3A, players: dict[str, str] | None = None, **more: Any) -> GameSetup:
    return GameSetup(ruleset, FOUR if players is None else players, **more)


def claims(game: Game, winner: str | None, **totals: int) -> Deal:
    """The next deal of the game, each player by name claiming a total, 10 unless given."""
    blank = game.blank_deal()
    seats = {player.name: player.seat for player in blank.players}
    players = tuple(
        replace(player, claimed=totals.get(str(player.name), 10)) for player in blank.players
    )
    win = None if winner is None else Win(seats[winner], None, "wall")
    return replace(blank, players=players, win=win)


def unnamed(deal: Deal) -> Deal:
    return replace(deal, players=tuple(replace(player, name=None) for player in deal.players))


def play(game: Game, winners: str) -> Game:
    """The game with a hand more for each initial; the winner claims 40, ``-`` is a drawn hand."""
    for initial in winners:
        if initial == "-":
            game = record(game, claims(game, None))
        else:
            name = named(initial)
            game = record(game, claims(game, name, **{name: 40}))
    return game


def started(ruleset: str = U3A, players: dict[str, str] | None = None, **more: Any) -> Game:
    return new_game(setup(ruleset, players, **more))


Step = tuple[int, tuple[int, ...], str]
"""Who goes out (an index of the players, or beyond them for a draw; the dealer where it is
``dealt``), four totals, and the kind."""

steps = st.tuples(
    st.integers(0, 4),
    st.tuples(*[st.integers(0, 150).map(lambda half: 2 * half)] * 4),
    st.sampled_from(["deal", "deal", "dealt", "agreed"]),
)


def hand_for(game: Game, step: Step) -> PlayedHand:
    """The hand of a step as the next one of the game."""
    index, totals, kind = step
    names = game.setup.names
    winner = names[index] if index < len(names) else None
    if kind == "agreed":
        paid = () if winner is None else _paid(names, winner, totals)
        return Agreed(winner, paid)
    if (
        winner is None
        and kind == "deal"
        and not load_ruleset(game.setup.ruleset).settlement.after_draw
    ):
        return Drawn() if totals[0] % 4 else claims(game, None)
    deal = claims(game, winner, **dict(zip(names, totals, strict=False)))
    return replace(deal, win=Win(deal.dealer, None, "dealt")) if kind == "dealt" else deal


def _paid(names: tuple[str, ...], winner: str, totals: tuple[int, ...]) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(name, winner, total)
        for name, total in zip(names, totals, strict=False)
        if name != winner and total
    )


def play_steps(game: Game, plays: list[Step]) -> Game:
    """The game with the hands of the steps, as far as it goes."""
    for step in plays:
        if game.next is None:
            break
        game = record(game, hand_for(game, step))
    return game


@st.composite
def setups(draw: st.DrawFn) -> GameSetup:
    """Any ruleset, three or four players, any empty place."""
    ruleset = draw(st.sampled_from(WITHOUT_COUNTERS))
    players = dict(FOUR)
    if 3 in load_ruleset(ruleset).players:
        empty = draw(st.sampled_from([None, "S", "W", "N"]))
        players = {seat: name for seat, name in FOUR.items() if seat != empty}
    return GameSetup(ruleset, players, rounds=draw(st.sampled_from([None, 1, 2])))
