"""Set profiles: what the faces of one tile set look like, and how many of each it has.

A profile keeps pictures of faces and, for one classifier, their embeddings. The pictures are kept
so that the next classifier can embed them again. :mod:`vision.tilesets.profile_file` writes
profiles to files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.errors import MessageError
from vision.messages import say
from vision.runtime.filenames import fits_everywhere
from vision.runtime.registry import ModelEntry
from vision.vocabulary.copies import NO_CHANGES, USUAL_COPIES

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

MAX_SHOTS: Final = 1000
"""Maximum number of pictures in a profile."""

MAX_COPIES: Final = 16
"""Maximum number of tiles of one face in a tile set."""

_NAME = re.compile(r"[^\W_][\w .'-]{0,39}")
"""Names that profiles, and so their files, may have."""


class ProfileError(MessageError, ValueError):
    """A set profile that cannot be found, read, made or used; the text says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture of one face of a tile set.

    Attributes:
        label: what the face shows.
        crop: (h, w, 3) uint8 BGR, the face flat and upright.
        embedding: (d,) float32 of unit length, the classifier's embedding of the crop.
    """

    label: str
    crop: Image
    embedding: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SetProfile:
    """What is known of one physical tile set.

    Attributes:
        name: what its owners call it.
        shots: every picture that was kept, in the order in which they were taken.
        version: version of the classifier that embedded them.
        sha256: SHA-256 of the file of that classifier, in hexadecimal digits.
        blank_white: whether the white dragon is a tile with nothing on it.
        copies: how many of a face the set has, for the faces with an unusual number only.

    Raises:
        ProfileError: the name, a label or a number of copies is out of range.
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
                raise ProfileError(say("profile.foreign_tile", label=shot.label))
        check_copies(self.copies)

    def shot_counts(self) -> Counter[str]:
        """The number of pictures of each face."""
        return Counter(shot.label for shot in self.shots)

    def exist(self, label: str) -> int | None:
        """The number of tiles of a face; None for labels that are not faces (spares, jokers)."""
        return self.copies.get(label, USUAL_COPIES.get(label))


def with_shots(
    profile: SetProfile, shots: Sequence[Shot], *, blank_white: bool | None = None
) -> SetProfile:
    """The profile with further pictures, embedded by the same classifier.

    Args:
        profile: to add to.
        shots: the pictures to add.
        blank_white: whether the white dragon is blank; None leaves this unchanged.

    Raises:
        ProfileError: the profile would hold more than :data:`MAX_SHOTS` pictures.
    """
    if len(profile.shots) + len(shots) > MAX_SHOTS:
        raise ProfileError(say("profile.too_many_pictures", most=MAX_SHOTS))
    blank = profile.blank_white if blank_white is None else blank_white
    return replace(profile, shots=(*profile.shots, *shots), blank_white=blank)


def with_copies(profile: SetProfile, copies: Mapping[str, int]) -> SetProfile:
    """The profile with these numbers of copies; those of other faces stay.

    Args:
        profile: to change.
        copies: the number of tiles of each face that is named.

    Raises:
        ProfileError: a label or a number of copies is out of range.
    """
    merged = {**profile.copies, **copies}
    unusual = {label: n for label, n in merged.items() if USUAL_COPIES.get(label) != n}
    return replace(profile, copies=MappingProxyType(unusual))


class Embedder(Protocol):
    """A classifier that embeds the pictures of a profile."""

    @property
    def entry(self) -> ModelEntry:
        """The classifier's entry in the registry of models."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in pixels of the crops that it reads."""
        ...

    def embed(self, crops: Image) -> Floats:
        """Embeddings (n, d) float32 of unit length, of (n, h, w, 3) uint8 BGR crops."""
        ...


def check_copies(copies: Mapping[str, int]) -> None:
    """Check that a tile set may have these numbers of tiles.

    Raises:
        ProfileError: a label or a number is out of range.
    """
    for label, count in copies.items():
        if label not in USUAL_COPIES or not 0 <= count <= MAX_COPIES:
            raise ProfileError(say("profile.copies", count=count, label=label))


def check_name(name: str) -> None:
    """Check that a profile may have this name.

    Raises:
        ProfileError: it may not; the text says which names are allowed.
    """
    if not _NAME.fullmatch(name) or name != name.strip() or name.endswith("."):
        raise ProfileError(say("profile.name", name=name))
    if not fits_everywhere(name):
        raise ProfileError(say("profile.name_kept", name=name))


def make_profile(
    name: str,
    shots: Sequence[Shot],
    entry: ModelEntry,
    *,
    blank_white: bool = False,
) -> SetProfile:
    """Make a profile from these pictures.

    Args:
        name: what to call the tile set.
        shots: 1 to :data:`MAX_SHOTS` pictures with their embeddings.
        entry: registry entry of the classifier that embedded them.
        blank_white: whether the white dragon is a tile with nothing on it.

    Raises:
        ProfileError: there are no pictures or too many, or the name is not allowed.
    """
    if not 1 <= len(shots) <= MAX_SHOTS:
        raise ProfileError(say("profile.pictures", most=MAX_SHOTS, count=len(shots)))
    return SetProfile(name, tuple(shots), entry.version, entry.sha256, blank_white)


def seen_by(profile: SetProfile, classifier: Embedder) -> SetProfile:
    """The profile with embeddings of this classifier; unchanged if it has them already.

    Raises:
        ProfileError: the pictures have another size than this classifier reads.
    """
    if profile.sha256 == classifier.entry.sha256:
        return profile
    if any(shot.crop.shape[:2] != classifier.size for shot in profile.shots):
        raise ProfileError(
            say(
                "profile.of_another_classifier",
                name=profile.name,
                version=profile.version,
                now=classifier.entry.version,
            )
        )
    embeddings = classifier.embed(np.stack([shot.crop for shot in profile.shots]))
    shots = tuple(
        replace(shot, embedding=embedding)
        for shot, embedding in zip(profile.shots, embeddings, strict=True)
    )
    entry = classifier.entry
    return replace(profile, shots=shots, version=entry.version, sha256=entry.sha256)
