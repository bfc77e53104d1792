"""Folds batch normalisations into the convolutions before them, and separates them again.

The shipped networks run with folded normalisations, and further training needs them apart. Folding
scales whole channels, so a kernel has the same 8-bit levels either way. The parameters of a
normalisation are kept beside the kernel under their own names.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.utils import fuse_conv_bn_eval

_FOLDED: Final = ".0."
"""Name of the convolution inside :func:`models.nets.nets.conv_bn`."""
_NORM: Final = ".1."
"""Name of the batch normalisation inside :func:`models.nets.nets.conv_bn`."""
_EPSILON: Final = nn.BatchNorm2d(1).eps
"""Value added to the variance in a batch normalisation."""


def fold(net: nn.Module) -> dict[str, Tensor]:
    """Fold all batch normalisations of a network in evaluation mode, in place.

    Returns:
        the parameters of the normalisations, under their names.
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
    """The parameters of the network before :func:`fold`.

    Normalisations whose convolution is missing, such as those of a part that only training needs,
    are left out.

    Args:
        folded: the parameters that :func:`fold` left in the network and those it returned.
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
