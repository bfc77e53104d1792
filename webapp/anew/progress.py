"""How far a re-reading has come, in a small file: one line of JSON for each photo that was read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from webapp.anew.held import Compared
from webapp.folders import make_private


class ProgressRefused(ValueError):
    """A file cannot be gone on with; the message says why and what to do."""


class Progress:
    """What was read anew already; a line that was cut off as the program died is read again.

    Args:
        path: the file, which is made if it does not exist.
        task: what is to be done, as plain JSON values; a file of another task is refused.

    Raises:
        ProgressRefused: the file is about something else.
    """

    def __init__(self, path: Path, task: Mapping[str, Any]) -> None:
        self._path, self._task = path, task
        self._file: IO[str] | None = None
        self.done: dict[tuple[str, str], Compared] = {}
        whole = self._read() if path.exists() and path.stat().st_size else None
        if whole is None:
            path.write_text(_line(task), "utf-8")
            make_private(path)
        else:
            path.write_text(whole, "utf-8")

    def __enter__(self) -> Self:
        self._file = self._path.open("a", encoding="utf-8")
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

    def _read(self) -> str:
        """Take up what the file holds; gives its whole lines."""
        lines = self._path.read_text("utf-8").splitlines(keepends=True)
        if not lines[-1].endswith("\n"):
            lines.pop()
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
        return "".join(lines) or _line(self._task)


def _line(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False) + "\n"
