"""Packages import one way, and so do the rooms in each of them; no modules import in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
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
ORDERS: dict[str, str] = {
    "scorer": (
        "english < messages < notations < tiles < errors < melds < deal < result < facts < rules"
        " < counting < evaluation < explain, game < text"
    ),
    "vision": (
        "english < messages < errors < runtime < vocabulary < geometry < heif < photo, deal"
        " < detect < classify < evidence < layout < tilesets < pipeline < shipped < multiview"
    ),
    "webapp": (
        "runtime < language, database < rulesets, draw, contest, course, people < evening"
        " < club_settings < security < serving < deal < joint < photos < games < personal_data"
        " < tile_sets, book < list_import, rereading < exports < backup < services < pages < app"
        " < association < server < cli"
    ),
    "webapp.database": "base, ids, author, schemas, trouble < history < tables < examination",
    "webapp.association": "machines < queue",
    "webapp.cli": "shared, listed, output < watch < scoring, photos < club < serve, worker < main",
    "webapp.pages": (
        "sending, seasons, api, display, rules < contest_shown, entry, deal"
        " < score, club, evening, camera_door < contest, table < rendering < offline"
    ),
    "models": "nets, evaluation < training < fitting",
    "datasets": "designs < sets, props < scenes < photographs < crops, pathtraced",
    "datasets.designs": "errors < packages < fonts < drawing < icons, engravings < faces < factory",
    "datasets.props": "camera < painting < boxes < lookalikes < backgrounds < racks, rooms",
    "datasets.pathtraced": "table < blender",
    "benchmarks": "speed, page, joint, hostile < machines, fuzz < hands",
}
"""The rooms of each package from the ground up: each imports only rooms further left. Modules that
are not named here, such as the front door, may import every room; none but those imports them."""
DRAWS_WHAT_IS_SHIPPED = ROOT / "webapp" / "artwork"
"""Run by hand, with the render extra."""
ABSENT_AT_RUN_TIME = {"torch", "onnx", "fontTools", "pytest", "hypothesis"}


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
            yield from (f"{module}.{alias.name}" for alias in node.names)


def modules_of(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def imports_of(path: Path) -> frozenset[str]:
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return frozenset(imported(ast.parse(path.read_text("utf-8")), package))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


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
        str(path.relative_to(ROOT)): sorted(breaches(package, set(imports_of(path))))
        for path in paths
    }
    assert {path: names for path, names in found.items() if names} == {}


def levels_of(order: str) -> dict[str, int]:
    """How far from the ground each room of an order lies."""
    levels = enumerate(order.split(" < "))
    return {room.strip(): level for level, rooms in levels for room in rooms.split(",")}


def room_of(name: str, package: str) -> str:
    """The room of the package in which a module lies, as a part of its name."""
    return name.removeprefix(f"{package}.").partition(".")[0] if name != package else ""


def climbs(package: str, order: str, name: str, imports: frozenset[str]) -> set[str]:
    """The imports of a module of the package that point up or sideways between its rooms."""
    levels = levels_of(order)
    own = room_of(name, package)
    inside = {each for each in imports if each.startswith(f"{package}.")}
    rooms = {each: room_of(each, package) for each in inside}
    return {
        each
        for each, room in rooms.items()
        if room in levels and room != own and own in levels and levels[room] >= levels[own]
    }


@pytest.mark.parametrize("package", ORDERS)
def test_rooms_import_only_what_lies_below_them(package: str) -> None:
    paths = modules_of(package.replace(".", "/"))
    found = {
        name_of(path): climbs(package, ORDERS[package], name_of(path), imports_of(path))
        for path in paths
    }
    assert {name: sorted(up) for name, up in found.items() if up} == {}


@pytest.mark.parametrize("package", ORDERS)
def test_every_room_has_its_place_in_the_order(package: str) -> None:
    folder = ROOT / package.replace(".", "/")
    rooms = {path.parent.name for path in folder.glob("*/__init__.py")}
    apart = {"artwork", "migrations"} if package == "webapp" else set()
    named = set(levels_of(ORDERS[package]))
    assert rooms - apart - named == set()
    there = rooms | {path.stem for path in folder.glob("*.py")}
    assert named - there == set()


def test_no_modules_import_in_a_circle() -> None:
    paths = [path for package in (*PACKAGES, "benchmarks") for path in modules_of(package)]
    known = {name_of(path) for path in paths}
    graph = {
        name_of(path): {each for each in imports_of(path) if each in known} - {name_of(path)}
        for path in paths
        if path.name != "__init__.py"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these modules import in a circle: {' -> '.join(error.args[1])}")


def test_no_private_name_is_imported_from_another_module() -> None:
    private = {
        name_of(path): sorted(
            name
            for name in imports_of(path)
            if name.split(".")[0] in PACKAGES and name.rpartition(".")[2].startswith("_")
            if not name.endswith("__")
        )
        for package in (*PACKAGES, "benchmarks")
        for path in modules_of(package)
    }
    assert {name: names for name, names in private.items() if names} == {}


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
        (
            "vision",
            "def f():\n    import scorer.evaluation.evaluate",
            {"scorer.evaluation.evaluate"},
        ),
        ("webapp", "import scorer, vision, flask", set()),
        ("webapp", "from datasets import coco", {"datasets.coco"}),
        ("datasets", "from scorer.deal import Deal", {"scorer.deal"}),
    ],
)
def test_the_test_itself_sees_breaches(package: str, source: str, expected: set[str]) -> None:
    found = breaches(package, set(imported(ast.parse(source), package)))
    assert expected <= found
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("p.low.a", "from p.high import b", {"p.high", "p.high.b"}),
        ("p.low.a", "from p.beside.c import d", {"p.beside.c", "p.beside.c.d"}),
        ("p.high.a", "from p.low import b\nfrom p.high import c\nimport os", set()),
        ("p", "from p.high import b", set()),
    ],
)
def test_the_test_sees_rooms_that_climb(name: str, source: str, expected: set[str]) -> None:
    names = frozenset(imported(ast.parse(source), "p"))
    assert climbs("p", "low, beside < high", name, names) == expected
