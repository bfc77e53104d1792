from .deal import Deal, Meld, Penalty, Player, Win
from .errors import DealError, GameError, RulesetError
from .evaluation.evaluate import score_deal, score_hand
from .evaluation.waits import find_waits
from .explain.compare import System, compare
from .explain.why import why_not
from .game.game import Game
from .game.setup import GameSetup
from .notations import NotationError
from .result import DealResult, Line, Payment, PlayerResult
from .rules.info import RulesetInfo, list_rulesets
from .text.deal_json import parse_deal
from .text.game_json import parse_game
from .tiles import parse_tiles

__all__ = [
    "Deal",
    "DealError",
    "DealResult",
    "Game",
    "GameError",
    "GameSetup",
    "Line",
    "Meld",
    "NotationError",
    "Payment",
    "Penalty",
    "Player",
    "PlayerResult",
    "RulesetError",
    "RulesetInfo",
    "System",
    "Win",
    "compare",
    "find_waits",
    "list_rulesets",
    "parse_deal",
    "parse_game",
    "parse_tiles",
    "score_deal",
    "score_hand",
    "why_not",
]
