"""A club's own ruleset files: where they lie, and how a new version of one is written.

A file that was saved is never changed: whoever edits it saves the next version beside it, under an
id of its own, so that what was scored keeps the rules it was scored under.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import tomli_w

from scorer.rules.files import FOLDER_VARIABLE, Source, read_file
from scorer.rules.rulebook import check_table, forget_files, load_ruleset, ruleset_ids
from webapp.rulesets.shown import forget_rulesets
from webapp.rulesets.versions import family, version_of

MAX_FILE_BYTES: Final = 200_000
_NAME_VERSION: Final = re.compile(r", version \d{1,4}$")


def use_folder(data: Path) -> Path:
    """The folder of the club's files, which the scorer then reads.

    Args:
        data: the user's data folder; its folder ``rulesets`` is the club's unless the environment
            variable ``KONGBOX_RULESETS`` names another.
    """
    folder = Path(os.environ.get(FOLDER_VARIABLE) or data / "rulesets")
    if folder.is_dir() and not os.environ.get(FOLDER_VARIABLE):
        os.environ[FOLDER_VARIABLE] = str(folder)
        forget()
    return folder


def forget() -> None:
    """Read the files anew at the next question."""
    forget_files()
    forget_rulesets()


def plain_name(name: str) -> str:
    """The name of a ruleset without its version."""
    return _NAME_VERSION.sub("", name)


def file_of(folder: Path, ruleset_id: str) -> Source | None:
    """The decoded file of one of the club's rulesets, or None.

    Raises:
        RulesetError: the file cannot be read.
    """
    for path in sorted(folder.glob("*.toml")):
        source = read_file(path)
        if source.raw.get("id") == ruleset_id:
            return source
    return None


def new_id(name: str) -> str:
    """An id made of a name: ``our-club`` of “Our club”; what has no Latin letters is ``club``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return family(re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40]) or "club"


def save(folder: Path, raw: Mapping[str, Any], first: str, day: date) -> str:
    """Write the next version of a ruleset and give its id.

    Args:
        folder: where the club's files lie; made if it is not there.
        raw: the decoded file; its id and the version in its name are set here.
        first: the family of ids that it belongs to.
        day: when it was saved, written into the file.

    Raises:
        RulesetError: it is not sound; nothing was written.
        OSError: the folder cannot be written.
    """
    versions = [version_of(own) for own in ruleset_ids() if family(own) == first]
    number = max(versions, default=0) + 1
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        own = first if number == 1 else f"{first}-v{number}"
        name = plain_name(str(raw.get("name", "")))
        shown = name if number == 1 else f"{name}, version {number}"
        table = {**raw, "id": own, "name": shown}
        check_table(table, f"{own}.toml")
        if _written(folder / f"{own}.toml", table, day):
            break
        number += 1
    os.environ[FOLDER_VARIABLE] = str(folder)
    forget()
    load_ruleset(own)
    return own


def _written(path: Path, table: Mapping[str, Any], day: date) -> bool:
    """Whether the file was written whole; not when there is one of that name."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    text = f"# Saved by Kongbox on {day.isoformat()}.\n\n{tomli_w.dumps(table)}"
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            path.hardlink_to(part)
        except FileExistsError:
            return False
    finally:
        part.unlink(missing_ok=True)
    return True
