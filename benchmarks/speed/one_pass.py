"""One pass of the network of YOLO11s's size, with which the time of reading is compared."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnxruntime as ort

from benchmarks.speed.yolo_sized import SIDE, build


def open_pass(threads: int) -> Callable[[], object]:
    """A function that makes one pass with this number of threads; one was made already."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(build().model.SerializeToString(), options)
    image = np.random.default_rng(0).random((1, 3, SIDE, SIDE), np.float32)

    def one_pass() -> object:
        return session.run(None, {"image": image})

    one_pass()
    return one_pass
