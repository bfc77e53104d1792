"""The client that sends what a camera reads to the page over HTTP."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click
import urllib3

from scorer.tiles import SEAT_NAMES
from webapp.language.kept import kept

if TYPE_CHECKING:
    from vision.multiview.watcher import Sight

ENDPOINT: Final = "/api/v1/camera"
"""The path of the page's address to which readings are sent."""

HEARTBEAT_S: Final = 4.0
"""Seconds after which an unchanged camera tells the page that it is still there."""

TIMEOUT_S: Final = 6.0
"""Maximum time for an answer of the page in seconds."""

_DEAL: Final = re.compile(r"/deals/([0-9a-f]{32})(?:/|$)")
"""The part of an address that names a deal."""

_QUALITY: Final = 85
"""JPEG quality of the pictures that are sent, 0 to 100."""


class PageRefused(RuntimeError):
    """The page does not accept the readings; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Link:
    """The address to which readings are sent.

    Attributes:
        base: the address of the page without a path.
        deal: the id of the deal, if the address leads to one.
    """

    base: str
    deal: str | None


def parse_link(text: str) -> Link:
    """The page and the deal that an address leads to.

    Raises:
        PageRefused: the text is not a web address.
    """
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PageRefused(
            f"{text} is no address of a page. Copy the address of the table from the browser, "
            "such as http://127.0.0.1:8000/"
        )
    found = _DEAL.search(parts.path)
    return Link(f"{parts.scheme}://{parts.netloc}", found[1] if found else None)


def open_page(table: str, seat: str | None, user: str | None, camera: str) -> PageClient:
    """A client for the page at ``table`` that has made sure that the page accepts readings.

    Args:
        table: any address of the page.
        seat: the player whose tiles the camera sees; None to offer the readings to everybody.
        user: the name to log in with; its password is taken from KONGBOX_PASSWORD or asked for.
        camera: the name of the camera.

    Raises:
        PageRefused: the text is not an address, the page does not answer, or the address leads to
            no deal although a seat is given.
    """
    link = parse_link(table)
    if seat is not None and link.deal is None:
        raise PageRefused(
            f"{table} does not lead to a deal, so nobody sits there. Open the deal in the browser "
            "and copy its address, or leave --seat out: the page then offers the tiles to all."
        )
    headers = urllib3.make_headers()
    if user is not None:
        password = os.environ.get("KONGBOX_PASSWORD")
        if password is None:
            password = str(click.prompt(f"Password of {user}", hide_input=True, err=True))
        headers = urllib3.make_headers(basic_auth=f"{user}:{password}")
    client = PageClient(link, seat, camera, headers)
    client.greet()
    return client


@dataclass(slots=True)
class PageClient:
    """Sends each change of what a camera sees to the page, and a heartbeat in between.

    If the page cannot be reached, a message is printed once, and the client keeps trying.
    """

    link: Link
    seat: str | None
    camera: str
    headers: dict[str, str]
    pool: urllib3.PoolManager = field(
        default_factory=lambda: urllib3.PoolManager(timeout=TIMEOUT_S, retries=False)
    )
    _handed: tuple[object, ...] = ()
    _sent_at: float = -1e9
    _reached: bool = True

    def greet(self) -> None:
        """Make sure that the page answers and accepts readings.

        Raises:
            PageRefused: it does not.
        """
        try:
            self._send({"state": "empty"}, None)
        except urllib3.exceptions.HTTPError as error:
            raise PageRefused(
                f"The page at {self.link.base} does not answer. Is Kongbox running there "
                "(kongbox serve), and is the address right?"
            ) from error

    def take(self, sight: Sight) -> None:
        """Send what is seen now, unless the page knows it already.

        Raises:
            PageRefused: the page does not accept it.
        """
        now = time.monotonic()
        news = sight.told != self._handed
        if self.seat is not None and sight.state != "settled":
            return
        if not news and (self.seat is not None or now - self._sent_at < HEARTBEAT_S):
            return
        if not self._reached and now - self._sent_at < HEARTBEAT_S:
            return
        self._sent_at = now
        try:
            if news or not self._send({"state": "alive"}, None):
                self._send(_described(sight, self.camera), _picture(sight))
        except urllib3.exceptions.HTTPError:
            if self._reached:
                click.echo("kongbox: The page does not answer; trying again.", err=True)
            self._reached = False
            return
        self._reached = True
        self._handed = sight.told
        if self.seat is not None:
            click.echo(f"kongbox: {SEAT_NAMES[self.seat]} has these tiles now.", err=True)

    def _send(self, facts: dict[str, Any], picture: bytes | None) -> bool:
        """Send one message and return whether the page knows the camera now."""
        fields: dict[str, Any] = {"camera": self.camera, "facts": json.dumps(facts)}
        if self.seat is not None and self.link.deal is not None:
            fields |= {"deal": self.link.deal, "seat": self.seat}
        if picture is not None:
            fields["photo"] = ("camera.jpg", picture, "image/jpeg")
        address = f"{self.link.base}{ENDPOINT}"
        answer = self.pool.request("POST", address, fields=fields, headers=self.headers)
        if answer.status >= 500:
            raise urllib3.exceptions.HTTPError(f"status {answer.status}")
        if answer.status >= 400:
            raise PageRefused(_reason(answer.status, answer.data))
        try:
            return bool(json.loads(answer.data).get("known", True))
        except (ValueError, AttributeError) as error:
            raise PageRefused(_reason(answer.status, b"")) from error


def _described(sight: Sight, camera: str) -> dict[str, Any]:
    if sight.state != "settled":
        return {"state": sight.state}
    more: dict[str, Any] = {"layout": [], "messages": []}
    if sight.reading is not None:
        messages = [kept(warning) for warning in sight.reading.warnings]
        more = {"layout": sight.reading.layout_json(), "messages": messages}
    return {"state": sight.state, "reading": {**sight.to_json(camera), **more}}


def _picture(sight: Sight) -> bytes | None:
    """The frame as a JPEG if its tiles lie still; else None."""
    from vision.runtime.opencv import cv2

    if sight.state != "settled":
        return None
    _, data = cv2.imencode(".jpg", sight.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes()


def _reason(status: int, body: bytes) -> str:
    """Why the page refused a message, in its own words if it gave any."""
    if status == 401:
        return "The page asks for a login: name yourself with --user."
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        return (
            "What answers there is no page of this Kongbox, or another version of it "
            f"(status {status}). Copy the address from the browser."
        )
    return str(detail)
