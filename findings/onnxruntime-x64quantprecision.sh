#!/usr/bin/env bash
# ONNX Runtime's session.x64quantprecision on a processor that does not need it.
#
# Guess: the option is for x86-64 processors without VNNI instructions, whose sums of 8-bit products
#   overflow, so that the runtime leaves a network alone where VNNI is there, or at least takes no
#   longer; and it treats all networks of 8 bits alike.
# Seen (onnxruntime 1.31.1, x86-64 with AVX512-VNNI): it turns signed weights into unsigned ones on
#   every x86-64 processor, VNNI or not, which made our networks 2.5 times as slow and changed no answer.
#   It looks at the weights, though: where none exceeds 64 and nothing can overflow, nothing is changed.
#   So weights of 7 bits need no option, and setting it costs them nothing.
set -euo pipefail
[[ $(uname -m) == x86_64 ]] || { echo "for x86-64 only"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check onnxruntime==1.31.1 onnx==1.23.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper


def kept_type(largest, option):
    """The type of the weights after the runtime's optimisation."""
    weights = np.full((8, 4, 3, 3), 3, np.int8)
    weights[0, 0, 0, 0] = largest
    constants = {
        "w": weights, "s": np.float32(0.5), "ys": np.float32(64.0),
        "zero": np.uint8(0), "wz": np.int8(0),
    }
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "zero"], ["xf"]),
        helper.make_node("DequantizeLinear", ["w", "s", "wz"], ["wf"]),
        helper.make_node("Conv", ["xf", "wf"], ["yf"]),
        helper.make_node("QuantizeLinear", ["yf", "ys", "zero"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes, "conv",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 4, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 8, 6, 6])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    options = ort.SessionOptions()
    options.optimized_model_filepath = "optimised.onnx"
    options.log_severity_level = 3
    if option:
        options.add_session_config_entry("session.x64quantprecision", "1")
    ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    (kernel,) = [it for it in onnx.load("optimised.onnx").graph.initializer if list(it.dims) == [8, 4, 3, 3]]
    return TensorProto.DataType.Name(kernel.data_type)


seen = {(largest, option): kept_type(largest, option) for largest in (127, 64) for option in (False, True)}
for (largest, option), kind in seen.items():
    print(f"largest weight {largest:3}, option {'1' if option else '0'}: {kind}")
assert seen == {
    (127, False): "INT8", (127, True): "UINT8", (64, False): "INT8", (64, True): "INT8",
}, seen
PY
echo "as it was seen"
