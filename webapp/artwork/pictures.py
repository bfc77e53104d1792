"""The pictures of the flowers and the seasons, the white dragon's frame and the tiles' backs."""

from __future__ import annotations

from webapp.artwork.shapes import (
    BLUE,
    CREAM,
    GOLD,
    GREEN,
    INK,
    RED,
    around,
    box,
    circle,
    ellipse,
    path,
)

PINK = "#d94f7a"
"""The colour of blossoms."""

PURPLE = "#7a3fa0"
"""The colour of the orchid."""

BROWN = "#7a4a1e"
"""The colour of branches."""

LEAF = "#3c8f4d"
"""The colour of leaves."""


def _blossom(x: float, y: float, r: float, colour: str, petals: int = 5) -> str:
    outer = "".join(circle(px, py, r * 0.5, colour) for px, py, _ in around(x, y, r * 0.6, petals))
    return outer + circle(x, y, r * 0.32, GOLD)


def plum() -> str:
    """A branch with three blossoms."""
    return (
        path("M10 72C20 64 26 56 30 48C34 42 42 38 50 30", stroke=BROWN, width=2.6)
        + path("M27 54C22 50 18 48 13 48", stroke=BROWN, width=2)
        + _blossom(38, 40, 10, PINK)
        + _blossom(16, 49, 8, PINK)
        + _blossom(32, 62, 8.5, PINK)
    )


def orchid() -> str:
    """A flower of five narrow petals above long leaves."""
    leaves = path(
        "M30 73C24 62 14 54 7 52C12 62 20 70 30 73ZM30 73C36 62 46 54 53 52C48 62 40 70 30 73Z",
        LEAF,
    )
    petals = "".join(ellipse(x, y, 8, 3.6, PURPLE, a) for x, y, a in around(30, 42, 8, 5))
    stem = path("M30 73C29 64 29 56 30 46", stroke=GREEN, width=2.2)
    return leaves + stem + petals + circle(30, 42, 3.4, GOLD)


def chrysanthemum() -> str:
    """A flower of many petals with two leaves."""
    leaves = path(
        "M30 74C24 66 17 64 10 66C14 73 22 76 30 74ZM30 74C36 66 43 64 50 66C46 73 38 76 30 74Z",
        LEAF,
    )
    outer = "".join(ellipse(x, y, 6.2, 2.5, GOLD, a) for x, y, a in around(30, 46, 12, 16))
    inner = "".join(ellipse(x, y, 4.4, 2, "#b8730a", a) for x, y, a in around(30, 46, 6, 10))
    return leaves + outer + inner + circle(30, 46, 3.2, BROWN)


def bamboo_plant() -> str:
    """Two canes with leaves."""
    canes = path("M23 74V26M38 74V36", stroke=GREEN, width=4)
    joints = path(
        "M20.5 40H25.500M20.5 57H25.500M35.5 50H40.500M35.5 63H40.5", stroke=CREAM, width=1.3
    )
    leaves = "".join(
        ellipse(x, y, 7, 2.4, LEAF, a)
        for x, y, a in (
            (30, 30, -28),
            (16, 35, 35),
            (45, 41, -30),
            (31, 53, -35),
            (46, 58, 30),
            (15, 52, -25),
        )
    )
    return canes + joints + leaves


def spring() -> str:
    """A butterfly over a shoot."""
    wings = (
        ellipse(22, 38, 9.5, 6.5, RED, 35)
        + ellipse(38, 38, 9.5, 6.5, RED, -35)
        + ellipse(24, 49, 6.5, 4.6, GOLD, -35)
        + ellipse(36, 49, 6.5, 4.6, GOLD, 35)
    )
    feelers = path("M29.5 36C28 31 26 29 23 28M30.5 36C32 31 34 29 37 28", stroke=INK, width=1.1)
    shoot = path("M30 74V64", stroke=GREEN, width=2.2) + path(
        "M30 67C26 61 20 60 15 61C18 67 24 69 30 67ZM30 67C34 61 40 60 45 61C42 67 36 69 30 67Z",
        LEAF,
    )
    return shoot + wings + feelers + ellipse(30, 43, 1.7, 8.5, INK)


def summer() -> str:
    """A sun over water."""
    rays = "".join(
        path(
            f"M{x:.2f} {y:.2f}L{30 + (x - 30) * 1.32:.2f} {44 + (y - 44) * 1.32:.2f}",
            stroke=RED,
            width=2.4,
        )
        for x, y, _ in around(30, 44, 14, 12)
    )
    waves = path(
        "M8 70C12 66 16 66 20 70C24 74 28 74 32 70C36 66 40 66 44 70C47 73 50 73 53 71",
        stroke=BLUE,
        width=2.2,
    )
    return rays + circle(30, 44, 11, GOLD) + waves


def autumn() -> str:
    """A maple leaf."""
    leaf = (
        "M30 24L34 33L40 30L39 39L50 37L46 44L53 49L43 52L45 59L34 56.500L31 62H29L26 56.5"
        "L15 59L17 52L7 49L14 44L10 37L21 39L20 30L26 33Z"
    )
    veins = "M30 60V34M30 54L17 45M30 54L43 45M30 60V74"
    return path(leaf, "#c8511b") + path(veins, stroke=BROWN, width=1.5)


def winter() -> str:
    """A snowflake."""
    arms = ""
    for _, _, angle in around(30, 47, 23, 6):
        spin = f'<g transform="translate(30 47) rotate({angle + 90:g})">'
        arms += (
            spin
            + path("M0 0V-23M-6 -20L0 -14L6 -20M-5 -12L0 -7L5 -12", stroke=BLUE, width=2.3)
            + "</g>"
        )
    return arms + circle(30, 47, 3, BLUE)


def white_frame() -> str:
    """The double frame of the white dragon."""
    outer = box(12, 23.5, 36, 45, 3, "none", f' stroke="{BLUE}" stroke-width="3.4"')
    return outer + box(17.5, 29, 25, 34, 2, "none", f' stroke="{BLUE}" stroke-width="1.4"')


def back_pattern() -> str:
    """The lattice on the back of a tile."""
    lines = "".join(f"M{x} 7L{x + 22} 70M{x + 22} 7L{x} 70" for x in (8, 19, 30))
    return box(6, 6, 48, 64, 4, "none", ' stroke="#bfe3cc" stroke-width="1.4"') + path(
        lines, stroke="#58a878", width=1.2
    )


FLOWERS = {"1f": plum, "2f": orchid, "3f": chrysanthemum, "4f": bamboo_plant}
"""The drawing of each flower."""

SEASONS = {"1y": spring, "2y": summer, "3y": autumn, "4y": winter}
"""The drawing of each season."""
