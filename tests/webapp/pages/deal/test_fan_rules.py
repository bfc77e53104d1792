"""Tables that count fan: what they are asked, what a hand comes to, and how the game goes on."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.vision.fakes import models_that_see, reader_with
from tests.vision.table import lay
from tests.webapp.conftest import wait_for_photos
from tests.webapp.fakes import HEIGHT, WIDTH, FakeReader
from tests.webapp.pages.deal.test_pages import edit, send_photo, state_of
from tests.webapp.pages.table.test_games import game_of, open_table, words
from webapp.deal.for_scorer import to_deal
from webapp.joint.decision import fed_by

BRITISH = ("goulash", "fishing", "doubled", "doubles", "limit")
"""Words of British rules, none of which belongs on a page of another table."""


def next_hand(client: FlaskClient, table: str) -> str:
    return str(client.post(f"{table}/next").headers["Location"])


def told(client: FlaskClient, deal: str, winner: str, **facts: Any) -> Any:
    """Say who won, then how; the form is sent twice, as people answer it."""
    client.post(f"{deal}/win", data={"winner": winner})
    form = {"winner": winner, "asked": winner, **facts}
    return client.post(f"{deal}/win", data=form | {"then": "score"}, follow_redirects=True)


def test_a_table_in_hong_kong_from_tiles_to_payments(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="hong-kong")
    deal = next_hand(client, table)
    first = words(client.get(deal))
    assert "photograph them, or tap them in" in first
    edit(client, deal, "S", action="type", codes="123456m555z22999m")
    page = words(client.get(deal))
    assert "Who won, and how?" in page
    score = told(client, deal, "S", tile="2m", source="discard", **{"from": "E"})
    page = words(score)
    assert "Ann pays Bob 64" in page
    assert "6 faan" in page
    for shown in (first, page, words(client.get(f"{deal}/win"))):
        assert not [word for word in BRITISH if word in shown.lower()], shown
    assert "faan" in page
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    position = game_of(app, table).game.next
    assert position is not None
    assert position.seats[position.dealer] == "Bob"
    assert "Bob 6 faan +128" in words(client.get(f"{table}/hands/1"))


def test_too_few_faan_are_refused_in_words(client: FlaskClient) -> None:
    deal = next_hand(client, open_table(client, ruleset="hong-kong"))
    edit(client, deal, "S", action="type", codes="234m345p678s22255p")
    page = words(told(client, deal, "S", tile="5p", source="discard", **{"from": "N"}))
    assert "3 faan are needed to go out" in page


def _indicator(client: FlaskClient, deal: str, **form: str) -> None:
    client.post(f"{deal}/win", data={"only": "indicators", **form})


def test_a_riichi_hand_with_dora_red_fives_and_a_stick(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="riichi")
    deal = next_hand(client, table)
    edit(client, deal, "S", action="type", codes="234567m345p678s55p")
    for label in ("4p", "9m"):
        _indicator(client, deal, dora=label)
    _indicator(client, deal, dora_off="1")
    assert state_of(app, deal).dora == ("4p",)
    facts = {"tile": "3p", "source": "discard", "from": "E", "declared": ["S", "W"]}
    told(client, deal, "S", **facts)
    asked = words(client.get(f"{deal}/win"))
    for question in ("Who declared riichi?", "Within one turn of riichi", "which fives are red?"):
        assert question in asked
    assert "Ura dora" in asked
    page = words(told(client, deal, "S", told_S="ippatsu", reds_asked="S", red_S="5p", **facts))
    # Riichi, ippatsu, pinfu, all simples, three fives of circles as dora, one of them red: 8 han.
    for shown in ("8 han, 30 fu", "Ann pays Bob 16,000", "Cat pays Bob 1,000", "add up to zero"):
        assert shown in page
    for text in (asked, page):
        assert not [word for word in BRITISH if word in text.lower()], text


def test_two_winners_of_one_discard_and_the_next_hand(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="riichi")
    deal = next_hand(client, table)
    edit(client, deal, "N", action="type", codes="234567m345p678s55p")
    edit(client, deal, "E", action="type", codes="234m345p345678s88p")
    page = words(told(client, deal, "N", tile="3p", source="discard", also="E", **{"from": "S"}))
    assert "Dee (North) and Ann (East) won" in page
    assert {"Bob pays Ann 2,900", "Bob pays Dee 2,000"} <= set(
        re.findall(r"Bob pays \w+ [\d,]+", page)
    )
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    position = game_of(app, table).game.next
    assert position is not None
    assert (position.seats["E"], position.honba) == ("Ann", 1)
    assert "1 honba" in words(client.get(table))


def test_a_drawn_riichi_hand_asks_who_was_ready(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="riichi")
    address = client.post(f"{table}/next", data={"drawn": "yes"}).headers["Location"]
    deal = address.rsplit("/", 1)[0]
    asked = words(client.get(address))
    assert "Who was ready?" in asked
    form = {"winner": "nobody", "fishing": ["S", "W"], "declared": "W", "then": "score"}
    page = words(client.post(f"{deal}/win", data=form, follow_redirects=True))
    assert "Ann pays Bob 750" in page
    assert "1,000 points in sticks stay on the table" in page
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    game = game_of(app, table).game
    assert game.next is not None
    assert (game.next.seats["E"], game.next.honba, game.next.sticks) == ("Bob", 1, 1)
    assert game.totals["Cat"] == 25000 + 1500 - 1000


def test_a_chinese_official_hand_needs_eight_fan(client: FlaskClient) -> None:
    deal = next_hand(client, open_table(client, ruleset="chinese-official"))
    edit(client, deal, "S", action="type", codes="234567m678p55s")
    edit(client, deal, "S", action="add", mode="chow", label="6s")
    facts = {"tile": "5s", "source": "discard", "from": "N"}
    assert "8 fan are needed" in words(told(client, deal, "S", **facts))
    asked = words(client.get(f"{deal}/win"))
    assert "The last of its kind" in asked
    page = words(told(client, deal, "S", last_of_kind="on", **facts))
    assert "Dee pays Bob 19" in page, "8 for all, seven fan, four for the last of its kind"
    assert not [word for word in BRITISH if word in page.lower()], page


def test_a_zung_jung_hand_is_paid_up_to_25_by_the_others(client: FlaskClient) -> None:
    deal = next_hand(client, open_table(client, ruleset="zung-jung"))
    edit(client, deal, "S", action="type", codes="123456789m555z22m")
    page = words(told(client, deal, "S", tile="2m", source="discard", **{"from": "N"}))
    # Mixed one-suit 40, nine-tile straight 40, dragons 10, concealed 5: 95 each.
    for shown in ("95 points", "Ann pays Bob 25", "Cat pays Bob 25", "Dee pays Bob 235"):
        assert shown in page


def drawn(client: FlaskClient, deal: str, **facts: Any) -> Any:
    """Say that nobody went out, and what else there is to say of that."""
    form = {"winner": "nobody", "asked": "", **facts}
    client.post(f"{deal}/win", data={"winner": "nobody"})
    return client.post(f"{deal}/win", data=form | {"then": "score"}, follow_redirects=True)


def test_an_abortive_draw_leaves_the_dealer_and_the_sticks(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="riichi")
    deal = next_hand(client, table)
    client.post(f"{deal}/win", data={"winner": "nobody"})
    page = words(client.get(f"{deal}/win"))
    assert "abortive draw" in page
    assert "Who was ready?" in page
    drawn(client, deal, aborted="on", declared="W")
    assert "Who was ready?" not in words(client.get(f"{deal}/win"))
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    position = game_of(app, table).game.next
    assert position is not None
    assert (position.seats["E"], position.honba, position.sticks) == ("Ann", 1, 1)
    assert "Abortive draw" in words(client.get(table))


def test_a_table_of_hong_kong_is_not_asked_about_abortive_draws(client: FlaskClient) -> None:
    deal = next_hand(client, open_table(client, ruleset="hong-kong"))
    client.post(f"{deal}/win", data={"winner": "nobody"})
    assert "abortive" not in words(client.get(f"{deal}/win"))


def test_a_false_win_is_fined_and_the_hand_is_played_again(app: Flask, client: FlaskClient) -> None:
    table = open_table(client, ruleset="riichi")
    deal = next_hand(client, table)
    drawn(client, deal)
    client.post(f"{deal}/penalties", data={"kind": "false_win", "offender": "S"})
    page = words(drawn(client, deal))
    for paid in ("Bob pays Ann 4,000", "Bob pays Cat 2,000", "Bob pays Dee 2,000"):
        assert paid in page, page
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    position = game_of(app, table).game.next
    assert position is not None
    assert (position.seats["E"], position.honba) == ("Ann", 0)
    assert "1. Abandoned, played again" in words(client.get(table))


def test_what_a_hand_is_worth_is_asked_by_its_rules(app: Flask, client: FlaskClient) -> None:
    deal = client.post("/worth").headers["Location"].rsplit("/players", 1)[0]
    client.post(f"{deal}/worth", data={"winner": "nobody", "ruleset": "riichi"})
    edit(client, deal, "S", action="type", codes="234567m345p678s55p")
    page = words(client.get(f"{deal}/worth"))
    assert "riichi" in page.lower()
    assert not [word for word in BRITISH if word in page.lower()], page
    form = {"winner": "S", "asked": "S", "tile": "3p", "source": "wall", "declared": "S"}
    client.post(f"{deal}/worth", data=form)
    assert "4 han, 20 fu" in words(client.get(f"{deal}/worth"))
    assert state_of(app, deal).ruleset == "riichi"


def test_who_fed_the_last_dragons_is_asked_where_that_changes_who_pays(
    client: FlaskClient,
) -> None:
    deal = next_hand(client, open_table(client, ruleset="riichi"))
    edit(client, deal, "S", action="type", codes="234m99p")
    for dragon in ("5z", "6z", "7z"):
        edit(client, deal, "S", action="add", mode="pung", label=dragon)
    assert "(that player is liable)" not in words(told(client, deal, "S", tile="4m"))
    facts = {"tile": "4m", "source": "wall"}
    told(client, deal, "S", **facts)
    assert "(that player is liable)" in words(client.get(f"{deal}/win"))
    page = words(told(client, deal, "S", liable="N", **facts))
    assert "Dee pays Bob 32,000" in page
    assert "Ann pays Bob" not in page


def photographed(
    app: Flask, client: FlaskClient, reader: FakeReader, *rows: str, ruleset: str, red: str = ""
) -> str:
    """A deal with South's tiles from a photo of these rows, all tiles of one face red."""
    laid = lay(*rows, gap=0.0)
    models = models_that_see(laid.quads, laid.labels)
    read = reader_with(*models).read(np.full((HEIGHT, WIDTH, 3), 90, np.uint8))
    tiles: Any = read.to_json("a.jpg")["tiles"]
    printed = [tile | {"red": True} if tile["label"] == red else tile for tile in tiles]
    deal = next_hand(client, open_table(client, ruleset=ruleset))
    send_photo(client, deal, "S", reader.learn(read.to_json("a.jpg") | {"tiles": printed}))
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    return deal


