"""The networks: detector of tile quads, verifier of detections, classifier, reader of marks.

All are plain residual nets of 3x3 convolutions with at most two million parameters, which two CPU
cores can train in hours and which quantise well. Inputs are uint8 BGR and are normalised in the
graph.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from models.nets.detector_targets import SECTORS
from scorer.tiles import BONUS_TILES
from vision.vocabulary.labels import INDICES


def conv_bn(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolution and batch normalisation, without activation."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
    )


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions with a shortcut (He et al., arXiv 1512.03385)."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.first = conv_bn(inputs, outputs, stride)
        self.second = conv_bn(outputs, outputs)
        same = stride == 1 and inputs == outputs
        self.shortcut: nn.Module = nn.Identity() if same else conv_bn(inputs, outputs, stride, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Map (n, inputs, h, w) to (n, outputs, h / stride, w / stride)."""
        y = self.second(F.relu(self.first(x)))
        return F.relu(y + self.shortcut(x))


def stage(inputs: int, outputs: int, blocks: int, stride: int = 2) -> nn.Sequential:
    """``blocks`` residual blocks, the first of which strides."""
    rest = [ResidualBlock(outputs, outputs) for _ in range(blocks - 1)]
    return nn.Sequential(ResidualBlock(inputs, outputs, stride), *rest)


def normalise(images: Tensor) -> Tensor:
    """Map (n, h, w, 3) uint8 to (n, 3, h, w) float in -2..2.

    It is one scale with an integer zero point, so that the 8-bit network can take the bytes as
    they are.
    """
    return images.permute(0, 3, 1, 2).float().sub(128).mul(1 / 64)


