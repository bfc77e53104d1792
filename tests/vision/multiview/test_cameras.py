from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.scenes.films import Film
from vision.errors import CameraError, CameraLost
from vision.messages import Message
from vision.multiview import cameras
from vision.multiview.cameras import Source, frames, parse_source

CAMERA = Source("camera", "0")
NETWORK = Source("network", "rtsp://watcher:secret@192.168.1.20/stream")


def picture(level: int) -> NDArray[np.uint8]:
    return np.full((48, 64, 3), level, np.uint8)


class FakeDevice:
    """Gives these pictures, None for a failure, then ``after`` for ever."""

    def __init__(
        self, pictures: list[NDArray[np.uint8] | None], *, rate: float = 30.0, after: bool = False
    ) -> None:
        self.rate, self.length = rate, float(len(pictures))
        self.pictures, self.place, self.released = pictures, -1, False
        self.after = after

    def advance(self) -> bool:
        self.place += 1
        if self.place < len(self.pictures):
            return self.pictures[self.place] is not None
        return self.after

    def picture(self) -> NDArray[np.uint8] | None:
        return self.pictures[min(self.place, len(self.pictures) - 1)]

    def release(self) -> None:
        self.released = True


def opener(*devices: FakeDevice | None) -> Callable[[Source], FakeDevice | None]:
    """Opens one device after the other; none of them a second time."""
    left = iter(devices)
    return lambda _source: next(left, None)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "RECONNECT_WAITS_S", (0.01, 0.01, 0.01))
    monkeypatch.setattr(cameras, "LIVE_RATE", 1000.0)
    monkeypatch.setattr(cameras, "_PAUSE_S", 0.001)


def test_a_number_is_a_camera_and_an_address_is_one_in_the_network(tmp_path: Path) -> None:
    video = tmp_path / "film.avi"
    video.touch()
    assert parse_source("0") == CAMERA
    assert parse_source(" 02 ") == Source("camera", "2")
    assert parse_source("RTSP://10.0.0.5/a") == Source("network", "rtsp://10.0.0.5/a")
    assert parse_source(str(video)) == Source("file", str(video))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("film.avi", "no file film.avi"),
        ("ftp://host/film.avi", "begin with ftp://"),
        ("http:///film", "has no computer name"),
        ("", "no file|is a folder"),
        ("-1", "no file -1"),
    ],
)
def test_what_is_no_source_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(CameraError, match=words):
        parse_source(text)


def test_a_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="is a folder"):
        parse_source(str(tmp_path))


def test_passwords_are_not_shown() -> None:
    assert NETWORK.shown == "rtsp://…@192.168.1.20/stream"
    with pytest.raises(CameraError) as refused:
        next(frames(NETWORK, opener=opener(None)))
    assert "secret" not in str(refused.value)
    assert "does not answer" in str(refused.value)


def film(levels: list[int], rate: float) -> Film:
    return Film(tuple(picture(level) for level in levels), (), rate)


def test_a_video_is_read_in_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    film(list(range(0, 240, 8)), 30.0).write(path)
    seen = list(frames(parse_source(str(path))))
    assert [frame.number for frame in seen] == list(range(0, 30, 3))
    assert [round(frame.seconds, 3) for frame in seen] == [round(n / 10, 3) for n in range(10)]
    assert [round(float(frame.image.mean()) / 24) for frame in seen] == list(range(10))


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"no video at all" * 100)
    with pytest.raises(CameraError, match="not a video that can be read"):
        next(frames(parse_source(str(path))))


def test_a_video_that_is_cut_short_is_read_as_far_as_it_goes() -> None:
    told: list[Message] = []
    device = FakeDevice([picture(9)] * 20)
    device.length = 100.0
    seen = list(frames(Source("file", "x"), opener=opener(device), tell=told.append))
    assert len(seen) == 7
    assert list(map(str, told)) == ["The video ends after 0.7 s: its file is cut short."]
    assert device.released


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf"), 90000.0])
def test_a_rate_that_cannot_be_is_not_believed(rate: float) -> None:
    device = FakeDevice([picture(9)] * 50, rate=rate)
    seen = list(frames(Source("file", "x"), opener=opener(device)))
    assert seen[-1].seconds == pytest.approx(2.0, abs=0.1)


