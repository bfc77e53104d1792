"""Season scenes and figures: people, houses, boats, snow, trees and sun."""

from __future__ import annotations

import numpy as np

from datasets.designs.drawing.ink import curve, ellipse, leaf, place, pts
from datasets.designs.faces.plants import Brush, blossom


def draw_scene(b: Brush, season: int) -> None:
    """Draw a scene for spring (0), summer (1), autumn (2) or winter (3)."""
    ground = b.u(1.08, 1.2)
    b.face.line(
        curve([(0.06, ground), (0.5, ground - b.u(-0.04, 0.05)), (0.94, ground)]), b.leaf, 0.018
    )
    first, second = _SEASONS[season][int(b.rng.integers(len(_SEASONS[season])))]
    left = b.u(0.24, 0.38)
    first(b, left, ground)
    second(b, 1 - left, ground)


def person(b: Brush, x: float, y: float, height: float) -> None:
    """A robed figure centred on a point, perhaps with hat, staff or pack."""
    top, foot = y - height / 2, y + height / 2
    half = height * b.u(0.2, 0.28)
    shoulder = top + height * 0.27
    robe = pts(
        (x - half * 0.4, shoulder), (x + half * 0.4, shoulder), (x + half, foot), (x - half, foot)
    )
    b.face.shape(robe, b.bloom, b.outline)
    b.face.line(
        pts((x - half * 0.6, y + height * 0.05), (x + half * 0.6, y + height * 0.05)), b.extra, 0.02
    )
    for side in (-1, 1):
        sleeve = curve(
            [
                (x + side * half * 0.4, shoulder),
                (x + side * half, y - height * 0.04),
                (x + side * half * b.u(0.1, 1.3), y + height * 0.06),
            ]
        )
        b.face.brush(sleeve, b.stem, height * 0.05, height * 0.08)
    head = height * 0.1
    b.face.disc(x, top + head * 1.6, head, b.face.paper)
    b.face.ring(x, top + head * 1.6, head, b.stem, 0.016)
    if b.rng.random() < 0.6:
        brim = head * b.u(1.2, 2.0)
        hat = pts((x - brim, top + head), (x + brim, top + head), (x, top - head * b.u(0, 0.8)))
        b.face.shape(hat, b.stem, b.outline)
    else:
        b.face.disc(x, top + head * 0.7, head * 0.5, b.stem)
    if b.rng.random() < 0.5:
        staff = x + half * b.u(0.9, 1.2)
        b.face.line(pts((staff, top), (staff, foot)), b.extra, 0.016)


def _figure(b: Brush, x: float, ground: float) -> None:
    """A person on the ground."""
    height = b.u(0.42, 0.62)
    person(b, x, ground - height / 2, height)


def _house(b: Brush, x: float, ground: float) -> None:
    """A house with an upswept roof."""
    width, wall = b.u(0.17, 0.24), b.u(0.2, 0.34)
    body = pts(
        (x - width, ground),
        (x - width, ground - wall),
        (x + width, ground - wall),
        (x + width, ground),
    )
    b.face.shape(body, b.stem, b.outline or 0.018)
    eave = ground - wall
    for tier in range(b.count(1, 2)):
        y, reach = eave - tier * 0.18, width * (1.3 - 0.35 * tier)
        roof = np.concatenate(
            [
                curve([(x - reach, y - 0.03), (x, y + 0.02), (x + reach, y - 0.03)]),
                pts((x + reach * 0.4, y - 0.16), (x - reach * 0.4, y - 0.16)),
            ]
        )
        b.face.shape(roof, b.bloom, b.outline)
    b.face.shape(ellipse(x, ground - wall * 0.35, width * 0.3, wall * 0.35), b.extra, b.outline)