class Detector(nn.Module):
    """Anchor-free detector of tile corners ("Objects as Points", arXiv 1904.07850).

    For each 8x8 cell: the logit that a face or a back is centred there, the half-turn sector of the
    tile's upright direction, and, for each sector, the four corners as offsets from the cell's
    centre in cells. Sectors keep the regression continuous under rotation.
    """

    def __init__(self, widths: tuple[int, int, int, int, int] = (24, 40, 64, 96, 128)) -> None:
        super().__init__()
        stem, quarter, eighth, sixteenth, half = widths
        self.stem = conv_bn(3, stem, 2)
        self.quarter = stage(stem, quarter, 1)
        self.eighth = stage(quarter, eighth, 2)
        self.sixteenth = stage(eighth, sixteenth, 2)
        self.thirtysecond = stage(sixteenth, half, 2)
        self.lateral16 = conv_bn(sixteenth, eighth, kernel=1)
        self.lateral32 = conv_bn(half, eighth, kernel=1)
        self.lateral8 = conv_bn(eighth, eighth, kernel=1)
        self.merge16 = conv_bn(eighth, eighth)
        self.merge8 = conv_bn(eighth, eighth)
        scores = nn.Conv2d(32, 2, 1)
        if scores.bias is not None:
            nn.init.constant_(scores.bias, -4.0)
        self.centre = nn.Sequential(conv_bn(eighth, 32), nn.ReLU(), scores)
        self.shape = nn.Sequential(
            conv_bn(eighth, eighth), nn.ReLU(), nn.Conv2d(eighth, SECTORS * 9, 1)
        )

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Run on (n, h, w, 3) uint8 BGR, h and w multiples of 32.

        Returns:
            centre (n, 2, h/8, w/8) logits of face and back; sector (n, 4, h/8, w/8) logits;
            corners (n, 4, 8, h/8, w/8) offsets x0 y0 .. x3 y3 in cells.
        """
        x = F.relu(self.stem(normalise(images)))
        c8 = self.eighth(self.quarter(x))
        c16 = self.sixteenth(c8)
        c32 = self.thirtysecond(c16)
        p16 = self.lateral16(c16) + F.interpolate(self.lateral32(c32), scale_factor=2.0)
        p16 = F.relu(self.merge16(F.relu(p16)))
        p8 = F.relu(self.lateral8(c8) + F.interpolate(p16, scale_factor=2.0))
        p8 = F.relu(self.merge8(p8))
        shape = self.shape(p8)
        n, _, h, w = shape.shape
        sector, corners = shape[:, :SECTORS], shape[:, SECTORS:]
        return self.centre(p8), sector, corners.reshape(n, SECTORS, 8, h, w)


class Answer(NamedTuple):
    """The classifier's outputs for n crops.

    Attributes:
        logits: (n, classes) of what the face shows.
        upright: (n,) logit that the crop is the right way up.
        embedding: (n, embedding) of unit length.
        valid: (n,) logit that the crop is a tile.
        corners: (n, 4, 2) how far right and down of the crop's face the tile's corners lie, in
            widths and heights of that face, clockwise from its top-left.
    """

    logits: Tensor
    upright: Tensor
    embedding: Tensor
    valid: Tensor
    corners: Tensor


class Classifier(nn.Module):
    """Residual net over rectified crops.

    Its outputs are what the face shows, whether it is upright, an embedding, whether the crop
    shows a tile, and corrections of its corners.
    """

    def __init__(
        self,
        classes: int,
        widths: tuple[int, int, int, int] = (24, 48, 96, 160),
        embedding: int = 128,
    ) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.stem = conv_bn(3, first)
        self.layer1 = stage(first, first, 1, stride=2)
        self.layer2 = stage(first, second, 2)
        self.layer3 = stage(second, third, 2)
        self.layer4 = stage(third, fourth, 2, stride=1)
        self.embed = nn.Linear(fourth * 12, embedding)
        self.label = nn.Linear(embedding, classes)
        self.upright = nn.Linear(embedding, 1)
        self.valid = nn.Linear(embedding, 1)
        self.outline = nn.Sequential(conv_bn(third, 48), nn.ReLU(), conv_bn(48, 32), nn.ReLU())
        self.corners = nn.Linear(32 * 12 * 9, 8)

    def forward(self, crops: Tensor) -> Answer:
        """Run on (n, h, w, 3) uint8 BGR crops."""
        x = F.relu(self.stem(normalise(crops)))
        x = self.layer3(self.layer2(self.layer1(x)))
        outline = F.adaptive_avg_pool2d(self.outline(x), (12, 9)).flatten(1)
        corners = self.corners(outline).reshape(-1, 4, 2)
        pooled = F.adaptive_avg_pool2d(self.layer4(x), (4, 3)).flatten(1)
        features = F.relu(self.embed(pooled))
        embedding = F.normalize(features, dim=1)
        upright, valid = self.upright(features).squeeze(1), self.valid(features).squeeze(1)
        return Answer(self.label(features), upright, embedding, valid, corners)


class Verifier(nn.Module):
    """Residual net over crops of detections with their surroundings.

    Its outputs are whether each is a tile, whether that tile lies face down, and where its corners
    are. Training starts with the detector's first layers, which have seen the most pictures.
    """

    def __init__(
        self, widths: tuple[int, int, int, int] = (24, 40, 64, 96), features: int = 64
    ) -> None:
        super().__init__()
        stem, quarter, eighth, sixteenth = widths
        self.stem = conv_bn(3, stem, 2)
        self.quarter = stage(stem, quarter, 1)
        self.eighth = stage(quarter, eighth, 2)
        self.sixteenth = stage(eighth, sixteenth, 2)
        self.narrow = conv_bn(sixteenth, 24, kernel=1)
        self.gather = nn.Linear(24 * 6 * 5, features)
        self.tile = nn.Linear(features, 1)
        self.down = nn.Linear(features, 1)
        self.outline = nn.Sequential(conv_bn(eighth, 48), nn.ReLU(), conv_bn(48, 32), nn.ReLU())
        self.corners = nn.Linear(32 * 12 * 9, 8)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Run on (n, 96, 72, 3) uint8 BGR crops.

        Returns:
            logits (n,) that each shows a tile; logits (n,) that it lies face down if it is one;
            and (n, 4, 2) how far right and down of the detection's corners the tile's lie, in
            widths and heights of the detection.
        """
        x = F.relu(self.stem(normalise(crops)))
        near = self.eighth(self.quarter(x))
        corners = self.corners(self.outline(near).flatten(1)).reshape(-1, 4, 2)
        narrow = F.relu(self.narrow(self.sixteenth(near))).flatten(1)
        features = F.relu(self.gather(narrow))
        return self.tile(features).squeeze(1), self.down(features).squeeze(1), corners


