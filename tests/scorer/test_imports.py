"""The scorer stands alone: it imports no other part of the project and nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import scorer
from scorer.rules.conditions import CONDITIONS

_MODULES = sorted(Path(scorer.__file__).parent.rglob("*.py"))
_ALLOWED = {"lazy_loader", "pydantic", "scorer"}


def _imported(module: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module).partition(".")[0])
    return names


@pytest.mark.parametrize("module", _MODULES, ids=lambda path: path.name)
def test_imports(module: Path) -> None:
    assert _imported(module) <= sys.stdlib_module_names | _ALLOWED


def test_who_names_tiles_loads_no_rules() -> None:
    code = "import sys, scorer.tiles; print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "scorer.tiles" in done.stdout
    assert "pydantic" not in done.stdout
    assert "scorer.evaluation.evaluate" not in done.stdout


def test_all_that_is_offered_is_there() -> None:
    assert all(getattr(scorer, name) is not None for name in scorer.__all__)


@pytest.mark.parametrize("module", _MODULES, ids=lambda path: path.name)
def test_no_ruleset_is_named_in_code(module: Path) -> None:
    code = ast.parse(module.read_text("utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(code)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    texts = [
        node.value
        for node in ast.walk(code)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documented
    ]
    ids = {info.id for info in scorer.list_rulesets()} - {*CONDITIONS}
    assert not [text for text in texts if text in ids]
