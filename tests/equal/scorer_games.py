"""What the scorer makes of games: positions, totals, corrections, sheets and refusals."""

from __future__ import annotations

import copy
import random
from typing import Any, Final

from scorer import Game, parse_game
from scorer.rules.rulebook import load_ruleset
from tests.equal import inside_scorer as inside
from tests.equal.canonical import outcome, plain
from tests.equal.inside_scorer import Json
from tests.equal.records import Records
from tests.equal.spoiling import junk_somewhere

GAMES: Final = 60
"""Of each ruleset."""

_FOUR: Final = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}
_HANDS: Final = 9
_SETUPS: Final[tuple[tuple[Json, int | None], ...]] = (
    ({}, None),
    ({"E": "Ann"}, None),
    ({"S": "Ann", "W": "Bob", "N": "Cat"}, None),
    ({"E": "Ann", "S": "Ann", "W": "Bob", "N": "Cat"}, None),
    ({"E": "Ann", "S": "B\nb", "W": "Bob", "N": "Cat"}, None),
    ({"E": "Ann", "S": "Bob", "W": "Cat", "X": "Dee"}, None),
    (_FOUR, 0),
    (_FOUR, 9),
)


def record(records: Records) -> None:
    """Record games of each ruleset, and games that cannot be."""
    for ruleset in inside.rulesets():
        for number in records.some(GAMES):
            rng = random.Random(f"game {ruleset} {number}")
            game = _random_game(ruleset, rng)
            records.add(f"game {ruleset} {number}", _told(game))
            records.add(f"game corrected {ruleset} {number}", _corrections(game, rng))
            records.add(f"game spoilt {ruleset} {number}", [_spoilt(game, rng) for _ in range(8)])
        for place, (players, rounds) in enumerate(_SETUPS):
            found = outcome(lambda: inside.begun(ruleset, players, {}, rounds))  # noqa: B023
            records.add(f"game setup {ruleset} {place}", found)


def _random_game(ruleset: str, rng: random.Random) -> Game:
    players = dict(_FOUR)
    three = rng.choice(("S", "W", "N", None, None, None))
    if three is not None and 3 in load_ruleset(ruleset).players:
        del players[three]
    game = inside.begun(ruleset, players, {}, rng.choice((None, 1, 2)))
    for _ in range(_HANDS):
        if game.next is None:
            break
        hand = _whole_hand(game, rng) if rng.random() < 0.3 else inside.random_hand(game, rng)
        try:
            game = inside.with_hand(game, hand)
        except ValueError:
            continue
    return game


def _whole_hand(game: Game, rng: random.Random) -> Any:
    """A deal with tiles, at the next position of the game."""
    blank = game.blank_deal().to_json()
    shown = inside.lawful_table(rng, game.setup.ruleset, goulash=bool(blank["goulash"]))
    facts = {key: blank[key] for key in ("ruleset", "changes", "round_wind", "dealer", "goulash")}
    return inside.deal_of_json({**shown, **facts})


def _told(game: Game) -> Json:
    return {
        "game": game.to_json(),
        "again": outcome(lambda: inside.played_again(game).to_json() == game.to_json()),
        "file": inside.written(game),
        "broke": game.broke,
        "blank": outcome(lambda: game.blank_deal().to_json()),
        "table": inside.secretary_sheet(game),
        "sheets": {name: inside.sheets(game, name) for name in game.setup.names},
        "nobody": outcome(inside.sheets, game, "Eve"),
    }


def _corrections(game: Game, rng: random.Random) -> list[Any]:
    found = []
    for how in ("undo", "delete", "correct", "correct", "insert"):
        number = rng.randint(0, len(game.played) + 1)
        hand = inside.random_hand(game, rng) if game.next else (game.played or (None,))[0]
        found.append([how, number, outcome(inside.corrected, game, how, number, hand)])
    names = [{"Ann": "Amy"}, {"Ann": "Bob"}, {"Eve": "Amy"}, {"Ann": ""}]
    return found + [outcome(inside.renamed, game, each) for each in names]


def _spoilt(game: Game, rng: random.Random) -> Any:
    """The game's file with something else in one place."""
    document = copy.deepcopy(plain(inside.written(game)))
    junk_somewhere(rng, document)
    reseat = rng.random() < 0.5
    return outcome(lambda: parse_game(document, reseat=reseat).to_json())