@pytest.mark.parametrize(
    ("answer", "worth"),
    [({}, "5 han, 20 fu"), ({"reds_asked": "S"}, "4 han, 20 fu")],
)
def test_red_fives_of_a_photo_count_until_somebody_says_otherwise(
    app: Flask, client: FlaskClient, reader: FakeReader, answer: dict[str, str], worth: str
) -> None:
    rows = ("234567m345p678s88p",)
    deal = photographed(app, client, reader, *rows, ruleset="riichi", red="5p")
    facts = {"tile": "3p", "source": "wall", "declared": "S"}
    told(client, deal, "S", **facts)
    box = re.search(r'<input[^>]*id="red-S-5p"[^>]*>', client.get(f"{deal}/win").text)
    assert box is not None
    assert "checked" in box[0]
    # Riichi, drawn, pinfu, all simples, and the red five.
    assert worth in words(told(client, deal, "S", **facts, **answer))


def test_red_fives_are_nothing_to_rules_without_them(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    rows = ("123456m55p999m", "555z")
    deal = photographed(app, client, reader, *rows, ruleset="hong-kong", red="5p")
    page = words(told(client, deal, "S", tile="9m", source="wall"))
    assert "faan" in page
    assert "red?" not in page
    state = state_of(app, deal)
    assert state.player("S").reds == ("5p",)
    assert not any(player.reds for player in to_deal(state).players)


def test_tiles_laid_across_on_a_photo_tell_who_fed_the_dragons(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    rows = ("-5z|55z|6z|-6z|6z|77z|-7z", "234m99p")
    deal = photographed(app, client, reader, *rows, ruleset="riichi")
    assert list(fed_by(state_of(app, deal), "S")) == [("5z", "E"), ("6z", "N"), ("7z", "W")]
    told(client, deal, "S", tile="4m", source="wall")
    page = words(client.get(f"{deal}/win"))
    assert (
        "discards completed these sets: White dragon from Ann (East), Green dragon from Dee (North)"
        in page
    )


def test_a_list_of_deals_says_what_the_winner_had(client: FlaskClient) -> None:
    deal = str(client.post("/deals").headers["Location"])
    client.post(f"{deal}/win", data={"winner": "nobody", "ruleset": "hong-kong"})
    edit(client, deal, "S", action="type", codes="123456m555z22999m")
    told(client, deal, "S", tile="2m", source="wall", ruleset="hong-kong")
    assert "South 7 faan" in words(client.get("/"))
    following = str(client.post(f"{deal}/next", data={"winds": "pass"}).headers["Location"])
    assert "photograph them, or tap them in" in words(client.get(following)), "the same rules"
