"""Reads photos of mahjong tiles: which tiles lie where, in which rows, sets and hands.

The names below are loaded at their first use, so that a program which only scores pays nothing for
the recogniser. If OpenCV cannot start, that first use raises
:class:`vision.runtime.opencv.SystemLibraryError`, whose text names the system packages to install.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.deal.decide import Decision, JointTile, decide
    from vision.deal.winner import Winner
    from vision.errors import ModelError, NoTilesFound, PhotoError, PhotoRejected, TooManyTiles
    from vision.multiview.photos import Together, read_together
    from vision.multiview.watcher import Sight, Watcher, open_watcher
    from vision.pipeline import (
        PhotoReader,
        open_classifier,
        open_reader,
        read_photo,
        read_set_photo,
    )
    from vision.runtime.registry import model_versions
    from vision.tilesets.profile import ProfileError, SetProfile
    from vision.vocabulary.detections import Classified, Classifier, Detections, Detector
    from vision.vocabulary.readings import HandReading, MeldReading, Reading, TileReading

__all__ = [
    "Classified",
    "Classifier",
    "Decision",
    "Detections",
    "Detector",
    "HandReading",
    "JointTile",
    "MeldReading",
    "ModelError",
    "NoTilesFound",
    "PhotoError",
    "PhotoReader",
    "PhotoRejected",
    "ProfileError",
    "Reading",
    "SetProfile",
    "Sight",
    "TileReading",
    "Together",
    "TooManyTiles",
    "Watcher",
    "Winner",
    "decide",
    "model_versions",
    "open_classifier",
    "open_reader",
    "open_watcher",
    "read_photo",
    "read_set_photo",
    "read_together",
]

_HOMES = {
    "vision.errors": ("ModelError", "NoTilesFound", "PhotoError", "PhotoRejected", "TooManyTiles"),
    "vision.deal.decide": ("Decision", "JointTile", "decide"),
    "vision.pipeline": (
        "PhotoReader",
        "open_classifier",
        "open_reader",
        "read_photo",
        "read_set_photo",
    ),
    "vision.tilesets.profile": ("ProfileError", "SetProfile"),
    "vision.vocabulary.readings": ("HandReading", "MeldReading", "Reading", "TileReading"),
    "vision.runtime.registry": ("model_versions",),
    "vision.vocabulary.detections": ("Classified", "Classifier", "Detections", "Detector"),
    "vision.multiview.photos": ("Together", "read_together"),
    "vision.multiview.watcher": ("Sight", "Watcher", "open_watcher"),
    "vision.deal.winner": ("Winner",),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
