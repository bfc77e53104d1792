"""The suits of a set that nobody knows are named with a tap each, and all their tiles follow."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.club.test_tile_sets import deal_with_photo
from tests.webapp.pages.deal.test_pages import state_of
from vision.layout.unknown_set import UNKNOWN_SET


def suits_of(app: Flask, deal: str, *, opened: bool = True) -> Counter[str]:
    tiles = (tile for player in state_of(app, deal).players for tile in player.tiles)
    return Counter(t.label[1] for t in tiles if t.open == opened and t.label[1:] in "mps")


@pytest.mark.parametrize("page", ["", "/players/E"])
def test_each_suit_is_shown_and_exchanged_with_one_tap(
    app: Flask, client: FlaskClient, page: str
) -> None:
    deal = deal_with_photo(app, client, 8, [UNKNOWN_SET])
    before = suits_of(app, deal)
    assert len(before) >= 2
    part = client.get(f"{deal}{page}").text.partition('id="suits"')[2].partition("</section>")[0]
    assert re.findall(r'name="suit" value="(.)"', part) == [s for s in "mps" if before[s]]
    assert part.count('class="crop"') >= len(before)
    one, other = (suit for suit, _ in before.most_common(2))
    answer = {"action": "suits", "suit": one, "other": other}
    client.post(f"{deal}/answers", data=answer)
    after = suits_of(app, deal)
    assert (after[one], after[other]) == (before[other], before[one])
    client.post(f"{deal}/answers", data=answer)
    assert suits_of(app, deal) == before


def test_tiles_that_somebody_checked_keep_their_suit(app: Flask, client: FlaskClient) -> None:
    deal = deal_with_photo(app, client, 8, [UNKNOWN_SET])
    (player,) = [p for p in state_of(app, deal).players if p.photo]
    tile = next(t for t in player.tiles if t.label[1] in "mps")
    edit = {"action": "confirm", "tile": tile.id}
    client.post(f"{deal}/players/{player.seat}/edit", data=edit)
    for other in set("mps") - {tile.label[1]}:
        answer = {"action": "suits", "suit": tile.label[1], "other": other}
        client.post(f"{deal}/answers", data=answer)
    kept = state_of(app, deal).player(player.seat).tiles
    assert next(t for t in kept if t.id == tile.id).label == tile.label


@pytest.mark.parametrize("answer", [{"suit": "m", "other": "m"}, {"suit": "x", "other": "m"}, {}])
def test_an_answer_that_names_no_two_suits_changes_nothing(
    app: Flask, client: FlaskClient, answer: dict[str, str]
) -> None:
    deal = deal_with_photo(app, client, 8, [UNKNOWN_SET])
    before = state_of(app, deal)
    sent = client.post(f"{deal}/answers", data={"action": "suits", **answer}, follow_redirects=True)
    assert "already been answered" in sent.text
    assert state_of(app, deal) == before


def test_of_a_known_set_no_suit_is_asked(app: Flask, client: FlaskClient) -> None:
    deal = deal_with_photo(app, client, 8, [])
    assert 'id="suits"' not in client.get(deal).text
    assert services_of(app).store.deal(deal.rsplit("/", 1)[1]) is not None
