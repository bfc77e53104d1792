"""Sources of moving pictures: a camera of this computer, one in the network, or a video file.

A live camera is read as fast as it sends, and only its newest picture is kept, so that readings are
never late. Of a video file :data:`FILE_RATE` pictures of each second are read.
"""

from __future__ import annotations

import math
import re
import sys
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from vision.errors import CameraError, CameraLost
from vision.messages import Message, say
from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]
Kind = Literal["camera", "network", "file"]

SCHEMES: Final = ("rtsp", "rtsps", "http", "https")
"""Schemes of the network addresses that can be read."""

FILE_RATE: Final = 10.0
"""Number of pictures that are read of each second of a video file."""

LIVE_RATE: Final = 10.0
"""Maximum number of pictures a second that are taken from a live camera."""

USUAL_RATE: Final = 25.0
"""Pictures a second of a file that does not state its rate."""

OPEN_TIMEOUT_S: Final = 8.0
"""Seconds that a camera in the network may take to answer."""

SILENCE_S: Final = 10.0
"""Seconds without a picture after which a live camera is lost."""

RECONNECT_WAITS_S: Final = (1.0, 2.0, 4.0, 8.0, 8.0)
"""Seconds before each new try to reach a camera in the network that was lost."""

_WANTED_SIZE: Final = (1280, 720)
"""Width and height in pixels that a camera is asked for."""
_FASTEST: Final = 240.0
"""Maximum credible rate of a file, in pictures a second."""
_WHOLE: Final = 0.9
"""Share of the pictures stated by a file below which the file is cut short."""
_FAILED_READS: Final = 15
"""Number of pictures in a row that cannot be read after which a camera is lost."""
_PAUSE_S: Final = 0.05
"""Seconds between two attempts to read a picture."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of pictures.

    Attributes:
        kind: a camera of this computer, one in the network, or a file.
        address: the camera's number, its network address, or the file's path.
    """

    kind: Kind
    address: str

    @property
    def shown(self) -> str:
        """The source for people, without a password."""
        if self.kind == "camera":
            return f"camera {self.address}"
        return re.sub(r"//[^/@]*@", "//…@", self.address)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture.

    Attributes:
        image: (h, w, 3) uint8 BGR.
        number: counted from 0, with the pictures that were skipped.
        seconds: time in the video of a file, or since a camera was opened.
    """

    image: Image
    number: int
    seconds: float


class Device(Protocol):
    """An opened source.

    Attributes:
        rate: pictures a second as stated by the source, which may be wrong.
        length: number of pictures stated by a file; negative or not finite if unknown.
    """

    rate: float
    length: float

    def advance(self) -> bool:
        """Go on to the next picture; false if there is none."""
        ...

    def picture(self) -> Image | None:
        """The current picture, (h, w, 3) uint8 BGR or (h, w) grey; None if it is damaged."""
        ...

    def release(self) -> None:
        """Release the camera."""
        ...


class _Capture:
    """A source that OpenCV has opened."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self.rate = float(capture.get(cv2.CAP_PROP_FPS))
        self.length = float(capture.get(cv2.CAP_PROP_FRAME_COUNT))

    def advance(self) -> bool:
        return self._capture.grab()

    def picture(self) -> Image | None:
        there, image = self._capture.retrieve()
        return np.asarray(image, np.uint8) if there and image is not None else None

    def release(self) -> None:
        self._capture.release()


Opener = Callable[[Source], Device | None]
Tell = Callable[[Message], None]


def parse_source(text: str) -> Source:
    """The source that ``text`` names: the number of a camera, a network address, or a video file.

    Raises:
        CameraError: the text is none of these, or there is no such file.
    """
    text = text.strip()
    if text.isdecimal():
        return Source("camera", str(int(text)))
    scheme, separator, rest = text.partition("://")
    if separator:
        if scheme.lower() not in SCHEMES:
            known = tuple(f"{known}://" for known in SCHEMES)
            raise CameraError(say("camera.scheme", scheme=scheme, known=known))
        if not urlsplit(text).hostname:
            raise CameraError(say("camera.no_host", address=text, scheme=scheme))
        return Source("network", f"{scheme.lower()}://{rest}")
    path = Path(text)
    if path.is_dir():
        raise CameraError(say("camera.folder", path=text))
    if not path.is_file():
        raise CameraError(say("camera.no_file", path=text))
    return Source("file", str(path))


def open_device(source: Source) -> Device | None:
    """Open a source with OpenCV; None if that fails."""
    if source.kind == "camera":
        backend = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
        capture = cv2.VideoCapture(int(source.address), backend)
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WANTED_SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _WANTED_SIZE[1])
    else:
        patience = int(OPEN_TIMEOUT_S * 1000)
        limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
        given = [value for limit in limits for value in (limit, patience)]
        capture = cv2.VideoCapture(source.address, cv2.CAP_FFMPEG, given)
    if capture.isOpened():
        return _Capture(capture)
    capture.release()
    return None


