"""The work on photos of a tile set that runs in the processes that read photos."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from vision.errors import PhotoError
from webapp.language.kept import kept
from webapp.language.noted import note

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.tilesets.profile import Shot
    from vision.tilesets.teaching import SetPhoto


class SetRefused(PhotoError):
    """The tile set cannot be learnt like this; the message says what is wrong and what to do."""


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise errors of profiles as :class:`SetRefused`, which pages show like errors of photos."""
    from vision.tilesets.profile import ProfileError

    try:
        yield
    except ProfileError as error:
        raise SetRefused(error.message) from error


def look_at_set(photos: Sequence[bytes]) -> list[dict[str, Any]]:
    """What each of the photos of a set shows, decided together, as plain JSON values.

    Each of ``tiles`` has a ``label``, a ``margin``, the most probable ``guesses``, whether there is
    ``nothing`` on the tile, and its ``png`` and ``direction``, both as base64. A photo that cannot
    be read has an ``error`` instead, as it is kept.

    Raises:
        SetRefused: the photos show more tiles than a set has.
        ModelError: a model is missing or damaged.
    """
    from vision import read_set_photos

    with _refusing():
        found = read_set_photos(photos)
    return [
        {"error": kept(one.message)} if isinstance(one, PhotoError) else _shown(one)
        for one in found
    ]


def _shown(photo: SetPhoto) -> dict[str, Any]:
    return {
        "tiles": [
            {
                "label": tile.label,
                "margin": min(float(tile.margin), 1e6),
                "guesses": list(tile.guesses),
                "nothing": tile.nothing_on_it,
                "png": _png(tile.crop),
                "direction": base64.b64encode(tile.embedding.astype("<f4").tobytes()).decode(),
            }
            for tile in photo.tiles
        ],
        "warnings": [kept(warning) for warning in photo.warnings],
    }


def _png(crop: NDArray[np.uint8]) -> str:
    from vision.runtime.opencv import cv2

    _, encoded = cv2.imencode(".png", crop)
    return base64.b64encode(encoded.tobytes()).decode()


def labels_of(seen: Sequence[Mapping[str, Any]], said: Mapping[int, str]) -> SetPhoto:
    """The tiles of one photo, or of several, with their labels after people's answers.

    Its pictures and directions are left empty.

    Args:
        seen: the ``tiles`` that the photos show, from :func:`look_at_set`.
        said: the labels that people gave to tiles, by the tile's number.

    Raises:
        SetRefused: two tiles would have the same face.
    """
    import numpy as np

    from vision.tilesets.teaching import SetPhoto, SetTile

    none = np.zeros((0, 0, 3), np.uint8)
    tiles = tuple(
        SetTile(
            np.zeros((4, 2), np.float32),
            tile["label"],
            tile["margin"],
            tuple(tile["guesses"]),
            none,
            np.zeros(0, np.float32),
            tile["nothing"],
        )
        for tile in seen
    )
    with _refusing():
        return SetPhoto(tiles).with_labels(said)


def learn_set(
    name: str,
    looks: Sequence[Mapping[str, Any]],
    labels: Sequence[Sequence[str | None]],
    copies: Mapping[str, int],
) -> None:
    """Make the profile of a tile set, or add to the one with this name, and store it.

    Args:
        name: the name of the set.
        looks: what each photo shows, from :func:`look_at_set`.
        labels: for each photo the label of each tile; None leaves the tile out.
        copies: the number of tiles with a face, for faces of which it is not the usual number.

    Raises:
        SetRefused: the name cannot be used, or the profile cannot be written.
        ModelError: a model is missing or damaged.
    """
    from scorer.tiles import BACK
    from vision import open_classifier
    from vision.tilesets.profile import make_profile, seen_by, with_copies, with_shots
    from vision.tilesets.profile_file import known_as, load_profile, save_profile

    classifier = open_classifier()
    shots, whites = [], []
    for look, said in zip(looks, labels, strict=True):
        for tile, label in zip(look["tiles"], said, strict=True):
            if label is not None and label != BACK:
                shots.append(_shot(tile, label))
                if label == "5z":
                    whites.append(bool(tile["nothing"]))
    blank = any(whites) if whites else None
    with _refusing():
        if before := known_as(name):
            known = seen_by(load_profile(before), classifier)
            profile = with_shots(known, shots, blank_white=blank)
        else:
            profile = make_profile(name, shots, classifier.entry, blank_white=bool(blank))
        save_profile(with_copies(profile, copies))


def _shot(tile: Mapping[str, Any], label: str) -> Shot:
    import numpy as np

    from vision.runtime.opencv import cv2
    from vision.tilesets.profile import Shot

    data = np.frombuffer(base64.b64decode(tile["png"]), np.uint8)
    crop = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if crop is None:
        raise SetRefused(
            note("The picture of {label} is damaged. Photograph the set again.", label=label)
        )
    direction = np.frombuffer(base64.b64decode(tile["direction"]), "<f4")
    return Shot(label, np.asarray(crop, np.uint8), direction.astype(np.float32))


def take_over_set(data: bytes) -> str:
    """Store a profile that was made elsewhere and return its name; its pictures are encoded again.

    Raises:
        SetRefused: the bytes are not a profile, or there is a set with its name already.
    """
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import from_json, known_as, save_profile

    with _refusing():
        profile = from_json(data, note("The file"))
        if before := known_as(profile.name):
            raise ProfileError(
                note(
                    "There is already a set called {name}. Remove that one first.",
                    name=before,
                )
            )
        save_profile(profile)
    return profile.name
