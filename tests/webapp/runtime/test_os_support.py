"""Kongbox runs where what Linux has and Windows lacks is taken away."""

from __future__ import annotations

import io
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.house.test_imports import ROOT
from tests.webapp.cli.test_main import deal
from webapp.photos.workers import TOO_MUCH
from webapp.runtime.os_support import allow_open_files, speak_every_language, take_port
from webapp.serving.addresses import qr_terminal

Elsewhere = Callable[..., str]
WINDOWS = {"PYTHONIOENCODING": "cp1252", "PYTHONTZPATH": ""}
"""Its code page, and no time zones of its own."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    """Runs a command as on Windows and gives back what it printed."""

    def run(*words: str, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tests.webapp.elsewhere", *words],
            cwd=ROOT,
            env={**os.environ, **WINDOWS, "XDG_DATA_HOME": str(tmp_path)},
            input=given.encode(),
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run


def test_the_help_is_shown(elsewhere: Elsewhere) -> None:
    assert "kongbox read photo.jpg" in elsewhere("--help")


def test_a_deal_is_scored(elsewhere: Elsewhere) -> None:
    told = json.loads(elsewhere("score", "--json", given=json.dumps(deal())))
    assert {player["seat"] for player in told["players"]} == set("ESWN")


def test_the_page_answers(elsewhere: Elsewhere) -> None:
    told = elsewhere("the-page").splitlines()
    assert told == ["/ 200", "/healthz 200", "/readyz 200", "/trust/kongbox.crt 200"]


def test_a_secretary_keeps_house(elsewhere: Elsewhere, tmp_path: Path) -> None:
    """Copies are made, checked and put back, and files written, while Windows' rules hold."""
    told = elsewhere("housekeeping", str(tmp_path))
    assert "copy.sqlite3: " in told
    assert told.count("each as it was entered") == 3
    assert "Everything is as it was in copy.sqlite3" in told
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")
    lines = (tmp_path / "board.csv").read_bytes().split(b"\r\n")
    assert all(b"\r" not in line and b"\n" not in line for line in lines)
    assert len(lines) > 5


def test_a_photo_is_read_in_a_process_of_its_own(elsewhere: Elsewhere) -> None:
    photo = ROOT / "webapp" / "static" / "samples" / "east.jpg"
    assert elsewhere("a-photo", str(photo)) == "14 tiles\n"


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_a_photo_that_uses_up_memory_or_time_is_refused_and_the_next_is_read(system: str) -> None:
    program = [sys.executable, "-m", "tests.webapp.hungry", system]
    told = subprocess.run(program, cwd=ROOT, capture_output=True, check=True, timeout=120)
    assert told.stdout.decode() == f"{TOO_MUCH}\n{TOO_MUCH}\n"


@pytest.mark.parametrize(
    ("given", "asked"), [((256, -1), [(1000, -1)]), ((256, 500), [(500, 500)]), ((2000, -1), [])]
)
def test_a_mac_that_gives_few_files_is_asked_for_more(
    given: tuple[int, int], asked: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: given)
    monkeypatch.setattr(resource, "setrlimit", lambda _what, most: told.append(most))
    allow_open_files(1000)
    assert told == asked


def test_no_other_program_gets_a_port_of_ours_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux knows no such option: another stands in for it."""
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with take_port("127.0.0.1", 0) as place:
        assert place.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert place.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 0
        socket.create_connection(place.getsockname()).close()
        with pytest.raises(OSError, match="in use"):
            take_port(*place.getsockname())


def test_what_is_printed_into_a_file_is_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    out = io.TextIOWrapper(file, encoding="cp1252", newline="")
    monkeypatch.setattr("sys.stdout", out)
    speak_every_language()
    code = qr_terminal("http://192.168.1.20:8000/") + "麻將"
    out.write(code)
    out.flush()
    assert file.getvalue().decode() == code


def test_a_terminal_that_lacks_a_character_shows_a_question_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = io.BytesIO()
    out = io.TextIOWrapper(file, encoding="cp1252")
    monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdout", out)
    speak_every_language()
    out.write("麻將 pung")
    out.flush()
    assert file.getvalue() == b"?? pung"
