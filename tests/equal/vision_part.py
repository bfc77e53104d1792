"""What the recogniser says of photos: how they are seen, how read, and what is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from benchmarks.hands.cases import Case
from tests.equal import inside_vision as inside
from tests.equal import vision_bad, vision_films
from tests.equal.canonical import outcome, picture, refusal
from tests.equal.records import Records
from vision import PhotoError, PhotoReader, Reading

RENDERED: Final = 60
DEALS: Final = 4
RANDOM_DEALS: Final = 600
_PROFILED: Final = 3
"""One photo of so many of the benchmark is read once more with the profile of its set."""


def record(records: Records) -> None:
    """Record all that the recogniser answers."""
    reader = inside.reader()
    _record_benchmark(records, reader)
    _record_profiles(records)
    for case in inside.drawn_cases(len(records.some(RENDERED))):
        _record_deal(records, case.name, [case], reader)
    for number, deal in enumerate(inside.drawn_deals(1 if records.quick else DEALS)):
        _record_deal(records, f"deal {number}", deal, reader)
    _record_random_deals(records)
    vision_bad.record(records)
    vision_films.record(records)


def _record_benchmark(records: Records, reader: PhotoReader) -> None:
    cases = inside.cases()
    for number in records.some(len(cases)):
        _record_deal(records, f"benchmark {cases[number].name}", [cases[number]], reader)
    for case in cases:
        reading = inside.true_reading(case)
        records.add(
            f"truly {case.name}",
            {
                "reading": outcome(inside.reading_told, reading),
                "decided": outcome(inside.decided, [case], [reading]),
            },
        )


def _record_deal(records: Records, name: str, deal: Sequence[Case], reader: PhotoReader) -> None:
    """The photos of a deal, each by itself and decided together."""
    readings: list[Reading | None] = []
    for case in deal:
        image = case.load()
        key = f"{name} {case.name}" if len(deal) > 1 else name
        reading, told = read(reader, image)
        readings.append(reading)
        shown = {"image": picture(image), "labels": case.labels, "quads": case.quads}
        records.add(key, {"shown": shown, "glance": inside.glanced(image), **told})
    records.add(f"decided {name}", outcome(inside.decided, deal, readings))


def read(reader: PhotoReader, photo: inside.Photo) -> tuple[Reading | None, Any]:
    """A reading, or None, with all that is to be recorded of it."""
    try:
        reading, told = inside.read_closely(reader, photo)
    except PhotoError as error:
        return None, {"refused": refusal(error)}
    return reading, {"read": told}


def _record_profiles(records: Records) -> None:
    """Photos of sets, the profiles made of them, and photos read with these."""
    cases = inside.cases()
    for number, example in enumerate(inside.set_photos()):
        if number not in records.some(len(cases)):
            continue
        profile, seen = inside.taught(example)
        records.add(f"set {example.group}", seen)
        own = [case for case in cases if case.tile_set == example.group]
        reader = inside.reader(profile)
        for case in own[:: 2 * _PROFILED if records.quick else _PROFILED]:
            _record_deal(records, f"profiled {case.name}", [case], reader)


def _record_random_deals(records: Records) -> None:
    for number in records.some(RANDOM_DEALS):
        records.add(f"random deal {number}", outcome(inside.random_decision, number))
