"""A game as a JSON value: its setup and the hands that were played.

``{"ruleset": "...", "players": {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}, "hands": [...]}``,
the players by their winds in the first hand; ``changes`` and ``rounds`` may be added, and for five
or six players ``waiting``, the names of those who sit out the first hand, the one who comes in next
first. Everybody then sits out by turns; ``out`` names who sits out the next hand where it is not
their turn, and ``gone`` tells for those who left early the first hand without them, or as a list
that hand, the one with which they were back, and so on. A hand is one of these:

* ``{"deal": {...}}``, a deal as :func:`scorer.parse_deal` reads it. Ruleset, house rules, round
  wind, dealer and goulash may be left out, they follow from the game; so may the players' names.
* ``{"drawn": true}``, a hand that nobody won and that moved no points.
* ``{"winner": "Ann", "payments": [{"from": "Bob", "to": "Ann", "amount": 40}]}``, payments that
  were agreed on, with the players' names; ``winner`` null when the hand was drawn.

Where others than by turns sat out a hand, a deal tells it by the names of those who play, and the
other two by ``"waiting": ["Eve"]``.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scorer.deal import ChangeValue
from scorer.errors import DealError, GameError, field_name
from scorer.game.game import Game, follow, new_game, record, with_out
from scorer.game.hands import Agreed, Drawn, PlayedHand, Transfer, hand_json
from scorer.game.setup import GameSetup
from scorer.game.winds import Position
from scorer.messages import say
from scorer.rules.form_faults import input_fault
from scorer.text.deal_json import parse_deal

MAX_AMOUNT: Final = 100_000_000
"""The most points that one agreed payment may move."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _GameFile(_Model):
    ruleset: str
    players: dict[str, str]
    changes: dict[str, bool | int | str] = {}
    rounds: int | None = None
    waiting: list[str] = []
    out: list[str] = []
    gone: dict[str, int | list[int]] = {}
    hands: list[dict[str, Any]] = []


class _DealHand(_Model):
    deal: dict[str, Any]


class _DrawnHand(_Model):
    drawn: Literal[True]
    waiting: list[str] = []


class _Payment(_Model):
    payer: Annotated[str, Field(alias="from")]
    receiver: Annotated[str, Field(alias="to")]
    amount: Annotated[int, Field(ge=1, le=MAX_AMOUNT)]


class _AgreedHand(_Model):
    winner: str | None
    payments: list[_Payment]
    waiting: list[str] = []


_Read = TypeVar("_Read", bound=_Model)


def parse_game(obj: object, *, reseat: bool = False) -> Game:
    """The game that a decoded JSON value describes, every hand scored.

    >>> from scorer import parse_game
    >>> seats = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}
    >>> game = parse_game({"ruleset": "bmja-u3a", "players": seats, "hands": [{"drawn": True}]})
    >>> len(game.hands), game.totals["Ann"]
    (1, 0)

    Args:
        obj: what :func:`json.loads` gave.
        reseat: whether deals that name their players are given the winds, round and goulash to
            which the hands before them lead, as :func:`scorer.game.game.replay` does; else a hand
            that contradicts them is refused.

    Raises:
        GameError: something is missing, unknown or of the wrong kind, or the game is impossible; it
            names the hand, the field and the reason.
    """
    file = _read(_GameFile, obj, None)
    changes: Mapping[str, ChangeValue] = file.changes
    waiting = tuple(file.waiting)
    gone = {n: (at,) if isinstance(at, int) else tuple(at) for n, at in file.gone.items()}
    setup = GameSetup(file.ruleset, file.players, changes, file.rounds, waiting, gone)
    game = new_game(setup)
    for number, value in enumerate(file.hands, 1):
        hand = parse_hand(value, number, game)
        game = follow(game, hand) if reseat else record(game, hand)
    return with_out(game, file.out) if file.out else game


def game_document(game: Game) -> dict[str, Any]:
    """The JSON value that :func:`parse_game` reads back as this game."""
    out = {"out": list(game.out)} if game.out else {}
    return {**game.setup.to_json(), **out, "hands": [hand_json(hand) for hand in game.played]}


def parse_hand(value: dict[str, Any], number: int, game: Game) -> PlayedHand:
    """The hand that a decoded JSON value describes, not yet checked against its game.

    Args:
        value: the hand.
        number: its number, for messages.
        game: the game before it.

    Raises:
        GameError: something is missing, unknown or of the wrong kind.
    """
    if "deal" in value:
        given = _read(_DealHand, value, number).deal
        position = game.next or game.hands[-1].position
        try:
            return parse_deal({**_known(game.setup, position), **given})
        except DealError as error:
            name = position.seats.get(error.player) if error.player else None
            raise GameError(number, name, error.field, error.words) from error
    if "drawn" in value:
        return Drawn(tuple(_read(_DrawnHand, value, number).waiting))
    if "winner" in value or "payments" in value:
        agreed = _read(_AgreedHand, value, number)
        paid = (Transfer(item.payer, item.receiver, item.amount) for item in agreed.payments)
        return Agreed(agreed.winner, tuple(paid), tuple(agreed.waiting))
    raise GameError(number, None, "hand", say("no_form_of_hand"))


def _known(setup: GameSetup, position: Position) -> dict[str, Any]:
    """What a deal at this position need not say."""
    return {
        "ruleset": setup.ruleset,
        "changes": dict(setup.changes),
        "round_wind": position.round_wind,
        "dealer": position.dealer,
        "goulash": position.goulash,
        "honba": position.honba,
        "sticks": position.sticks,
    }


def _read(model: type[_Read], value: object, hand: int | None) -> _Read:
    """The value as that model, or an error that names the first key at fault."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(field_name(step) for step in first["loc"])
        words = input_fault(first)
        if first["type"] != "missing":
            words = say("form_shown", fault=words, shown=reprlib.repr(first["input"]))
        field = where or ("game" if hand is None else "hand")
        raise GameError(hand, None, field, words) from error
