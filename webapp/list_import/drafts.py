"""Files that were sent and wait to be taken in: each with what was said of it so far.

They lie in a folder of their own, so that nothing need be sent twice, whatever happens to the
browser or the program; one that nobody takes in is forgotten after some days.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from vision.runtime.files import put_in_place
from webapp.database.ids import new_id
from webapp.evening.evenings import today
from webapp.list_import.columns import fullest
from webapp.list_import.files import read_file
from webapp.list_import.sheet import Row, Sheet
from webapp.list_import.tables import plain_lists
from webapp.people.names import search_key

FOLDER: Final = "imports"
"""The name of the folder in the data folder of a club in which the files wait."""

KEPT_S: Final = 3 * 24 * 3600
"""How long a file waits to be taken in, in seconds."""

MAX_WAITING: Final = 20
"""Maximum number of files that wait; the oldest goes for one more."""

MAX_NAME: Final = 80
"""Number of characters of a file's name that are kept."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was said of a file; whatever is None is guessed.

    Attributes:
        sheet: the number of the sheet, from 0.
        heading: the line with the headings, 0 for none.
        fields: what the columns are.
        target: what the list is taken for.
        season: the id of the season that begins with it.
        answers: whom names mean, by the keys of those named.
        readings: how what is in doubt is to be read, by the keys of the doubts.
    """

    sheet: int = 0
    heading: int | None = None
    fields: tuple[str, ...] | None = None
    target: str | None = None
    season: str | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """A file that waits: its name, its digest, when it was sent, its sheets and what was said."""

    id: str
    name: str
    digest: str
    at: datetime
    sheets: tuple[Sheet, ...]
    chosen: Chosen


class Drafts:
    """Keeps the files that wait in a folder.

    Args:
        folder: the folder, which is made with the first file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self, name: str, file: IO[bytes]) -> str:
        """Read a file that was sent, keep what is in it, and return the id under which it waits.

        Raises:
            FileRefused: it is not a list; nothing is kept of it.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._tidy()
        draft_id = new_id()
        sent = self._folder / f"{draft_id}.sent"
        try:
            with sent.open("wb") as kept:
                sent.chmod(0o600)
                shutil.copyfileobj(file, kept)
            digest = hashlib.sha256(sent.read_bytes()).hexdigest()
            sheets = tuple(it for sheet in read_file(sent) for it in plain_lists(sheet, today()))
        finally:
            sent.unlink(missing_ok=True)
        plain = "".join(sign for sign in Path(name).name if sign.isprintable())[-MAX_NAME:]
        chosen = Chosen(sheet=fullest(sheets, today()))
        self._write(Draft(draft_id, plain, digest, datetime.now(UTC), sheets, chosen))
        return draft_id

    def draft(self, draft_id: str) -> Draft | None:
        """The file with this id; None if it does not wait any more."""
        path = self._path(draft_id)
        if path is None:
            return None
        try:
            told: dict[str, Any] = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        chosen = told["chosen"]
        fields = chosen.pop("fields")
        return Draft(
            draft_id, told["name"], told["digest"], datetime.fromisoformat(told["at"]),
            tuple(Sheet.from_json(sheet) for sheet in told["sheets"]),
            Chosen(fields=None if fields is None else tuple(fields), **chosen),
        )  # fmt: skip

    def waiting(self) -> list[Draft]:
        """The files that wait, the latest first."""
        found = (self.draft(path.stem) for path in self._folder.glob("*.json"))
        return sorted((it for it in found if it is not None), key=lambda it: it.at, reverse=True)

    def choose(self, draft: Draft, chosen: Chosen) -> Draft:
        """Keep what was said of a file."""
        said = replace(draft, chosen=chosen)
        self._write(said)
        return said

    def drop(self, draft_id: str) -> None:
        """Forget a file."""
        path = self._path(draft_id)
        if path is not None:
            path.unlink(missing_ok=True)

    def forget_named(self, names: Iterable[str]) -> None:
        """Forget the files in which someone of one of these names stands, who was erased."""
        told = [set(search_key(name).split()) for name in names]
        for draft in self.waiting():
            rows = (row for sheet in draft.sheets for row in sheet.rows)
            if any(words <= _words(row) for row in rows for words in told):
                self.drop(draft.id)

    def _path(self, draft_id: str) -> Path | None:
        return self._folder / f"{draft_id}.json" if re.fullmatch("[0-9a-f]{32}", draft_id) else None

    def _write(self, draft: Draft) -> None:
        chosen = draft.chosen
        told = {
            "name": draft.name,
            "digest": draft.digest,
            "at": draft.at.isoformat(),
            "chosen": {name: getattr(chosen, name) for name in Chosen.__slots__},
            "sheets": [sheet.to_json() for sheet in draft.sheets],
        }
        path = self._folder / f"{draft.id}.json"
        part = path.with_suffix(".part")
        part.touch(mode=0o600)
        part.write_text(json.dumps(told, ensure_ascii=False), "utf-8")
        put_in_place(part, path)

    def _tidy(self) -> None:
        """Forget what waited too long, and the oldest where too many wait."""
        paths = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for number, path in enumerate(paths, 1):
            if number >= MAX_WAITING or path.stat().st_mtime < time.time() - KEPT_S:
                path.unlink(missing_ok=True)


def _words(row: Row) -> set[str]:
    return set(search_key(" ".join(row.cells).replace(",", " ")).split())