def _boat(b: Brush, x: float, ground: float) -> None:
    """An angler in a boat."""
    hull = curve([(x - 0.26, ground - 0.12), (x, ground - 0.02), (x + 0.26, ground - 0.14)])
    b.face.brush(hull, b.stem, 0.05, 0.05)
    person(b, x, ground - 0.26, b.u(0.28, 0.38))
    b.face.line(
        curve([(x, ground - 0.26), (x - 0.2, ground - 0.5), (x - 0.3, ground - 0.52)]),
        b.extra,
        0.012,
    )
    b.face.line(pts((x - 0.3, ground - 0.52), (x - 0.3, ground)), b.extra, 0.008)
    for row in (0.0, 0.06):
        b.face.line(
            curve(
                [
                    (0.08, ground + row),
                    (0.3, ground + row - 0.02),
                    (0.5, ground + row),
                    (0.8, ground + row),
                ]
            ),
            b.leaf,
            0.012,
        )


def _tree(b: Brush, x: float, ground: float) -> None:
    """A leafy tree."""
    top = ground - b.u(0.5, 0.75)
    b.face.brush(
        curve([(x, ground), (x + b.u(-0.06, 0.06), (ground + top) / 2), (x, top)]),
        b.stem,
        0.05,
        0.03,
    )
    for _ in range(b.count(5, 10)):
        cx, cy = x + b.u(-0.17, 0.17), top + b.u(-0.12, 0.14)
        if b.outline:
            b.face.ring(cx, cy, b.u(0.05, 0.09), b.leaf, b.outline)
        else:
            b.face.disc(cx, cy, b.u(0.05, 0.1), b.leaf)
    if b.rng.random() < 0.5:
        for _ in range(5):
            b.face.disc(x + b.u(-0.15, 0.15), top + b.u(-0.1, 0.12), 0.022, b.bloom)


def _willow(b: Brush, x: float, ground: float) -> None:
    """A willow with hanging twigs."""
    top = ground - b.u(0.6, 0.75)
    b.face.brush(curve([(x, ground), (x - 0.04, ground - 0.3), (x, top)]), b.stem, 0.06, 0.03)
    for reach in np.linspace(-0.24, 0.24, b.count(5, 8)):
        end = (x + float(reach), top + b.u(0.3, 0.5))
        b.face.brush(
            curve([(x, top), (x + float(reach) * 0.7, top - 0.06), end]), b.leaf, 0.02, 0.02
        )


def _pine(b: Brush, x: float, ground: float) -> None:
    """A fir in three tiers."""
    b.face.line(pts((x, ground), (x, ground - 0.2)), b.stem, 0.05)
    for tier in range(3):
        y, half = ground - 0.12 - 0.17 * tier, 0.22 - 0.05 * tier
        b.face.shape(pts((x - half, y), (x + half, y), (x, y - 0.24)), b.leaf, b.outline)


def _bare(b: Brush, x: float, ground: float) -> None:
    """A tree without leaves."""
    top = ground - b.u(0.55, 0.75)
    b.face.brush(pts((x, ground), (x, top)), b.stem, 0.05, 0.015)
    for side in (-1, 1, -1, 1):
        y = b.u(top, ground - 0.25)
        b.face.brush(
            pts((x, y), (x + side * b.u(0.1, 0.22), y - b.u(0.08, 0.2))), b.stem, 0.022, 0.008
        )


def _sun(b: Brush, x: float, ground: float) -> None:
    """A sun with rays."""
    y, radius = ground - b.u(0.45, 0.65), b.u(0.08, 0.13)
    b.face.shape(ellipse(x, y, radius, radius), b.bloom, b.outline)
    for angle in np.arange(0, 360, 360 / b.count(8, 14)):
        dx, dy = float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))
        b.face.line(
            pts(
                (x + dx * radius * 1.3, y + dy * radius * 1.3),
                (x + dx * radius * 1.8, y + dy * radius * 1.8),
            ),
            b.extra,
            0.014,
        )


def _moon(b: Brush, x: float, ground: float) -> None:
    """A full moon behind a cloud, with geese."""
    y = ground - b.u(0.5, 0.65)
    b.face.ring(x, y, b.u(0.1, 0.15), b.extra, 0.02)
    for _ in range(b.count(2, 4)):
        gx, gy = x + b.u(-0.3, 0.12), y + b.u(-0.1, 0.35)
        b.face.line(
            curve([(gx - 0.06, gy - 0.03), (gx, gy), (gx + 0.06, gy - 0.03)]), b.stem, 0.014
        )


