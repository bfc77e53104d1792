"""Circles and bamboo by geometry, and the bird that stands for one bamboo."""

from __future__ import annotations

from webapp.artwork.shapes import (
    BLUE,
    CREAM,
    GOLD,
    GREEN,
    RED,
    around,
    circle,
    ellipse,
    path,
    ring,
)

Spot = tuple[float, float, str]

_LEFT, _MID, _RIGHT = 17.5, 30, 42.5

CIRCLES: dict[int, tuple[float, tuple[Spot, ...]]] = {
    2: (11.5, ((30, 30, GREEN), (30, 57, BLUE))),
    3: (9.2, ((16, 28, BLUE), (30, 44, RED), (44, 60, GREEN))),
    4: (10.4, ((18, 31, BLUE), (42, 31, GREEN), (18, 57, GREEN), (42, 57, BLUE))),
    5: (
        8.4,
        ((16, 28, BLUE), (44, 28, GREEN), (30, 44, RED), (16, 60, GREEN), (44, 60, BLUE)),
    ),
    6: (8.2, tuple((x, y, GREEN if y < 30 else RED) for y in (26, 44.5, 62) for x in (19, 41))),
    7: (
        6.5,
        (
            (21, 25, GREEN),
            (33, 30.5, RED),
            (45, 36, BLUE),
            *((x, y, GREEN) for y in (51.5, 65.5) for x in (21, 39)),
        ),
    ),
    8: (6.5, tuple((x, y, BLUE) for y in (23, 37.5, 52, 66.5) for x in (20, 40))),
    9: (
        7,
        tuple(
            (x, y, colour)
            for y, colour in ((26, BLUE), (45, RED), (64, GREEN))
            for x in (13.5, 30, 46.5)
        ),
    ),
}
"""Radius, and centre and colour of each disc, for two to nine circles."""


def _disc(x: float, y: float, r: float, colour: str) -> str:
    return (
        circle(x, y, r, colour)
        + ring(x, y, r * 0.68, CREAM, r * 0.17)
        + circle(x, y, r * 0.24, CREAM)
    )


def _one_circle() -> str:
    x, y = 30, 44
    petals = "".join(ellipse(px, py, 5.4, 3, GREEN, a) for px, py, a in around(x, y, 15.2, 12))
    return (
        circle(x, y, 24, BLUE)
        + circle(x, y, 21.6, CREAM)
        + petals
        + circle(x, y, 10, RED)
        + circle(x, y, 7.6, CREAM)
        + circle(x, y, 4.6, RED)
    )


def circles(count: int) -> str:
    """The drawing of one to nine circles."""
    if count == 1:
        return _one_circle()
    r, spots = CIRCLES[count]
    return "".join(_disc(x, y, r, colour) for x, y, colour in spots)


Stick = tuple[float, float, str, float]

BAMBOO: dict[int, tuple[float, float, tuple[Stick, ...]]] = {
    2: (24, 9, ((30, 31, GREEN, 0), (30, 58, BLUE, 0))),
    3: (24, 8.5, ((30, 31, BLUE, 0), (17.5, 58, GREEN, 0), (42.5, 58, GREEN, 0))),
    4: (
        24,
        8.5,
        tuple(
            (x, y, c, 0)
            for x, y, c in (
                (17.5, 31, BLUE),
                (42.5, 31, GREEN),
                (17.5, 58, GREEN),
                (42.5, 58, BLUE),
            )
        ),
    ),
    5: (
        24,
        8,
        (
            (15, 31, GREEN, 0),
            (45, 31, BLUE, 0),
            (30, 44.5, RED, 0),
            (15, 58, BLUE, 0),
            (45, 58, GREEN, 0),
        ),
    ),
    6: (24, 8, tuple((x, y, c, 0) for y, c in ((31, GREEN), (58, BLUE)) for x in (15, 30, 45))),
    7: (
        16,
        7.5,
        (
            (30, 24, RED, 0),
            *((x, y, GREEN if x != 30 else BLUE, 0) for y in (43, 61.5) for x in (15, 30, 45)),
        ),
    ),
    8: (
        22,
        6.6,
        (
            (12.5, 31, GREEN, 0),
            (24.5, 31, GREEN, 32),
            (35.5, 31, GREEN, -32),
            (47.5, 31, GREEN, 0),
            (12.5, 58.5, BLUE, 0),
            (24.5, 58.5, BLUE, -32),
            (35.5, 58.5, BLUE, 32),
            (47.5, 58.5, BLUE, 0),
        ),
    ),
    9: (
        16,
        7.5,
        tuple(
            (x, y, c, 0) for x, c in ((15, GREEN), (30, RED), (45, BLUE)) for y in (26, 44.5, 63)
        ),
    ),
}
"""Length and width of a stick, and the sticks: centre, colour, degrees, for two to nine bamboo."""


