"""What the pages say of tiles that cannot be right, and how they show them."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.pages.deal.test_pages import demo, edit, start, state_of


def tapped(client: FlaskClient, seat: str, codes: str) -> str:
    deal = start(client)
    edit(client, deal, seat, action="type", codes=codes)
    return deal


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ("123456789m 123456789p 123456789s 1z", "14 tiles too many"),
        ("123456789m 123p", "1 tile is missing."),
        ("123456789m 11123p", None),
        ("123456789m 55555z", "5 tiles were read as White dragon, more than the set has"),
    ],
)
def test_an_impossible_hand_is_never_without_doubt(
    client: FlaskClient, codes: str, told: str | None
) -> None:
    deal = tapped(client, "S", codes)
    page = client.get(f"{deal}/players/S").text
    table = client.get(deal).text.partition('id="problem"')[0]
    assert ("Nothing doubtful" in page) == ("nothing doubtful" in table) == (told is None)
    assert told is None or told in page


@pytest.mark.parametrize("shown", ["exposed", "concealed"])
@pytest.mark.parametrize("page", ["", "/players/S"])
def test_four_alike_in_a_hand_of_fifteen_become_a_kong_with_one_tap(
    app: Flask, client: FlaskClient, shown: str, page: str
) -> None:
    deal = tapped(client, "S", "1111m 456p 789s 11122z")
    asked = client.get(f"{deal}{page}").text
    assert "The hand has 15 tiles, and four of them are" in asked
    tiles = " ".join(
        tile.id for tile in state_of(app, deal).player("S").tiles if tile.label == "1m"
    )
    answer = {"action": "kong", "seat": "S", "tiles": tiles, "kong": shown}
    client.post(f"{deal}/answers", data=answer)
    (kong,) = state_of(app, deal).player("S").melds
    assert kong.concealed == (shown == "concealed")
    assert state_of(app, deal).player("S").hand_size == 14
    assert "Are those four a kong?" not in client.get(f"{deal}{page}").text
    again = client.post(f"{deal}/answers", data=answer | {"tiles": "t1"}, follow_redirects=True)
    assert "three or four tiles" in again.text
    assert client.post(f"{deal}/answers", data=answer | {"seat": "X"}).status_code == 303


@pytest.mark.parametrize("codes", ["1111m 456p 789s 1122z", "111m 456p 789s 111222z"])
def test_four_alike_are_no_question_where_the_hand_has_room_or_none_are_alike(
    client: FlaskClient, codes: str
) -> None:
    assert "Are those four a kong?" not in client.get(tapped(client, "S", codes)).text


def test_of_five_alike_each_is_shown_and_can_be_named_from_where_it_is_asked(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    edit(client, deal, "E", action="clear")
    edit(client, deal, "E", action="type", codes="444p")
    tiles = [tile.id for tile in state_of(app, deal).player("N").in_place("hand")[:2]]
    for tile in tiles:
        edit(client, deal, "N", action="change", tile=tile, label="4p")
    question = client.get(deal).text.partition('class="suspects"')[2].partition("</ul>")[0]
    assert question.count('class="crop"') == 2, "what was photographed is shown as it is"
    assert len(re.findall(r"<li>", question)) == 5
    assert "times as likely" not in question
    form = {"action": "name", "seat": "N", "tile": tiles[0], "label": "9s", "back": "N"}
    answered = client.post(f"{deal}/answers", data=form)
    assert answered.headers["Location"] == f"{deal}/players/N"
    assert 'class="suspects"' not in client.get(deal).text


def spent(page: str) -> set[str]:
    return set(re.findall(r'class="key spent" name="label" value="(\w+)"', page))


def test_keys_of_which_none_is_left_are_greyed_whoever_has_them(client: FlaskClient) -> None:
    deal = tapped(client, "S", "1111m 333p 1f")
    assert spent(client.get(f"{deal}/players/W?add=tile").text) == {"1m", "1f"}
    pungs = spent(client.get(f"{deal}/players/W?add=pung").text)
    assert {"1m", "3p", "1f", "2f"} <= pungs, (
        "of a pung three must be left, and no flower makes one"
    )
    assert "2p" not in pungs
    chows = spent(client.get(f"{deal}/players/W?add=chow").text)
    assert {"1m", "8m", "9m", "1z"} <= chows
    assert not {"2m", "1p"} & chows


def test_the_tile_that_is_named_anew_does_not_count_against_itself(
    app: Flask, client: FlaskClient
) -> None:
    deal = tapped(client, "S", "1111m 2222p")
    tile = state_of(app, deal).player("S").tiles[0]
    assert spent(client.get(f"{deal}/players/S/tiles/{tile.id}").text) == {"2p"}


def test_the_photo_is_shown_as_far_as_tiles_lie_on_it(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    page = client.get(f"{deal}/players/E").text
    box = re.search(r'viewBox="([-.\d ]+)" class="overlay"', page)
    assert box is not None
    left, top, width, height = map(float, box[1].split())
    corners = [c for t in state_of(app, deal).player("E").tiles if t.quad for c in t.quad]
    for x, y in corners:
        assert left < x < left + width
        assert top < y < top + height
    whole = re.search(r'<image href="[^"]*" width="(\d+)" height="(\d+)"', page)
    assert whole is not None
    assert height < 0.8 * int(whole[2])
    assert "See the whole photo" in page


def test_a_tile_is_put_right_from_the_table_and_back(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    tile = state_of(app, deal).player("E").tiles[0].id
    address = f"{deal}/players/E/tiles/{tile}?back=table"
    assert f'href="{address}"' in client.get(deal).text
    page = client.get(address).text
    assert page.count('name="back" value="table"') == page.count(f'name="tile" value="{tile}"')
    assert f'<a class="button" href="{deal}">' in page
    form = {"action": "change", "tile": tile, "label": "9s", "back": "table"}
    assert edit(client, deal, "E", **form).headers["Location"] == deal
    named = next(each for each in state_of(app, deal).player("E").tiles if each.id == tile)
    assert named.label == "9s"
