"""The proxies of the guide for associations, each as it is installed here, before a real server."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from getpass import getuser
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from flask import Flask

from tests.webapp.browser.browser import Stage
from tests.webapp.security.test_login import club, kept
from tests.webapp.serving.serving import free_port
from webapp.serving.receiving import PROXY

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

__all__ = ["club", "kept"]

GUIDE = Path(__file__).parents[3] / "docs" / "association"
NAME = "your.name"
PHOTO = bytes(5_000_000)
FORM = b"------b\r\nContent-Disposition: form-data; name=photo; filename=p.jpg\r\n\r\n"


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """The text after these changes, each of which must find something."""
    for pattern, into in changes:
        text, count = re.subn(pattern, into, text)
        assert count, pattern
    return text


def nginx(folder: Path, port: int, server: str) -> tuple[str, list[str]]:
    site = replaced(
        (GUIDE / "nginx.conf").read_text("utf-8"),
        (r"listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        (r"\tssl_.*\n", ""),
        (r"127\.0\.0\.1:800[12]", server),
    )
    temporary = " ".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = (
        f"daemon off; user {getuser()}; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{site}}}"
    )
    return whole, ["-p", str(folder), "-e", f"{folder}/errors", "-c"]


def haproxy(_folder: Path, port: int, server: str) -> tuple[str, list[str]]:
    return replaced(
        (GUIDE / "haproxy.cfg").read_text("utf-8"),
        (r"bind :443 ssl crt .*", f"bind 127.0.0.1:{port}"),
        (r"X-Forwarded-Proto https", "X-Forwarded-Proto http"),
        (r"127\.0\.0\.1:800[12]", server),
    ), ["-db", "-f"]


def caddy(folder: Path, port: int, server: str) -> tuple[str, list[str]]:
    site = replaced(
        (GUIDE / "Caddyfile").read_text("utf-8"),
        (r"\{\$KONGBOX_HOSTS\} \{", f"http://{NAME}:{port} {{\n\tbind 127.0.0.1"),
        (r"server-1:8000 server-2:8000", server),
    )
    settings = f"{{\n\tadmin off\n\tauto_https off\n\tstorage file_system {folder}\n}}\n"
    return settings + site, ["run", "--adapter", "caddyfile", "--config"]


Laid = Callable[[Path, int, str], tuple[str, list[str]]]


class Events:
    """The club's page, and beside it an event at once, another when it is told."""

    def __init__(self, page: Flask) -> None:
        self._page = page
        self.go_on = threading.Event()

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/events":
            return self._page(environ, start)
        start("200 OK", [("Content-Type", "text/event-stream")])
        return self._told()

    def _told(self) -> Iterator[bytes]:
        yield b"data: first\n\n"
        self.go_on.wait(10)
        yield b"data: second\n\n"


@pytest.fixture(params=[nginx, haproxy, caddy], ids=lambda it: it.__name__)
def proxied(
    request: pytest.FixtureRequest, club: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, Events]]:
    """The port of a proxy before the club's page, as the guide sets it up."""
    laid: Laid = request.param
    program = shutil.which(laid.__name__) or shutil.which(f"/usr/sbin/{laid.__name__}")
    if program is None:
        pytest.skip(f"no {laid.__name__} here: install the package {laid.__name__}")
    monkeypatch.setenv(PROXY, "127.0.0.1")
    monkeypatch.setenv("KONGBOX_HOSTS", NAME)
    stage, events, port = Stage(), Events(club), free_port()
    folder = tmp_path / "proxy"
    folder.mkdir(mode=0o777)
    text, options = laid(folder, port, urlsplit(stage.address).netloc)
    (folder / "settings").write_text(text)
    with (
        stage.shows(club, events),
        (folder / "said").open("wb") as said,
        subprocess.Popen([program, *options, folder / "settings"], stdout=said, stderr=said) as run,
    ):
        try:
            until_it_answers(port, folder)
            yield port, events
        finally:
            events.go_on.set()
            run.terminate()
            run.wait(10)
    stage.close()


def until_it_answers(port: int, folder: Path) -> None:
    for _ in range(100):
        try:
            if ask(port, "GET", "/readyz")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    pytest.fail((folder / "said").read_text())


def ask(
    port: int, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": f"{NAME}:{port}", **named})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_behind_a_proxy_of_the_guide_forms_photos_and_events_come_through(
    proxied: tuple[int, Events],
) -> None:
    port, events = proxied
    form = {"Origin": f"http://{NAME}:{port}", "Content_Type": "application/x-www-form-urlencoded"}
    status, text = ask(port, "POST", "/login", b"name=Sue&password=x", **form)
    assert "another web site" not in text, status
    photo = {"Content_Type": "multipart/form-data; boundary=----b"}
    for more in ({}, {"Expect": "100-continue"}):
        for _ in range(4):
            status, text = ask(port, "POST", "/api/v1/readings", FORM + PHOTO, **photo, **more)
            assert (status, "Log in first" in text) == (401, True)
    with socket.create_connection(("127.0.0.1", port), 5) as line:
        line.sendall(f"GET /events HTTP/1.1\r\nHost: {NAME}:{port}\r\n\r\n".encode())
        told = b""
        while b"first" not in told:
            told += line.recv(4096)
        assert b"second" not in told
        events.go_on.set()
        while b"second" not in told:
            told += line.recv(4096)
