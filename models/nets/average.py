"""Average two runs of one network.

``python -m models.nets.average RUN_A RUN_B --share 0.6 --out RUN``. The
first run may also be the shipped ONNX file that the second started from.

The weights of a run and of one that continued it lie in the same basin of the loss, and their mean
often reads unseen tile sets better than either ("Model soups", arXiv 2203.05482).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor

from models.nets.export import averaged_weights
from models.nets.weights import load_weights


def mean_weights(a: dict[str, Tensor], b: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """The element-wise mean of two runs' parameters, with weight ``share`` (0..1) for ``b``.

    Integer counters, and parts of the network that ``a`` does not have, are copied from ``b``.

    Raises:
        ValueError: the two runs trained different networks.
    """
    if not a.keys() <= b.keys():
        raise ValueError("the runs are of different networks")
    return {
        name: torch.lerp(a[name], value, share)
        if name in a and value.dtype.is_floating_point
        else value
        for name, value in b.items()
    }


def main() -> None:
    """Write the mean as a run that can be calibrated, exported and started from."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "runs", type=Path, nargs=2, help="folders of two runs, or a shipped file and a run"
    )
    parser.add_argument("--share", type=float, default=0.5, help="of the second run")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    options = parser.parse_args()
    start, run = options.runs
    first = load_weights(start) if start.suffix == ".onnx" else averaged_weights(start)
    options.out.mkdir(parents=True, exist_ok=True)
    mean = mean_weights(first, averaged_weights(run), options.share)
    torch.save({"average": mean}, options.out / "last.pt")


if __name__ == "__main__":
    main()
