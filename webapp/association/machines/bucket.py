"""The pictures of clubs in a folder or bucket that all machines of an association reach."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Final

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from vision.runtime.files import keep_on_disk
from webapp.database.engine import DatabaseError
from webapp.database.trouble import PicturesAway
from webapp.runtime.steady_clock import steady_now

WAIT: Final = timedelta(seconds=10)
"""For how long the bucket may not answer until people are told so: they wait for the page."""

CUT_SHORT: Final = timedelta(hours=1)
"""Age above which a file that is not complete was left by a machine that has died."""


@cache
def opened(address: str) -> ObjectStore:
    """The folder or bucket at an address such as ``file:///mnt/photos`` or ``s3://bucket/prefix``.

    Raises:
        DatabaseError: there is no such folder, or it is no such address.
    """
    try:
        return from_url(
            address,
            # Not encrypted only where the endpoint that was given says so, as inside one network.
            client_options={"allow_http": True, "timeout": WAIT, "connect_timeout": WAIT / 3},
            retry_config={"max_retries": 2, "retry_timeout": WAIT},
        )
    except (BaseError, ValueError) as error:
        raise DatabaseError(
            f"Photos cannot be kept at {address}: {str(error).partition(chr(10))[0]}. Name a "
            "folder that is there, such as file:///mnt/photos, or a bucket, s3://bucket/prefix."
        ) from error


@contextmanager
def _told() -> Iterator[None]:
    """Tell whatever goes wrong there as the one trouble that it is."""
    try:
        yield
    except (BaseError, OSError) as error:
        raise PicturesAway(str(error).partition("\n")[0]) from error


@dataclass(frozen=True)
class Bucket:
    """The pictures of a club.

    Attributes:
        address: the address of the folder or bucket of all clubs.
        club_id: the club, whose pictures lie in a folder of that name.
    """

    address: str
    club_id: str

    def put(self, photo_id: str, picture: bytes) -> None:
        """Lay a picture there for good, in the place of an earlier one, whole or not at all."""
        with _told():
            obstore.put(opened(self.address), self._path(photo_id), picture)
            folder = self._folder()
            if folder is not None:
                for each in (folder / f"{photo_id}.jpg", folder, folder.parent):
                    keep_on_disk(each)

    def get(self, photo_id: str) -> bytes:
        """The bytes of a picture."""
        with _told():
            return bytes(obstore.get(opened(self.address), self._path(photo_id)).bytes())

    def delete(self, photo_ids: Collection[str]) -> None:
        """Delete these pictures, one after the other: at one that is missing a list would end."""
        for photo_id in photo_ids:
            with _told(), suppress(FileNotFoundError):
                obstore.delete(opened(self.address), self._path(photo_id))

    def sizes(self) -> dict[str, int]:
        """The size of each picture that lies there; what is incomplete since long is deleted."""
        with _told():
            self._delete_cut_short()
            return {
                Path(found["path"]).stem: found["size"]
                for some in obstore.list(opened(self.address), self.club_id)
                for found in some
            }

    def _path(self, photo_id: str) -> str:
        return f"{self.club_id}/{photo_id}.jpg"

    def _folder(self) -> Path | None:
        """The folder of the club; None in a bucket, which does by itself what a disk is told to."""
        store = opened(self.address)
        return Path(str(store.prefix), self.club_id) if isinstance(store, LocalStore) else None

    def _delete_cut_short(self) -> None:
        folder, old = self._folder(), (steady_now() - CUT_SHORT).timestamp()
        for file in () if folder is None else folder.glob("*.jpg#*"):
            if file.stat().st_mtime < old:
                file.unlink(missing_ok=True)
