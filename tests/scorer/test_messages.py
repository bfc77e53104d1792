"""Messages: every one has its English, every English is used, and they can be kept and sent."""

from __future__ import annotations

import ast
import json
import pickle
from pathlib import Path

import pytest

import scorer
from scorer.english import ENGLISH, JOINTS
from scorer.messages import Message, own_words, parts, say
from scorer.tiles import NotationError, parse_tiles

_ROOT = Path(scorer.__file__).parents[1]
_SOURCES = [
    path
    for folder in ("scorer", "webapp")
    for path in sorted((_ROOT / folder).rglob("*.py"))
    if path.name != "english.py"
]


def _constants(node: ast.AST) -> set[str]:
    return {
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def _said(source: Path) -> set[str]:
    """The ids that stand where a message is made."""
    said = set[str]()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            said |= _constants(node.args[0])
    return said


@pytest.mark.parametrize("source", _SOURCES, ids=lambda path: path.stem)
def test_every_id_has_its_english(source: Path) -> None:
    assert _said(source) <= set(ENGLISH)


def test_every_english_is_used() -> None:
    used = set[str]()
    for source in _SOURCES:
        used |= _constants(ast.parse(source.read_text("utf-8")))
    assert not set(ENGLISH) - used


@pytest.mark.parametrize("template", ENGLISH.values(), ids=ENGLISH.keys())
def test_every_place_says_what_it_holds(template: str) -> None:
    for _, name, spec, how in parts(template):
        if name is not None:
            kind, *joint = spec.split() if spec else [""]
            assert name.isidentifier()
            assert {kind, *joint} <= {"", "tile", "seat", "word", *JOINTS}
            assert how in (None, "r")


def test_ids_are_in_snake_case() -> None:
    assert all(name.isidentifier() and name == name.lower() for name in ENGLISH)


@pytest.mark.parametrize("values", [{}, {"text": "1m"}, {"code": "1q", "text": "1q"}])
def test_values_are_those_of_the_places(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="unknown_tile_code takes"):
        say("unknown_tile_code", **values)


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(KeyError):
        say("no_such_message")


def test_a_message_is_a_value() -> None:
    one, same = (say("unknown_tile_code", code="1q") for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != say("unknown_tile_code", code="2q")
    assert pickle.loads(pickle.dumps(one)) == one
    assert f"{one:>26}" == "   unknown tile code '1q'"[-26:].rjust(26)


def test_json_holds_messages_within() -> None:
    inner = say("unknown_tile_code", code="1q")
    outer = Message("{one:semicolon} {two}", {"one": (inner, "x"), "two": 2})
    assert str(outer) == "unknown tile code '1q'; x 2"
    assert json.loads(json.dumps(outer.to_json())) == {
        "id": "{one:semicolon} {two}",
        "values": {"one": [{"id": "unknown_tile_code", "values": {"code": "1q"}}, "x"], "two": 2},
    }


def test_words_of_a_ruleset_are_their_own_template() -> None:
    told = own_words("Pung of dragons: {tile}", tile="5z", award=3)
    assert str(told) == "Pung of dragons: White dragon"
    assert dict(told.values) == {"tile": "5z"}
    assert str(own_words("{{braces}}")) == "{braces}"


def test_an_error_of_notation_keeps_its_message() -> None:
    with pytest.raises(NotationError, match="cannot read 'q' in '1m q'") as caught:
        parse_tiles("1m q")
    assert pickle.loads(pickle.dumps(caught.value)).words == caught.value.words
