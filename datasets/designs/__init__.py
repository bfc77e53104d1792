"""Draws tile-set designs, so that training sees many more tile sets than were photographed.

``draw_design(seed, fonts)`` draws a whole set; ``load_design(path)`` reads one that
``python -m datasets.designs`` has written.
"""

from datasets.designs.drawing.design import FACE_WIDTH, TileDesign, load_design, save_design
from datasets.designs.errors import DesignError, FontError
from datasets.designs.factory import (
    draw_design,
    has_formal_numerals,
    has_loose_pictures,
    has_worded_bonus,
)
from datasets.designs.fonts import FontSpec, find_fonts

__all__ = [
    "FACE_WIDTH",
    "DesignError",
    "FontError",
    "FontSpec",
    "TileDesign",
    "draw_design",
    "find_fonts",
    "has_formal_numerals",
    "has_loose_pictures",
    "has_worded_bonus",
    "load_design",
    "save_design",
]
