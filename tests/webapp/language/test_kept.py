"""Messages come back from the database as they were; what is no message stays a text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.messages import Message, say
from webapp.language.kept import brought_back, changed, kept
from webapp.language.noted import note, noted

NESTED = say(
    "reading.of_player",
    player=say("player.near"),
    fault=say("hand.face_down", tiles=say("tiles.are", count=2)),
)
MESSAGES = (
    say("photo.dark"),
    say("photo.cut_short", share=0.456),
    say("reading.strays", tiles=say("tiles.is"), shown=("7z", "back")),
    NESTED,
    note("Hand {number}: {name} won", number=3, name="张三"),
    note("Undone: {what}", what=note("Hand {number}: drawn", number=3)),
    note("Undone: {what}", what="Hand 3: drawn"),
)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_comes_back_as_it_was(message: Message) -> None:
    found = brought_back(kept(message))
    assert found == message
    assert str(found) == str(message)


def test_words_of_the_page_are_kept_as_they_are() -> None:
    assert kept(noted("Tile added")) == "Tile added"
    assert kept(note("Tile added")) == "Tile added"
    assert brought_back("Tile added") == "Tile added"
    assert brought_back("Hand 3: Ann won") == "Hand 3: Ann won"


def test_what_is_too_long_for_its_column_is_kept_in_english() -> None:
    message = note("Tile set: {name}", name="x" * 300)
    assert kept(message, 200) == str(message)[:200]
    assert brought_back(kept(NESTED, 500)) == NESTED
    assert kept("x" * 300, 200) == "x" * 200


@pytest.mark.parametrize(
    "text",
    [
        '{"message": ',
        '{"message": "photo.dark"}',
        '{"message": 7, "values": {}}',
        '{"message": "Hand {number}: drawn", "values": {}}',
        '{"message": "Hand {number}: drawn", "values": {"number": null}}',
        '{"message": "a { b", "values": {}}',
        '{"message": "{0.__class__}", "values": {}}',
        '{"message": [1], "values": 3}',
        '{"message": ' + "[" * 100_000,
    ],
)
def test_what_is_no_message_stays_a_text(text: str) -> None:
    assert brought_back(text) == text


def test_a_message_that_is_known_no_more_is_told_in_its_english() -> None:
    form = {"message": "photo.of_later", "values": {}, "text": "The photo is of later."}
    assert brought_back(json.dumps(form)) == "The photo is of later."
    form["message"] = "photo.cut_short"
    assert brought_back(json.dumps(form)) == "The photo is of later.", "its value is not there"


def test_names_are_replaced_in_values_alone() -> None:
    message = note("Undone: {what}", what=note("Hand {n}: {name} won", n=1, name='"values"'))
    text = changed(kept(message), lambda name: "Nobody" if name == '"values"' else name)
    assert str(brought_back(text)) == "Undone: Hand 1: Nobody won"
    assert changed("Hand 1: Ann won", str.upper) == "HAND 1: ANN WON"


@given(st.text())
def test_any_text_can_be_kept(text: str) -> None:
    assert brought_back(kept(note("Tile set: {name}", name=text))) == Message(
        "Tile set: {name}", {"name": text}
    )
    assert str(brought_back(text)) is not None
