"""Every id has its sentence, every sentence its id, and every place what is put there."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import vision
from vision.english import ENGLISH, JOINTS
from vision.errors import NoTilesFound
from vision.messages import Message, say

MODULES = sorted(Path(vision.__file__).parent.rglob("*.py"))
ROOMS = {message_id.partition(".")[0] for message_id in ENGLISH}
ANY_PLACES = "form."
"""The places of these are named by the library that finds the fault."""


def trees() -> Iterator[ast.Module]:
    for path in MODULES:
        if path.name != "english.py":
            yield ast.parse(path.read_text("utf-8"))


def ids_in_source() -> set[str]:
    """Every text of the package that could be the id of a message."""
    texts = (
        node.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {text for text in texts if text.partition(".")[0] in ROOMS and text.count(".") == 1}


def messages_made() -> Iterator[tuple[str, set[str]]]:
    """The id and the names of the places of every message that is made with a literal id."""
    for node in (node for tree in trees() for node in ast.walk(tree)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        first = node.args[0]
        if ast.unparse(node.func) == "say" and isinstance(first, ast.Constant):
            yield str(first.value), {word.arg for word in node.keywords if word.arg is not None}


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_every_id_is_used_and_every_id_that_is_used_has_its_sentence() -> None:
    known = {message_id for message_id in ENGLISH if not message_id.startswith(ANY_PLACES)}
    assert sorted(known - ids_in_source()) == [], "nothing says this"
    assert sorted(name for name, _ in messages_made() if name not in ENGLISH) == []


def test_every_place_is_filled_and_nothing_else_is_given() -> None:
    made = list(messages_made())
    assert len(made) > 80
    for message_id, given in made:
        assert given == places(ENGLISH[message_id]), message_id


def test_every_sentence_is_one_of_its_own() -> None:
    assert len(set(ENGLISH.values())) == len(ENGLISH)


@pytest.mark.parametrize("message_id", list(ENGLISH))
def test_places_are_shown_as_something_known(message_id: str) -> None:
    parts = [part for part in Formatter().parse(ENGLISH[message_id]) if part[1] is not None]
    known = {"", "tile", "seat", "word", "tile comma", *JOINTS}
    assert all(spec in known or str(spec).endswith(("f", "%")) for _, _, spec, _ in parts)
    assert {how for _, _, _, how in parts} <= {None, "r"}


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (say("photo.glare"), ENGLISH["photo.glare"]),
        (
            say("decision.surplus", count=5, face="9s", limit=4),
            "5 tiles were read as nine bamboo; the set has 4.",
        ),
        (
            say("reading.strays", tiles=say("tiles.is"), shown=("7z", "back")),
            "1 tile is near the hand but not counted as part of it: Red dragon, face-down tile.",
        ),
        (
            say("decision.hand_size", player="E", size=13),
            "So East's hand has 13 tiles, counting each set as three.",
        ),
        (
            say("decision.hand_size", player="Ann", size=13),
            "So Ann's hand has 13 tiles, counting each set as three.",
        ),
        (
            say("photos.strangers", numbers=(2, 4), count=4),
            (
                "Photo 2 and 4 of 4 do not seem to show the same tiles as photo 1. Each must share"
                " at least three tiles with another photo; send other hands separately."
            ),
        ),
        (say("set.unknown_label", label="it's"), '"it\'s" is not a tile code.'),
        (
            say("photo.cut_short", share=0.456),
            (
                "The file is cut short: only 46% of the photo is there. Send it again if tiles are "
                "missing."
            ),
        ),
        (
            say("profile.unknown", name="x", known=say("profile.none")),
            (
                "There is no set profile 'x'; known are: none. "
                "Show it to Kongbox first, in a photo of one tile of each face."
            ),
        ),
    ],
)
def test_a_message_is_told_in_english(message: Message, text: str) -> None:
    assert str(message) == text
    assert f"{message}" == text


def test_messages_are_values() -> None:
    told = say("photos.hidden", tiles=say("tiles.several", count=3))
    assert told == say("photos.hidden", tiles=say("tiles.several", count=3))
    assert len({told, pickle.loads(pickle.dumps(told))}) == 1
    with pytest.raises(KeyError):
        say("photo.nobody_says_this")
    with pytest.raises(ValueError, match="takes"):
        say("photos.hidden")


def test_an_error_keeps_its_message_from_one_process_to_another() -> None:
    error = pickle.loads(pickle.dumps(NoTilesFound(say("set.no_tiles"))))
    assert isinstance(error, NoTilesFound)
    assert error.message == say("set.no_tiles")
    assert str(error) == ENGLISH["set.no_tiles"]
    assert repr(error) == f"NoTilesFound({ENGLISH['set.no_tiles']!r})"
