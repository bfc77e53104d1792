#!/usr/bin/env bash
# ONNX Runtime and the scale of a quantised convolution's bias.
#
# Guess: a convolution of 8-bit inputs and weights whose 32-bit bias has a scale of its own is valid
#   ONNX, so it runs on integers like one whose bias has the product of the other two scales, or the
#   session says why not.
# Seen (onnxruntime 1.31.1, onnx 1.23.1, x86-64): with the product it becomes a QLinearConv. With any
#   other scale it stays a float Conv behind three DequantizeLinear, without a word at any log level
#   down to a warning. Our networks took four times as long; the numbers stay right.
# Who narrows weights and doubles their scale has to halve the bias and double its scale as well.
set -euo pipefail
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

X_SCALE, W_SCALE, Y_SCALE = 0.5, 0.25, 64.0


def operators(bias_scale):
    """The operators that are left after the runtime's optimisation, sorted, and the output."""
    constants = {
        "w": np.arange(-18, 18, dtype=np.int8).reshape(1, 4, 3, 3),
        "b": np.array([round(8.0 / bias_scale)], np.int32),
        "xs": np.float32(X_SCALE), "ws": np.float32(W_SCALE), "bs": np.float32(bias_scale),
        "ys": np.float32(Y_SCALE), "zero": np.uint8(0), "wz": np.int8(0), "bz": np.int32(0),
    }
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "xs", "zero"], ["xf"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wf"]),
        helper.make_node("DequantizeLinear", ["b", "bs", "bz"], ["bf"]),
        helper.make_node("Conv", ["xf", "wf", "bf"], ["yf"]),
        helper.make_node("QuantizeLinear", ["yf", "ys", "zero"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes, "conv",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 4, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, [1, 1, 6, 6])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    options = ort.SessionOptions()
    options.log_severity_level = 2  # what it warns of is that a saved graph suits this computer alone
    options.optimized_model_filepath = "optimised.onnx"
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    x = np.random.default_rng(0).integers(0, 256, (1, 4, 8, 8), np.uint8)
    return sorted(n.op_type for n in onnx.load("optimised.onnx").graph.node), session.run(None, {"x": x})[0]


product, first = operators(X_SCALE * W_SCALE)
other, second = operators(2 * X_SCALE * W_SCALE)
print("bias scale = product:", product)
print("bias scale = another:", other)
assert "QLinearConv" in product and not {"Conv", "DequantizeLinear"} & set(product), product
assert "QLinearConv" not in other and other.count("DequantizeLinear") == 3 and "Conv" in other, other
assert np.abs(first.astype(int) - second.astype(int)).max() <= 1
PY
echo "as it was seen"
