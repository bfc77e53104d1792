"""Scores every hand of a mahjong deal under a club's rules and explains each point.

>>> import scorer
>>> scorer.list_rulesets()[0].id
'bmja-u3a'

What is named in ``__init__.pyi`` is imported when it is first used: who only wants the tiles'
vocabulary of :mod:`scorer.tiles` does not load the rules.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
