from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from datasets.scenes.films import Film
from tests.vision.fakes import watcher_with
from tests.vision.painted import PaintedClassifier, PaintedDetector, labels_of, noisy, table
from tests.vision.table import lay
from tests.webapp.browser.browser import serving
from tests.webapp.conftest import services_of
from vision.multiview import cameras, watcher
from vision.multiview.watcher import Watcher
from vision.runtime.opencv import cv2
from webapp.cli.main import main
from webapp.cli.watch.page_client import PageRefused, parse_link
from webapp.deal.state import new_deal
from webapp.language.kept import brought_back
from webapp.pages.deal.cameras import EXTENSION, CameraDesk

HAND = "123m 456p 789s 11z 777z"


@pytest.fixture(autouse=True)
def painted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        watcher,
        "open_watcher",
        lambda _profile: watcher_with(PaintedDetector(), PaintedClassifier()),
    )


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A camera that looks at a hand of 14 tiles for two seconds."""
    path = tmp_path_factory.mktemp("films") / "hand.avi"
    picture = table(lay(HAND))
    Film(tuple(noisy(picture, n) for n in range(16)), (), 10.0).write(path)
    return path


@pytest.fixture
def page(app: Flask) -> Iterator[str]:
    with serving(app) as address:
        yield address


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["watch", *map(str, arguments)])


def desk_of(app: Flask) -> CameraDesk:
    found: CameraDesk = app.extensions[EXTENSION]
    return found


def test_a_video_is_told_line_by_line(film: Path) -> None:
    result = run(film)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[2] for line in lines[:4]] == ["moving", "reading", "reading", "settled"]
    assert "123m 456p 789s" in lines[3].replace(",", "")


def test_each_change_is_one_json_line(film: Path) -> None:
    result = run(film, "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["state"] for line in lines] == ["moving", "reading", "reading", "settled"]
    assert [tile["label"] for tile in lines[-1]["tiles"]] == labels_of(HAND)
    assert {"photo", "time", "width", "height", "hands", "warnings", "seconds"} <= set(lines[-1])


@pytest.mark.parametrize(
    ("source", "words"),
    [("nothing.mp4", "no file nothing.mp4"), ("0", "Camera 0 cannot be opened")],
)
def test_what_cannot_be_watched_is_told(
    source: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras, "open_device", lambda _source: None)
    monkeypatch.setattr(cameras.frames, "__kwdefaults__", _without_devices())
    result = run(source, "--json")
    assert result.exit_code == 2
    assert words in result.stderr
    assert words in json.loads(result.stdout)["error"]
    assert "Traceback" not in result.output


def _without_devices() -> dict[str, Any]:
    defaults = cameras.frames.__kwdefaults__
    assert defaults is not None
    return {**defaults, "opener": lambda _source: None}


def test_a_video_in_which_nothing_lies_still_is_told(tmp_path: Path) -> None:
    path = tmp_path / "short.avi"
    Film((table(lay(HAND)),) * 3, (), 10.0).write(path)
    result = run(path)
    assert result.exit_code == 2
    assert "No tiles lay still" in result.stderr


def test_control_c_ends_it_quietly(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Watcher, "look", interrupted)
    result = run(film)
    assert (result.exit_code, result.output) == (0, "")


def test_a_window_needs_a_display(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    result = run(film, "--window")
    assert result.exit_code == 2
    assert "no display" in result.stderr


def test_the_window_shows_the_tiles_and_closing_it_ends_the_watch(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setenv("DISPLAY", ":77")
    for name in ("namedWindow", "destroyAllWindows"):
        monkeypatch.setattr(cv2, name, lambda *_: None)
    monkeypatch.setattr(cv2, "imshow", lambda _title, image: shown.append(image))
    monkeypatch.setattr(cv2, "getWindowProperty", lambda *_: 1.0)
    keys = iter([-1] * 4 + [ord("q")])
    monkeypatch.setattr(cv2, "waitKey", lambda _ms: next(keys))
    result = run(film, "--window")
    assert result.exit_code == 0, result.output
    assert len(shown) == 5
    green = (shown[-1] == (60, 200, 60)).all(axis=2).sum()
    assert green > 500
    assert (shown[0] == (60, 200, 60)).all(axis=2).sum() == 0


def test_a_reading_is_laid_before_a_player(film: Path, app: Flask, page: str) -> None:
    store = services_of(app).store
    deal_id = store.create(new_deal(("E", "S", "W", "N")))
    result = run(film, "--table", f"{page}/deals/{deal_id}/players/S", "--seat", "S")
    assert result.exit_code == 0, result.output
    assert "South has these tiles now" in result.stderr
    deal = store.deal(deal_id)
    assert deal is not None
    player = deal.state.player("S")
    assert sorted(tile.label for tile in player.tiles) == sorted(labels_of(HAND))
    assert player.photo is not None
    assert store.picture(player.photo)
    assert not deal.state.player("E").tiles
    assert str(brought_back(deal.undo or "")) == "Tiles from the camera (South)"


def test_without_a_seat_the_page_offers_the_tiles(film: Path, app: Flask, page: str) -> None:
    result = run(film, "--table", page)
    assert result.exit_code == 0, result.output
    (offer,) = desk_of(app).offers()
    assert offer.state == "settled"
    assert offer.reading is not None
    assert len(offer.reading["tiles"]) == len(labels_of(HAND))
    (lying,) = offer.reading["layout"]
    assert lying["position"] == "near"
    assert [part["role"] for part in lying["parts"]] == ["hand"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--table", "http://127.0.0.1:9/"], "does not answer"),
        (["--table", "nonsense://x"], "is no address of a page"),
        (["--seat", "S"], "--seat needs --table"),
        (["--table", "http://127.0.0.1:9/", "--seat", "S"], "does not lead to a deal"),
    ],
)
def test_a_page_that_cannot_be_used_is_told(film: Path, options: list[str], words: str) -> None:
    result = run(film, *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_deal_that_is_not_there_is_told(film: Path, page: str) -> None:
    result = run(film, "--table", f"{page}/deals/{'0' * 32}", "--seat", "S")
    assert result.exit_code == 2
    assert "no such deal" in result.stderr


def test_links_lead_to_a_page_and_perhaps_to_a_deal() -> None:
    deal = "ab" * 16
    assert parse_link(f"http://10.0.0.2:8000/deals/{deal}/players/S").deal == deal
    assert parse_link(f"https://club.example/deals/{deal}").base == "https://club.example"
    assert parse_link("127.0.0.1:8000").base == "http://127.0.0.1:8000"
    assert parse_link("http://x/deals/short").deal is None
    with pytest.raises(PageRefused):
        parse_link("ftp://x/")
