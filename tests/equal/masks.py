"""What differs from one run to the next, made the same in texts and files."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from typing import Any, Final

from tests.equal.canonical import digest

_ID: Final = re.compile(r"\b[0-9a-f]{32}\b")
_MASKS: Final = (
    (re.compile(r'(name="(?:csrf_token|entry)" value=")[^"]*'), r"\1<token>"),
    (re.compile(r"\bI[\w-]{40,}\.[\w-]{6}\.[\w-]{20,}"), "<token>"),
    (re.compile(r"(\?v=)[0-9a-f]{8}"), r"\1<version>"),
    (re.compile(r"(const VERSION = .)[0-9a-f]{8}"), r"\1<version>"),
    (re.compile(r"\b0000[0-9a-f]{4}\b"), "<short id>"),
    (re.compile(r"\$argon2id\$[^\s\"]+"), "<hash>"),
    (re.compile(r"\bchart-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "chart-<id>"),
    (re.compile(r"(-before-)\d{8}-\d{6}-\d{6}"), r"\1<moment>"),
    (re.compile(r"( rows?, )\d+\.\d s\b"), r"\1<seconds> s"),
    (re.compile(r'("seconds": \{)[^}]*'), r"\1"),
    (re.compile(r"2026-11-01([T ])12:00:0\d\.\d+"), r"2026-11-01\g<1><moment>"),
)
_TEXTS: Final = ("text/", "application/json", "application/problem+json", "image/svg+xml")
_UNSTEADY: Final = frozenset({"docProps/core.xml"})
"""Members of packed files that tell when they were written."""


class Masks:
    """Masks what is known to differ.

    Args:
        known: texts with what stands in their place, such as the path of a temporary folder.
    """

    def __init__(self, known: Iterable[tuple[str, str]] = ()) -> None:
        self._known = tuple(known)

    def text(self, text: str) -> str:
        """The text with ids named by the order in which they come, and times left out."""
        for found, told in self._known:
            text = text.replace(found, told)
        names: dict[str, str] = {}
        text = _ID.sub(lambda m: names.setdefault(m[0], f"<id {len(names) + 1}>"), text)
        for pattern, told in _MASKS:
            text = pattern.sub(told, text)
        return text

    def body(self, kind: str, data: bytes) -> Any:
        """The content of an answer of that media type."""
        if kind.startswith(_TEXTS):
            return self.text(data.decode("utf-8", "replace"))
        if data.startswith(b"PK"):
            return self.packed(data)
        return digest(data)

    def packed(self, data: bytes) -> Any:
        """The members of a packed file."""
        told = {}
        with zipfile.ZipFile(io.BytesIO(data)) as held:
            for name in held.namelist():
                content = held.read(name)
                if name not in _UNSTEADY:
                    told[self.text(name)] = self._member(name, content)
        return told

    def _member(self, name: str, content: bytes) -> Any:
        if name.endswith((".json", ".jsonl", ".csv", ".xml", ".txt", ".md")):
            return self.text(content.decode("utf-8", "replace"))
        return digest(content)
