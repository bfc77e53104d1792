"""What somebody would try who means harm: files, names, paths, passwords."""

from __future__ import annotations

import hashlib
import inspect
import re
import zipfile
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of, white_png
from tests.webapp.pages.table.test_games import game_of, open_table, totals
from tests.webapp.security.test_login import LAN, PASSWORD, club, kept
from webapp.security.limits import UPLOADS
from webapp.security.policy import policy_of

__all__ = ["club", "kept"]

SCRIPT = "<script>a()</script>"
IMAGE = '"><img src=x onerror=a()>'
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="a()"><script>a()</script></svg>'


def whole_jpeg() -> bytes:
    noise = np.random.default_rng(3).integers(0, 256, (80, 80, 3), np.uint8)
    encoded: bytes = cv2.imencode(".jpg", noise)[1].tobytes()
    return encoded


def with_comment(jpeg: bytes, comment: bytes) -> bytes:
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def archive() -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("index.html", SCRIPT)
    return file.getvalue()


def send(client: FlaskClient, deal: str, data: bytes, name: str) -> TestResponse:
    form = {"photo": (BytesIO(data), name)}
    return client.post(f"{deal}/players/E/photo", data=form, content_type="multipart/form-data")


@pytest.mark.parametrize("data", [
    white_png(20_000, 20_000), white_png(64_000, 40), SVG, b"<?xml version='1.0'?>" + SVG,
    b"GIF89a" + bytes(40), b"%PDF-1.7 " + SCRIPT.encode(), archive(), b"\xff\xd8\xff" + SVG,
    whole_jpeg()[:60], b"\x89PNG\r\n\x1a\n" + bytes(30), b"RIFF\xff\xff\xff\xffWEBPVP8 ",
    b"MZ" + bytes(90), b"#!/bin/sh\nrm -rf /\n",
], ids=[
    "bomb", "long", "svg", "xml", "gif", "pdf", "zip", "jpeg and svg", "cut", "png", "webp",
    "program", "script",
])  # fmt: skip
def test_files_that_are_no_photos_are_refused_and_never_given_back(
    app: Flask, client: FlaskClient, data: bytes
) -> None:
    deal = client.post("/deals").headers["Location"]
    sent = send(client, deal, data, "photo.jpg")
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert "Try another photo" in client.get(sent.headers["Location"]).text
    assert client.get(sent.headers["Location"] + ".jpg").status_code == 404
    kept_bytes = Path(str(services_of(app).engine.url.database)).read_bytes()
    assert data[:200] not in kept_bytes or len(data) < 40


@pytest.mark.parametrize("tail", [SVG, archive(), SCRIPT.encode()], ids=["svg", "zip", "html"])
def test_what_hides_in_a_photo_is_not_shown_again(
    app: Flask, client: FlaskClient, reader: FakeReader, tail: bytes
) -> None:
    reading = reading_of(DEAL["players"][0], {})
    hidden = with_comment(reader.learn(reading), tail) + tail
    reader.hook = lambda: reader.known.update(dict.fromkeys([_digest(hidden)], reading))
    deal = client.post("/deals").headers["Location"]
    progress = send(client, deal, hidden, "p.html").headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    shown = client.get(f"{progress}.jpg")
    assert shown.status_code == 200
    assert shown.mimetype == "image/jpeg"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert tail not in shown.data


@pytest.mark.parametrize("name", [
    "../../../etc/passwd", "..\\..\\boot.ini", "a\x00.jpg", "/etc/passwd", f"{SCRIPT}.jpg",
    "x" * 5000,
])  # fmt: skip
def test_the_name_of_a_photo_names_no_file(
    app: Flask, client: FlaskClient, tmp_path: Path, samples: Path, name: str
) -> None:
    before = set(tmp_path.rglob("*"))
    deal = client.post("/deals").headers["Location"]
    photo = (samples.parent / "static" / "samples" / "E.jpg").read_bytes()
    progress = send(client, deal, photo, name).headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert client.get(f"{progress}.jpg").status_code == 200
    pages = client.get(deal).text + client.get(f"{deal}/players/E").text
    assert SCRIPT not in pages
    added = {path.name for path in set(tmp_path.rglob("*")) - before}
    assert added <= {"test.sqlite3-wal", "test.sqlite3-shm"}


PATHS = ("..", "../x", "..%2f..%2fetc%2fpasswd", "%2e%2e%2fsecret.key", "x%00y", "....//x", "~root")


@pytest.mark.parametrize("name", PATHS)
def test_names_in_addresses_lead_to_no_file(client: FlaskClient, name: str) -> None:
    for path in (
        f"/sets/{name}", f"/sets/{name}/file", f"/house-rules/{name}.toml", f"/house-rules/{name}",
        f"/samples/{name}.jpg", f"/cameras/{name}.jpg", f"/shared/{name}", f"/players/{name}",
        f"/sets/drafts/{name}", f"/learn/rules/{name}", f"/static/{name}", f"/board.{name}",
    ):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code in (302, 303, 404, 400, 308), path
        assert "root:" not in answer.text
        answer.close()


@pytest.mark.parametrize("name", ["../evil", "..", "/tmp/evil", "a/b", ".hidden", "a\x00b", SCRIPT])
def test_a_set_cannot_be_given_the_name_of_another_file(
    client: FlaskClient, tmp_path: Path, name: str
) -> None:
    before = set(tmp_path.rglob("*"))
    form = {"name": name, "photo": (BytesIO(whole_jpeg()), "p.jpg")}
    answer = client.post("/sets", data=form, content_type="multipart/form-data")
    assert answer.status_code == 400
    assert SCRIPT not in answer.text
    added = {path.name for path in set(tmp_path.rglob("*")) - before}
    assert added <= {"test.sqlite3-wal", "test.sqlite3-shm"}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def links(page: str) -> set[str]:
    """The pages of Kongbox that a page leads to."""
    found = re.findall(r'(?:href|src)="(/[^"#]*)', page)
    return {link.replace("&amp;", "&") for link in found if not link.startswith("/static/")}


