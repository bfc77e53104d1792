"""What one hand is worth: on its page, under the club's rules, and while tiles are entered."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from scorer import Deal, Player, Win, score_hand
from tests.webapp.pages.deal.test_pages import edit, start, state_of
from tests.webapp.pages.table.test_games import words

HAND = "234m 555p 666s 777z 99m"
RULES = "bmja-u3a"


def begin(client: FlaskClient, codes: str) -> str:
    """A hand on its own with these tiles; its address."""
    deal = client.post("/worth").headers["Location"].split("/players/")[0]
    edit(client, deal, "S", action="type", codes=codes)
    return deal


def scored(seat: str, round_wind: str, win: str, source: str) -> int:
    """The total of the hand, by the scorer."""
    others = [Player(other, claimed=0) for other in "ESWN" if other != seat]
    giver = others[0].seat if source == "discard" else None
    won = Win(seat, win, source, giver)
    deal = Deal(RULES, (Player(seat, HAND), *others), won, round_wind=round_wind)
    return score_hand(deal, seat).total


def test_a_hand_is_valued_at_once_and_then_exactly(client: FlaskClient) -> None:
    deal = begin(client, HAND)
    page = words(client.get(f"{deal}/worth"))
    totals = [
        scored("S", "E", tile, source)
        for tile in ("2m", "3m", "4m", "5p", "6s", "7z", "9m")
        for source in ("wall", "discard")
    ]
    assert f"Complete: {min(totals)} to {max(totals)}." in page
    told = {"winner": "S", "asked": "S", "tile": "9m", "source": "wall", "round_wind": "S"}
    client.post(f"{deal}/worth", data=told)
    page = words(client.get(f"{deal}/worth"))
    assert f"Total {scored('S', 'S', '9m', 'wall')} " in page
    assert "Winning tile drawn from the wall" in page


def test_its_own_wind_can_be_chosen_and_takes_the_tiles_along(
    app: Flask, client: FlaskClient
) -> None:
    deal = begin(client, HAND)
    told = {"winner": "S", "asked": "S", "tile": "9m", "source": "discard", "wind": "E"}
    client.post(f"{deal}/worth", data=told)
    state = state_of(app, deal)
    assert (state.only, state.win.seat, len(state.player("E").tiles)) == ("E", "E", 14)
    assert not state.player("S").tiles
    assert f"Total {scored('E', 'E', '9m', 'discard')} " in words(client.get(f"{deal}/worth"))


def test_a_hand_that_did_not_go_out_scores_what_it_holds(client: FlaskClient) -> None:
    deal = begin(client, "555p 666s 777z 99m 12s")
    page = words(client.get(f"{deal}/worth"))
    alone = Deal(
        RULES,
        (Player("S", "555p 666s 777z 99m 12s"), *(Player(s, claimed=0) for s in "EWN")),
        Win("E", None, "wall"),
    )
    assert f"Total {score_hand(alone, 'S').total} " in page


def test_what_is_no_hand_says_so(client: FlaskClient) -> None:
    deal = begin(client, "123m 456p 789s 1234z 5z")
    page = words(client.get(f"{deal}/worth"))
    assert "This cannot be scored yet" in page
    assert "do not make a winning hand" in page


def test_without_tiles_they_are_asked_for_first(client: FlaskClient) -> None:
    target = client.post("/worth").headers["Location"]
    assert target.endswith("/players/S/photo")
    assert "What is this hand worth?" in client.get(target).text
    deal = target.split("/players/")[0]
    assert client.get(f"{deal}/worth").headers["Location"] == target


def test_playing_on_makes_a_deal_of_it(app: Flask, client: FlaskClient) -> None:
    deal = begin(client, HAND)
    assert client.get(deal).headers["Location"] == f"{deal}/worth"
    assert client.post(f"{deal}/whole").headers["Location"] == deal
    assert state_of(app, deal).only is None
    page = words(client.get(deal))
    assert "players’ tiles" in page  # noqa: RUF001
    assert "East" in page
    assert client.get(f"{deal}/worth").headers["Location"] == deal


def test_a_running_line_is_shown_while_tiles_are_entered(client: FlaskClient) -> None:
    deal = start(client)
    lines = []
    for codes in ("777z", "555p", "666s 99m 12s", "3s"):
        edit(client, deal, "S", action="type", codes=codes)
        page = words(client.get(f"{deal}/players/S"))
        lines.append(next(s for s in ("so far.", "Complete:", "Not a complete") if s in page))
    assert lines == ["so far.", "so far.", "so far.", "Complete:"]
    assert "Complete: " in words(client.get(deal))
    edit(client, deal, "W", action="type", codes="123m 456p 789s 1234z 5z")
    assert "Not a complete hand." in words(client.get(f"{deal}/players/W"))
    edit(client, deal, "N", action="type", codes="1m")
    assert "1 point so far" not in words(client.get(f"{deal}/players/N"))
