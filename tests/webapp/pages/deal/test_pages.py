"""The whole flow through the pages, as a browser without scripts sends it."""

from __future__ import annotations

import re
from io import BytesIO
from threading import Event
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from scorer.english.sources import cited
from scorer.tiles import NAMES
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, EMPTY_PHOTO, FakeReader, photo_of, reading_of, white_png
from webapp.deal.photos import WAITING
from webapp.deal.state import HAND, DealState
from webapp.photos.desk import MAX_QUEUE

JPEG = "image/jpeg"


def start(client: FlaskClient, **form: str) -> str:
    return client.post("/deals", data=form).headers["Location"]


def state_of(app: Flask, deal: str) -> DealState:
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    return stored.state


def demo(app: Flask, client: FlaskClient) -> str:
    deal = client.post("/demo").headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    return deal


def send_photo(client: FlaskClient, deal: str, seat: str, data: bytes, name: str = "a.jpg") -> Any:
    return client.post(f"{deal}/players/{seat}/photo", data={"photo": (BytesIO(data), name)})


def edit(client: FlaskClient, deal: str, seat: str, **form: Any) -> Any:
    return client.post(f"{deal}/players/{seat}/edit", data=form)


def test_an_empty_start_explains_itself(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "Nothing here yet" in page
    assert "Score a deal" in page
    assert "Try the demo" in page


def test_the_demo_is_corrected_scored_and_settled(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    expected = scorer.score_deal(scorer.parse_deal(DEAL)).to_json()

    review = client.get(f"{deal}/players/N").text
    (doubtful,) = re.findall(r'id="(t\d+)">\s*<a class="tap doubt"', review)
    tile = client.get(f"{deal}/players/N/tiles/{doubtful}").text
    assert "55% sure" in tile
    assert tile.index('value="5p"') < tile.index('value="1m"'), "the likeliest come first"
    edit(client, deal, "N", action="change", tile=doubtful, label="5p")

    page = client.get(f"{deal}/result").text
    names = {"E": "Ann", "S": "Ben", "W": "West", "N": "North"}
    for payment in expected["payments"]:
        payer, payee = names[payment["from"]], names[payment["to"]]
        assert f"{payer} pays {payee} {payment['amount']:,}" in page
    for player in expected["players"]:
        for line in player["lines"]:
            assert line["text"] in page
            assert cited(line["cite"]) in page
    assert "add up to zero" in page
    assert "Ben 2,112" in client.get("/").text


def test_tiles_tapped_in_by_hand_give_the_same_score(client: FlaskClient) -> None:
    deal = start(client, name_E="Ann", name_S="Ben")
    for player in DEAL["players"]:
        seat = player["seat"]
        for label in player["concealed"] + player["bonus"]:
            edit(client, deal, seat, action="add", mode="tile", label=label)
        for meld in player["melds"]:
            kind = "concealed_kong" if meld["concealed"] else meld["kind"]
            edit(client, deal, seat, action="add", mode=kind, label=meld["tiles"][0])
    win = {"winner": "S", "round_wind": "E"}
    client.post(f"{deal}/win", data={**win, "asked": ""})
    answer = {**win, "asked": "S", "tile": "6s", "source": "discard"}
    client.post(f"{deal}/win", data=answer)
    response = client.post(f"{deal}/win", data={**answer, "from": "N", "then": "score"})
    assert response.headers["Location"] == f"{deal}/result"
    result = client.get(f"{deal}/result").text
    expected = scorer.score_deal(scorer.parse_deal(DEAL)).to_json()
    totals = {p["seat"]: p["total"] for p in expected["players"]}
    for seat, total in totals.items():
        section = result.split(f'id="score-{seat}"')[1]
        assert f'<span class="total">{total:,}</span>' in section


def test_one_tile_is_no_tiles(client: FlaskClient) -> None:
    deal = start(client)
    for label, told in (("1m", "1</strong> tile and"), ("2m", "2</strong> tiles and")):
        edit(client, deal, "E", action="add", mode="tile", label=label)
        assert told in client.get(f"{deal}/players/E").text


def test_five_of_a_tile_are_told_and_kept(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    edit(client, deal, "E", action="clear")
    edit(client, deal, "E", action="type", codes="11111m 2468p 2468s")
    target = client.get(f"{deal}/result").headers["Location"]
    page = client.get(target).text
    assert "Not ready to score" in page
    assert re.search("1m|one character", page.split('id="problem"')[1].split("</div>")[0])
    assert [t.label for t in state_of(app, deal).player("E").tiles] == [
        "1m", "1m", "1m", "1m", "1m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s"
    ]  # fmt: skip


def test_a_hand_of_twelve_tiles_is_told_beside_its_player(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    lone = next(t for t in state_of(app, deal).player("W").tiles if t.label == "4z")
    edit(client, deal, "W", action="remove", tile=lone.id)
    target = client.get(f"{deal}/result").headers["Location"]
    assert target == f"{deal}/players/W?check=1"
    assert "12" in client.get(target).text.split('id="problem"')[1].split("</div>")[0]
    edit(client, deal, "W", action="about", status="too_few", name="", claimed="")
    assert client.get(f"{deal}/result").status_code == 200


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"just some words", "notes.jpg", "This is a text file, not a photo"),
        (EMPTY_PHOTO, "x.jpg", "No tiles"),
        (EMPTY_PHOTO[: len(EMPTY_PHOTO) // 8], "cut.jpg", "damaged or cut short"),
        (white_png(20_000, 10_000), "huge.png", "20000 x 10000 pixels"),
        (white_png(14_000, 14_000), "big.png", "196 million pixels"),
        (b"\0\0\0\x1cftypheic" + bytes(64), "iphone.jpg", "HEIC"),
    ],
    ids=["text", "no tiles", "cut short", "too wide", "200 megapixels", "HEIC"],
)
def test_photos_that_cannot_be_read_are_told_and_nothing_is_lost(
    app: Flask, client: FlaskClient, data: bytes, name: str, words: str
) -> None:
    deal = start(client)
    edit(client, deal, "E", action="add", mode="tile", label="7z")
    progress = send_photo(client, deal, "E", data, name).headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    page = client.get(progress).text
    assert words in page
    assert "Try another photo" in page
    assert [t.label for t in state_of(app, deal).player("E").tiles] == ["7z"]


def test_a_photo_shows_its_progress_and_then_the_tiles(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    reader.seconds = 0.3
    reading = reading_of(DEAL["players"][0], {})
    deal = start(client)
    progress = send_photo(client, deal, "E", reader.learn(reading)).headers["Location"]
    assert "Finding and reading the tiles" in client.get(progress).text
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert client.get(progress).headers["Location"] == f"{deal}/players/E"
    told = client.get(progress, headers={"HX-Request": "true"})
    assert told.headers["HX-Redirect"] == f"{deal}/players/E"
    review = client.get(f"{deal}/players/E").text
    assert review.count("<polygon") == len(reading["tiles"])
    shown = client.get(f"{progress}.jpg")
    assert shown.mimetype == JPEG
    assert b"Exif" not in shown.data


def test_a_photo_is_deleted_alone_and_its_tiles_and_corrections_stay(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    north = state_of(app, deal).player("N")
    wrong = next(tile for tile in north.tiles if tile.label == "6p")
    edit(client, deal, "N", action="change", tile=wrong.id, label="5p")
    corrected = state_of(app, deal)
    address = f"{deal}/photos/{north.photo}"
    assert f'action="{address}/delete"' in client.get(f"{deal}/tiles").text
    review = client.get(f"{deal}/players/N").text
    assert "Permanently delete the photo" in review
    assert "<image" in review
    gone = client.post(f"{address}/delete", data={"seat": "N"})
    assert gone.headers["Location"] == f"{deal}/players/N"
    told = client.get(f"{deal}/players/N").text
    assert "This photo was deleted" in told
    assert "<image" not in told
    assert f'id="{wrong.id}"' in told
    assert client.get(f"{address}.jpg").status_code == 404
    assert state_of(app, deal) == corrected
    trail = client.get(f"{deal}/tiles").text
    assert trail.count("<image") == 3, "the photos of the others stay"
    assert "corrected to" in trail
    assert trail.count("This photo was deleted") == 1
    other = start(client).rsplit("/", 1)[1]
    assert client.post(f"/deals/{other}/photos/{north.photo}/delete").status_code == 404


def test_a_photo_that_is_being_read_is_not_deleted(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    go_on = Event()
    reader.hook = go_on.wait
    deal = start(client)
    sent = send_photo(client, deal, "E", reader.learn(reading_of(DEAL["players"][0], {})))
    progress = sent.headers["Location"]
    told = client.post(f"{progress}/delete", follow_redirects=True).text
    go_on.set()
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert "still being read" in told
    assert client.get(f"{progress}.jpg").status_code == 200


def test_a_fault_of_the_reader_is_not_blamed_on_people(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    def break_down() -> None:
        raise RuntimeError("out of order")

    reader.hook = break_down
    deal = start(client)
    progress = send_photo(client, deal, "E", photo_of(reading_of(DEAL["players"][0], {})))
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert "a fault in Kongbox" in client.get(progress.headers["Location"]).text


def test_when_too_many_photos_wait_the_next_is_refused(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    go_on = Event()
    reader.hook = go_on.wait
    photo = reader.learn(reading_of(DEAL["players"][0], {}))
    deal = start(client)
    sent = [send_photo(client, deal, "E", photo) for _ in range(MAX_QUEUE + 1)]
    go_on.set()
    assert [response.status_code for response in sent] == [303] * MAX_QUEUE + [503]
    assert "Nothing is lost" in sent[-1].text
    assert sent[-1].headers["Retry-After"]
    wait_for_photos(app, deal[7:])
    assert len(state_of(app, deal).player("E").tiles) == 13


def test_a_photo_that_waited_when_the_program_stopped_is_read_at_the_next_start(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    found = services_of(app)
    deal = start(client)
    photo = reader.learn(reading_of(DEAL["players"][0], {}))
    photo_id = found.store.add_photo(deal[7:], "E", "photo", photo)
    stored = found.store.photo(photo_id)
    assert stored is not None
    assert stored.stage == WAITING
    found.desk.resume()
    wait_for_photos(app, deal[7:])
    assert state_of(app, deal).player("E").photo == photo_id


def test_no_photo_chosen_is_told(client: FlaskClient) -> None:
    deal = start(client)
    response = client.post(f"{deal}/players/E/photo", data={})
    assert response.status_code == 400
    assert "No photo was chosen" in response.text
    empty = client.post(f"{deal}/players/E/photo", data={"photo": (BytesIO(), "a.jpg")})
    assert empty.status_code == 400
    assert "The file is empty" in empty.text


def test_a_sample_photo_is_read_as_a_players_tiles(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    page = client.get(f"{deal}/players/W/photo").text
    assert "South\N{RIGHT SINGLE QUOTATION MARK}s tiles" in page
    client.post(f"{deal}/players/W/sample", data={"number": "1"})
    wait_for_photos(app, deal[7:])
    assert len(state_of(app, deal).player("W").tiles) == 16
    assert client.post(f"{deal}/players/W/sample", data={"number": "9"}).status_code == 404


def test_undo_names_the_player_and_stands_on_that_players_page(client: FlaskClient) -> None:
    deal = start(client, name_S="Ben")
    edit(client, deal, "S", action="add", label="1m")
    said = "Undo: Tile added (South)"
    assert said in client.get(f"{deal}/players/S").text
    assert said in client.get(deal).text
    for other in ("players/W", "players/W?add=tile", "win"):
        assert "Undo:" not in client.get(f"{deal}/{other}").text
    client.post(f"{deal}/win", data={"winner": "S"})
    assert "Undo: Who won, and how" in client.get(f"{deal}/win").text
    assert "Undo:" not in client.get(f"{deal}/players/S").text


def test_undo_takes_back_one_entry(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    edit(client, deal, "E", action="add", mode="tile", label="1m")
    edit(client, deal, "E", action="add", mode="pung", label="7z")
    page = client.get(f"{deal}/players/E").text
    (head,) = re.findall(r'name="head" value="(\d+)"', page)
    back = f"{deal}/players/E"
    response = client.post(f"{deal}/undo", data={"head": head, "back": back})
    assert response.headers["Location"] == back
    assert [t.label for t in state_of(app, deal).player("E").tiles] == ["1m"]
    elsewhere = client.post(f"{deal}/undo", data={"head": "0", "back": "https://example.org/"})
    assert elsewhere.headers["Location"] == deal


def test_sets_are_laid_apart_and_turned_on_the_page(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    for label in ("5m", "5m", "5m"):
        edit(client, deal, "E", action="add", mode="tile", label=label)
    assert "Tick the three or four tiles" in client.get(f"{deal}/players/E?sets=1").text
    edit(client, deal, "E", action="group", tiles=["t1", "t2", "t3"])
    edit(client, deal, "E", action="toggle", set="s1")
    assert "Concealed" in client.get(f"{deal}/players/E").text
    assert state_of(app, deal).player("E").melds[0].concealed
    edit(client, deal, "E", action="dissolve", set="s1")
    edit(client, deal, "E", action="remove_ticked", tiles=["t1", "t3"])
    assert [t.id for t in state_of(app, deal).player("E").tiles] == ["t2"]
    assert state_of(app, deal).player("E").melds == ()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"action": "add", "mode": "chow", "label": "9s"}, "A chow starts with"),
        ({"action": "add", "mode": "heap", "label": "9s"}, "one tile or a whole set"),
        ({"action": "about", "claimed": "many"}, "a whole number"),
        ({"action": "about", "status": "odd"}, "one of the listed states"),
        ({"action": "remove", "tile": "t7"}, "already been removed"),
        ({"action": "type", "codes": "12q"}, "; write 123m 55p 777z 1f: m for characters"),
    ],
)
def test_entries_that_make_no_sense_are_told(
    client: FlaskClient, form: dict[str, str], words: str
) -> None:
    deal = start(client)
    page = client.post(f"{deal}/players/E/edit", data=form, follow_redirects=True).text
    assert words in page


def test_tiles_can_be_typed(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    edit(client, deal, "E", action="type", codes="55p 1m 7z 2f")
    assert [t.label for t in state_of(app, deal).player("E").tiles] == [
        "1m", "5p", "5p", "7z", "2f"
    ]  # fmt: skip


def test_a_total_can_be_told_instead_of_tiles(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    edit(client, deal, "N", action="about", name="Dee", status="live", claimed="1,000")
    result = client.get(f"{deal}/result").text
    assert "Total as entered" in result
    assert "Dee (North)" in result


def test_a_hand_that_was_not_shown_counts_nothing_with_one_tap(
    app: Flask, client: FlaskClient
) -> None:
    deal = start(client)
    for seat in "EW":
        edit(client, deal, seat, action="about", claimed="64")
    empty = client.get(f"{deal}/players/N").text
    assert "keyboard below" not in empty, "there is none on this page"
    form = empty.split("Not shown: count 0")[0].rsplit("<form", 1)[1]
    edit(client, deal, "N", **dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))
    assert state_of(app, deal).player("N").claimed == 0
    assert "Not shown" not in client.get(f"{deal}/players/N").text
    assert "Not shown" not in client.get(f"{deal}/players/E").text
    edit(client, deal, "N", action="add", mode="tile", label="7z")
    assert state_of(app, deal).player("N").claimed is None


def test_only_answers_that_fit_the_win_are_kept(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    client.post(
        f"{deal}/win",
        data={
            "winner": "S", "asked": "S", "tile": "6s", "source": "wall", "from": "N",
            "last_tile": "on", "first_turn": "on", "round_wind": "S", "fishing": ["E", "N"],
        },
    )  # fmt: skip
    state = state_of(app, deal)
    assert (state.win.source_from, state.win.last_tile, state.win.first_turn) == (None, True, False)
    assert state.round_wind == "S"
    assert [p.seat for p in state.players if p.fishing] == ["E", "N"]
    page = client.get(f"{deal}/win").text
    assert "From whom?" not in page
    assert 'name="last_tile"' in page


def test_a_drawn_hand_settles_nothing(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    extra = state_of(app, deal).player("S").in_place(HAND)[0]
    edit(client, deal, "S", action="remove", tile=extra.id)
    client.post(f"{deal}/win", data={"winner": "nobody", "round_wind": "E"})
    page = client.get(f"{deal}/result").text
    assert "A drawn hand" in page
    assert "No payments" in page


def test_faults_are_added_and_removed(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    fault = {"kind": "false_naming_set", "offender": "W", "victim": "N"}
    client.post(f"{deal}/penalties", data=fault)
    assert len(state_of(app, deal).penalties) == 1
    without = scorer.score_deal(scorer.parse_deal(DEAL)).to_json()["net"]["W"]
    assert f"{without - 50:+,}".replace("-", "\u2212") in client.get(f"{deal}/result").text
    client.post(f"{deal}/penalties", data={"number": "0"})
    assert state_of(app, deal).penalties == ()
    nonsense = client.post(f"{deal}/penalties", data={"kind": "x"}, follow_redirects=True)
    assert "Choose what went wrong" in nonsense.text


@pytest.mark.parametrize(
    ("winds", "names"),
    [
        ("stay", {"E": "Ann", "S": "Ben", "W": "Cyn"}),
        ("pass", {"E": "Ben", "S": "Cyn", "W": "Ann"}),
    ],
)
def test_the_next_deal_keeps_the_people(
    app: Flask, client: FlaskClient, winds: str, names: dict[str, str]
) -> None:
    deal = start(client, absent="N", name_E="Ann", name_S="Ben", name_W="Cyn")
    following = client.post(f"{deal}/next", data={"winds": winds}).headers["Location"]
    players = state_of(app, following).players
    assert {p.seat: p.name for p in players} == names
    assert not any(p.tiles for p in players)


def test_names_are_written_as_text(client: FlaskClient) -> None:
    deal = start(client, name_E="<script>alert(1)</script>")
    page = client.get(deal).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    "path",
    ["/deals/none", "/deals/none/win", "{deal}/players/Q", "{deal}/players/E/tiles/t1",
     "{deal}/photos/none", "{deal}/photos/none.jpg", "/nothing"],
)  # fmt: skip
def test_what_is_not_there_is_told_kindly(client: FlaskClient, path: str) -> None:
    response = client.get(path.format(deal=start(client)))
    assert response.status_code == 404
    assert "Home" in response.text


def test_every_tile_has_a_name_for_those_who_listen(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    page = client.get(f"{deal}/players/S").text
    for tile in state_of(app, deal).player("S").tiles:
        assert f'aria-label="{NAMES[tile.label]}' in page
