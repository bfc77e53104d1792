"""A proxy is believed only where it was named."""

from __future__ import annotations

from collections.abc import Iterable
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.webapp.serving.in_thread import in_thread
from webapp.security.headers import SENT_ON
from webapp.serving.receiving import PROXY, listening


def told(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """Say from where a request came, by which scheme, and whether it was sent on."""
    start("200 OK", [("Content-Type", "text/plain")])
    seen = (environ["REMOTE_ADDR"], environ["wsgi.url_scheme"], str(environ[SENT_ON]))
    return [" ".join(seen).encode()]


def asked() -> str:
    """What the page is told of a request that a proxy on this computer sends on."""
    kept: dict[int, Any] = {}
    server = listening(told, ("127.0.0.1", 0), 1, kept)
    port = next(each for each in kept.values() if hasattr(each, "effective_port")).effective_port
    in_thread(server.run)
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        sent_on = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
        connection.request("GET", "/", headers=sent_on)
        return connection.getresponse().read().decode()
    finally:
        connection.close()
        server.close()


@pytest.mark.parametrize(
    ("proxy", "seen"),
    [
        ("", "127.0.0.1 http True"),
        ("192.0.2.1", "127.0.0.1 http True"),
        ("127.0.0.1", "192.0.2.7 https True"),
        ("*", "192.0.2.7 https True"),
    ],
)
def test_a_proxy_is_believed_only_where_it_was_named(
    proxy: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PROXY, proxy)
    assert asked() == seen
