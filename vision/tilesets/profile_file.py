"""Files of set profiles: their JSON form, and the folder in which they are kept.

A file is JSON of this form, with pictures as base64 JPEG and embeddings as base64 float16::

    {"kongbox_set": 1, "name": "Club set",
     "classifier": {"version": "1.0.1", "sha256": "<64 hexadecimal digits>"},
     "white_dragon": "blank",
     "copies": {"1f": 0},
     "shots": [{"label": "1m", "jpeg": "...", "embedding": "..."}]}

``copies`` names only the faces of which the tile set has another number than usual.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.errors import PhotoError
from vision.messages import Message, say
from vision.photo.decode import decode_photo
from vision.photo.headers import read_header
from vision.runtime.filenames import same_name
from vision.runtime.files import delete, put_in_place
from vision.runtime.opencv import cv2
from vision.tilesets.folder import profiles_folder
from vision.tilesets.form_faults import form_fault
from vision.tilesets.profile import (
    MAX_SHOTS,
    ProfileError,
    SetProfile,
    Shot,
    check_copies,
    check_name,
)

SUFFIX: Final = ".kongset"
"""Ending of the name of a profile's file."""

MAX_FILE_BYTES: Final = 8 * 1024 * 1024
"""Maximum size of a profile's file, in bytes."""

MAX_PICTURE_SIDE: Final = 192
"""Maximum length in pixels of either side of a picture in a profile; the reader wants 96 x 72."""

_JPEG_QUALITY: Final = 92
"""JPEG quality, 0..100, at which the pictures are kept."""

_SOURCE: Final = say("profile.source")
"""What a profile is called in an error where its file has no name."""

_LEAST_LENGTH: Final = 0.5
"""Minimum length of a stored embedding: all are of unit length, so a shorter one is damaged."""


