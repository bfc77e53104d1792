"""Batch normalisations folded into the convolutions before them, and taken out again.

A network runs with them folded; to be trained on, it needs them. Folding multiplies whole channels,
so that a kernel's 8-bit levels are the same either way. What a normalisation did is kept beside the
kernel under its own names.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.utils import fuse_conv_bn_eval

_FOLDED: Final = ".0."
"""The place of a convolution, and"""
_NORM: Final = ".1."
"""that of its normalisation in :func:`models.nets.nets.conv_bn`."""
_EPSILON: Final = nn.BatchNorm2d(1).eps


def fold(net: nn.Module) -> dict[str, Tensor]:
    """Fold all batch normalisations of a network in evaluation mode, in place.

    Returns:
        what they were, under their names.
    """
    norms: dict[str, Tensor] = {}
    for name, part in list(net.named_modules()):
        if not isinstance(part, nn.Sequential):
            continue
        for place, (convolution, norm) in enumerate(pairwise(part)):
            if isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                norms |= norm.state_dict(prefix=f"{name}.{place + 1}.")
                part[place] = fuse_conv_bn_eval(convolution, norm)
                part[place + 1] = nn.Identity()
    return {name: value for name, value in norms.items() if value.ndim}


def unfold(folded: dict[str, Tensor]) -> dict[str, Tensor]:
    """The parameters that :func:`fold` found, from those that it left and those it returned.

    Normalisations whose convolution is not among them, as that of a part that only learning needs,
    are left out.
    """
    parameters = dict(folded)
    for name, variance in folded.items():
        if name.endswith(f"{_NORM}running_var"):
            norm = name.removesuffix("running_var")
            convolution = norm.removesuffix(_NORM) + _FOLDED
            if f"{convolution}weight" not in folded:
                parameters = {k: v for k, v in parameters.items() if not k.startswith(norm)}
                continue
            gain = folded[f"{norm}weight"] / torch.sqrt(variance + _EPSILON)
            kernel = folded[f"{convolution}weight"] / gain[:, None, None, None]
            parameters[f"{convolution}weight"] = torch.nan_to_num(kernel, posinf=0.0, neginf=0.0)
            parameters.pop(f"{convolution}bias", None)
    return parameters
