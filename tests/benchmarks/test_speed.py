from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from benchmarks.speed.reading import END_TO_END_LIMIT_S, Timing, fresh_process, photo, report
from benchmarks.speed.yolo_sized import OPERATIONS, PARAMETERS, SIDE, Network, build
from vision.photo.decode import decode_photo


@pytest.fixture(scope="module")
def network() -> Network:
    return build()


def test_the_network_compared_with_has_the_published_size(network: Network) -> None:
    assert network.parameters == pytest.approx(PARAMETERS, rel=0.01)
    assert network.operations == pytest.approx(OPERATIONS, rel=0.01)


def test_its_counts_are_those_of_its_graph(network: Network) -> None:
    onnx.checker.check_model(network.model)
    inferred = onnx.shape_inference.infer_shapes(network.model)
    sizes = {tensor.name: list(tensor.dims) for tensor in inferred.graph.initializer}
    shapes = {
        value.name: [d.dim_value for d in value.type.tensor_type.shape.dim]
        for value in [*inferred.graph.value_info, *inferred.graph.output]
    }
    parameters = operations = 0
    for node in inferred.graph.node:
        if node.op_type == "Conv":
            outputs, inputs, height, width = sizes[node.input[1]]
            rows, columns = shapes[node.output[0]][2:]
            parameters += outputs * inputs * height * width + outputs
            operations += 2 * outputs * inputs * height * width * rows * columns
        elif node.op_type == "MatMul":
            shape = shapes[node.output[0]]
            operations += 2 * shape[1] * shape[2] * shape[3] * shapes[node.input[1]][2]
    assert parameters == network.parameters
    assert operations == network.operations
    assert shapes[inferred.graph.output[0].name] == [1, 144, SIDE // 8, SIDE // 8]


@pytest.fixture(scope="module")
def drawn() -> bytes:
    return photo()


def test_the_photo_has_twelve_megapixels(drawn: bytes) -> None:
    image = decode_photo(drawn)
    assert image.shape == (3024, 4032, 3)


def test_the_table_tells_what_is_over_its_limit() -> None:
    timing = Timing({"decode": 0.1, "detect": 0.2, "classify": 0.1, "layout": 0.05}, 16)
    text = report(timing, 0.25, 0.5, 400.0)
    assert "end to end: 0.45 s, within 0.5 s" in text
    assert "without decoding: 0.35 s, OVER 0.25 s" in text
    assert "memory: 400 MB, within 500 MB" in text
    assert END_TO_END_LIMIT_S == 0.5


def test_a_fresh_process_stays_small(tmp_path: Path, drawn: bytes) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(drawn)
    loading, megabytes = fresh_process(path, 1)
    assert loading > 0
    assert 50 < megabytes < 500
