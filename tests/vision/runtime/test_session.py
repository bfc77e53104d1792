from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from vision.errors import ModelError
from vision.runtime.registry import find_model, model_versions, read_model, read_registry
from vision.runtime.session import load_model


def doubling_model(metadata: dict[str, str]) -> bytes:
    """An ONNX model that adds its input of n numbers to itself."""
    node = helper.make_node("Add", ["x", "x"], ["y"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n"])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n"])
    model = helper.make_model(
        helper.make_graph([node], "doubling", [x], [y]),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = doubling_model({"labels": json.dumps(["1m", "2m"]), "size": "[64, 48]"})
    (tmp_path / "doubler.onnx").write_bytes(data)
    write_registry(tmp_path, hashlib.sha256(data).hexdigest())
    return tmp_path


def write_registry(folder: Path, sha256: str) -> None:
    (folder / "registry.toml").write_text(
        f'[doubler]\nfile = "doubler.onnx"\nsha256 = "{sha256}"\nversion = "1.2.0"\n'
        'licence = "MIT"\n'
    )


def test_a_shipped_model_runs_and_describes_itself(folder: Path) -> None:
    model = load_model("doubler", folder)
    (output,) = model.run(np.array([1, 2.5], np.float32))
    assert output.tolist() == [2.0, 5.0]
    assert model.metadata == {"labels": ["1m", "2m"], "size": [64, 48]}
    assert model.entry.version == "1.2.0"


def test_versions_are_told_without_opening_the_models(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "doubler.onnx").unlink()
    monkeypatch.setattr("vision.runtime.registry.files", lambda _package: folder)
    assert model_versions() == {"doubler": "1.2.0"}


def test_a_changed_model_file_is_refused(folder: Path) -> None:
    file = folder / "doubler.onnx"
    file.write_bytes(file.read_bytes() + b"\0")
    with pytest.raises(ModelError, match=r"doubler\.onnx is damaged or not version 1\.2\.0"):
        load_model("doubler", folder)


def test_a_missing_model_file_is_told(folder: Path) -> None:
    (folder / "doubler.onnx").unlink()
    with pytest.raises(ModelError, match=r"doubler\.onnx is missing"):
        load_model("doubler", folder)


def test_a_file_that_is_no_model_is_told(folder: Path) -> None:
    (folder / "doubler.onnx").write_bytes(b"no model")
    write_registry(folder, hashlib.sha256(b"no model").hexdigest())
    with pytest.raises(ModelError, match="cannot be opened"):
        load_model("doubler", folder)


def test_a_description_that_is_no_json_is_told(folder: Path) -> None:
    data = doubling_model({"labels": "1m, 2m"})
    (folder / "doubler.onnx").write_bytes(data)
    write_registry(folder, hashlib.sha256(data).hexdigest())
    with pytest.raises(ModelError, match="not JSON"):
        load_model("doubler", folder)


def test_an_unknown_model_is_told(folder: Path) -> None:
    with pytest.raises(ModelError, match="does not list the model 'reader'"):
        load_model("reader", folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[doubler]\nfile = 'x'\n", "doubler needs sha256"),
        ("[doubler]\nfile = 'x'\nsha256 = 'abc'\nversion = '1'\n", "64 hexadecimal digits"),
        ("[doubler]\nfile = ''\n", "doubler needs file"),
        ("doubler = 3\n", "doubler must be a table"),
        ("[doubler\n", "is damaged"),
    ],
)
def test_a_faulty_registry_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "registry.toml").write_text(text)
    with pytest.raises(ModelError, match=words):
        read_registry(tmp_path)


def test_a_missing_registry_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"registry\.toml, is missing"):
        read_registry(tmp_path)


def test_wrong_inputs_are_told(folder: Path) -> None:
    model = load_model("doubler", folder)
    with pytest.raises(ModelError, match="takes 1 inputs, not 2"):
        model.run(np.zeros(1, np.float32), np.zeros(1, np.float32))
    with pytest.raises(ModelError, match="could not run"):
        model.run(np.zeros(1, np.int64))


@pytest.mark.parametrize("name", sorted(set(model_versions()) - {"judge"}))
def test_sums_of_bytes_overflow_on_no_processor(name: str) -> None:
    """Without VNNI the runtime adds two products of a byte and a weight in 16 bits."""
    graph = onnx.load_from_string(read_model(find_model(name))).graph
    weights = [
        numpy_helper.to_array(it) for it in graph.initializer if it.data_type == TensorProto.INT8
    ]
    kernels = [it for it in weights if it.ndim == 4]
    assert len(kernels) > 10
    assert 2 * 255 * max(int(np.abs(it.astype(int)).max()) for it in kernels) < 2**15
