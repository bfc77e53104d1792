"""How far a re-reading has come, in a small file: one line of JSON for each photo that was read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from webapp.rereading.comparison import Compared
from webapp.runtime.data_folder import make_private


class ProgressRefused(ValueError):
    """A file cannot be gone on with; the message says why and what to do."""


class Progress:
    """What was read again already; a line that was cut off as the program died is read again.

    Args:
        path: the file, which is made if it does not exist.
        task: what is to be done, as plain JSON values; a file of another task is refused.

    Raises:
        ProgressRefused: the file is about something else.
    """

    def __init__(self, path: Path, task: Mapping[str, Any]) -> None:
        self._path, self._task = path, task
        self._file: IO[bytes] | None = None
        self.done: dict[tuple[str, str], Compared] = {}
        if path.exists() and path.stat().st_size:
            with path.open("r+b") as file:
                file.truncate(self._read(file.read()))
        if not path.exists() or not path.stat().st_size:
            path.write_bytes(_line(task))
            make_private(path)

    def __enter__(self) -> Self:
        self._file = self._path.open("ab")
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, compared: Compared) -> None:
        """Keep that a photo was read, before anything else is done."""
        key = compared.club, compared.photo
        if self._file is not None and key not in self.done:
            self._file.write(_line(compared.told()))
            self._file.flush()
        self.done[key] = compared

    def _read(self, held: bytes) -> int:
        """Take up what the file holds; gives the length of its whole lines."""
        whole = held[: held.rfind(b"\n") + 1]
        lines = whole.splitlines()
        try:
            task = json.loads(lines[0]) if lines else None
            found = [Compared.from_told(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProgressRefused(
                f"{self._path} is not from a re-reading. Name another file with --state."
            ) from error
        if lines and task != json.loads(_line(self._task)):
            raise ProgressRefused(
                f"{self._path} is from another re-reading: of other photos, or with other models. "
                "Delete it to begin anew, or name another file with --state."
            )
        self.done = {(compared.club, compared.photo): compared for compared in found}
        return len(whole)


def _line(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"