def _snow(b: Brush, x: float, ground: float) -> None:
    """A mountain in falling snow."""
    peak = ground - b.u(0.4, 0.6)
    b.face.line(pts((x - 0.3, ground), (x, peak), (x + 0.3, ground)), b.stem, 0.022)
    b.face.line(
        pts((x - 0.12, peak + 0.2), (x, peak + 0.12), (x + 0.1, peak + 0.2)), b.extra, 0.016
    )
    for _ in range(b.count(6, 14)):
        b.face.disc(b.u(0.1, 0.9), b.u(0.4, ground - 0.05), 0.016, b.extra)


def _snowman(b: Brush, x: float, ground: float) -> None:
    """Two balls of snow with a hat."""
    b.face.ring(x, ground - 0.14, 0.14, b.stem, 0.018)
    b.face.ring(x, ground - 0.36, 0.09, b.stem, 0.018)
    b.face.fill(
        pts(
            (x - 0.08, ground - 0.44),
            (x + 0.08, ground - 0.44),
            (x + 0.05, ground - 0.58),
            (x - 0.05, ground - 0.58),
        ),
        b.bloom,
    )


def _kite(b: Brush, x: float, ground: float) -> None:
    """A kite on its string."""
    y = ground - b.u(0.5, 0.65)
    b.face.shape(
        pts((x, y - 0.13), (x + 0.09, y), (x, y + 0.14), (x - 0.09, y)), b.bloom, b.outline
    )
    b.face.line(curve([(x, y + 0.14), (x - 0.06, y + 0.3), (0.5, ground - 0.2)]), b.extra, 0.01)


def _butterfly(b: Brush, x: float, ground: float) -> None:
    """A butterfly over a blossom."""
    y = ground - b.u(0.4, 0.6)
    for angle in (35, 145, -35, 215):
        b.face.shape(leaf(x, y, b.u(0.13, 0.2), 0.11, angle), b.bloom, b.outline)
    b.face.line(pts((x, y - 0.07), (x, y + 0.08)), b.stem, 0.02)
    b.face.line(pts((x, ground), (x, ground - 0.12)), b.stem, 0.016)
    blossom(b, x, ground - 0.16, 0.08, 5)


def _sheaf(b: Brush, x: float, ground: float) -> None:
    """Ripe grain tied in a sheaf."""
    for lean in np.linspace(-0.16, 0.16, b.count(4, 7)):
        b.face.line(
            curve([(x - lean * 0.6, ground), (x, ground - 0.2), (x + lean, ground - 0.45)]),
            b.stem,
            0.016,
        )
        b.face.shape(
            leaf(x + float(lean), ground - 0.42, 0.16, 0.06, 90 - float(lean) * 250),
            b.bloom,
            b.outline,
        )
    b.face.line(pts((x - 0.06, ground - 0.2), (x + 0.06, ground - 0.2)), b.extra, 0.03)


def _vase(b: Brush, x: float, ground: float) -> None:
    """A vase with blossoms."""
    side = np.array([(0.06, 0.0), (0.13, -0.12), (0.1, -0.24), (0.05, -0.3), (0.08, -0.34)])
    outline = np.concatenate([side, (side * (-1, 1))[::-1]])
    b.face.shape(place(outline, x, ground), b.extra, b.outline)
    for _ in range(b.count(2, 4)):
        top = (x + b.u(-0.18, 0.18), ground - b.u(0.5, 0.7))
        b.face.line(pts((x, ground - 0.34), top), b.stem, 0.014)
        blossom(b, *top, 0.075, 5)


_SEASONS = (
    ((_figure, _willow), (_figure, _kite), (_butterfly, _tree), (_house, _willow), (_vase, _kite)),
    ((_boat, _sun), (_figure, _sun), (_tree, _sun), (_boat, _willow), (_vase, _sun)),
    ((_figure, _sheaf), (_sheaf, _moon), (_tree, _moon), (_house, _sheaf), (_figure, _moon)),
    ((_house, _snow), (_pine, _snow), (_bare, _snowman), (_figure, _snow), (_bare, _snow)),
)
