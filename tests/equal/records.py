"""Folders of records: a file of JSON lines for each subject, and the hashes of them all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.equal.canonical import plain, text_of

HASHES: Final = "hashes.json"
_BEFORE_KEY: Final = '{"key":'
REQUIREMENTS: Final = Path(__file__).parents[2] / "requirements"


class Records:
    """The file of one subject while it is written: a record is a key and a value.

    Args:
        path: of the file, which is written anew.
        quick: whether only about a tenth of what can be asked is.
    """

    def __init__(self, path: Path, *, quick: bool) -> None:
        self.quick = quick
        self._file = path.open("w", encoding="utf-8")
        self._keys: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, key: str, value: object) -> None:
        """Keep what was answered.

        Raises:
            ValueError: something was kept under this key.
        """
        if key in self._keys:
            raise ValueError(f"two records are called {key!r}")
        self._keys.add(key)
        self._file.write(text_of({"key": key, "value": plain(value)}) + "\n")

    def some(self, count: int) -> range:
        """The numbers from 0 to ``count``, or every tenth of them."""
        return range(0, count, 10 if self.quick else 1)


def read(path: Path) -> dict[str, str]:
    """The lines of a file by the keys of their records, in its order."""
    decoder = json.JSONDecoder()
    with path.open(encoding="utf-8") as file:
        return {decoder.raw_decode(line, len(_BEFORE_KEY))[0]: line for line in file}


def value_of(line: str) -> Any:
    """What the record of a line holds."""
    return json.loads(line)["value"]


def write_hashes(folder: Path) -> None:
    """Note the SHA-256 of each file of the folder, and of what was installed."""
    hashes = {
        "records": _hashes(folder, "*.jsonl"),
        "requirements": _hashes(REQUIREMENTS, "*.txt"),
    }
    (folder / HASHES).write_text(json.dumps(hashes, indent=2) + "\n", "utf-8")


def _hashes(folder: Path, pattern: str) -> dict[str, str]:
    paths = sorted(folder.glob(pattern))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def read_hashes(folder: Path) -> dict[str, dict[str, str]]:
    """The hashes that were noted in a folder."""
    hashes: dict[str, dict[str, str]] = json.loads((folder / HASHES).read_text("utf-8"))
    return hashes