def test_what_people_write_is_shown_as_written_on_every_page_it_reaches(
    app: Flask, client: FlaskClient
) -> None:
    table = open_table(client, name_E=f"X{SCRIPT}", name_S=f"Y{IMAGE}", place=f"P{SCRIPT}")
    totals(client, table, 1, "S", 20, 128, 8, 16)
    deal = f"/deals/{game_of(app, table).book.deals[0]}"
    noted = {"who": "*", "other": f"Z{IMAGE}", "text": f"N{SCRIPT}{IMAGE}"}
    assert client.post(f"{deal}/dispute", data=noted).status_code == 303
    client.post("/deals", data={"name_E": f"D{IMAGE}"})
    span = {"first": "2026-01-01", "last": "2026-12-31"}
    assert client.post("/seasons", data={"name": f"S{SCRIPT}", **span}).status_code == 303
    rules = {"name": f"R{SCRIPT}", "description": f"R{IMAGE}", "then": "check"}
    pages = [
        client.post("/house-rules/bmja-u3a/edit", data=rules).text,
        client.post("/sets", data={"name": f"T{IMAGE}"}).text,
        client.post("/accounts", data={"name": f"A{SCRIPT}", "password": IMAGE}).text,
    ]
    to_do = ["/", table, deal, f"/search?q=X{SCRIPT}", "/players", "/seasons", "/board"]
    seen: set[str] = set()
    while to_do and len(seen) < 60:
        path = to_do.pop(0)
        seen.add(path)
        with client.get(path, follow_redirects=True) as answer:
            if answer.mimetype == "text/html":
                text = answer.get_data(as_text=True)
                pages.append(text)
                to_do += sorted(links(text) - seen - set(to_do))
    for letter in "XYZNDSRTA":
        assert any(f"{letter}&lt;" in page or f"{letter}&#34;" in page for page in pages), letter
    for page in pages:
        assert SCRIPT not in page
        assert "<img src=x" not in page


def test_programs_cannot_guess_passwords_either(club: Flask) -> None:
    phone = {"REMOTE_ADDR": "192.168.1.66"}

    def ask(name: str, password: str, where: dict[str, str] = phone) -> int:
        client = club.test_client()
        return client.get("/", auth=(name, password), environ_base=where).status_code

    assert ask("Sam", PASSWORD) == 200
    assert [ask("Sam", f"guess {n}") for n in range(6)] == [303] * 5 + [429]
    assert ask("sam ", PASSWORD) == 429, "not even the right one"
    assert ask("Sam", PASSWORD, LAN) == 200, "from another phone it is taken"
    for n in range(15):
        ask(f"nobody {n}", "guess")
    assert ask("Sue", PASSWORD) == 429, "one phone has tried too many names"


def test_the_first_secretary_begins_a_new_session(app: Flask) -> None:
    client = app.test_client()
    with client.session_transaction() as session:
        session["planted"] = "by somebody else"
    form = {"name": "Sue", "password": PASSWORD, "again": PASSWORD}
    assert client.post("/accounts", data=form).status_code == 303
    assert "Log out" in client.get("/").text
    with client.session_transaction() as session:
        assert "planted" not in session
        assert session.permanent


def test_every_way_in_for_files_is_limited(app: Flask) -> None:
    takes_files = {
        endpoint
        for endpoint, view in app.view_functions.items()
        if "request.files" in inspect.getsource(inspect.unwrap(view))
    }
    assert {"capture.send", "tile_sets.begin"} < takes_files
    told_all_the_time = {"api.camera", "cameras.look"}
    policies = {endpoint: policy_of(view) for endpoint, view in app.view_functions.items()}
    limited = {each for each, it in policies.items() if it is not None and it.rate is UPLOADS}
    assert takes_files - limited == told_all_the_time, "what a camera sees"


def test_one_phone_cannot_enter_without_end(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr("webapp.security.limits.ENTRIES", 6)
    client = request.getfixturevalue("app").test_client()
    paths = ["/deals", "/evenings", "/tables/demo", "/settings", "/seasons", "/players"]
    sent = [client.post(path, environ_base=LAN).status_code for path in [*paths, "/deals"]]
    assert 429 not in sent[:6]
    assert sent[6] == 429
    assert "Nothing is lost" in client.post("/deals", environ_base=LAN).text
    assert client.get("/", environ_base=LAN).status_code == 200, "looking is free"
    assert client.post("/deals").status_code == 303, "this computer itself may"


@pytest.mark.parametrize("body", [
    b"[" * 60_000, b'{"a":' * 12_000, b'{"claimed":NaN}', b'{"claimed":' + b"9" * 6000 + b"}",
    b"null", b"\xff\xfe", b'{"game":"\\ud800"}',
], ids=["deep lists", "deep objects", "NaN", "long number", "null", "bytes", "half"])  # fmt: skip
def test_json_that_nobody_would_send_is_refused_in_words(client: FlaskClient, body: bytes) -> None:
    scored = client.post("/api/v1/scores", data=body, content_type="application/json")
    assert scored.status_code in (400, 422)
    assert len(scored.get_json()["detail"]) > 20
    waited = client.post("/offline/entries", data=body, content_type="application/json")
    assert waited.status_code == 200
    assert waited.get_json()["state"] == "refused"
