"""The names of people, and what is forgotten of them: on SQLite and on PostgreSQL."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from scorer.game.game import record
from scorer.game.hands import Drawn
from tests.webapp.book_fixtures import (
    AUTUMN,
    SPRING,
    a_dealt_table,
    agreed,
    book_of,
    everything,
    lines,
    person_id,
    play,
    two_evenings,
)
from webapp.deal.photos import FAILED
from webapp.deal.state import new_deal
from webapp.deal.store import Store
from webapp.evening.evenings import Club
from webapp.exports.person_file import person_zip
from webapp.games.store import Book, GameStore
from webapp.language.kept import brought_back
from webapp.language.noted import note
from webapp.people.names import NameRefused
from webapp.personal_data.erasure import erase
from webapp.personal_data.photo_keeping import DELETED


def test_a_new_name_is_shown_at_every_table_and_the_old_one_kept(engine: Engine) -> None:
    spring, _ = two_evenings(engine)
    book, games = book_of(engine), GameStore(engine)
    ann = person_id(book, "Ann")
    before = everything(engine).count("'Ann'")
    renamed = book.people.rename(ann, " Ann  Brown ")
    assert renamed.name == "Ann Brown"
    assert [name for name, _ in renamed.former] == ["Ann"]
    stored = games.game(spring)
    assert stored is not None
    assert stored.game.setup.names == ("Ann Brown", "Bob", "Cat", "Dee")
    assert stored.game.hands[0].winner == "Ann Brown"
    assert stored.game.totals["Ann Brown"] == 50
    assert everything(engine).count("'Ann'") >= before, "what was entered is not rewritten"
    assert lines(book)["Ann Brown"].total == -78
    new = book.people.add("Ann")
    assert new.id != ann
    book.people.rename(new.id, "Ann Green")
    with pytest.raises(NameRefused, match="already a player called Bob"):
        book.people.rename(ann, "bob")


def test_a_table_goes_on_under_a_new_name_and_further_ones(engine: Engine) -> None:
    game_id = play(engine, SPRING, [agreed("Ann", {"Bob": 10})], closed=False)
    book, games = book_of(engine), GameStore(engine)
    ann = person_id(book, "Ann")
    book.people.rename(ann, "Anna")
    stored = games.game(game_id)
    assert stored is not None

    def one_more(now: Book) -> Book:
        return Book(record(now.game, agreed("Anna", {"Bob": 20})), (None, None))

    games.edit(game_id, stored.head, one_more, "Hand 2: Anna won")
    book.people.rename(ann, "Annie")
    assert lines(book)["Annie"].won == 2
    undone = games.undo(game_id, stored.head + 1)
    assert undone.game.hands[0].winner == "Annie"
    assert lines(book)["Annie"].won == 1


def test_a_name_that_another_had_at_a_shared_table_is_refused(engine: Engine) -> None:
    play(engine, SPRING, [Drawn()])
    people = book_of(engine).people
    people.rename(person_id(book_of(engine), "Ann"), "Anna")
    with pytest.raises(NameRefused, match="at a table where both played"):
        people.rename(person_id(book_of(engine), "Bob"), "Ann")
    stranger = people.add("Eve")
    assert people.rename(stranger.id, "Ann").name == "Ann", "at no shared table it is free"


def test_erasing_leaves_no_name_and_no_photo_and_the_tables_add_up(engine: Engine) -> None:
    book, games, store = book_of(engine), GameStore(engine), Store(engine)
    play(engine, AUTUMN, [agreed("Zebedee", {"Bob": 70})], players={
        "E": "Zebedee", "S": "Bob", "W": "Cat", "N": "Zebedee Two",
    })  # fmt: skip
    game_id, deal_id, photos = a_dealt_table(engine)
    whole = store.add_photo(deal_id, "T", "all.jpg", b"raw of the whole table")
    ann = person_id(book, "Ann")
    book.people.rename(ann, "Wilhelmina")
    single = store.create(new_deal(("E", "S", "W", "N"), {"E": "wilhelmina", "S": "Bob"}))
    store.edit(single, lambda state: state, "Tiles of Wilhelmina")
    totals = games.game(game_id)
    assert totals is not None
    figures = {name: line.total for name, line in lines(book).items()}
    done = erase(engine, ann)
    assert (done.tables, done.photos) == (1, 2)
    assert store.start_reading(whole) is None
    left = everything(engine)
    assert "Wilhelmina" not in left
    assert "wilhelmina" not in left
    assert "'Ann'" not in left
    assert "Ann won" not in left
    assert "picture E" not in left
    assert {seat: store.picture(photo) for seat, photo in photos.items()} == {
        "E": None, "S": b"picture S", "W": b"picture W", "N": b"picture N",
    }  # fmt: skip
    gone = store.photo(photos["E"])
    assert gone is not None
    assert (gone.stage, gone.error, gone.name) == (FAILED, DELETED, "")
    after = games.game(game_id)
    assert after is not None
    assert list(after.game.totals.values()) == list(totals.game.totals.values())
    assert after.game.setup.names[0] == done.now_called == "Former player 1"
    deal = store.deal(deal_id)
    assert deal is not None
    assert [p.name for p in deal.state.players] == [done.now_called, "Bob", "Cat", "Dee"]
    board = {name: line.total for name, line in lines(book).items()}
    assert board == {name: total for name, total in figures.items() if name != "Wilhelmina"}
    assert book.people.person(ann) is None
    assert "Former player 1" not in Club(engine).people()
    with pytest.raises(NameRefused, match="player who was erased"):
        Club(engine).welcome(after.evening_id, ["Former player 1"])
    with pytest.raises(KeyError):
        erase(engine, ann)


def test_erasing_spares_those_whose_name_begins_alike(engine: Engine) -> None:
    seats = {"E": "Ann", "S": "Ann Brown", "W": "Cat", "N": "Dee"}
    game_id = play(engine, SPRING, [agreed("Ann Brown", {"Ann": 10})], players=seats, closed=False)
    games = GameStore(engine)
    for what in ("Hand 2: Ann Brown won", "Hand 2: Ann won"):
        stored = games.game(game_id)
        assert stored is not None
        games.edit(game_id, stored.head, lambda now: now, what)
    done = erase(engine, person_id(book_of(engine), "Ann"))
    told = [entry.what for entry in games.history(game_id)]
    assert told[:2] == [f"Hand 2: {done.now_called} won", "Hand 2: Ann Brown won"]
    stored = games.game(game_id)
    assert stored is not None
    assert stored.game.setup.names == (done.now_called, "Ann Brown", "Cat", "Dee")


def test_erasing_takes_a_name_out_of_the_messages_that_are_kept(engine: Engine) -> None:
    seats = {"E": "Ann", "S": "message", "W": "number", "N": "Dee"}
    game_id = play(engine, SPRING, [agreed("Ann", {"Dee": 10})], players=seats, closed=False)
    games = GameStore(engine)
    for name in ("message", "number", "Ann"):
        stored = games.game(game_id)
        assert stored is not None
        what = note("Hand {number}: {name} won", number=2, name=name)
        games.edit(game_id, stored.head, lambda now: now, what)
    done = erase(engine, person_id(book_of(engine), "message"))
    told = [str(brought_back(entry.what)) for entry in games.history(game_id)]
    assert told[:3] == ["Hand 2: Ann won", "Hand 2: number won", f"Hand 2: {done.now_called} won"]


def test_a_server_that_remembers_a_game_forgets_the_name(engine: Engine) -> None:
    game_id = play(engine, SPRING, [agreed("Ann", {"Bob": 10})])
    games = GameStore(engine)
    games.game(game_id)
    erase(engine, person_id(book_of(engine), "Ann"))
    stored = games.game(game_id)
    assert stored is not None
    assert "Ann" not in stored.game.setup.names


def test_a_players_file_holds_their_own_and_nobody_elses(engine: Engine) -> None:
    _, _, photos = a_dealt_table(engine)
    book = book_of(engine)
    book.people.rename(person_id(book, "Ann"), "Anna")
    packed = zipfile.ZipFile(io.BytesIO(person_zip(book, person_id(book, "Anna"))))
    document = json.loads(packed.read("player.json"))
    assert document["name"] == "Anna"
    assert [entry["name"] for entry in document["former_names"]] == ["Ann"]
    assert document["guest"] is False
    assert document["evenings"] == [
        {
            "day": SPRING.isoformat(),
            "place": "Village hall",
            "from_round": None,
            "to_round": None,
            "by_phone": False,
        }
    ]
    assert [(hand["gain"], hand["won"]) for hand in document["hands"]] == [(10, True)]
    assert [(entry["hand"], entry["claimed"]) for entry in document["tiles"]] == [(2, 20)]
    assert [entry["file"] for entry in document["photos"]] == [f"photos/{photos['E']}.jpg"]
    assert packed.read(f"photos/{photos['E']}.jpg") == b"picture E"
    assert len(packed.namelist()) == 2
    whole = packed.read("player.json").decode()
    assert not any(name in whole for name in ("Bob", "Cat", "Dee"))


def test_photos_go_when_their_time_is_over(engine: Engine) -> None:
    _, _, photos = a_dealt_table(engine)
    keeping, store = book_of(engine).photos, Store(engine)
    now = datetime.now(UTC)
    assert keeping.days is None
    assert keeping.clean(now + timedelta(days=9999)) == 0, "a club that decides nothing keeps all"
    keeping.decide(30)
    assert keeping.clean(now + timedelta(days=29)) == 0
    assert keeping.stored() == (4, 4 * len(b"picture E"))
    assert keeping.clean(now + timedelta(days=31)) == 4
    assert keeping.clean(now + timedelta(days=31)) == 0
    assert store.picture(photos["E"]) is None
    assert keeping.stored() == (0, 0)
    another = store.add_photo(store.create(new_deal(("E", "S", "W"))), "E", "x", b"raw")
    keeping.decide(0)
    assert keeping.clean(now + timedelta(hours=11)) == 0
    assert keeping.clean(now + timedelta(hours=13)) == 1
    assert store.start_reading(another) is None
    with pytest.raises(ValueError, match="number of days"):
        keeping.decide(-1)
    keeping.decide(None)
    assert keeping.days is None
