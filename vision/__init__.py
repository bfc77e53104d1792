"""Reads photos of mahjong tiles: which tiles lie where, in which rows, sets and hands."""

from vision import native
from vision.errors import ModelError, NoTilesFound, PhotoError, PhotoRejected
from vision.pipeline import PhotoReader, model_versions, read_photo
from vision.readings import HandReading, MeldReading, Reading, TileReading
from vision.stages import Classified, Classifier, Detections, Detector

SystemLibraryError = native.SystemLibraryError

__all__ = [
    "Classified",
    "Classifier",
    "Detections",
    "Detector",
    "HandReading",
    "MeldReading",
    "ModelError",
    "NoTilesFound",
    "PhotoError",
    "PhotoReader",
    "PhotoRejected",
    "Reading",
    "SystemLibraryError",
    "TileReading",
    "model_versions",
    "read_photo",
]
