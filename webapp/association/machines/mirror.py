"""The files of a club where several machines serve it: kept in its database, laid into each folder.

They are the key that signs its cookies, its rulesets, its tile sets with those being taught, and
the lists that wait to be taken in.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from vision.runtime.files import put_in_place
from webapp.database.sessions import sessions_on
from webapp.database.tables.association import KeptFileRow
from webapp.runtime.data_folder import make_private
from webapp.security.headers import secret_key

KEY: Final = "secret.key"
"""The file of the key that signs the cookies of a club."""

FOLDERS: Final = ("rulesets", "sets", "imports")
"""The folders of a club whose files are shared."""

MIRROR: Final = "kongbox-mirror"
"""The key of an application's extensions under which its mirror is kept."""

FILES: Final = "files"
"""The kind of the signal that files of a club have changed; its text is the club."""

MAX_FILE_BYTES: Final = 20 * 1024**2
"""Size in bytes above which a file stays on its machine; photos of up to 16 MB are taken in."""

_PARTS: Final = ("part", "tmp", "sent")
"""The ends of names of files that are being written."""


class Mirror:
    """Keeps a club's folder on this machine and what its database holds the same.

    Args:
        engine: the club's database.
        folder: the club's folder on this machine.
    """

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._sessions = sessions_on(engine)
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int], str]] = {}
        self._lock = Lock()

    def begin(self) -> None:
        """Make both the same at the start; of two keys the one that was kept first counts."""
        self.pull()
        secret_key(self._folder)
        self.push()
        self.pull()

    def pull(self) -> None:
        """Lay what the database holds into the folder, and delete what was deleted elsewhere."""
        with self._lock, self._sessions() as session:
            query = select(KeptFileRow.path, KeptFileRow.digest, KeptFileRow.data.is_(None))
            for path, digest, gone in session.execute(query):
                if not gone and self._digest(path) != digest:
                    row = session.get(KeptFileRow, path)
                    if row is not None and row.data is not None:
                        self._lay(path, row.data)
                elif gone:
                    self._forget(path)

    def push(self) -> bool:
        """Keep in the database what has changed in the folder; says whether anything has."""
        with self._lock:
            here = {path: self._digest(path) for path in self._paths()}
            gone = [path for path in self._known if path not in here]
            with self._sessions.begin() as session:
                digests = select(KeptFileRow.path, KeptFileRow.digest)
                kept = dict(session.execute(digests).all())
                changed = [path for path, digest in here.items() if kept.get(path) != digest]
                for path in changed:
                    with suppress(FileNotFoundError):  # a photo was read meanwhile, and is gone
                        _keep(session, path, (self._folder / path).read_bytes())
                for path in gone:
                    _keep(session, path, None)
                    del self._known[path]
        return bool(changed or gone)

    def _paths(self) -> Iterator[str]:
        for name in FOLDERS:
            for file in (self._folder / name).rglob("*"):
                written = file.suffix.removeprefix(".") not in _PARTS
                if written and _size(file) <= MAX_FILE_BYTES:
                    yield file.relative_to(self._folder).as_posix()
        if (self._folder / KEY).is_file():
            yield KEY

    def _digest(self, path: str) -> str:
        """The digest of a file; empty if it is not there. It is read again only once it changed."""
        try:
            state = (self._folder / path).stat()
            stamp = state.st_mtime_ns, state.st_size
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                known = stamp, hashlib.sha256((self._folder / path).read_bytes()).hexdigest()
                self._known[path] = known
        except OSError:
            self._known.pop(path, None)
            return ""
        return known[1]

    def _lay(self, path: str, data: bytes) -> None:
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = target.with_name(f".{target.name}.part")
        part.write_bytes(data)
        make_private(part)
        put_in_place(part, target)
        self._digest(path)

    def _forget(self, path: str) -> None:
        (self._folder / path).unlink(missing_ok=True)
        self._known.pop(path, None)


def _size(file: Path) -> float:
    """The size of a file in bytes; more than any for a folder, and for what is gone meanwhile."""
    try:
        return file.stat().st_size if file.is_file() else math.inf
    except FileNotFoundError:
        return math.inf


def _keep(session: Session, path: str, data: bytes | None) -> None:
    row = session.get(KeptFileRow, path) or KeptFileRow(path=path)
    if path == KEY and row.digest:
        return  # whoever made the key first signs for all
    row.data, row.digest = data, hashlib.sha256(data or b"").hexdigest()
    session.add(row)
