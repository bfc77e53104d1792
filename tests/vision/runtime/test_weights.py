"""Fitted numbers are read from the file that the registry names, or refused with a reason."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import vision.shipped
from vision.errors import ModelError
from vision.runtime import weights
from vision.runtime.registry import model_versions, read_registry
from vision.runtime.weights import Weights, read_tables

NUMBERS = 'version = "1.2.0"\n\n[picking]\n# Of one.\none = 0.25\nmany = 3\nfurther = "text"\n'


@dataclass(frozen=True, slots=True)
class Picking(Weights):
    table: ClassVar = "picking"

    many: float
    one: float


def write(folder: Path, text: str) -> Path:
    """The folder with such a file of fitted numbers, rightly registered."""
    data = text.encode()
    (folder / "weights.toml").write_bytes(data)
    (folder / "registry.toml").write_text(
        f'[weights]\nfile = "weights.toml"\nsha256 = "{hashlib.sha256(data).hexdigest()}"\n'
        'version = "1.2.0"\n'
    )
    return folder


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What was read before is read anew within the test, and again after it."""
    weights._shipped_tables.cache_clear()
    yield
    weights._shipped_tables.cache_clear()


def test_numbers_are_read_by_name_in_the_order_of_the_fields(tmp_path: Path) -> None:
    picking = Picking.read_from(read_tables(write(tmp_path, NUMBERS)))
    assert picking == Picking(many=3.0, one=0.25)
    assert picking.numbers() == {"many": 3.0, "one": 0.25}
    assert picking.vector().tolist() == [3.0, 0.25]
    assert picking.vector().dtype == np.float64


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[other]\none = 1\n", "lack the table picking"),
        ("picking = 3\n", "lack the table picking"),
        ("[picking]\none = 0.25\n", "need many of picking as a number"),
        ("[picking]\none = '0.25'\nmany = 3\n", "need one of picking as a number"),
        ("[picking]\none = true\nmany = 3\n", "need one of picking as a number"),
    ],
)
def test_a_missing_number_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ModelError, match=words) as told:
        Picking.read_from(read_tables(write(tmp_path, text)))
    assert "Install Kongbox again" in str(told.value)


@pytest.mark.parametrize("data", [b"[picking\n", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, "")
    (tmp_path / "weights.toml").write_bytes(data)
    registry = tmp_path / "registry.toml"
    digests = (hashlib.sha256(b"").hexdigest(), hashlib.sha256(data).hexdigest())
    registry.write_text(registry.read_text().replace(*digests))
    with pytest.raises(ModelError, match=r"weights\.toml, are damaged"):
        read_tables(tmp_path)


def test_another_file_than_the_registered_one_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, NUMBERS) / "weights.toml"
    file.write_text(NUMBERS.replace("0.25", "0.26"))
    with pytest.raises(ModelError, match=r"weights\.toml is damaged or not version 1\.2\.0"):
        read_tables(tmp_path)
    file.unlink()
    with pytest.raises(ModelError, match=r"weights\.toml is missing"):
        read_tables(tmp_path)


def test_a_registry_that_does_not_name_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "registry.toml").write_text("")
    with pytest.raises(ModelError, match="does not list the model 'weights'"):
        read_tables(tmp_path)


@pytest.mark.usefixtures("forgotten")
def test_the_shipped_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, NUMBERS)
    monkeypatch.setattr("vision.runtime.registry.files", lambda _package: tmp_path)
    assert Picking.shipped() == Picking(many=3.0, one=0.25)
    (tmp_path / "weights.toml").unlink()
    assert Picking.shipped() == Picking(many=3.0, one=0.25)


def kinds(parent: type[Weights] = Weights) -> Iterator[type[Weights]]:
    """Every kind of fitted numbers that the program uses."""
    for kind in parent.__subclasses__():
        if kind.__module__.startswith("vision.") and hasattr(kind, "table"):
            yield kind
        yield from kinds(kind)


def test_all_that_is_shipped_is_used_and_all_that_is_used_is_shipped() -> None:
    used: set[tuple[str, str]] = set()
    for kind in kinds():
        used |= {(kind.table, name) for name in kind.shipped().numbers()}
    tables = read_tables()
    shipped = {
        (table, name)
        for table, numbers in tables.items()
        if isinstance(numbers, dict)
        for name in numbers
    }
    assert used == shipped
    assert tables["version"] == read_registry()["weights"].version


def test_the_versions_of_the_models_are_those_of_the_networks_alone() -> None:
    assert model_versions().keys() == read_registry().keys() - {"weights"}


def read_on_import(tree: ast.AST) -> bool:
    """Whether the module asks for shipped numbers outside of its functions."""
    if isinstance(tree, ast.FunctionDef | ast.Lambda):
        return False
    if isinstance(tree, ast.Attribute) and tree.attr == "shipped":
        return True
    return any(read_on_import(child) for child in ast.iter_child_nodes(tree))


def test_importing_vision_reads_no_numbers() -> None:
    assert read_on_import(ast.parse("WEIGHTS = Picking.shipped().vector()"))
    assert not read_on_import(ast.parse("def f():\n    return Picking.shipped()"))
    root = Path(vision.__file__).parent
    modules = {path: ast.parse(path.read_text("utf-8")) for path in root.rglob("*.py")}
    assert [path for path, tree in modules.items() if read_on_import(tree)] == []
