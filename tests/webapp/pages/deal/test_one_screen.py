"""All that a deal still lacks on one screen, and what is not asked since it changes nothing."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.pages.deal.test_pages import demo, edit, start, state_of
from webapp.deal.state import Win


def win(client: FlaskClient, deal: str, **form: str) -> str:
    told = {"winner": "S", "asked": "S", "round_wind": "E"} | form
    return client.post(f"{deal}/win", data=told).headers["Location"]


def asked(page: str) -> list[tuple[str, str]]:
    """What is missing, in words, and where its button leads."""
    listed = page.partition('class="todo"')[2].partition("</ul>")[0]
    return re.findall(r'<span>([^<]*)</span> <a class="button" href="([^"]*)"', listed)


def test_everything_missing_stands_together_each_with_a_button_to_its_place(
    app: Flask, client: FlaskClient
) -> None:
    deal = start(client, name_E="Ann")
    there = client.get(f"{deal}/result").headers["Location"]
    assert there == f"{deal}?check=1#missing"
    listed = asked(client.get(there).text)
    assert [words.split(" has ")[0] for words, _ in listed[:4]] == [
        "Ann (East)", "South", "West", "North"
    ]  # fmt: skip
    assert [address for _, address in listed[:4]] == [
        f"{deal}/players/{seat}/photo" for seat in "ESWN"
    ]
    by_hand = re.findall('<a href="([^"]*)">Tiles or a total by hand', client.get(there).text)
    assert by_hand == [f"{deal}/players/{seat}" for seat in "ESWN"]
    assert listed[4] == ("Say who went out, or that nobody did.", f"{deal}/win#ask-seat")
    assert 'id="ask-seat"' in client.get(f"{deal}/win").text
    deal = demo(app, client)
    tile = state_of(app, deal).player("W").tiles[0].id
    edit(client, deal, "W", action="change", tile=tile, label="back")
    win(client, deal)
    page = client.get(f"{deal}?check=1").text
    assert [address for _, address in asked(page)] == [
        f"{deal}/players/W", "#ask-tile", "#ask-source"
    ]  # fmt: skip
    for place in ("ask-tile", "ask-source", "winner-S"):
        assert f'id="{place}"' in page, "what is asked is asked on the same page"
    assert client.get(deal).text.count('class="todo"') == 0, "only who asks for the score is told"


def test_the_form_at_the_table_stays_at_the_table(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    assert win(client, deal, back="deal.show") == deal
    assert win(client, deal) == f"{deal}/win"
    assert win(client, deal, back="deal.show", then="score") == f"{deal}/result"


def test_who_gave_the_tile_is_not_asked_where_it_changes_nothing(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    win(client, deal, tile="6s", source="discard")
    assert "From whom?" not in client.get(deal).text
    result = client.get(f"{deal}/result")
    assert result.status_code == 200
    assert "South went out with the six bamboo, a discard" in result.text
    assert state_of(app, deal).win.source_from is None, "nobody said who"


def test_who_gave_the_tile_is_asked_where_a_fault_makes_it_matter(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    win(client, deal, tile="6s", source="discard")
    form = {"kind": "cannon", "offender": "N", "victim": "S"}
    client.post(f"{deal}/penalties", data=form)
    page = client.get(f"{deal}?check=1").text
    assert asked(page) == [("Say who gave Ben (South) the last tile.", "#ask-from")]
    assert 'id="ask-from"' in page
    win(client, deal, tile="6s", source="discard", **{"from": "N"})
    assert state_of(app, deal).win.source_from == "N"
    assert client.get(f"{deal}/result").status_code == 200


def test_a_fact_that_names_the_giver_is_asked_and_names_it(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    win(client, deal, tile="6s", source="discard")
    assert 'name="first_turn"' in client.get(deal).text
    win(client, deal, tile="6s", source="discard", first_turn="on")
    assert state_of(app, deal).win == Win(
        seat="S", tile="6s", source="discard", source_from="E", first_turn=True
    )
    win(client, deal, tile="6s", source="discard")
    assert state_of(app, deal).win.source_from is None


def give(client: FlaskClient, deal: str, seat: str, other: str) -> int:
    form = {"seat": seat, "other": other}
    return client.post(f"{deal}/exchange", data=form).status_code


def test_tiles_are_given_to_another_player_with_one_tap(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    before = state_of(app, deal)
    assert "They are Ben (South)" in client.get(deal).text
    assert give(client, deal, "E", "W") == 303
    after = state_of(app, deal)
    assert [t.quad for t in after.player("E").tiles] == [t.quad for t in before.player("W").tiles]
    assert after.player("W").photo == before.player("E").photo
    assert after.player("W").name == before.player("W").name
    assert after.player("W").melds == before.player("E").melds
    assert give(client, deal, "E", "E") == 400
    assert give(client, deal, "E", "X") == 400


def test_tiles_of_one_who_has_another_hand_are_moved(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    edit(client, deal, "E", action="type", codes="111m 222p")
    give(client, deal, "E", "N")
    state = state_of(app, deal)
    assert not state.player("E").entered
    assert len(state.player("N").tiles) == 6


@pytest.mark.parametrize(("told", "winner"), [(False, "W"), (True, "S")])
def test_who_went_out_by_the_number_of_tiles_follows_them(
    app: Flask, client: FlaskClient, *, told: bool, winner: str
) -> None:
    deal = start(client)
    hands = {"E": "123456789m1112p", "W": "123456789s1112p", "N": "123456789p111s2z"}
    for seat, codes in {**hands, "S": "222333444555z66z"}.items():
        edit(client, deal, seat, action="type", codes=codes)
    win(client, deal, **({"tile": "6z", "source": "wall"} if told else {}))
    give(client, deal, "S", "W")
    assert state_of(app, deal).win.seat == winner
