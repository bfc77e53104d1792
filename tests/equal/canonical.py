"""Any result as plain values that are written in one way only."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

import numpy as np
from pydantic import BaseModel

from scorer.messages import Message as ScorerMessage
from vision.messages import Message as VisionMessage

DIGITS: Final = 6
"""Decimals that are kept of a number that is none of the whole ones."""


def plain(value: object) -> Any:
    """The value as JSON has it: numbers rounded, sets sorted, what has fields as a mapping.

    Raises:
        TypeError: nothing is known of values of this kind.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _rounded(value)
    if isinstance(value, Mapping):
        return {str(key): plain(held) for key, held in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(held) for held in value), key=text_of)
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    return _of_another_kind(value)


def _of_another_kind(value: object) -> Any:
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, BaseModel):
        return plain(value.model_dump())
    if isinstance(value, ScorerMessage | VisionMessage):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, bytes):
        return digest(value)
    raise TypeError(f"a {type(value).__name__} has no canonical form")


def _rounded(value: float) -> float | str:
    return round(value, DIGITS) + 0.0 if math.isfinite(value) else str(value)


def digest(data: bytes) -> str:
    """The SHA-256 of bytes whose content is not worth keeping."""
    return f"sha256 {hashlib.sha256(data).hexdigest()}"


def picture(image: np.ndarray[Any, Any]) -> str:
    """The shape and the SHA-256 of an array, whose values are not rounded."""
    shape = " x ".join(str(side) for side in image.shape)
    return f"{image.dtype} {shape} {digest(np.ascontiguousarray(image).tobytes())}"


def text_of(value: object) -> str:
    """A plain value as the one line of JSON that stands for it."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def outcome(question: Callable[..., object], *given: Any, **more: Any) -> Any:
    """What a call gives, or how it is refused: class, text and, where there is one, JSON form."""
    try:
        return {"gives": plain(question(*given, **more))}
    except (ValueError, KeyError, RuntimeError, OSError) as error:
        return {"refused": refusal(error)}


def refusal(error: Exception) -> Any:
    """An error by its class, its text and its JSON form."""
    told: dict[str, Any] = {"class": type(error).__name__, "text": str(error)}
    to_json = getattr(error, "to_json", None)
    return told if to_json is None else {**told, "json": plain(to_json())}
