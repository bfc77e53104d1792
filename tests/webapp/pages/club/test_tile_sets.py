"""A set is photographed, checked tile by tile, kept, shared, and read with."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.tiles import NAMES, TILES
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, EMPTY_PHOTO, FakeReader, photo_of, read_as, reading_of
from tests.webapp.pages.table.test_games import enter_deal
from vision.layout.unknown_set import UNKNOWN_SET
from vision.messages import Message, say
from vision.photo.decode import PhotoData
from vision.runtime.registry import ModelEntry
from vision.tilesets.folder import FOLDER_VARIABLE
from vision.tilesets.profile import SetProfile, Shot, make_profile, with_copies
from vision.tilesets.profile_file import list_profiles, load_profile, save_profile
from vision.tilesets.teaching import PICTURED
from vision.vocabulary.readings import Reading
from webapp.language.kept import brought_back, kept
from webapp.photos.workers import SameProcess
from webapp.tile_sets import tasks
from webapp.tile_sets.chosen import drafts_folder, set_on_table
from webapp.tile_sets.drafts import SetDesk

PHOTO = b"a photo of the set"


def crop(number: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((96, 72, 3), number * 5 % 256, np.uint8)


def seen(labels: list[str], weak: tuple[int, ...] = ()) -> dict[str, Any]:
    """What a photo shows whose tiles were taken for these."""
    tiles = []
    for number, label in enumerate(labels):
        png = cv2.imencode(".png", crop(number))[1].tobytes()
        direction = np.eye(64, dtype="<f4")[number]
        tiles.append(
            {
                "label": label,
                "margin": 1.0 + number / 100 if number in weak else 50.0,
                "guesses": [label, "1s", "2f"],
                "nothing": False,
                "png": base64.b64encode(png).decode(),
                "direction": base64.b64encode(direction.tobytes()).decode(),
            }
        )
    return {"tiles": tiles, "warnings": []}


class FakeLook:
    def __init__(self) -> None:
        self.found: dict[bytes, dict[str, Any]] = {PHOTO: seen(list(TILES), weak=(3, 40))}

    def __call__(self, photos: Sequence[bytes]) -> list[dict[str, Any]]:
        nothing = {"error": kept(say("set.no_tiles"))}
        return [self.found.get(data, nothing) for data in photos]


class FakeClassifier:
    entry = ModelEntry("classifier", "classifier.onnx", "0" * 64, "9.9")
    size = (96, 72)

    def embed(self, crops: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.eye(64, dtype=np.float32)[: len(crops)]


@pytest.fixture(autouse=True)
def look(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeLook:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "sets"))
    monkeypatch.setattr("vision.open_classifier", FakeClassifier)
    found = FakeLook()
    services_of(app).sets.look = found
    return found


def teach(client: FlaskClient, name: str = "Club set", photo: bytes = PHOTO) -> str:
    """Send a photo and wait until it was read; gives the address of the check page."""
    sent = client.post("/sets", data={"name": name, "photo": (BytesIO(photo), "set.jpg")})
    assert sent.status_code == 303, sent.text
    address: str = sent.headers["Location"]
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if "hx-trigger" not in client.get(address).text:
            return address
        time.sleep(0.01)
    raise TimeoutError("the photo was not read")


def test_the_weakest_tiles_are_asked_about_first(client: FlaskClient) -> None:
    address = teach(client)
    page = client.get(address).text
    assert "Look at these first" in page
    first = page.index("Look at these first")
    links = re.findall(r'href="([^"]+)"', page[first:])
    assert [link.rsplit("/", 1)[1] for link in links[:2]] == ["3", "40"]
    asked = client.get(f"{address}/0/3").text
    assert f"Yes, it is the {NAMES['4m']}" in asked
    to_next = client.post(f"{address}/0/3", data={"label": "4m"})
    assert to_next.headers["Location"] == f"{address}/0/40"
    done = client.post(f"{address}/0/40", data={"label": TILES[40]})
    assert done.headers["Location"] == address
    assert "Nothing doubtful" in client.get(address).text


def test_a_corrected_label_is_what_is_learnt(client: FlaskClient) -> None:
    address = teach(client)
    client.post(f"{address}/0/0", data={"label": "2m"})
    client.post(f"{address}/0/5", data={"label": "-"})
    kept = client.post(address, data={"then": "keep"})
    assert kept.headers["Location"] == "/sets/Club%20set"
    profile = load_profile("Club set")
    by_direction = {int(shot.embedding.argmax()): shot.label for shot in profile.shots}
    assert by_direction[0] == "2m"
    assert by_direction[1] == "1m"
    assert 5 not in by_direction
    assert len(profile.shots) == 41
    assert (next(s for s in profile.shots if s.label == "2m").crop == crop(0)).mean() > 0.9
    page = client.get("/sets/Club set").text
    assert "41 of 42 faces" in page
    assert NAMES["6m"] in page
    assert client.get(address).status_code == 404
    assert not list(drafts_folder().iterdir())


def test_faces_that_the_set_has_not_are_noted(client: FlaskClient, look: FakeLook) -> None:
    look.found[PHOTO] = seen([t for t in TILES if t != "1f"])
    address = teach(client)
    assert "Not on the photo" in client.get(address).text
    client.post(address, data={"then": "keep", "none.1f": "on", "none.9m": "on"})
    assert dict(load_profile("Club set").copies) == {"1f": 0}


def test_another_photo_is_added_to_a_known_set(client: FlaskClient, look: FakeLook) -> None:
    client.post(teach(client), data={"then": "keep"})
    look.found[b"dragons"] = seen(list(PICTURED))
    client.post(teach(client, photo=b"dragons"), data={"then": "keep"})
    assert len(load_profile("Club set").shots) == len(TILES) + len(PICTURED)


def test_a_photo_without_tiles_says_so_and_can_be_given_up(client: FlaskClient) -> None:
    address = teach(client, photo=EMPTY_PHOTO)
    page = client.get(address).text
    assert "No mahjong tiles were found" in page
    assert "Save this set" not in page
    assert client.post(address, data={"then": "keep"}).status_code == 400
    assert client.post(address, data={"then": "drop"}).headers["Location"] == "/sets"
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("name", ["", "../etc", "a" * 41, "<b>"])
def test_a_set_needs_a_proper_name(client: FlaskClient, name: str) -> None:
    sent = client.post("/sets", data={"name": name, "photo": (BytesIO(PHOTO), "set.jpg")})
    assert sent.status_code == 400
    assert "cannot be called" in sent.text


def test_without_a_photo_nothing_begins(client: FlaskClient) -> None:
    assert client.post("/sets", data={"name": "Club set"}).status_code == 400
    many = [(BytesIO(PHOTO), f"{n}.jpg") for n in range(7)]
    assert client.post("/sets", data={"name": "Club set", "photo": many}).status_code == 400


@pytest.mark.parametrize(
    ("path", "label", "status"),
    [("0/99", "1m", 404), ("7/0", "1m", 404), ("0/0", "xx", 400)],
)
def test_wrong_answers_are_refused(client: FlaskClient, path: str, label: str, status: int) -> None:
    address = teach(client)
    assert client.post(f"{address}/{path}", data={"label": label}).status_code == status


@pytest.mark.parametrize("path", ["/sets/none", "/sets/none/file", "/sets/drafts/0123", "/sets/.."])
def test_what_is_not_there_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code in (404, 405, 308)


def test_a_set_goes_out_as_a_file_and_comes_back(client: FlaskClient) -> None:
    client.post(teach(client), data={"then": "keep"})
    with client.get("/sets/Club set/file") as file:
        assert "Club set.kongset" in file.headers["Content-Disposition"]
        data = file.data
    twice = client.post("/sets/file", data={"file": (BytesIO(data), "x")}, follow_redirects=True)
    assert "There is already a set" in twice.text
    assert "has been removed" in client.post("/sets/Club set/remove", follow_redirects=True).text
    assert list_profiles() == []
    back = client.post("/sets/file", data={"file": (BytesIO(data), "x")})
    assert back.headers["Location"] == "/sets/Club%20set"
    assert len(load_profile("Club set").shots) == len(TILES)
    for bad in (b"", b"{}", b"\x00" * 100):
        client.post("/sets/file", data={"file": (BytesIO(bad), "x")})
    assert list_profiles() == ["Club set"]


class SetReader(FakeReader):
    """Remembers which set it was asked to read with."""

    def __init__(self) -> None:
        super().__init__()
        self.sets: list[str] = []

    def __call__(self, photo: PhotoData, tile_set: str = "") -> Reading:
        self.sets.append(tile_set if photo else "no photo")
        return read_as(reading_of(DEAL["players"][0], {}))


def keep_set(name: str, **copies: int) -> None:
    """A profile of the set, which has so many of each face named as ``n1f`` and so on."""
    profile = make_profile(name, [Shot("1m", crop(1), np.eye(8)[0])], FakeClassifier.entry)
    save_profile(with_copies(profile, {face[1:]: count for face, count in copies.items()}))


def test_photos_are_read_with_the_set_of_the_table(app: Flask, client: FlaskClient) -> None:
    keep_set("Jade set")
    found = services_of(app)
    reader = SetReader()
    found.desk._workshop = SameProcess(reader)
    opened = client.post("/tables", data={f"name_{s}": s * 2 for s in "ESWN"})
    table = opened.headers["Location"]
    deal = _next(client, table)
    page = client.get(f"{deal}/players/E/photo").text
    assert "<option >Jade set</option>" in page
    client.post(f"{deal}/players/E/set", data={"tile_set": "Jade set"})
    assert "<option selected>Jade set</option>" in client.get(f"{deal}/players/S/photo").text
    stored = found.store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    assert stored.undo is not None
    assert str(brought_back(stored.undo)) == "Tile set: Jade set"
    found.desk.take(deal.rsplit("/", 1)[1], "E", "photo", EMPTY_PHOTO)
    _until(lambda: reader.sets == ["Jade set"])
    assert client.post(f"{deal}/players/E/set", data={"tile_set": "No set"}).status_code == 400


def deal_with_photo(
    app: Flask, client: FlaskClient, doubtful: int, warnings: list[Message | str]
) -> str:
    """The address of a deal whose East has a photo with so many doubtful tiles and warnings."""
    player = DEAL["players"][0]
    hand = player["concealed"]
    reading = reading_of(player, {i: (hand[i], "9p") for i in range(doubtful)})
    reading["warnings"] = warnings
    services_of(app).desk._workshop = SameProcess(lambda *_: read_as(reading))
    table = client.post("/tables", data={f"name_{s}": s * 2 for s in "ESWN"}).headers["Location"]
    deal = _next(client, table)
    deal_id = deal.rsplit("/", 1)[1]
    services_of(app).desk.take(deal_id, "E", "photo", photo_of(reading))
    wait_for_photos(app, deal_id)
    return deal


@pytest.mark.parametrize("page", ["", "/players/E"])
def test_of_a_set_that_is_not_known_one_line_is_told_with_the_way_to_teach_it(
    app: Flask, client: FlaskClient, page: str
) -> None:
    deal = deal_with_photo(app, client, 8, ["The photo is dark.", UNKNOWN_SET])
    text = client.get(f"{deal}{page}").text
    assert text.count(str(UNKNOWN_SET)) == 1
    line = text.partition('id="unknown-set"')[2].partition("</div>")[0]
    assert 'href="/sets/new"' in line
    assert 'class="badge"' not in text
    assert "to check" not in text
    assert "Which tile is it?" not in text
    assert "per cent sure" not in text
    assert ("The photo is dark." in text) == bool(page)


@pytest.mark.parametrize("page", ["", "/players/E"])
def test_doubtful_tiles_of_a_known_set_are_marked_one_by_one(
    app: Flask, client: FlaskClient, page: str
) -> None:
    text = client.get(f"{deal_with_photo(app, client, 8, [])}{page}").text
    assert 'id="unknown-set"' not in text
    assert "8 to check" in text
    assert text.count('class="badge"') == (8 if page else 0)


def test_once_the_set_is_chosen_the_line_leads_to_another_photo(
    app: Flask, client: FlaskClient
) -> None:
    keep_set("Jade set")
    deal = deal_with_photo(app, client, 8, [UNKNOWN_SET])
    client.post(f"{deal}/players/E/set", data={"tile_set": "Jade set"})
    line = client.get(f"{deal}/players/E").text.partition('id="unknown-set"')[2]
    assert f'href="{deal}/players/E/photo"' in line.partition("</div>")[0]


def test_once_all_tiles_are_confirmed_the_line_is_gone(app: Flask, client: FlaskClient) -> None:
    deal = deal_with_photo(app, client, 8, [UNKNOWN_SET])
    client.post(f"{deal}/players/E/edit", data={"action": "confirm_all"})
    text = client.get(f"{deal}/players/E").text
    assert str(UNKNOWN_SET) not in text
    assert "Nothing doubtful." in text


def test_a_face_that_the_set_lacks_is_decided_to_be_another(
    app: Flask, client: FlaskClient
) -> None:
    keep_set("Jade set", n2f=0)
    found = services_of(app)
    reading = reading_of(DEAL["players"][1], {})
    (flower,) = [tile for tile in reading["tiles"] if tile["label"] == "2f"]
    flower |= {"confidence": 0.6, "alternatives": [["2f", 0.6], ["3f", 0.39]]}
    found.desk._workshop = SameProcess(lambda *_, **__: read_as(reading))
    table = client.post("/tables", data={f"name_{s}": s * 2 for s in "ESWN"}).headers["Location"]
    deal = _next(client, table)
    deal_id = deal.rsplit("/", 1)[1]

    def flowers() -> list[str]:
        stored = found.store.deal(deal_id)
        assert stored is not None
        return [tile.label for tile in stored.state.player("S").in_place("bonus")]

    found.desk.take(deal_id, "S", "photo", photo_of(reading))
    wait_for_photos(app, deal_id)
    assert flowers() == ["2f"]
    client.post(f"{deal}/players/S/set", data={"tile_set": "Jade set"})
    assert flowers() == ["3f"]
    found.desk.take(deal_id, "S", "photo", photo_of(reading))
    wait_for_photos(app, deal_id)
    assert flowers() == ["3f"]
    client.post(f"{deal}/players/S/edit", data={"action": "about", "name": "Ben"})
    assert flowers() == ["3f"]
    client.post(f"{deal}/players/S/set", data={"tile_set": ""})
    assert flowers() == ["2f"]


def _next(client: FlaskClient, table: str) -> str:
    place: str = client.post(f"{table}/next").headers["Location"]
    return place


def _until(true: Any, seconds: float = 5) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_set_holds_for_the_hands_that_follow(app: Flask, client: FlaskClient) -> None:
    keep_set("Jade set")
    found = services_of(app)
    opened = client.post("/tables", data={f"name_{s}": s * 2 for s in "ESWN"})
    table = opened.headers["Location"]
    deal = _next(client, table)
    client.post(f"{deal}/players/E/set", data={"tile_set": "Jade set"})
    enter_deal(client, deal, "E", E=40, S=20, W=0, N=0)
    first = deal.rsplit("/", 1)[1]
    client.post(f"{table}/take", data={"deal": first})
    second = _next(client, table).rsplit("/", 1)[1]
    assert second != first
    assert set_on_table(found.store, found.games, second) == "Jade set"
    client.post(f"/deals/{second}/players/E/set", data={"tile_set": ""})
    assert set_on_table(found.store, found.games, second) == ""
    assert set_on_table(found.store, found.games, "nothing") == ""


def test_the_clubs_set_is_on_the_table_until_another_is_chosen(
    app: Flask, client: FlaskClient
) -> None:
    found = services_of(app)

    def on_table(deal: str) -> str:
        return set_on_table(found.store, found.games, deal.rsplit("/", 1)[1])

    before = client.post("/deals").headers["Location"]
    wrong = client.post("/club/settings/tiles", data={"tile_set": "Jade set"})
    assert wrong.status_code == 400, "nobody taught it"
    keep_set("Jade set")
    client.post("/club/settings/tiles", data={"tile_set": "Jade set"})
    assert on_table(before) == ""
    assert on_table(client.post("/deals").headers["Location"]) == "Jade set"
    table = client.post("/tables", data={f"name_{s}": s * 2 for s in "ESWN"}).headers["Location"]
    deal = _next(client, table)
    assert on_table(deal) == "Jade set"
    assert "<option selected>Jade set</option>" in client.get(f"{deal}/players/E/photo").text
    client.post(f"{deal}/players/E/set", data={"tile_set": ""})
    enter_deal(client, deal, "E", E=40, S=20, W=0, N=0)
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    assert on_table(_next(client, table)) == "", "the table has chosen otherwise"
    client.post("/sets/Jade%20set/remove")
    assert on_table(client.post("/deals").headers["Location"]) == ""


def test_a_draft_goes_on_after_a_restart(tmp_path: Path, look: FakeLook) -> None:
    folder = tmp_path / "drafts"
    first = SetDesk(lambda: folder, SameProcess(FakeReader()), look)
    first._pool.shutdown()
    with pytest.raises(RuntimeError):
        first.begin("Club set", [PHOTO])
    draft_id = next(folder.iterdir()).name
    second = SetDesk(lambda: folder, SameProcess(FakeReader()), look)
    _until(lambda: (draft := second.draft(draft_id)) is not None and not draft.busy)
    draft = second.draft(draft_id)
    assert draft is not None
    assert draft.read == (0,)
    _until(lambda: not list((folder / draft_id).glob("*.photo")))
    second.close()


class ReaderOf:
    """Gives back the profile that it was opened with instead of reading."""

    def __init__(self, profile: SetProfile) -> None:
        self._profile = profile

    def read(self, _: bytes) -> SetProfile:
        return self._profile


def test_the_recogniser_is_asked_with_the_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision import PhotoRejected
    from webapp.photos.workers import default_reader

    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    keep_set("Jade set")
    asked: list[Any] = []
    monkeypatch.setattr("vision.read_photo", lambda _: asked.append(None))
    monkeypatch.setattr("vision.open_reader", ReaderOf)
    default_reader(b"x")
    assert asked == [None]
    first, again = (default_reader(b"x", tile_set="Jade set") for _ in range(2))
    assert first is again
    assert cast("SetProfile", first).name == "Jade set"
    keep_set("Jade set")
    assert default_reader(b"x", tile_set="Jade set") is not first
    with pytest.raises(PhotoRejected, match="Choose another set"):
        default_reader(b"x", tile_set="Gone")


def test_the_labels_of_tiles_change_places() -> None:
    photo = tasks.labels_of(seen(["1m", "2m", "3m"])["tiles"], {0: "3m"})
    assert [tile.label for tile in photo.tiles] == ["3m", "2m", "1m"]


def test_a_face_changes_places_between_photos(client: FlaskClient, look: FakeLook) -> None:
    look.found = {b"one": seen(list(TILES[:21])), b"two": seen(list(TILES[21:41]))}
    files = [(BytesIO(data), "set.jpg") for data in look.found]
    address = client.post("/sets", data={"name": "Rows", "photo": files}).headers["Location"]
    while "hx-trigger" in client.get(address).text:
        time.sleep(0.01)
    page = client.get(address).text
    assert page.count("Not on the photo") == 1
    assert page.count(f"none.{TILES[41]}") == 1
    client.post(f"{address}/0/0", data={"label": TILES[21]})
    assert f"Yes, it is the {NAMES[TILES[21]]}" in client.get(f"{address}/0/0").text
    assert f"Yes, it is the {NAMES[TILES[0]]}" in client.get(f"{address}/1/0").text
