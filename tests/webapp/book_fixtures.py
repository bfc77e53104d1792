"""A book to look at: two evenings whose figures are known, or a made-up season."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from sqlalchemy import Engine

from scorer import GameSetup, parse_deal
from scorer.game.game import Agreed, Drawn, PlayedHand, Transfer, new_game, record
from webapp.book.book import ClubBook, open_book
from webapp.games.club import Club
from webapp.games.store import Book, GameStore

SPRING = date(2026, 3, 5)
AUTUMN = date(2026, 9, 10)
PLAYERS = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}


def agreed(winner: str, payments: Mapping[str, int]) -> Agreed:
    """A hand whose payments were agreed on, all to the winner."""
    return Agreed(winner, tuple(Transfer(payer, winner, n) for payer, n in payments.items()))


def told(game_seats: Mapping[str, str], winner: str, total: int, others: int) -> PlayedHand:
    """A deal won by self-draw of which the totals were told, in the seats of the game."""
    seat = next(wind for wind, name in game_seats.items() if name == winner)
    players = [
        {"seat": wind, "name": name, "claimed": total if wind == seat else others}
        for wind, name in game_seats.items()
    ]
    return parse_deal(
        {
            "ruleset": "bmja-u3a",
            "players": players,
            "win": {"seat": seat, "source": "wall", "tile": None},
        }
    )


def play(
    engine: Engine,
    day: date,
    hands: Sequence[PlayedHand],
    *,
    closed: bool = True,
    players: Mapping[str, str] | None = None,
    place: str = "Village hall",
) -> str:
    """A table of a new evening with these hands; gives the game's id."""
    club, games = Club(engine), GameStore(engine)
    evening = club.open_evening(day, place)
    seats = PLAYERS if players is None else dict(players)
    club.welcome(evening, seats.values())
    game = new_game(GameSetup("bmja-u3a", seats))
    game_id = games.create(evening, Book(game))
    for number, hand in enumerate(hands):
        game = record(game, hand)
        deals = (None,) * (number + 1)
        book = Book(game, deals, closed=closed and number == len(hands) - 1)
        games.edit(game_id, number, becomes(book), f"Hand {number + 1}: played")
    return game_id


def becomes(book: Book) -> Callable[[Book], Book]:
    """The entry after which a game is as this book says."""
    return lambda _before: book


def two_evenings(engine: Engine) -> tuple[str, str]:
    """Spring: Ann wins twice, then Bob; autumn: Cat wins by a told total, then a draw."""
    spring = play(
        engine,
        SPRING,
        [
            agreed("Ann", {"Bob": 100, "Cat": 100, "Dee": 100}),
            agreed("Ann", {"Bob": 50, "Cat": 50, "Dee": 50}),
            agreed("Bob", {"Ann": 400}),
        ],
    )
    autumn = play(engine, AUTUMN, [told(PLAYERS, "Cat", 64, 8), Drawn()])
    return spring, autumn


def book_of(engine: Engine) -> ClubBook:
    """The book in a database."""
    return open_book(engine, GameStore(engine))
