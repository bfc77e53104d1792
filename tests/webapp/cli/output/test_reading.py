"""What a photo was read as, for people who use the command line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.table import lay, turned
from vision.layout.arrange import arrange, renumbered
from vision.layout.unknown_set import UNKNOWN_SET
from vision.vocabulary.readings import Reading, TileReading, to_quad
from webapp.cli.output.reading import reading_summary


def reading_of_two() -> Reading:
    """Two players opposite each other, one with a pung laid apart."""
    near, far = lay("777z", "123m 45p 99s 115z"), turned(lay("123p 456s 789m 2255z"), 180.0)
    quads = np.concatenate([near.quads, far.quads + np.array([1500, -100])]).astype(np.float32)
    labels = [*near.labels, *far.labels]
    layout = arrange(quads, labels)
    order = [index for row in layout.rows for index in row.members]
    tiles = tuple(
        TileReading(to_quad(quads[i]), labels[i], 0.99, ((labels[i], 0.99),), 0) for i in order
    )
    return Reading(2000, 1000, tiles, renumbered(layout).hands)


def test_doubtful_tiles_of_a_set_that_is_not_known_are_not_listed() -> None:
    reading = reading_of_two()
    doubtful = tuple(replace(tile, confidence=0.5) for tile in reading.tiles)
    assert "? tile 1 " in reading_summary("a.jpg", replace(reading, tiles=doubtful))
    unknown = replace(reading, tiles=doubtful, warnings=(UNKNOWN_SET,))
    text = reading_summary("a.jpg", unknown)
    assert "? tile" not in text
    assert text.count("teach it the set") == 1


def test_hands_of_several_players_are_told_by_their_sides() -> None:
    text = reading_summary("table.jpg", reading_of_two())
    front, opposite = text.split("The player opposite")
    assert "The player in front" in front
    assert "exposed pung    777z" in front
    assert "123p" in opposite
    assert "sure" not in text


def test_why_tells_each_parts_reason_and_how_sure_it_is() -> None:
    text = reading_summary("table.jpg", reading_of_two(), why=True)
    assert "777z: Three identical tiles are set apart, face up: an exposed pung." in text
    assert text.count("% sure)") == 3