def test_damaged_pictures_of_a_video_are_passed_over() -> None:
    device = FakeDevice([picture(9)] * 30)
    whole = device.picture
    device.picture = lambda: None if device.place == 3 else whole()  # type: ignore[method-assign]
    numbers = [f.number for f in frames(Source("file", "x"), opener=opener(device))]
    assert numbers == [0, *range(6, 30, 3)]


def test_a_video_without_pictures_is_refused() -> None:
    with pytest.raises(CameraError, match="has no pictures"):
        list(frames(Source("file", "x"), opener=opener(FakeDevice([]))))


def test_a_live_camera_gives_its_newest_picture() -> None:
    sent = threading.Event()

    class Watched(FakeDevice):
        def advance(self) -> bool:
            if self.place > 200:
                sent.set()
            return super().advance()

    device = Watched([picture(n % 250) for n in range(300)], after=True)
    stream = frames(CAMERA, opener=opener(device))
    next(stream)
    assert sent.wait(5)
    assert next(stream).number > 150
    stream.close()
    assert device.released


def test_grey_pictures_become_coloured() -> None:
    device = FakeDevice([np.full((48, 64), 7, np.uint8)] * 3)
    assert next(frames(Source("file", "x"), opener=opener(device))).image.shape == (48, 64, 3)


def test_a_camera_that_is_not_there_is_told_with_what_is() -> None:
    with pytest.raises(CameraError, match=r"Camera 0 cannot be opened.*Another program"):
        next(frames(CAMERA, opener=opener(None)))


def test_a_camera_that_is_unplugged_is_told() -> None:
    device = FakeDevice([picture(1), picture(2)])
    stream = frames(CAMERA, opener=opener(device))
    with pytest.raises(CameraLost, match=r"Camera 0 stopped.*unplugged"):
        list(stream)
    assert device.released


def test_single_pictures_that_fail_are_forgiven() -> None:
    device = FakeDevice([picture(1), None, None, picture(4)], after=True)
    stream = frames(CAMERA, opener=opener(device))
    until = (frame for frame in stream if frame.image[0, 0, 0] == 4)
    assert next(until).image[0, 0, 0] == 4
    stream.close()


def test_a_lost_network_camera_is_opened_again() -> None:
    told: list[Message] = []
    again = FakeDevice([picture(50)], after=True)
    stream = frames(NETWORK, opener=opener(FakeDevice([picture(1)]), None, again), tell=told.append)
    back = next(frame for frame in stream if frame.image[0, 0, 0] == 50)
    stream.close()
    assert ["(1 of 3)" in str(told[0]), "(2 of 3)" in str(told[1])] == [True, True]
    assert list(map(str, told[2:])) == ["The camera is back."]
    assert back.number >= 1
    assert not any("secret" in str(text) for text in told)


def test_a_network_camera_that_stays_away_is_given_up() -> None:
    told: list[Message] = []
    stream = frames(NETWORK, opener=opener(FakeDevice([picture(1)])), tell=told.append)
    with pytest.raises(CameraLost, match="can no longer be reached"):
        list(stream)
    assert len(told) == 3


def test_a_camera_that_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "SILENCE_S", 0.02)
    monkeypatch.setattr(cameras, "OPEN_TIMEOUT_S", 0.02)
    release = threading.Event()

    class Hanging(FakeDevice):
        def advance(self) -> bool:
            release.wait(5)
            return False

    stream = frames(CAMERA, opener=opener(Hanging([picture(1)])))
    with pytest.raises(CameraLost, match="sent no picture"):
        next(stream)
    release.set()
