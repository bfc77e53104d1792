"""Every way in which this package reaches into the scorer, besides its front door.

Where something moves behind another name, only the function here that asks for it is adapted; what
the functions are called and what they give stays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from scorer import Deal, Game, GameSetup, parse_deal
from scorer.deal import PENALTIES, SOURCES, STATUSES, WIN_FLAGS, Player
from scorer.evaluation.evaluate import readings
from scorer.evaluation.waits import find_waits
from scorer.explain.claims import check_reading, check_total, parse_claimed_reading
from scorer.explain.compare import System, compare
from scorer.explain.difference import differences
from scorer.explain.examples import example
from scorer.explain.practice import question
from scorer.explain.why import all_why_not, why_not
from scorer.game.corrections import correct, delete, insert, rename, undo
from scorer.game.game import new_game, record, replay
from scorer.game.hands import PlayedHand
from scorer.game.scoresheet import player_sheets, table_sheet
from scorer.result import PlayerResult
from scorer.rules.info import describe
from scorer.rules.rulebook import check_table, load_ruleset, ruleset_ids
from scorer.text.game_json import game_document
from scorer.tiles import format_tiles, parse_tiles, sort_tiles
from tests.scorer.game.games import hand_for
from tests.scorer.golden_cases import cases_of, deal_of
from tests.scorer.tables import build

Json = dict[str, Any]

VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "penalties": PENALTIES,
    "sources": SOURCES,
    "statuses": STATUSES,
    "flags": WIN_FLAGS,
}
"""The words of a deal."""


def rulesets() -> tuple[str, ...]:
    """The ids of the rulesets."""
    return ruleset_ids()


def ruleset_dump(ruleset: str, changes: Json | None = None) -> Json:
    """A whole ruleset with house rules."""
    return load_ruleset(ruleset, changes).model_dump()


def ruleset_told(ruleset: str, changes: Json | None = None) -> object:
    """A ruleset with house rules as it is described to people."""
    return describe(load_ruleset(ruleset, changes))


def ruleset_checked(table: Mapping[str, Any]) -> Json:
    """The ruleset of a club's file, or how it is refused."""
    return check_table(table, "club.toml").model_dump()


def special_hands(ruleset: str) -> list[str]:
    """The ids of the special hands that a ruleset plays."""
    return [hand.id for hand in load_ruleset(ruleset).special_hand if hand.enabled]


def rows(ruleset: str) -> list[str]:
    """The ids of all rules and special hands of a ruleset."""
    found = load_ruleset(ruleset)
    return [rule.id for rule in found.rule] + [hand.id for hand in found.special_hand]


def ruleset_gaps(one: str, other: str) -> object:
    """What tells two rulesets apart."""
    return differences(load_ruleset(one), load_ruleset(other), cites=True)


def practice_hand(ruleset: str, seed: int, *, hard: bool) -> tuple[Deal, str, object]:
    """A hand of the quiz: the deal, whose it is and what it scores."""
    asked = question(ruleset, "hard" if hard else "easy", seed)
    return asked.deal, asked.seat, asked.result.to_json()


def example_hand(ruleset: str, special: str, seed: int) -> object:
    """Tiles that are a special hand, and their scores."""
    found = example(ruleset, special, seed=seed)
    if found is None:
        return None
    return [found.deal.to_json(), found.result.to_json(), found.best.to_json()]


def lawful_table(rng: random.Random, ruleset: str, *, goulash: bool) -> Json:
    """A random deal in which every hand is shown."""
    return build(rng, goulash=goulash, ruleset=ruleset)


def golden_deals(ruleset: str) -> Iterator[tuple[str, Json]]:
    """Name and deal of each golden case of a ruleset."""
    for case in cases_of(ruleset):
        yield case["name"], deal_of(case, ruleset)


def other_readings(deal: Deal, seat: str) -> object:
    """All readings of a hand, the best first, with the tiles of each line."""
    return [_with_texts(part) for part in readings(deal, seat)]


def _with_texts(part: PlayerResult) -> Json:
    """A score as it is, the words of its lines as text."""
    lines = [
        {"text": line.text}
        | {each.name: getattr(line, each.name) for each in fields(line) if each.name != "words"}
        for line in part.lines
    ]
    told = {each.name: getattr(part, each.name) for each in fields(part) if each.name != "melds"}
    return told | {"sets": part.melds, "lines": lines}


def reasons(deal: Deal, seat: str) -> object:
    """Why each rule counts or does not."""
    return [
        [asked.to_json(), "; ".join(map(str, asked.told()))] for asked in all_why_not(deal, seat)
    ]


def reason(deal: Deal, seat: str, row: str) -> object:
    """Why one rule counts or does not."""
    return why_not(deal, seat, row).to_json()


def waits(deal: Deal, seat: str) -> object:
    """What a hand waits for."""
    return find_waits(deal, seat).to_json()


def total_claim(deal: Deal, seat: str, total: int) -> object:
    """What is said of a total that somebody claims."""
    return check_total(deal, seat, total).to_json()


def reading_claim(deal: Deal, seat: str, sets: str) -> object:
    """What is said of sets that somebody claims."""
    return check_reading(deal, seat, parse_claimed_reading(sets, seat)).to_json()


def under_systems(deal: Deal, systems: Sequence[tuple[str, Json]]) -> object:
    """A deal under several rulesets with house rules."""
    found = compare(deal, [System(ruleset, changes) for ruleset, changes in systems])
    return [found.to_json(), [column.system.name for column in found.columns]]


def typed_player(seat: str, tiles: str, melds: str) -> object:
    """A player as typed on the command line."""
    return Player(seat, tiles, melds).to_json()


def typed_tiles(text: str) -> object:
    """Tiles as typed: as they are, sorted, and written again."""
    tiles = parse_tiles(text)
    return [tiles, sort_tiles(tiles), format_tiles(tiles)]


def begun(ruleset: str, players: Mapping[str, str], changes: Json, rounds: int | None) -> Game:
    """A game before its first hand."""
    return new_game(GameSetup(ruleset, players, changes, rounds))


def random_hand(game: Game, rng: random.Random) -> PlayedHand:
    """Any hand for the next one of a game."""
    totals = tuple(2 * rng.randint(0, 150) for _ in range(4))
    return hand_for(game, (rng.randint(0, 4), totals, rng.choice(("deal", "dealt", "agreed"))))


def with_hand(game: Game, hand: PlayedHand) -> Game:
    """The game with one hand more."""
    return record(game, hand)


def played_again(game: Game) -> Game:
    """The game played anew from its hands."""
    return replay(game.setup, game.played)


def written(game: Game) -> Json:
    """The game as the file that is read back."""
    return game_document(game)


def corrected(game: Game, how: str, number: int, hand: PlayedHand) -> object:
    """The game after a correction, and what that changed."""
    if how == "undo":
        found = undo(game)
    elif how == "delete":
        found = delete(game, number)
    else:
        found = (correct if how == "correct" else insert)(game, number, hand)
    return [found.game.to_json(), [change.to_json() for change in found.changes]]


def renamed(game: Game, names: Mapping[str, str]) -> object:
    """The game with other names."""
    return rename(game, names).to_json()


def sheets(game: Game, player: str) -> object:
    """The score sheets of a player."""
    return [sheet.to_json() for sheet in player_sheets(game, player)]


def secretary_sheet(game: Game) -> object:
    """The sheet of the whole table."""
    return table_sheet(game).to_json()


def deal_of_json(value: object) -> Deal:
    """The deal that a JSON value tells."""
    return parse_deal(value)
