from .deal import Deal, Meld, Penalty, Player, Win
from .errors import DealError, GameError, RulesetError
from .evaluate import score_deal, score_hand
from .game import Game
from .game_file import parse_game
from .game_setup import GameSetup
from .info import RulesetInfo, list_rulesets
from .parse import parse_deal
from .result import DealResult, Line, Payment, PlayerResult

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
