"""Effects of light, on a face and on the picture, and of a phone's camera: blur, noise and JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import noise
from datasets.props.painting import lit

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


def light(rng: Generator, image: Floats, *, harsh: bool = False) -> Floats:
    """Lamp gradient, soft shadows, colour temperature and exposure.

    Args:
        rng: source of randomness.
        image: (h, w, 3) float32 BGR, 0..255.
        harsh: whether the light is poor: dim or glaring, strongly coloured, hard shadows.
    """
    size = (image.shape[0], image.shape[1])
    uneven = rng.uniform(0.1, 0.5) if harsh else rng.uniform(0, 0.25)
    field = 1 + uneven * noise(rng, size, (size[0] * 0.7, size[1] * 0.7))
    if rng.random() < (0.6 if harsh else 0.35):
        field *= _shadow(rng, size)
    if harsh and rng.random() < 0.3:
        field *= _vignette(rng, size)
    temperature = rng.normal(0, 0.22 if harsh else 0.10)
    tint = rng.normal(0, 0.07 if harsh else 0.03)
    cast = np.array([1 - temperature, 1 + tint, 1 + temperature], np.float32)
    exposure = np.exp(rng.normal(-0.25, 0.5) if harsh else rng.normal(0.0, 0.22))
    gains = (np.clip(cast, 0.35, 2) * exposure).astype(np.float32)
    lit: Floats = image * field.astype(np.float32)[..., None]
    lit *= gains
    return lit


def _vignette(rng: Generator, size: tuple[int, int]) -> Floats:
    """The picture with darker corners, as from a small lens."""
    y = np.linspace(-1, 1, size[0], dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, size[1], dtype=np.float32)
    return np.asarray(1 - np.float32(rng.uniform(0.1, 0.35)) * (x**2 + y**2), np.float32)


def _shadow(rng: Generator, size: tuple[int, int]) -> Floats:
    mask = np.ones(size, np.float32)
    centre = np.array([rng.uniform(0, size[1]), rng.uniform(0, size[0])])
    angles = np.sort(rng.uniform(0, 2 * np.pi, 7))
    radii = rng.uniform(0.2, 0.6, 7) * max(size)
    points = centre + np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]
    cv2.fillPoly(mask, [points.astype(np.int32)], float(rng.uniform(0.45, 0.85)))
    sigma = float(rng.uniform(3, 0.06 * max(size)))
    small = cv2.resize(mask, None, fx=0.25, fy=0.25)
    small = cv2.GaussianBlur(small, (0, 0), sigma / 4 + 0.3)
    return np.asarray(cv2.resize(small, (size[1], size[0])), np.float32)


def glare(rng: Generator, image: Floats) -> Floats:
    """The picture with a few bright reflections."""
    height, width = image.shape[:2]
    small = np.zeros((height // 4, width // 4), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = (int(rng.integers(width // 4)), int(rng.integers(height // 4)))
        axes = (int(rng.uniform(2, width / 24)), int(rng.uniform(2, height / 24)))
        angle = float(rng.uniform(0, 180))
        cv2.ellipse(small, centre, axes, angle, 0, 360, float(rng.uniform(40, 200)), -1)
    small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(1, 8)))
    bright: Floats = image + np.asarray(cv2.resize(small, (width, height)), np.float32)[..., None]
    return bright


def _motion_kernel(rng: Generator, length: int) -> Floats:
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    middle = (length - 1) / 2
    start = (round(middle - reach[0]), round(middle - reach[1]))
    end = (round(middle + reach[0]), round(middle + reach[1]))
    cv2.line(kernel, start, end, 1.0)
    normalised: Floats = kernel / kernel.sum()
    return normalised


def _defocused(rng: Generator, image: Floats, detail: float) -> Floats:
    """The picture with defocus or motion blur of at most a tenth of ``detail`` pixels."""
    if rng.random() < 0.5:
        length = int(np.clip(rng.uniform(0.03, 0.12) * detail, 2, 25))
        return np.asarray(cv2.filter2D(image, -1, _motion_kernel(rng, length)), np.float32)
    radius = int(np.clip(rng.uniform(0.02, 0.06) * detail, 1, 12))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    kernel = disc.astype(np.float32) / float(disc.sum())
    return np.asarray(cv2.filter2D(image, -1, kernel), np.float32)


def expose_poorly(rng: Generator, image: Floats, detail: float) -> Image:
    """A phone's picture in poor light: blurred, noisy, brightened, smeared, and compressed twice.

    Args:
        rng: source of randomness.
        image: (h, w, 3) float32 BGR, 0..255.
        detail: width of a typical tile in pixels, which limits the blur.
    """
    if rng.random() < 0.55:
        image = _defocused(rng, image, detail)
    bright = float(np.percentile(image[::8, ::8].max(axis=2), 90))
    gain = float(np.clip(rng.uniform(120, 250) / max(bright, 20.0), 1.0, 3.5))
    sigma = float(rng.uniform(2, 9))
    grain = rng.standard_normal(image.shape, np.float32)
    if rng.random() < 0.5:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.8), np.float32)
        sigma *= 1.8
    grain *= np.float32(sigma)
    grain += image
    grain *= np.float32(gain)
    image = np.clip(grain, 0, 255, out=grain)
    if rng.random() < 0.35:
        smeared = cv2.bilateralFilter(image, 5, 30, 2)
        image = np.asarray(smeared, np.float32)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.8, 2.0)))
        more = float(rng.uniform(0.4, 1.8))
        image = np.asarray(cv2.addWeighted(image, 1 + more, soft, -more, 0), np.float32)
    shot = _bytes(image)
    if rng.random() < 0.4 and detail > 35:
        factor = float(rng.uniform(0.5, 0.85))
        small = cv2.resize(shot, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        once = _coded(rng, np.asarray(small, np.uint8), 30)
        shot = np.asarray(cv2.resize(once, shot.shape[1::-1]), np.uint8)
    return _coded(rng, shot, 25)


def _bytes(image: Floats) -> Image:
    """The picture (h, w, 3) rounded and clipped to uint8."""
    return np.asarray(cv2.convertScaleAbs(np.clip(image, 0, 255)), np.uint8)


def _coded(rng: Generator, image: Image, worst: int) -> Image:
    """The picture after JPEG of a random quality, ``worst`` at least."""
    quality = int(rng.integers(worst, 96))
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def expose(rng: Generator, image: Floats, *, sharpness: float = 0.5) -> Image:
    """Blur, noise, contrast, sharpening and JPEG; returns uint8.

    Args:
        rng: source of randomness.
        image: (h, w, 3) float32 BGR, 0..255.
        sharpness: share of photos, 0..1, that are taken without defocus or motion.
    """
    if rng.random() > sharpness:
        if rng.random() < 0.6:
            blurred = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.8)))
        else:
            blurred = cv2.filter2D(image, -1, _motion_kernel(rng, int(rng.integers(3, 8))))
        image = np.asarray(blurred, np.float32)
    contrast = float(np.exp(rng.normal(0, 0.15)))
    sigma = float(rng.gamma(1.2, 2.5))
    grain = rng.standard_normal(image.shape[:2], np.float32) * np.float32(sigma)
    grain += np.float32(128 - 128 * contrast)
    image = image * np.float32(contrast)
    image += grain[..., None]
    np.clip(image, 0, 255, out=image)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        more = float(rng.uniform(0.2, 1.2))
        image = np.asarray(cv2.addWeighted(image, 1 + more, soft, -more, 0), np.float32)
    shot = _bytes(image)
    if rng.random() < 0.8:
        shot = _coded(rng, shot, 35)
    return shot


def slanted(rng: Generator, face: Image, slant: float) -> Image:
    """The face with light that increases slightly towards one side."""
    height, width = face.shape[:2]
    across = np.linspace(-1, 1, width, dtype=np.float32) * np.float32(rng.normal(0, slant))
    down = np.linspace(-1, 1, height, dtype=np.float32) * np.float32(rng.normal(0, slant))
    return lit(face, 1 + across[np.newaxis] + down[:, np.newaxis])


def shining(rng: Generator, face: Image, shine: NDArray[np.float64], gloss: float) -> Image:
    """The face with a lamp's soft reflection, at about the same place on all tiles of a scene."""
    height, width = face.shape[:2]
    x, y = shine[:2] + rng.normal(0, 0.12, 2)
    across = np.exp(-(((np.linspace(-1, 1, width) - x) / shine[2]) ** 2) / 2)
    down = np.exp(-(((np.linspace(-1, 1, height) - y) / shine[2]) ** 2) / 2)
    spot = (down[:, np.newaxis] * across).astype(np.float32)[..., np.newaxis]
    return np.asarray(face + (255 - face) * spot * np.float32(gloss), np.uint8)


def in_shadow(rng: Generator, face: Image) -> Image:
    """The face with one or two shadows that have a straight edge, soft or hard."""
    height, width = face.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    gain = np.ones((height, width), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        angle, start = rng.uniform(0, 2 * np.pi), rng.uniform(-1.2, 1.2)
        beyond = (x * np.cos(angle) + y * np.sin(angle) - start) / rng.uniform(0.03, 0.5)
        gain *= 1 - np.float32(rng.uniform(0.1, 0.45)) * np.clip(beyond, 0, 1).astype(np.float32)
    return lit(face, gain)