def _stick(x: float, y: float, length: float, width: float, colour: str, turn: float) -> str:
    h, w, waist = length / 2, width / 2, width * 0.3
    outline = (
        f"M{-w} {-h + 2}Q{-w} {-h} {-w + 2} {-h}H{w - 2}Q{w} {-h} {w} {-h + 2}"
        f"Q{w * 0.75} {-h * 0.5} {waist} -1.3L{w} -1.3V1.3L{waist} 1.3"
        f"Q{w * 0.75} {h * 0.5} {w} {h - 2}Q{w} {h} {w - 2} {h}H{-w + 2}Q{-w} {h} {-w} {h - 2}"
        f"Q{-w * 0.75} {h * 0.5} {-waist} 1.3L{-w} 1.3V-1.3L{-waist} -1.3"
        f"Q{-w * 0.75} {-h * 0.5} {-w} {-h + 2}Z"
    )
    shine = f"M0 {-h + 2.6}V-3.2M0 3.2V{h - 2.6}"
    spin = f" rotate({turn})" if turn else ""
    return (
        f'<g transform="translate({x} {y}){spin}">'
        + path(outline, colour)
        + path(shine, stroke=CREAM, width=max(0.9, width * 0.14))
        + "</g>"
    )


def _bird() -> str:
    plumes = (
        ("M24 50C15 55 12 62 13 72C18 68 23 61 27 54Z", GREEN),
        ("M27 52C22 59 21 66 24 74C28 68 30 61 31 54Z", BLUE),
        ("M30 52C30 60 32 66 37 71C39 65 37 58 34 51Z", GREEN),
    )
    eyes = ((15.6, 66), (25, 68), (35.4, 66))
    wing = "M19 43C24 37 35 37 42 45C36 53 25 55 18 51C23 50 26 48 27 46C24 47 21 46 19 43Z"
    return (
        "".join(path(d, colour) for d, colour in plumes)
        + "".join(circle(x, y, 2, GOLD) + circle(x, y, 0.9, RED) for x, y in eyes)
        + path(
            "M20 50C13 40 18 28 30 24C33 19 41 18 44 24C45 27 44 30 42 32"
            "C47 40 43 51 34 54C29 55.6 24 54 20 50Z",
            GREEN,
        )
        + path(wing, BLUE)
        + path(
            "M24 46.500C28 44.5 33 44.5 37 46.500M26 50C29 48.5 32 48.5 35 49.5",
            stroke=CREAM,
            width=1.1,
        )
        + path("M29 31C32 36 37 37 41 34C42 39 40 43 37 42C32 41 29 36 29 31Z", RED)
        + path("M44 23.500L52 26L44.3 28.300Z", GOLD)
        + circle(39.4, 24.6, 2.3, CREAM)
        + circle(39.9, 24.8, 1.15, "#20242c")
        + path(
            "M36 19.500C34 15 35 11 38 9M38.5 19C38.5 15 40 12 43 11M41 20C42 17 44 15 47 15",
            stroke=RED,
            width=1.5,
        )
        + circle(38, 9, 1.5, GOLD)
        + circle(43, 11, 1.5, GOLD)
        + circle(47, 15, 1.5, GOLD)
    )


def bamboo(count: int) -> str:
    """The drawing of one to nine bamboo; one is a bird."""
    if count == 1:
        return _bird()
    length, width, sticks = BAMBOO[count]
    return "".join(_stick(x, y, length, width, colour, turn) for x, y, colour, turn in sticks)
