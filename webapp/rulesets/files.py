"""A club's own ruleset files: the folder they are kept in, and writing a new version of one.

A saved file is never changed. An edit is saved as the next version beside it, under an id of its
own, so that deals keep the rules under which they were scored.
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

from scorer.rules.files import Source, read_file
from scorer.rules.folder import FOLDER_VARIABLE, own_place
from scorer.rules.rulebook import check_table, forget_files, load_ruleset, ruleset_ids
from vision.runtime.filenames import fits_everywhere
from vision.runtime.files import put_in_free_place
from webapp.rulesets.shown import forget_rulesets
from webapp.rulesets.versions import family, version_of
from webapp.runtime.data_folder import name_rulesets

MAX_FILE_BYTES: Final = 200_000
"""Maximum size in bytes of a ruleset file that the page accepts."""

_NAME_VERSION: Final = re.compile(r", version \d{1,4}$")
"""The end of a ruleset's name that gives its version."""


def use_folder(data: Path) -> Path:
    """The folder of the club's files, from which the scorer reads rulesets from now on.

    Args:
        data: the user's data folder, as for :func:`webapp.runtime.data_folder.name_rulesets`.
    """
    before = os.environ.get(FOLDER_VARIABLE)
    folder = name_rulesets(data)
    if os.environ.get(FOLDER_VARIABLE) != before:
        forget()
    return folder


def forget() -> None:
    """Clear the cached rulesets, so that the files are read again at the next question."""
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


def id_for_name(name: str) -> str:
    """An id made from a name: ``our-club`` for “Our club”, ``club`` for one in other scripts."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    made = family(re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40])
    return made if fits_everywhere(made) else f"club-{made}".rstrip("-")


def save(folder: Path, raw: Mapping[str, Any], first: str, day: date) -> str:
    """Write the next version of a ruleset and return its id.

    Args:
        folder: where the club's files are kept; it is made if it does not exist.
        raw: the decoded file; its id and the version in its name are set here.
        first: the id without its version, shared by all versions of the ruleset.
        day: the day of saving, written into the file as a comment.

    Raises:
        RulesetError: the ruleset is not valid; nothing was written.
        OSError: the folder cannot be written to.
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
    if not own_place():
        os.environ[FOLDER_VARIABLE] = str(folder)
    forget()
    load_ruleset(own)
    return own


def _written(path: Path, table: Mapping[str, Any], day: date) -> bool:
    """Write the file in one step; False if there is a file of that name already."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    text = f"# Saved by Kongbox on {day.isoformat()}.\n\n{tomli_w.dumps(table)}"
    try:
        part.write_text(text, "utf-8")
        try:
            put_in_free_place(part, path)
        except FileExistsError:
            return False
    finally:
        part.unlink(missing_ok=True)
    return True
