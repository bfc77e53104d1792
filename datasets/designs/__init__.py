"""A factory of drawn tile-set designs, so that training sees many more sets than were photographed.

``draw_design(seed, fonts)`` draws a whole set; ``load_design(path)`` reads one that
``python -m datasets.designs`` has written.
"""

from datasets.designs.design import (
    FACE_WIDTH,
    DesignError,
    TileDesign,
    load_design,
    save_design,
)

__all__ = [
    "FACE_WIDTH",
    "DesignError",
    "TileDesign",
    "load_design",
    "save_design",
]
