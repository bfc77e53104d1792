"""Small things that are taken for tiles: gaudy dice, chips, coins, phones, keys, pictures, packets.

Each function has the form of :data:`datasets.props.beside.Thing`.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import noise
from datasets.props.beside import Thing, lay_flat
from datasets.props.boxes import ahead, paint_box, turned_box
from datasets.props.camera import Camera
from datasets.props.lookalikes.dice import PIPS, draw_die
from datasets.props.lookalikes.score_sheets import FONTS, WORDS
from datasets.props.painting import paste

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Place = tuple[float, float]
Ink = tuple[int, int, int]

_AMBIENT: Final = 0.6
"""Brightness 0..1 of sides that the sun does not reach."""
_TOP: Final = (3, 7, 5, 1)
"""The corners of a box's upper side, as a picture on it has them from top-left clockwise."""
_DISC: Final = 96
"""Width in pixels of the picture of a chip or coin."""
_KEY: Final = 72
"""Width in pixels of the picture of a key or lettered block."""
_METALS: Final[tuple[Ink, ...]] = ((170, 175, 180), (60, 140, 190), (50, 90, 160), (200, 200, 205))


def _ink(rng: Generator) -> Ink:
    blue, green, red = (int(part) for part in rng.integers(0, 256, 3))
    return blue, green, red


def _plain(height: int, width: int, colour: Ink) -> Image:
    image = np.empty((height, width, 3), np.uint8)
    image[:] = colour
    return image


def _material(rng: Generator) -> Ink:
    """White, ivory, black or any other colour."""
    chance = rng.random()
    level = int(rng.integers(215, 250))
    if chance < 0.35:
        return level, level, level
    if chance < 0.5:
        return level - 40, level - 15, level
    return _ink(rng) if chance < 0.85 else (30, 30, 30)


def _against(rng: Generator, ground: Ink) -> Ink:
    """An ink that can be seen on a ground: dark or white, or any colour that differs enough."""
    colour = _ink(rng)
    if rng.random() < 0.5 and abs(sum(colour) - sum(ground)) > 150:
        return colour
    return (30, 30, 30) if sum(ground) > 380 else (240, 240, 240)


def _lay_slab(
    canvas: Image, corners: Floats, picture: Image, edge: Ink, camera: Camera, sun: Floats
) -> None:
    """Paint a box with sides of one colour and a picture on its upper side, in place."""
    if not ahead(camera, corners):
        return
    paint_box(canvas, corners, _plain(8, 8, edge), camera, sun, _AMBIENT)
    quad = camera.project(corners[list(_TOP)]).astype(np.float32)
    gain = _AMBIENT + (1 - _AMBIENT) * max(0.0, float(sun[2]))
    paste(canvas, picture, np.full(picture.shape[:2], 255, np.uint8), quad, gain)


def gaudy_die(rng: Generator, canvas: Image, place: Place, camera: Camera, sun: Floats) -> None:
    """Paint a die with dots of one to six colours."""
    colours = [_ink(rng) for _ in range(int(rng.choice([1, 2, 6])))]
    inks = [colours[i % len(colours)] for i in range(6)]
    draw_die(rng, canvas, place, camera, sun, inks)


