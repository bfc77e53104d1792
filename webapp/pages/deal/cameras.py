"""Cameras that look at the table: what each sees now, and taking its tiles over for a player.

``kongbox watch`` sends what it reads; the newest reading is kept in memory, is offered on the photo
page of every player and is forgotten when the camera falls silent.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final

from flask import current_app
from sqlalchemy.orm import Session

from webapp.database.deals import PhotoRow
from webapp.database.ids import new_id
from webapp.deal.state import DealState
from webapp.deal.store import DONE
from webapp.language.noted import noted
from webapp.photos.decision import with_tiles
from webapp.photos.from_reading import tiles_from_reading
from webapp.services import services

EXTENSION: Final = "kongbox-cameras"

SILENT_S: Final = 12.0
"""A camera that sent nothing for so long is gone."""

MOST_CAMERAS: Final = 16
"""More cameras at a time are not remembered; the one that was silent longest gives way."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one camera sees now.

    Attributes:
        id: changes with every reading.
        camera: what it is called.
        state: ``moving``, ``empty``, ``reading`` or ``settled``.
        reading: the JSON form of what is settled; None in the other states.
        picture: the JPEG of what is settled; empty in the other states.
        at: when it was heard of last, in seconds of the desk's clock.
    """

    id: str
    camera: str
    state: str
    reading: dict[str, Any] | None = None
    picture: bytes = b""
    at: float = 0.0


@dataclass(slots=True)
class CameraDesk:
    """The cameras that are at work; usable from any thread."""

    clock: Callable[[], float] = time.monotonic
    _offers: dict[str, Offer] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def hear(
        self, camera: str, state: str, reading: dict[str, Any] | None = None, picture: bytes = b""
    ) -> Offer:
        """Note what a camera sees now; a reading comes with its picture."""
        offer = Offer(new_id(), camera, state, reading, picture, self.clock())
        with self._lock:
            self._offers.pop(camera, None)
            while len(self._offers) >= MOST_CAMERAS:
                del self._offers[min(self._offers.values(), key=lambda known: known.at).camera]
            self._offers[camera] = offer
        return offer

    def alive(self, camera: str) -> bool:
        """Note that a camera still sees the same; false if nothing is known of it."""
        with self._lock:
            known = self._offers.get(camera)
            if known is None or self.clock() - known.at > SILENT_S:
                return False
            self._offers[camera] = replace(known, at=self.clock())
            return True

    def offers(self) -> list[Offer]:
        """What the cameras see that are not silent, in the order of their names."""
        with self._lock:
            now = self.clock()
            self._offers = {n: o for n, o in self._offers.items() if now - o.at <= SILENT_S}
            return sorted(self._offers.values(), key=lambda offer: offer.camera)

    def offer(self, offer_id: str) -> Offer | None:
        """The offer with this id; None if the camera sees something else by now or is silent."""
        return next((offer for offer in self.offers() if offer.id == offer_id), None)


def desk() -> CameraDesk:
    """The cameras known to the application that answers this request."""
    found: CameraDesk = current_app.extensions[EXTENSION]
    return found


def lay(deal_id: str, seat: str, camera: str, reading: dict[str, Any], picture: bytes) -> None:
    """Put the tiles that a camera read before a player, in place of what was there.

    Args:
        deal_id: which deal.
        seat: whose tiles these are.
        camera: what the camera is called.
        reading: the JSON form of the reading.
        picture: the JPEG that it was read from.

    Raises:
        KeyError: there is no such deal, or nobody sits there.
    """
    found = services()
    photo_id = new_id()

    def put(state: DealState) -> DealState:
        return with_tiles(state, [tiles_from_reading(state.player(seat), reading, photo_id)])

    keep_read_photo(photo_id, deal_id, seat, camera, reading, picture)
    found.store.edit(deal_id, put, noted("Tiles from the camera"), entry=photo_id)


def keep_read_photo(
    photo_id: str, deal_id: str, seat: str, name: str, reading: dict[str, Any], picture: bytes
) -> None:
    """Keep a photo that was read already.

    Args:
        photo_id: what it is known by from now on.
        deal_id: the deal that it belongs to.
        seat: whose tiles it shows.
        name: what it is called.
        reading: the JSON form of its reading.
        picture: the JPEG to show.
    """
    row = PhotoRow(
        id=photo_id,
        deal_id=deal_id,
        seat=seat,
        name=name[:80],
        created_at=datetime.now(UTC),
        stage=DONE,
        picture=picture,
        reading=reading,
    )
    with Session(services().engine) as session, session.begin():
        session.add(row)
