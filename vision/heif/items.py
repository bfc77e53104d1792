"""The items of an HEIF file (ISO/IEC 23008-12), their properties and what they are made of.

Only what leads to the picture itself is looked at: thumbnails, gain maps, depths, transparency,
notes and colour profiles are passed over, and their bytes never reach a decoder.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from vision.errors import costly, damaged
from vision.heif.boxes import MAX_BOXES, Fields

_FROM_FILE: Final = 0
"""Construction method of an item whose offsets count from the start of the file."""
_FROM_BOX: Final = 1
"""That of one whose offsets count from the start of the ``idat`` box."""
_NUMBERS: Final = {1: 0x7F, 2: 0x7FFF}
"""The bits of a property's number, by its bytes; the first bit says that readers must know it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bytes of an item lie: in the file or a box of it, and each start and length."""

    method: int
    extents: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Items:
    """The items of a file.

    Attributes:
        kind: the file format that refusals name.
        file: the whole file.
        primary: the number of the item that is the picture; 0 if none is.
        types: the type of each item.
        places: where each item lies.
        parts: the items from which an item is derived, in order.
        properties: all properties, by the number from 1 with which items name them.
        named: the numbers of each item's properties, in order.
        inside: the bytes of the ``idat`` box.
    """

    kind: str
    file: memoryview
    primary: int = 0
    types: dict[int, bytes] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    parts: dict[int, list[int]] = field(default_factory=dict)
    properties: list[tuple[bytes, memoryview]] = field(default_factory=list)
    named: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    inside: memoryview = field(default_factory=lambda: memoryview(b""))

    def properties_of(self, item: int) -> list[tuple[bytes, memoryview]]:
        """The name and the content of each property of an item, in order."""
        every = len(self.properties)
        return [self.properties[n - 1] for n in self.named.get(item, ()) if 0 < n <= every]

    def length(self, item: int) -> int:
        """Number of bytes of an item."""
        place = self.places.get(item)
        return 0 if place is None else sum(length for _, length in place.extents)

    def bytes_of(self, item: int) -> bytes:
        """The bytes of an item.

        Raises:
            PhotoRejected: they are not all there.
        """
        place = self.places.get(item)
        if place is None or place.method not in (_FROM_FILE, _FROM_BOX):
            raise damaged(self.kind)
        source = self.inside if place.method == _FROM_BOX else self.file
        if any(start + length > len(source) for start, length in place.extents):
            raise damaged(self.kind)
        return b"".join(source[start : start + length] for start, length in place.extents)


def read_items(kind: str, data: bytes) -> Items:
    """The items of a file.

    Raises:
        PhotoRejected: a box is damaged, there are too many, or it has no items.
    """
    items = Items(kind, memoryview(data))
    for name, body in Fields(kind, items.file).boxes():
        if name == b"meta":
            body.version()
            for inner, content in body.boxes():
                read = _READERS.get(inner)
                if read is not None:
                    read(items, content)
            return items
        if name == b"moov":
            raise costly(kind)
    raise damaged(kind)


def _primary(items: Items, body: Fields) -> None:
    version, _ = body.version()
    items.primary = body.number(4 if version else 2)


def _inside(items: Items, body: Fields) -> None:
    items.inside = body.data


def _types(items: Items, body: Fields) -> None:
    version, _ = body.version()
    body.number(4 if version else 2)
    for name, entry in body.boxes():
        version, _ = entry.version()
        if name == b"infe" and version >= 2:
            number = entry.number(4 if version > 2 else 2)
            entry.number(2)
            items.types[number] = entry.name()


def _places(items: Items, body: Fields) -> None:
    version, _ = body.version()
    sizes = body.number(2)
    of_offset, of_length, of_base, of_index = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    wide = 4 if version > 1 else 2
    counted = 0
    for _ in range(body.number(wide)):
        number = body.number(wide)
        method = body.number(2) & 15 if version else _FROM_FILE
        body.number(2)
        base, count, extents = body.number(of_base), body.number(2), []
        counted += 1 + count
        if counted > MAX_BOXES:
            raise costly(items.kind)
        for _ in range(count):
            body.number(of_index if version else 0)
            extents.append((base + body.number(of_offset), body.number(of_length)))
        items.places[number] = Place(method, tuple(extents))


def _references(items: Items, body: Fields) -> None:
    version, _ = body.version()
    wide = 4 if version else 2
    for name, entry in body.boxes():
        number = entry.number(wide)
        if name == b"dimg" and number not in items.parts:
            count = entry.number(2)
            if count > MAX_BOXES:
                raise costly(items.kind)
            items.parts[number] = [entry.number(wide) for _ in range(count)]


def _properties(items: Items, body: Fields) -> None:
    for name, entry in body.boxes():
        if name == b"ipco":
            items.properties = [(inner, content.data) for inner, content in entry.boxes()]
        elif name == b"ipma":
            _named(items, entry)


def _named(items: Items, body: Fields) -> None:
    version, flags = body.version()
    width = 2 if flags & 1 else 1
    counted = 0
    for _ in range(body.number(4)):
        number = body.number(4 if version else 2)
        for _ in range(body.number(1)):
            items.named[number].append(body.number(width) & _NUMBERS[width])
            counted += 1
        counted += 1
        if counted > 8 * MAX_BOXES:
            raise costly(items.kind)


_READERS: Final = {
    b"pitm": _primary,
    b"idat": _inside,
    b"iinf": _types,
    b"iloc": _places,
    b"iref": _references,
    b"iprp": _properties,
}
"""What reads each of the boxes that lead to the picture."""
