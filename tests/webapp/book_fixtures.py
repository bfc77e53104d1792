"""A book to look at, with two evenings whose figures are known, and what there is to see in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from sqlalchemy import Engine, MetaData, select

from scorer import GameSetup, parse_deal
from scorer.game.game import new_game, record
from scorer.game.hands import Agreed, Drawn, PlayedHand, Transfer
from webapp.book.book import ClubBook, open_book
from webapp.book.seasons import Span
from webapp.book.statistics import BoardLine
from webapp.deal.state import DealState, new_deal
from webapp.deal.store import Store
from webapp.evening.evenings import Club
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


def lines(book: ClubBook, span: Span | None = None) -> dict[str, BoardLine]:
    return {line.name: line for line in book.statistics.board(span or Span())}


def rows(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the database, table by table and row by row."""
    meta = MetaData()
    with engine.connect() as connection:
        meta.reflect(connection)
        return {
            table.name: [
                tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in meta.sorted_tables
        }


def everything(engine: Engine) -> str:
    return repr(rows(engine))


def person_id(book: ClubBook, name: str) -> str:
    person = book.people.named(name)
    assert person is not None
    return person.id


def a_dealt_table(engine: Engine) -> tuple[str, str, dict[str, str]]:
    """A table whose next hand was begun as a deal with a photo for each player."""
    game_id = play(engine, SPRING, [agreed("Ann", {"Bob": 10})], closed=False)
    store = Store(engine)
    deal_id = store.create(new_deal(("E", "S", "W", "N"), PLAYERS), (game_id, 2))
    photos = {}
    for seat, name in PLAYERS.items():
        photo = store.add_photo(deal_id, seat, f"{name}.jpg", b"raw" + seat.encode())
        store.finish_photo(photo, {"tiles": []}, b"picture " + seat.encode())
        photos[seat] = photo
        store.edit(deal_id, partial(_with_photo, seat=seat, photo=photo), "Photo read")
    return game_id, deal_id, photos


def _with_photo(state: DealState, seat: str, photo: str) -> DealState:
    return replace(
        state,
        players=tuple(
            replace(p, photo=photo, claimed=20) if p.seat == seat else p for p in state.players
        ),
    )
