"""Every promise in docs/SECURITY.md has its proof, and every test that is named there exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOLD = (ROOT / "docs" / "SECURITY.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TOLD)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TOLD.splitlines()
    if line.startswith("| ") and not line.startswith("| Promise")
]


@cache
def found_in(path: Path) -> frozenset[str]:
    """The names of the functions in a file of tests, none where there is no such file."""
    if not path.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:50])
def test_every_promise_has_a_sentence_a_figure_and_a_proof(row: list[str]) -> None:
    promise, figure, proof = row
    assert promise.endswith(".")
    assert "`" in proof
    assert figure != "open"


def test_every_test_that_is_named_exists() -> None:
    assert len(NAMED) > 40
    assert [f"{path}::{name}" for path, name in NAMED if name not in found_in(ROOT / path)] == []


@pytest.mark.parametrize("module", sorted(set(re.findall(r"python -m (benchmarks[\w.]+)", TOLD))))
def test_every_command_that_is_named_exists(module: str) -> None:
    path = ROOT / module.replace(".", "/")
    assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
