"""The five rule systems' rules of the game, as tables to be walked through."""

from __future__ import annotations

from typing import Final

from scorer.ruleset import Game
from scorer.winds import Table

U3A: Final = "bmja-u3a"
MJBR: Final = "bmja-mjbr"
MING: Final = "ming-1876"
UK: Final = "uk-1924"
WESTERN: Final = "western"

GAMES: Final = {
    U3A: Game(dealer_maximum=3, after_draw="goulash", text="-", cite="-"),
    MJBR: Game(dealer_maximum=0, after_draw="goulash", text="-", cite="-"),
    MING: Game(
        dealer_maximum=0,
        after_draw="pass",
        start_points=2010,
        broke_ends=True,
        text="-",
        cite="-",
    ),
    UK: Game(dealer_maximum=0, after_draw="pass", rounds_three_players=3, text="-", cite="-"),
    WESTERN: Game(dealer_maximum=0, after_draw="goulash", text="-", cite="-"),
}


def table_of(system: str, places: tuple[str | None, ...]) -> Table:
    """The table of a game under that system."""
    rules = GAMES[system]
    rounds = rules.rounds_three_players if None in places else rules.rounds
    return Table(places, rules, system == MING, rounds)
