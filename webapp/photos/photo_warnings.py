"""What the reading of a photo warns of, as long as nobody has mended it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.tiles import BACK, BLANK, OTHER
from vision.layout.unknown_set import UNKNOWN_SET
from vision.messages import Message
from vision.vocabulary.copies import surplus
from vision.vocabulary.melds import find_meld
from vision.vocabulary.readings import FULL_HAND
from webapp.deal.photos import StoredPhoto
from webapp.deal.state import HAND, DealState, Player
from webapp.language.kept import brought_back

_OF_PLAYER: Final = "reading.of_player"
"""The id of the message that says which player of a photo of the table a warning is about."""

_SIDE: Final = "player."
"""How the ids of the messages begin that name the sides of a photo."""


def shows_unknown_set(photo: StoredPhoto | None) -> bool:
    """Whether the reading of a photo says that its tiles are of a set that is not known."""
    return photo is not None and UNKNOWN_SET in map(brought_back, _warnings(photo))


def warnings_left(
    photo: StoredPhoto | None, state: DealState, player: Player
) -> list[Message | str]:
    """The warnings about a player's photo that are still true, without that of an unknown set.

    Args:
        photo: the photo, if the player's tiles were read from one.
        state: the deal.
        player: the player as the deal has them now.
    """
    if photo is None:
        return []
    found = [brought_back(warning) for warning in _warnings(photo)]
    return [w for w in found if w != UNKNOWN_SET and _still_true(w, state, player)]


def _warnings(photo: StoredPhoto) -> list[str]:
    return [] if photo.reading is None else list(photo.reading["warnings"])


def _still_true(warning: Message | str, state: DealState, player: Player) -> bool:
    if not isinstance(warning, Message):
        return True
    fault, whose = warning.values.get("fault"), warning.values.get("player")
    if warning.id == _OF_PLAYER and isinstance(fault, Message) and isinstance(whose, Message):
        side = state.sides.get(player.seat)
        return side in (None, whose.id.removeprefix(_SIDE)) and _still_true(fault, state, player)
    return _TRUE_WHILE.get(warning.id, _unsure)(player)


def _unsure(player: Player) -> bool:
    """Whether a tile is doubtful or the number of tiles wrong: then the photo may be to blame."""
    return bool(player.doubtful) or _wrong_size(player)


def _wrong_size(player: Player) -> bool:
    return player.hand_size not in FULL_HAND


def _shows(player: Player, *labels: str) -> bool:
    return any(tile.label in labels for tile in player.tiles)


def _no_meld(player: Player) -> bool:
    melds = ([t.label for t in player.in_place(laid.id)] for laid in player.melds)
    return any(find_meld(labels) is None for labels in melds)


_TRUE_WHILE: Final[dict[str, Callable[[Player], bool]]] = {
    "reading.doubtful": lambda player: bool(player.doubtful),
    "reading.strange": lambda player: _shows(player, OTHER, BLANK),
    "reading.surplus": lambda player: bool(surplus(tile.label for tile in player.tiles)),
    "hand.hidden_kong": lambda player: _shows(player, BACK),
    "hand.face_down": lambda player: any(t.label == BACK for t in player.in_place(HAND)),
    "hand.too_few": _wrong_size,
    "hand.too_many": _wrong_size,
    "part.no_meld": _no_meld,
}
"""Which players a warning is still true of, by its id; any other is while something is unsure."""
