"""Films that are watched, and several photos that are read as one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.scenes.films import Film
from tests.equal import inside_vision as inside
from tests.equal.canonical import outcome, picture
from tests.equal.records import Records
from vision import SetProfile, Sight, read_together

_HAND: Final = ("1m", "2m", "3m", "4p", "5p", "6p", "7z")
_LONG: Final = ("1m", "1m", "2s", "3s", "4s", "9p", "5z", "5z", "5z", "2f")
_SIZE: Final = (360, 640)


def record(records: Records) -> None:
    """Record films and photos of the same tiles."""
    faces = inside.design(1)
    profile = None if records.quick else inside.taught(inside.set_photos()[0])[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.avi"
        _record_film(records, "laid", inside.laid_film(5, inside.design(), _HAND, (3, 4)), path)
        if not records.quick:
            laid = inside.laid_film(9, faces, _LONG, (4, 3, 3))
            _record_film(records, "laid in three goes", laid, path)
            _record_film(records, "laid, with a profile", laid, path, profile)
            scene = inside.wide_scene(7, inside.design(), _HAND, (_SIZE[0], 1000)).image
            way = [0.0] * 13 + [float(x) for x in np.linspace(0, 360, 14)] + [360.0] * 13
            _record_film(records, "moved", inside.film_over(7, scene, way, _SIZE), path)
            empty = inside.bare_table(8, _SIZE)
            _record_film(records, "empty", inside.film_over(8, empty, [0.0] * 12, _SIZE), path)
    _record_together(records)


def _record_film(
    records: Records,
    name: str,
    film: Film,
    path: Path,
    profile: SetProfile | None = None,
) -> None:
    sights = [_sight(sight) for sight in inside.watched(film, path, profile)]
    records.add(f"film {name}", {"labels": film.labels, "sights": sights})


def _sight(sight: Sight) -> Any:
    told: dict[str, Any] = {
        "state": sight.state,
        "seconds": sight.seconds,
        "image": picture(sight.image),
    }
    form = sight.to_json("camera")
    del form["seconds"]
    reading = sight.reading
    return {
        **told,
        "json": form,
        "reading": None if reading is None else inside.reading_told(reading),
    }


def _record_together(records: Records) -> None:
    """Photos of parts of one row of tiles, in several orders, and of strangers."""
    scene = inside.wide_scene(11, inside.design(), _LONG, (700, 1800)).image
    other = inside.wide_scene(12, inside.design(1), _HAND, (700, 1400)).image
    left, right = (np.ascontiguousarray(part) for part in (scene[:, :1200], scene[:, 600:]))
    nearer = np.ascontiguousarray(scene[100:600, 300:1500])
    groups: dict[str, Sequence[inside.Photo]] = {
        "both halves": (left, right),
        "halves the other way round": (right, left),
        "the same twice": (left, left),
        "three": (left, nearer, right),
        "one": (nearer,),
        "strangers": (left, other),
        "none": (),
        "a file that is none": (left, b"words"),
        "too many": (left,) * 9,
    }
    for name, photos in groups.items():
        if not records.quick or len(photos) != 2:
            records.add(f"together {name}", outcome(_together, photos))


def _together(photos: Sequence[inside.Photo]) -> Any:
    found = read_together(photos)
    form = found.to_json([f"photo {number}" for number in range(len(photos))])
    del form["seconds"]
    return {
        "json": form,
        "reading": inside.reading_told(found.reading),
        "views": found.views,
        "seen_in": found.seen_in,
    }
