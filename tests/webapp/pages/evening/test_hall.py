"""The display in the hall: what it shows, to whom, and what never."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer import GameSetup, parse_deal
from scorer.game.game import new_game, record
from scorer.game.hands import Agreed, PlayedHand, Transfer
from tests.webapp.book_fixtures import book_of
from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL
from tests.webapp.pages.table.test_games import words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.draw.drawing import Drawing, Round, Table
from webapp.draw.entrants import Odd
from webapp.evening.evenings import today
from webapp.games.store import Book
from webapp.games.tables import ANYWHERE, TableAt
from webapp.pages.evening.hall import called

__all__ = ["club", "kept"]

NAMES = {"E": "Ann Baker", "S": "Ben Carter", "W": "Cat Dean", "N": "Ann Cole"}


def a_table(
    app: Flask,
    *hands: PlayedHand,
    names: dict[str, str] = NAMES,
    at: TableAt = ANYWHERE,
    waiting: tuple[str, ...] = (),
) -> None:
    """A table of this evening, played for money, at which these hands were played."""
    found = services_of(app)
    evening = found.club.evening_of(today())
    evening_id = found.club.open_evening(today(), "Hall") if evening is None else evening.id
    found.club.welcome(evening_id, (*names.values(), *waiting))
    game = new_game(GameSetup("bmja-u3a", names, waiting=waiting))
    for hand in hands:
        game = record(game, hand)
    found.games.create(evening_id, Book(game, (None,) * len(hands), stake=10), at)


def agreed(winner: str, payer: str, amount: int) -> Agreed:
    return Agreed(winner, (Transfer(payer, winner, amount),))


def test_nobody_sits_yet(client: FlaskClient) -> None:
    assert "No tables yet" in words(client.get("/hall"))


def test_the_hall_sees_seats_standings_and_the_biggest_hand(
    app: Flask, client: FlaskClient
) -> None:
    deal = DEAL | {"players": [p | {"name": NAMES[p["seat"]]} for p in DEAL["players"]]}
    a_table(app, parse_deal(deal), agreed("Cat Dean", "Ann Cole", 9000))
    answer = client.get("/hall")
    page = words(answer)
    assert "Table 1 Hand 3 · East round" in page
    assert "East Cat South Ann C. West Ann B. North Ben" in page
    assert "1 Ben +8,448 2 Cat +6,836 3 Ann B. -4,232 4 Ann C. -11,052" in page.replace(
        "\u2212", "-"
    )
    assert "The biggest hand tonight Ben 2,112 Table 1 · Ordinary hand" in page
    best = answer.text.split('class="best"')[1]
    tiles = re.findall(r"tiles/(\w+)\.svg", best)
    assert " ".join(tiles) == "1s 1s 1s 6s 6s 6s 2z 2z 2z 7z 7z 7z 7z 8s 8s 2f"
    assert not re.search("£|Baker|Carter|<img[^>]*photo|<form", answer.text.split("<main")[1])


def test_the_next_round_is_shown_until_its_tables_are_open(app: Flask, client: FlaskClient) -> None:
    a_table(app, at=TableAt(1, drawn=1))
    evening, _ = services_of(app).tonight()
    assert evening is not None
    services_of(app).club.welcome(evening.id, ["Eve", "Flo"])
    draws = book_of(services_of(app).engine).draws
    at = {name: person for person, name in draws.here(evening.id).items()}
    tables = Table(tuple(at[name] for name in (*NAMES.values(), "Eve")))
    drawing = Drawing((Round(()), Round((tables,), (at["Flo"],))), seed=1)
    draws.keep(evening.id, drawing, Odd.FIVES)
    kept = draws.latest(evening.id)
    assert kept is not None
    draws.keep(evening.id, drawing, Odd.FIVES, replace(kept, first=1))
    page = words(client.get("/hall?turn=1"))
    assert "Next: round 2 Table 1 East Ann B. South Ben West Cat North Ann C. Eve" in page
    assert "Eve sits out first Sits out this round Flo" in page
    a_table(app, names=NAMES, at=TableAt(2, drawn=1))
    assert "Next" not in words(client.get("/hall?turn=1"))
    assert "Round 1, table 1 Hand 1" in (page := words(client.get("/hall")))
    assert "Round 2, table 1 Hand 1" in page


def test_who_sits_out_by_turns_is_told_by_the_game(app: Flask, client: FlaskClient) -> None:
    a_table(app, waiting=("Eve",))
    assert "North Ann C. Eve sits out" in words(client.get("/hall"))
    a_table(app, agreed("Ben Carter", "Cat Dean", 8), waiting=("Flo",))
    assert "North Flo Ann B. sits out The evening" in words(client.get("/hall"))


def test_hall_and_standing_place_the_same_players_of_a_table_of_five(
    app: Flask, client: FlaskClient
) -> None:
    a_table(app, agreed("Ben Carter", "Cat Dean", 8), waiting=("Eve",))
    hall = words(client.get("/hall")).replace("\u2212", "-")
    assert "1 Ben +8 2 Ann B. 0 2 Ann C. 0 4 Cat -8" in hall
    evening = services_of(app).club.evenings()[0].id
    standing = words(client.get(f"/evenings/{evening}/standings")).replace("\u2212", "-")
    placed = standing.split("Highest hand")[1].split("For the notice board")[0]
    assert re.search("1 Ben Carter .* 2 = Ann Baker .* 2 = Ann Cole .* 4 Cat Dean", placed)
    assert "Eve" not in placed


def test_who_rests_stays_on_the_display_while_the_round_is_played(
    app: Flask, client: FlaskClient
) -> None:
    found = services_of(app)
    evening = found.club.open_evening(today(), "Hall")
    found.club.welcome(evening, [*NAMES.values(), "Flo"])
    draws = book_of(found.engine).draws
    at = {name: person for person, name in draws.here(evening).items()}
    seated = Table(tuple(at[name] for name in NAMES.values()))
    draws.keep(evening, Drawing((Round((seated, seated), (at["Flo"],)),), seed=1), Odd.REST)
    for number in (1, 2):
        a_table(app, at=TableAt(1, drawn=number))
    page = words(client.get("/hall"))
    assert "Sits out round 1 Flo" in page
    assert "still playing" not in page, "all are"
    first, second = found.games.of_evening(evening)
    client.post(f"/tables/{first.id}/close", data={"closed": "yes"})
    page = words(client.get("/hall"))
    assert "Now playing Round 1: 1 of 2 tables still playing · Finished: table 1 Table 2" in page
    assert "Sits out round 1 Flo" in page
    client.post(f"/tables/{second.id}/close", data={"closed": "yes"})
    assert "Flo" not in words(client.get("/hall"))


def test_the_display_fetches_itself_without_the_page_around_it(
    app: Flask, client: FlaskClient
) -> None:
    for number in range(7):
        a_table(app, names={w: f"P{number}{w} x" for w in "ESWN"})
    first = client.get("/hall").text
    again = re.search(r'hx-get="(/hall\?turn=\d+)"', first)
    assert again is not None
    second = client.get(again[1], headers={"HX-Request": "true"}).text
    assert "<html" in first
    assert second.startswith("<div"), "no message for another page gets lost in it"
    assert re.findall("Table [0-9]", first + second) == [f"Table {n}" for n in range(1, 8)]
    assert client.get("/hall?turn=-99999999999999999999").status_code == 200


def test_a_stranger_sees_the_hall_only_if_the_club_says_so(club: Flask) -> None:
    a_table(club)
    stranger, sue = club.test_client(), logged_in(club, "Sue")
    sam = logged_in(club, "Sam")
    assert stranger.get("/hall").headers["Location"].startswith("/login")
    assert sam.get("/hall").status_code == 200
    assert sam.post("/keeping/hall", data={"open": "yes"}).status_code == 403
    sue.post("/keeping/hall", data={"open": "yes", "names": "first"})
    page = stranger.get("/hall")
    assert "Cat" in page.text
    assert "Dean" not in page.text
    assert stranger.get("/evenings").headers["Location"].startswith("/login")
    sue.post("/keeping/hall", data={"open": "yes", "names": "full"})
    assert "Cat Dean" in stranger.get("/hall").text
    sue.post("/keeping/hall", data={"names": "full"})
    asked = stranger.get("/hall", headers={"HX-Request": "true"})
    assert (asked.status_code, asked.headers["HX-Redirect"]) == (401, "/login")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("Ann Baker,Ben Carter,王小明", "Ann,Ben,王小明"),
        ("Ann,Ann Baker", "Ann,Ann B."),
        ("Mary Jones,Mary Jackson,Mary Ann Smith", "Mary Jo.,Mary Ja.,Mary S."),
        ("Mary Smithson,Mary Smith", "Mary Smi.,Mary Smi."),
    ],
)
def test_first_names_are_told_apart_by_as_few_letters_as_do(names: str, told: str) -> None:
    known = names.split(",")
    assert [called(known, full=False)[name] for name in known] == told.split(",")
    assert called(known, full=True) == {name: name for name in known}
