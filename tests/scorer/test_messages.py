"""Messages: every one has its English, every English is used, and they can be kept and sent."""

from __future__ import annotations

import ast
import inspect
import json
import pickle
from pathlib import Path
from typing import Final, get_args

import pytest

import scorer
from scorer.counting.lines import NAMED_SHARES
from scorer.deal import SOURCES
from scorer.english import ENGLISH, JOINTS
from scorer.errors import GameError
from scorer.evaluation.faults import Fault
from scorer.messages import Message, own_words, parts, say
from scorer.notations import NotationError
from scorer.rules.conditions import CONDITIONS, TILE_CLASSES
from scorer.rules.rule import SpecialHand
from scorer.tiles import parse_tiles
from vision.english import ENGLISH as READER

_ROOT = Path(scorer.__file__).parents[1]
_SOURCES = [
    path
    for folder in ("scorer", "webapp")
    for path in sorted((_ROOT / folder).rglob("*.py"))
    if path.parent.name != "english"
]


def _constants(node: ast.AST) -> set[str]:
    """All texts in a piece of source, members of :class:`Fault` among them."""
    texts = set[str]()
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            texts.add(each.value)
        elif isinstance(each, ast.Attribute) and each.attr in Fault.__members__:
            texts.add(Fault[each.attr])
    return texts


def _said(source: Path) -> set[str]:
    """The ids, and the beginnings of ids, that stand where a message is made."""
    said = set[str]()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            first = node.args[0]
            if isinstance(first, ast.JoinedStr):
                said |= _constants(first.values[0])
            elif isinstance(first, ast.Constant | ast.Attribute | ast.IfExp):
                said |= _constants(first)
    return said


def _is_id(text: str) -> bool:
    return (
        text in ENGLISH
        or text in READER
        or any(text.endswith("_") and own.startswith(text) for own in ENGLISH)
    )


@pytest.mark.parametrize("source", _SOURCES, ids=lambda path: path.stem)
def test_every_id_has_its_english(source: Path) -> None:
    assert not {text for text in _said(source) if not _is_id(text)}


def test_every_english_is_used() -> None:
    used = set[str]()
    for source in _SOURCES:
        used |= _constants(ast.parse(source.read_text("utf-8")))
    begun = tuple(f"{prefix}_" for prefix in _BEGUN)
    assert not {own for own in ENGLISH if own not in used and not own.startswith(begun)}


_BEGUN: Final = {
    "condition": set(CONDITIONS),
    "class": set(TILE_CLASSES),
    "tiles": {*TILE_CLASSES, "and_claim", "are_not", "not_shown"},
    "limit": {
        "left_out",
        *("of_all", "of_awards", "of_nothing", "of_ordinary", "of_special"),
        "or_points",
        "share",
        *(share.replace("/", "_") for share in NAMED_SHARES),
    },
    "won_by": {*SOURCES} - {"dealt"},
    "exposed": {"melds", *get_args(SpecialHand.model_fields["exposed"].annotation)},
    "form": {
        *("shown", "missing", "extra_forbidden", "too_long"),
        *("model_type", "tuple_type", "dict_type"),
    },
    "input": {
        *("bool_type", "dict_type", "int_type", "string_type", "extra_forbidden", "missing"),
        *("greater_than_equal", "less_than_equal", "literal_error"),
        *("string_too_short", "string_pattern_mismatch"),
    },
}
"""Ids that are put together: how they begin, and how they end."""


@pytest.mark.parametrize(("prefix", "ends"), _BEGUN.items())
def test_ids_that_are_put_together(prefix: str, ends: set[str]) -> None:
    found = {own.removeprefix(f"{prefix}_") for own in ENGLISH if own.startswith(f"{prefix}_")}
    assert found == ends


def test_every_kind_of_fault_is_a_message_and_says_what_it_is() -> None:
    assert set(Fault) <= set(ENGLISH)
    source = Path(inspect.getsourcefile(Fault) or "").read_text("utf-8")
    (kinds,) = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    members = [node for node in kinds.body if isinstance(node, ast.Assign)]
    for member in members:
        told = kinds.body[kinds.body.index(member) + 1]
        assert isinstance(told, ast.Expr)
        assert _constants(told)
    assert len(members) == len(Fault)


@pytest.mark.parametrize("template", ENGLISH.values(), ids=ENGLISH.keys())
def test_every_place_says_what_it_holds(template: str) -> None:
    for _, name, spec, how in parts(template):
        if name is not None:
            kind, *joint = spec.split() if spec else [""]
            assert name.isidentifier()
            assert {kind, *joint} <= {"", "tile", "n_tiles", "seat", "word", "cite", *JOINTS}
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
    assert told.template == told.id
    assert dict(told.values) == {"tile": "5z"}
    assert str(own_words("{{braces}}")) == "{braces}"


def test_an_error_of_notation_keeps_its_message() -> None:
    with pytest.raises(NotationError, match="cannot read 'q' in '1m q'") as caught:
        parse_tiles("1m q")
    assert pickle.loads(pickle.dumps(caught.value)).words == caught.value.words


@pytest.mark.parametrize(
    ("hand", "player", "told"),
    [
        (None, None, "the game, hand: the game has been ended; undo that first"),
        (None, "Ann", "the game, Ann, hand: the game has been ended; undo that first"),
        (3, None, "hand 3, hand: the game has been ended; undo that first"),
        (3, "Ann", "hand 3, Ann, hand: the game has been ended; undo that first"),
    ],
)
def test_an_error_of_a_game_as_text(hand: int | None, player: str | None, told: str) -> None:
    error = GameError(hand, player, "hand", say("game_closed"))
    assert str(error) == told
    again = pickle.loads(pickle.dumps(error))
    assert again == error
    assert hash(again) == hash(error)
    assert again != GameError(7, player, "hand", say("game_closed"))
