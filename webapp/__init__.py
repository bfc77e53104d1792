"""The page: photograph or tap in each player's tiles, say who won, see the score and settle.

What is named in ``__init__.pyi`` is imported when it is first used: a command that needs no page
does not load it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
