from .deal.decide import decide
from .deal.decision import Decision, JointTile
from .deal.winner import Winner
from .detect.aiming import View
from .errors import ModelError, NoTilesFound, PhotoError, PhotoRejected, TooManyTiles
from .multiview.photos import Together, read_together
from .multiview.watcher import Sight, Watcher, open_watcher
from .pipeline import PhotoReader
from .runtime.registry import model_versions
from .shipped import (
    look_at,
    open_classifier,
    open_reader,
    read_photo,
    read_set_photo,
    read_set_photos,
)
from .tilesets.profile import ProfileError, SetProfile
from .vocabulary.detections import Classified, Classifier, Detections, Detector
from .vocabulary.readings import HandReading, MeldReading, Reading, TileReading

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
    "View",
    "Watcher",
    "Winner",
    "decide",
    "look_at",
    "model_versions",
    "open_classifier",
    "open_reader",
    "open_watcher",
    "read_photo",
    "read_set_photo",
    "read_set_photos",
    "read_together",
]
