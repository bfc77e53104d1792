"""Set profiles: what the faces of one tile set look like, kept in a small file to be shared.

A file is JSON of this form, with pictures as base64 JPEG and directions as base64 float16::

    {"kongbox_set": 1, "name": "Club set",
     "classifier": {"version": "1.0.1", "sha256": "<64 hexadecimal digits>"},
     "white_dragon": "blank",
     "copies": {"1f": 0},
     "shots": [{"label": "1m", "jpeg": "...", "embedding": "..."}]}

``copies`` names only the tiles of which the set has another number than usual. Directions belong
to one classifier; the pictures are kept so that the next one can see them again.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scorer.tiles import BACK, READING_LABELS
from vision.errors import PhotoError
from vision.photo.decode import decode_photo
from vision.runtime.opencv import cv2
from vision.runtime.registry import ModelEntry
from vision.vocabulary.copies import NO_CHANGES, USUAL_COPIES

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

FOLDER_VARIABLE: Final = "KONGBOX_SETS"
"""Environment variable that names another folder for set profiles."""

SUFFIX: Final = ".kongset"
MAX_FILE_BYTES: Final = 8 * 1024 * 1024
MAX_SHOTS: Final = 1000
MAX_COPIES: Final = 16
_NAME = re.compile(r"[^\W_][\w .'-]{0,39}")
_JPEG_QUALITY: Final = 92


class ProfileError(ValueError):
    """A set profile that cannot be found, read, made or used; the text says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One look at one face of the set.

    Attributes:
        label: what the face is.
        crop: (h, w, 3) uint8 BGR, the face flat and upright.
        embedding: (d,) float32 of unit length, the classifier's direction for the crop.
    """

    label: str
    crop: Image
    embedding: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SetProfile:
    """What is known of one physical tile set.

    Attributes:
        name: what its owners call it.
        shots: every look that was kept, in the order in which they were taken.
        version: of the classifier that saw them.
        sha256: of that classifier's file.
        blank_white: whether the white dragon is a tile with nothing on it.
        copies: how many of a face the set has, where it is not the usual number.

    Raises:
        ProfileError: the name, a label or a number is none that a set can have.
    """

    name: str
    shots: tuple[Shot, ...]
    version: str
    sha256: str
    blank_white: bool = False
    copies: Mapping[str, int] = field(default_factory=lambda: NO_CHANGES)

    def __post_init__(self) -> None:
        check_name(self.name)
        for shot in self.shots:
            if shot.label not in READING_LABELS or shot.label == BACK:
                raise ProfileError(f"A set profile cannot hold the tile {shot.label!r}.")
        for label, count in self.copies.items():
            if label not in USUAL_COPIES or not 0 <= count <= MAX_COPIES:
                raise ProfileError(f"A set cannot have {count} tiles {label!r}.")

    def shot_counts(self) -> Counter[str]:
        """How many looks there are at each face."""
        return Counter(shot.label for shot in self.shots)

    def exist(self, label: str) -> int | None:
        """How many of a face the set has; None where there is no telling (spares, jokers)."""
        return self.copies.get(label, USUAL_COPIES.get(label))


def with_shots(
    profile: SetProfile, shots: Sequence[Shot], *, blank_white: bool | None = None
) -> SetProfile:
    """The profile with further shots, seen by the same classifier.

    Args:
        profile: to add to.
        shots: what to add.
        blank_white: whether the white dragon is blank; None leaves what the profile says.

    Raises:
        ProfileError: they are too many.
    """
    if len(profile.shots) + len(shots) > MAX_SHOTS:
        raise ProfileError(f"A set profile holds at most {MAX_SHOTS} pictures.")
    blank = profile.blank_white if blank_white is None else blank_white
    return replace(profile, shots=(*profile.shots, *shots), blank_white=blank)


def with_copies(profile: SetProfile, copies: Mapping[str, int]) -> SetProfile:
    """The profile of a set with so many of these faces; of the others it says what it said.

    Raises:
        ProfileError: a label or a number is none that a set can have.
    """
    merged = {**profile.copies, **copies}
    unusual = {label: n for label, n in merged.items() if USUAL_COPIES.get(label) != n}
    return replace(profile, copies=MappingProxyType(unusual))


class Embedder(Protocol):
    """A classifier that a profile can be made for."""

    @property
    def entry(self) -> ModelEntry:
        """What the registry says of the classifier."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of the crops it looks at, in pixels."""
        ...

    def embed(self, crops: Image) -> Floats:
        """Unit directions (n, d) of (n, h, w, 3) uint8 BGR crops."""
        ...


def check_name(name: str) -> None:
    """See that a profile may be called so.

    Raises:
        ProfileError: it may not.
    """
    if not _NAME.fullmatch(name) or name != name.strip() or name.endswith("."):
        raise ProfileError(
            f"A set cannot be called {name!r}: use up to 40 letters, digits, spaces and - . ' "
            "beginning with a letter or digit."
        )


