from .deal import Deal, Meld, Penalty, Player, Win
from .errors import DealError, GameError, RulesetError
from .evaluation.evaluate import score_deal, score_hand
from .game.game import Game
from .game.setup import GameSetup
from .result import DealResult, Line, Payment, PlayerResult
from .rules.info import RulesetInfo, list_rulesets
from .text.deal_json import parse_deal
from .text.game_json import parse_game

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