class IndexReader(nn.Module):
    """Small residual net that reads what is in a corner of a tile, wherever it stands.

    Each cell of 8 by 8 pixels says whether an index is there, and which.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 48, 64)) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.stem = conv_bn(3, first, 2)
        self.layer1 = stage(first, second, 1)
        self.layer2 = stage(second, third, 1)
        self.layer3 = stage(third, fourth, 2, stride=1)
        self.says = nn.Conv2d(fourth, len(INDICES), 1)

    def forward(self, crops: Tensor) -> Tensor:
        """Logits (n, 17, h / 8, w / 8) of (n, h, w, 3) uint8 BGR crops, as ``INDICES``."""
        x = F.relu(self.stem(normalise(crops)))
        logits: Tensor = self.says(self.layer3(self.layer2(self.layer1(x))))
        return logits


MARKS_SIZE: Final = (128, 96)
"""Height and width in pixels of the crops that the reader of marks looks at."""


class MarksReader(nn.Module):
    """Residual net over rectified tiles that reads the marks on flowers and seasons.

    The features have more than twice the classifier's resolution, since a number, a character or a
    word is small. The logits are the sum of those of a grid of twelve fields and those of two
    attention maps, which find a mark wherever it stands ("Attention-based deep multiple instance
    learning", arXiv 1802.04712). Residual blocks start as the identity and the attention starts at
    zero, so that a run can start from the parameters of a shallower reader.
    """

    _LOOKS = 2

    def __init__(
        self,
        blocks: tuple[int, int, int, int] = (1, 3, 4, 2),
        widths: tuple[int, int, int, int] = (24, 48, 80, 80),
        features: int = 64,
    ) -> None:
        super().__init__()
        first, second, third, fourth = widths
        classes = len(BONUS_TILES)
        self.stem = conv_bn(3, first, 2)
        self.layer1 = stage(first, first, blocks[0], stride=1)
        self.layer2 = stage(first, second, blocks[1])
        self.layer3 = stage(second, third, blocks[2])
        self.layer4 = stage(third, fourth, blocks[3], stride=1)
        self.gather = nn.Linear(fourth * 12, features)
        for name, parameter in self.named_parameters():
            if name.endswith("second.1.weight"):
                nn.init.zeros_(parameter)
        self.label = nn.Linear(features, classes)
        self.look = nn.Conv2d(fourth, self._LOOKS * (1 + classes), 1)
        for parameter in self.look.parameters():
            nn.init.zeros_(parameter)

    def forward(self, crops: Tensor) -> Tensor:
        """(n, 8) logits, as :data:`scorer.tiles.BONUS_TILES`, of (n, h, w, 3) uint8 BGR crops."""
        x = F.relu(self.stem(normalise(crops)))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        pooled = F.adaptive_avg_pool2d(x, (4, 3)).flatten(1)
        looks = self.look(x).flatten(2).unflatten(1, (self._LOOKS, -1))
        counting, said = F.softmax(looks[:, :, :1], dim=3), looks[:, :, 1:]
        picked = (counting * said).sum(dim=(1, 3))
        logits: Tensor = self.label(F.relu(self.gather(pooled))) + picked
        return logits
