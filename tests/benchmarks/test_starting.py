"""The seconds to a first page; the whole measurement is benchmarks/page/starting.py."""

from __future__ import annotations

import sys

import pytest

from benchmarks.page.starting import first_page_s

BUSY_THEN_THERE = """
import http.server, sys, time

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(503 if time.monotonic() < READY else 200)
        self.end_headers()
        self.wfile.write(b"the page")

READY = time.monotonic() + 0.3
http.server.HTTPServer(("127.0.0.1", int(sys.argv[-1])), Page).serve_forever()
"""


def test_a_page_that_only_asks_to_wait_is_not_counted() -> None:
    assert 0.3 < first_page_s([sys.executable, "-c", BUSY_THEN_THERE], {}) < 20


def test_a_program_that_ends_has_not_started() -> None:
    with pytest.raises(SystemExit, match="did not start"):
        first_page_s([sys.executable, "-c", "pass"], {})
