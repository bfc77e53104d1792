"""The map of the house in CONTRIBUTING.md is the house."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from tests.house.test_imports import ORDERS, ROOT

MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PLACE = re.compile(r"`((?:scorer|vision|webapp|models|datasets|benchmarks|tests)/[\w./]*)`")
PACKAGES = ("scorer", "vision", "webapp", "models", "datasets", "benchmarks", "supply")
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 40
"""Besides its docstring."""
MOST_MODULES = 12
"""In a room, besides its ``__init__`` and ``__main__``."""
ROWS_OF_FILES = {"webapp/migrations/versions"}
"""What is no room: a file is added for each step, and none is looked for."""


@pytest.mark.parametrize("package", ORDERS)
def test_the_map_tells_the_order_that_is_tested(package: str) -> None:
    assert f"| `{package}` | {ORDERS[package]} |" in MAP


def test_every_place_that_the_map_names_exists() -> None:
    places = set(PLACE.findall(MAP))
    assert len(places) > 30
    assert sorted(place for place in places if not (ROOT / place).exists()) == []


def test_every_room_says_what_is_in_it() -> None:
    doors = [door for name in PACKAGES for door in sorted((ROOT / name).rglob("__init__.py"))]
    silent = [door for door in doors if not door.read_text("utf-8").startswith('"""')]
    assert [str(door.relative_to(ROOT)) for door in silent] == []


def test_no_module_is_longer_than_a_colleague_can_keep_in_mind() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for name in PACKAGES
        for path in sorted((ROOT / name).rglob("*.py"))
        if (lines := path.read_text("utf-8").count("\n")) > MOST_LINES
    }
    assert long == {}


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    end, first = function.end_lineno or function.lineno, function.body[0]
    told = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if told else 0
    return end - function.lineno + 1 - docstring


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{path.relative_to(ROOT)}::{node.name}": lines
        for name in PACKAGES
        for path in sorted((ROOT / name).rglob("*.py"))
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := lines_of(node)) > MOST_LINES_OF_A_FUNCTION
    }
    assert long == {}


def test_no_room_holds_more_modules_than_a_newcomer_looks_through() -> None:
    rooms = Counter(
        path.parent.relative_to(ROOT).as_posix()
        for name in PACKAGES
        for path in (ROOT / name).rglob("*.py")
        if path.stem not in {"__init__", "__main__"}
    )
    full = {room: count for room, count in rooms.items() if count > MOST_MODULES}
    assert full.keys() == ROWS_OF_FILES, "divide the room, or lay the new module into another"
