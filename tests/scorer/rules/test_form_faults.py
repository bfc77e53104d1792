"""What libraries object to in a file is a message with the library's own English."""

from __future__ import annotations

import tomllib
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scorer.english import ENGLISH
from scorer.messages import Refused, say
from scorer.rules.form_faults import input_fault, ruleset_fault, toml_fault


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    flag: bool = True
    table: dict[str, int] = {}
    number: int = Field(default=5, ge=1, le=9)
    share: float = Field(default=0.5, lt=1)
    text: str = Field(default="ab", min_length=1, pattern="^a.$")
    long: str = Field(default="ab", min_length=2)
    word: Literal["this", "that"] = "this"
    needed: int


GIVEN: tuple[tuple[dict[str, object], str | None], ...] = (
    ({"needed": 1, "other": 1}, "input_extra_forbidden"),
    ({}, "input_missing"),
    ({"needed": 1, "flag": 3}, "input_bool_type"),
    ({"needed": 1, "table": 3}, "input_dict_type"),
    ({"needed": "x"}, "input_int_type"),
    ({"needed": 1, "text": 3}, "input_string_type"),
    ({"needed": 1, "number": 0}, "input_greater_than_equal"),
    ({"needed": 1, "number": 10}, "input_less_than_equal"),
    ({"needed": 1, "word": "those"}, "input_literal_error"),
    ({"needed": 1, "text": ""}, "input_string_too_short"),
    ({"needed": 1, "text": "b{}"}, "input_string_pattern_mismatch"),
    ({"needed": 1, "share": 2.0}, None),
    ({"needed": 1, "long": "a"}, None),
)


@pytest.mark.parametrize(("given", "own"), GIVEN)
def test_a_value_that_does_not_fit_is_told_in_the_librarys_words(
    given: dict[str, object], own: str | None
) -> None:
    with pytest.raises(ValidationError) as caught:
        _Form.model_validate(given)
    (details,) = caught.value.errors()
    words = input_fault(dict(details))
    assert str(words) == details["msg"]
    assert words.id == own or (own is None and words.id not in ENGLISH)


def test_every_such_message_is_met() -> None:
    own = {key for key in ENGLISH if key.startswith("input_")}
    assert own == {key for _, key in GIVEN if key is not None}


def test_a_ruleset_speaks_of_the_file() -> None:
    refused = say("points_or_doubles")
    value_error = {"type": "value_error", "ctx": {"error": Refused(refused)}, "msg": "..."}
    assert ruleset_fault(value_error) == refused
    assert ruleset_fault({"type": "missing", "msg": "..."}) == say("form_missing")
    other = {"type": "value_error", "ctx": {"error": ValueError("so")}, "msg": "Value error, so"}
    assert str(ruleset_fault(other)) == "so"


@pytest.mark.parametrize(
    ("text", "own", "inner"),
    [
        ("a = 1\na = 2\n", "toml_at", None),
        ("[a]\n[a]", "toml_at", "toml_declared_twice"),
        ("a = {b = 1, b = 2}", "toml_at", "toml_key_twice"),
        ('a = "\n"', "toml_at", "toml_illegal"),
        ("a = '", "toml_at_end", "toml_expected"),
        ("a = ", "toml_at_end", None),
    ],
)
def test_a_text_that_is_no_toml(text: str, own: str, inner: str | None) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    words = toml_fault(caught.value)
    assert str(words) == str(caught.value)
    assert words.id == own
    fault = words.values["fault"]
    assert getattr(fault, "id", None) == inner or (inner is None and fault not in ENGLISH)


def test_a_fault_without_a_place_keeps_its_text() -> None:
    assert str(toml_fault(tomllib.TOMLDecodeError("quite {wrong}"))) == "quite {wrong}"
