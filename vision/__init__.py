"""Reads photos of mahjong tiles: which tiles lie where, in which rows, melds and hands.

The names in ``__init__.pyi`` are imported at their first use, so that a program which only scores
does not load the recogniser. If OpenCV cannot start, that first use raises
:class:`vision.runtime.opencv.SystemLibraryError`, which names the system packages to install.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