def make_profile(
    name: str,
    shots: Sequence[Shot],
    entry: ModelEntry,
    *,
    blank_white: bool = False,
) -> SetProfile:
    """A profile of these shots, seen by the classifier ``entry``.

    Raises:
        ProfileError: there are none or too many, or the name will not do.
    """
    if not 1 <= len(shots) <= MAX_SHOTS:
        raise ProfileError(f"A set profile holds 1 to {MAX_SHOTS} pictures, not {len(shots)}.")
    return SetProfile(name, tuple(shots), entry.version, entry.sha256, blank_white)


def seen_by(profile: SetProfile, classifier: Embedder) -> SetProfile:
    """The profile with directions of this classifier; the same one if it has them already.

    Raises:
        ProfileError: the kept pictures are too small or too large for this classifier.
    """
    if profile.sha256 == classifier.entry.sha256:
        return profile
    if any(shot.crop.shape[:2] != classifier.size for shot in profile.shots):
        raise ProfileError(
            f"The set profile {profile.name} was made with classifier {profile.version}, and its "
            f"pictures do not suit version {classifier.entry.version}. Add the set again."
        )
    embeddings = classifier.embed(np.stack([shot.crop for shot in profile.shots]))
    shots = tuple(
        replace(shot, embedding=embedding)
        for shot, embedding in zip(profile.shots, embeddings, strict=True)
    )
    entry = classifier.entry
    return replace(profile, shots=shots, version=entry.version, sha256=entry.sha256)


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


def from_json(text: str | bytes, source: str = "The set profile") -> SetProfile:
    """The profile that a file's text holds.

    Args:
        text: of the file.
        source: what to call it in an error.

    Raises:
        ProfileError: it is no such text, or of a later version of Kongbox.
    """
    try:
        form = _ProfileForm.model_validate_json(text)
        shots = tuple(_shot(shot) for shot in form.shots)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "file"
        raise ProfileError(
            f"{source} is no set profile of Kongbox ({where}: {first['msg']})."
        ) from None
    except (PhotoError, ValueError) as error:
        raise ProfileError(f"{source} is damaged: {error}") from error
    if len({shot.embedding.shape for shot in shots}) != 1:
        raise ProfileError(f"{source} is damaged: its directions are of several lengths.")
    return SetProfile(
        form.name,
        shots,
        form.classifier.version,
        form.classifier.sha256,
        form.white_dragon == "blank",
        MappingProxyType(form.copies),
    )


def _shot_form(shot: Shot) -> _ShotForm:
    done, data = cv2.imencode(".jpg", shot.crop, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    if not done:
        raise ProfileError(f"The picture of {shot.label} could not be written.")
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
        raise ProfileError(f"the picture of {form.label!r} is not base64") from error
    embedding = np.frombuffer(raw, "<f2").astype(np.float32)
    length = float(np.linalg.norm(embedding))
    if not np.isfinite(length) or length < 0.5:
        raise ProfileError(f"the direction of {form.label!r} is none")
    return Shot(form.label, decode_photo(jpeg), embedding / length)


def profiles_folder() -> Path:
    """Where set profiles are kept: the user's data folder, or what ``KONGBOX_SETS`` names."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else user_data_path("kongbox", appauthor=False) / "sets"


def profile_path(name: str, folder: Path | None = None) -> Path:
    """The file of the profile of that name, whether it is there or not.

    Raises:
        ProfileError: no profile may be called so.
    """
    check_name(name)
    return (profiles_folder() if folder is None else folder) / f"{name}{SUFFIX}"


def save_profile(profile: SetProfile, folder: Path | None = None) -> Path:
    """Write the profile, in place of an earlier one of its name, and give its file.

    Raises:
        ProfileError: the folder cannot be written to.
    """
    path = profile_path(profile.name, folder)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_text(to_json(profile), "utf-8")
        draft.replace(path)
    except OSError as error:
        raise ProfileError(f"{path} cannot be written: {error.strerror or error}.") from error
    return path


def load_profile(name: str, folder: Path | None = None) -> SetProfile:
    """The profile of that name, or of the file that ``name`` is the path of.

    Raises:
        ProfileError: there is none, or it is damaged.
    """
    path = Path(name) if name.endswith(SUFFIX) else profile_path(name, folder)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ProfileError(f"{path} is too large for a set profile.")
        return from_json(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        known = ", ".join(list_profiles(folder)) or "none"
        raise ProfileError(
            f"There is no set profile {name!r}; known are: {known}. "
            "Add one with `kongbox sets add NAME PHOTO`."
        ) from error
    except OSError as error:
        raise ProfileError(f"{path} cannot be read: {error.strerror or error}.") from error


def list_profiles(folder: Path | None = None) -> list[str]:
    """The names of the profiles that are kept, sorted."""
    folder = profiles_folder() if folder is None else folder
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith("."))


def remove_profile(name: str, folder: Path | None = None) -> None:
    """Delete the profile of that name.

    Raises:
        ProfileError: there is none, or it cannot be deleted.
    """
    path = profile_path(name, folder)
    try:
        path.unlink()
    except FileNotFoundError as error:
        raise ProfileError(f"There is no set profile {name!r}.") from error
    except OSError as error:
        raise ProfileError(f"{path} cannot be deleted: {error.strerror or error}.") from error
