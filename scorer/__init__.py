"""Scores every hand of a mahjong deal under a club's rules and explains each point.

>>> import scorer
>>> scorer.list_rulesets()[0].id
'bmja-u3a'
"""

from scorer.deal import Deal, Meld, Penalty, Player, Win
from scorer.errors import DealError, GameError, RulesetError
from scorer.evaluate import score_deal, score_hand
from scorer.game import Game
from scorer.game_file import parse_game
from scorer.game_setup import GameSetup
from scorer.info import RulesetInfo, list_rulesets
from scorer.parse import parse_deal
from scorer.result import DealResult, Line, Payment, PlayerResult

__all__ = [
    "Deal",
    "DealError",
    "DealResult",
    "Game",
    "GameError",
    "GameSetup",
    "Line",
    "Meld",
    "Payment",
    "Penalty",
    "Player",
    "PlayerResult",
    "RulesetError",
    "RulesetInfo",
    "Win",
    "list_rulesets",
    "parse_deal",
    "parse_game",
    "score_deal",
    "score_hand",
]
