"""JSON and ZIP files that come from outside, opened within limits that keep them from costing much.

Nothing is read because a file says that it is there: sizes, numbers of parts and depths are known
to be bearable first, and whatever is wrong ends as :class:`Unusable`.
"""

from __future__ import annotations

import io
import json
import math
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

MAX_DEPTH: Final = 60
"""Maximum number of lists and objects around a value; the deepest that Kongbox writes is 12."""

MAX_WHOLE: Final = 2**63 - 1
"""Maximum whole number, of either sign: the largest that a database can hold."""

MAX_PARTS: Final = 60_000
"""Maximum number of parts of a ZIP file: the photos of a large club in eight years."""

MAX_DIRECTORY_BYTES: Final = 8 * 1024**2
"""Maximum size in bytes of a ZIP file's list of parts; 140 bytes for each part are ample."""

MAX_UNPACKED_BYTES: Final = 16 * 1024**3
"""Maximum size in bytes of all parts of a ZIP file together, as they are unpacked."""

_CHUNK_BYTES: Final = 1024**2
"""Number of bytes that are read at once."""

_PACKINGS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""The ways in which a part may be packed."""

_LOCKED: Final = 0x41
"""The bits among the flags of a part that tell that it is encrypted."""

_PATCHED: Final = 0x20
"""The bit among the flags of a part that says that it is only a change to another file."""

_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""What is raised where a part of a ZIP file cannot be read."""


class Unusable(ValueError):
    """A file from outside cannot be used; the message says why, as the end of a sentence."""


class NoNumber(Unusable):
    """There is a word in a JSON document that some programs write for what is no number.

    Args:
        word: the word, such as NaN.
    """

    def __init__(self, word: str) -> None:
        super().__init__(f"{word} in it is no number")
        self.word = word


def parse_json(
    text: str, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None
) -> object:
    """The value that a JSON document holds.

    Args:
        text: the document.
        pairs: makes a dictionary of the pairs of an object; None for one in which the last counts.

    Raises:
        JSONDecodeError: it is not JSON.
        Unusable: it lies too deep, or has a number that no database holds.
        NoNumber: it has NaN or Infinity for a number.
    """
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_no_number,
        )
    except RecursionError:
        raise Unusable("it has too many lists in each other") from None
    if text.count("[") + text.count("{") > MAX_DEPTH:
        refuse_deep(value)
    return value


def refuse_deep(value: object) -> None:
    """Raise :class:`Unusable` for a value with more than :data:`MAX_DEPTH` levels."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [outer for outer in level if isinstance(outer, dict | list)]
        if not level:
            return
        level = [
            part
            for outer in level
            for part in (outer.values() if isinstance(outer, dict) else outer)
        ]
    raise Unusable("it has too many lists in each other")


def _whole(digits: str) -> int:
    if len(digits) > len(str(-MAX_WHOLE)) or abs(int(digits)) > MAX_WHOLE:
        raise Unusable("a number in it is too large")
    return int(digits)


def _fraction(digits: str) -> float:
    if not math.isfinite(float(digits)):
        raise Unusable("a number in it is too large")
    return float(digits)


def _no_number(word: str) -> object:
    raise NoNumber(word)


class Unpacked:
    """The parts of a ZIP file that was found to be bearable.

    Args:
        packed: the file.
    """

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self._sizes = {part.filename: part.file_size for part in packed.infolist()}

    @property
    def size(self) -> int:
        """The size in bytes of all parts together, as they are unpacked."""
        return sum(self._sizes.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts."""
        return tuple(self._sizes)

    def __contains__(self, name: str) -> bool:
        """Whether there is a part with this name."""
        return name in self._sizes

    def read(self, name: str, most: int) -> bytes:
        """A part as a whole.

        Raises:
            Unusable: it is missing, has more than so many bytes, or is damaged.
        """
        with self._opened(name) as file:
            if self._sizes[name] > most:
                raise Unusable(f"{name} in it is too large")
            return b"".join(iter(partial(file.read, _CHUNK_BYTES), b""))

    def lines(self, name: str, most: int) -> Iterator[bytes]:
        """The lines of a part, one by one.

        Raises:
            Unusable: it is missing or damaged, or a line has more than so many bytes.
        """
        with self._opened(name) as file:
            while line := file.readline(most + 1):
                if len(line) > most:
                    raise Unusable(f"a line of {name} in it is too long")
                yield line

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        if name not in self:
            raise Unusable(f"{name} is missing in it")
        try:
            with self._packed.open(name) as file:
                yield file
        except _DAMAGE as error:
            raise Unusable("it is damaged") from error


@contextmanager
def opened_zip(path: Path, most: int = MAX_UNPACKED_BYTES) -> Iterator[Unpacked]:
    """Open a ZIP file.

    Args:
        path: the file.
        most: maximum size in bytes of all its parts together, as they are unpacked.

    Raises:
        OSError: the file cannot be opened.
        Unusable: it is not a ZIP file, or one that no program of ours packed.
    """
    with _Measured(path) as file:
        try:
            packed = zipfile.ZipFile(file)
        except Unusable:
            raise
        except (*_DAMAGE, ValueError, OSError) as error:
            raise Unusable("it is no ZIP file, or it is damaged") from error
        with packed:
            _refuse_unbearable(packed.infolist(), file.length, most)
            yield Unpacked(packed)


class _Measured(io.FileIO):
    """A file of which only so much is read at once as a ZIP file's list of parts may take."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.length = os.fstat(self.fileno()).st_size

    def read(self, size: int | None = -1, /) -> bytes:
        """Read so many bytes; a negative number for all that are left."""
        left = max(self.length - self.tell(), 0)
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > MAX_DIRECTORY_BYTES:
            raise Unusable("it has too many parts")
        return super().read(wanted) or b""


def _refuse_unbearable(parts: list[zipfile.ZipInfo], length: int, most: int) -> None:
    """Raise :class:`Unusable` if the list of parts says about something that is never packed."""
    if len(parts) > MAX_PARTS:
        raise Unusable("it has too many parts")
    if len({part.filename for part in parts}) != len(parts):
        raise Unusable("it has a part twice")
    if sum(part.file_size for part in parts) > most:
        raise Unusable(f"unpacked it has more than {most / 1e9:.1f} GB")
    if sum(part.compress_size for part in parts) > length:
        raise Unusable("its parts lie in each other")
    for part in parts:
        _refuse_part(part)


def _refuse_part(part: zipfile.ZipInfo) -> None:
    name, mode = part.filename, part.external_attr >> 16
    if part.flag_bits & _LOCKED:
        raise Unusable("it is locked with a password")
    if part.compress_type not in _PACKINGS or part.flag_bits & _PATCHED:
        raise Unusable("it is packed in a way that Kongbox does not know")
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or "\\" in name:
        raise Unusable("a part of it has a name that leads elsewhere")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise Unusable("a part of it is a link")