def chips(rng: Generator, canvas: Image, place: Place, camera: Camera, _sun: Floats) -> None:
    """Paint a stack of round chips or coins, or a single one."""
    metal = rng.random() < 0.3
    body = _METALS[int(rng.integers(len(_METALS)))] if metal else _material(rng)
    radius, thick = rng.uniform(0.3, 0.8), rng.uniform(0.06, 0.16)
    face = _coin(rng, body) if metal else _chip(rng, body)
    alpha = np.zeros((_DISC, _DISC), np.uint8)
    cv2.circle(alpha, (_DISC // 2, _DISC // 2), _DISC // 2 - 1, 255, -1, cv2.LINE_AA)
    for storey in range(int(rng.choice([1, 1, 2, 4, 8]))):
        slip = np.array(place) + rng.normal(0, 0.03, 2)
        spot = float(slip[0]), float(slip[1])
        low = turned_box(spot, rng.uniform(0, 2 * np.pi), (radius * 2, radius * 2, thick))
        low[:, 2] += storey * thick
        if not ahead(camera, low):
            return
        _fill_round(canvas, spot, (radius, storey * thick, thick), body, camera)
        paste(canvas, face, alpha, camera.project(low[list(_TOP)]).astype(np.float32), 1.0)


def _fill_round(
    canvas: Image, place: Place, form: tuple[float, float, float], colour: Ink, camera: Camera
) -> None:
    """Fill the outline of a cylinder of (radius, height of its foot, height), a little darker."""
    radius, foot, high = form
    turn = np.linspace(0, 2 * np.pi, 25)[:-1]
    ring = np.column_stack([np.cos(turn), np.sin(turn)]) * radius + place
    points = np.concatenate(
        [np.column_stack([ring, np.full(len(ring), level)]) for level in (foot, foot + high)]
    )
    hull = cv2.convexHull(camera.project(points).astype(np.float32))
    fill = [part * 0.7 for part in colour]
    cv2.fillConvexPoly(canvas, np.round(hull * 8).astype(np.int32), fill, cv2.LINE_AA, 3)


def _chip(rng: Generator, body: Ink) -> Image:
    """A chip with marks around its edge, and rings, dots or a number inside."""
    image, ink, middle = _plain(_DISC, _DISC, body), _against(rng, body), (_DISC // 2, _DISC // 2)
    marks = int(rng.choice([0, 4, 6, 8]))
    for angle in np.arange(marks) * 360 / max(1, marks):
        cv2.ellipse(image, middle, (44, 44), float(angle), 0, 180 / marks, ink, 8, cv2.LINE_AA)
    if rng.random() < 0.6:
        size = int(rng.integers(18, 36))
        cv2.circle(image, middle, size, ink, int(rng.choice([2, 4, -1])), cv2.LINE_AA)
    kind = rng.random()
    if kind < 0.4:
        for x, y in PIPS[int(rng.integers(1, 7))]:
            spot = (round(24 + 48 * x), round(24 + 48 * y))
            cv2.circle(image, spot, 6, _against(rng, body), -1, cv2.LINE_AA)
    elif kind < 0.8:
        text = str(rng.choice([1, 5, 10, 25, 50, 100, 500]))
        cv2.putText(image, text, (24, 60), FONTS[1], 1.0, _against(rng, body), 3, cv2.LINE_AA)
    return image


def _coin(rng: Generator, body: Ink) -> Image:
    """A coin with a rim and a number, or with a square hole and four signs."""
    image, middle = _plain(_DISC, _DISC, body), _DISC // 2
    dark = [part * 0.6 for part in body]
    cv2.circle(image, (middle, middle), middle - 6, dark, 3, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.rectangle(image, (middle - 10, middle - 10), (middle + 10, middle + 10), dark, -1)
        for x, y in ((0, -26), (0, 26), (-26, 0), (26, 0)):
            cv2.drawMarker(image, (middle + x, middle + y), dark, int(rng.integers(0, 7)), 16, 3)
    else:
        text = str(rng.choice([1, 2, 5, 10, 20]))
        cv2.putText(image, text, (28, 62), FONTS[2], 1.3, dark, 3, cv2.LINE_AA)
    return image


def phone(rng: Generator, canvas: Image, place: Place, camera: Camera, sun: Floats) -> None:
    """Paint a phone with its screen up: signs of programs, numbers, lines of print or a picture."""
    image = _plain(300, 144, (25, 25, 25))
    screen = image[10:290, 8:136]
    screen[:] = _picture(rng, 280, 128) if rng.random() < 0.6 else _material(rng)
    ground = (int(screen[0, 0, 0]), int(screen[0, 0, 1]), int(screen[0, 0, 2]))
    columns = int(rng.choice([0, 3, 4]))
    step = 128 // max(1, columns)
    size = int(step * 0.66)
    for y in range(10, 280 - step if columns else 0, step):
        for x in range(step // 6, 128 - size, step):
            cv2.rectangle(screen, (x, y), (x + size, y + size), _ink(rng), -1)
            sign = chr(int(rng.integers(48, 91)))
            cv2.putText(screen, sign, (x + 5, y + size - 6), FONTS[0], 0.7, (250, 250, 250), 2)
    if not columns:
        for y in range(20, 270, 18):
            cv2.putText(screen, _word(rng), (6, y), FONTS[0], 0.45, _against(rng, ground), 1)
    corners = turned_box(place, rng.uniform(0, 2 * np.pi), (2.4, 4.9, 0.25))
    _lay_slab(canvas, corners, image, (30, 30, 30), camera, sun)


def keys(rng: Generator, canvas: Image, place: Place, camera: Camera, sun: Floats) -> None:
    """Paint a row of keys or lettered blocks as large as tiles, or dominoes."""
    body, angle = _material(rng), rng.uniform(0, 2 * np.pi)
    ink, size = _against(rng, body), rng.uniform(0.6, 1.2)
    domino = rng.random() < 0.3
    long, high = size * (2.0 if domino else rng.uniform(0.9, 1.3)), rng.uniform(0.1, 0.5)
    step = np.array([np.cos(angle), np.sin(angle)]) * size * rng.uniform(1.0, 1.15)
    for index in range(int(rng.integers(1, 9))):
        spot = np.array(place) + step * index
        corners = turned_box((float(spot[0]), float(spot[1])), angle, (size, long, high))
        picture = _domino(rng, body, ink) if domino else _lettered(rng, body, ink)
        _lay_slab(canvas, corners, picture, body, camera, sun)


def _domino(rng: Generator, body: Ink, ink: Ink) -> Image:
    image = _plain(2 * _KEY, _KEY, body)
    cv2.line(image, (8, _KEY), (_KEY - 8, _KEY), ink, 3)
    for top in (0, _KEY):
        for x, y in PIPS.get(int(rng.integers(0, 7)), ()):
            spot = (round(x * _KEY), round(top + y * _KEY))
            cv2.circle(image, spot, 6, ink, -1, cv2.LINE_AA)
    return image


def _lettered(rng: Generator, body: Ink, ink: Ink) -> Image:
    """A letter or digit with perhaps a small number in a corner and an edge."""
    image = _plain(round(_KEY * 1.1), _KEY, body)
    font, sign = FONTS[int(rng.integers(4))], chr(int(rng.integers(48, 91)))
    place = (int(rng.integers(6, 24)), int(rng.integers(46, 64)))
    cv2.putText(image, sign, place, font, rng.uniform(0.9, 2.0), ink, 3, cv2.LINE_AA)
    if rng.random() < 0.4:
        small = str(rng.integers(1, 11))
        cv2.putText(image, small, (_KEY - 22, 74), font, 0.5, ink, 1, cv2.LINE_AA)
    if rng.random() < 0.4:
        edge = [part * 0.7 for part in body]
        cv2.rectangle(image, (1, 1), (_KEY - 2, image.shape[0] - 2), edge, 4)
    return image


def _word(rng: Generator) -> str:
    if rng.random() < 0.5:
        return str(rng.choice(WORDS))
    return "".join(chr(int(c)) for c in rng.integers(65, 123, int(rng.integers(2, 12))))


def _picture(rng: Generator, height: int, width: int) -> Image:
    """A picture: soft fields of two colours with a few shapes before them."""
    first, second = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    field = noise(rng, (height, width), (height / 2, width / 2))[..., None] / 2 + 0.5
    image = np.clip(first + (second - first) * field, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(1, 7))):
        spot = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.integers(3, width // 3)), int(rng.integers(3, height // 4)))
        cv2.ellipse(image, spot, axes, rng.uniform(0, 180), 0, 360, _ink(rng), -1, cv2.LINE_AA)
    return image


def draw_print(rng: Generator) -> Image:
    """A framed picture, packet or book cover with a picture and a few words, uint8 BGR."""
    height, width = int(rng.integers(90, 220)), int(rng.integers(90, 220))
    image = _picture(rng, height, width) if rng.random() < 0.6 else _plain(90, 90, _material(rng))
    height, width = image.shape[:2]
    ground = (int(image[0, 0, 0]), int(image[0, 0, 1]), int(image[0, 0, 2]))
    for _ in range(int(rng.integers(0, 5))):
        spot = (int(rng.integers(width // 2)), int(rng.integers(20, height)))
        font, size = FONTS[int(rng.integers(len(FONTS)))], float(rng.uniform(0.4, 1.6))
        cv2.putText(image, _word(rng), spot, font, size, _against(rng, ground), 2, cv2.LINE_AA)
    if rng.random() < 0.5:
        thick = int(rng.integers(3, 16))
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), _material(rng), 2 * thick)
    return image


def packet(rng: Generator, canvas: Image, place: Place, camera: Camera, sun: Floats) -> None:
    """Paint a packet, book or framed picture that lies on the table."""
    picture, wide = draw_print(rng), rng.uniform(0.8, 5.0)
    long = wide * picture.shape[0] / picture.shape[1]
    corners = turned_box(place, rng.uniform(0, 2 * np.pi), (wide, long, rng.uniform(0.05, 1.2)))
    _lay_slab(canvas, corners, picture, _material(rng), camera, sun)


def console(rng: Generator, canvas: Image, place: Place, camera: Camera, _sun: Floats) -> None:
    """Paint the flat middle of a table that shuffles: a dark square with a dial and lamps."""
    image = _plain(160, 160, (35, 35, 35))
    cv2.rectangle(image, (6, 6), (153, 153), _ink(rng), 3)
    cv2.circle(image, (80, 80), int(rng.integers(25, 50)), _material(rng), -1, cv2.LINE_AA)
    for x, y in PIPS[int(rng.integers(1, 7))]:
        cv2.circle(image, (round(56 + 48 * x), round(56 + 48 * y)), 5, _ink(rng), -1, cv2.LINE_AA)
    for spot in ((80, 20), (20, 80), (80, 140), (140, 80)):
        cv2.circle(image, spot, 8, _ink(rng), -1, cv2.LINE_AA)
        cv2.putText(image, str(rng.choice(list("ESWN0158"))), spot, FONTS[1], 0.7, (240,) * 3, 2)
    lay_flat(rng, canvas, place, camera, image, float(rng.uniform(2.5, 5.0)))


TRIFLES: Final[tuple[Thing, ...]] = (
    gaudy_die,
    gaudy_die,
    chips,
    chips,
    phone,
    keys,
    keys,
    packet,
    packet,
    console,
)
"""The small things, each as often as it stands here."""
