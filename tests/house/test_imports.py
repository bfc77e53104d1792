"""The packages import one way; nothing in the lower ones knows of those above."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("scorer", "vision", "webapp", "models", "datasets")
ALLOWED: dict[str, frozenset[str]] = {
    "scorer": frozenset({"scorer"}),
    "vision": frozenset({"vision", "scorer.tiles"}),
    "webapp": frozenset({"webapp", "vision", "scorer"}),
    "datasets": frozenset({"datasets", "vision", "scorer.tiles"}),
    "models": frozenset({"models", "datasets", "vision", "scorer.tiles"}),
}
DRAWS_WHAT_IS_SHIPPED = ROOT / "webapp" / "artwork"
"""Run by hand, with the render extra."""
ABSENT_AT_RUN_TIME = {"torch", "onnx", "PIL", "fontTools", "pytest", "hypothesis"}


def imported(tree: ast.Module, package: str) -> Iterator[str]:
    """Every module that the tree names in an import, relative ones resolved, submodules told."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names if module in PACKAGES)


def modules_of(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports_of(path: Path) -> set[str]:
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return set(imported(ast.parse(path.read_text("utf-8")), package))


def breaches(package: str, names: set[str]) -> set[str]:
    """The imports of our own packages that the package may not make."""

    def lawful(name: str) -> bool:
        return any(
            name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED[package]
        )

    ours = {name for name in names if name.split(".")[0] in PACKAGES}
    found = {name for name in ours if not lawful(name)}
    named_inside = {name for name in found if any(other.startswith(f"{name}.") for other in ours)}
    return found - {name for name in named_inside if name in PACKAGES}


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    paths = modules_of(package)
    assert paths
    found = {
        str(path.relative_to(ROOT)): sorted(breaches(package, imports_of(path))) for path in paths
    }
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("package", ["scorer", "vision", "webapp"])
def test_what_runs_needs_nothing_that_only_training_or_tests_need(package: str) -> None:
    for path in modules_of(package):
        if DRAWS_WHAT_IS_SHIPPED in path.parents:
            continue
        roots = {name.split(".")[0] for name in imports_of(path)}
        assert not roots & ABSENT_AT_RUN_TIME, path


@pytest.mark.parametrize(
    ("package", "source", "expected"),
    [
        ("scorer", "import vision", {"vision"}),
        ("scorer", "from webapp.cli.main import main", {"webapp.cli.main"}),
        ("vision", "from scorer.tiles import BACK", set()),
        ("vision", "from scorer import tiles", set()),
        ("vision", "from scorer import score_deal", {"scorer.score_deal"}),
        ("vision", "def f():\n    import scorer.counting.evaluate", {"scorer.counting.evaluate"}),
        ("webapp", "import scorer, vision, flask", set()),
        ("webapp", "from datasets import coco", {"datasets", "datasets.coco"}),
        ("datasets", "from scorer.deal import Deal", {"scorer.deal"}),
    ],
)
def test_the_test_itself_sees_breaches(package: str, source: str, expected: set[str]) -> None:
    found = breaches(package, set(imported(ast.parse(source), package)))
    assert found == expected or found == {name for name in expected if "." in name}
    assert bool(found) == bool(expected)