class _ClassifierForm(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    version: Annotated[str, Field(max_length=40)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _ShotForm(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    label: str
    jpeg: str
    embedding: str


class _ProfileForm(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    kongbox_set: Literal[1]
    name: str
    classifier: _ClassifierForm
    white_dragon: Literal["blank", "marked"]
    copies: dict[str, int]
    shots: Annotated[list[_ShotForm], Field(min_length=1, max_length=MAX_SHOTS)]


def to_json(profile: SetProfile) -> str:
    """The profile as the text of its file."""
    return _ProfileForm(
        kongbox_set=1,
        name=profile.name,
        classifier=_ClassifierForm(version=profile.version, sha256=profile.sha256),
        white_dragon="blank" if profile.blank_white else "marked",
        copies=dict(profile.copies),
        shots=[_shot_form(shot) for shot in profile.shots],
    ).model_dump_json(indent=1)


def from_json(text: str | bytes, source: str | Message = _SOURCE) -> SetProfile:
    """The profile that the text of a file holds.

    Args:
        text: the content of the file.
        source: what to call the file in an error.

    Raises:
        ProfileError: the text is not a profile, is damaged, or is of a later version of Kongbox.
    """
    form = _form(text, source)
    try:
        shots = tuple(_shot(shot) for shot in form.shots)
    except (PhotoError, ProfileError) as error:
        raise ProfileError(say("profile.damaged", source=source, fault=error.message)) from error
    except ValueError as error:
        raise ProfileError(say("profile.damaged", source=source, fault=str(error))) from error
    if len({shot.embedding.shape for shot in shots}) != 1:
        raise ProfileError(say("profile.directions", source=source))
    return SetProfile(
        form.name,
        shots,
        form.classifier.version,
        form.classifier.sha256,
        form.white_dragon == "blank",
        MappingProxyType(form.copies),
    )


def _form(text: str | bytes, source: str | Message) -> _ProfileForm:
    try:
        return _ProfileForm.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "file"
        raise ProfileError(
            say("profile.form", source=source, where=where, fault=form_fault(error))
        ) from None


def _shot_form(shot: Shot) -> _ShotForm:
    done, data = cv2.imencode(".jpg", shot.crop, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    if not done:
        raise ProfileError(say("profile.picture_unwritten", label=shot.label))
    return _ShotForm(
        label=shot.label,
        jpeg=base64.b64encode(data.tobytes()).decode("ascii"),
        embedding=base64.b64encode(shot.embedding.astype("<f2").tobytes()).decode("ascii"),
    )


def _shot(form: _ShotForm) -> Shot:
    try:
        jpeg = base64.b64decode(form.jpeg, validate=True)
        raw = base64.b64decode(form.embedding, validate=True)
    except binascii.Error as error:
        raise ProfileError(say("profile.not_base64", label=form.label)) from error
    embedding = np.frombuffer(raw, "<f2").astype(np.float32)
    length = float(np.linalg.norm(embedding))
    if not np.isfinite(length) or length < _LEAST_LENGTH:
        raise ProfileError(say("profile.no_direction", label=form.label))
    header = read_header(jpeg)
    if header.kind != "JPEG":
        raise ProfileError(say("profile.picture_not_jpeg", label=form.label))
    if max(header.width, header.height) > MAX_PICTURE_SIDE:
        words = say("profile.picture_too_large", label=form.label, most=MAX_PICTURE_SIDE)
        raise ProfileError(words)
    return Shot(form.label, decode_photo(jpeg), embedding / length)


def known_as(name: str, folder: Path | None = None) -> str | None:
    """The name of the profile that is called so, whatever its capitals; None if there is none.

    Windows and Macs would take its file for that of the other name. Where there are two, as Linux
    lets there be, the one that is written so is meant.
    """
    names = list_profiles(folder)
    return name if name in names else next((n for n in names if same_name(n, name)), None)


def profile_path(name: str, folder: Path | None = None) -> Path:
    """The file of the profile of that name, whether it exists or not.

    Args:
        name: of the profile.
        folder: of the profiles; by default :func:`profiles_folder`.

    Raises:
        ProfileError: no profile may have that name.
    """
    check_name(name)
    own = known_as(name, folder) or name
    return (profiles_folder() if folder is None else folder) / f"{own}{SUFFIX}"


def save_profile(profile: SetProfile, folder: Path | None = None) -> Path:
    """Write the profile to its file, replacing an earlier one of that name, and return the file.

    An earlier one keeps its capitals.

    Raises:
        ProfileError: the folder cannot be written to.
    """
    path = profile_path(profile.name, folder)
    profile = replace(profile, name=path.stem)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_text(to_json(profile), "utf-8")
        put_in_place(draft, path)
    except OSError as error:
        raise _file_error("profile.unwritten", path, error) from error
    return path


def load_profile(name: str, folder: Path | None = None) -> SetProfile:
    """Load the profile of that name.

    Args:
        name: of the profile, or the path of a file that ends in ``.kongset``.
        folder: of the profiles; by default :func:`profiles_folder`.

    Raises:
        ProfileError: there is no such profile, or it is damaged.
    """
    return from_json(*_content(name, folder))


def load_copies(name: str, folder: Path | None = None) -> Mapping[str, int]:
    """Load the unusual numbers of tiles of a profile, without its pictures.

    Args:
        name: of the profile, or the path of a file that ends in ``.kongset``.
        folder: of the profiles; by default :func:`profiles_folder`.

    Returns:
        The number of tiles of each face of which the tile set has an unusual number.

    Raises:
        ProfileError: there is no such profile, or it is damaged.
    """
    copies = _form(*_content(name, folder)).copies
    check_copies(copies)
    return MappingProxyType(copies)


def _content(name: str, folder: Path | None) -> tuple[bytes, str]:
    """The content of the file of a profile, and its path."""
    path = Path(name) if name.endswith(SUFFIX) else profile_path(name, folder)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ProfileError(say("profile.too_large", path=str(path)))
        return path.read_bytes(), str(path)
    except FileNotFoundError as error:
        known = tuple(list_profiles(folder)) or say("profile.none")
        raise ProfileError(say("profile.unknown", name=name, known=known)) from error
    except OSError as error:
        raise _file_error("profile.unread", path, error) from error


def _file_error(message_id: str, path: Path, error: OSError) -> ProfileError:
    fault = error.strerror or str(error)
    return ProfileError(say(message_id, path=str(path), fault=fault))


def list_profiles(folder: Path | None = None) -> list[str]:
    """The sorted names of the profiles in the folder."""
    folder = profiles_folder() if folder is None else folder
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith("."))


def remove_profile(name: str, folder: Path | None = None) -> None:
    """Delete the profile of that name.

    Raises:
        ProfileError: there is no such profile, or it cannot be deleted.
    """
    path = profile_path(name, folder)
    try:
        delete(path)
    except FileNotFoundError as error:
        raise ProfileError(say("profile.missing", name=name)) from error
    except OSError as error:
        raise _file_error("profile.not_deleted", path, error) from error
