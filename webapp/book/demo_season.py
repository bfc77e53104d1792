"""A made-up season to show the book with: random evenings whose hands the scorer scores."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import Engine

from scorer import DealError, GameSetup, parse_deal
from scorer.errors import GameError
from scorer.game.game import Game, new_game, record
from scorer.game.hands import Drawn, PlayedHand
from scorer.tiles import BONUS_TILES, PLAYING_TILES, parse_tiles
from webapp.book.seasons import Seasons
from webapp.evening.evenings import Club
from webapp.games.store import Book, GameStore
from webapp.rulesets.shown import rulesets

NAMES: Final = (
    "Ann", "Barbara", "Colin", "Doreen", "Eileen", "Frank", "Gwen", "Harold", "Iris", "Joan",
    "Keith", "Lilian", "Margaret", "Norman", "Olive", "Peter", "Queenie", "Ron", "Sheila", "Tom",
)  # fmt: skip
"""The names of the players."""

SHOWPIECES: Final = (
    "119m19p19s1234567z", "11133355577799m", "111999m111999p11s", "111222333444z55m",
    "22233344466688s", "555666777z333m22p", "11335577m22446688p", "1122334455667z7z",
)  # fmt: skip
"""Special and valuable hands with which players go out now and then."""

DRAWN: Final = 0.08
"""Probability that a hand is drawn."""

SHOWPIECE: Final = 0.05
"""Probability that a hand is won with one of the showpieces."""

PLACE: Final = "Village hall"
"""The place of the evenings."""


class BookNotEmpty(RuntimeError):
    """The book has evenings already, to which no made-up ones are added."""


def fill(engine: Engine, *, evenings: int, seed: int, last_day: date) -> int:
    """Write weekly evenings into an empty book and return the number of hands played.

    Args:
        engine: a database without any evening.
        evenings: the number of evenings, the last of them on ``last_day``.
        seed: the seed of the random numbers; the same seed gives the same evenings.
        last_day: the day of the last evening.

    Raises:
        BookNotEmpty: there are evenings already.
    """
    club, games = Club(engine), GameStore(engine)
    if club.any_evening():
        raise BookNotEmpty
    rng = random.Random(seed)  # noqa: S311 - made-up hands are no secrets
    skill = {name: rng.uniform(0.6, 1.6) for name in NAMES}
    hands = 0
    first_day = last_day - timedelta(weeks=evenings - 1)
    for number in range(evenings):
        evening_id = club.open_evening(first_day + timedelta(weeks=number), PLACE)
        came = rng.sample(NAMES, 4 * rng.randint(2, 4))
        club.welcome(evening_id, came)
        for first in range(0, len(came), 4):
            game = _game(rng, came[first : first + 4], skill)
            hands += len(game.hands)
            game_id = games.create(evening_id, Book(new_game(game.setup)))
            book = Book(game, deals=(None,) * len(game.hands), closed=True)
            games.edit(game_id, 0, _becomes(book), f"{len(game.hands)} hands played")
    _seasons(Seasons(engine), first_day, last_day)
    return hands


def _becomes(book: Book) -> Callable[[Book], Book]:
    return lambda _before: book


def _seasons(seasons: Seasons, first_day: date, last_day: date) -> None:
    """Add as many seasons of half a year as the evenings need."""
    year, spring = first_day.year, first_day.month <= 6
    while date(year, 1 if spring else 7, 1) <= last_day:
        if spring:
            seasons.keep(None, f"Spring {year}", date(year, 1, 1), date(year, 6, 30))
        else:
            seasons.keep(None, f"Autumn {year}", date(year, 7, 1), date(year, 12, 31))
        year, spring = (year, False) if spring else (year + 1, True)


def _game(rng: random.Random, names: Sequence[str], skill: Mapping[str, float]) -> Game:
    players = dict(zip("ESWN", names, strict=True))
    game = new_game(GameSetup(rulesets()[0].id, players, rounds=1))
    for _ in range(rng.randint(8, 14)):
        if game.next is None:
            break
        hand = Drawn() if rng.random() < DRAWN else _deal(rng, game, skill)
        game = record(game, hand)
    return game


def _deal(rng: random.Random, game: Game, skill: Mapping[str, float]) -> PlayedHand:
    """A random deal that the scorer accepts; deals are made until one is accepted."""
    while True:
        try:
            deal = parse_deal(_form(rng, game, skill))
            record(game, deal)
        except (DealError, GameError):
            continue
        return deal


def _form(rng: random.Random, game: Game, skill: Mapping[str, float]) -> dict[str, Any]:
    blank = game.blank_deal()
    seats = {player.seat: player.name or "" for player in blank.players}
    winner = rng.choices(list(seats), [skill.get(name, 1.0) for name in seats.values()])[0]
    wall = Counter(PLAYING_TILES * 4)
    flowers = rng.sample(BONUS_TILES, len(BONUS_TILES))
    tiles = {winner: _winning(rng)}
    wall.subtract(tiles[winner])
    for seat in seats:
        if seat != winner:
            tiles[seat] = _losing(rng, wall)
    source = rng.choice(("wall", "discard", "discard"))
    givers = [seat for seat in seats if seat != winner]
    win = {"seat": winner, "tile": rng.choice(tiles[winner]), "source": source}
    if source == "discard":
        win["from"] = rng.choice(givers)
    players = [
        {"seat": seat, "name": name, "concealed": tiles[seat], "bonus": _some(rng, flowers)}
        for seat, name in seats.items()
    ]
    return {**blank.to_json(), "players": players, "win": win}


def _winning(rng: random.Random) -> list[str]:
    if rng.random() < SHOWPIECE:
        return list(parse_tiles(rng.choice(SHOWPIECES)))
    tiles: list[str] = []
    for number in range(4):
        if number == 0 and rng.random() < 0.7:
            first = 9 * rng.randrange(3) + rng.randrange(7)
            tiles += PLAYING_TILES[first : first + 3]
        else:
            tiles += [rng.choice(PLAYING_TILES)] * 3
    return tiles + [rng.choice(PLAYING_TILES)] * 2


def _losing(rng: random.Random, wall: Counter[str]) -> list[str]:
    """Thirteen random tiles of the wall, with up to two pungs among them."""
    tiles: list[str] = []
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        triples = [tile for tile, left in wall.items() if left >= 3]
        pung = [rng.choice(triples)] * 3
        wall.subtract(pung)
        tiles += pung
    rest = rng.sample(list(wall.elements()), 13 - len(tiles))
    wall.subtract(rest)
    return tiles + rest


def _some(rng: random.Random, flowers: list[str]) -> list[str]:
    return [flowers.pop() for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))]
