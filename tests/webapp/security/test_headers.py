"""The dangerous door: hosts, foreign sites, sizes, headers and the key."""

from __future__ import annotations

import re
import stat
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

from webapp.security.bodies import MAX_PHOTO_BYTES
from webapp.security.headers import SECRET_BYTES, host_allowed, secret_key


def test_the_key_is_random_private_and_kept(tmp_path: Path) -> None:
    key = secret_key(tmp_path)
    assert len(key) == SECRET_BYTES
    assert secret_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    (tmp_path / "secret.key").write_bytes(b"dev")
    assert len(secret_key(tmp_path)) == SECRET_BYTES


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "192.168.1.7:8000", "[::1]:80"])
def test_this_machine_is_known(host: str) -> None:
    assert host_allowed(host)


@pytest.mark.parametrize("host", ["", "evil.example", "localhost.evil.example", "127.0.0.1.nip.io"])
def test_other_names_are_not(client: FlaskClient, host: str) -> None:
    assert not host_allowed(host)
    if host:
        assert client.get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_balancer_asks_by_any_name_whether_all_is_well(client: FlaskClient, path: str) -> None:
    assert client.get(path, headers={"Host": "server-1:8000"}).status_code == 200


def test_a_name_can_be_given(monkeypatch: pytest.MonkeyPatch, client: FlaskClient) -> None:
    monkeypatch.setenv("KONGBOX_HOSTS", "club.example")
    assert client.get("/", headers={"Host": "club.example"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_other_sites_cannot_send_forms(
    client: FlaskClient, headers: dict[str, str], status: int
) -> None:
    assert client.post("/deals", headers=headers).status_code == status


@pytest.mark.parametrize("path", ["/", "/nothing", "/healthz", "/static/kongbox.css"])
def test_every_answer_carries_the_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as response:
        headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Permissions-Policy"] == "camera=(self)"


@pytest.mark.parametrize(
    ("base", "given"),
    [
        ("http://localhost", "same-origin"),
        ("http://192.168.1.7", None),
        ("https://192.168.1.7", "same-origin"),
    ],
)
def test_browsers_get_no_header_that_they_report_as_ignored(
    client: FlaskClient, base: str, given: str | None
) -> None:
    with client.get("/healthz", base_url=base) as response:
        assert response.headers.get("Cross-Origin-Opener-Policy") == given


def test_nobody_who_came_by_https_is_kept_from_coming_by_http(client: FlaskClient) -> None:
    with client.get("/", base_url="https://localhost") as answer:
        assert "Strict-Transport-Security" not in answer.headers


def test_the_files_of_the_page_may_be_kept_because_their_address_changes(
    client: FlaskClient,
) -> None:
    page = client.get("/").text
    address = re.findall(r'href="(/static/kongbox\.css\?v=[0-9a-f]{8})"', page)
    assert len(address) == 1
    with client.get(address[0]) as response:
        assert response.cache_control.max_age == 365 * 24 * 3600


def test_pages_hold_no_inline_script_or_style() -> None:
    folder = Path(__file__).parents[3] / "webapp" / "templates"
    pages = list(folder.glob("*.html"))
    assert pages
    for page in pages:
        text = page.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|\|\s*safe", text), (
            page
        )
        assert "https://" not in text, page


@pytest.mark.parametrize("path", ["/deals/x/players/E/photo", "/api/v1/readings"])
def test_a_body_that_is_too_large_is_refused_with_a_way_out(client: FlaskClient, path: str) -> None:
    deal = client.post("/deals").headers["Location"].rsplit("/", 1)[1]
    response = client.post(
        path.replace("/x/", f"/{deal}/"),
        input_stream=BytesIO(bytes(MAX_PHOTO_BYTES + 1)),
        content_length=MAX_PHOTO_BYTES + 1,
        content_type="multipart/form-data; boundary=b",
    )
    assert response.status_code == 413
    assert "smaller picture size" in response.text


class NeverRead(BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise AssertionError(f"{size} bytes were read")

    def readinto(self, buffer: object, /) -> int:
        raise AssertionError(f"{buffer!r} was filled")


@pytest.mark.parametrize("path", ["/deals/x/players/E/photo", "/api/v1/readings", "/login"])
def test_a_gigabyte_is_refused_before_it_is_read(client: FlaskClient, path: str) -> None:
    deal = client.post("/deals").headers["Location"].rsplit("/", 1)[1]
    response = client.post(
        path.replace("/x/", f"/{deal}/"),
        input_stream=NeverRead(),
        environ_overrides={"CONTENT_LENGTH": str(1 << 30)},
        content_type="multipart/form-data; boundary=b",
    )
    assert response.status_code == 413


def test_names_at_a_table_are_shown_as_written(client: FlaskClient) -> None:
    names = ("A<script>a()</script>", 'B"><img src=x onerror=a()>', "C{{7*7}}", "Dee")
    form = {f"name_{seat}": name for seat, name in zip("ESWN", names, strict=True)}
    opened = client.post("/tables", data={**form, "ruleset": "bmja-u3a"})
    assert opened.status_code == 303
    table = opened.headers["Location"]
    for path in (table, "/", "/evenings", f"{table}/history", f"{table}/hands/1/totals"):
        page = client.get(path, follow_redirects=True).text
        assert "<script>a()" not in page
        assert "<img src=x" not in page
        assert "C49" not in page
    assert "A&lt;script&gt;a()&lt;/script&gt;" in client.get(table).text


def test_a_fault_is_answered_without_a_traceback(app: Flask) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False

    def fall_over() -> str:
        raise RuntimeError("secret words")

    app.add_url_rule("/fall-over", view_func=fall_over)
    app.add_url_rule("/gone", view_func=lambda: abort(410))
    response = app.test_client().get("/fall-over")
    assert response.status_code == 500
    assert "secret words" not in response.text
    assert re.search(r"reference [0-9a-f]{8}", response.text)
    assert app.test_client().get("/gone").status_code == 410