def frames(
    source: Source, *, opener: Opener = open_device, tell: Tell = lambda _: None
) -> Generator[Frame, None, None]:
    """The pictures of a source, until its end or until the generator is closed.

    Args:
        source: the source to read.
        opener: opens the source.
        tell: called with messages for people meanwhile, such as a lost connection.

    Raises:
        CameraError: the source cannot be opened.
        CameraLost: it stopped sending pictures, and reaching it again failed.
    """
    if source.kind == "file":
        yield from _file_frames(source, opener, tell)
    else:
        live = _Live(source, opener, tell)
        try:
            yield from live.frames()
        finally:
            live.close()


def _must_open(source: Source, opener: Opener) -> Device:
    device = opener(source)
    if device is not None:
        return device
    if source.kind == "file":
        raise CameraError(say("camera.no_video", path=source.shown))
    if source.kind == "network":
        raise CameraError(say("camera.no_answer", address=source.shown))
    known = _cameras()
    there = say("camera.known", numbers=known) if known else say("camera.none")
    raise CameraError(say("camera.unopened", number=source.address, there=there))


def _cameras() -> tuple[str, ...]:
    """The numbers of the cameras of this computer, on Linux."""
    names = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return tuple(sorted((name for name in names if name.isdecimal()), key=int))


def _file_frames(source: Source, opener: Opener, tell: Tell) -> Generator[Frame, None, None]:
    device = _must_open(source, opener)
    try:
        rate = device.rate
        if not (math.isfinite(rate) and 0 < rate <= _FASTEST):
            rate = USUAL_RATE
        number, taken = 0, 0
        while device.advance():
            if number * FILE_RATE >= taken * rate:
                taken += 1
                image = device.picture()
                if image is not None:
                    yield Frame(_in_colour(image), number, number / rate)
            number += 1
        if number == 0:
            raise CameraError(say("camera.no_pictures", path=source.shown))
        if math.isfinite(device.length) and number < _WHOLE * device.length:
            tell(say("camera.ends_early", seconds=number / rate))
    finally:
        device.release()


def _in_colour(image: Image) -> Image:
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    return image


class _Live:
    """A camera that is read in its own thread, which keeps the newest picture."""

    def __init__(self, source: Source, opener: Opener, tell: Tell) -> None:
        self._source, self._opener, self._tell = source, opener, tell
        self._ready = threading.Condition()
        self._newest: Frame | None = None
        self._fault: CameraError | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def frames(self) -> Generator[Frame, None, None]:
        """The newest picture each time; those that came in between are skipped."""
        self._thread.start()
        patience = SILENCE_S + OPEN_TIMEOUT_S
        due = time.monotonic()
        while True:
            time.sleep(max(0.0, due - time.monotonic()))
            due = time.monotonic() + 1 / LIVE_RATE
            with self._ready:
                came = self._ready.wait_for(
                    lambda: self._newest is not None or self._fault is not None, patience
                )
                frame, self._newest = self._newest, None
                if frame is None and self._fault is not None:
                    raise self._fault
            if not came:
                camera = _named_first(self._source)
                raise CameraLost(say("camera.silent", camera=camera, seconds=patience))
            if frame is not None:
                yield frame

    def close(self) -> None:
        """End the thread; one that hangs in the driver ends with the program."""
        self._stop.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        start, number = time.monotonic(), 0
        try:
            device = _must_open(self._source, self._opener)
            while True:
                number = self._read(device, start, number)
                if self._stop.is_set():
                    return
                device = self._again()
        except CameraError as fault:
            with self._ready:
                self._fault = fault
                self._ready.notify_all()

    def _read(self, device: Device, start: float, number: int) -> int:
        """Read until the camera is lost or closed; return the next number."""
        failures = 0
        try:
            while not self._stop.is_set() and failures < _FAILED_READS:
                image = device.picture() if device.advance() else None
                if image is None:
                    failures += 1
                    self._stop.wait(_PAUSE_S)
                    continue
                failures = 0
                frame = Frame(_in_colour(image), number, time.monotonic() - start)
                number += 1
                with self._ready:
                    self._newest = frame
                    self._ready.notify_all()
        finally:
            device.release()
        return number

    def _again(self) -> Device:
        """Open the camera again after it was lost.

        Raises:
            CameraLost: the camera is not in the network, or cannot be reached.
        """
        camera = _named_first(self._source)
        if self._source.kind == "camera":
            raise CameraLost(say("camera.unplugged", camera=camera))
        for number, wait in enumerate(RECONNECT_WAITS_S, 1):
            count = len(RECONNECT_WAITS_S)
            self._tell(say("camera.trying", camera=camera, number=number, count=count))
            if self._stop.wait(wait):
                break
            device = self._opener(self._source)
            if device is not None:
                self._tell(say("camera.back"))
                return device
        raise CameraLost(say("camera.lost", camera=camera))


def _named_first(source: Source) -> str | Message:
    """The source as a sentence begins with it."""
    if source.kind == "camera":
        return say("camera.number", number=source.address)
    return source.shown[:1].upper() + source.shown[1:]
