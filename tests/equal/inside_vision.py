"""Every way in which this package reaches into the recogniser, besides its front door.

Where something moves behind another name, only the function here that asks for it is adapted; what
the functions are called and what they give stays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.hands.cases import Case, path_traced, rendered, rendered_deals
from benchmarks.hands.hands import answer_deal, read_truly
from benchmarks.joint.deals import RULESET, SIZES, legal_under, random_deal
from datasets.photographs.benchmark import ANNOTATIONS
from datasets.props.backgrounds import draw_cloth
from datasets.scenes.films import Film, laying_film, moved
from datasets.scenes.layouts import row_of
from datasets.scenes.scenes import Scene, render
from datasets.scenes.tables import LaidHand, phone_camera, photograph_hand
from datasets.sets.faces import FaceSet, load_designs
from models.evaluation.examples import Example, photographed
from models.evaluation.profiles import told
from scorer.tiles import BACK, PLAYING_TILES, parse_tiles
from tests.equal.canonical import picture, plain
from vision import (
    Decision,
    JointTile,
    PhotoReader,
    Reading,
    SetProfile,
    Sight,
    Winner,
    decide,
    open_classifier,
    open_reader,
    open_watcher,
    pipeline,
    read_set_photo,
    shipped,
)
from vision.evidence.beliefs import weigh
from vision.multiview.cameras import frames, parse_source
from vision.photo.decode import decode_photo
from vision.photo.glance import glance
from vision.tilesets.profile import make_profile
from vision.tilesets.profile_file import from_json, to_json

Image = NDArray[np.uint8]
Json = dict[str, Any]
Photo = bytes | Image

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
PROFILE_NAME: Final = "Set"


@contextmanager
def settled() -> Iterator[None]:
    """One thread for pictures and models."""
    cv2.setNumThreads(1)
    with patch.object(shipped, "THREADS", 1):
        yield


def cases() -> list[Case]:
    """The photos of the shipped benchmark with their true hands."""
    return list(path_traced())


def drawn_cases(count: int) -> Iterator[Case]:
    """Rendered tables and hands of the shipped designs."""
    return rendered(SAMPLES, count)


def drawn_deals(count: int) -> Iterator[tuple[Case, ...]]:
    """The four rendered photos of each of so many deals."""
    return rendered_deals(SAMPLES, count)


def set_photos() -> list[Example]:
    """The benchmark's photos of one of each face, a set each."""
    return list(photographed(ANNOTATIONS, "profile"))


def taught(example: Example) -> tuple[SetProfile, Json]:
    """The profile made from a photo of one of each face, and all that was seen on it."""
    photo = read_set_photo(example.load())
    named = told(photo, example)
    white = bool(named.blank_white())
    profile = make_profile(PROFILE_NAME, named.shots(), open_classifier().entry, blank_white=white)
    tiles = [
        {
            "quad": tile.quad,
            "label": tile.label,
            "margin": tile.margin,
            "guesses": tile.guesses,
            "crop": picture(tile.crop),
            "embedding": tile.embedding,
            "nothing": tile.nothing_on_it,
        }
        for tile in photo.tiles
    ]
    seen = {"tiles": tiles, "warnings": photo.warnings, "doubtful": photo.doubtful()}
    kept = to_json(profile)
    again = to_json(from_json(kept)) == kept
    return profile, {**seen, "missing": photo.missing(), "profile": kept, "again": again}


def reader(profile: SetProfile | None = None) -> PhotoReader:
    """A reader with the shipped models."""
    return open_reader(profile)


def read_closely(reader: PhotoReader, photo: Photo) -> tuple[Reading, Json]:
    """A reading, and what was seen and said on the way to it."""
    said: list[Any] = []

    def noted(*given: Any, **more: Any) -> Any:
        said.append((given[1], weigh(*given, **more)))
        return said[-1][1]

    with patch.object(pipeline, "weigh", noted):
        seen = reader.see(photo)
    reading = reader.lay_out(seen)
    finds = seen.detections
    return reading, {
        "image": picture(seen.image),
        "quads": seen.quads,
        "probabilities": seen.probabilities,
        "remarks": seen.remarks,
        "faults": seen.faults,
        "mirrored": seen.mirrored,
        "finds": [finds.quads, finds.scores, finds.down],
        "said": [_said(candidates, beliefs) for candidates, beliefs in said],
        "reading": reading_told(reading),
    }


def _said(candidates: Any, beliefs: Any) -> Json:
    """What the networks say of the candidates, and what all of them say together."""
    return {
        "quads": candidates.quads,
        "embeddings": picture(candidates.embeddings),
        "chances": picture(candidates.probabilities),
        "looks": [candidates.scores, candidates.down, candidates.valid],
        "probabilities": beliefs.probabilities,
        "certain": beliefs.chances,
        "tiles": beliefs.tiles,
    }


def reading_told(reading: Reading) -> Json:
    """A reading as its fields and as its JSON forms, without the seconds."""
    fields = plain(reading)
    form = reading.to_json("photo")
    del fields["seconds"], form["seconds"]
    layout = reading.layout_json()
    return {"fields": fields, "json": form, "layout": layout, "aside": reading.aside}


