"""What the cameras above the table see now, and giving their tiles to a player.

``kongbox watch`` sends what it reads. The newest reading of each camera is kept in memory, offered
on the photo page of every player, and dropped when the camera sends nothing for a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Final

from flask import current_app

from webapp.database.ids import new_id
from webapp.deal.names import of_player
from webapp.deal.state import DealState, Player
from webapp.language.noted import noted
from webapp.photos.from_reading import reading_kept, tiles_from_reading
from webapp.services import services

EXTENSION: Final = "kongbox-cameras"
"""The key of the application's extensions under which the cameras are kept."""

SILENT_S: Final = 12.0
"""Seconds without a message after which a camera counts as gone."""

MAX_CAMERAS: Final = 16
"""Maximum number of cameras; a further one replaces the one that sent nothing for longest."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one camera sees now.

    Attributes:
        id: an id that changes with every reading.
        camera: the name of the camera.
        state: ``moving``, ``empty``, ``reading`` or ``settled``.
        reading: the reading in JSON form if the state is ``settled``, else None.
        picture: the picture as a JPEG if the state is ``settled``, else empty.
        at: when the camera last sent something, in seconds of the desk's clock.
    """

    id: str
    camera: str
    state: str
    reading: dict[str, Any] | None = None
    picture: bytes = b""
    at: float = 0.0


@dataclass(slots=True)
class CameraDesk:
    """The cameras that send readings, usable from any thread."""

    clock: Callable[[], float] = time.monotonic
    _offers: dict[str, Offer] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def hear(
        self, camera: str, state: str, reading: dict[str, Any] | None = None, picture: bytes = b""
    ) -> Offer:
        """Store what a camera sees now; a reading comes with its picture."""
        offer = Offer(new_id(), camera, state, reading, picture, self.clock())
        with self._lock:
            self._offers.pop(camera, None)
            while len(self._offers) >= MAX_CAMERAS:
                del self._offers[min(self._offers.values(), key=lambda known: known.at).camera]
            self._offers[camera] = offer
        return offer

    def alive(self, camera: str) -> bool:
        """Store that a camera still sees the same; False if the camera is not known."""
        with self._lock:
            known = self._offers.get(camera)
            if known is None or self.clock() - known.at > SILENT_S:
                return False
            self._offers[camera] = replace(known, at=self.clock())
            return True

    def offers(self) -> list[Offer]:
        """What the cameras see that are not gone, in the order of their names."""
        with self._lock:
            now = self.clock()
            self._offers = {n: o for n, o in self._offers.items() if now - o.at <= SILENT_S}
            return sorted(self._offers.values(), key=lambda offer: offer.camera)

    def offer(self, offer_id: str) -> Offer | None:
        """The offer with this id; None if the camera sees something else by now or is gone."""
        return next((offer for offer in self.offers() if offer.id == offer_id), None)


def desk() -> CameraDesk:
    """The cameras of the application that answers this request."""
    found: CameraDesk = current_app.extensions[EXTENSION]
    return found


def lay(deal_id: str, seat: str, camera: str, reading: dict[str, Any], picture: bytes) -> None:
    """Give a player the tiles that a camera read, in place of the player's earlier ones.

    Args:
        deal_id: the id of the deal.
        seat: the player's seat.
        camera: the name of the camera.
        reading: the reading in JSON form.
        picture: the picture from which it was read, as a JPEG.

    Raises:
        KeyError: there is no such deal, or nobody sits at the seat.
    """
    found = services()
    photo_id = new_id()

    def read_into(state: DealState) -> list[Player]:
        return [tiles_from_reading(state.player(seat), reading_kept(reading), photo_id)]

    found.store.add_read_photo(photo_id, deal_id, seat, camera, reading, picture)
    what = of_player(noted("Tiles from the camera"), seat)
    found.desk.lay(deal_id, photo_id, what, read_into)
