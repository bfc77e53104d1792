"""An evening at a table through the pages, as a browser without scripts sends it."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from webapp.games.store import StoredGame
from webapp.personal_data.erasure import erase

NAMES = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}


def words(page: Any) -> str:
    """What can be read on a page, in one line."""
    text = re.sub(r"<[^>]+>", " ", page.text.split("<main", 1)[-1])
    return " ".join(html.unescape(text).split())


def open_table(client: FlaskClient, **more: str) -> str:
    form = {f"name_{seat}": name for seat, name in NAMES.items()} | {"ruleset": "bmja-u3a"} | more
    address = client.post("/tables", data=form).headers["Location"]
    assert address.startswith("/tables/")
    return str(address)


def game_of(app: Flask, table: str) -> StoredGame:
    stored = services_of(app).games.game(table.rsplit("/", 1)[1])
    assert stored is not None
    return stored


def totals(client: FlaskClient, table: str, hand: int, winner: str, *told: int, **more: str) -> Any:
    form = {f"total_{seat}": str(total) for seat, total in zip("ESWN", told, strict=True)}
    form |= {"winner": winner, "source": "wall"} | more
    return client.post(f"{table}/hands/{hand}/totals", data=form)


def seats(app: Flask, table: str) -> dict[str, str]:
    position = game_of(app, table).game.next
    assert position is not None
    return dict(position.seats)


def test_an_evening_is_carried_by_the_game(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, stake="10")
    assert "Hand 1 · East round Ann East, dealer 0" in words(client.get(table))
    totals(client, table, 1, "S", 20, 128, 8, 16)
    page = words(client.get(table))
    assert "Hand 2 · East round Bob East, dealer 512" in page
    assert "Undo: Hand 1: Bob won" in page
    client.post(f"{table}/drawn")
    page = words(client.get(table))
    assert "Hand 3 · East round · goulash" in page
    assert "play a goulash" in page
    totals(client, table, 3, "E", 40, 0, 0, 0)
    page = words(client.get(table))
    assert "Bob has won once as dealer" in page
    assert sum(game_of(app, table).game.totals.values()) == 0

    client.post(f"{table}/close", data={"closed": "yes"})
    page = words(client.get(table))
    assert "Final standings" in page
    assert "1 Bob 752 +752 +£0.75" in page
    assert "Score hand" not in page
    client.post(f"{table}/close", data={"closed": "no"})
    assert "Score hand 4" in words(client.get(table))


def test_a_correction_keeps_who_said_so_and_why(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    for number, form in enumerate(
        ({"by": "Cat", "why": "Bob had two kongs"}, {"why": "misread"}, {"by": "Dee"}, {}), 1
    ):
        client.post(f"{table}/hands/{number}/payments", data={"winner": "-"})
        head = str(game_of(app, table).head)
        client.post(f"{table}/hands/{number}/keep", data={"drawn": "1", "head": head} | form)
    told = words(client.get(f"{table}/history"))
    assert "Hand 1 corrected: drawn, says Cat: Bob had two kongs" in told
    assert "Hand 2 corrected: drawn: misread" in told
    assert "Hand 3 corrected: drawn, says Dee" in told
    assert "Hand 4 corrected: drawn" in told
    assert "Who is making this correction?" in words(client.get(f"{table}/hands/1/check?drawn=1"))


def test_players_confirm_a_hand_until_it_is_corrected(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    hand, head = f"{table}/hands/1", game_of(app, table).head
    assert "Confirmed by" not in words(client.get(hand))
    for name in ("Cat", "Dee", "Cat"):
        client.post(f"{hand}/confirm", data={"name": name})
    assert "Confirmed by Cat, Dee." in words(client.get(hand))
    assert words(client.get(f"{table}/history")).count("Cat confirms hand 1") == 1
    refused = client.post(f"{hand}/confirm", data={"name": "Zed"}, follow_redirects=True)
    assert "Choose your name" in words(refused)
    assert game_of(app, table).head == head, "nobody else's form is out of date by it"
    client.post(f"{hand}/keep", data={"drawn": "1", "head": str(head)})
    assert "Confirmed by" not in words(client.get(hand)), "it is another hand now"
    assert "Cat confirms hand 1" in words(client.get(f"{table}/history"))
    assert client.post(f"{table}/hands/2/confirm", data={"name": "Cat"}).status_code == 404
    person = services_of(app).book.people.named("Cat")
    assert person is not None
    done = erase(services_of(app).engine, person.id)
    assert f"{done.now_called} confirms hand 1" in words(client.get(f"{table}/history"))
    assert "entries checked: none" in words(client.get("/keeping/history"))


def test_the_next_deal_knows_winds_names_and_goulash(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="western", change_chows="1")
    totals(client, table, 1, "S", 0, 50, 0, 0)
    deal = client.post(f"{table}/next").headers["Location"]
    again = client.post(f"{table}/next").headers["Location"]
    assert deal == again, "both phones enter the same deal"
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    assert {p.seat: p.name for p in stored.state.players} == seats(app, table)
    assert stored.state.ruleset == "western"
    assert stored.state.changes == {"chows": 1}
    page = words(client.get(f"{deal}/win"))
    assert "Table 1, hand 2: East round" in page
    assert "This hand was a goulash" not in page


def enter_deal(client: FlaskClient, deal: str, winner: str, **told: int) -> None:
    for seat, total in told.items():
        form = {"action": "about", "status": "live", "claimed": str(total)}
        page = client.get(f"{deal}/players/{seat}").text
        name = re.search(r'type="hidden" name="name" value="(\w+)"', page)
        assert name is not None, "a player of a game keeps the name"
        client.post(f"{deal}/players/{seat}/edit", data=form | {"name": name[1]})
    client.post(f"{deal}/win", data={"winner": winner})
    client.post(f"{deal}/win", data={"winner": winner, "asked": winner, "source": "wall"})


def test_a_scored_deal_is_taken_over_with_one_tap(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    client.post(f"{table}/drawn")
    deal = client.post(f"{table}/next").headers["Location"]
    enter_deal(client, deal, "W", E=10, S=20, W=100, N=30)
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    assert stored.state.goulash, "facts of the game stay whatever the form says"
    assert "Keep hand 2 as scored" in words(client.get(table))
    assert "Right. Keep this hand" in words(client.get(f"{deal}/result"))
    form = {"deal": stored.id}
    client.post(f"{table}/take", data=form)
    client.post(f"{table}/take", data=form)
    game = game_of(app, table).game
    assert len(game.hands) == 2, "taking it twice counts once"
    assert game.hands[1].winner == "Cat"
    assert "This hand is in the game" in words(client.get(f"{deal}/result"))

    enter_deal(client, deal, "W", W=200)
    assert "See what this changes" in words(client.get(f"{deal}/result"))
    check = client.post(f"{table}/take", data=form).headers["Location"]
    assert "Hand 2: Cat gets +" in words(client.get(check))
    assert game_of(app, table).game.totals == game.totals, "nothing is kept yet"
    client.post(f"{table}/hands/2/keep", data=form)
    assert game_of(app, table).game.totals["Cat"] > game.totals["Cat"]


def test_an_unfinished_deal_is_not_taken_over(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    answer = client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    assert answer.headers["Location"].startswith(deal)
    assert game_of(app, table).game.hands == ()
    other = client.post("/deals").headers["Location"].rsplit("/", 1)[1]
    assert client.post(f"{table}/take", data={"deal": other}).status_code == 404


def test_a_correction_is_told_before_it_is_kept(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    totals(client, table, 2, "S", 10, 60, 0, 0)
    before = game_of(app, table)
    check = totals(client, table, 1, "E", 128, 20, 8, 16).headers["Location"]
    page = words(client.get(check))
    assert "Hand 1: won by Ann, not by Bob." in page
    assert "Hand 2 has different winds: Ann is East, Bob is South" in page
    assert "Hand 2 brings" in page
    assert game_of(app, table).head == before.head, "nothing is kept yet"
    client.post(f"{table}/hands/1/keep", data={"deal": check.rsplit("=", 1)[1]})
    after = game_of(app, table).game
    assert after.hands[0].winner == "Ann"
    assert after.hands[1].winner == "Cat", "the same people, whatever their winds"
    client.post(f"{table}/undo")
    assert game_of(app, table).game == before.game
    history = words(client.get(f"{table}/history"))
    assert "Undone: Hand 1 corrected" in history
    assert history.index("Undone") < history.index("Table opened")


@pytest.mark.parametrize(("query", "hands"), [("drawn", 2), ("delete", 1)])
def test_a_hand_can_become_drawn_or_go(
    app: Flask, client: FlaskClient, query: str, hands: int
) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    totals(client, table, 2, "E", 60, 0, 0, 0)
    page = words(client.get(f"{table}/hands/1/check?{query}=1"))
    assert "Save this correction" in page
    client.post(f"{table}/hands/1/keep", data={query: "1"})
    stored = game_of(app, table)
    assert len(stored.game.hands) == hands
    assert len(stored.book.deals) == hands
    assert stored.game.hands[-1].winner == "Bob"


def test_agreed_payments_are_taken_as_they_are(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    form = {"winner": "Cat", "from_0": "Ann", "to_0": "Cat", "amount_0": "1,250"}
    client.post(f"{table}/hands/1/payments", data=form)
    assert game_of(app, table).game.totals == {"Ann": -1250, "Bob": 0, "Cat": 1250, "Dee": 0}
    check = client.post(f"{table}/hands/1/payments", data=form | {"amount_0": "50"}).headers[
        "Location"
    ]
    assert "Hand 1: Cat gets +50, not +1,250." in words(client.get(check))
    field = re.search(r'name="hand" value="([^"]+)"', client.get(check).text)
    assert field is not None
    client.post(f"{table}/hands/1/keep", data={"hand": html.unescape(field[1])})
    assert game_of(app, table).game.totals["Cat"] == 50


def test_a_fault_in_a_hand_of_totals_costs_its_penalty(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    fault = {"fault": "false_win", "offender": "S"}
    totals(client, table, 1, "E", 100, 0, 0, 0, **fault)
    plain = open_table(client)
    totals(client, plain, 1, "E", 100, 0, 0, 0)
    fined, free = game_of(app, table).game.totals, game_of(app, plain).game.totals
    assert fined["Bob"] < free["Bob"]
    assert fined["Cat"] > free["Cat"]


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"total_E": "many"}, "The total for Ann must be a whole number"),
        ({"winner": "X"}, "Say who went out"),
        ({"source": "luck"}, "Say where the last tile came"),
        ({"fault": "false_win", "offender": "X"}, "Say who made the fault"),
    ],
)
def test_wrong_totals_are_told_and_what_was_typed_stays(
    app: Flask, client: FlaskClient, form: dict[str, str], told: str
) -> None:
    table = open_table(client)
    told_totals = {"total_E": "1", "total_S": "77", "total_W": "0", "total_N": "0"}
    sent = told_totals | {"winner": "S", "source": "wall"} | form
    answer = client.post(f"{table}/hands/1/totals", data=sent)
    assert answer.status_code == 400
    assert told in words(answer)
    assert 'value="77"' in answer.text
    assert game_of(app, table).game.hands == ()


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({}, "Say who won"),
        ({"winner": "Ann", "amount_0": "5"}, "Say who pays 5 to whom"),
        (
            {"winner": "Ann", "amount_0": "5", "from_0": "Bob", "to_0": "Bob"},
            "Bob cannot pay 5 to the same player",
        ),
        ({"winner": "Ann", "amount_0": "-5"}, "must be a whole number"),
    ],
)
def test_wrong_payments_are_told(client: FlaskClient, form: dict[str, str], told: str) -> None:
    table = open_table(client)
    answer = client.post(f"{table}/hands/1/payments", data=form)
    assert answer.status_code == 400
    assert told in words(answer)


def test_two_phones_do_not_enter_the_same_hand_twice(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    head = str(game_of(app, table).head)
    client.post(f"{table}/drawn", data={"head": head, "entry": "one"})
    client.post(f"{table}/drawn", data={"head": head, "entry": "one"})
    assert len(game_of(app, table).game.hands) == 1, "one phone sent it twice"
    client.post(f"{table}/drawn", data={"head": head, "entry": "two"})
    assert len(game_of(app, table).game.hands) == 1
    page = words(client.get(table))
    assert "Another phone has just entered “Hand 1: drawn”. Your entry was not saved" in page
    told = {f"total_{seat}": "40" for seat in "ESWN"} | {"winner": "E", "source": "wall"}
    client.post(f"{table}/hands/2/totals", data=told | {"head": head})
    assert "Your entry was not saved" in words(client.get(table))
    assert len(game_of(app, table).game.hands) == 1
    client.post(f"{table}/undo", data={"head": head})
    assert "“Hand 1: drawn”. Your Undo changed nothing." in words(client.get(table))
    assert len(game_of(app, table).game.hands) == 1


def test_undo_goes_back_step_by_step(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    for _ in range(3):
        client.post(f"{table}/drawn")
    client.post(f"{table}/undo")
    client.post(f"{table}/undo")
    assert len(game_of(app, table).game.hands) == 1
    paid = {"winner": "Ann", "from_0": "Bob", "to_0": "Ann", "amount_0": "0"}
    client.post(f"{table}/hands/2/payments", data=paid)
    client.post(f"{table}/undo")
    assert len(game_of(app, table).game.hands) == 1
    client.post(f"{table}/undo")
    stored = game_of(app, table)
    assert stored.game.hands == ()
    assert stored.undo is None
    client.post(f"{table}/undo")
    assert game_of(app, table).head == stored.head
    assert len(services_of(app).games.history(stored.id)) == 1 + 3 + 2 + 1 + 2


def test_names_cannot_carry_markup(client: FlaskClient) -> None:
    table = open_table(client, name_S="Bob <script>alert(1)</script>")
    assert "<script>alert" not in client.get(table).text
    assert client.get(f"{table}/table.pdf").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/tables/none", "/evenings/none", "/tables/none/sheets", "/evenings/none/evening.csv"],
)
def test_what_is_not_there_is_told(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no such" in words(answer)


@pytest.mark.parametrize(
    "path", ["hands/2", "hands/0", "hands/2/totals", "hands/1/check?drawn=1", "table.exe"]
)
def test_hands_and_files_that_are_not_there_are_told(client: FlaskClient, path: str) -> None:
    assert client.get(f"{open_table(client)}/{path}").status_code == 404


def test_a_damaged_correction_is_refused(client: FlaskClient) -> None:
    table = open_table(client)
    client.post(f"{table}/drawn")
    assert client.post(f"{table}/hands/1/keep", data={"hand": "{"}).status_code == 400
    client.post(f"{table}/hands/1/keep", data={"hand": '{"deal": {}}'})
    client.post(f"{table}/hands/1/keep", data={"hand": '{"winner": "Zoe", "payments": []}'})
    page = words(client.get(f"{table}/hands/1"))
    assert "is not playing here" in page


def test_a_forgotten_hand_is_put_in_its_place(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    totals(client, table, 1, "S", 20, 128, 8, 16)
    assert 'name="insert"' in client.get(f"{table}/hands/1/totals?insert=1").text
    check = totals(client, table, 1, "E", 50, 0, 0, 0, insert="1").headers["Location"]
    page = words(client.get(check))
    assert "Hand 1 added?" in page
    assert "Hand 2 was hand 1." in page
    assert len(game_of(app, table).game.hands) == 1
    deal = re.search(r'name="deal" value="(\w+)"', client.get(check).text)
    assert deal is not None
    client.post(f"{table}/hands/1/keep", data={"deal": deal[1], "insert": "1"})
    stored = game_of(app, table)
    assert [state.winner for state in stored.game.hands] == ["Ann", "Bob"]
    assert stored.book.deals[0] == deal[1]
    client.post(f"{table}/hands/2/keep", data={"drawn": "1", "insert": "1"})
    assert [s.winner for s in game_of(app, table).game.hands] == ["Ann", None, "Bob"]


def test_a_game_in_which_the_dealers_office_moves(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="ming-1876")
    client.post(f"{table}/drawn")
    assert "give its deal, or the agreed payments" in words(client.get(table))
    assert game_of(app, table).game.hands == ()
    totals(client, table, 1, "nobody", 10, 0, 0, 30)
    game = game_of(app, table).game
    assert game.totals["Dee"] > game.totals["Bob"], "differences are settled after a draw"
    assert game.next is not None
    assert game.next.dealer == "S"
    assert "Bob South, dealer" in words(client.get(table))
    deal = client.post(f"{table}/next").headers["Location"]
    enter_deal(client, deal, "W", E=10, S=20, W=100, N=30)
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    assert game_of(app, table).game.hands[1].winner == "Cat"
