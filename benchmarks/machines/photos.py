"""A phone that sends one photo after another, each of other bytes, and knows what was taken in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException

from benchmarks.page.phones import ANSWER_S, begin_session, post
from webapp.database.ids import new_id
from webapp.services import SAMPLES_FOLDER


@cache
def samples() -> tuple[bytes, ...]:
    """The sample photos."""
    return tuple(path.read_bytes() for path in sorted((SAMPLES_FOLDER / "samples").glob("*.jpg")))


def another(number: int) -> bytes:
    """A photo that no other number has: a sample with a comment in it."""
    data = samples()[number % len(samples())]
    text = new_id().encode()
    return data[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + data[2:]


@dataclass
class Sender:
    """A phone that opens a deal for each photo.

    Attributes:
        root: the part of the address below which its club's page is.
        kept: the deals whose photo was acknowledged.
        names: the names of the players of all its deals.
        deal: the deal whose photo was not acknowledged yet; empty if there is none.
    """

    root: str = ""
    kept: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    deal: str = ""
    _entry: str = ""
    _photo: bytes = b""
    _headers: dict[str, str] = field(default_factory=dict)

    def send_next(self, port: int) -> bool:
        """Open a deal or send its photo, again if that was not acknowledged; whether it now was."""
        self._headers = self._headers or begin_session(port, self.root)
        if not self._headers:
            return False
        if not self.deal:
            return self._open(port)
        body, kind = _multipart(self._photo)
        headers = self._headers | {"Content-Type": kind, "X-Entry": self._entry}
        sent = _send(port, headers, f"{self.root}/deals/{self.deal}/players/E/photo", body)
        if sent == 303:
            self.kept.append(self.deal)
            self.deal = self._entry = ""
        return sent == 303

    def _open(self, port: int) -> bool:
        if not self._entry:
            self._entry = new_id()
            self.names.append(f"Photo {self._entry[:16]}")
        form = f"name_E={self.names[-1].replace(' ', '+')}"
        headers = self._headers | {"X-Entry": self._entry}
        opened = post(port, headers, f"{self.root}/deals", form)
        deal = "" if opened is None else re.sub(r".*/deals/([0-9a-f]+).*", r"\1", opened[0])
        if re.fullmatch("[0-9a-f]{32}", deal):
            self.deal, self._entry, self._photo = deal, new_id(), another(len(self.kept))
        elif opened is not None:
            self._entry = ""  # the deal is there, but not where: it gets no photo
        return bool(self.deal)


def _multipart(photo: bytes) -> tuple[bytes, str]:
    edge = new_id()
    head = (
        f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    )
    body = head.encode() + photo + f"\r\n--{edge}--\r\n".encode()
    return body, f"multipart/form-data; boundary={edge}"


def _send(port: int, headers: dict[str, str], path: str, body: bytes) -> int:
    """The status of the answer; 0 if there was none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
    except (OSError, HTTPException):
        return 0
    else:
        return answer.status
    finally:
        connection.close()