def true_reading(case: Case) -> Reading:
    """The reading of a recogniser that knows every readable tile."""
    return read_truly(case)


def decided(deal: Sequence[Case], readings: Sequence[Reading | None]) -> Json:
    """The tiles of the photos of a deal decided together, and each hand before and after."""
    answers = answer_deal(deal, readings)
    hands = [[answer.camera, answer.joint] for answer in answers]
    return {"decision": _told(answers[0].decision), "hands": hands}


def random_decision(number: int) -> Json:
    """A random deal as a camera with poor eyes reads it, and what is decided about its tiles."""
    rng = random.Random(f"deal {number}")
    poor = rng.choice((0.03, 0.1, 0.25))
    alike = {tile: rng.choice(PLAYING_TILES) for tile in PLAYING_TILES}
    tiles = [
        JointTile(
            _said_of(laid.face, alike.get(laid.face, BACK), poor, rng), laid.player, laid.group
        )
        for laid in random_deal(rng)
    ]
    if number % 4 == 3:
        tiles.remove(rng.choice([tile for tile in tiles if tile.group is None]))
    winner = None if number % 5 == 4 else Winner("E", legal_under(RULESET))
    return {"tiles": tiles, "decision": _told(decide(tiles, sizes=SIZES, winner=winner))}


def _told(decision: Decision | None) -> Json:
    """A decision whose tiles have no reason, in words, where they were not changed."""
    form: Json = plain(decision)
    for tile in form["tiles"] if form else ():
        tile["reason"] = tile["reason"] or ""
    return form


def _said_of(
    face: str, like: str, poor: float, rng: random.Random
) -> tuple[tuple[str, float], ...]:
    """What the camera says of a tile: the face, another one that looks like it, and a third."""
    draw = rng.random()
    sure = 0.99 if draw > poor else round(rng.uniform(0.4, 0.97), 4)
    labels = [face, like if like != face else "5p", rng.choice(("1m", "9s", "7z", BACK))]
    if draw < poor / 2:
        labels = [labels[1], face, labels[2]]
    rest = 1 - sure
    said: dict[str, float] = {}
    for label, chance in zip(labels, (sure, min(sure, 0.9 * rest), 0.05 * rest), strict=True):
        said.setdefault(label, chance)
    return tuple(said.items())


def design(number: int = 0) -> FaceSet:
    """One of the shipped designs."""
    return load_designs(sorted(SAMPLES.glob("*.npz")))[number]


def photographed_hand(seed: int, tiles: str, faces: FaceSet) -> Scene:
    """A rendered photo of one player's tiles."""
    hand = LaidHand(tuple(parse_tiles(tiles)))
    return photograph_hand(np.random.default_rng(seed), faces, hand, (600, 1400))


def laid_film(seed: int, faces: FaceSet, tiles: Sequence[str], parts: Sequence[int]) -> Film:
    """A film in which a hand lays tiles, so many each time."""
    rng = np.random.default_rng(seed)
    placed = row_of(tiles, 0, 0)
    size = (360, 640)
    table = draw_cloth(rng, size, np.array((62, 104, 38), np.float32))
    ends = np.cumsum(parts)
    groups = [placed[end - part : end] for part, end in zip(parts, ends, strict=True)]
    return laying_film(rng, faces, groups, phone_camera(rng, placed, size), table, still=13)


def wide_scene(seed: int, faces: FaceSet, tiles: Sequence[str], size: tuple[int, int]) -> Scene:
    """A row of tiles in a picture of any size, (height, width)."""
    rng = np.random.default_rng(seed)
    placed = row_of(tiles, 0, 0)
    table = draw_cloth(rng, size, np.array((62, 104, 38), np.float32))
    return render(rng, faces, placed, phone_camera(rng, placed, size), size, table)


def bare_table(seed: int, size: tuple[int, int]) -> Image:
    """A table without tiles, (height, width)."""
    return draw_cloth(np.random.default_rng(seed), size, np.array((62, 104, 38), np.float32))


def film_over(seed: int, image: Image, way: Sequence[float], size: tuple[int, int]) -> Film:
    """A film of a camera that moves to the right over a picture."""
    path = [(x, 0.0) for x in way]
    return Film(tuple(moved(np.random.default_rng(seed), image, path, size)), ())


def watched(film: Film, path: Path, profile: SetProfile | None = None) -> Iterator[Sight]:
    """What each frame of a film tells that is written to a file and read from it."""
    film.write(path)
    eye = open_watcher(profile)
    for frame in frames(parse_source(str(path))):
        yield eye.look(frame.image, frame.seconds)


def decoded(photo: Photo) -> str:
    """The pixels of a photo."""
    return picture(decode_photo(photo))


def glanced(photo: Photo) -> object:
    """What a glance at a photo tells."""
    seen = glance(decode_photo(photo))
    return [seen, seen.fault]
