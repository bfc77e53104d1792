"""Turns the light at the lens into the phone's JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.pathtraced.table.plan import Development


def _smeared(light: NDArray[np.float32], motion: tuple[float, float]) -> NDArray[np.float32]:
    """The light blurred by a phone that moves by ``motion`` pixels during the exposure."""
    length = float(np.hypot(*motion))
    if length < 0.3:
        return light
    kernel = np.zeros((15, 15), np.float32)
    for step in np.linspace(-0.5, 0.5, 41):
        x, y = 7 + motion[0] * step, 7 + motion[1] * step
        column, row = int(np.floor(x)), int(np.floor(y))
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            weight = abs(1 - dx - (x - column)) * abs(1 - dy - (y - row))
            kernel[row + dy, column + dx] += weight
    kernel /= kernel.sum()
    return np.asarray(cv2.filter2D(light, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def _tone(light: NDArray[np.float32], contrast: float) -> NDArray[np.float32]:
    """A phone's tone curve: bright parts roll off, shadows stay dark."""
    rolled = light * (1 + light / 6.0) / (1 + light * 0.9)
    shaped = np.power(np.clip(rolled, 0, 1), 1 / 2.2)
    curved = 0.5 + (shaped - 0.5) * contrast
    return np.asarray(np.clip(0.35 * shaped + 0.65 * curved, 0, 1), np.float32)


def develop(rng: Generator, light: NDArray[np.float32], settings: Development) -> NDArray[np.uint8]:
    """A finished picture.

    Args:
        rng: source of the noise.
        light: (h, w, 3) linear BGR of any scale.
        settings: exposure, colour, noise and sharpening.

    Returns:
        The picture, (h, w, 3) uint8 BGR.
    """
    light = _smeared(np.maximum(light, 0), settings.blur)
    key = float(np.percentile(light.mean(axis=2), 55)) + 1e-6
    bright = float(np.percentile(light.mean(axis=2), 97)) + 1e-6
    exposure = min(0.30 / key, 1.25 / bright) * 2.0**settings.stops
    grey = light.reshape(-1, 3).mean(axis=0)
    balance = (grey.mean() / np.maximum(grey, 1e-6)) ** 0.55
    light = light * exposure * balance * np.array(settings.cast[::-1], np.float32)
    size = (light.shape[1] // 2 + 1, light.shape[0] // 2 + 1)
    fine = rng.normal(0, 1, light.shape).astype(np.float32)
    coarse = cv2.resize(rng.normal(0, 1, (size[1], size[0], 3)).astype(np.float32), size)
    coarse = cv2.resize(coarse, (light.shape[1], light.shape[0]))
    grain = settings.noise * np.sqrt(np.maximum(light, 0.004) / 0.18)
    noisy = light + grain * 0.18 / 0.22 * (0.65 * fine + 0.6 * coarse)
    image = _tone(np.maximum(noisy, 0).astype(np.float32), settings.contrast)
    soft = cv2.GaussianBlur(image, (0, 0), 1.1)
    sharp = image + settings.sharpening * (image - soft)
    return np.asarray(np.clip(sharp * 255 + 0.5, 0, 255), np.uint8)
